"""The stored history of a table: hashes that show a change, limits, and long histories."""

import asyncio
import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from rowlock.server import commands, protocol, table_session
from rowlock.server.events import (
    Access,
    AnyEvent,
    Created,
    Replaced,
    Returned,
    Rolled,
    SeatPlan,
    read_event,
    write_event,
)
from rowlock.server.history import ChangedHistory, History, Row, UnreadableEvent
from rowlock.server.refusal import Refused
from rowlock.server.table import Table
from rowlock.server.table_registry import TableRegistry
from tests.server.playing import Device
from tests.server.serving import Server
from tests.server.test_table_session import run, running_table


def rows_of(*dice: str, version: int = 2) -> list[Row]:
    """The stored history of a table: its creation and these rolls."""
    history = History("ABC234")
    events: list[AnyEvent] = [Created("classic", (SeatPlan(),), version=version, hash_key="key"), *map(Rolled, dice)]
    entries = [history.append(event, 1) for event in events]
    return [Row(entry.seq, entry.data, entry.at, entry.previous) for entry in entries]


def read(rows: list[Row]) -> History:
    history = History("ABC234")
    for row in rows:
        history.read(row)
    return history


def test_a_changed_event_is_noticed() -> None:
    rows = rows_of("11-1111", "22-2222", "33-3333")
    read(rows)
    for changed in (
        [rows[0], rows[1]._replace(data=write_event(Rolled("66-6666"))), *rows[2:]],
        [rows[0], rows[1]._replace(at=2), *rows[2:]],
        [rows[0], *rows[2:]],
        [rows[0], rows[2]._replace(seq=2), rows[3]._replace(seq=3)],
        [*rows[:3], rows[3]._replace(previous=None)],
        [row._replace(previous=None) for row in rows],
        [rows[0], *(row._replace(previous=None) for row in rows[1:])],
    ):
        with pytest.raises(ChangedHistory):
            read(changed)


def test_an_event_without_a_hash_is_refused_after_own_events() -> None:
    """Also if this server has written all events before."""
    history = History("ABC234")
    history.append(Created("classic", (SeatPlan(),), hash_key="key"), 1)
    with pytest.raises(ChangedHistory):
        history.read(Row(2, write_event(Rolled("66-6666")), 1, None))


def test_a_changed_last_event_changes_the_hash() -> None:
    """The device that has seen the hash notices it."""
    rows = rows_of("11-1111")
    changed = [rows[0], rows[1]._replace(data=write_event(Rolled("66-6666")))]
    assert read(rows).hash != read(changed).hash


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ('{"kind": "promised", "seat": 0}', "event 2: Invalid value 'promised'"),
        ('{"kind": "rolled", "dice": "11-1111", "share": 0}', "event 2: Object contains unknown field `share`"),
    ],
)
def test_what_only_a_newer_version_knows_is_named(data: str, problem: str) -> None:
    history = read(rows_of())
    with pytest.raises(UnreadableEvent, match=problem):
        history.read(Row(2, data, 1, history.hash))


def test_a_history_written_before_there_were_hashes_goes_on() -> None:
    """And what is added to it is protected."""
    old = [row._replace(previous=None) for row in rows_of("11-1111", version=1)]
    history = read(old)
    added = [history.append(Rolled(dice), 1) for dice in ("22-2222", "33-3333")]
    rows = [*old, *(Row(entry.seq, entry.data, entry.at, entry.previous) for entry in added)]
    read(rows)
    with pytest.raises(ChangedHistory):
        read([rows[0], rows[1]._replace(data=write_event(Rolled("66-6666"))), *rows[2:]])


def test_no_view_holds_the_key_of_the_hashes(server: Server) -> None:
    """With the key, the hash of a hidden decision would tell which one it is."""
    table = server.create(1)
    (secret,) = server.join(table, "Anna")
    view = server.ask(f"/api/tables/{table}", headers={"Authorization": f"Bearer {secret}"})
    with sqlite3.connect(server.directory / "rowlock.db") as connection:
        query = "SELECT data FROM events WHERE table_id = ? AND seq = 1"
        created = read_event(connection.execute(query, (table,)).fetchone()[0])
    assert isinstance(created, Created)
    assert len(created.hash_key) > 20
    assert created.hash_key.encode() not in view.body


def test_hashes_without_a_key_are_not_sent() -> None:
    """Tables of version 1: a hidden decision could be found by trying."""
    history = History("ABC234")
    history.append(Created("classic", (SeatPlan(),)), 1)
    assert history.hash
    assert history.public_hash == ""


def test_a_device_notices_a_changed_history(tmp_path: Path) -> None:
    """The answer to `hello` has the hash of the event that the device saw last."""

    async def hello(server: Server, table: str, secret: str, seq: int) -> dict[str, Any]:
        device = Device(server, table, [secret])
        await device.open()
        answer = await device.command(type="hello", version=2, secrets=[secret], last_seq=seq)
        view = await device.next_view()
        await device.close()
        return {**answer, "view": (view["seq"], view["hash"])}

    with Server(tmp_path) as server:
        table = server.create(1)
        (secret,) = server.join(table, "Anna")
        answer = asyncio.run(hello(server, table, secret, 3))
        seq, seen = answer["view"]
        assert asyncio.run(hello(server, table, secret, seq))["hash"] == seen
        server.stop()
        with sqlite3.connect(tmp_path / "rowlock.db") as connection:
            (data,) = connection.execute("SELECT data FROM events WHERE seq = ?", (seq,)).fetchone()
            other = write_event(Rolled("66-6666" if "66-6666" not in data else "11-1111"))
            connection.execute("UPDATE events SET data = ? WHERE seq = ?", (other, seq))
        server.start()
        assert asyncio.run(hello(server, table, secret, seq))["hash"] != seen
        server.stop()
        with sqlite3.connect(tmp_path / "rowlock.db") as connection:  # an event in the middle
            connection.execute("UPDATE events SET data = replace(data, 'Anna', 'Anne') WHERE seq = 2")
        server.start()
        refused = server.ask(f"/api/tables/{table}")
        assert (refused.status, refused.json["code"]) == (409, "history")


def test_a_table_has_at_most_so_many_events(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its game goes on."""
    monkeypatch.setattr(commands, "MAX_EVENTS", 10)

    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry)
        for _ in range(20):
            with suppress(Refused):
                await session.submit(lambda table, _: [Access(not table.open)])
        with pytest.raises(Refused, match="limit"):
            await session.submit(lambda table, _: [Access(not table.open)])
        assert session.table.seq == 10
        await session.submit(lambda _, __: [Replaced(0, "random")])
        await session.submit(lambda _, __: [Returned(0)])
        message = protocol.Decide(session.table.code, 0, 1, "white", "-", "c")
        await session.submit(lambda table, _: commands.decide(table, message))
        assert session.table.seq == 13
        await session.submit(lambda _, __: [Replaced(0, "random")])
        with pytest.raises(Refused, match="limit"):  # one bot after the other for the same seat
            await session.submit(lambda _, __: [Replaced(0, "greedy")])

    run(tmp_path, work)


def test_a_long_history_does_not_block_others() -> None:
    """While it is read, other tasks run many times."""
    history, count = History("ABC234"), 5_000
    events: list[AnyEvent] = [
        Created("classic", (SeatPlan(), SeatPlan())),
        *(Access(bool(i % 2)) for i in range(count)),
    ]
    entries = [history.append(event, 1) for event in events]
    rows = [Row(entry.seq, entry.data, entry.at, entry.previous) for entry in entries]

    async def load() -> int:
        turns = 0
        loading = asyncio.create_task(table_session.apply_rows(Table("ABC234"), History("ABC234"), rows))
        while not loading.done():
            turns += 1
            await asyncio.sleep(0)
        await loading
        return turns

    assert asyncio.run(load()) >= count // table_session.EVENTS_AT_ONCE
