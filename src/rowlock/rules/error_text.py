"""User input in error messages."""

from collections.abc import Iterable


def quote(text: str) -> str:
    """User input for an error message: at most 40 characters, on one line, without control characters."""
    text = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    return text if len(text) <= 40 else text[:39] + "…"


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The suggestion that an error about an unknown name ends with; empty if no known name is similar."""
    from difflib import get_close_matches  # slow to import, and rarely needed

    similar = get_close_matches(name, known, n=1)
    return f"; did you mean {similar[0]}?" if similar else ""
