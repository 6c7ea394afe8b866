"""Where things are kept on this machine."""

import os
import sys
from pathlib import Path


def data_directory() -> Path:
    """What nobody wants to lose: saved games, the database."""
    return _home("data", {"linux": "~/.local/share", "darwin": "~/Library/Application Support"}, "XDG_DATA_HOME")


def cache_directory() -> Path:
    """What can be made again: solutions, compiled code."""
    return _home("cache", {"linux": "~/.cache", "darwin": "~/Library/Caches"}, "XDG_CACHE_HOME")


def _home(kind: str, usual: dict[str, str], variable: str) -> Path:
    if home := os.environ.get("ROWLOCK_HOME"):
        return Path(home) / kind
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~")).expanduser() / "rowlock" / kind
    base = os.environ.get(variable) or usual.get(sys.platform, usual["linux"])
    return Path(base).expanduser() / "rowlock"
