"""Parsing of options."""

from typing import NamedTuple


class Option(NamedTuple):
    """The parts of an option: cards taken or played, cells and bonus fields marked, rows locked."""

    marks: tuple[str, ...] = ()
    locks: tuple[str, ...] = ()
    lucky: bool = False
    misthrow: bool = False
    cards: tuple[str, ...] = ()


def read_option(text: str) -> Option:
    """Parse an option: `!R15#` is lucky, marks R15 and locks R; `r3,r8 = R3` plays two cards and marks R3."""
    cards, equals, marked = text.partition(" = ")
    if equals:  # a play separates its marks by spaces, other options by +
        return read_option(marked.replace(" ", "+"))._replace(cards=tuple(cards.split(",")))
    if text in ("-", "x"):
        return Option(misthrow=text == "x")
    if text[:1] in "rygbj?":  # cards to be taken
        return Option(cards=tuple(text.split(",")))
    parts = text.removeprefix("!").split("+")
    marks = tuple(part.removesuffix("#") for part in parts)
    locks = tuple(part[0] for part in parts if part.endswith("#"))
    return Option(marks, locks, lucky=text.startswith("!"))
