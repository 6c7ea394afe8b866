"""Solving a game for one player: from the last states back to the empty sheet, on all cores."""

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
from rowlock.solver.sweep import MOST, Tables, number_states, order_states, reach, sweep


def tables_of(space: Space) -> Tables:
    """A space as the compiled loops read it."""
    firsts = [sum(space.sizes[:row]) for row in range(kernel.ROWS)]
    steps = [np.where(row.steps < 0, -1, row.steps + first) for row, first in zip(space.rows, firsts, strict=True)]

    def joined(name: str) -> Array:
        return np.concatenate([getattr(row, name) for row in space.rows])

    return Tables(
        variant=np.array(space.variant.tables, np.int64),
        firsts=np.array([*firsts, 0], np.int64),
        strides=np.array(space.strides, np.int64),
        lucky=np.array(space.lucky or (0, 0), np.int64),
        steps=np.concatenate(steps).ravel(),
        gains=joined("gains").astype(np.float64).ravel(),
        **{name: joined(name) for name in ("locked", "marks", "next", "boxes")},
    )


def number(space: Space) -> tuple[Tables, NDArray[np.int32], Array]:
    """The tables of a space, the number of every state that can still be played, and how many make what progress."""
    tables, full = tables_of(space), prod(space.sizes)
    if 4 * full > LIMIT:
        raise NotSolvable(f"{space.variant} has {full:,} sheets to number, too many for {LIMIT // 2**30} GB")
    compact = np.full(full, -1, np.int32)
    levels = np.zeros(sum(int((row.next + row.locked).max()) for row in space.rows) + 1, np.int64)
    reached = np.zeros(full if space.variant.bar else 0, np.uint8)
    if space.variant.bar:
        reach(tables, reached)
    number_states(tables, np.array(space.symmetries, np.int64), reached, compact, levels)
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
        order_states(tables, compact, starts[:-1].copy(), states)
        if self.values is None:
            self.values, self.level = np.zeros(count * self.players * MOST), len(levels)
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
        return float(self.values[(state * self.players + wait) * MOST + sheet[kernel.MISTHROWS]])


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
