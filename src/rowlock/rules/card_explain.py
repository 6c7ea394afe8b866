"""Why cards cannot be taken or played: an error code of the record format and a text."""

import re
from collections.abc import Sequence

from rowlock.rules import kernel
from rowlock.rules.cards import HIDDEN, card_list, display_names
from rowlock.rules.error_text import quote
from rowlock.rules.explain import COLOURS, Cell, examples, wrong_misthrow
from rowlock.rules.variant import ROW_NAMES, Variant

_CARD = "(?:[rygb][1-9][0-9]?|j[1-9][0-9]?[rygb]?)"


def _hand_by_name(variant: Variant, state: Sequence[int], player: int) -> dict[str, int]:
    """The cards of a hand by their names."""
    assert variant.cards
    return {variant.cards.name(card): card for card in card_list(state[kernel.HAND + player])}


def explain_take(variant: Variant, state: Sequence[int], player: int, option: str) -> tuple[str, str]:
    """The error code and the text that say why cards cannot be taken.

    Colours are hidden from players who take cards, so the text mentions only colours that the option names.
    """
    names = option.split(",")
    # An apostrophe marks a further card with the same number on its back.
    if not all(re.fullmatch(r"[rygbj?][1-9][0-9]?'*", name) for name in names):
        return "syntax", f"{quote(option) or 'nothing'} are no cards; cards are taken like g9 or g9,b2"
    missing = kernel.HAND_FULL - len(_hand_by_name(variant, state, player))
    if len(names) != missing:
        cards = "card" if missing == 1 else "cards"
        return "cards", f"{missing} {cards} must be taken for a hand of {kernel.HAND_FULL}, not {len(names)}"
    assert variant.cards
    without_colour = [name[0] == HIDDEN for name in names]
    if any(without_colour) and not all(without_colour):
        return "syntax", f"{quote(option)}: cards are named by their numbers or by their colours, not both"
    # The display stores cards from 1 on, since 0 is an empty place.
    coloured = [variant.cards.name(card - 1) for card in state[kernel.DISPLAY : kernel.DISPLAY + kernel.DISPLAYED]]
    display = display_names(state) if all(without_colour) else coloured
    for i, name in enumerate(names):
        if name in names[:i] and name in display:
            return "cards", f"{name} is taken twice"
        if name not in display:
            return "cards", f"{name} is not in the display"
    raise AssertionError(option)  # every other choice of cards is legal


def explain_play(
    variant: Variant, state: Sequence[int], player: int, option: str, legal: Sequence[str]
) -> tuple[str, str]:
    """The error code and the text that say why a play of cards is not legal."""
    match = re.fullmatch(rf"({_CARD}(?:,{_CARD})*) = (.+)", option)
    if not match:
        return "syntax", f"{quote(option) or 'nothing'} is no play; cards are played like {examples(legal)}"
    names = match[1].split(",")
    hand = _hand_by_name(variant, state, player)
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
    return _explain_marks(variant, state, player, match[2], (colour.upper(), numbers))


def _explain_marks(
    variant: Variant, state: Sequence[int], player: int, marks: str, played: tuple[str, set[int]]
) -> tuple[str, str]:
    if marks in ("-", "x"):
        return wrong_misthrow(marks)
    card_colour, card_numbers = played
    after = list(state)
    cells = 0
    for mark in marks.split(" "):
        match = re.fullmatch(r"([RYGB][1-9][0-9]?)#?", mark)
        if not match:
            return "syntax", f"{quote(mark)} is not a mark; marks are written like R5 and R12#"
        name = match[1]
        if name not in variant.codes:
            return "cell", f"there is no {name} on the {variant} sheet"
        code = variant.codes[name]
        colour = ROW_NAMES[variant.tables[kernel.T_COLOUR + code]]
        number = variant.tables[kernel.T_NUMBER + code]
        if colour != card_colour or number not in card_numbers:
            return "cards", f"{name} is a {COLOURS[colour]} {number}, no card played is one"
        if reason := Cell(variant, after, player, code).place_problem():
            return reason
        if mark.endswith("#") != variant.closes(code):
            return "written", f"{mark} is written {name}{'' if mark.endswith('#') else '#'} here"
        kernel.mark_cell(after, kernel.sheet_at(player), variant.tables, kernel.row_of(code), kernel.place_in_row(code))
        cells |= 1 << code
    for row in range(kernel.ROWS):
        left_out, allowed = kernel.left_out(kernel.cells_in_row(cells, row)), variant.tables[kernel.T_GAP]
        if left_out > allowed:
            return "gap", f"{marks} leaves out {left_out} numbers in between, {allowed or 'none'} may be left out"
    raise AssertionError(marks)  # all other marks are legal
