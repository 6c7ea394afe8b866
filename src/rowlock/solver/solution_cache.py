"""Solutions cached on disk, and checkpoints from which an interrupted solve continues."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rowlock.solver.solution_file import read_header, solution_path, write
from rowlock.solver.solve import Progress, Solution, SolverRun, empty_values
from rowlock.solver.space import NotSolvable, Space

_CHECKPOINT_SECONDS = 60.0  # between checkpoints


class Interrupted(Exception):
    """Solving was stopped; the next call continues from the checkpoint on disk."""

    def __init__(self, done: float) -> None:
        self.done = done
        super().__init__(f"stopped at {100 * done:.0f} %; the same command continues from there")


def load(space: Space, players: int) -> Solution | None:
    """A solution from disk; None if there is none or the file is damaged."""
    path = solution_path(space, players)
    header = read_header(path)
    values = header.values(path, np.float32) if header else None
    if header is None or values is None:
        return None
    return Solution(space, players, values, tuple(header.fields["value"]), header.fields["seconds"])


def solve_cached(space: Space, players: int, progress: Progress, stop: Callable[[], bool] = lambda: False) -> Solution:
    """Load a solution from disk, or solve the game and save it; continue from a checkpoint if there is one."""
    if cached := load(space, players):
        return cached
    path = solution_path(space, players)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _solve(space, players, path, progress, stop)
    except OSError as error:
        raise NotSolvable(f"{path}: the solution cannot be saved: {error.strerror}") from None


def _solve(space: Space, players: int, path: Path, progress: Progress, stop: Callable[[], bool]) -> Solution:
    run, earlier = _load_checkpoint(space, players, path)
    begin = last_saved = time.perf_counter()
    share = 0.0

    def seconds() -> float:
        return earlier + time.perf_counter() - begin

    def should_stop() -> bool:
        nonlocal last_saved
        if time.perf_counter() - last_saved > _CHECKPOINT_SECONDS:
            _save_checkpoint(run, path, seconds())
            last_saved = time.perf_counter()
        return stop()

    def report(done: float) -> None:
        nonlocal share
        share = done
        progress(done)

    if not run.run(report, should_stop):
        _save_checkpoint(run, path, seconds())
        raise Interrupted(share)
    assert run.values is not None
    values, empty = run.values.astype(np.float32), empty_values(run.values, players)
    solution = Solution(space, players, values, empty, seconds())
    # Rounding to float32 changes a value by at most 2**-15 points: no sheet of a solvable game has 1,024 points.
    write(path, {"variant": space.variant.id, "value": empty, "seconds": solution.seconds}, values)
    _checkpoint_path(path).unlink(missing_ok=True)
    return solution


def _checkpoint_path(path: Path) -> Path:
    return path.with_suffix(".part")


def _save_checkpoint(run: SolverRun, path: Path, seconds: float) -> None:
    assert run.values is not None
    write(_checkpoint_path(path), {"level": run.level, "seconds": seconds}, run.values)


def _load_checkpoint(space: Space, players: int, path: Path) -> tuple[SolverRun, float]:
    header = read_header(_checkpoint_path(path))
    values = header.values(_checkpoint_path(path), np.float64) if header else None
    if header is None or values is None:
        return SolverRun(space, players), 0.0
    return SolverRun(space, players, header.fields["level"], values), header.fields["seconds"]
