"""Players' names: which characters they may have, and which names look alike."""

import unicodedata

from confusable_homoglyphs.confusables import confusables_data

from rowlock.rules.game import checked_players
from rowlock.server.refusal import Refused

# Blank to the eye, though Unicode counts them as letters, symbols or marks: fillers and the braille blank.
BLANKS = frozenset("\u115f\u1160\u3164\uffa0\u2800\u034f\u17b4\u17b5\U00016fe4\U0001d159")
# Selectors of a variant of the character before; nobody sees which one. Emoji need those of the first range.
EMOJI_SELECTORS = frozenset(map(chr, range(0xFE00, 0xFE10)))
SELECTORS = frozenset(map(chr, (*range(0x180B, 0x1810), *range(0xE0100, 0xE01F0))))
# Zero-width, but Persian, Indic scripts and composed emoji need them between their characters.
JOINERS = "\u200c\u200d"
LEFT_TO_RIGHT = "\u200e"  # around letters of other directions in the list of look-alikes


def check_name(name: str) -> None:
    """Refuse a name that a record cannot hold or that people cannot see as it is."""
    try:
        checked_players([name])
    except ValueError:
        # The limits of `checked_players`, in its order.
        reason = "length" if not 1 <= len(name) <= 40 else "space" if name != name.strip(" ") else "character"
        raise Refused("name", reason=reason) from None
    # Unicode's categories of letters, numbers, punctuation and symbols.
    if not any(unicodedata.category(char)[0] in "LNPS" and char not in BLANKS for char in name):
        raise Refused("name", reason="invisible")
    for i, char in enumerate(name):
        neighbours = name[i - 1 : i] + name[i + 1 : i + 2] if i else ""
        joins = char in JOINERS and len(neighbours) == 2 and not any(one.isascii() for one in neighbours)
        # Controls, formats, unassigned and private characters, line and paragraph separators.
        control = unicodedata.category(char) in ("Cc", "Cf", "Cn", "Co", "Zl", "Zp")
        if char in BLANKS | SELECTORS or (control and not joins):
            raise Refused("name", reason="invisible")


def skeleton(name: str) -> str:
    """What a name looks like: equal for names that cannot be told apart at a glance."""
    normalized = unicodedata.normalize("NFKC", " ".join(name.split()))
    # Without format characters and variation selectors, which are invisible.
    visible = (char for char in normalized if unicodedata.category(char) != "Cf" and char not in EMOJI_SELECTORS)
    return "".join(PROTOTYPES.get(char, char) for char in visible)


def _find_prototypes() -> dict[str, str]:
    """For each character what represents all that look like it: one of them (union-find), or several as rn for m."""
    parents: dict[str, str] = {}
    longer = {"w": "vv", "W": "VV"}  # which Unicode does not list

    def root(char: str) -> str:
        while parents.get(char, char) != char:
            char = parents[char]
        return char

    for char, homoglyphs in confusables_data.items():
        for other in (homoglyph["c"].strip(LEFT_TO_RIGHT) for homoglyph in homoglyphs):
            if len(char) == len(other) == 1:
                first, second = sorted((root(char), root(other)))
                parents[second] = first
            elif len(char) == 1:
                longer[char] = other
    longer = {root(char): "".join(map(root, other)) for char, other in longer.items()}
    return {char: longer.get(root(char), root(char)) for char in (*parents, *longer)}


PROTOTYPES = _find_prototypes()  # now, when the server starts: it takes too long for the first player who joins
