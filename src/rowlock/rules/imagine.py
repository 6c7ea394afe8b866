"""A game that looks to a seat just as the real one does: what is hidden from it is filled in at random."""

import random
from collections.abc import Sequence

from rowlock.rules import kernel as k
from rowlock.rules.game import Game
from rowlock.rules.hidden import lay
from rowlock.rules.variant import Variant


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
