"""The states of a game for one, derived from a variant's data: what each row can look like, and which states are one.

For the points still to come a row is the place of its next cell and its number of marks; how a locked row was locked
does not matter (with lucky numbers its number of marks does). Rows that look alike can change places: every
permutation of rows, with or without turning all dice over, that leaves the sheet as it is makes several states one.
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
LIMIT = 6 * 2**30  # bytes that a solution may take while it is made

KNOWN = frozenset({"lucky", "bar", "bar_boxes"})  # the effects that states and values take into account
_SHEETS = (
    "with {} what is still to come depends on which cells are marked, not only on where each row stands, "
    "and there are too many such sheets"
)
# Known effects that leave too many states.
TOO_MANY = {
    "pairs": _SHEETS.format("bonus pairs"),
    "fields": _SHEETS.format("bonus fields"),
    "cards": "with cards what is still to come depends on those in hand, on display and already played, "
    "and there are too many such deals",
}


class NotSolvable(ValueError):
    """A game whose exact values cannot be had, and why."""


@dataclass(frozen=True)
class RowStates:
    """What one row can look like: a table of steps, and what is to be known of each state."""

    steps: Array  # state x cell -> state, or -1
    gains: Array  # state x cell -> points
    locked: Array
    marks: Array
    next: Array
    boxes: Array  # bonus boxes ahead
    numbers: dict[tuple[int, int, int], int]  # of a look: locked or not, next cell, marks where they matter


def row_states(variant: Variant, row: int, lucky: bool) -> RowStates:
    """Every look of a row, found by marking cells as the kernel allows; 0 is the empty row."""
    tables, width = variant.tables, len(variant.rows[row])
    boxes = kernel.T_BOX + row * kernel.MAX_CELLS
    known: dict[tuple[int, int, int], int] = {}
    sheets: list[list[int]] = []

    def number(sheet: list[int]) -> int:
        look = row_key(sheet, row, lucky)
        if look not in known:
            known[look] = len(sheets)
            sheets.append(sheet)
        return known[look]

    number([0] * kernel.SHEET_SIZE)
    steps, gains = [], []
    for sheet in sheets:  # grows while it is walked
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
        known,
    )


def row_key(sheet: Sequence[int], row: int, lucky: bool) -> tuple[int, int, int]:
    """All that matters of a row for the points still to come."""
    locked = sheet[kernel.LOCKS] >> row & 1
    return locked, sheet[kernel.NEXT + row], sheet[kernel.COUNT + row] if lucky or not locked else 0


@dataclass(frozen=True)
class Space:
    """All states of a game for one player with the given lucky numbers, or with none."""

    variant: Variant
    lucky: tuple[int, int] | None

    def __post_init__(self) -> None:
        for effect in sorted(self.variant.effects - KNOWN):
            why = TOO_MANY.get(effect, f"the solver does not know its {effect}")
            raise NotSolvable(f"{self.variant} is not solvable exactly: {why}")
        if self.lucky and not self.variant.lucky:
            raise NotSolvable(f"{self.variant} has no lucky numbers")

    @cached_property
    def rows(self) -> tuple[RowStates, ...]:
        return tuple(row_states(self.variant, row, self.lucky is not None) for row in range(kernel.ROWS))

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """How many looks each row has, and the bonus bar."""
        return *(len(row.locked) for row in self.rows), len(self.variant.bar) + 1

    @cached_property
    def strides(self) -> tuple[int, ...]:
        return tuple(prod(self.sizes[place + 1 :]) for place in range(len(self.sizes)))

    def place(self, sheet: Sequence[int]) -> int:
        """The full number of the state that a sheet stands for."""
        looks = [row.numbers[row_key(sheet, r, self.lucky is not None)] for r, row in enumerate(self.rows)]
        looks.append(sheet[kernel.BAR_USED])
        return sum(look * stride for look, stride in zip(looks, self.strides, strict=True))

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The permutations of rows (with all dice turned over or not) that leave the sheet as it is."""
        if self.variant.bar:  # which names rows, one after the other
            return (tuple(range(kernel.ROWS)),)
        faces = self.variant.dice
        turned = 2 * (faces[0] + 1) if len(set(faces)) == 1 else None
        return tuple(
            order
            for order in permutations(range(kernel.ROWS))
            if any(self._same(order, flip) for flip in ((None, turned) if turned else (None,)))
        )

    def _same(self, order: tuple[int, ...], turned: int | None) -> bool:
        """Whether row r, moved to the place of row order[r], finds the same numbers, colours and dice there."""
        if not same_rows(self.variant.rows, order, turned):
            return False
        if any(self.variant.dice[1 + r] != self.variant.dice[1 + place] for r, place in enumerate(order)):
            return False
        return not (turned and self.lucky) or {turned - n for n in self.lucky} == set(self.lucky)


def same_rows(rows: Sequence[Row], order: tuple[int, ...], turned: int | None) -> bool:
    """Whether row r, moved to the place of row order[r], finds the same numbers (turned over or not) and colours."""
    names = "".join(row.name for row in rows)
    for r, place in enumerate(order):
        here, there = rows[r], rows[place]
        numbers = tuple(turned - n for n in here.numbers) if turned else here.numbers
        colours = "".join(names[order[names.index(letter)]] for letter in here.colours)
        if (numbers, colours) != (there.numbers, there.colours):
            return False
    return True
