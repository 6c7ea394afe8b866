"""An option taken apart."""

from typing import NamedTuple


class Option(NamedTuple):
    """What an option does: every cell or bonus field it marks, in order, and the rows it locks."""

    marks: tuple[str, ...] = ()
    locks: tuple[str, ...] = ()
    lucky: bool = False
    misthrow: bool = False


def read_option(text: str) -> Option:
    """An option in notation: `!R15#` is lucky, marks R15 and locks R."""
    if text in ("-", "x"):
        return Option(misthrow=text == "x")
    parts = text.removeprefix("!").split("+")
    marks = tuple(part.removesuffix("#") for part in parts)
    locks = tuple(part[0] for part in parts if part.endswith("#"))
    return Option(marks, locks, lucky=text.startswith("!"))
