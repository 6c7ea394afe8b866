"""Lucky numbers (Longo): a white sum that is one of them marks the next cell of a row with the fewest marks."""

import re
from typing import TYPE_CHECKING, Any

from rowlock.rules import kernel
from rowlock.rules.effects.effect import Base, Effect
from rowlock.rules.toml_table import TomlTable, distinct

if TYPE_CHECKING:
    from rowlock.rules.sheet import Sheet
    from rowlock.rules.variant import Variant


def can_be_lucky(low: int, high: int, highest: int) -> bool:
    """Whether two numbers can be a pair: different white sums, of which `highest` is the last, the lower one first."""
    return 2 <= low < high <= highest


class Lucky(Effect):
    """Pairs of lucky numbers, dealt to the players. Kernel: `deal_lucky`, `lucky_options`. Notation: `!G16`."""

    field = "lucky"
    names = ("lucky",)

    def read(self, top: TomlTable, base: Base) -> dict[str, Any]:
        highest = 2 * base.white_faces

        def is_pair(pair: Any) -> bool:
            numbers = isinstance(pair, list) and len(pair) == 2 and all(type(number) is int for number in pair)
            return numbers and can_be_lucky(pair[0], pair[1], highest)

        allowed = f"{kernel.MAX_PLAYERS} or more different pairs of numbers from 2 to {highest}, the lower one first"
        pairs = top.take("lucky", allowed, distinct(is_pair, kernel.MAX_PLAYERS, kernel.MAX_LUCKY))
        return {"lucky": tuple((low, high) for low, high in pairs)}

    def fill(self, tables: list[int], variant: "Variant") -> None:
        tables[kernel.T_LUCKY] = len(variant.lucky_pairs)
        numbers = [number for pair in variant.lucky_pairs for number in pair]
        tables[kernel.T_LUCKY_PAIRS : kernel.T_LUCKY_PAIRS + len(numbers)] = numbers

    def write(self, sheet: "Sheet") -> str | None:
        return "!{}/{}".format(*sheet.lucky) if sheet.lucky else None

    def parse(self, word: str, ints: list[int], variant: "Variant") -> bool:
        match = re.fullmatch(r"!(\d+)/(\d+)", word, re.ASCII)
        if not match:
            return False
        if not variant.lucky:
            raise ValueError(f"{variant} has no lucky numbers")
        low, high, highest = int(match[1]), int(match[2]), variant.highest_white_sum
        # The first condition rejects leading zeros.
        if word != f"!{low}/{high}" or not can_be_lucky(low, high, highest):
            raise ValueError(f"lucky numbers are two different numbers from 2 to {highest}, low/high")
        ints[kernel.LUCKY_LOW], ints[kernel.LUCKY_HIGH] = low, high
        return True
