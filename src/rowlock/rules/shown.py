"""What somebody wrote, as an error shows it."""


def shown(text: str) -> str:
    """What somebody wrote, for an error's one line: not too long, and nothing that a terminal would obey."""
    text = "".join(one if one.isprintable() else one.encode("unicode_escape").decode() for one in text)
    return text if len(text) <= 40 else text[:39] + "…"
