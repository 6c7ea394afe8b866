"""Sheets that differ from player to player (Connected): which cells are steps, and which are joined.

A variant has one or more kinds of sheets, called A, B, C and so on. `Variant.steps` and `Variant.joined` have an entry
for each kind.
"""

from typing import TYPE_CHECKING, Any

from rowlock.rules import kernel
from rowlock.rules.effects.effect import Base, Effect
from rowlock.rules.toml_table import TomlTable, distinct, one_of

if TYPE_CHECKING:
    from rowlock.rules.sheet import Sheet
    from rowlock.rules.variant import Variant

LETTERS = "ABCDEFGH"[: kernel.MAX_SHEETS]


class Sheets(Effect):
    """Kinds of sheets. Kernel: `deal_sheets`, `marked_steps`, `mark_joined`. Notation: `R6+Y6`, the tag `Sheets`."""

    field = "sheets"
    names = ("steps", "joined")

    def read(self, top: TomlTable, base: Base) -> dict[str, Any]:
        table = top.table("sheets")
        kinds = [table.table(letter) for letter in LETTERS[: len(table.untaken)]]
        table.end(f"A, B, C and so on, {kernel.MAX_SHEETS} at the most")
        steps, joined = [], []
        for kind in kinds:
            steps.append(_read_steps(kind, base))
            joined.append(_read_joined(kind, base))
            kind.end("steps and joined")
        return {"steps": tuple(steps) if any(steps) else (), "joined": tuple(joined) if any(joined) else ()}

    def fill(self, tables: list[int], variant: "Variant") -> None:
        tables[kernel.T_SHEETS] = len(variant.sheet_letters) or 1
        tables[kernel.T_STEPPED], tables[kernel.T_JOINS] = bool(variant.steps), bool(variant.joined)
        tables[kernel.T_JOINED : kernel.T_SWAP] = [-1] * (kernel.T_SWAP - kernel.T_JOINED)
        for kind, cells in enumerate(variant.steps):
            for code in map(variant.codes.__getitem__, cells):
                index = kernel.T_STEPS + kind * kernel.ROWS + kernel.row_of(code)
                tables[index] |= 1 << kernel.place_in_row(code)
        for kind, pairs in enumerate(variant.joined):
            first = kernel.T_JOINED + kind * kernel.ROWS * kernel.MAX_CELLS
            for cell, other in pairs:
                tables[first + variant.codes[cell]] = variant.codes[other]
                tables[first + variant.codes[other]] = variant.codes[cell]

    def json(self, sheet: "Sheet") -> dict[str, Any]:
        return {"sheet": sheet.letter} if sheet.letter else {}

    def write(self, sheet: "Sheet") -> str | None:
        return f"@{sheet.letter}" if sheet.letter else None

    def parse(self, word: str, ints: list[int], variant: "Variant") -> bool:
        if not word.startswith("@"):
            return False
        if word[1:] not in tuple(variant.sheet_letters):
            known = ", ".join(variant.sheet_letters) or "one kind of sheet only"
            raise ValueError(f"{variant} has {known}")
        ints[kernel.KIND] = variant.sheet_letters.index(word[1:])
        return True


def _read_steps(kind: TomlTable, base: Base) -> tuple[str, ...]:
    cells = base.cells()
    return tuple(kind.take("steps", "different cells of the sheet", distinct(one_of(cells), 0, len(cells)), []))


def _read_joined(kind: TomlTable, base: Base) -> tuple[tuple[str, str], ...]:
    """Pairs of cells that lock nothing; no cell is in two pairs."""
    is_pair = distinct(one_of(base.cells(closing=False)), 2, 2)

    def are_pairs(value: Any) -> bool:
        pairs_are_valid = isinstance(value, list) and all(map(is_pair, value))
        return pairs_are_valid and distinct(lambda _: True, 0, 32)([cell for pair in value for cell in pair])

    pairs = kind.take("joined", "pairs of different cells, each in one pair and none that locks", are_pairs, [])
    return tuple((first, second) for first, second in pairs)
