"""Swap fields (X-Change): a field with the white sum on one side allows to mark the number on its other side."""

import re
from typing import TYPE_CHECKING, Any

from rowlock.rules import kernel
from rowlock.rules.effects.effect import Base, Effect
from rowlock.rules.toml_table import TomlTable, distinct, integer

if TYPE_CHECKING:
    from rowlock.rules.sheet import Sheet
    from rowlock.rules.variant import Variant


class Swaps(Effect):
    """A row of swap fields, used from left to right. Kernel: `swap_options`. Notation: `8>R5`."""

    field = "swaps"
    names = ("swaps",)

    def read(self, top: TomlTable, base: Base) -> dict[str, Any]:
        is_field = distinct(integer(2, base.largest), 2, 2)

        def are_fields(value: Any) -> bool:
            is_list = isinstance(value, list) and all(map(is_field, value))
            return is_list and distinct(lambda _: True, 1, kernel.MAX_SWAPS)([set(numbers) for numbers in value])

        numbers = f"numbers from 2 to {base.largest}"
        allowed = f"1 to {kernel.MAX_SWAPS} pairs of different {numbers}, no two with the same numbers"
        return {"swaps": tuple((first, second) for first, second in top.take("swaps", allowed, are_fields))}

    def fill(self, tables: list[int], variant: "Variant") -> None:
        tables[kernel.T_SWAPS] = len(variant.swaps)
        for index, (first, second) in enumerate(variant.swaps):
            tables[kernel.T_SWAP + 2 * index], tables[kernel.T_SWAP + 2 * index + 1] = first, second

    def json(self, sheet: "Sheet") -> dict[str, Any]:
        return {"swaps": sheet.swaps} if sheet.variant.swaps else {}

    def write(self, sheet: "Sheet") -> str | None:
        return ">" + ",".join(sheet.swaps) if sheet.swaps else None

    def parse(self, word: str, ints: list[int], variant: "Variant") -> bool:
        if not word.startswith(">"):
            return False
        for name in word[1:].split(","):
            match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", name, re.ASCII)
            numbers = (int(match[1]), int(match[2])) if match else None
            if numbers not in variant.swaps:
                raise ValueError(f"{variant} has no swap field {name}")
            field = variant.swaps.index(numbers)
            if ints[kernel.SWAPS] >> field:
                raise ValueError(f"{name} stands too far left; swap fields are used from left to right, none twice")
            ints[kernel.SWAPS] |= 1 << field
        return True
