"""A game that looks to a seat just as the real one does: what is hidden from it is filled in at random."""

import random
from collections import defaultdict
from collections.abc import Sequence

from rowlock.rules import kernel as k
from rowlock.rules.cards import held
from rowlock.rules.game import Game
from rowlock.rules.variant import Variant


def imagine(variant: Variant, players: Sequence[str], seen: Sequence[int], rng: random.Random) -> Game:
    """A game that stands where a view's state says; it remembers no turns.

    Every way in which the hidden cards can lie is taken for equally likely, whatever earlier turns have shown.
    """
    game = Game(variant, players, seed=rng.getrandbits(63))
    state = list(seen)
    if variant.cards:
        state += _lay_hidden_cards(variant, state, rng)
    game._state = state
    return game


def _lay_hidden_cards(variant: Variant, state: list[int], rng: random.Random) -> list[int]:
    """Fill the hands and the display of a state; return the pile."""
    assert variant.cards
    known = {card for hand in state[k.HAND : k.HAND + k.MAX_PLAYERS] for card in held(hand)}
    known |= {*held(state[k.DISCARDS])}
    unseen = [card for card in variant.cards.deck if card not in known]
    rng.shuffle(unseen)
    by_number: dict[int, list[int]] = defaultdict(list)
    for card in unseen:
        by_number[card % k.MAX_NUMBERS].append(card)
    for player in range(state[k.PLAYERS]):
        if state[k.HAND + player] == 0:
            for number in range(variant.cards.numbers):
                for _ in range(state[k.HELD + player] >> 3 * number & 7):
                    state[k.HAND + player] |= 1 << by_number[number].pop()
    for place in range(k.DISPLAYED):
        if state[k.SHOWN + place]:
            state[k.DISPLAY + place] = by_number[state[k.SHOWN + place] - variant.cards.lowest].pop() + 1
    top = [by_number[state[k.NUMBER] - variant.cards.lowest].pop()] if state[k.NUMBER] else []
    rest = [card for cards in by_number.values() for card in cards]
    rng.shuffle(rest)
    state[k.DRAWN] = 0
    pile = top + rest
    return pile + [0] * (k.MAX_CARDS - len(pile))
