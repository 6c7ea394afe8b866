"""Solving a game for one player: from the last states back to the empty sheet, on all cores."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.fast.games import Array
from rowlock.rules import kernel as k
from rowlock.solver.space import LIMIT, NotSolvable, Space
from rowlock.solver.sweep import MOST, number_states, order_states, reach, sweep


@dataclass(frozen=True)
class Tables:
    """A space as the compiled loops read it."""

    space: Space

    def _stack(self, name: str, shape: tuple[int, ...], fill: int = 0) -> Array:
        most = max(len(row.locked) for row in self.space.rows)
        stacked = np.full((k.ROWS, most, *shape), fill, np.int64)
        for r, row in enumerate(self.space.rows):
            stacked[r, : len(row.locked)] = getattr(row, name)
        return stacked

    @cached_property
    def steps(self) -> Array:
        return self._stack("steps", (k.MAX_CELLS,), -1)

    @cached_property
    def gains(self) -> NDArray[np.float64]:
        return self._stack("gains", (k.MAX_CELLS,)).astype(np.float64)

    @cached_property
    def locked(self) -> Array:
        return self._stack("locked", ())

    @cached_property
    def marks(self) -> Array:
        return self._stack("marks", ())

    @cached_property
    def nexts(self) -> Array:
        return self._stack("next", ())

    @cached_property
    def boxes(self) -> Array:
        return self._stack("boxes", ())

    @cached_property
    def progress(self) -> Array:
        return self.nexts + self.locked

    @cached_property
    def rows(self) -> tuple[NDArray[Any], ...]:
        return self.steps, self.gains, self.locked, self.nexts, self.boxes

    @cached_property
    def variant(self) -> Array:
        return np.array(self.space.variant.tables, np.int64)

    @cached_property
    def strides(self) -> Array:
        return np.array(self.space.strides, np.int64)


def number(space: Space) -> tuple[Tables, NDArray[np.int32], Array]:
    """The tables of a space, the number of every state that can still be played, and how many make what progress."""
    tables, full = Tables(space), prod(space.sizes)
    if 4 * full > LIMIT:
        raise NotSolvable(f"{space.variant} has {full:,} sheets to number, too many for {LIMIT // 2**30} GB")
    compact = np.full(full, -1, np.int32)
    levels = np.zeros(int(tables.progress.max(axis=1).sum()) + 1, np.int64)
    orders = np.array(space.symmetries, np.int64)
    reached = np.zeros(full if space.variant.bar else 0, np.uint8)
    if space.variant.bar:
        sizes = np.array(space.sizes, np.int64)
        reach(tables.variant, *tables.rows, tables.strides, sizes, tables.progress, reached)
    number_states(
        tables.variant, tables.locked, tables.boxes, tables.progress, tables.strides, orders, reached, compact, levels
    )
    return tables, compact, levels


# Called after every level of states, with the share of the work that is done.
Progress = Callable[[float], None]


@dataclass
class Work:
    """A solution in the making: levels are done from the last one down; it can be laid aside after each."""

    space: Space
    players: int
    level: int = -1  # the lowest level that is done; -1 before the first
    values: NDArray[np.float64] | None = None

    def run(self, progress: Progress = lambda _: None, stop: Callable[[], bool] = lambda: False) -> bool:
        """Go on until all is done or `stop` says so; whether all is done."""
        tables, compact, levels = number(self.space)
        count = int(levels.sum())
        # Numbers of sheets and of states; values, and their float32 in the end.
        if compact.nbytes + (8 + 12 * self.players * MOST) * count > LIMIT:
            many = f"{count * self.players * MOST:,} states for {self.players} players"
            raise NotSolvable(f"{self.space.variant} has {many}, too many for {LIMIT // 2**30} GB")
        starts = np.concatenate([[0], np.cumsum(levels)])
        states = np.zeros(count, np.int64)
        order_states(tables.strides, tables.progress, compact, starts[:-1].copy(), states)
        if self.values is None:
            self.values, self.level = np.zeros(count * self.players * MOST), len(levels)
        lucky = np.array(self.space.lucky or (0, 0), np.int64)
        threads = os.cpu_count() or 1
        with ThreadPoolExecutor(threads) as pool:
            for level in range(self.level - 1, -1, -1):
                first, last = int(starts[level]), int(starts[level + 1])
                part = max(256, (last - first) // (8 * threads) + 1)
                arrays: list[Any] = [tables.variant, *tables.rows, tables.marks, tables.strides, lucky, compact, states]
                futures = [
                    pool.submit(sweep, *[*arrays, at, min(at + part, last), self.players, self.values])
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
    """The points still to come from every state, for each number of misthrows and of others' turns to wait for."""

    space: Space
    players: int
    values: NDArray[np.float32] | NDArray[np.float64]
    empty: tuple[float, ...]  # the value of the empty sheet in float64, by turns to wait
    seconds: float

    @cached_property
    def compact(self) -> NDArray[np.int32]:
        return number(self.space)[1]

    @property
    def states(self) -> int:
        """Sheets, each as often as there are numbers of misthrows and of turns to wait."""
        return len(self.values)

    def value(self, sheet: Sequence[int] | None = None, wait: int = 0) -> float:
        """The points still to come from a sheet (the empty one), with so many others' turns before the next own one."""
        if sheet is None:
            return self.empty[wait]
        state = int(self.compact[self.space.place(sheet)])
        return float(self.values[(state * self.players + wait) * MOST + sheet[k.MISTHROWS]])


def empty_values(values: NDArray[np.float64], players: int) -> tuple[float, ...]:
    """The values of the empty sheet, which is the first of all states, by turns to wait."""
    return tuple(float(values[wait * MOST]) for wait in range(players))


def solve(space: Space, players: int = 1) -> Solution:
    """Solve a game at one go."""
    begin = time.perf_counter()
    work = Work(space, players)
    work.run()
    assert work.values is not None
    return Solution(space, players, work.values, empty_values(work.values, players), time.perf_counter() - begin)
