"""Solving a game for one player: from the last states back to the empty sheet, on all cores."""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from rowlock.fast.games import Array
from rowlock.rules import kernel as k
from rowlock.solver.space import LIMIT, NotSolvable, Space
from rowlock.solver.sweep import MOST, number_states, order_states, sweep


@dataclass(frozen=True)
class Tables:
    """A space as the compiled loops read it."""

    space: Space

    def _stack(self, name: str, shape: tuple[int, ...], fill: int = 0) -> Array:
        stacked = np.full((k.ROWS, max(self.space.sizes), *shape), fill, np.int64)
        for r, row in enumerate(self.space.rows):
            stacked[r, : self.space.sizes[r]] = getattr(row, name)
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
    def progress(self) -> Array:
        return self.nexts + self.locked

    @cached_property
    def strides(self) -> Array:
        sizes = self.space.sizes
        return np.array([prod(sizes[row + 1 :]) for row in range(k.ROWS)], np.int64)


def solve(space: Space, players: int = 1, progress: Callable[[float], None] = lambda _: None) -> "Solved":
    """The values of every state, from the last ones back."""
    begin = time.perf_counter()
    tables = Tables(space)
    full = prod(space.sizes)
    if 4 * full > LIMIT:
        raise NotSolvable(f"{space.variant} has {full:,} sheets to number, too many for {LIMIT // 2**30} GB")
    sizes = np.array(space.sizes, np.int64)
    orders = np.array(space.symmetries, np.int64)
    compact = np.full(full, -1, np.int32)
    levels = np.zeros(int(tables.progress.max(axis=1).sum()) + 1, np.int64)
    count = number_states(sizes, tables.locked, tables.progress, orders, compact, levels)
    starts = np.concatenate([[0], np.cumsum(levels)])
    states = np.zeros(count, np.int64)
    order_states(sizes, tables.progress, compact, starts[:-1].copy(), states)
    values = np.zeros(count * players * MOST)
    lucky = np.array(space.lucky or (0, 0), np.int64)
    variant = np.array(space.variant.tables, np.int64)
    threads = os.cpu_count() or 1
    done = 0
    with ThreadPoolExecutor(threads) as pool:
        for level in range(len(levels) - 1, -1, -1):
            first, last = int(starts[level]), int(starts[level + 1])
            part = max(256, (last - first) // (4 * threads) + 1)
            futures = [
                pool.submit(
                    sweep, variant, tables.steps, tables.gains, tables.locked, tables.marks, tables.nexts,
                    tables.strides, lucky, compact, states, at, min(at + part, last), players, values,
                )
                for at in range(first, last, part)
            ]  # fmt: skip
            for future in futures:
                future.result()
            done += last - first
            progress(done / count)
    return Solved(space, players, compact, values, time.perf_counter() - begin)


@dataclass(frozen=True)
class Solved:
    space: Space
    players: int
    compact: NDArray[np.int32]
    values: NDArray[np.float64]
    seconds: float

    @property
    def states(self) -> int:
        return len(self.values) // self.players

    def value(self, wait: int = 0) -> float:
        """The expected score from the empty sheet, with so many others' turns before the first own one."""
        return float(self.values[(int(self.compact[0]) * self.players + wait) * MOST])
