"""The workspace of compiled games and of bots: which buffers there are, and how large each one is.

All buffers of whole numbers lie in one array of `INTS`, one after the other; beside it is one of `FLOATS`. Whoever
plays whole games uses all of them, a bot that decides gets the last five.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

CACHE_LINE = 8  # whole numbers; every buffer begins on one


def _after(begin: int, size: int) -> int:
    return begin + -(-size // CACHE_LINE) * CACHE_LINE


STATE_SIZE, STATES_SIZE = kernel.state_size(kernel.MAX_PLAYERS), 2 * kernel.state_size(kernel.MAX_PLAYERS)
OPTIONS_SIZE, DECISIONS_SIZE = 4 * kernel.MAX_OPTIONS, 4 * kernel.MAX_PLAYERS

# Of a game.
STATE = 0
SEEN = _after(STATE, STATE_SIZE)  # a state as one of the seats sees it
DRAWN = _after(SEEN, STATE_SIZE)  # dice, or the pile
FOUND = _after(DRAWN, kernel.MAX_CARDS)  # the options of the player to act
CHOSEN = _after(FOUND, kernel.MAX_OPTIONS)  # an action per player
# Of a bot.
SCRATCH = _after(CHOSEN, kernel.MAX_PLAYERS)  # where the kernel tries marks
STATES = _after(SCRATCH, kernel.SCRATCH_SIZE)  # two states
OPTIONS = _after(STATES, STATES_SIZE)  # options four times over
DECISIONS = _after(OPTIONS, OPTIONS_SIZE)  # actions of all players four times over
INTS = _after(DECISIONS, DECISIONS_SIZE)
FLOATS = 16 * kernel.MAX_OPTIONS  # of a bot: sixteen numbers for every option

# How networks use a bot's buffers. States: the one they look at, and one to go back to.
BACK = STATE_SIZE
# Options: those of the action looked at, those of the white action, features.
WHITES, FEATURES_AT = kernel.MAX_OPTIONS, 2 * kernel.MAX_OPTIONS
# Decisions: those to act by, what each player plans, and what the active player plans to do after that.
PLANS, COLOUR_PLAN = kernel.MAX_PLAYERS, 2 * kernel.MAX_PLAYERS


class Floats(Protocol):
    """A float32 array, or a pointer to one."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


# What a bot receives: scratch, states, options, decisions, floats. Compiled, it is a pointer to such a tuple, hence the
# only element of a sequence.
Buffers = tuple[Ints, Ints, Ints, Ints, Floats]
BotBuffers = Sequence[Buffers]
# The same, and the weights of a network.
NetworkBuffers = tuple[Ints, Ints, Ints, Ints, Floats, Floats]


def make_buffers() -> BotBuffers:
    """The buffers of a bot that is interpreted."""
    sizes = (kernel.SCRATCH_SIZE, STATES_SIZE, OPTIONS_SIZE, DECISIONS_SIZE)
    scratch, states, options, decisions = ([0] * size for size in sizes)
    return ((scratch, states, options, decisions, np.zeros(FLOATS, np.float32)),)
