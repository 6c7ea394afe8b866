"""Why cards cannot be taken or played so, in words and as a code of the record format's closed list."""

import re
from collections.abc import Sequence

from rowlock.rules import kernel
from rowlock.rules.cards import HIDDEN, backs, held
from rowlock.rules.error_text import shown
from rowlock.rules.explain import COLOURS, Place, examples, wrong_misthrow
from rowlock.rules.variant import Variant

_CARD = "(?:[rygb][1-9][0-9]?|j[1-9][0-9]?[rygb]?)"


def _named(variant: Variant, state: Sequence[int], player: int) -> dict[str, int]:
    """The cards of a hand by name."""
    assert variant.cards
    return {variant.cards.name(card): card for card in held(state[kernel.HAND + player])}


def explain_take(variant: Variant, state: Sequence[int], player: int, option: str) -> tuple[str, str]:
    """Why these cannot be taken; what is told shows no colour that was not named."""
    names = option.split(",")
    if not all(re.fullmatch(r"[rygbj?][1-9][0-9]?'*", name) for name in names):
        return "syntax", f"{shown(option) or 'nothing'} are no cards; cards are taken like g9 or g9,b2"
    lacks = kernel.HAND_FULL - len(_named(variant, state, player))
    if len(names) != lacks:
        return (
            "cards",
            f"{lacks} {'is' if lacks == 1 else 'are'} to be taken to hold {kernel.HAND_FULL}, not {len(names)}",
        )
    assert variant.cards
    by_number = [name[0] == HIDDEN for name in names]
    if any(by_number) and not all(by_number):
        return "syntax", f"{shown(option)}: cards are named by their numbers or by their colours, not both"
    faces = [variant.cards.name(card - 1) for card in state[kernel.DISPLAY : kernel.DISPLAY + kernel.DISPLAYED]]
    display = backs(state) if all(by_number) else faces
    for i, name in enumerate(names):
        if name in names[:i] and name in display:
            return "cards", f"{name} is taken twice"
        if name not in display:
            return "cards", f"{name} is not in the display"
    raise AssertionError(option)  # the cards of the display, as many as are due: an option


def explain_play(
    variant: Variant, state: Sequence[int], player: int, option: str, legal: Sequence[str]
) -> tuple[str, str]:
    match = re.fullmatch(rf"({_CARD}(?:,{_CARD})*) = (.+)", option)
    if not match:
        return "syntax", f"{shown(option) or 'nothing'} is no play; cards are played like {examples(legal)}"
    names = match[1].split(",")
    hand = _named(variant, state, player)
    colours = set()
    numbers = set()
    for i, name in enumerate(names):
        card = re.sub("[rygb]$", "", name)
        if card not in hand:
            return "cards", f"{card} is not in the hand"
        if card in (re.sub("[rygb]$", "", other) for other in names[:i]):
            return "cards", f"{card} is played twice"
        if name[0] == "j" and name[-1].isdigit():
            return "cards", f"{name} is played as a colour: {', '.join(name + colour for colour in 'rygb')}"
        colours.add(name[-1] if name[0] == "j" else name[0])
        numbers.add(int(card[1:]))
    if len(names) > kernel.MOST_PLAYED:
        return "cards", f"one to {kernel.MOST_PLAYED} cards are played, not {len(names)}"
    if len(colours) > 1:
        return "cards", f"{match[1]} are of {len(colours)} colours, cards played together are of one"
    (colour,) = colours
    return _why_not_marked(variant, state, player, match[2], (colour.upper(), numbers))


def _why_not_marked(
    variant: Variant, state: Sequence[int], player: int, marks: str, played: tuple[str, set[int]]
) -> tuple[str, str]:
    if marks in ("-", "x"):
        return wrong_misthrow(marks)
    colour, numbers = played
    after = list(state)
    made: dict[int, list[int]] = {}
    for mark in marks.split(" "):
        match = re.fullmatch(r"([RYGB][1-9][0-9]?)#?", mark)
        if not match:
            return "syntax", f"{shown(mark)} is not a mark; marks are written like R5 and R12#"
        name = match[1]
        if name not in variant.codes:
            return "cell", f"there is no {name} on a {variant} sheet"
        place = Place(variant, after, player, name)
        row = variant.rows[place.row]
        if row.colours[place.cell] != colour or row.numbers[place.cell] not in numbers:
            cell = f"{COLOURS[row.colours[place.cell]]} {row.numbers[place.cell]}"
            return "cards", f"{name} is a {cell}, no card played is one"
        reason = place.row_closed() or place.left_of() or place.too_few()
        if reason:
            return reason
        if mark.endswith("#") != variant.closes(variant.codes[name]):
            return "written", f"{mark} is written {name}{'' if mark.endswith('#') else '#'} here"
        kernel.cross(after, place.sheet, variant.tables, place.row, place.cell)
        made.setdefault(place.row, []).append(place.cell)
    for cells in made.values():
        left_out = cells[-1] - cells[0] + 1 - len(cells)
        if left_out > variant.tables[kernel.T_GAP]:
            allowed = variant.tables[kernel.T_GAP]
            return "gap", f"{marks} leaves out {left_out} numbers in between, {allowed or 'none'} may be left out"
    raise AssertionError(marks)  # all marks are legal, in order and written as they should be: an option
