"""Cards in notation: decks, cards taken, cards played, and the cards that a seat sees."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rowlock.rules import kernel
from rowlock.rules.error_text import quote
from rowlock.rules.variant import CARD_COLOURS, ROW_NAMES, Cards

HIDDEN = "?"  # in place of the colour of a hidden card

_CARD = re.compile(r"([rygbj])([1-9][0-9]?)")


class CardError(ValueError):
    """Cards that cannot be parsed, or are not the expected ones."""


class SeenCards(NamedTuple):
    """The cards as a seat sees them: `r5`, or `?5` if only the number on the back is visible."""

    hands: tuple[tuple[str, ...], ...]
    display: tuple[str, ...]
    top: int | None  # the number on top of the pile
    pile: int  # how many cards are left in it
    discards: tuple[str, ...]


def card_list(bits: int) -> list[int]:
    """The cards of a bit set, in ascending order."""
    found = []
    while bits:
        lowest = bits & -bits
        found.append(lowest.bit_length() - 1)
        bits ^= lowest
    return found


def card_names(cards: Cards, numbers: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(cards.name, numbers))


def visible_cards(cards: Cards, state: Sequence[int]) -> SeenCards:
    """The cards of a state from which `kernel.hide` has removed the hidden ones."""
    hands = []
    for player in range(state[kernel.PLAYERS]):
        counts = (state[kernel.HAND_NUMBERS + player] >> 3 * number & 7 for number in range(cards.numbers))
        hidden = (f"{HIDDEN}{cards.lowest + number}" for number, count in enumerate(counts) for _ in range(count))
        hands.append(card_names(cards, card_list(state[kernel.HAND + player])) or tuple(hidden))
    return SeenCards(
        hands=tuple(hands),
        display=tuple(name for name in display_names(state) if name),
        top=state[kernel.NUMBER] or None,
        pile=state[kernel.PILE],
        discards=card_names(cards, card_list(state[kernel.DISCARDS])),
    )


def display_names(state: Sequence[int]) -> list[str]:
    """The display as everybody sees it, "" for an empty place; a second card with the same number is `?5'`."""
    found: list[str] = []
    for number in state[kernel.DISPLAY_NUMBERS : kernel.DISPLAY_NUMBERS + kernel.DISPLAYED]:
        name = f"{HIDDEN}{number}" if number else ""
        while name and name in found:
            name += "'"
        found.append(name)
    return found


def read_cards(cards: Cards, words: Sequence[str], expected: Iterable[int]) -> list[int]:
    """Parse card names, which must name exactly the expected cards, in any order."""
    left, read = set(expected), []
    for word in words:
        match = _CARD.fullmatch(word)
        number = int(match[2]) - cards.lowest if match else -1
        if not match or not 0 <= number < cards.numbers:
            raise CardError(
                f"{quote(word) or repr(word)} is not a card; cards are written like r5 and g12, a joker like j7"
            )
        card = CARD_COLOURS.index(match[1]) * kernel.MAX_NUMBERS + number
        if card in read:
            raise CardError(f"{word} is in it twice")
        if card not in left:
            joker = card // kernel.MAX_NUMBERS == kernel.JOKER
            raise CardError(f"{word} is not one of them" + (", there are no jokers" if joker else ""))
        read.append(card)
    if missing := sorted(left - set(read)):
        raise CardError(f"{cards.name(missing[0])} is missing: there are {len(left)} cards, not {len(read)}")
    return read


# Taking and playing


def write_take(cards: Cards, state: Sequence[int], action: int) -> str:
    """The cards taken, as in a record."""
    return ",".join(card_names(cards, sorted(state[kernel.DISPLAY + place] - 1 for place in _places(action))))


def write_seen_take(state: Sequence[int], action: int) -> str:
    """The cards taken, as the player who takes them sees them."""
    display = display_names(state)
    return sort_option(",".join(display[place] for place in _places(action)))


def _places(action: int) -> list[int]:
    return [place for place in range(kernel.DISPLAYED) if action - kernel.TAKE_CARDS >> place & 1]


def hide_taken(taken: str) -> str:
    """The cards taken, as everybody sees them: without colours."""
    return ",".join(f"{HIDDEN}{number}" for number in sorted(int(card[1:]) for card in taken.split(",")))


def write_play(cards: Cards, state: Sequence[int], player: int, action: int, marks: Sequence[str]) -> str:
    """The cards played, a joker with its colour, and their marks; `x` if marking nothing is a misthrow."""
    colour = CARD_COLOURS[action - kernel.PLAY_CARDS >> kernel.PLAYED_COLOUR]
    hand = card_list(state[kernel.HAND + player])
    played = [cards.name(card) for place, card in enumerate(hand) if action - kernel.PLAY_CARDS >> place & 1]
    written = ",".join(name + colour if name[0] == "j" else name for name in played)
    return f"{written} = {' '.join(marks) or ('-' if state[kernel.MARKED] else 'x')}"


def sort_option(option: str) -> str:
    """The option with its cards and marks in the order of the notation; the input may have any order.

    The marks of one row keep their order; unreadable text stays unchanged.
    """
    cards, equals, marks = option.partition(" = ")
    sorted_cards = ",".join(sorted(cards.split(","), key=_card_key))
    if not equals:
        return sorted_cards
    sorted_marks = sorted(marks.split(" "), key=lambda mark: ROW_NAMES.find(mark[:1]))
    return f"{sorted_cards} = {' '.join(sorted_marks)}"


def _card_key(name: str) -> tuple[int, int, str]:
    number = re.sub(r"\D", "", name)
    return CARD_COLOURS.find(name[:1]), int(number[:2] or 0), name
