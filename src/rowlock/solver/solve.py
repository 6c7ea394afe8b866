"""Solving a game for one player by backward induction, on all cores."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from rowlock.fast.games import Array
from rowlock.rules import kernel
from rowlock.solver.space import LIMIT, NotSolvable, Space
from rowlock.solver.sweep import MISTHROW_STATES, SpaceTables, mark_reachable, number_states, order_states, sweep


def tables_of(space: Space) -> SpaceTables:
    """The tables of a space for compiled code."""
    firsts = [sum(space.sizes[:row]) for row in range(kernel.ROWS)]
    steps = [np.where(row.steps < 0, -1, row.steps + first) for row, first in zip(space.rows, firsts, strict=True)]

    def joined(name: str) -> Array:
        return np.concatenate([getattr(row, name) for row in space.rows])

    return SpaceTables(
        variant=np.array(space.variant.tables, np.int64),
        firsts=np.array([*firsts, 0], np.int64),
        strides=np.array(space.strides, np.int64),
        lucky=np.array(space.lucky or (0, 0), np.int64),
        steps=np.concatenate(steps).ravel(),
        gains=joined("gains").astype(np.float64).ravel(),
        **{name: joined(name) for name in ("locked", "marks", "next", "boxes")},
    )


def number_space(space: Space) -> tuple[SpaceTables, NDArray[np.int32], Array]:
    """The tables of a space, the number of every state before the end, and how many states each level has."""
    tables, full = tables_of(space), prod(space.sizes)
    if 4 * full > LIMIT:
        raise NotSolvable(f"{space.variant} has {full:,} sheets to number, too many for {LIMIT // 2**30} GB")
    compact = np.full(full, -1, np.int32)
    levels = np.zeros(sum(int((row.next + row.locked).max()) for row in space.rows) + 1, np.int64)
    reached = np.zeros(full if space.variant.bar else 0, np.uint8)
    if space.variant.bar:
        mark_reachable(tables, reached)
    number_states(tables, np.array(space.symmetries, np.int64), reached, compact, levels)
    return tables, compact, levels


# Called after every level of states with the share of states that are done.
Progress = Callable[[float], None]


@dataclass
class SolverRun:
    """An unfinished solution: levels are solved from the last one down, and it can be saved after each."""

    space: Space
    players: int
    level: int = -1  # the lowest level that is solved; -1 before the first
    values: NDArray[np.float64] | None = None

    def run(self, progress: Progress = lambda _: None, stop: Callable[[], bool] = lambda: False) -> bool:
        """Solve the remaining levels until `stop()` is true; return whether all are solved."""
        tables, compact, levels = number_space(self.space)
        count = int(levels.sum())
        # Bytes: the numbers of sheets and of states, the values in float64, and finally in float32.
        if compact.nbytes + (8 + 12 * self.players * MISTHROW_STATES) * count > LIMIT:
            many = f"{count * self.players * MISTHROW_STATES:,} states for {self.players} players"
            raise NotSolvable(f"{self.space.variant} has {many}, too many for {LIMIT // 2**30} GB")
        starts = np.concatenate([[0], np.cumsum(levels)])
        states = np.zeros(count, np.int64)
        order_states(tables, compact, starts[:-1].copy(), states)
        if self.values is None:
            self.values, self.level = np.zeros(count * self.players * MISTHROW_STATES), len(levels)
        threads = os.cpu_count() or 1
        with ThreadPoolExecutor(threads) as pool:
            for level in range(self.level - 1, -1, -1):
                first, last = int(starts[level]), int(starts[level + 1])
                part = max(256, (last - first) // (8 * threads) + 1)
                futures = [
                    pool.submit(sweep, tables, compact, states, at, min(at + part, last), self.players, self.values)
                    for at in range(first, last, part)
                ]
                for future in futures:
                    future.result()
                self.level = level
                progress((count - first) / count)
                if level and stop():
                    return False
        return True


@dataclass(frozen=True)
class Solution:
    """The expected points to come from every state, by turns to wait and misthrows."""

    space: Space
    players: int
    values: NDArray[np.float32] | NDArray[np.float64]
    empty: tuple[float, ...]  # the value of the empty sheet in float64, by turns to wait
    seconds: float

    @cached_property
    def compact(self) -> NDArray[np.int32]:
        return number_space(self.space)[1]

    @property
    def states(self) -> int:
        """The number of states: sheets x turns to wait x misthrows."""
        return len(self.values)

    def value(self, sheet: Sequence[int] | None = None, wait: int = 0) -> float:
        """The expected points to come from a sheet (default: empty), `wait` turns of others before the next own one."""
        if sheet is None:
            return self.empty[wait]
        state = int(self.compact[self.space.index(sheet)])
        return float(self.values[(state * self.players + wait) * MISTHROW_STATES + sheet[kernel.MISTHROWS]])


def empty_values(values: NDArray[np.float64], players: int) -> tuple[float, ...]:
    """The values of the empty sheet, which is state 0, by turns to wait."""
    return tuple(float(values[wait * MISTHROW_STATES]) for wait in range(players))


def solve(space: Space, players: int = 1) -> Solution:
    """Solve a game without checkpoints."""
    begin = time.perf_counter()
    run = SolverRun(space, players)
    run.run()
    assert run.values is not None
    return Solution(space, players, run.values, empty_values(run.values, players), time.perf_counter() - begin)
