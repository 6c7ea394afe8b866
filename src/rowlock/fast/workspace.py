"""The buffers of compiled games and of bots, and their sizes.

An array with `INTS` elements contains all buffers of integers, one after the other; a second one has `FLOATS` elements.
Code that plays whole games uses all buffers; a bot receives the last four buffers of integers, and the floats.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

CACHE_LINE = 8  # in int64 numbers; every buffer begins at a multiple of it


def _after(begin: int, size: int) -> int:
    """Where the next buffer begins after one of this size, which is rounded up to whole cache lines."""
    return begin + -(-size // CACHE_LINE) * CACHE_LINE


STATE_SIZE, STATES_SIZE = kernel.state_size(kernel.MAX_PLAYERS), 2 * kernel.state_size(kernel.MAX_PLAYERS)
OPTIONS_SIZE, DECISIONS_SIZE = 4 * kernel.MAX_OPTIONS, 4 * kernel.MAX_PLAYERS

# Buffers of a game.
STATE = 0
STATE_FOR_SEAT = _after(STATE, STATE_SIZE)  # the state without the cards that are hidden from a seat
DRAWN = _after(STATE_FOR_SEAT, STATE_SIZE)  # the dice; in card games the pile
GAME_OPTIONS = _after(DRAWN, kernel.MAX_CARDS)  # the options of the player to act
CHOSEN = _after(GAME_OPTIONS, kernel.MAX_OPTIONS)  # the chosen action of each player
# Buffers of a bot.
SCRATCH = _after(CHOSEN, kernel.MAX_PLAYERS)  # the kernel's scratch buffer
STATES = _after(SCRATCH, kernel.SCRATCH_SIZE)  # two states
OPTIONS = _after(STATES, STATES_SIZE)  # four lists of options
DECISIONS = _after(OPTIONS, OPTIONS_SIZE)  # four lists of an action per player
INTS = _after(DECISIONS, DECISIONS_SIZE)
FLOATS = 16 * kernel.MAX_OPTIONS  # the bot's buffer of floats: sixteen per option, or a network's activations

# How networks use a bot's buffers. States: the one that is evaluated, and a saved one.
SAVED_STATE = STATE_SIZE
# Options: those of the current action, those of the white action, features.
WHITE_OPTIONS, FEATURES_AT = kernel.MAX_OPTIONS, 2 * kernel.MAX_OPTIONS
# Decisions: those to carry out, the plan of each player, and the active player's plan for the colour action.
PLANS, COLOUR_PLAN = kernel.MAX_PLAYERS, 2 * kernel.MAX_PLAYERS
# Floats: the activations of a network come first, at most 256. Then the share of the win of each player, and of each
# candidate the value in a sample, the sum of these values, its final value, and the sums of squared differences to the
# other candidates. Candidates are the best options and the one that was played.
MAX_BEST = 4
MAX_CANDIDATES = MAX_BEST + 1
SHARES = 256
SAMPLED = SHARES + kernel.MAX_PLAYERS
SUMS = SAMPLED + MAX_CANDIDATES
COMBINED = SUMS + MAX_CANDIDATES
GAP_SQUARES = COMBINED + MAX_CANDIDATES
VALUES = GAP_SQUARES + MAX_CANDIDATES * MAX_CANDIDATES  # of each player, or of each option
ERRORS = VALUES + kernel.MAX_OPTIONS
REPLY_CHANCES = ERRORS + kernel.MAX_OPTIONS  # of each player and option

# Buffer of reviews: a state from which the samples of each candidate begin, the actions of players who have decided,
# which options are candidates, and the options of each player in a simultaneous action.
STARTS = 0
GIVEN = _after(STARTS, MAX_CANDIDATES * STATE_SIZE)
CANDIDATES = _after(GIVEN, kernel.MAX_PLAYERS)
REPLY_COUNTS = _after(CANDIDATES, MAX_CANDIDATES)
REPLIES = _after(REPLY_COUNTS, kernel.MAX_PLAYERS)
WORK = _after(REPLIES, kernel.MAX_PLAYERS * kernel.MAX_OPTIONS)


class Floats(Protocol):
    """A float32 array or a pointer to one."""

    def __getitem__(self, index: int, /) -> float: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...


# The buffers of a bot: scratch, states, options, decisions, floats. A bot receives a pointer to this tuple; the type of
# the pointer is written as a sequence with one element.
Buffers = tuple[Ints, Ints, Ints, Ints, Floats]
BotBuffers = Sequence[Buffers]
# The buffers of a game: state, state for a seat, drawn, options, chosen actions.
GameBuffers = tuple[Ints, Ints, Ints, Ints, Ints]
# The buffers of a bot, and the weights of a network.
NetworkBuffers = tuple[Ints, Ints, Ints, Ints, Floats, Floats]


def make_buffers() -> BotBuffers:
    """New buffers for an interpreted bot."""
    sizes = (kernel.SCRATCH_SIZE, STATES_SIZE, OPTIONS_SIZE, DECISIONS_SIZE)
    scratch, states, options, decisions = ([0] * size for size in sizes)
    return ((scratch, states, options, decisions, np.zeros(FLOATS, np.float32)),)
