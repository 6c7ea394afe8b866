"""The storage: appends in groups, conflicts, old tables, migrations."""

import asyncio
import os
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory

from rowlock.server import commands, migration, protocol
from rowlock.server.events import AnyEvent, Ended, Rolled, Seated, Started
from rowlock.server.history import Entry, History
from rowlock.server.refusal import Refused
from rowlock.server.settings import Settings
from rowlock.server.storage import Conflict, DatabaseInUse, Storage, StorageFailure, metadata
from rowlock.server.storage import events as storage_events
from rowlock.server.table_registry import TableRegistry

BAD_ROLL = '{"kind": "rolled", "dice": "99"}'  # known, but impossible


def run(tmp_path: Path, work: Any) -> None:
    async def with_storage() -> None:
        storage = Storage(f"sqlite:///{tmp_path / 'x.db'}")
        await storage.open()
        try:
            await work(storage)
        finally:
            await storage.close()

    asyncio.run(with_storage())


def event(table: str, seq: int, event: AnyEvent, at: int) -> Entry:
    return History(table, seq - 1).append(event, at)


def rolled(table: str, seq: int, dice: str = "11-1111", at: int = 1) -> Entry:
    return event(table, seq, Rolled(dice), at)


def test_what_was_appended_is_read(tmp_path: Path) -> None:
    async def work(storage: Storage) -> None:
        written = History("A")
        entries = [written.append(Rolled(dice), 1) for dice in ("11-1111", "22-2222")]
        await storage.append(entries)
        await storage.append([rolled("B", 1)])
        read = History("A")
        assert [read.read(row) for row in await storage.read("A")] == entries
        assert len(await storage.read("A", after=1)) == 1

    run(tmp_path, work)


def test_tables_are_counted_when_the_database_is_opened(tmp_path: Path) -> None:
    async def create(storage: Storage) -> None:
        await storage.append([rolled("A", 1), rolled("A", 2), rolled("B", 1)])

    async def check(storage: Storage) -> None:
        assert storage.table_count == 2

    run(tmp_path, create)
    run(tmp_path, check)


def test_a_conflict_costs_few_commits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Players of one table at different servers often decide at once: others must not wait for a commit each."""
    commits = 0
    insert = Storage._insert_rows

    async def count(self: Storage, rows: str, items: Sequence[str]) -> None:
        nonlocal commits
        commits += 1
        await insert(self, rows, items)

    monkeypatch.setattr(Storage, "_insert_rows", count)

    async def work(storage: Storage) -> None:
        await storage.append([rolled("T20", 1)])
        appends = [storage.append([rolled(f"T{number}", 1)]) for number in range(64)]
        outcomes = await asyncio.gather(*appends, return_exceptions=True)
        assert [number for number, outcome in enumerate(outcomes) if isinstance(outcome, Conflict)] == [20]
        assert await storage.count_tables() == 64
        assert commits == 1 + 1 + 2 * 6  # the first table, the group, and both halves of 64, 32, 16, 8, 4 and 2

    run(tmp_path, work)


def test_the_second_writer_of_a_number_gets_a_conflict(tmp_path: Path) -> None:
    """In a group of appends only the one with the conflict fails, and none of its events is stored."""

    async def work(storage: Storage) -> None:
        await storage.append([rolled("A", 1)])
        appends: list[Coroutine[Any, Any, None]] = [
            storage.append([rolled("B", 1)]),
            storage.append([rolled("A", 2), rolled("A", 1)]),
            storage.append([rolled("C", 1)]),
        ]
        outcomes = await asyncio.gather(*appends, return_exceptions=True)
        assert [type(outcome) for outcome in outcomes] == [type(None), Conflict, type(None)]
        assert [len(await storage.read(table)) for table in "ABC"] == [1, 1, 1]

    run(tmp_path, work)


def test_no_error_ends_the_writer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drivers raise errors that SQLAlchemy does not know: what was to be stored or read has failed, the next is not."""

    async def fail(*_: object) -> None:
        raise LookupError

    async def work(storage: Storage) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(storage, "_insert_rows", fail)
            patch.setattr(storage, "run_in_transaction", fail)
            with pytest.raises(StorageFailure):
                await asyncio.wait_for(storage.append([rolled("A", 1)]), 10)
            with pytest.raises(StorageFailure):
                await storage.read("A")
        await asyncio.wait_for(storage.append([rolled("A", 1)]), 10)
        assert len(await storage.read("A")) == 1

    run(tmp_path, work)


def test_tables_that_are_created_during_a_count_are_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(storage: Storage) -> None:
        execute = storage._execute

        async def execute_slowly(statement: sa.Executable) -> Sequence[Any]:
            rows = await execute(statement)
            await storage.append([rolled("B", 1)])
            return rows

        await storage.append([rolled("A", 1)])
        monkeypatch.setattr(storage, "_execute", execute_slowly)
        assert await storage.count_tables() == 2

    run(tmp_path, work)


def test_tables_are_counted_right_twice_at_the_same_time(tmp_path: Path) -> None:
    async def work(storage: Storage) -> None:
        await storage.append([rolled(table, 1) for table in "ABC"])
        await storage._execute(sa.delete(storage_events).where(storage_events.c.table_id == "A"))  # by another server
        assert [*await asyncio.gather(storage.count_tables(), storage.count_tables())] == [2, 2]
        await asyncio.gather(storage.delete(["B"]), storage.count_tables())
        assert storage.table_count == 1

    run(tmp_path, work)


def test_many_appends_share_a_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(storage: Storage) -> None:
        sizes = []
        insert = storage._insert

        async def counted(entries: list[Entry]) -> None:
            sizes.append(len(entries))
            await insert(entries)

        monkeypatch.setattr(storage, "_insert", counted)
        await asyncio.gather(*(storage.append([rolled(f"T{i}", 1)]) for i in range(100)))
        assert sum(sizes) == 100
        assert len(sizes) < 10

    run(tmp_path, work)


def test_running_and_old_tables(tmp_path: Path) -> None:
    async def work(storage: Storage) -> None:
        await storage.append([event("A", 1, Started((0,)), 1), event("A", 2, Ended((0,)), 5)])
        await storage.append([event("B", 1, Started((0,)), 3)])
        await storage.append([event("C", 1, Started((0,)), 9)])
        await storage.append([event("D", 1, Started((0,)), 1), event("D", 2, Ended((0,)), 7)])
        assert sorted(await storage.running_tables()) == ["B", "C"]
        assert await storage.old_tables(ended_before=6, inactive_before=0) == ["A"]
        assert sorted(await storage.old_tables(ended_before=6, inactive_before=8)) == ["A", "B"]
        await storage.delete(["A", "B"])
        assert [len(await storage.read(table)) for table in "ABCD"] == [0, 0, 1, 2]
        assert sorted(await storage.old_tables(ended_before=8, inactive_before=10)) == ["C", "D"]
        assert await storage.count_tables() == 2

    run(tmp_path, work)


@pytest.mark.parametrize(
    "data",
    [
        '{"kind": "juggled"}',
        "{",
        '{"kind": "created", "variant": "classic", "seats": [], "version": 3}',
        '{"kind": "left", "seat": 0, "unknown": 1}',  # what a newer version means by it is not known
        BAD_ROLL,
    ],
)
def test_a_table_that_cannot_be_read_stops_no_other(
    tmp_path: Path, data: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Its game is refused and named in the log; all others resume."""

    async def work() -> None:
        registry = TableRegistry(Settings(database=f"sqlite:///{tmp_path / 'x.db'}"))
        await registry.storage.open()
        histories: dict[str, History] = {}
        for code in ("AAAAAA", "BBBBBB", "CCCCCC"):
            events = commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()], pause=0))
            history = histories[code] = History(code)
            events += [Seated(0, "Anna", "hash"), Started((0,)), Rolled("11-1111")]
            await registry.storage.append([history.append(event, 1) for event in events])
        broken = {"table_id": "AAAAAA", "seq": 5, "kind": "juggled", "data": data, "at": 1}
        broken["previous"] = histories["AAAAAA"].hash
        await registry.storage.run_in_transaction(
            lambda connection: connection.execute(sa.insert(storage_events), broken)
        )
        await registry._resume()
        assert sorted(registry.sessions) == ["BBBBBB", "CCCCCC"]
        with pytest.raises(Refused, match="storage"):
            await registry.find("AAAAAA")
        await registry.close()

    asyncio.run(work())
    assert "table AAAAAA cannot be read" in caplog.text


@pytest.mark.parametrize(
    ("data", "code"), [('{"kind": "juggled"}', "storage"), ('{"kind": "left", "seat": 0}', "history")]
)
def test_an_unreadable_event_of_another_server_stops_no_maintenance(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, data: str, code: str
) -> None:
    """At a table in memory: the table is refused and named in the log once."""

    async def work() -> None:
        registry = TableRegistry(Settings(database=f"sqlite:///{tmp_path / 'x.db'}"))
        await registry.storage.open()
        session = await registry.create(protocol.TableRequest("classic", [protocol.SeatRequest()]))
        row = {"table_id": session.table.code, "seq": 2, "kind": "left", "data": data, "at": 1, "previous": "wrong"}
        await registry.storage.run_in_transaction(lambda connection: connection.execute(sa.insert(storage_events), row))
        for _ in range(2):
            await registry._poll_events()
            with pytest.raises(Refused, match=code):
                await session.catch_up()
        assert caplog.text.count(f"table {session.table.code} cannot be read") == 1
        await registry.close()

    asyncio.run(work())


def test_a_table_that_another_server_has_deleted_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if its notification is lost, and something was stored after the deletion: nothing of the table is left."""

    async def work() -> None:
        registry = TableRegistry(Settings(database=f"sqlite:///{tmp_path / 'x.db'}"))
        await registry.storage.open()
        request = protocol.TableRequest("classic", [protocol.SeatRequest()] * 2)
        gone, kept = await registry.create(request), await registry.create(request)
        await registry.storage._execute(sa.delete(storage_events).where(storage_events.c.table_id == gone.table.code))
        for session in (gone, kept):
            await session.submit(lambda table, _: commands.join(table, ["Zaphod"], ["1" * 64]))
        with monkeypatch.context() as failing:
            failing.setattr(registry.storage, "delete_rest", AsyncMock(side_effect=StorageFailure))
            await registry._poll_events()
            assert list(registry.sessions.values()) == [gone, kept]  # the next poll tries again
            with pytest.raises(Refused, match="no-table"):
                await registry.find(gone.table.code)
        await registry._poll_events()
        assert list(registry.sessions.values()) == [kept]
        with pytest.raises(Refused, match="no-table"):
            await gone.submit(lambda table, _: commands.join(table, ["Ben"], ["2" * 64]))
        await registry.storage.delete_rest(kept.table.code)  # it is whole
        assert [len(await registry.storage.read(session.table.code)) for session in (gone, kept)] == [0, 2]
        await registry.close()

    asyncio.run(work())


def test_maintenance_continues_when_tables_cannot_be_deleted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A database that is locked or read-only for a while: the next round tries again."""
    monkeypatch.setattr("rowlock.server.table_registry.CLEANUP_SECONDS", 0.0)
    trigger = "CREATE TRIGGER held BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'held'); END"

    async def work() -> None:
        registry = TableRegistry(Settings(database=f"sqlite:///{tmp_path / 'x.db'}", news_seconds=0.01))
        await registry.storage.open()
        await registry.storage.append([rolled("OLD", 1)])
        await registry.storage.run_in_transaction(lambda connection: connection.execute(sa.text(trigger)))
        maintenance = asyncio.create_task(registry._maintain())
        while "cannot be deleted" not in caplog.text:  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        await registry.storage.run_in_transaction(lambda connection: connection.execute(sa.text("DROP TRIGGER held")))
        while await registry.storage.read("OLD"):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
        maintenance.cancel()
        await registry.close()

    asyncio.run(asyncio.wait_for(work(), 20))


def test_migrations_make_the_tables_that_the_code_uses(tmp_path: Path) -> None:
    def compare(connection: sa.Connection) -> list[Any]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return [one for one in compare_metadata(context, metadata) if one[0] != "remove_index"]

    async def work(storage: Storage) -> None:
        assert await storage.run_in_transaction(compare) == []
        assert await storage.run_in_transaction(migration.version) == migration.newest()

    run(tmp_path, work)
    assert ScriptDirectory(str(migration.SCRIPTS)).get_current_head() == migration.newest()


def test_the_files_are_private(tmp_path: Path) -> None:
    """The database, its log and its lock can be read and written by their owner only, whatever the umask says."""

    def modes() -> dict[str, int]:
        return {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}

    async def work(storage: Storage) -> None:
        await storage.append([rolled("A", 1)])
        assert modes() == dict.fromkeys(("x.db", "x.db-wal", "x.db-shm", "x.db.lock"), 0o600)

    umask = os.umask(0)
    try:
        run(tmp_path, work)
    finally:
        os.umask(umask)


def test_files_of_an_earlier_version_become_private(tmp_path: Path) -> None:
    for name in ("x.db", "x.db-wal", "x.db.lock"):
        (tmp_path / name).touch(mode=0o644)
        (tmp_path / name).chmod(0o644)

    modes: set[int] = set()

    async def work(_: Storage) -> None:
        modes.update(file.stat().st_mode & 0o777 for file in os.scandir(tmp_path))

    run(tmp_path, work)
    assert modes == {0o600}


def test_one_server_per_file_by_whatever_name(tmp_path: Path) -> None:
    """A symbolic link is locked as its file; a hard link, beside which SQLite would keep another log, is refused."""
    (tmp_path / "other").mkdir()
    for name, file in (("link.db", tmp_path / "x.db"), ("other/link.db", tmp_path / "link.db")):
        (tmp_path / name).symlink_to(file)

    async def open_as(name: str) -> None:
        storage = Storage(f"sqlite:///{tmp_path / name}")
        try:
            await storage.open()
        finally:
            await storage.close()

    async def work(_: Storage) -> None:
        for name in ("x.db", "link.db", "other/link.db"):
            with pytest.raises(DatabaseInUse):
                await open_as(name)

    run(tmp_path, work)
    asyncio.run(open_as("other/link.db"))
    os.link(tmp_path / "x.db", tmp_path / "other" / "hard.db")
    for name in ("x.db", "other/hard.db"):
        with pytest.raises(OSError, match="several names"):
            asyncio.run(open_as(name))
