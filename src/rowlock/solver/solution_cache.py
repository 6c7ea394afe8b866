"""Solutions cached on disk, and checkpoints from which an interrupted solve continues."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rowlock.solver.solution_file import read_header, solution_path, write
from rowlock.solver.solve import Progress, Solution, SolverRun, empty_sheet_values
from rowlock.solver.space import NotSolvable, Space

_CHECKPOINT_SECONDS = 60.0  # time between two checkpoints


class Interrupted(Exception):
    """Solving was stopped; the next call continues from the checkpoint on disk."""

    def __init__(self, share: float) -> None:
        super().__init__(f"stopped at {100 * share:.0f} %; the same command continues from there")


def load(space: Space, players: int) -> Solution | None:
    """Load a solution from disk; return None if its file is missing or damaged."""
    path = solution_path(space, players)
    header = read_header(path)
    values = header.values(path, np.float32) if header else None
    if header is None or values is None:
        return None
    return Solution(space, players, values, tuple(header.fields["value"]), header.fields["seconds"])


def solve_cached(space: Space, players: int, progress: Progress, stop: Callable[[], bool] = lambda: False) -> Solution:
    """Load a solution from disk, or solve the game, from its checkpoint if there is one, and save the solution."""
    if cached := load(space, players):
        return cached
    path = solution_path(space, players)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _solve(space, players, path, progress, stop)
    except OSError as error:
        raise NotSolvable(f"{path}: the solution cannot be saved: {error.strerror}") from None


def _solve(space: Space, players: int, path: Path, progress: Progress, stop: Callable[[], bool]) -> Solution:
    run, earlier_seconds = _load_checkpoint(space, players, path)
    begin = last_saved = time.perf_counter()
    solved_share = 0.0

    def seconds() -> float:
        return earlier_seconds + time.perf_counter() - begin

    def checkpoint_and_check_stop() -> bool:
        nonlocal last_saved
        if time.perf_counter() - last_saved > _CHECKPOINT_SECONDS:
            _save_checkpoint(run, path, seconds())
            last_saved = time.perf_counter()
        return stop()

    def report(share: float) -> None:
        nonlocal solved_share
        solved_share = share
        progress(share)

    if not run.solve_levels(report, checkpoint_and_check_stop):
        _save_checkpoint(run, path, seconds())
        raise Interrupted(solved_share)
    assert run.values is not None
    values, empty_sheet = run.values.astype(np.float32), empty_sheet_values(run.values, players)
    solution = Solution(space, players, values, empty_sheet, seconds())
    # Rounding to float32 changes a value by at most 2**-15 points: no sheet of a solvable game has 1,024 points.
    write(path, {"variant": space.variant.id, "value": empty_sheet, "seconds": solution.seconds}, values)
    _checkpoint_path(path).unlink(missing_ok=True)
    return solution


def _checkpoint_path(path_of_solution: Path) -> Path:
    return path_of_solution.with_suffix(".part")


def _save_checkpoint(run: SolverRun, path: Path, seconds: float) -> None:
    assert run.values is not None
    write(_checkpoint_path(path), {"level": run.level, "seconds": seconds}, run.values)


def _load_checkpoint(space: Space, players: int, path: Path) -> tuple[SolverRun, float]:
    """The run to continue (without a checkpoint, a new one), and the seconds that it has taken before."""
    header = read_header(_checkpoint_path(path))
    values = header.values(_checkpoint_path(path), np.float64) if header else None
    if header is None or values is None:
        return SolverRun(space, players), 0.0
    return SolverRun(space, players, header.fields["level"], values), header.fields["seconds"]
