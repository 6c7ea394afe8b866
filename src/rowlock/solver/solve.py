"""Solves a game for one player, by backward induction on all cores; other players never close rows or end the game."""

import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np
from numpy.typing import NDArray

from rowlock.fast.results import Array
from rowlock.rules import kernel
from rowlock.solver import MISTHROW_STATES
from rowlock.solver.space import LIMIT, NotSolvable, Space
from rowlock.solver.sweep import SpaceTables, mark_reachable, number_states, order_states, sweep


def tables_of(space: Space) -> SpaceTables:
    """The tables of a space for compiled code."""
    # The states of all rows have one numbering: those of a row follow those of the rows before it.
    firsts = [sum(space.sizes[:row]) for row in range(kernel.ROWS)]

    def concatenated(field: str) -> Array:
        return np.concatenate([getattr(row, field) for row in space.rows])

    def states_after(field: str) -> Array:
        after = [getattr(row, field) for row in space.rows]
        return np.concatenate([np.where(a < 0, -1, a + first) for a, first in zip(after, firsts, strict=True)]).ravel()

    is_step = np.zeros(kernel.ROWS * kernel.MAX_CELLS, np.int64)
    is_step[[space.variant.codes[cell] for cell in space.step_cells]] = 1
    first_joined = kernel.T_JOINED + space.kind * kernel.ROWS * kernel.MAX_CELLS

    return SpaceTables(
        variant=np.array(space.variant.tables, np.int64),
        first_states=np.array([*firsts, 0], np.int64),
        strides=np.array(space.strides, np.int64),
        lucky=np.array(space.lucky or (0, 0), np.int64),
        is_step=is_step,
        joined=np.array(space.variant.tables[first_joined : first_joined + len(is_step)], np.int64),
        steps=states_after("steps"),
        gains=concatenated("gains").astype(np.float64).ravel(),
        joined_steps=states_after("joined_steps"),
        joined_gains=concatenated("joined_gains").astype(np.float64).ravel(),
        **{field: concatenated(field) for field in ("locked", "marks", "next", "boxes", "least_steps", "most_steps")},
    )


def enumerate_states(space: Space) -> tuple[SpaceTables, NDArray[np.int32], Array]:
    """The tables of a space, the compact index of every full index (-1: none), and the number of states per level."""
    tables, sheets = tables_of(space), prod(space.sizes)
    if 4 * sheets > LIMIT:  # four bytes for each compact index
        raise NotSolvable(f"{space.variant} has {sheets:,} sheets; to number them takes more than {LIMIT // 2**30} GB")
    compact = np.full(sheets, -1, np.int32)
    highest_level = sum(int((row.next + row.locked).max()) for row in space.rows)
    level_sizes = np.zeros(highest_level + 1, np.int64)
    reached = np.zeros(sheets if space.variant.bar else 0, np.uint8)
    if space.variant.bar:
        mark_reachable(tables, reached)
    number_states(tables, np.array(space.symmetries, np.int64), reached, compact, level_sizes)
    return tables, compact, level_sizes


# Called after every level with the share of all states that are solved.
Progress = Callable[[float], None]


@dataclass
class SolverRun:
    """An unfinished solution. Marks raise the level of a state; levels are solved from the highest to the lowest."""

    space: Space
    players: int
    level: int = -1  # the lowest level that is solved; -1 before the start
    values: NDArray[np.float64] | None = None  # in the order of `Solution.values`; None before the start

    def solve_levels(self, progress: Progress = lambda _: None, stop: Callable[[], bool] = lambda: False) -> bool:
        """Solve the remaining levels until `stop()` is true; return whether all are solved."""
        tables, compact, level_sizes = enumerate_states(self.space)
        count = int(level_sizes.sum())
        value_count = count * self.players * MISTHROW_STATES
        # Bytes: compact indices (int32), full indices (int64), and the values in float64 and finally in float32.
        if compact.nbytes + 8 * count + (8 + 4) * value_count > LIMIT:
            states_for_players = f"{value_count:,} states for {self.players} players"
            raise NotSolvable(f"{self.space.variant} has {states_for_players}, too many for {LIMIT // 2**30} GB")
        level_begins = np.concatenate([[0], np.cumsum(level_sizes)])
        states = np.zeros(count, np.int64)
        order_states(tables, compact, level_begins[:-1].copy(), states)
        if self.values is None:
            self.values, self.level = np.zeros(value_count), len(level_sizes)
        threads = os.cpu_count() or 1
        with ThreadPoolExecutor(threads) as pool:
            for level in range(self.level - 1, -1, -1):
                begin, end = int(level_begins[level]), int(level_begins[level + 1])
                size = max(256, (end - begin) // (8 * threads) + 1)  # states per task; at most 8 tasks per thread
                futures = [
                    pool.submit(sweep, tables, compact, states, i, min(i + size, end), self.players, self.values)
                    for i in range(begin, end, size)
                ]
                for future in futures:
                    future.result()
                self.level = level
                progress((count - begin) / count)
                if level > 0 and stop():  # after level 0 nothing is left to stop
                    return False
        return True


@dataclass(frozen=True)
class Solution:
    """The expected points to come from every state; turns to wait are turns of others before the player's next one."""

    space: Space
    players: int
    values: NDArray[np.float32] | NDArray[np.float64]  # by compact index, turns to wait and misthrows
    empty: tuple[float, ...]  # the values of the empty sheet in float64, by turns to wait
    seconds: float  # the time that solving took

    @cached_property
    def compact(self) -> NDArray[np.int32]:
        """The compact index of every state by its full index."""
        _, compact, _ = enumerate_states(self.space)
        return compact

    @property
    def states(self) -> int:
        """The number of states, counted for each number of turns to wait and of misthrows."""
        return len(self.values)

    def value(self, sheet: Sequence[int] | None = None, wait: int = 0) -> float:
        """The expected points to come from a sheet (default: the empty one), with `wait` turns to wait."""
        if sheet is None:
            return self.empty[wait]
        compact_index = int(self.compact[self.space.index(sheet)])
        return float(self.values[(compact_index * self.players + wait) * MISTHROW_STATES + sheet[kernel.MISTHROWS]])


def empty_sheet_values(values: NDArray[np.float64], players: int) -> tuple[float, ...]:
    """The values of the empty sheet, whose compact index is 0, by turns to wait."""
    return tuple(float(values[wait * MISTHROW_STATES]) for wait in range(players))


def solve(space: Space, players: int = 1) -> Solution:
    """Solve a game without checkpoints, and without saving the solution."""
    begin = time.perf_counter()
    run = SolverRun(space, players)
    run.solve_levels()
    assert run.values is not None
    return Solution(space, players, run.values, empty_sheet_values(run.values, players), time.perf_counter() - begin)
