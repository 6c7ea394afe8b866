"""Marks that give more marks or points: the bonus bar (Bonus A) and pairs of bonus boxes (Bonus B)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from dataclasses import field as data_field
from typing import TYPE_CHECKING, Any

from rowlock.rules import kernel
from rowlock.rules.effects.effect import Base, Effect
from rowlock.rules.toml_table import ROW_NAMES, TomlTable, are_row_names, distinct, is_text, one_of

if TYPE_CHECKING:
    from rowlock.rules.sheet import Sheet
    from rowlock.rules.variant import Variant

PAIR_BONUSES = {
    "fewest": kernel.FEWEST,
    "each": kernel.EACH,
    "double": kernel.DOUBLE,
    "points": kernel.POINTS,
    "shield": kernel.SHIELD,
}


@dataclass(frozen=True)
class Pair:
    """A pair of bonus boxes and the bonus for marking both."""

    name: str = data_field(metadata={"identity": False})
    boxes: tuple[str, str]
    gives: str  # a key of `PAIR_BONUSES`
    amount: int  # how many marks or points the bonus gives; 1 if neither


class Bar(Effect):
    """Boxes that mark in the row of the bar's next box. Kernel: `mark_chain`, `next_bar_row`. Notation: `G11+R5`."""

    field = "bar"
    names = ("bar",)

    def read(self, top: TomlTable, base: Base) -> dict[str, Any]:
        table = top.table("bar")
        allowed = f"1 to {kernel.MAX_BAR} letters of R, Y, G, B"
        bar = table.take("rows", allowed, lambda value: are_row_names(value, 1, kernel.MAX_BAR))
        boxes = table.take("boxes", "different cells of the sheet", distinct(one_of(base.cells()), 1, 64))
        table.end("rows and boxes")
        return {"bar": bar, "bar_boxes": tuple(boxes)}

    def fill(self, tables: list[int], variant: "Variant") -> None:
        tables[kernel.T_CHAINS] |= bool(variant.bar)
        tables[kernel.T_BONUS + kernel.BAR] = 1
        tables[kernel.T_BAR_LENGTH] = len(variant.bar)
        for index, letter in enumerate(variant.bar):
            tables[kernel.T_BAR + index] = ROW_NAMES.index(letter)
        for box in variant.bar_boxes:
            tables[kernel.T_BOX + variant.codes[box]] = 1

    def write(self, sheet: "Sheet") -> str | None:
        return f"+{sheet.bar_used}" if sheet.variant.bar else None

    def parse(self, word: str, ints: list[int], variant: "Variant") -> bool:
        match = re.fullmatch(r"\+(\d+)", word, re.ASCII)
        if not match:
            return False
        if not variant.bar or int(match[1]) > len(variant.bar):
            raise ValueError(f"the bar of {variant} has {len(variant.bar)} boxes")
        ints[kernel.BAR_USED] = int(match[1])
        return True


class Pairs(Effect):
    """Pairs of boxes that give a bonus once both are marked. Kernel: `mark_chain`, `pair_points`."""

    field = "pairs"
    names = ("pairs",)

    def read(self, top: TomlTable, base: Base) -> dict[str, Any]:
        unpaired = set(base.cells())
        pairs: list[Pair] = []
        for table in top.tables("pairs"):
            pairs.append(_read_pair(table, unpaired, pairs))
            unpaired -= set(pairs[-1].boxes)
        return {"pairs": tuple(pairs)}

    def fill(self, tables: list[int], variant: "Variant") -> None:
        tables[kernel.T_CHAINS] |= bool(variant.pairs)
        for pair in variant.pairs:
            bonus = PAIR_BONUSES[pair.gives]
            tables[kernel.T_BONUS + bonus] = pair.amount
            for box, mate in (pair.boxes, pair.boxes[::-1]):
                tables[kernel.T_PAIR + variant.codes[box]] = bonus
                tables[kernel.T_MATE + variant.codes[box]] = variant.codes[mate]


def _read_pair(table: TomlTable, unpaired: set[str], others: Sequence[Pair]) -> Pair:
    other_names, other_bonuses = [pair.name for pair in others], [pair.gives for pair in others]
    name = table.take("name", "one line of text that no other pair has", lambda v: is_text(v) and v not in other_names)
    boxes = table.take("boxes", "two cells of the sheet, in no other pair", distinct(one_of(unpaired), 2, 2))
    bonuses = [bonus for bonus in PAIR_BONUSES if bonus not in other_bonuses]
    gives = table.take("gives", f"one of {', '.join(bonuses)} (each at most once)", one_of(bonuses))
    amount = 1
    if gives == "fewest":
        amount = table.number("marks", 1, kernel.MAX_BONUS_MARKS)
    elif gives == "points":
        amount = table.number("points", 1, 999)
    table.end("name, boxes, gives, marks (where it gives fewest) and points (where it gives points)")
    return Pair(name, (boxes[0], boxes[1]), gives, amount)
