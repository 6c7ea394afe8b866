"""Second boxes (Double): the rightmost marked cell of a row can be marked once more."""

from typing import TYPE_CHECKING, Any

from rowlock.rules import kernel
from rowlock.rules.effects.effect import Base, Effect
from rowlock.rules.toml_table import TomlTable

if TYPE_CHECKING:
    from rowlock.rules.sheet import Sheet
    from rowlock.rules.variant import Variant


class Second(Effect):
    """A box under every cell but the closing ones. Kernel: `can_mark_second`. Notation: `R5*`."""

    field = "second"
    names = ("second",)

    def read(self, top: TomlTable, base: Base) -> dict[str, Any]:
        return {"second": top.take("second", "true or false", lambda value: isinstance(value, bool))}

    def fill(self, tables: list[int], variant: "Variant") -> None:
        tables[kernel.T_SECOND] = variant.second

    def json(self, sheet: "Sheet") -> dict[str, Any]:
        return {"second": sheet.second} if sheet.variant.second else {}
