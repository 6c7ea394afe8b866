"""Where things are kept on this machine: `ROWLOCK_HOME`, or where the platform keeps such things."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def data_directory() -> Path:
    """What nobody wants to lose: saved games, the database."""
    if home := os.environ.get("ROWLOCK_HOME"):
        return Path(home)
    return _usual("XDG_DATA_HOME", ".local/share", "Library/Application Support")


def cache_directory() -> Path:
    """What can be made again: solutions, compiled code."""
    if home := os.environ.get("ROWLOCK_HOME"):
        return Path(home) / "cache"
    usual = _usual("XDG_CACHE_HOME", ".cache", "Library/Caches")
    return usual / "cache" if sys.platform == "win32" else usual


def _usual(variable: str, linux: str, mac: str) -> Path:
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / mac
    else:
        base = os.environ.get(variable) or Path.home() / linux
    return Path(base) / "rowlock"


def check_writable(path: Path) -> None:
    """Refuse a file that cannot be written, before the work begins whose result goes there."""
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
    """An error while this file or folder is written names it; of a full disk the system tells only that it is full."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", str(path)) from error
