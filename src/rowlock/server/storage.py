"""The log of events: appended in groups, durable before anybody is told."""

import asyncio
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeVar

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import make_url
from sqlalchemy.exc import IntegrityError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from rowlock.server import migration
from rowlock.server.events import AnyEvent, kind_of, read_event, write_event
from rowlock.server.notifications import CHANNEL, Notification, Notifications

metadata = sa.MetaData()
events = sa.Table(
    "events",
    metadata,
    sa.Column("table_id", sa.String(16), primary_key=True),
    sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("data", sa.Text, nullable=False),
    sa.Column("at", sa.BigInteger, nullable=False),
)
INSERT = sa.insert(events)
NOTIFY = sa.text("SELECT pg_notify(:channel, item) FROM unnest(CAST(:items AS text[])) AS item")
GROUP = 256  # appends in one commit at the most
THREADS = 4  # in which SQLite works

T = TypeVar("T")


class Conflict(Exception):
    """Somebody else has written the event of that number first."""


class StorageFailure(Exception):
    """The log cannot be reached; whether the last append was written is not known."""


class Unreadable(StorageFailure):
    """An event that this version does not know; the other tables are well."""


class InUse(Exception):
    """Another server has this SQLite file; several servers share a PostgreSQL database."""

    def __init__(self, database: str, address: str) -> None:
        super().__init__(database)
        self.database, self.address = database, address  # where that server listens, as far as it has said so


class Entry(NamedTuple):
    """An event in the log of a table."""

    table: str
    seq: int
    event: AnyEvent
    at: int


def now() -> int:
    """Milliseconds, as the log counts time."""
    return time.time_ns() // 1_000_000


class Storage:
    """The events of all tables; (table, seq) is the key, so that two writers never write the same one."""

    def __init__(self, url: str, *, full: bool = False, announce: Callable[[str, int], str] | None = None) -> None:
        """`announce` writes the news of a table's new event, for those who share the database."""
        self.url = make_url(url)
        self.announce = announce or (lambda table, seq: Notifications().write(Notification("events", table, seq=seq)))
        self.shared = self.url.get_backend_name() == "postgresql"
        in_memory = self.url.database in (None, "", ":memory:")
        self._file = None if self.shared or in_memory else Path(str(self.url.database))
        self.engine = _shared_engine(self.url) if self.shared else _sqlite_engine(self.url, self._file, full=full)
        self._threads = ThreadPoolExecutor(THREADS if self._file else 1, "storage")  # memory belongs to one thread
        self._waiting: list[tuple[Sequence[Entry], asyncio.Future[None]]] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False
        self._lock: IO[bytes] | None = None

    async def open(self) -> None:
        """Bring the database up to date and begin to write."""
        if self._file:
            self._lock = _lock_beside(self._file)
        await self.run(migration.upgrade)
        self._writer = asyncio.create_task(self._write(), name="writer")

    def say_where(self, address: str) -> None:
        """Leave a word, for whoever would open the same file, where this server listens."""
        if self._lock:
            self._lock.write(address.encode("ascii", "replace"))
            self._lock.flush()

    async def close(self) -> None:
        self._closing = True
        self._wake.set()
        if self._writer:
            await self._writer
        self._threads.shutdown()
        if isinstance(self.engine, AsyncEngine):
            await self.engine.dispose()
        else:
            self.engine.dispose()
        if self._lock:
            self._lock.close()

    async def run(self, work: Callable[[sa.Connection], T]) -> T:
        """Do something in a transaction; SQLite's is one piece of work for a thread, each step apart costs more."""
        if isinstance(self.engine, AsyncEngine):
            async with self.engine.begin() as connection:
                return await connection.run_sync(work)
        return await asyncio.get_running_loop().run_in_executor(self._threads, _in_transaction, self.engine, work)

    # Writing

    async def append(self, entries: Sequence[Entry]) -> None:
        """Write these events, all of them or none; when this returns they are durable."""
        done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append((entries, done))
        self._wake.set()
        await done

    async def _write(self) -> None:
        """The one writer: whatever has gathered while a commit was under way goes into the next."""
        while not self._closing or self._waiting:
            await self._wake.wait()
            group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
            if not self._waiting and not self._closing:
                self._wake.clear()
            if group:
                await self._commit(group)

    async def _commit(self, group: list[tuple[Sequence[Entry], asyncio.Future[None]]]) -> None:
        try:
            await self._insert([entry for entries, _ in group for entry in entries])
        except IntegrityError:
            # One of them came too late; the others must not suffer for it.
            if len(group) == 1:
                _settle(group[0][1], Conflict())
                return
            for one in group:
                await self._commit([one])
        except (SQLAlchemyError, OSError):
            for _, done in group:
                _settle(done, StorageFailure())
        else:
            for _, done in group:
                _settle(done, None)

    async def _insert(self, entries: Sequence[Entry]) -> None:
        # In the same order everywhere: servers that write the same tables at once wait, they do not deadlock.
        entries = sorted(entries, key=lambda entry: (entry.table, entry.seq))
        rows = [
            {"table_id": table, "seq": seq, "kind": kind_of(event), "data": write_event(event), "at": at}
            for table, seq, event, at in entries
        ]
        # In the same transaction: a server that dies after the commit has told the others of it.
        last = {entry.table: entry.seq for entry in entries}
        items = [self.announce(table, seq) for table, seq in last.items()] if self.shared else []

        def insert(connection: sa.Connection) -> None:
            connection.execute(INSERT, rows)
            if items:
                connection.execute(NOTIFY, {"channel": CHANNEL, "items": items})

        await self.run(insert)

    async def forget(self, ended_before: int, left_before: int, spared: Collection[str] = ()) -> int:
        """Delete the tables whose game ended before then, and unfinished ones at which nothing has happened since."""
        ended = sa.select(events.c.table_id).where(events.c.kind == "ended")
        left = sa.select(events.c.table_id).where(events.c.table_id.not_in(ended)).group_by(events.c.table_id)
        old = ended.where(events.c.at < ended_before).union(left.having(sa.func.max(events.c.at) < left_before))
        found = [table for (table,) in await self._rows(old) if table not in spared]
        for start in range(0, len(found), 500):
            await self._rows(sa.delete(events).where(events.c.table_id.in_(found[start : start + 500])))
        return len(found)

    # Reading

    async def _rows(self, statement: sa.Executable) -> Sequence[Any]:
        """What a statement finds; whatever goes wrong with it is a failure of the storage."""

        def execute(connection: sa.Connection) -> Sequence[Any]:
            result = connection.execute(statement)
            return result.all() if result.returns_rows else []

        try:
            return await self.run(execute)
        except (SQLAlchemyError, OSError) as error:
            raise StorageFailure from error

    async def read(self, table: str, after: int = 0) -> list[Entry]:
        """The events of a table from a number on."""
        wanted = (
            sa.select(events.c.seq, events.c.data, events.c.at)
            .where(events.c.table_id == table, events.c.seq > after)
            .order_by(events.c.seq)
        )
        rows = await self._rows(wanted)
        try:
            return [Entry(table, seq, read_event(data), at) for seq, data, at in rows]
        except msgspec.MsgspecError as error:
            raise Unreadable(str(error)) from None

    async def last(self, tables: Collection[str]) -> dict[str, int]:
        """The number of the last event of each of these tables."""
        wanted = sa.select(events.c.table_id, sa.func.max(events.c.seq)).group_by(events.c.table_id)
        found: dict[str, int] = {}
        names = sorted(tables)
        for start in range(0, len(names), 500):
            some = wanted.where(events.c.table_id.in_(names[start : start + 500]))
            found.update((table, seq) for table, seq in await self._rows(some))
        return found

    async def running(self) -> list[str]:
        """The tables whose game has started and not ended."""
        ended = sa.select(events.c.table_id).where(events.c.kind == "ended")
        wanted = sa.select(events.c.table_id).where(events.c.kind == "started", events.c.table_id.not_in(ended))
        return [table for (table,) in await self._rows(wanted)]

    async def check(self) -> None:
        """Raise where the database cannot be reached."""
        await self._rows(sa.select(1))


def _settle(done: asyncio.Future[None], error: Exception | None) -> None:
    if done.done():
        return  # whoever waited has gone
    if error is None:
        done.set_result(None)
    else:
        done.set_exception(error)


def _lock_beside(database: Path) -> IO[bytes] | None:
    """Hold a lock for as long as this process lives; the system lets go of it whatever happens."""
    try:
        import fcntl
    except ImportError:  # not on Windows
        return None
    file = database.with_name(database.name + ".lock").open("a+b")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        with file:
            raise InUse(str(database), file.read(200).decode("ascii", "replace")) from None
    file.truncate(0)
    return file


def _in_transaction(engine: sa.Engine, work: Callable[[sa.Connection], T]) -> T:
    with engine.begin() as connection:
        return work(connection)


def _shared_engine(url: sa.URL) -> AsyncEngine:
    return create_async_engine(url, pool_pre_ping=True, pool_size=5, max_overflow=5)


def _sqlite_engine(url: sa.URL, file: Path | None, *, full: bool) -> sa.Engine:
    if file:
        file.parent.mkdir(parents=True, exist_ok=True)
    engine = sa.create_engine(url.set(drivername="sqlite"))

    @sa.event.listens_for(engine, "connect")
    def set_pragmas(connection: Any, _: object) -> None:
        cursor = connection.cursor()
        cursor.execute("PRAGMA journal_mode=WAL")
        cursor.execute(f"PRAGMA synchronous={'FULL' if full else 'NORMAL'}")
        cursor.execute("PRAGMA busy_timeout=10000")
        cursor.close()

    return engine
