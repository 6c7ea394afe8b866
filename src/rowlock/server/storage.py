"""The database of events. They are only appended, and erased where a person is forgotten; a commit can store many."""

import asyncio
import itertools
import logging
import os
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from rowlock.server import metrics, migration
from rowlock.server.clock import now as now
from rowlock.server.events import kind_of
from rowlock.server.history import Entry, Row
from rowlock.server.notifications import CHANNEL, NOTIFY, encode_events
from rowlock.server.settings import SettingError

metadata = sa.MetaData()
events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(16), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
    sa.Column("previous", sa.String(64)),  # the hash of the event before; null for events of version 1
)
health = sa.Table("health", metadata, sa.Column("at", sa.BigInteger, nullable=False))  # one row, for checks
COLUMNS = ", ".join(events.columns.keys())
# Both insert the rows of a JSON array in one statement, which is a transaction of its own: that takes half of the time
# of several. The notifications are part of it, so that other servers get them even if this one ends right after it.
VALUES = ", ".join(f"json_extract(value, '$[{i}]')" for i in range(len(events.columns)))
INSERT_SQLITE = f"INSERT INTO events ({COLUMNS}) SELECT {VALUES} FROM json_each(?)"
INSERT_POSTGRES = sa.text(
    f"WITH stored AS (INSERT INTO events ({COLUMNS}) "
    "SELECT row->>0, CAST(row->>1 AS integer), row->>2, row->>3, CAST(row->>4 AS bigint), row->>5 "
    "FROM json_array_elements(CAST(:rows AS json)) AS row) " + NOTIFY.format(CHANNEL, ":items")
)
MAX_GROUP = 256  # appends per commit
THREADS = 4  # that use an SQLite file
MAX_CODES = 500  # table codes per statement, since databases limit the parameters
BUSY_MILLISECONDS = 10_000  # for which a statement waits while another process writes to an SQLite file
CHECKED_EVENTS = 200  # events that one check of the database reads
LOG_SECONDS = 60.0  # between two lines about a database that fails
MAX_ADDRESS_BYTES = 200  # that are read from the lock file of another server
# A process that a killed server was just starting can hold the lock for a moment longer.
LOCK_TRIES, LOCK_PAUSE = 20, 0.05  # the pause is in seconds

logger = logging.getLogger("rowlock.server")

T = TypeVar("T")


class Conflict(Exception):
    """An event with this number exists already: another writer was first."""


class StorageFailure(Exception):
    """The database cannot be reached; if events were being appended, it is not known whether they are stored."""


class DatabaseInUse(Exception):
    """Another server uses this SQLite file; `address` is where it listens, empty if that is not known."""

    def __init__(self, database: str, address: str) -> None:
        super().__init__(database)
        self.database, self.address = database, address


class Summary(NamedTuple):
    """What is stored of a table; times are in milliseconds."""

    table: str
    state: Literal["waiting", "running", "over"]
    events: int
    created_at: int
    last_at: int


def parse_url(text: str) -> sa.URL:
    """The URL of a database. The error does not show the text, which may hold a password."""
    try:
        return make_url(text)
    except (ArgumentError, ValueError):
        raise SettingError("database must be sqlite:///FILE or postgresql://USER@HOST:PORT/NAME") from None


class Storage:
    """The events of all tables; their key (table, seq) makes the second of two concurrent writers fail."""

    def __init__(self, url: str, *, full_sync: bool = False) -> None:
        self.url = parse_url(url)
        self.sender = ""  # the id of this server in notifications
        self.shared = self.url.get_backend_name() == "postgresql"
        in_memory = self.url.database in (None, "", ":memory:")
        self._file = None if self.shared or in_memory else Path(str(self.url.database)).resolve()
        self.engine = _postgres_engine(self.url) if self.shared else _sqlite_engine(self.url, self._file, full_sync)
        # A database in memory belongs to one thread.
        self._threads = ThreadPoolExecutor(THREADS if self._file else 1, "storage")
        self._queue: list[tuple[Sequence[Entry], asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False
        self._inserting: sa.Connection | None = None  # to SQLite; only the writer uses it
        self._locked_file: IO[bytes] | None = None
        self._last_checked = ("", 0)  # the table and number of the last event that a check has read
        self._logged_at = -LOG_SECONDS
        self.table_count = 0  # as far as this server knows; `count_tables` counts those of other servers too
        self._counting = asyncio.Lock()  # two counts, or a count and a deletion, would correct the number twice

    async def open(self) -> None:
        """Upgrade the database, count its tables and start the writer."""
        if self._file:
            self._locked_file = lock_file(self._file)
            _make_private(self._file)
            for file in (self._file.with_name(self._file.name + suffix) for suffix in ("-wal", "-shm")):
                if file.exists():  # a server that was killed has left it
                    _make_private(file)
        await self.run_in_transaction(migration.upgrade)
        with suppress(StorageFailure):  # some pages may be damaged: other tables can be played
            await self.count_tables()
        self._writer = asyncio.create_task(self._write(), name="writer")

    def write_address(self, address: str) -> None:
        """Write the address of this server into the lock file, for a server that finds the database in use."""
        if self._locked_file:
            self._locked_file.write(address.encode("ascii", "replace"))
            self._locked_file.flush()

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._writer:
            await self._writer
        if self._inserting:
            self._threads.submit(self._inserting.close)
        self._threads.shutdown()
        if isinstance(self.engine, AsyncEngine):
            await self.engine.dispose()
        else:
            self.engine.dispose()
        if self._locked_file:
            self._locked_file.close()

    async def run_in_transaction(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a transaction. For SQLite it is one call in a thread: a call per statement is slower."""
        if isinstance(self.engine, AsyncEngine):
            async with self.engine.begin() as connection:
                return await connection.run_sync(work)
        return await asyncio.get_running_loop().run_in_executor(self._threads, _run_sync, self.engine, work)

    async def _insert_rows(self, rows: str, items: Sequence[str]) -> None:
        """Insert rows, as JSON, and send notifications, all or nothing."""
        if isinstance(self.engine, AsyncEngine):
            async with self.engine.connect() as connection:
                await connection.execution_options(isolation_level="AUTOCOMMIT")
                await connection.execute(INSERT_POSTGRES, {"rows": rows, "items": items})
        else:
            await asyncio.get_running_loop().run_in_executor(self._threads, self._insert_into_sqlite, self.engine, rows)

    def _insert_into_sqlite(self, engine: sa.Engine, rows: str) -> None:
        if self._inserting is None:
            self._inserting = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
        with self._inserting.begin():
            self._inserting.exec_driver_sql(INSERT_SQLITE, (rows,))

    # Writing

    async def append(self, entries: Sequence[Entry]) -> None:
        """Store these events, all or none; they are durable when this returns."""
        stored: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._queue.append((entries, stored))
        self._wake.set()
        await stored

    async def _write(self) -> None:
        """The only writer: appends that arrive during a commit are stored together by the next one."""
        while not self._closing or self._queue:
            await self._wake.wait()
            group, self._queue = self._queue[:MAX_GROUP], self._queue[MAX_GROUP:]
            if not self._queue and not self._closing:
                self._wake.clear()
            if group:
                await self._commit(group)

    async def _commit(self, group: list[tuple[Sequence[Entry], asyncio.Future[None]]]) -> None:
        began_at = time.perf_counter()
        try:
            await self._insert([entry for entries, _ in group for entry in entries])
        except IntegrityError:
            # At least one append has a conflict: find it by halves, since each separately would take long.
            if len(group) == 1:
                [(_, stored)] = group
                _complete(stored, Conflict())
                return
            half = len(group) // 2
            await self._commit(group[:half])
            await self._commit(group[half:])
        except Exception as error:  # noqa: BLE001  # drivers have errors of their own, and the writer must go on
            metrics.commits["failed"] += 1
            self._log_failure(error)
            for _, stored in group:
                _complete(stored, StorageFailure())
        else:
            metrics.commits["ok"] += 1
            metrics.commit_seconds.observe(time.perf_counter() - began_at)
            for _, stored in group:
                _complete(stored, None)

    async def _insert(self, entries: Sequence[Entry]) -> None:
        # Sorted, so that servers that write the same tables at the same time do not deadlock.
        entries = sorted(entries, key=lambda entry: (entry.table, entry.seq))
        rows = [(table, seq, kind_of(event), data, at, previous) for table, seq, event, at, data, previous in entries]
        items: list[str] = []
        if self.shared:
            by_table = itertools.groupby(entries, lambda entry: entry.table)
            items = [encode_events(self.sender, table, [one.row for one in new]) for table, new in by_table]
        await self._insert_rows(msgspec.json.encode(rows).decode(), items)
        self.table_count += sum(entry.seq == 1 for entry in entries)
        metrics.stored_events[""] += len(entries)

    async def replace(self, table: str, changes: Iterable[tuple[int, str]]) -> None:
        """Replace the data of events of a table, given with their numbers, all or none."""
        rows = [{"number": seq, "new": data} for seq, data in changes]
        statement = (
            sa.update(events)
            .where(events.c.table_id == table, events.c.seq == sa.bindparam("number"))
            .values(data=sa.bindparam("new"))
        )
        if rows:
            await self._try(lambda connection: connection.execute(statement, rows))
            await self.empty_log()

    async def empty_log(self) -> None:
        """Empty the write-ahead log of SQLite, which may hold what was deleted, unless it is being read."""

        def checkpoint(engine: sa.Engine) -> None:
            with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.execute(sa.text("PRAGMA busy_timeout=0"))  # while it waits, nobody else could write
                connection.execute(sa.text("PRAGMA wal_checkpoint(TRUNCATE)"))
                connection.execute(sa.text(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}"))

        if isinstance(self.engine, sa.Engine):
            with suppress(SQLAlchemyError):
                await asyncio.get_running_loop().run_in_executor(self._threads, checkpoint, self.engine)

    async def delete(self, tables: Sequence[str]) -> None:
        """Delete all events of these tables."""
        async with self._counting:
            for i in range(0, len(tables), MAX_CODES):
                await self._execute(sa.delete(events).where(events.c.table_id.in_(tables[i : i + MAX_CODES])))
            self.table_count -= len(tables)
        if tables:
            await self.empty_log()

    async def delete_rest(self, table: str) -> None:
        """Delete what was stored of a table after it was deleted: events without the first one."""
        first = events.alias("first")
        exists = sa.exists().where(first.c.table_id == table, first.c.seq == 1)
        await self._execute(sa.delete(events).where(events.c.table_id == table, ~exists))

    # Reading

    async def _execute(self, statement: sa.Executable) -> Sequence[Any]:
        """The rows of a statement; raises `StorageFailure` on any database error."""

        def execute(connection: sa.Connection) -> Sequence[Any]:
            result = connection.execute(statement)
            return result.all() if result.returns_rows else []

        return await self._try(execute)

    async def _try(self, work: Callable[[sa.Connection], T]) -> T:
        """Run `work` in a transaction; raises `StorageFailure` on any database error."""
        try:
            return await self.run_in_transaction(work)
        except Exception as error:  # drivers have errors of their own
            self._log_failure(error)
            raise StorageFailure from error

    def _log_failure(self, error: Exception) -> None:
        """Log one line, and none for a while: every request may fail."""
        if time.monotonic() - self._logged_at >= LOG_SECONDS:
            self._logged_at = time.monotonic()
            reason = getattr(error, "orig", None) or error  # without the statement and its values
            logger.error("the database fails: %s: %s", type(reason).__name__, str(reason).partition("\n")[0])

    async def read(self, table: str, after: int = 0) -> list[Row]:
        """The events of a table with numbers above `after`."""
        statement = (
            sa.select(events.c.seq, events.c.data, events.c.at, events.c.previous)
            .where(events.c.table_id == table, events.c.seq > after)
            .order_by(events.c.seq)
        )
        return [Row(*row) for row in await self._execute(statement)]

    async def hash_of(self, table: str, seq: int) -> str | None:
        """The hash of the event with this number, as the next event stores it; None if no event follows."""
        statement = sa.select(events.c.previous).where(events.c.table_id == table, events.c.seq == seq + 1)
        rows = await self._execute(statement)
        return rows[0][0] if rows else None

    async def last_seqs(self, tables: Collection[str]) -> dict[str, int]:
        """The number of the last event of each of these tables; those that are deleted have no first event."""
        statement = sa.select(events.c.table_id, sa.func.max(events.c.seq)).group_by(events.c.table_id)
        statement = statement.having(sa.func.min(events.c.seq) == 1)
        seqs: dict[str, int] = {}
        codes = sorted(tables)
        for i in range(0, len(codes), MAX_CODES):
            rows = await self._execute(statement.where(events.c.table_id.in_(codes[i : i + MAX_CODES])))
            seqs.update((code, seq) for code, seq in rows)
        return seqs

    async def running_tables(self) -> list[str]:
        """The codes of the tables whose game has started and not ended."""
        ended = sa.select(events.c.table_id).where(events.c.kind == "ended")
        statement = sa.select(events.c.table_id).where(events.c.kind == "started", events.c.table_id.not_in(ended))
        return [code for (code,) in await self._execute(statement)]

    async def old_tables(self, ended_before: int, inactive_before: int) -> list[str]:
        """The codes of tables whose game ended before a time, and of unfinished ones without an event since a time."""
        ended = sa.select(events.c.table_id).where(events.c.kind == "ended")
        unfinished = sa.select(events.c.table_id).where(events.c.table_id.not_in(ended)).group_by(events.c.table_id)
        inactive = unfinished.having(sa.func.max(events.c.at) < inactive_before)
        return [code for (code,) in await self._execute(ended.where(events.c.at < ended_before).union(inactive))]

    async def summaries(self) -> list[Summary]:
        """What is stored of every table, the last used first."""
        return await self._try(summaries)

    async def count_tables(self) -> int:
        async with self._counting:
            before = self.table_count
            [(counted,)] = await self._execute(sa.select(sa.func.count()).where(events.c.seq == 1))
            self.table_count += counted - before  # with those that were created here meanwhile
            return self.table_count

    async def tables_created_before(self, at: int) -> set[str]:
        statement = sa.select(events.c.table_id).where(events.c.seq == 1, events.c.at < at)
        return {code for (code,) in await self._execute(statement)}

    async def check(self) -> None:
        """Write a row and read some events, every time the next ones; raise `StorageFailure` if that fails."""
        key = sa.tuple_(events.c.table_id, events.c.seq)
        some_events = sa.select(events).where(key > self._last_checked).order_by(*key).limit(CHECKED_EVENTS)

        def write_and_read(connection: sa.Connection) -> Sequence[Any]:
            connection.execute(sa.update(health).values(at=now()))
            return connection.execute(some_events).all()

        rows = await self._try(write_and_read)  # after a failure the same events are read again
        self._last_checked = rows[-1][:2] if len(rows) == CHECKED_EVENTS else ("", 0)  # at the end, begin again


def summaries(connection: sa.Connection) -> list[Summary]:
    """What is stored of every table, the last used first."""
    landmarks = (sa.func.max(sa.case((events.c.kind == kind, 1), else_=0)) for kind in ("started", "ended"))
    last_at = sa.func.max(events.c.at)
    rows = connection.execute(
        sa.select(events.c.table_id, sum(landmarks, sa.literal(0)), sa.func.count(), sa.func.min(events.c.at), last_at)
        .group_by(events.c.table_id)
        .order_by(last_at.desc(), events.c.table_id)
    )
    states: tuple[Literal["waiting", "running", "over"], ...] = ("waiting", "running", "over")
    return [Summary(code, states[passed], *rest) for code, passed, *rest in rows]


def _complete(future: asyncio.Future[None], error: Exception | None) -> None:
    if future.done():
        return  # cancelled
    if error is None:
        future.set_result(None)
    else:
        future.set_exception(error)


def lock_file(database: Path) -> IO[bytes] | None:
    """Open `DATABASE.lock` and lock it until this process ends, even if it is killed."""
    try:
        import fcntl
    except ImportError:  # Windows
        return None
    path = database.with_name(database.name + ".lock")
    _make_private(path)
    file = path.open("a+b")
    for tries_left in reversed(range(LOCK_TRIES)):
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except OSError:
            if tries_left:
                time.sleep(LOCK_PAUSE)
                continue
            file.seek(0)
            with file:
                raise DatabaseInUse(str(database), file.read(MAX_ADDRESS_BYTES).decode("ascii", "replace")) from None
    file.truncate(0)
    return file


def _make_private(path: Path) -> None:
    """Create the file, if it does not exist, for its owner only; SQLite gives its other files the same permissions.

    A file of an earlier version, which others may read, becomes private too, unless it belongs to another user.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT, 0o600))
    if path.stat().st_mode & 0o077:
        with suppress(PermissionError):
            path.chmod(0o600)
    if path.stat().st_nlink > 1:
        # The log and the lock belong to the name: two servers with different names of one file would damage it.
        raise OSError(f"{path} has several names (hard links); keep one and copy the file instead")


def _run_sync(engine: sa.Engine, work: Callable[[sa.Connection], T]) -> T:
    with engine.begin() as connection:
        return work(connection)


# `hide_parameters`: the text of an error may be logged, and the values of statements are events.


def _postgres_engine(url: sa.URL) -> AsyncEngine:
    return create_async_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=5, hide_parameters=True)


def _sqlite_engine(url: sa.URL, file: Path | None, full_sync: bool) -> sa.Engine:
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(url.set(drivername="sqlite"), hide_parameters=True)

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA synchronous={'FULL' if full_sync else 'NORMAL'}")
        cursor.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
        cursor.execute("PRAGMA secure_delete=ON")  # what is deleted is overwritten; events are rarely deleted
        cursor.close()

    return engine
