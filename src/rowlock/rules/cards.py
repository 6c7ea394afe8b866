"""Cards in notation: decks, what is taken and what is played, and what a seat sees of them."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rowlock.rules import kernel
from rowlock.rules.error_text import shown
from rowlock.rules.variant import CARD_COLOURS, ROW_NAMES, Cards

HIDDEN = "?"  # stands for a colour that is not to be seen

_CARD = re.compile(r"([rygbj])([1-9][0-9]?)")


class CardError(ValueError):
    """Cards that cannot be read, or are not those there are."""


class SeenCards(NamedTuple):
    """What a seat sees of the cards: `r5`, or `?5` where only the back with its number shows."""

    hands: tuple[tuple[str, ...], ...]
    display: tuple[str, ...]
    top: int | None  # the number on top of the pile
    pile: int  # how many cards are left in it
    discards: tuple[str, ...]


def held(hand: int) -> list[int]:
    """The cards of a bit set, in order."""
    found = []
    while hand:
        lowest = hand & -hand
        found.append(lowest.bit_length() - 1)
        hand ^= lowest
    return found


def names(cards: Cards, several: Iterable[int]) -> tuple[str, ...]:
    return tuple(map(cards.name, several))


def seen(cards: Cards, state: Sequence[int]) -> SeenCards:
    """What a state shows that hides what its viewer may not know."""
    hands = []
    for player in range(state[kernel.PLAYERS]):
        counts = (state[kernel.HELD + player] >> 3 * number & 7 for number in range(cards.numbers))
        hidden = (f"{HIDDEN}{cards.lowest + number}" for number, count in enumerate(counts) for _ in range(count))
        hands.append(names(cards, held(state[kernel.HAND + player])) or tuple(hidden))
    return SeenCards(
        hands=tuple(hands),
        display=tuple(name for name in backs(state) if name),
        top=state[kernel.NUMBER] or None,
        pile=state[kernel.PILE],
        discards=names(cards, held(state[kernel.DISCARDS])),
    )


def backs(state: Sequence[int]) -> list[str]:
    """The display as everybody sees it, "" for an empty place; a second card with a number is `?5'`."""
    found: list[str] = []
    for number in state[kernel.SHOWN : kernel.SHOWN + kernel.DISPLAYED]:
        name = f"{HIDDEN}{number}" if number else ""
        while name and name in found:
            name += "'"
        found.append(name)
    return found


def read_cards(cards: Cards, words: Sequence[str], wanted: Iterable[int]) -> list[int]:
    """The cards that these words name, which must be exactly those wanted, in any order."""
    left, read = set(wanted), []
    for word in words:
        match = _CARD.fullmatch(word)
        number = int(match[2]) - cards.lowest if match else -1
        if not match or not 0 <= number < cards.numbers:
            raise CardError(
                f"{shown(word) or repr(word)} is not a card; cards are written like r5 and g12, a joker like j7"
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
    """The cards taken, as the record tells it."""
    return ",".join(names(cards, sorted(state[kernel.DISPLAY + place] - 1 for place in _places(action))))


def write_seen_take(state: Sequence[int], action: int) -> str:
    """The cards taken, as whoever takes them sees it."""
    display = backs(state)
    return in_order(",".join(display[place] for place in _places(action)))


def _places(action: int) -> list[int]:
    return [place for place in range(kernel.DISPLAYED) if action - kernel.TAKE_CARDS >> place & 1]


def hide_taken(taken: str) -> str:
    """Cards that were taken, as everybody saw them."""
    return ",".join(f"{HIDDEN}{number}" for number in sorted(int(card[1:]) for card in taken.split(",")))


def write_play(cards: Cards, state: Sequence[int], player: int, action: int, marks: Sequence[str]) -> str:
    """The cards played, a joker with its colour, and what they mark; `x` where marking nothing is a misthrow."""
    colour = CARD_COLOURS[action - kernel.PLAY_CARDS >> kernel.PLAYED_COLOUR]
    hand = held(state[kernel.HAND + player])
    played = [cards.name(card) for place, card in enumerate(hand) if action - kernel.PLAY_CARDS >> place & 1]
    written = ",".join(name + colour if name[0] == "j" else name for name in played)
    return f"{written} = {' '.join(marks) or ('-' if state[kernel.MARKED] else 'x')}"


def in_order(option: str) -> str:
    """The same choice as the rules write it: cards and marks may be named in any order.

    The marks of a row keep theirs, from left to right; what cannot be read stays as it is.
    """
    cards, equals, marks = option.partition(" = ")
    sorted_cards = ",".join(sorted(cards.split(","), key=_place_of_card))
    if not equals:
        return sorted_cards
    sorted_marks = sorted(marks.split(" "), key=lambda mark: ROW_NAMES.find(mark[:1]))
    return f"{sorted_cards} = {' '.join(sorted_marks)}"


def _place_of_card(name: str) -> tuple[int, int, str]:
    number = re.sub(r"\D", "", name)
    return CARD_COLOURS.find(name[:1]), int(number[:2] or 0), name
