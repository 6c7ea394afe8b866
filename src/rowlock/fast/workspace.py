"""The workspace of compiled games and of bots: which buffers there are, and how large each one is.

All buffers of whole numbers lie in one array of `INTS`, one after the other; beside it is one of `FLOATS`. Whoever
plays whole games uses all of them, a bot that decides gets the last five.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints

STATE_SIZE = k.state_size(k.MAX_PLAYERS)

# Of a game.
STATE = 0
SEEN = STATE + STATE_SIZE  # a state as one of the seats sees it
DRAWN = SEEN + STATE_SIZE  # dice, or the pile
FOUND = DRAWN + k.MAX_CARDS  # the options of the player to act
CHOSEN = FOUND + k.MAX_OPTIONS  # an action per player
# Of a bot.
TRIAL = CHOSEN + k.MAX_PLAYERS  # where the kernel tries marks
STATES = TRIAL + k.SPARE_SIZE  # two states
OPTIONS = STATES + 2 * STATE_SIZE  # options four times over
DECISIONS = OPTIONS + 4 * k.MAX_OPTIONS  # actions of all players four times over
INTS = DECISIONS + 4 * k.MAX_PLAYERS
FLOATS = 8192

# How networks use a bot's buffers. States: the one they look at, and one to go back to.
BACK = STATE_SIZE
# Options: those of the action looked at, those of the white action, features.
WHITES, FEATURES_AT = k.MAX_OPTIONS, 2 * k.MAX_OPTIONS
# Decisions: those to act by, what each player plans, and what the active player plans to do after that.
PLANS, COLOUR_PLAN = k.MAX_PLAYERS, 2 * k.MAX_PLAYERS


class Floats(Protocol):
    """A float32 array, or a pointer to one."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


# What a bot receives: trial, states, options, decisions, floats. Compiled, it is a pointer to such a tuple, hence the
# only element of a sequence.
Buffers = tuple[Ints, Ints, Ints, Ints, Floats]
Room = Sequence[Buffers]
# The same, and the weights of a network.
NetworkBuffers = tuple[Ints, Ints, Ints, Ints, Floats, Floats]


def make_room() -> Room:
    """The buffers of a bot that is interpreted."""
    trial, states, options, decisions = (
        [0] * (end - begin)
        for begin, end in ((TRIAL, STATES), (STATES, OPTIONS), (OPTIONS, DECISIONS), (DECISIONS, INTS))
    )
    return ((trial, states, options, decisions, np.zeros(FLOATS, np.float32)),)
