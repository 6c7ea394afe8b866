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

# Before NumPy is imported: with small matrices the threads of several processes mostly wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

# Before anything of Rowlock is imported: the import reads where compiled code is kept.
HOME = session_home()
os.environ["ROWLOCK_HOME"] = str(HOME)

# Collected tests stay in memory until the end, and searching them for garbage again and again takes seconds.
gc.disable()

# Importing these is slow, and `make check` runs none of them.
collect_ignore = ["browser"] if QUICK else []

# The slowest modules, the slowest first: one that begins last keeps a single core busy at the end.
LONG = (
    *("test_champion", "test_kernel", "test_scholar", "test_solver", "test_solving", "test_laws", "test_terminal"),
    *("test_cli", "test_docs", "test_games", "test_bots", "test_fixtures", "test_clients", "test_arena", "test_seats"),
    *("test_join", "test_table", "test_fast", "test_bots_at_the_table", "test_conformance", "test_security"),
)


def pytest_unconfigure() -> None:
    shutil.rmtree(HOME, ignore_errors=True)


def pytest_collection_finish() -> None:
    gc.freeze()
    gc.enable()


def pytest_runtest_teardown(item: pytest.Item) -> None:
    """No test may switch Ctrl-C off: the processes of later ones would inherit that, and never end."""
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler, f"{item.nodeid} leaves SIGINT changed"


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty home for this test alone."""
    monkeypatch.setenv("ROWLOCK_HOME", str(new_home(tmp_path / "home")))
    return tmp_path / "home"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark by directory; where modules are handed out to workers, long ones come first."""
    assert len({item.nodeid for item in items}) == len(items), "xdist runs only one of several tests with the same id"
    for item in items:
        if "browser" in item.path.parts:
            item.add_marker("browser")
    if hasattr(config, "workerinput"):
        items.sort(key=_turn)


def _turn(item: pytest.Item) -> int:
    if any(item.get_closest_marker(name) for name in ("bounds", "browser", "crash", "postgres", "cluster")):
        return -1
    return LONG.index(item.path.stem) if item.path.stem in LONG else len(LONG)
