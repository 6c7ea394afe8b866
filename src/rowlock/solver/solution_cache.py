"""Solutions are made once and kept: checked by a checksum, laid aside while they are made, and taken up again."""

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from rowlock.solver.solution_file import read_header, solution_path, write
from rowlock.solver.solve import Progress, Solution, Work, empty_values
from rowlock.solver.space import NotSolvable, Space

_EVERY = 60.0  # seconds between copies of a solution in the making


class Interrupted(Exception):
    """Solving was stopped; what is done lies on disk and is taken up by the next call."""

    def __init__(self, done: float) -> None:
        self.done = done
        super().__init__(f"stopped at {100 * done:.0f} %; the same command goes on from there")


def load(space: Space, players: int) -> Solution | None:
    """A solution from disk; None where there is none, or where the file is damaged."""
    path = solution_path(space, players)
    header = read_header(path)
    values = header.values(path, np.float32) if header else None
    if header is None or values is None:
        return None
    return Solution(space, players, values, tuple(header.told["value"]), header.told["seconds"])


def solve_cached(space: Space, players: int, progress: Progress, stop: Callable[[], bool] = lambda: False) -> Solution:
    """Solve a game, or take it from disk; a damaged file is made again, a stopped one gone on with."""
    if kept := load(space, players):
        return kept
    path = solution_path(space, players)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return _solve(space, players, path, progress, stop)
    except OSError as error:
        raise NotSolvable(f"{path}: the solution cannot be kept: {error.strerror}") from None


def _solve(space: Space, players: int, path: Path, progress: Progress, stop: Callable[[], bool]) -> Solution:
    work, before = _take_up(space, players, path)
    begin = saved = time.perf_counter()
    share = 0.0

    def seconds() -> float:
        return before + time.perf_counter() - begin

    def pause() -> bool:
        nonlocal saved
        if time.perf_counter() - saved > _EVERY:
            _lay_aside(work, path, seconds())
            saved = time.perf_counter()
        return stop()

    def follow(done: float) -> None:
        nonlocal share
        share = done
        progress(done)

    if not work.run(follow, pause):
        _lay_aside(work, path, seconds())
        raise Interrupted(share)
    assert work.values is not None
    values, empty = work.values.astype(np.float32), empty_values(work.values, players)
    solution = Solution(space, players, values, empty, seconds())
    # Rounded once, at the end: by 2**-15 points at the most, since no sheet of a game that can be solved brings 1,024.
    write(path, {"variant": space.variant.id, "value": empty, "seconds": solution.seconds}, values)
    _part(path).unlink(missing_ok=True)
    return solution


def _part(path: Path) -> Path:
    return path.with_suffix(".part")


def _lay_aside(work: Work, path: Path, seconds: float) -> None:
    assert work.values is not None
    write(_part(path), {"level": work.level, "seconds": seconds}, work.values)


def _take_up(space: Space, players: int, path: Path) -> tuple[Work, float]:
    header = read_header(_part(path))
    values = header.values(_part(path), np.float64) if header else None
    if header is None or values is None:
        return Work(space, players), 0.0
    return Work(space, players, header.told["level"], values), header.told["seconds"]
