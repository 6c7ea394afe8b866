"""The directories for data and caches, and checks that a file can be written."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


def data_directory() -> Path:
    """The directory of saved games, weights and the database: `ROWLOCK_HOME`, or the platform's usual one."""
    if home := os.environ.get("ROWLOCK_HOME"):
        return Path(home)
    return _platform_directory("XDG_DATA_HOME", ".local/share", "Library/Application Support")


def cache_directory() -> Path:
    """The directory of solutions and compiled code, which can be computed again if they are deleted."""
    if home := os.environ.get("ROWLOCK_HOME"):
        return Path(home) / "cache"
    directory = _platform_directory("XDG_CACHE_HOME", ".cache", "Library/Caches")
    return directory / "cache" if sys.platform == "win32" else directory  # on Windows data and caches share a directory


def _platform_directory(variable: str, linux: str, mac: str) -> Path:
    """Rowlock's directory; on Linux the environment variable is used before the path `linux`, relative to home."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local"
    elif sys.platform == "darwin":
        base = Path.home() / mac
    else:
        base = os.environ.get(variable) or Path.home() / linux
    return Path(base) / "rowlock"


def check_writable(path: Path) -> None:
    """Raise `ValueError` if the file cannot be written; call this before a long computation starts."""
    if not path.parent.is_dir():
        raise ValueError(f"{path}: there is no folder {path.parent}")
    is_new = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise ValueError(f"{path}: cannot be written: {error.strerror}") from None
    if is_new:
        path.unlink()


@contextmanager
def name_path_in_errors(path: Path) -> Iterator[None]:
    """Add the path to every `OSError` in the context; the error of a full disk, for example, names no file."""
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, f"cannot be written: {error.strerror}", str(path)) from error
