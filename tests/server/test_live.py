"""Tables in use, without a server around them: what is stored, who is back, who is waited for."""

import asyncio
import copy
import gc
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, cast

import pytest
from starlette.websockets import WebSocket

from rowlock.server import commands, connection
from rowlock.server import events as e
from rowlock.server import protocol as p
from rowlock.server.connection import Connection
from rowlock.server.hall import Hall
from rowlock.server.live import LiveTable
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.settings import Settings
from rowlock.server.storage import Conflict, Entry, StorageFailure

ANNA, BEN = "a" * 32, "b" * 32


def run(tmp_path: Path, work: Callable[[Hall], Awaitable[None]], **settings: Any) -> None:
    async def with_hall() -> None:
        hall = Hall(Settings(database=f"sqlite:///{tmp_path / 'x.db'}", **settings))
        await hall.open()
        try:
            await asyncio.wait_for(work(hall), 20)
        finally:
            await hall.close()

    asyncio.run(with_hall())


async def running_table(hall: Hall) -> LiveTable:
    """Anna and Ben have sat down."""
    live = await hall.create(p.TableWish("classic", [p.SeatWish(), p.SeatWish()]))
    await live.submit(lambda table, _: commands.join(table, ["Anna", "Ben"], [hash_of(ANNA), hash_of(BEN)]))
    return live


class Somebody:
    """Follows a table and looks away."""

    def changed(self, live: LiveTable) -> None:
        pass


def test_what_cannot_happen_is_not_stored(tmp_path: Path) -> None:
    """A mistake in a command costs that command, never the table."""

    async def work(hall: Hall) -> None:
        live = await running_table(hall)
        seq, stored = live.table.seq, await hall.storage.read(live.table.code)
        with pytest.raises(ValueError, match="rolled already"):
            await live.submit(lambda _, __: [e.Decided(0, 1, "white", "-"), e.Rolled("11-1111")])
        assert live.table.seq == seq
        assert await hall.storage.read(live.table.code) == stored

    run(tmp_path, work)


@pytest.mark.parametrize("failure", [StorageFailure, Conflict])
def test_what_is_not_stored_is_seen_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
) -> None:
    """While a decision is being stored the table stands as before, and where that fails it stays so."""
    monkeypatch.setattr("rowlock.server.live.now", lambda: 1_800_000_000_000)

    async def work(hall: Hall) -> None:
        live = await running_table(hall)
        before, seen = copy.deepcopy(live.table), live.view({hash_of(ANNA)})
        append, tried = hall.storage.append, 0

        async def fails_once(entries: Sequence[Entry]) -> None:
            nonlocal tried
            tried += 1
            assert live.table == before
            assert live.view({hash_of(ANNA)}) == seen
            if tried == 1:
                raise failure
            await append(entries)

        monkeypatch.setattr(hall.storage, "append", fails_once)

        async def decide(seat: int) -> None:
            message = p.Decide(live.table.code, seat, 1, "white", "-", "c1")
            await live.submit(lambda table, _: commands.decide(table, message))

        for seat in (0, 1):  # the second decision reveals both
            if failure is StorageFailure:
                with pytest.raises(Refused, match="storage"):
                    await decide(seat)
                assert live.table == before
            await decide(seat)
            before, seen, tried = copy.deepcopy(live.table), live.view({hash_of(ANNA)}), 0
        assert live.table.game
        assert live.table.game.phase == "colour"

    run(tmp_path, work)


def test_a_refusal_that_nobody_waits_for_fills_no_log(tmp_path: Path) -> None:
    """Whoever sent the command has gone meanwhile."""
    complaints = []

    async def work(hall: Hall) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: complaints.append(context))
        live = await running_table(hall)
        refused = asyncio.Event()

        def late(*_: object) -> commands.Answer:
            refused.set()
            raise Refused("past")

        async with live._lock:
            sent = asyncio.create_task(live.submit(late))
            await asyncio.sleep(0.01)
            sent.cancel()
        await refused.wait()
        await asyncio.sleep(0.01)
        gc.collect()

    run(tmp_path, work)
    assert complaints == []


def test_whoever_returns_while_a_bot_is_put_on_their_seat_plays_for_themselves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(hall: Hall) -> None:
        live = await running_table(hall)
        ben = live.table.seat_of(hash_of(BEN))
        assert ben is not None
        append, returned = hall.storage.append, False

        async def slowly(entries: Sequence[Entry]) -> None:
            nonlocal returned
            await append(entries)
            if isinstance(entries[0].event, e.Replaced):
                live.follow(Somebody(), {hash_of(BEN)})  # it is stored, and nobody knows yet
                returned = True

        monkeypatch.setattr(hall.storage, "append", slowly)
        message = p.Replace(live.table.code, ben, "random", "c1")
        await live.submit(lambda table, _: commands.replace(table, message, [1 - ben], absent=True))
        assert returned
        while live.table.seats[ben].replaced_by is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    run(tmp_path, work, bot_pause=60)


def test_a_table_asked_for_again_is_not_made_twice_while_the_storage_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether the table under its code is the one asked for cannot be told then."""
    wish = p.TableWish("classic", [p.SeatWish()], id="0123456789abcdef")

    async def failing(*_: object) -> list[Entry]:
        raise StorageFailure

    async def work(hall: Hall) -> None:
        first = await hall.create(wish)
        hall.live.clear()
        with monkeypatch.context() as patch:
            patch.setattr(hall.storage, "read", failing)
            with pytest.raises(Refused, match="storage"):
                await hall.create(wish)
        assert (await hall.create(wish)).table.code == first.table.code

    run(tmp_path, work)


class Pinging:
    """The socket of a device that sends a ping whenever it is asked, and greets nobody."""

    closed: int | None = None

    async def receive(self) -> dict[str, str]:
        await asyncio.sleep(0.02)
        return {"type": "websocket.receive", "text": json.dumps({"type": "ping"})}

    async def send_text(self, text: str) -> None:
        pass

    async def close(self, code: int) -> None:
        self.closed = code


def test_pings_do_not_keep_a_socket_that_follows_no_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "HELLO_SECONDS", 0.3)

    async def work(hall: Hall) -> None:
        socket = Pinging()
        await asyncio.wait_for(Connection(cast("WebSocket", socket), hall).run(), 5)
        assert socket.closed == 1008

    run(tmp_path, work, messages_per_second=1000.0)
