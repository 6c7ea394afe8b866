"""What somebody wrote, as an error shows it."""

from collections.abc import Iterable


def shown(text: str) -> str:
    """What somebody wrote, for an error's one line: not too long, and nothing that a terminal would obey."""
    text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
    return text if len(text) <= 40 else text[:39] + "…"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The known name that is nearest to one that is not, as a question behind an error; empty where none is near."""
    from difflib import get_close_matches  # it takes a while to load, and hardly any command needs it

    near = get_close_matches(name, known, 1)
    return f"; did you mean {near[0]}?" if near else ""
