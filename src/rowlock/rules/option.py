"""Options in notation: how one without marks is written, and the parts of any option."""

from collections.abc import Iterable
from string import ascii_uppercase
from typing import NamedTuple

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints


def write_no_mark(state: Ints) -> str:
    """`x` where a decision without marks is a misthrow, else `-`."""
    return "x" if kernel.misthrow_due(state) else "-"


class Option(NamedTuple):
    """The parts of an option: cards taken or played, cells and bonus fields marked, rows locked."""

    marks: tuple[str, ...] = ()
    locks: tuple[str, ...] = ()
    lucky: bool = False
    misthrow: bool = False
    cards: tuple[str, ...] = ()
    swapped: int | None = None  # the white sum that a swap field exchanges
    second: bool = False  # a second box is marked

    def swap_field(self, fields: Iterable[tuple[int, int]]) -> str | None:
        """The one of a variant's swap fields that is used, as it is printed: `8/5`; None if it is none."""
        if self.swapped is None:
            return None
        numbers = {self.swapped, int(self.marks[0].lstrip(ascii_uppercase))}
        return next(f"{first}/{second}" for first, second in fields if {first, second} == numbers)


def read_option(text: str) -> Option:
    """Parse an option: `!R15#` is lucky, marks R15 and locks R; `r3,r8 = R3` plays two cards and marks R3.

    `8>R5` swaps 8 for 5, and `R5*` marks the second box of R5.
    """
    cards, equals, marked = text.partition(" = ")
    if equals:  # a play separates its marks by spaces, other options by +
        return read_option(marked.replace(" ", "+"))._replace(cards=tuple(cards.split(",")))
    if text in ("-", "x"):
        return Option(misthrow=text == "x")
    if text[:1] in "rygbj?":  # cards to be taken
        return Option(cards=tuple(text.split(",")))
    swapped, _, marked = text.rpartition(">")
    parts = marked.removeprefix("!").split("+")
    marks = tuple(part.rstrip("#*") for part in parts)
    locks = tuple(part[0] for part in parts if part.endswith("#"))
    white_sum = int(swapped) if swapped.isdecimal() else None
    return Option(marks, locks, lucky=text.startswith("!"), swapped=white_sum, second=text.endswith("*"))
