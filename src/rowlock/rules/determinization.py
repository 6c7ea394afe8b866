"""Determinization: a game that agrees with what a seat sees, with the hidden cards sampled at random."""

import random
from collections.abc import Sequence
from typing import Protocol

from rowlock.rules import hidden_cards, kernel
from rowlock.rules.card_game import CardGame
from rowlock.rules.cards import HIDDEN, SeenCards
from rowlock.rules.game import REASONS, Game
from rowlock.rules.variant import CARD_COLOURS, ROW_NAMES, Cards, Setup, Variant


def determinize(variant: Variant, players: Sequence[str], visible: Sequence[int], rng: random.Random) -> Game:
    """A game with the visible state of a view and sampled hidden cards, without earlier turns.

    Every distribution of the hidden cards is equally likely, whatever earlier decisions suggest.
    """
    game = Game(variant, players, seed=rng.getrandbits(63), jokers=bool(visible[kernel.JOKERS]))
    state = list(visible)
    if variant.cards:
        pile = [0] * kernel.MAX_CARDS
        key, salt = rng.getrandbits(32), rng.getrandbits(32)
        hidden_cards.sample(state, variant.tables, key, salt, pile)
        state += pile
    game._state = state
    return game


class SeenSheet(Protocol):
    """A sheet of a card game: the numbers marked in each row from left to right, and the misthrows."""

    rows: dict[str, list[int]]
    misthrows: int


def card_state(
    setup: Setup,
    seen: SeenCards,
    sheets: Sequence[SeenSheet],
    *,
    turn: int,
    phase: str,
    active: int,
    closed: Sequence[str] = (),
    marked: bool = False,
    reason: str | None = None,
) -> list[int]:
    """The state of a card game as a seat sees it.

    `marked` says whether the active player has marked in this turn; the other keywords are as in `View`.
    """
    card_set = setup.variant.cards
    assert card_set
    state = [0] * kernel.state_size(len(sheets))
    kernel.start(state, setup.variant.tables, len(sheets))
    # The phase `deal` becomes ROLL, also where it is DRAW: nobody decides in either.
    state[kernel.PHASE], state[kernel.ACTIVE] = CardGame.PHASES.index(phase), active
    state[kernel.REASON], state[kernel.JOKERS] = REASONS.index(reason), int(setup.jokers)
    state[kernel.TURN] = turn if phase == "over" else turn - 1  # turns completed
    state[kernel.CLOSED] = sum(1 << ROW_NAMES.index(name) for name in closed)
    state[kernel.MARKED] = int(marked)
    state[kernel.NUMBER], state[kernel.PILE] = seen.top or 0, seen.pile
    state[kernel.DISCARDS] = _card_bits(card_set, seen.discards)
    for place, name in enumerate(seen.display):
        state[kernel.DISPLAY_NUMBERS + place] = int(name[1:].rstrip("'"))
    for player, (sheet, hand) in enumerate(zip(sheets, seen.hands, strict=True)):
        begin = kernel.sheet_at(player)
        state[begin + kernel.MISTHROWS] = sheet.misthrows
        for code in (setup.variant.codes[f"{row}{number}"] for row, marks in sheet.rows.items() for number in marks):
            kernel.mark_cell(state, begin, setup.variant.tables, kernel.row_of(code), kernel.place_in_row(code))
        state[kernel.HAND_NUMBERS + player] = sum(kernel.one_back(int(name[1:]) - card_set.lowest) for name in hand)
        state[kernel.HAND + player] = _card_bits(card_set, [name for name in hand if name[0] != HIDDEN])
    return state


def _card_bits(card_set: Cards, names: Sequence[str]) -> int:
    """Cards as a bit set."""
    cards = (CARD_COLOURS.index(name[0]) * kernel.MAX_NUMBERS + int(name[1:]) - card_set.lowest for name in names)
    return sum(1 << card for card in cards)
