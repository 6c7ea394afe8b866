"""Table sessions without HTTP: storing, returning players, connections without a table."""

import asyncio
import copy
import gc
import json
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, cast

import msgspec
import pytest
from starlette.websockets import WebSocket

from rowlock.server import commands, connection, events, protocol
from rowlock.server.connection import Connection
from rowlock.server.history import Entry, Row
from rowlock.server.limits import AddressLimits
from rowlock.server.notifications import MAX_BYTES, Notification, encode_events
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.settings import Settings
from rowlock.server.storage import Conflict, Storage, StorageFailure
from rowlock.server.table_registry import TableRegistry
from rowlock.server.table_session import TableSession, append

ANNA, BEN = "a" * 32, "b" * 32


def run(tmp_path: Path, work: Callable[[TableRegistry], Awaitable[None]], **settings: Any) -> None:
    async def with_registry() -> None:
        registry = TableRegistry(Settings(database=f"sqlite:///{tmp_path / 'x.db'}", **settings))
        await registry.open()
        try:
            await asyncio.wait_for(work(registry), 20)
        finally:
            await registry.close()

    asyncio.run(with_registry())


async def running_table(registry: TableRegistry, seconds: int | None = None) -> TableSession:
    """A table with a running game of Anna and Ben."""
    request = protocol.TableRequest("classic", [protocol.SeatRequest()] * 2, seconds, pause=0)
    session = await registry.create(request)
    await session.submit(lambda table, _: commands.join(table, ["Anna", "Ben"], [hash_of(ANNA), hash_of(BEN)]))
    return session


class Silent:
    """A subscriber that ignores changes."""

    def on_change(self, session: TableSession) -> None:
        pass


def test_what_cannot_happen_is_not_stored(tmp_path: Path) -> None:
    """An error in a command does not change the table."""

    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry)
        seq, stored = session.table.seq, await registry.storage.read(session.table.code)
        with pytest.raises(ValueError, match="rolled already"):
            await session.submit(lambda _, __: [events.Decided(0, 1, "white", "-"), events.Rolled("11-1111")])
        assert session.table.seq == seq
        assert await registry.storage.read(session.table.code) == stored

    run(tmp_path, work)


@pytest.mark.parametrize("failure", [StorageFailure, Conflict])
def test_what_is_not_stored_is_seen_by_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failure: type[Exception]
) -> None:
    """The table changes only after its events are stored."""
    monkeypatch.setattr("rowlock.server.table_session.now", lambda: 1_800_000_000_000)

    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry)
        before, seen = copy.deepcopy(session.table), session.view({hash_of(ANNA)})
        append, tried = registry.storage.append, 0

        async def fails_once(entries: Sequence[Entry]) -> None:
            nonlocal tried
            tried += 1
            assert session.table == before
            assert session.view({hash_of(ANNA)}) == seen
            if tried == 1:
                raise failure
            await append(entries)

        monkeypatch.setattr(registry.storage, "append", fails_once)

        async def decide(seat: int) -> None:
            message = protocol.Decide(session.table.code, seat, 1, "white", "-", "c1")
            await session.submit(lambda table, _: commands.decide(table, message))

        for seat in (0, 1):  # the second decision reveals both
            if failure is StorageFailure:
                with pytest.raises(Refused, match="storage"):
                    await decide(seat)
                assert session.table == before
            await decide(seat)
            before, seen, tried = copy.deepcopy(session.table), session.view({hash_of(ANNA)}), 0
        assert session.table.game
        assert session.table.game.phase == "colour"

    run(tmp_path, work)


def test_a_refusal_that_nobody_awaits_is_not_logged(tmp_path: Path) -> None:
    """The sender has disconnected meanwhile."""
    errors = []

    async def work(registry: TableRegistry) -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        session = await running_table(registry)
        refused = asyncio.Event()

        def late(*_: object) -> commands.Outcome:
            refused.set()
            raise Refused("past")

        async with session._lock:
            sent = asyncio.create_task(session.submit(late))
            await asyncio.sleep(0.01)
            sent.cancel()
        await refused.wait()
        await asyncio.sleep(0.01)
        gc.collect()

    run(tmp_path, work)
    assert errors == []


def test_a_player_who_returns_while_being_replaced_gets_the_seat_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry)
        ben = session.table.seat_number_of(hash_of(BEN))
        assert ben is not None
        append, returned = registry.storage.append, False

        async def slowly(entries: Sequence[Entry]) -> None:
            nonlocal returned
            await append(entries)
            if isinstance(entries[0].event, events.Replaced):
                session.subscribe(Silent(), {hash_of(BEN)})  # stored, but not applied yet
                returned = True

        monkeypatch.setattr(registry.storage, "append", slowly)
        message = protocol.Replace(session.table.code, ben, "random", "c1")
        await session.submit(lambda table, _: commands.replace(table, message, [1 - ben], absent=True))
        assert returned
        while session.table.seats[ben].replaced_by is not None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)

    run(tmp_path, work, bot_pause=60)


def test_a_player_who_returns_while_another_return_is_stored_gets_the_seat_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry)
        await session.submit(lambda _, __: [events.Replaced(seat, "random") for seat in (0, 1)])
        append, stored = registry.storage.append, list[events.AnyEvent]()

        async def slowly(entries: Sequence[Entry]) -> None:
            await append(entries)
            stored.extend(entry.event for entry in entries)
            session.subscribe(Silent(), {hash_of(BEN)})  # Anna's return is stored, but not applied yet

        monkeypatch.setattr(registry.storage, "append", slowly)
        session.subscribe(Silent(), {hash_of(ANNA)})
        while any(seat.replaced_by for seat in session.table.seats):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        assert len(stored) == 2

    run(tmp_path, work, bot_pause=60)


def test_a_table_asked_for_again_is_not_made_twice_while_the_storage_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the storage it is not known which request created the table with that code."""
    request = protocol.TableRequest("classic", [protocol.SeatRequest()], id="0123456789abcdef", pause=0)

    async def failing(*_: object) -> list[Entry]:
        raise StorageFailure

    async def work(registry: TableRegistry) -> None:
        first = await registry.create(request)
        registry.sessions.clear()
        with monkeypatch.context() as patch:
            patch.setattr(registry.storage, "read", failing)
            with pytest.raises(Refused, match="storage"):
                await registry.create(request)
        assert (await registry.create(request)).table.code == first.table.code

    run(tmp_path, work)


class Pinging:
    """The socket of a device that sends pings but no hello."""

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

    async def work(registry: TableRegistry) -> None:
        socket = Pinging()
        await asyncio.wait_for(
            Connection(cast("WebSocket", socket), registry, AddressLimits(registry.settings)).run(), 5
        )
        assert socket.closed == 1008

    run(tmp_path, work, messages_per_second=1000.0)


class Greeting:
    """The socket of a device that sends one `hello` and keeps what it receives."""

    def __init__(self, hello: protocol.Hello) -> None:
        self.messages = [protocol.encoder.encode(hello).decode()]
        self.received: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.client = None

    async def receive(self) -> dict[str, str]:
        if not self.messages:
            await asyncio.Event().wait()
        return {"type": "websocket.receive", "text": self.messages.pop()}

    async def send_text(self, text: str) -> None:
        self.received.put_nowait(json.loads(text))


def test_a_seat_taken_on_another_server_is_known_here(tmp_path: Path) -> None:
    """Before a secret is refused, the events that this server has not heard of are read."""

    async def work(registry: TableRegistry) -> None:
        session = await registry.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2, pause=0))
        code = session.table.code
        seated = session.history.copy().append(events.Seated(0, "Anna", hash_of(ANNA)), 1)
        await registry.storage.append([seated])  # as another server does
        for secrets, answer in (([ANNA], "ack"), ([BEN], "error")):
            socket = Greeting(protocol.Hello(protocol.VERSION, code, secrets))
            serving = asyncio.create_task(
                Connection(cast("WebSocket", socket), registry, AddressLimits(registry.settings)).run()
            )
            assert (await socket.received.get())["type"] == answer
            serving.cancel()
            await asyncio.gather(serving, return_exceptions=True)

    run(tmp_path, work)


def test_a_table_opened_on_another_server_is_open_here(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        session = await registry.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2, pause=0))
        await session.submit(lambda _, __: [events.Access(open=False)])
        await registry.storage.append([session.history.copy().append(events.Access(open=True), 1)])
        socket = Greeting(protocol.Hello(protocol.VERSION, session.table.code, []))
        serving = asyncio.create_task(
            Connection(cast("WebSocket", socket), registry, AddressLimits(registry.settings)).run()
        )
        assert (await socket.received.get())["type"] == "ack"
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    run(tmp_path, work)


def test_events_that_a_notification_carries_are_not_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The database is read only if one was missed, or if they were too long for a notification."""
    reads: list[int] = []
    read = Storage.read

    async def count(self: Storage, table: str, after: int = 0) -> list[Row]:
        reads.append(after)
        return await read(self, table, after)

    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry)
        table, history = session.table.copy(), session.history.copy()  # at another server
        entries: list[Entry] = []
        while len(entries) < 4:
            assert table.game
            seat = table.game.to_act[0]
            decided = events.Decided(seat, table.game.turn, table.game.phase, table.game.options(seat)[0])
            entries += append(table, history, [decided], 1)
        await registry.storage.append(entries)
        monkeypatch.setattr(Storage, "read", count)

        async def notify(*rows: Row) -> int:
            text = encode_events("other", table.code, rows)
            await registry._receive(msgspec.json.decode(text, type=Notification))
            return session.table.seq

        first, second, _, fourth = (entry.row for entry in entries[:4])
        assert (await notify(first, second), reads) == (second.seq, [])
        assert (await notify(first, second), reads) == (second.seq, [])  # late, and known already
        assert (await notify(fourth), reads) == (entries[-1].seq, [second.seq])
        assert await notify(fourth._replace(seq=99, data="x" * MAX_BYTES)) == entries[-1].seq
        assert reads == [second.seq, entries[-1].seq]

    run(tmp_path, work)


def test_a_report_of_connections_always_fits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A device may have left many seats of a table, and keeps its connection: only those that are held are reported."""

    async def work(registry: TableRegistry) -> None:
        session, sent = await running_table(registry), list[Notification]()
        monkeypatch.setattr(session.services.notifications, "send", sent.append)
        session.subscribe(Silent(), {hash_of(ANNA), *(hash_of(str(seat)) for seat in range(300))})
        assert [one.present for one in sent] == [[hash_of(ANNA)]]

    run(tmp_path, work)


def test_a_rematch_counts_as_a_table(tmp_path: Path) -> None:
    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry, seconds=5)
        while session.table.state != "over":
            await session.submit(lambda table, _: commands.decide_by_timeout(table, (table.deadline or 0) + 1))
        await session.submit(lambda *_: [events.RematchAnswered(seat, agree=True) for seat in (0, 1)])
        while session.table.rematch is None:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        with pytest.raises(Refused, match="server-full"):
            registry.check_capacity()

    run(tmp_path, work, max_tables=2)


def test_a_hello_waits_for_the_event_that_the_device_knows_of(tmp_path: Path) -> None:
    """The first view after joining on another server has the seat."""

    async def work(registry: TableRegistry) -> None:
        session = await registry.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2, pause=0))
        seated = session.history.copy().append(events.Seated(0, "Anna", hash_of(ANNA)), 1)
        await registry.storage.append([seated])
        socket = Greeting(protocol.Hello(protocol.VERSION, session.table.code, [], last_seq=seated.seq))
        serving = asyncio.create_task(
            Connection(cast("WebSocket", socket), registry, AddressLimits(registry.settings)).run()
        )
        assert (await socket.received.get())["seq"] == seated.seq
        assert (await socket.received.get())["seats"][0]["name"] == "Anna"
        serving.cancel()
        await asyncio.gather(serving, return_exceptions=True)

    run(tmp_path, work)
