"""Directories for what Rowlock writes in tests, instead of the user's data and cache."""

import os
import tempfile
from pathlib import Path

# The cache of compiled code and solutions, shared by all processes of a run and by the next run.
KEPT = Path(__file__).parents[1] / ".pytest_cache" / "home" / "cache"


def new_home(home: Path) -> Path:
    """An empty home with the shared cache, so that nothing is compiled again."""
    (KEPT / "compiled").mkdir(parents=True, exist_ok=True)
    (home / "cache").mkdir(parents=True)
    (home / "cache" / "compiled").symlink_to(KEPT / "compiled", target_is_directory=True)
    return home


def session_home() -> Path:
    """An empty home for all tests of this process; only its cache is that of the run before."""
    worker = os.environ.get("PYTEST_XDIST_WORKER")
    if worker:
        home = Path(os.environ["ROWLOCK_HOME"]) / worker  # inside that of the process which started this one
        home.mkdir()
    else:
        home = Path(tempfile.mkdtemp(prefix="rowlock-tests-"))
    KEPT.mkdir(parents=True, exist_ok=True)
    (home / "cache").symlink_to(KEPT, target_is_directory=True)
    return home
