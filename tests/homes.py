"""Where tests keep what Rowlock writes: never the user's own data or cache."""

import os
import tempfile
from pathlib import Path

# Compiled code and solutions of the sources as they are, for all processes of a run and for the next run.
KEPT = Path(__file__).parents[1] / ".pytest_cache" / "home" / "cache"


def new_home(home: Path) -> Path:
    """An empty home, with nothing to compile again."""
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
