"""Copies the database of a server to a file, and back. The file is always an SQLite database."""

import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import sqlalchemy as sa

from rowlock.server import migration
from rowlock.server.database import DatabaseError, check_version, open_sqlite, run_on, sqlite_file
from rowlock.server.storage import DatabaseInUse, events, lock_file

PAGES_PER_STEP = 4096  # pages of an SQLite database that are copied between two reports of the progress
EVENTS_PER_STEP = 2000  # events that are copied at once between databases of different kinds
OLD = ".old"  # appended to the name of a database that was replaced
BESIDE = ("", "-wal", "-shm")  # what SQLite appends to the names of the files of a database
OTHERS = sa.text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'"
)

Progress = Callable[[float], None]  # is called with the fraction that is copied, from 0 to 1


def back_up(url: sa.URL, copy: Path, *, overwrite: bool = False, progress: Progress) -> None:
    """Copy what is stored at this moment; the file `copy` appears only when it is complete.

    A server may use the database meanwhile.
    """
    database = sqlite_file(url)
    if database and not database.is_file():
        raise DatabaseError(f"there is no database {database}")
    if copy.exists() and not overwrite:
        raise DatabaseError(f"{copy} exists already; --force replaces it")
    if database and copy.exists() and copy.samefile(database):
        raise DatabaseError(f"{copy} is the database itself")
    with _written_part(copy) as part:
        if database:
            _copy(database, part, progress)
        else:
            _export(url, part, progress)
        for suffix in BESIDE[1:]:  # SQLite would take the log of the file that is replaced for that of the copy
            Path(f"{copy}{suffix}").unlink(missing_ok=True)
        part.replace(copy)


def restore(copy: Path, url: sa.URL, *, overwrite: bool = False, progress: Progress) -> str | None:
    """Replace what is stored by a copy; no server may use the database. If this fails, nothing has changed.

    A file that is replaced is kept under another name, which is returned.
    """
    with open_sqlite(copy).connect() as source:
        try:
            found = migration.version(source)
        except sa.exc.SQLAlchemyError as error:
            raise DatabaseError(f"{copy} is no copy of a database: {getattr(error, 'orig', error)}") from None
    if found is None:
        raise DatabaseError(f"{copy} is no copy of a database of Rowlock")
    if found > migration.newest():
        raise DatabaseError(f"{copy} is of a newer version of Rowlock")
    database = sqlite_file(url)
    if database is None:
        run_on(url, lambda connection: _import(copy, connection, overwrite, progress))
        return None
    return _replace_file(copy, database, overwrite, progress)


# SQLite


@contextmanager
def _written_part(file: Path) -> Iterator[Path]:
    """The name of a file beside this one, which its owner only can read; it is deleted if it is left."""
    part = file.with_name(file.name + ".part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
        yield part
    except OSError as error:
        raise DatabaseError(f"{file} cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _copy(database: Path, part: Path, progress: Progress) -> None:
    """Copy an SQLite database with its write-ahead log, and check the copy."""
    uri = f"{database.resolve().as_uri()}?mode=rw"  # not read-only: SQLite writes the index of its write-ahead log
    try:
        with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(part)) as target:
            # An open read transaction: without it, every write of the server would make the copy start again.
            source.execute("BEGIN")
            source.execute("SELECT count(*) FROM sqlite_master").fetchone()
            source.backup(target, pages=PAGES_PER_STEP, progress=lambda _, left, count: progress(1 - left / count))
            target.execute("PRAGMA journal_mode=DELETE")  # the copy is one file; a server turns the log on
            [check_result] = target.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.Error as error:
        raise DatabaseError(f"{database} cannot be copied: {error}") from None
    if check_result != "ok":
        raise DatabaseError(f"{database} is damaged: {check_result.splitlines()[-1]}")
    _flush(part)


def _flush(part: Path) -> None:
    with part.open("rb+") as file:
        os.fsync(file.fileno())


def _replace_file(copy: Path, database: Path, overwrite: bool, progress: Progress) -> str | None:
    existed = database.exists()
    if existed and copy.samefile(database):
        raise DatabaseError(f"{copy} is the database itself")
    if existed and not overwrite:
        raise DatabaseError(f"{database} exists already; --force replaces it, and keeps it as {database.name}{OLD}")
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
        lock = lock_file(database)
    except DatabaseInUse as error:
        raise DatabaseError(f"{database} is used by a server; stop it first") from error
    except OSError as error:
        raise DatabaseError(f"{database} cannot be written: {error.strerror}") from None
    try:
        with _written_part(database) as part:
            _copy(copy, part, progress)
            _give_away(part)
            # Also a log without its database, which SQLite would take for that of the copy.
            old = _move(database, database.with_name(database.name + OLD))
            try:
                part.replace(database)
            except OSError:
                for before, after in old:
                    after.replace(before)
                raise
    finally:
        if lock:
            _give_away(Path(lock.name))
            lock.close()
    return f"{database}{OLD}" if existed else None


def _give_away(file: Path) -> None:
    """What root restores belongs to the user of the server, as does the folder."""
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        folder = file.parent.stat()
        os.chown(file, folder.st_uid, folder.st_gid)


def _move(database: Path, new: Path) -> list[tuple[Path, Path]]:
    """Rename a database with its log, which belongs to its name; return the old and new names."""
    moved = []
    for suffix in BESIDE:
        before, after = Path(f"{database}{suffix}"), Path(f"{new}{suffix}")
        after.unlink(missing_ok=True)
        if before.exists():
            before.replace(after)
            moved.append((before, after))
    return moved


# PostgreSQL


def _export(url: sa.URL, part: Path, progress: Progress) -> None:
    """Copy the events of a PostgreSQL database to a new SQLite file."""

    def copy(source: sa.Connection) -> None:
        check_version(source)
        with open_sqlite(part).begin() as target:
            migration.upgrade(target)
            _copy_events(source, target, progress)

    run_on(url, copy)
    _flush(part)


def _import(copy: Path, target: sa.Connection, overwrite: bool, progress: Progress) -> None:
    """Replace the events of a PostgreSQL database, in one transaction."""
    if target.execute(OTHERS).scalar_one():
        raise DatabaseError("other programs use the database; stop the servers first")
    migration.upgrade(target)
    count = target.execute(sa.select(sa.func.count()).where(events.c.seq == 1)).scalar_one()
    if count and not overwrite:
        raise DatabaseError(f"the database has {count} tables already; --force replaces them")
    with open_sqlite(copy).begin() as source:
        check_version(source)
        target.execute(sa.delete(events))
        _copy_events(source, target, progress)


def _copy_events(source: sa.Connection, target: sa.Connection, progress: Progress) -> None:
    key = sa.tuple_(events.c.table_id, events.c.seq)
    count = source.execute(sa.select(sa.func.count()).select_from(events)).scalar_one()
    last, copied = ("", 0), 0
    while rows := source.execute(sa.select(events).where(key > last).order_by(*key).limit(EVENTS_PER_STEP)).all():
        target.execute(sa.insert(events), [row._asdict() for row in rows])
        last, copied = (rows[-1].table_id, rows[-1].seq), copied + len(rows)
        progress(copied / count)
