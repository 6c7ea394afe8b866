"""Cards in notation: decks, cards taken, cards played, and the cards that a seat sees."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rowlock.rules import kernel
from rowlock.rules.error_text import quote
from rowlock.rules.kernel import Ints
from rowlock.rules.option import write_no_mark
from rowlock.rules.variant import CARD_COLOURS, ROW_NAMES, Cards

HIDDEN = "?"  # in place of the colour of a hidden card

_CARD = re.compile(r"([rygbj])([1-9][0-9]?)")


class CardError(ValueError):
    """Cards that cannot be parsed, or are not the expected ones."""


class SeenCards(NamedTuple):
    """The cards as a seat sees them: `r5`, or `?5` if only the number on the back is visible."""

    hands: tuple[tuple[str, ...], ...]
    display: tuple[str, ...]
    top: int | None  # the number on top of the pile; None if there is no card
    pile: int  # how many cards are left in it
    discards: tuple[str, ...]


def card_list(bits: int) -> list[int]:
    """The cards of a bit set, as the kernel's integers in ascending order."""
    cards = []
    while bits:
        lowest_bit = bits & -bits
        cards.append(lowest_bit.bit_length() - 1)
        bits ^= lowest_bit
    return cards


def card_names(card_set: Cards, cards: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(card_set.name, cards))


def visible_cards(card_set: Cards, state: list[int]) -> SeenCards:
    """The cards of a state from which `kernel.hide` has removed the hidden ones."""
    hands = []
    for player in range(state[kernel.PLAYERS]):
        numbers = (n for n in range(card_set.numbers) for _ in range(kernel.cards_with(state, player, n)))
        hidden = tuple(f"{HIDDEN}{card_set.lowest + n}" for n in numbers)
        hands.append(card_names(card_set, card_list(state[kernel.HAND + player])) or hidden)  # a hidden `HAND` is 0
    return SeenCards(
        hands=tuple(hands),
        display=tuple(name for name in display_names(state) if name),
        top=state[kernel.NUMBER] or None,
        pile=state[kernel.PILE],
        discards=card_names(card_set, card_list(state[kernel.DISCARDS])),
    )


def display_names(state: Sequence[int]) -> list[str]:
    """The display as all players see it: `?5`, `?5'` for a second card with the same number, "" for an empty place."""
    names: list[str] = []
    for number in state[kernel.DISPLAY_NUMBERS : kernel.DISPLAY_NUMBERS + kernel.DISPLAYED]:
        name = f"{HIDDEN}{number}" if number else ""
        while name and name in names:
            name += "'"
        names.append(name)
    return names


def read_cards(card_set: Cards, words: Sequence[str], expected: Iterable[int]) -> list[int]:
    """Parse card names, which must name exactly the expected cards, in any order."""
    allowed, cards = set(expected), []
    for word in words:
        match = _CARD.fullmatch(word)
        number = int(match[2]) - card_set.lowest if match else -1
        if not match or not 0 <= number < card_set.numbers:
            text = quote(word) or repr(word)  # '' for an empty word
            raise CardError(f"{text} is not a card; cards are written like r5 and g12, a joker like j7")
        card = CARD_COLOURS.index(match[1]) * kernel.MAX_NUMBERS + number
        if card in cards:
            raise CardError(f"{word} is in it twice")
        if card not in allowed:
            joker = card // kernel.MAX_NUMBERS == kernel.JOKER
            raise CardError(f"{word} is not one of them" + (", there are no jokers" if joker else ""))
        cards.append(card)
    if missing := sorted(allowed - set(cards)):
        raise CardError(f"{card_set.name(missing[0])} is missing: there are {len(allowed)} cards, not {len(cards)}")
    return cards


# Taking and playing


def write_take(card_set: Cards, state: Sequence[int], action: int) -> str:
    """The cards taken, as in a record."""
    return ",".join(card_names(card_set, sorted(state[kernel.DISPLAY + place] - 1 for place in _places(action))))


def write_seen_take(state: Sequence[int], action: int) -> str:
    """The cards taken, as the player who takes them sees them."""
    display = display_names(state)
    return sort_option(",".join(display[place] for place in _places(action)))


def _places(action: int) -> list[int]:
    """The places in the display from which an action takes cards."""
    return [place for place in range(kernel.DISPLAYED) if kernel.places_taken(action) >> place & 1]


def hide_taken(taken: str) -> str:
    """The cards taken, as all players see them: without colours."""
    return ",".join(f"{HIDDEN}{number}" for number in sorted(int(card[1:]) for card in taken.split(",")))


def write_play(card_set: Cards, state: Ints, player: int, action: int, marks: Sequence[str]) -> str:
    """The cards played, a joker with its colour, and their marks; `-` for no mark, or `x` if that is a misthrow."""
    colour = CARD_COLOURS[kernel.colour_played(action)]
    hand = card_list(state[kernel.HAND + player])
    played = [card_set.name(card) for place, card in enumerate(hand) if kernel.cards_played(action) >> place & 1]
    written = ",".join(name + colour if name[0] == "j" else name for name in played)
    return f"{written} = {' '.join(marks) or write_no_mark(state)}"


def sort_option(option: str) -> str:
    """The option with its cards and marks in the order of the notation; the input may have any order.

    The marks of one row keep their order. Only the order of parts changes, so unreadable text stays unreadable.
    """
    cards, equals, marks = option.partition(" = ")
    sorted_cards = ",".join(sorted(cards.split(","), key=_card_order))
    if not equals:
        return sorted_cards
    sorted_marks = sorted(marks.split(" "), key=lambda mark: ROW_NAMES.find(mark[:1]))
    return f"{sorted_cards} = {' '.join(sorted_marks)}"


def _card_order(name: str) -> tuple[int, int, str]:
    digits = re.sub(r"\D", "", name)
    return CARD_COLOURS.find(name[:1]), int(digits[:2] or 0), name  # unreadable names may have none, or very many
