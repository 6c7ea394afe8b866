"""Bonus fields between two rows (Big Points): they can be marked beside a marked cell with the same number."""

from typing import TYPE_CHECKING, Any

from rowlock.rules import kernel
from rowlock.rules.effects.effect import Base, Effect, Row
from rowlock.rules.toml_table import ROW_NAMES, TomlTable, distinct, integer, one_of

if TYPE_CHECKING:
    from rowlock.rules.sheet import Sheet
    from rowlock.rules.variant import Variant


def read_numbers(table: TomlTable, largest: int) -> tuple[int, ...]:
    """The field `numbers` of a row."""
    allowed = f"2 to {kernel.MAX_CELLS} different numbers from 2 to {largest}"
    return tuple(table.take("numbers", allowed, distinct(integer(2, largest), 2, kernel.MAX_CELLS)))


class Fields(Effect):
    """Rows of bonus fields, which count for both rows beside them. Kernel: `field_options`. Notation: `RY5`."""

    field = "fields"
    names = ("fields",)

    def read(self, top: TomlTable, base: Base) -> dict[str, Any]:
        unused = ["RY", "YG", "GB"]
        fields: list[Row] = []
        for table in top.tables("fields"):
            between = table.take(
                "between",
                f"one of {', '.join(unused)}" if unused else "left out: there are three rows at the most",
                one_of(unused),
            )
            unused.remove(between)
            numbers = read_numbers(table, base.largest)
            allowed = {number for row in base.rows if row.name in between for number in row.numbers}
            if wrong := [number for number in numbers if number not in allowed]:
                raise table.error("numbers", f"numbers of the rows beside it, {wrong[0]} stands in neither")
            table.end("between and numbers")
            fields.append(Row(between, numbers, ""))
        return {"fields": tuple(fields)}

    def fill(self, tables: list[int], variant: "Variant") -> None:
        tables[kernel.T_FIELDS] = len(variant.fields)
        for i, row in enumerate(variant.fields):
            tables[kernel.T_UPPER + i], tables[kernel.T_LOWER + i] = (ROW_NAMES.index(letter) for letter in row.name)

    def json(self, sheet: "Sheet") -> dict[str, Any]:
        return {"bonus": sheet.fields} if sheet.variant.fields else {}
