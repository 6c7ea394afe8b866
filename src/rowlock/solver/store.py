"""Solutions on disk: made once, kept in the cache directory, checked by a checksum, laid aside and taken up again."""

import hashlib
import json
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock import places
from rowlock.rules import kernel
from rowlock.solver import sweep
from rowlock.solver.solve import Progress, Solution, Work, empty_values
from rowlock.solver.space import NotSolvable, Space

_MAGIC = b"rowlock solution 1\n"
_EVERY = 60.0  # seconds between copies of a solution in the making


class Interrupted(Exception):
    """Solving was stopped; what is done lies on disk and is taken up by the next call."""

    def __init__(self, done: float) -> None:
        self.done = done
        super().__init__(f"stopped at {100 * done:.0f} %; the same command goes on from there")


def rules_version() -> str:
    """Changes with every edit of the rules or of the solver."""
    sources = b"".join(Path(str(module.__file__)).read_bytes() for module in (kernel, sweep))
    return hashlib.sha256(sources).hexdigest()[:12]


def solution_path(space: Space, players: int) -> Path:
    """Where the solution of a game is kept: by its variant's data, lucky numbers, players and the rules' version."""
    key = hashlib.sha256(f"{space.variant.tables} {space.lucky} {rules_version()}".encode()).hexdigest()[:12]
    lucky = "-{}-{}".format(*space.lucky) if space.lucky else ""
    return places.cache_directory() / "solutions" / f"{space.variant.id}{lucky}-{players}p-{key}.solution"


@dataclass(frozen=True)
class Kept:
    """What a file tells of its solution."""

    value: list[float]  # by others' turns to wait for
    states: int
    seconds: float


def find(space: Space, players: int) -> Kept | None:
    """What is known of a game that has been solved before; None where it has not, or where the file is damaged."""
    header = _read_header(solution_path(space, players))
    return Kept(header["value"], header["states"], header["seconds"]) if header else None


def load(space: Space, players: int) -> Solution | None:
    """A solution from disk; None where there is none, or where the file is damaged."""
    path = solution_path(space, players)
    header = _read_header(path)
    if header is None:
        return None
    values = np.fromfile(path, np.float32, offset=header["offset"])
    if hashlib.sha256(values.data).hexdigest() != header["checksum"]:
        return None
    return Solution(space, players, values, tuple(header["value"]), header["seconds"])


def _read_header(path: Path) -> dict[str, Any] | None:
    try:
        with path.open("rb") as file:
            if file.readline() != _MAGIC:
                return None
            line = file.readline()
            header: dict[str, Any] = json.loads(line)
            size = path.stat().st_size
    except (OSError, ValueError):
        return None
    header["offset"] = len(_MAGIC) + len(line)
    return header if size == header["offset"] + header.get("bytes", -1) else None


def solve_and_keep(
    space: Space, players: int, progress: Progress, stop: Callable[[], bool] = lambda: False
) -> Solution:
    """Solve a game, or take it from disk; a damaged file is made again, a stopped one gone on with."""
    if kept := load(space, players):
        return kept
    path = solution_path(space, players)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        begin, (work, before) = time.perf_counter(), _take_up(space, players, path)
        saved = time.perf_counter()

        def pause() -> bool:
            nonlocal saved
            if time.perf_counter() - saved > _EVERY:
                _lay_aside(work, path, before + time.perf_counter() - begin)
                saved = time.perf_counter()
            return stop()

        share = 0.0

        def follow(done: float) -> None:
            nonlocal share
            share = done
            progress(done)

        if not work.run(follow, pause):
            _lay_aside(work, path, before + time.perf_counter() - begin)
            raise Interrupted(share)
        assert work.values is not None
        seconds = before + time.perf_counter() - begin
        exact = empty_values(work.values, players)
        solution = Solution(space, players, work.values.astype(np.float32), exact, seconds)
        _keep(solution, path)
        _part(path).unlink(missing_ok=True)
    except OSError as error:
        raise NotSolvable(f"{path}: the solution cannot be kept: {error.strerror}") from None
    return solution


def _keep(solution: Solution, path: Path) -> None:
    """Values are rounded to float32 once, at the end: by less than 0.00002 points, since all are below 512."""
    header = {
        "variant": solution.space.variant.id,
        "players": solution.players,
        "value": solution.empty,
        "states": solution.states,
        "seconds": solution.seconds,
    }
    _write(path, header, solution.values)


def _part(path: Path) -> Path:
    return path.with_suffix(".part")


def _lay_aside(work: Work, path: Path, seconds: float) -> None:
    assert work.values is not None
    _write(_part(path), {"level": work.level, "seconds": seconds}, work.values)


def _take_up(space: Space, players: int, path: Path) -> tuple[Work, float]:
    header = _read_header(_part(path))
    if header:
        values = np.fromfile(_part(path), np.float64, offset=header["offset"])
        if hashlib.sha256(values.data).hexdigest() == header["checksum"]:
            return Work(space, players, header["level"], values), header["seconds"]
    return Work(space, players), 0.0


def _write(path: Path, header: dict[str, Any], values: NDArray[Any]) -> None:
    """A file is there as a whole or not at all."""
    new = path.with_suffix(".new")
    header = {**header, "bytes": values.nbytes, "checksum": hashlib.sha256(values.data).hexdigest()}
    try:
        with new.open("wb") as file:
            file.write(_MAGIC + json.dumps(header).encode() + b"\n")
            file.write(values.data)
        new.replace(path)
    except OSError:
        new.unlink(missing_ok=True)
        raise
