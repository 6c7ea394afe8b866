"""A game that looks to a seat just as the real one does: what is hidden from it is filled in at random."""

import random
from collections.abc import Sequence
from typing import Protocol

from rowlock.rules import kernel as k
from rowlock.rules.card_game import CardGame
from rowlock.rules.cards import HIDDEN, SeenCards
from rowlock.rules.game import REASONS, Game
from rowlock.rules.hidden import lay
from rowlock.rules.variant import CARD_COLOURS, ROW_NAMES, Cards, Setup, Variant


def imagine(variant: Variant, players: Sequence[str], seen: Sequence[int], rng: random.Random) -> Game:
    """A game that stands where a view's state says; it remembers no turns.

    Every way in which the hidden cards can lie is taken for equally likely, whatever earlier turns have shown.
    """
    game = Game(variant, players, seed=rng.getrandbits(63), jokers=bool(seen[k.JOKERS]))
    state = list(seen)
    if variant.cards:
        pile = [0] * k.MAX_CARDS
        lay(state, variant.tables, rng.getrandbits(32), rng.getrandbits(32), pile)
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
    """The state of a card game as far as a seat sees it; `marked` is whether the active player has, in this turn."""
    cards = setup.variant.cards
    assert cards
    state = [0] * k.state_size(len(sheets))
    k.start(state, setup.variant.tables, len(sheets))
    state[k.PHASE], state[k.ACTIVE], state[k.REASON] = CardGame.PHASES.index(phase), active, REASONS.index(reason)
    state[k.JOKERS] = int(setup.jokers)
    state[k.TURN] = turn - (phase != "over")
    state[k.CLOSED] = sum(1 << ROW_NAMES.index(name) for name in closed)
    state[k.MARKED] = int(marked)
    state[k.NUMBER], state[k.PILE] = seen.top or 0, seen.pile
    state[k.DISCARDS] = _bits(cards, seen.discards)
    for place, name in enumerate(seen.display):
        state[k.SHOWN + place] = int(name[1:].rstrip("'"))
    for player, (sheet, hand) in enumerate(zip(sheets, seen.hands, strict=True)):
        at = k.sheet_at(player)
        state[at + k.MISTHROWS] = sheet.misthrows
        for code in (setup.variant.codes[f"{row}{number}"] for row, marks in sheet.rows.items() for number in marks):
            k.cross(state, at, setup.variant.tables, k.row_of(code), k.place_in_row(code))
        state[k.HELD + player] = sum(1 << 3 * (int(name[1:]) - cards.lowest) for name in hand)
        state[k.HAND + player] = _bits(cards, [name for name in hand if name[0] != HIDDEN])
    return state


def _bits(cards: Cards, names: Sequence[str]) -> int:
    """Cards as a bit set."""
    return sum(1 << CARD_COLOURS.index(name[0]) * k.MAX_NUMBERS + int(name[1:]) - cards.lowest for name in names)
