"""Directories for data and caches: under `ROWLOCK_HOME`, or where the platform puts them."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def data_directory() -> Path:
    """The directory of saved games, weights and the database."""
    if home := os.environ.get("ROWLOCK_HOME"):
        return Path(home)
    return _platform_directory("XDG_DATA_HOME", ".local/share", "Library/Application Support")


def cache_directory() -> Path:
    """The directory of files that can be made again: solutions, compiled code."""
    if home := os.environ.get("ROWLOCK_HOME"):
        return Path(home) / "cache"
    usual = _platform_directory("XDG_CACHE_HOME", ".cache", "Library/Caches")
    return usual / "cache" if sys.platform == "win32" else usual


def _platform_directory(variable: str, linux: str, mac: str) -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / mac
    else:
        base = os.environ.get(variable) or Path.home() / linux
    return Path(base) / "rowlock"


def check_writable(path: Path) -> None:
    """Raise `ValueError` if a file cannot be written, before a long computation starts."""
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")
    new = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise ValueError(f"{path}: cannot be written: {error.strerror}") from None
    if new:
        path.unlink()


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Add the path to errors while it is written; the error of a full disk does not name a file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", str(path)) from error
