"""The clock of the machine jumps: no decision is passed or delayed, and no table is deleted."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from rowlock.server import clock, commands, protocol
from rowlock.server.events import Decided
from rowlock.server.secret import hash_of
from rowlock.server.settings import Settings
from rowlock.server.storage import now
from rowlock.server.table_registry import TableRegistry
from rowlock.server.table_session import TableSession

SECOND, HOUR, DAY = 1_000, 3_600_000, 86_400_000


class Clocks:
    """The clocks of the machine, which stand still until a test moves them; in milliseconds."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, self.steady = 1_800_000_000_000, 5_000_000
        monkeypatch.setattr(time, "time_ns", lambda: self.wall * 1_000_000)
        monkeypatch.setattr(clock, "steady_ns", lambda: self.steady * 1_000_000, raising=False)

    def pass_by(self, milliseconds: int) -> None:
        self.wall += milliseconds
        self.steady += milliseconds


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    return Clocks(monkeypatch)


def run(tmp_path: Path, work: Callable[[TableRegistry], Awaitable[None]]) -> None:
    """Start a server on the database, without its maintenance, and stop it after the work."""

    async def with_registry() -> None:
        registry = TableRegistry(Settings(database=f"sqlite:///{tmp_path / 'x.db'}", news_seconds=1000))
        await registry.open()
        try:
            await asyncio.wait_for(work(registry), 60)
        finally:
            await registry.close()

    asyncio.run(with_registry())


async def running_table(registry: TableRegistry, seconds: int) -> TableSession:
    people = [protocol.SeatRequest(), protocol.SeatRequest()]
    session = await registry.create(protocol.TableRequest("classic", people, seconds=seconds))
    hashes = [hash_of(secret * 32) for secret in "ab"]
    await session.submit(lambda table, _: commands.join(table, ["Anna", "Ben"], hashes))
    return session


def seconds_left(session: TableSession) -> float:
    assert session.table.deadline is not None
    return (session.table.deadline - now()) / SECOND


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_jump_while_the_server_runs_changes_no_deadline(tmp_path: Path, clocks: Clocks, jump: int) -> None:
    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry, 30)
        clocks.pass_by(10 * SECOND)
        assert seconds_left(session) == 20
        clocks.wall += jump
        assert seconds_left(session) == 20
        assert commands.decide_by_timeout(session.table, now()) == []
        clocks.pass_by(20 * SECOND)
        assert len(commands.decide_by_timeout(session.table, now())) == 2

    run(tmp_path, work)


@pytest.mark.parametrize("jump", [0, 15 * SECOND, HOUR, -HOUR])
@pytest.mark.parametrize(
    ("decided_after", "left"),
    [
        (10, 20),  # as when the last event was stored
        (25, 10),  # at least ten seconds after a restart
    ],
)
def test_a_jump_between_two_starts(tmp_path: Path, clocks: Clocks, jump: int, decided_after: int, left: float) -> None:
    """Neither the jump counts nor the time without a server."""
    codes = []

    async def begin(registry: TableRegistry) -> None:
        session = await running_table(registry, 30)
        codes.append(session.table.code)
        clocks.pass_by(decided_after * SECOND)
        await session.submit(lambda _, __: [Decided(0, 1, "white", "-")])
        clocks.pass_by(3 * SECOND)

    async def resume(registry: TableRegistry) -> None:
        assert seconds_left(await registry.find(codes[0])) == left

    run(tmp_path, begin)
    clocks.wall += jump
    run(tmp_path, resume)


def test_a_table_loaded_later_than_the_start_has_time_too(tmp_path: Path, clocks: Clocks) -> None:
    """On another server whose clock is ahead; and its events count from when this server reads them."""

    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry, 30)
        registry.sessions.clear()
        session.close()
        clocks.pass_by(HOUR)
        loaded = await registry.find(session.table.code)
        assert seconds_left(loaded) == 30
        clocks.pass_by(-HOUR)
        await session.submit(lambda _, __: [Decided(seat, 1, "white", "-") for seat in (0, 1)])
        clocks.pass_by(HOUR)
        await loaded.catch_up()
        assert seconds_left(loaded) == 30

    run(tmp_path, work)


def test_a_table_that_another_server_may_play_keeps_its_deadline(
    tmp_path: Path, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the other server would pass earlier than this one says."""

    async def work(registry: TableRegistry) -> None:
        session = await running_table(registry, 30)
        registry.sessions.clear()
        clocks.pass_by(15 * SECOND)
        monkeypatch.setattr(registry.storage, "shared", True)  # of a database that several servers use
        assert seconds_left(await registry.find(session.table.code)) == 15

    run(tmp_path, work)


@pytest.mark.parametrize("ahead", [31 * SECOND, -31 * SECOND])
def test_requests_and_handover_codes_last_as_long_on_another_server(tmp_path: Path, clocks: Clocks, ahead: int) -> None:
    """Though its clock differs; if it loads the table only then, at most as long."""

    async def work(registry: TableRegistry) -> None:
        asking = await running_table(registry, 30)
        registry.sessions.clear()
        other = await registry.find(asking.table.code)
        await asking.submit(lambda _, __: [Decided(seat, 1, "white", "-") for seat in (0, 1)])
        message = protocol.Takeback(asking.table.code, 0, 1, "white", "t")
        await asking.submit(lambda table, at: commands.ask_takeback(table, message, [0], at))
        until = now() + 120 * SECOND
        await asking.submit(lambda table, _: commands.offer_handover(table, "a" * 32, "ABCD2345", until))
        clocks.pass_by(ahead)
        await other.catch_up()
        registry.sessions.clear()
        for session, passed in ((other, 0), (await registry.find(asking.table.code), max(0, ahead))):
            table = session.table
            assert table.takeback
            assert table.takeback.until - now() == 30 * SECOND - passed
            [offered] = [seat for seat in table.seats if seat.handover_until]
            assert offered.handover_until - now() == 120 * SECOND - passed

    run(tmp_path, work)


@pytest.mark.parametrize("restart", [True, False])
@pytest.mark.parametrize(
    ("between_turns", "away", "left"),
    [
        (False, 10, 30),  # the time since the last event does not count
        (False, 600, -570),  # it may have expired before the server stopped
        (True, 600, 30),  # the table waits for the request: it was open when the server stopped
    ],
)
def test_a_request_after_a_restart(
    tmp_path: Path, clocks: Clocks, restart: bool, between_turns: bool, away: int, left: int
) -> None:
    """If the table is loaded without a restart, another server has had it, and its time counts."""
    codes: list[str] = []

    async def ask(registry: TableRegistry) -> None:
        session = await running_table(registry, 60)
        codes.append(session.table.code)
        decided = [Decided(0, 1, "white", "-"), Decided(1, 1, "white", "-")]
        await session.submit(lambda _, __: [*decided, *([Decided(0, 1, "colour", "x")] if between_turns else [])])
        message = protocol.Takeback(codes[0], 0, 1, "white", "t")
        await session.submit(lambda table, at: commands.ask_takeback(table, message, [0], at))

    async def resume(registry: TableRegistry) -> None:
        registry.storage.shared = not restart
        table = (await registry.find(codes[0])).table
        registry.storage.shared = False
        assert table.takeback
        assert table.takeback.until - now() == (left if restart else 30 - away) * SECOND

    run(tmp_path, ask)
    clocks.pass_by(away * SECOND)
    run(tmp_path, resume)


def test_a_clock_that_is_wrong_at_the_start_deletes_nothing(
    tmp_path: Path, clocks: Clocks, caplog: pytest.LogCaptureFixture
) -> None:
    """More than half of all tables at once look like an error of the clock. After a week they are deleted."""
    codes: list[str] = []

    async def create(registry: TableRegistry) -> None:
        wish = protocol.TableRequest("classic", [protocol.SeatRequest()])
        codes.extend([(await registry.create(wish)).table.code for _ in range(8)])

    async def kept(registry: TableRegistry) -> list[str]:
        await registry._delete_old_tables()
        return [code for code in codes if await registry.storage.read(code)]

    async def too_late(registry: TableRegistry) -> None:
        assert await kept(registry) == codes
        assert "8 of 8 tables" in caplog.text
        assert "2028-02-1" in caplog.text  # the day that the clock says
        clocks.pass_by(6 * DAY)
        assert await kept(registry) == codes
        clocks.pass_by(DAY)
        assert await kept(registry) == []

    run(tmp_path, create)
    clocks.wall += 400 * DAY
    run(tmp_path, too_late)


def test_a_few_old_tables_are_deleted_at_once(tmp_path: Path, clocks: Clocks) -> None:
    async def create(registry: TableRegistry) -> None:
        for _ in range(5):
            await registry.create(protocol.TableRequest("classic", [protocol.SeatRequest()]))

    async def later(registry: TableRegistry) -> None:
        await registry._delete_old_tables()
        assert await registry.storage.count_tables() == 5

    run(tmp_path, create)
    clocks.wall += 400 * DAY
    run(tmp_path, create)
    clocks.wall += DAY
    run(tmp_path, later)


@pytest.mark.parametrize("new_before", [0, 1])
def test_new_tables_do_not_prove_that_the_clock_is_right(tmp_path: Path, clocks: Clocks, new_before: int) -> None:
    """They have the time of the wrong clock, whether they are created before the first cleanup or after it."""

    async def create(registry: TableRegistry, count: int = 5) -> None:
        for _ in range(count):
            await registry.create(protocol.TableRequest("classic", [protocol.SeatRequest()]))

    async def later(registry: TableRegistry) -> None:
        clocks.pass_by(SECOND)
        await create(registry, new_before)
        await registry._delete_old_tables()
        await create(registry, 1)
        await registry._delete_old_tables()
        assert await registry.storage.count_tables() == 5 + new_before + 1
        clocks.pass_by(7 * DAY)
        await registry._delete_old_tables()
        assert await registry.storage.count_tables() == new_before + 1

    run(tmp_path, create)
    clocks.wall += 400 * DAY
    run(tmp_path, later)


@pytest.mark.parametrize(("count", "in_memory"), [(1, 0), (5, 0), (22, 12)])
def test_no_table_is_deleted_while_all_are_old(tmp_path: Path, clocks: Clocks, count: int, in_memory: int) -> None:
    """Few tables as well; those in memory, which are not deleted, count as old."""
    codes: list[str] = []

    async def create(registry: TableRegistry) -> None:
        wish = protocol.TableRequest("classic", [protocol.SeatRequest()])
        codes.extend([(await registry.create(wish)).table.code for _ in range(count)])

    async def later(registry: TableRegistry) -> None:
        for code in codes[:in_memory]:
            await registry.find(code)
        await registry._delete_old_tables()
        assert await registry.storage.count_tables() == count

    run(tmp_path, create)
    clocks.wall += 400 * DAY
    run(tmp_path, later)
