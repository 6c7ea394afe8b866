"""The buffers of compiled games and of bots, and their sizes.

One array of `INTS` contains all buffers of integers, one after the other; a second array has `FLOATS`. Code that plays
whole games uses all of them, a bot gets the last five.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

CACHE_LINE = 8  # in int64 numbers; every buffer begins at a multiple


def _after(begin: int, size: int) -> int:
    return begin + -(-size // CACHE_LINE) * CACHE_LINE


STATE_SIZE, STATES_SIZE = kernel.state_size(kernel.MAX_PLAYERS), 2 * kernel.state_size(kernel.MAX_PLAYERS)
OPTIONS_SIZE, DECISIONS_SIZE = 4 * kernel.MAX_OPTIONS, 4 * kernel.MAX_PLAYERS

# Buffers of a game.
STATE = 0
SEEN = _after(STATE, STATE_SIZE)  # a state as one of the seats sees it
DRAWN = _after(SEEN, STATE_SIZE)  # dice, or the pile
GAME_OPTIONS = _after(DRAWN, kernel.MAX_CARDS)  # the options of the player to act
CHOSEN = _after(GAME_OPTIONS, kernel.MAX_OPTIONS)  # an action per player
# Buffers of a bot.
SCRATCH = _after(CHOSEN, kernel.MAX_PLAYERS)  # the kernel's scratch buffer
STATES = _after(SCRATCH, kernel.SCRATCH_SIZE)  # two states
OPTIONS = _after(STATES, STATES_SIZE)  # four lists of options
DECISIONS = _after(OPTIONS, OPTIONS_SIZE)  # four lists of an action per player
INTS = _after(DECISIONS, DECISIONS_SIZE)
FLOATS = 16 * kernel.MAX_OPTIONS  # of a bot: sixteen numbers per option

# How networks use a bot's buffers. States: the one that is evaluated, and a saved one.
SAVED_STATE = STATE_SIZE
# Options: those of the current action, those of the white action, features.
WHITE_OPTIONS, FEATURES_AT = kernel.MAX_OPTIONS, 2 * kernel.MAX_OPTIONS
# Decisions: those to carry out, the plan of each player, and the active player's plan for the colour action.
PLANS, COLOUR_PLAN = kernel.MAX_PLAYERS, 2 * kernel.MAX_PLAYERS


class Floats(Protocol):
    """A float32 array or a pointer to one."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


# The buffers of a bot: scratch, states, options, decisions, floats. A bot receives a pointer to this tuple, which is
# written as a sequence with one element.
Buffers = tuple[Ints, Ints, Ints, Ints, Floats]
BotBuffers = Sequence[Buffers]
# The same with the weights of a network.
NetworkBuffers = tuple[Ints, Ints, Ints, Ints, Floats, Floats]


def make_buffers() -> BotBuffers:
    """The buffers of an interpreted bot."""
    sizes = (kernel.SCRATCH_SIZE, STATES_SIZE, OPTIONS_SIZE, DECISIONS_SIZE)
    scratch, states, options, decisions = ([0] * size for size in sizes)
    return ((scratch, states, options, decisions, np.zeros(FLOATS, np.float32)),)
