"""What an effect is: one rule beyond those of Classic, as a unit."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rowlock.rules.toml_table import TomlTable

if TYPE_CHECKING:
    from rowlock.rules.sheet import Sheet
    from rowlock.rules.variant import Variant


@dataclass(frozen=True)
class Row:
    """A row of cells, or of bonus fields, from left to right."""

    name: str  # `R`, or `RY` for the bonus fields between R and Y
    numbers: tuple[int, ...]
    colours: str  # a letter per cell; empty for bonus fields

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Base:
    """What was read of a variant before its effects."""

    rows: tuple[Row, ...]
    closing: int
    white_faces: int
    largest: int  # the largest number that a cell can have

    def cells(self, closing: bool = True) -> list[str]:
        """The names of all cells; closing ones can be left out."""
        return [
            f"{row.name}{number}"
            for row in self.rows
            for number in (row.numbers if closing else row.numbers[: -self.closing])
        ]


class Effect(ABC):
    """An effect: its field in the file, its part of the tables, and how a sheet writes its marks.

    Its rule is in the kernel; `docs/variants.md` lists all that an effect needs.
    """

    field: str  # the field of the file
    names: tuple[str, ...]  # the fields of `Variant` that hold the data, and the names in `Variant.effects`

    @abstractmethod
    def read(self, top: TomlTable, base: Base) -> dict[str, Any]:
        """Read the effect's field; return fields of `Variant`, none if the variant does not have the effect."""

    @abstractmethod
    def fill(self, tables: list[int], variant: "Variant") -> None:
        """Write the data to the kernel's tables; called for all variants."""

    def json(self, sheet: "Sheet") -> dict[str, Any]:
        """What `rowlock replay --json` prints of a sheet beside `rows`."""
        return {}

    def write(self, sheet: "Sheet") -> str | None:
        """The effect's word in the line of a sheet, if it has one."""
        return None

    def parse(self, word: str, ints: list[int], variant: "Variant") -> bool:
        """Read such a word; return whether it belongs to this effect, raise ValueError if it is wrong."""
        return False
