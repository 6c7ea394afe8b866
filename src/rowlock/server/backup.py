"""Copies an SQLite database while a server may use it."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PAGES = 4096  # that are copied between two reports of the progress


class BackupError(Exception):
    """The database cannot be copied; the text is one line."""


def back_up(database: Path, copy: Path, *, overwrite: bool = False, progress: Callable[[float], None]) -> None:
    """Copy what is stored at this moment, with the write-ahead log; `copy` appears when it is complete.

    `progress` is called with the part that is copied, from 0 to 1.
    """
    if not database.is_file():
        raise BackupError(f"there is no database {database}")
    if copy.exists() and not overwrite:
        raise BackupError(f"{copy} exists already; --force replaces it")
    if copy.exists() and copy.samefile(database):
        raise BackupError(f"{copy} is the database itself")
    part = copy.with_name(copy.name + ".part")
    try:
        os.close(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600))
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
    uri = f"{database.resolve().as_uri()}?mode=rw"  # SQLite needs to write its index of the log
    with closing(sqlite3.connect(uri, uri=True)) as source, closing(sqlite3.connect(part)) as target:
        # Within a transaction that reads: what the server stores meanwhile does not make the copy start again.
        source.execute("BEGIN")
        source.execute("SELECT count(*) FROM sqlite_master").fetchone()
        source.backup(target, pages=PAGES, progress=lambda _, left, count: progress(1 - left / count))
        target.execute("PRAGMA journal_mode=DELETE")  # one file; the server turns the log on again
        [problem] = target.execute("PRAGMA quick_check(1)").fetchone()
        if problem != "ok":
            raise BackupError(f"{database} is damaged: {problem.splitlines()[-1]}")
