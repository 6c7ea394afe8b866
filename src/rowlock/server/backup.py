"""Copies an SQLite database while a server may use it."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PAGES_PER_STEP = 4096  # pages of the database that are copied between two reports of the progress


class BackupError(Exception):
    """The database cannot be copied; the text is one line."""


def back_up(database: Path, copy: Path, *, overwrite: bool = False, progress: Callable[[float], None]) -> None:
    """Copy what is stored at this moment, with the write-ahead log; the file `copy` appears only when it is complete.

    `progress` is called with the fraction that is copied, from 0 to 1.
    """
    if not database.is_file():
        raise BackupError(f"there is no database {database}")
    if copy.exists() and not overwrite:
        raise BackupError(f"{copy} exists already; --force replaces it")
    if copy.exists() and copy.samefile(database):
        raise BackupError(f"{copy} is the database itself")
    part = copy.with_name(copy.name + ".part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))  # only for its owner
        _copy(database, part, progress)
        with part.open("rb+") as file:
            os.fsync(file.fileno())
        part.replace(copy)
    except sqlite3.Error as error:
        raise BackupError(f"{database} cannot be copied: {error}") from None
    except OSError as error:
        raise BackupError(f"{copy} cannot be written: {error.strerror}") from None
    finally:
        part.unlink(missing_ok=True)


def _copy(database: Path, part: Path, progress: Callable[[float], None]) -> None:
    uri = f"{database.resolve().as_uri()}?mode=rw"  # not read-only: SQLite writes the index of its write-ahead log
    with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(part)) as target:
        # An open read transaction: without it, every write of the server would make the copy start again.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(target, pages=PAGES_PER_STEP, progress=lambda _, left, count: progress(1 - left / count))
        target.execute("PRAGMA journal_mode=DELETE")  # the copy is one file; a server that opens it turns the log on
        [check_result] = target.execute("PRAGMA quick_check(1)").fetchone()
        if check_result != "ok":
            raise BackupError(f"{database} is damaged: {check_result.splitlines()[-1]}")
