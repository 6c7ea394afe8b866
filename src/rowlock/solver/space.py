"""The state space of a solo game, derived from a variant's data: the states of each row, and the symmetries.

The points to come depend only on each row's next cell, number of marks, and whether it is locked. The number of marks
in a locked row matters with lucky numbers, and with joined cells, as such a row can still take marks. Which pairs of
joined cells are marked does not matter: a pair can be marked if and only if one of its cells is right of the last mark
of an open row, since a mark leaves no cell of its pair there. A symmetry is a permutation of rows, with or without
turning all dice over, that leaves the sheet unchanged: it maps states to states of the same value.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import permutations
from math import prod

import numpy as np
from numpy.typing import NDArray

from rowlock.rules import kernel
from rowlock.rules.effects.sheets import LETTERS
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Row, Variant
from rowlock.solver import MISTHROW_STATES

Array = NDArray[np.int64]
LIMIT = 6 * 2**30  # bytes of memory that solving may use

SUPPORTED = frozenset({"lucky", "bar", "swaps", "steps", "joined"})  # effects of a variant that the solver supports
_TOO_MANY_SHEETS = (
    "with {} the points to come depend on which cells are marked, not only on the state of each row, "
    "and there are too many such sheets"
)
# By effect: why a game with it has too many states. Of other effects the solver does not know the transitions.
TOO_MANY_STATES = {
    "pairs": _TOO_MANY_SHEETS.format("bonus pairs"),
    "fields": _TOO_MANY_SHEETS.format("bonus fields"),
    "second": "with second boxes a row has 192 states instead of 57, and the solution would need 14 GB",
    "cards": "with cards the points to come depend on the cards in hand, on display and already played, "
    "and there are too many such deals",
}


class NotSolvable(ValueError):
    """Raised with the reason if a game cannot be solved exactly."""


@dataclass(frozen=True)
class RowStates:
    """All states of one row, numbered from 0. An array is indexed by state, unless its comment says more."""

    steps: Array  # by state and cell: the state after marking the cell, or -1 if it cannot be marked
    gains: Array  # by state and cell: the points of that mark
    joined_steps: Array  # by state and cell: the state after marking the cell as a joined one, or -1
    joined_gains: Array  # by state and cell: the points of that mark
    locked: Array  # 1 if the row is locked
    marks: Array  # the number of marks
    next: Array  # the first cell right of the last mark
    boxes: Array  # the number of bonus boxes right of the last mark
    least_steps: Array  # the smallest number of marked cells that are steps
    most_steps: Array  # the largest such number
    numbers: dict[tuple[int, int, int], int]  # the number of a state by its `row_key`


# Enough for every row of the built-in games, whose spaces differ in players and lucky numbers but not in rows.
@lru_cache(maxsize=256)
def row_states(variant: Variant, row: int, count_locked: bool, step_cells: tuple[str, ...]) -> RowStates:
    """All states of a row, found by marking cells with the kernel; state 0 is the empty row.

    Joined marks lead to no other states: the cells left of a row's last mark can be marked in any combination.
    """
    tables, width = variant.tables, len(variant.rows[row])
    first_box = kernel.T_BOX + row * kernel.MAX_CELLS
    boxes = tables[first_box : first_box + width]  # by cell: 1 if marking it uses up a box of the bonus bar
    numbers: dict[tuple[int, int, int], int] = {}
    sheets: list[list[int]] = []  # by state: a sheet whose row is in that state

    def number_of(sheet: list[int]) -> int:
        """The number of the state of a sheet's row; a new state is added."""
        key = row_key(sheet, row, count_locked)
        if key not in numbers:
            numbers[key] = len(sheets)
            sheets.append(sheet)
        return numbers[key]

    number_of([0] * kernel.SHEET_SIZE)
    steps, gains = [], []
    is_step = [f"{variant.rows[row].name}{number}" in step_cells for number in variant.rows[row].numbers]
    # By state. States are found in the order of their marks, so those before a state have been gone through.
    least_steps, most_steps = {0: 0}, {0: 0}
    for state, sheet in enumerate(sheets):  # the list grows during the loop
        steps.append([-1] * kernel.MAX_CELLS)
        gains.append([0] * kernel.MAX_CELLS)
        for cell in range(width):
            if kernel.can_mark(sheet, 0, tables, row, cell):
                after = sheet.copy()
                kernel.mark_cell(after, 0, tables, row, cell)
                steps[-1][cell] = successor = number_of(after)
                least, most = least_steps[state] + is_step[cell], most_steps[state] + is_step[cell]
                least_steps[successor] = min(least, least_steps.get(successor, least))
                most_steps[successor] = max(most, most_steps.get(successor, most))
                gains[-1][cell] = kernel.row_points(after, 0, tables, row) - kernel.row_points(sheet, 0, tables, row)
    joined_steps, joined_gains = np.full((len(sheets), kernel.MAX_CELLS), -1), np.zeros_like(steps)
    for state, sheet in enumerate(sheets):
        for cell in range(tables[kernel.T_CLOSING + row]):
            after = sheet.copy()
            kernel.mark_joined_cell(after, 0, row, cell)
            if (key := row_key(after, row, count_locked)) in numbers:  # else all cells of the row are marked
                joined_steps[state, cell] = numbers[key]
                points = kernel.row_points(after, 0, tables, row) - kernel.row_points(sheet, 0, tables, row)
                joined_gains[state, cell] = points
    return RowStates(
        np.array(steps, np.int64),
        np.array(gains, np.int64),
        joined_steps,
        joined_gains,
        np.array([sheet[kernel.LOCKS] >> row & 1 for sheet in sheets], np.int64),
        np.array([sheet[kernel.COUNT + row] for sheet in sheets], np.int64),
        np.array([sheet[kernel.NEXT + row] for sheet in sheets], np.int64),
        np.array([sum(boxes[sheet[kernel.NEXT + row] :]) for sheet in sheets], np.int64),
        np.array([least_steps[state] for state in range(len(sheets))], np.int64),
        np.array([most_steps[state] for state in range(len(sheets))], np.int64),
        numbers,
    )


def row_key(sheet: Sequence[int], row: int, count_locked: bool) -> tuple[int, int, int]:
    """The state of a row: whether it is locked, its next cell, and its number of marks (0 if that does not matter)."""
    locked = sheet[kernel.LOCKS] >> row & 1
    return locked, sheet[kernel.NEXT + row], sheet[kernel.COUNT + row] if count_locked or not locked else 0


def boxes_used(sheets: Ints, sheet: int, tables: Ints) -> int:
    """How many boxes of the bonus bar are used, how many swap fields are used or skipped, or how many steps are marked.

    No game that is solved has two of these.
    """
    steps = kernel.marked_steps(sheets, sheet, tables)
    return sheets[sheet + kernel.BAR_USED] + kernel.next_swap(sheets, sheet) + steps


@dataclass(frozen=True)
class Space:
    """All states of a solo game with the given lucky numbers, or without lucky numbers, on one kind of sheet."""

    variant: Variant
    lucky: tuple[int, int] | None
    sheet: str = ""  # the letter of the kind of sheet; empty if the variant has one kind only

    def __post_init__(self) -> None:
        for effect in sorted(self.variant.effects - SUPPORTED):
            reason = TOO_MANY_STATES.get(effect, f"the solver does not know its {effect}")
            raise NotSolvable(f"{self.variant} is not solvable exactly: {reason}")
        for together in ({"bar", "swaps", "steps"}, {"steps", "joined"}):
            if len(found := sorted(self.variant.effects & together)) > 1:
                raise NotSolvable(f"{self.variant} is not solvable: the solver does not know {' with '.join(found)}")
        if self.variant.misthrows_to_end != MISTHROW_STATES:
            raise NotSolvable(f"{self.variant} is not solvable: the solver knows {MISTHROW_STATES} misthrows only")
        if self.lucky and not self.variant.lucky:
            raise NotSolvable(f"{self.variant} has no lucky numbers")
        if self.sheet not in (tuple(self.variant.sheet_letters) or ("",)):
            letters = ", ".join(self.variant.sheet_letters)
            known = f"the sheets {letters}" if letters else "one kind of sheet only"
            raise NotSolvable(f"{self.variant} has {known}, not {self.sheet!r}")

    @property
    def kind(self) -> int:
        """The kind of sheet as the kernel numbers it."""
        return self.variant.sheet_letters.index(self.sheet)

    @property
    def step_cells(self) -> tuple[str, ...]:
        """The steps of this kind of sheet."""
        return self.variant.steps[self.kind] if self.variant.steps else ()

    @property
    def count_locked(self) -> bool:
        """Whether the number of marks in a locked row matters."""
        return self.lucky is not None or bool(self.variant.joined)

    def empty_sheet(self) -> list[int]:
        sheet = [0] * kernel.SHEET_SIZE
        sheet[kernel.KIND] = self.kind
        return sheet

    @cached_property
    def rows(self) -> tuple[RowStates, ...]:
        rows = range(kernel.ROWS)
        return tuple(row_states(self.variant, row, self.count_locked, self.step_cells) for row in rows)

    @cached_property
    def sizes(self) -> tuple[int, ...]:
        """The number of states of each row, and of the bonus bar, the swap fields or the steps."""
        boxes = self.variant.bar or self.variant.swaps or self.step_cells
        return *(len(row.locked) for row in self.rows), len(boxes) + 1

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """By which factor the number of each row's state, and of the bar's, is multiplied in the full index."""
        return tuple(prod(self.sizes[part + 1 :]) for part in range(len(self.sizes)))

    def index(self, sheet: Sequence[int]) -> int:
        """The full index of a sheet: its index among all combinations of states of the rows and the bar."""
        if sheet[kernel.KIND] != self.kind:
            raise ValueError(f"the solution is for sheet {self.sheet}, not for {LETTERS[sheet[kernel.KIND]]}")
        states = [row.numbers[row_key(sheet, r, self.count_locked)] for r, row in enumerate(self.rows)]
        states.append(boxes_used(list(sheet), 0, self.variant.tables))
        return sum(state * stride for state, stride in zip(states, self.strides, strict=True))

    @cached_property
    def symmetries(self) -> tuple[tuple[int, ...], ...]:
        """The permutations of rows, with all dice turned over or not, that leave the sheet unchanged."""
        # The bar names rows in an order, so no other permutation leaves it unchanged. With steps or joined cells there
        # may be others, which are not looked for: the sheets of the built-in games have none.
        if self.variant.effects & {"bar", "steps", "joined"}:
            return (tuple(range(kernel.ROWS)),)
        faces = self.variant.dice
        # If all dice are equal, they can be turned over: each sum n of two dice is replaced by `mirror_sum - n`.
        mirror_sums = (None, 2 * (max(faces) + 1)) if len(set(faces)) == 1 else (None,)
        orders = permutations(range(kernel.ROWS))
        return tuple(order for order in orders if any(self._is_symmetry(order, mirror) for mirror in mirror_sums))

    def _is_symmetry(self, order: tuple[int, ...], mirror_sum: int | None) -> bool:
        _, *faces = self.variant.dice
        same_dice = all(faces[row] == faces[target] for row, target in enumerate(order))
        same_lucky = not (mirror_sum and self.lucky) or {mirror_sum - n for n in self.lucky} == set(self.lucky)
        swaps = [set(field) for field in self.variant.swaps]
        same_swaps = not mirror_sum or [{mirror_sum - n for n in field} for field in swaps] == swaps
        return same_dice and same_lucky and same_swaps and same_rows(self.variant.rows, order, mirror_sum)


def same_rows(rows: Sequence[Row], order: tuple[int, ...], mirror_sum: int | None) -> bool:
    """Whether permuting colours (and replacing numbers n by `mirror_sum - n`) turns every row r into row order[r]."""
    names = "".join(row.name for row in rows)
    for row, target in zip(rows, (rows[r] for r in order), strict=True):
        numbers = tuple(mirror_sum - n for n in row.numbers) if mirror_sum else row.numbers
        colours = "".join(names[order[names.index(letter)]] for letter in row.colours)
        if (numbers, colours) != (target.numbers, target.colours):
            return False
    return True
