"""A player's sheet: its marks and points, and its notation as one line."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from rowlock.rules import kernel
from rowlock.rules.effects import EFFECTS
from rowlock.rules.variant import PAIR_BONUSES, ROW_NAMES, Row, Variant, find_variant

CellState = Literal["open", "marked", "lost", "closed"]
BoxState = Literal["free", "used", "struck"]
SwapState = Literal["free", "used", "lost"]
# By the kernel's states of cells and boxes: open, marked, lost, closed.
CELL_STATES: tuple[CellState, ...] = ("open", "marked", "lost", "closed")
BOX_STATES: dict[int, BoxState] = {kernel.IS_OPEN: "free", kernel.IS_MARKED: "used", kernel.IS_CLOSED: "struck"}
SWAP_STATES: tuple[SwapState, ...] = ("free", "used", "lost")

WORDS = "x1 for misthrows, +2 for bar boxes, !5/8 for lucky numbers, @A for the sheet and >8/5 for swap fields"


class SheetError(ValueError):
    """A line that does not describe a sheet."""


@dataclass(frozen=True)
class Sheet:
    """An immutable sheet: its variant, and its marks as the kernel's integers (see `layout`)."""

    variant: Variant
    ints: tuple[int, ...] = (0,) * kernel.SHEET_SIZE

    @classmethod
    def parse(cls, text: str, variant: str | Path | Variant = "classic") -> "Sheet":
        """Parse a line such as `R2,5,7 Y- G12,11 B- x1`."""
        return _parse(text, find_variant(variant))

    @classmethod
    def empty(cls, variant: Variant, letter: str) -> "Sheet":
        """A sheet without marks, of the kind with this letter."""
        ints = [0] * kernel.SHEET_SIZE
        ints[kernel.KIND] = variant.sheet_letters.index(letter)
        return cls(variant, tuple(ints))

    def __repr__(self) -> str:
        return f"<Sheet {self.variant} {self}>"

    def __str__(self) -> str:
        parts = [row.name + (",".join(self._write_row(r)) or "-") for r, row in enumerate(self._rows)]
        parts.append(f"x{self.misthrows}")
        parts += [word for effect in EFFECTS if (word := effect.write(self))]
        return " ".join(parts)

    def _write_row(self, r: int) -> list[str]:
        return [
            str(number)
            + ("#" if self.variant.closes(r * kernel.MAX_CELLS + cell) else "*" if self._twice(r, cell) else "")
            for cell, number in enumerate(self._rows[r].numbers)
            if self.ints[kernel.MARKS + r] >> cell & 1
        ]

    def _twice(self, r: int, cell: int) -> bool:
        """Whether the second box of a cell is marked."""
        return r < kernel.ROWS and kernel.second_is_marked(self._kernel_ints, 0, r * kernel.MAX_CELLS + cell)

    @cached_property
    def _kernel_ints(self) -> list[int]:
        """The integers in the type that the kernel's functions take; nothing changes them."""
        return list(self.ints)

    @property
    def _rows(self) -> tuple[Row, ...]:
        return self.variant.rows + self.variant.fields

    def _marked(self, r: int) -> list[int]:
        marks = self.ints[kernel.MARKS + r]
        return [number for cell, number in enumerate(self._rows[r].numbers) if marks >> cell & 1]

    @property
    def rows(self) -> dict[str, list[int]]:
        """The numbers marked in each row, left to right."""
        return {row.name: self._marked(r) for r, row in enumerate(self.variant.rows)}

    @property
    def fields(self) -> dict[str, list[int]]:
        """The numbers marked in each row of bonus fields, left to right."""
        return {row.name: self._marked(kernel.ROWS + f) for f, row in enumerate(self.variant.fields)}

    @property
    def cells(self) -> dict[str, list[CellState]]:
        """The state of every cell and bonus field, left to right: `open`, `marked`, `lost` (skipped) or `closed`."""
        return {row.name: self._cell_states(r, len(row)) for r, row in enumerate(self._rows)}

    def _cell_states(self, r: int, length: int) -> list[CellState]:
        return [CELL_STATES[kernel.cell_state(self._kernel_ints, 0, r, cell)] for cell in range(length)]

    @property
    def closed(self) -> list[str]:
        """The rows in which nothing can be marked any more: locked, or closed by another player."""
        tables = self.variant.tables
        return [name for r, name in enumerate(ROW_NAMES) if kernel.row_is_closed(self._kernel_ints, 0, tables, r)]

    @property
    def locks(self) -> list[str]:
        """The rows this player has locked."""
        return [name for r, name in enumerate(ROW_NAMES) if self.ints[kernel.LOCKS] >> r & 1]

    @property
    def to_lock(self) -> dict[str, int]:
        """How many more marks each row needs before it can be locked; 0 if it is closed."""
        tables = self.variant.tables
        return {name: kernel.marks_to_lock(self._kernel_ints, 0, tables, r) for r, name in enumerate(ROW_NAMES)}

    @property
    def misthrows(self) -> int:
        return self.ints[kernel.MISTHROWS]

    @property
    def lucky(self) -> tuple[int, int] | None:
        """The lucky numbers of this sheet; None if the variant has none."""
        low, high = self.ints[kernel.LUCKY_LOW], self.ints[kernel.LUCKY_HIGH]
        return (low, high) if low else None

    @property
    def letter(self) -> str | None:
        """The letter of this kind of sheet; None if the variant has one kind only."""
        return self.variant.sheet_letters[self.ints[kernel.KIND]] if self.variant.sheet_letters else None

    @property
    def steps(self) -> tuple[str, ...]:
        """The cells of this sheet that are steps."""
        return self.variant.steps[self.ints[kernel.KIND]] if self.variant.steps else ()

    @property
    def marked_steps(self) -> int:
        """How many steps are marked."""
        return kernel.marked_steps(self._kernel_ints, 0, self.variant.tables)

    @property
    def step_points(self) -> int:
        """The points of the marked steps."""
        return kernel.step_points(self.variant.tables, self.marked_steps)

    @property
    def joined(self) -> tuple[tuple[str, str], ...]:
        """The pairs of joined cells of this sheet."""
        return self.variant.joined[self.ints[kernel.KIND]] if self.variant.joined else ()

    @property
    def swaps(self) -> list[str]:
        """The swap fields used, left to right: `8/5`."""
        return [field for field, state in self.swap_fields if state == "used"]

    @property
    def swap_fields(self) -> list[tuple[str, SwapState]]:
        """Every swap field as it is printed, left to right, with its state: `free`, `used` or `lost` (skipped)."""
        return [
            (name, SWAP_STATES[kernel.swap_state(self._kernel_ints, 0, field)])
            for field, name in enumerate(self.variant.swap_names)
        ]

    @property
    def swap_states(self) -> list[SwapState]:
        """The state of every swap field, left to right."""
        return [state for _, state in self.swap_fields]

    @property
    def second(self) -> dict[str, list[int]]:
        """The numbers whose second box is marked, by row; empty if the variant has no such boxes."""
        rows = enumerate(self.variant.rows) if self.variant.second else ()
        return {row.name: [number for i, number in enumerate(row.numbers) if self._twice(r, i)] for r, row in rows}

    @property
    def second_states(self) -> dict[str, list[CellState]]:
        """The state of the second box of every cell that has one, left to right; `open` until it cannot be marked."""
        rows = enumerate(self.variant.rows) if self.variant.second else ()
        return {row.name: self._box_states(r, self.variant.before_closing(row)) for r, row in rows}

    def _box_states(self, r: int, length: int) -> list[CellState]:
        tables = self.variant.tables
        return [CELL_STATES[kernel.second_state(self._kernel_ints, 0, tables, r, cell)] for cell in range(length)]

    @property
    def second_free(self) -> dict[str, int]:
        """By row, the number whose second box can still be marked; rows without such a box are left out."""
        tables, ints = self.variant.tables, self._kernel_ints
        return {
            row.name: number
            for r, row in enumerate(self.variant.rows if self.variant.second else ())
            for cell, number in enumerate(row.numbers)
            if kernel.can_mark_second(ints, 0, tables, r, cell)
        }

    @property
    def bar_used(self) -> int:
        """How many boxes of the bonus bar are used up or struck out so far."""
        return self.ints[kernel.BAR_USED]

    @property
    def bar(self) -> list[BoxState]:
        """The state of every box of the bonus bar, left to right; boxes of closed rows are `struck` out."""
        tables = self.variant.tables
        return [BOX_STATES[kernel.bar_state(self._kernel_ints, 0, tables, box)] for box in range(len(self.variant.bar))]

    @property
    def pairs(self) -> list[str]:
        """The names of the complete pairs of bonus boxes."""
        return [pair.name for pair in self.variant.pairs if self.ints[kernel.PAIRS] >> PAIR_BONUSES[pair.gives] & 1]

    @property
    def pair_boxes(self) -> list[int]:
        """How many boxes of each pair are marked."""
        ints, codes = self._kernel_ints, self.variant.codes
        return [sum(kernel.code_is_marked(ints, 0, codes[box]) for box in pair.boxes) for pair in self.variant.pairs]

    @property
    def ends_game(self) -> bool:
        """Whether this sheet alone ends the game: by misthrows or, in a card game, by the rows locked on it."""
        return kernel.sheet_ends_game(self._kernel_ints, 0, self.variant.tables)

    @cached_property
    def points(self) -> dict[str, int]:
        """The points of each row, of the bonuses and of the misthrows."""
        tables, ints = self.variant.tables, self._kernel_ints
        points = {name: kernel.row_points(ints, 0, tables, r) for r, name in enumerate(ROW_NAMES)}
        points["bonus"] = kernel.bonus_points(ints, 0, tables)
        points["misthrows"] = kernel.misthrow_points(ints, 0, tables)
        return points

    @property
    def total(self) -> int:
        return sum(self.points.values())


def sheet_of(variant: Variant, state: Sequence[int], player: int) -> Sheet:
    begin = kernel.sheet_at(player)
    return Sheet(variant, tuple(state[begin : begin + kernel.SHEET_SIZE]))


def _parse(text: str, variant: Variant) -> Sheet:
    ints = [0] * kernel.SHEET_SIZE
    rows = variant.rows + variant.fields
    words = text.split()
    names = [row.name for row in rows]
    if [re.sub(r"[\d,#*-].*", "", word) for word in words[: len(rows)]] != names or len(words) < len(rows):
        raise SheetError(f"{text!r}: a {variant} sheet begins with the rows {' '.join(names)}")
    for r, word in enumerate(words[: len(rows)]):
        _parse_row(ints, variant, r, word)
    misthrows = rf"x([0-{variant.misthrows_to_end}])"
    first_letters = set()
    for word in words[len(rows) :]:
        if word[0] in first_letters:
            raise SheetError(f"{text!r}: {word} cannot be read; there is such a part already")
        first_letters.add(word[0])
        try:
            if match := re.fullmatch(misthrows, word):
                ints[kernel.MISTHROWS] = int(match[1])
            elif not any(effect.parse(word, ints, variant) for effect in EFFECTS):
                raise SheetError(f"{text!r}: {word} cannot be read; there are {WORDS}")
        except SheetError:
            raise
        except ValueError as error:
            raise SheetError(f"{text!r}: {word}: {error}") from None
    sheet = Sheet(variant, tuple(ints))
    for cell, other in sheet.joined:
        if len({kernel.code_is_marked(ints, 0, variant.codes[name]) for name in (cell, other)}) == 2:
            raise SheetError(f"{text!r}: {cell} and {other} are joined, both are marked or none")
    for pair in variant.pairs:
        if all(kernel.code_is_marked(ints, 0, variant.codes[box]) for box in pair.boxes):
            ints[kernel.PAIRS] |= 1 << PAIR_BONUSES[pair.gives]
    return Sheet(variant, tuple(ints))


def _parse_row(ints: list[int], variant: Variant, r: int, word: str) -> None:
    row = (variant.rows + variant.fields)[r]
    marks = word[len(row.name) :]
    for mark in marks.split(",") if marks != "-" else []:
        sign = mark[-1:] if mark[-1:] in ("#", "*") else ""
        name = row.name + mark.removesuffix(sign)
        code = variant.codes.get(name)
        if code is None:
            raise SheetError(f"{word}: there is no {name} on the {variant} sheet")
        cell = kernel.place_in_row(code)
        if (sign == "#") != variant.closes(code):
            raise SheetError(f"{word}: {name} {'locks' if variant.closes(code) else 'does not lock'} the row")
        if sign == "*" and not (variant.second and r < kernel.ROWS):
            raise SheetError(f"{word}: {name} has no second box on the {variant} sheet")
        if cell < ints[kernel.NEXT + r]:
            raise SheetError(f"{word}: {name} stands too far left; marks go from left to right, none twice")
        if r >= kernel.ROWS and not any(kernel.is_marked(ints, 0, *_beside(variant, side, mark)) for side in row.name):
            raise SheetError(f"{word}: {name}: no {mark} beside it is marked")
        if r < kernel.ROWS and not kernel.can_mark(ints, 0, variant.tables, r, cell):
            raise SheetError(f"{word}: {name} needs {variant.needed_in(r)} marks before it")
        kernel.mark_cell(ints, 0, variant.tables, r, cell)
        if sign == "*":
            kernel.mark_second(ints, 0, code)


def _beside(variant: Variant, side: str, number: str) -> tuple[int, int]:
    """The row on one side of a bonus field (R, Y, G or B) as an index, and the cell with a number in it, or -1."""
    row = ROW_NAMES.index(side)
    return row, variant.tables[kernel.T_AT + row * kernel.SUMS + int(number)]
