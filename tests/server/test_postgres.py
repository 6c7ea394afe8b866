"""PostgreSQL: several servers share one database, and any of them may be killed."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest

from tests.server.crashing import Ordeal, check_games, check_log
from tests.server.playing import Device
from tests.server.postgres import postgres
from tests.server.serving import Server


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with postgres(tmp_path_factory.mktemp("postgres") / "data") as url:
        yield url


@pytest.mark.xdist_group("postgres")
def test_players_at_different_servers(tmp_path: Path, database: str) -> None:
    """What one server writes the other one shows, presence included."""

    async def play(first: Server, second: Server) -> None:
        table = first.create([None, None, "greedy"])
        anna, ben = first.join(table, "Anna"), second.join(table, "Ben")
        devices = [Device(first, table, anna, 1), Device(second, table, ben, 2), Device(second, table, [])]
        watching = Device(first, table, [])
        await watching.open()
        for device in devices:
            await device.open()
        await watching.until(
            lambda frame: (
                frame["type"] == "view"
                and {seat["name"] for seat in frame["seats"] if seat["connected"]} == {"Anna", "Ben"}
            )
        )
        await watching.close()
        views = await asyncio.gather(*(device.play() for device in devices))
        assert views[0]["result"] == views[1]["result"] == views[2]["result"]

    with Server(tmp_path, database) as first, Server(tmp_path, database) as second:
        asyncio.run(play(first, second))


@pytest.mark.xdist_group("postgres")
def test_kill_9(tmp_path: Path, database: str) -> None:
    async def log() -> list[tuple[str, int, str]]:
        connection = await asyncpg.connect(database)
        rows = await connection.fetch("SELECT table_id, seq, data FROM events ORDER BY table_id, seq")
        await connection.close()
        return [tuple(row) for row in rows]

    with Server(tmp_path, database) as first, Server(tmp_path, database) as second:
        ordeal = Ordeal([first, second], seed=2)
        asyncio.run(ordeal.run())
        check_games(first, ordeal.games)
        check_games(second, ordeal.games)
    check_log([(table, seq, json.loads(data)) for table, seq, data in asyncio.run(log())])
