"""Where things are kept on this machine: `ROWLOCK_HOME`, or where the platform keeps such things."""

import os
import sys
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
