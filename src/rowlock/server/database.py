"""Looks at the database of a server, also while the server runs: checks it, and counts what is in it."""

import asyncio
import sqlite3
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.ext.asyncio import create_async_engine
from sqlalchemy.pool import NullPool

from rowlock.server import migration
from rowlock.server.history import History, Row
from rowlock.server.storage import events, summaries
from rowlock.server.table import Table

T = TypeVar("T")


class DatabaseError(Exception):
    """The database cannot be read, copied or replaced; the text is one line."""


class Stats(NamedTuple):
    """What is in a database; times are in milliseconds since 1970, None without tables."""

    tables: dict[str, int]  # by state: waiting, running, over
    events: int
    bytes: int
    first_at: int | None
    last_at: int | None


class Check(NamedTuple):
    """What a check has read, and a line for everything that is wrong."""

    tables: int
    events: int
    problems: list[str]


def sqlite_file(url: sa.URL) -> Path | None:
    """The file of an SQLite database; None for PostgreSQL."""
    if url.get_backend_name() != "sqlite":
        return None
    if not url.database or url.database == ":memory:":
        raise DatabaseError("a database in memory ends with its server")
    return Path(url.database)


def run_on(url: sa.URL, work: Callable[[sa.Connection], T]) -> T:
    """Run `work` in one transaction, in which the database does not change under it."""
    file = sqlite_file(url)
    try:
        if file is None:
            return asyncio.run(_run_on_postgres(url, work))
        with open_sqlite(file).begin() as connection:
            return work(connection)
    except ImportError as error:
        raise DatabaseError(f"the database needs a driver: {error}; run pip install 'rowlock[postgres]'") from None
    except (SQLAlchemyError, OSError, migration.UnknownVersion) as error:
        reason = getattr(error, "orig", None) or error  # without the statement and its values
        raise DatabaseError(f"the database cannot be used: {str(reason).splitlines()[0]}") from None


def open_sqlite(file: Path) -> sa.Engine:
    if not file.is_file():
        raise DatabaseError(f"there is no database {file}")
    # Not read-only: SQLite writes the index of its write-ahead log. It does not create the file.
    uri = f"{file.resolve().as_uri()}?mode=rw"
    return sa.create_engine("sqlite://", creator=lambda: sqlite3.connect(uri, uri=True), poolclass=NullPool)


async def _run_on_postgres(url: sa.URL, work: Callable[[sa.Connection], T]) -> T:
    engine = create_async_engine(url, isolation_level="REPEATABLE READ", poolclass=NullPool)
    try:
        async with engine.begin() as connection:
            return await connection.run_sync(work)
    finally:
        await engine.dispose()


def check_version(connection: sa.Connection) -> None:
    """Raise an error if this version of Rowlock cannot read the database as it is."""
    found = migration.version(connection)
    if found is None:
        raise DatabaseError("the database is empty, or belongs to another program")
    if found != migration.newest():
        raise DatabaseError(
            f"the database has version {found!r}, not {migration.newest()!r}; a server of this version upgrades it"
        )


def stats(connection: sa.Connection) -> Stats:
    """Count what is in the database."""
    check_version(connection)
    found = summaries(connection)
    states = Counter(summary.state for summary in found)
    size = (
        "SELECT pg_total_relation_size('events')"
        if connection.dialect.name == "postgresql"
        else "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
    )
    return Stats(
        {state: states[state] for state in ("waiting", "running", "over")},
        sum(summary.events for summary in found),
        connection.execute(sa.text(size)).scalar_one(),
        min((summary.created_at for summary in found), default=None),
        max((summary.last_at for summary in found), default=None),
    )


def check(connection: sa.Connection, progress: Callable[[float], None]) -> Check:
    """Read all that is stored: the pages of an SQLite file, then every event of every table with its hash.

    `progress` is called with the fraction that is read, from 0 to 1.
    """
    check_version(connection)
    problems: list[str] = []
    if connection.dialect.name == "sqlite":
        found = connection.execute(sa.text("PRAGMA integrity_check(10)")).scalars().all()
        problems += [line for text in found for line in text.splitlines() if text != "ok"]
    codes = connection.execute(sa.select(events.c.table_id).distinct().order_by(events.c.table_id)).scalars().all()
    count = 0
    for number, code in enumerate(codes, 1):
        rows = [Row(*row) for row in connection.execute(_events_of(code))]
        count += len(rows)
        try:
            _replay(code, rows)
        except Exception as error:  # noqa: BLE001  # whatever is wrong with a table, the others are checked too
            problems.append(f"table {code}: {type(error).__name__}: {error}")
        progress(number / len(codes))
    return Check(len(codes), count, problems)


def _events_of(code: str) -> sa.Select[Any]:
    columns = (events.c.seq, events.c.data, events.c.at, events.c.previous)
    return sa.select(*columns).where(events.c.table_id == code).order_by(events.c.seq)


def _replay(code: str, rows: list[Row]) -> None:
    """Compute the table from its events; raise an error if one is missing, changed or impossible."""
    table, history = Table(code), History(code)
    for row in rows:
        table.apply(history.read(row).event, row.at)
