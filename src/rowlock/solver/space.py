"""The state space of a game for one, derived from a variant's data: the states of each row, and the symmetries.

For the points to come, a row's state is the place of its next cell and its number of marks; how a locked row was locked
does not matter (with lucky numbers its number of marks does). A permutation of rows, with or without turning all dice
over, that leaves the sheet unchanged is a symmetry: it maps states to states of the same value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import prod

import numpy as np
from numpy.typing import NDArray

from rowlock.rules import kernel
from rowlock.rules.variant import Row, Variant

Array = NDArray[np.int64]
LIMIT = 6 * 2**30  # bytes of memory that solving may use

SUPPORTED = frozenset({"lucky", "bar", "bar_boxes"})  # effects that the solver supports
_SHEETS = (
    "with {} the points to come depend on which cells are marked, not only on the state of each row, "
    "and there are too many such sheets"
)
# Effects with which there are too many states.
TOO_MANY = {
    "pairs": _SHEETS.format("bonus pairs"),
    "fields": _SHEETS.format("bonus fields"),
    "cards": "with cards the points to come depend on the cards in hand, on display and already played, "
    "and there are too many such deals",
}


class NotSolvable(ValueError):
    """A game that cannot be solved exactly, with the reason."""


@dataclass(frozen=True)
class RowStates:
    """All states of one row: the transitions and the properties of each state."""

    steps: Array  # state x cell -> state, or -1
    gains: Array  # state x cell -> points
    locked: Array
    marks: Array
    next: Array
    boxes: Array  # bonus boxes right of the last mark
    numbers: dict[tuple[int, int, int], int]  # the number of a state by its `row_key`


def row_states(variant: Variant, row: int, lucky: bool) -> RowStates:
    """Every state of a row, found by marking cells with the kernel; 0 is the empty row."""
    tables, width = variant.tables, len(variant.rows[row])
    boxes = kernel.T_BOX + row * kernel.MAX_CELLS
    numbers: dict[tuple[int, int, int], int] = {}
    sheets: list[list[int]] = []

    def number(sheet: list[int]) -> int:
        key = row_key(sheet, row, lucky)
        if key not in numbers:
            numbers[key] = len(sheets)
            sheets.append(sheet)
        return numbers[key]

    number([0] * kernel.SHEET_SIZE)
    steps, gains = [], []
    for sheet in sheets:  # grows during the loop
        steps.append([-1] * kernel.MAX_CELLS)
        gains.append([0] * kernel.MAX_CELLS)
        for cell in range(width):
            if kernel.can_mark(sheet, 0, tables, row, cell):
                after = sheet.copy()
                kernel.mark_cell(after, 0, tables, row, cell)
                steps[-1][cell] = number(after)
                gains[-1][cell] = kernel.row_points(after, 0, tables, row) - kernel.row_points(sheet, 0, tables, row)
    return RowStates(
        np.array(steps, np.int64),
        np.array(gains, np.int64),
        np.array([sheet[kernel.LOCKS] >> row & 1 for sheet in sheets], np.int64),
        np.array([sheet[kernel.COUNT + row] for sheet in sheets], np.int64),
        np.array([sheet[kernel.NEXT + row] for sheet in sheets], np.int64),
        np.array([sum(tables[boxes + sheet[kernel.NEXT + row] : boxes + width]) for sheet in sheets], np.int64),
        numbers,
    )


def row_key(sheet: Sequence[int], row: int, lucky: bool) -> tuple[int, int, int]:
    """The state of a row: locked or not, its next cell, and its marks if they matter for the points to come."""
    locked = sheet[kernel.LOCKS] >> row & 1
    return locked, sheet[kernel.NEXT + row], sheet[kernel.COUNT + row] if lucky or not locked else 0


@dataclass(frozen=True)
class Space:
    """All states of a game for one player with the given lucky numbers, or with none."""

    variant: Variant
    lucky: tuple[int, int] | None

    def __post_init__(self) -> None:
        for effect in sorted(self.variant.effects - SUPPORTED):
            why = TOO_MANY.get(effect, f"the solver does not know its {effect}")
            raise NotSolvable(f"{self.variant} is not solvable exactly: {why}")
        if self.lucky and not self.variant.lucky:
            raise NotSolvable(f"{self.variant} has no lucky numbers")

    @cached_property
    def rows(self) -> tuple[RowStates, ...]:
        return tuple(row_states(self.variant, row, self.lucky is not None) for row in range(kernel.ROWS))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of states of each row, and of the bonus bar."""
        return *(len(row.locked) for row in self.rows), len(self.variant.bar) + 1

    @cached_property
    def strides(self) -> tuple[int, ...]:
        return tuple(prod(self.sizes[place + 1 :]) for place in range(len(self.sizes)))

    def index(self, sheet: Sequence[int]) -> int:
        """The index of a sheet's state among all combinations of row states and bar."""
        states = [row.numbers[row_key(sheet, r, self.lucky is not None)] for r, row in enumerate(self.rows)]
        states.append(sheet[kernel.BAR_USED])
        return sum(state * stride for state, stride in zip(states, self.strides, strict=True))

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The permutations of rows, with all dice turned over or not, that leave the sheet unchanged."""
        if self.variant.bar:  # which names rows in an order
            return (tuple(range(kernel.ROWS)),)
        faces = self.variant.dice
        turned = 2 * (faces[0] + 1) if len(set(faces)) == 1 else None
        return tuple(
            order
            for order in permutations(range(kernel.ROWS))
            if any(self._same(order, flip) for flip in ((None, turned) if turned else (None,)))
        )

    def _same(self, order: tuple[int, ...], turned: int | None) -> bool:
        """Whether every row r is equal to row order[r] in numbers, colours, die and lucky numbers."""
        if not same_rows(self.variant.rows, order, turned):
            return False
        if any(self.variant.dice[1 + r] != self.variant.dice[1 + place] for r, place in enumerate(order)):
            return False
        return not (turned and self.lucky) or {turned - n for n in self.lucky} == set(self.lucky)


def same_rows(rows: Sequence[Row], order: tuple[int, ...], turned: int | None) -> bool:
    """Whether every row r has the colours of row order[r] and its numbers, turned over or not."""
    names = "".join(row.name for row in rows)
    for r, place in enumerate(order):
        here, there = rows[r], rows[place]
        numbers = tuple(turned - n for n in here.numbers) if turned else here.numbers
        colours = "".join(names[order[names.index(letter)]] for letter in here.colours)
        if (numbers, colours) != (there.numbers, there.colours):
            return False
    return True
