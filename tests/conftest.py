"""Fixtures and marks of all tests: an empty home, Ctrl-C, and marks of tests that need more than Python."""

import gc
import os
import shutil
import signal
from pathlib import Path

import pytest

from tests.effort import QUICK
from tests.homes import new_home, session_home

# Tests that run in the background may inherit an ignored SIGINT, and pass it on to the processes they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# Before anything of Rowlock is imported: the import reads where compiled code is kept.
HOME = session_home()
os.environ["ROWLOCK_HOME"] = str(HOME)

# Collected tests stay in memory until the end, and searching them for garbage again and again takes seconds.
gc.disable()

# Importing these is slow, and `make check` runs none of them.
collect_ignore = ["browser"] if QUICK else []

# The slowest modules.
LONG = ("test_arena", "test_champion", "test_cli", "test_laws", "test_solver", "test_terminal")


def pytest_unconfigure() -> None:
    shutil.rmtree(HOME, ignore_errors=True)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for this test alone."""
    monkeypatch.setenv("ROWLOCK_HOME", str(new_home(tmp_path / "home")))
    return tmp_path / "home"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark by directory; where modules are handed out to workers, long ones come first."""
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker("browser")
    if hasattr(config, "workerinput"):
        items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    heavy = any(item.get_closest_marker(name) for name in ("bounds", "browser", "crash", "postgres", "cluster"))
    return 0 if heavy else 1 if "server" in item.path.parts or item.path.stem in LONG else 2
