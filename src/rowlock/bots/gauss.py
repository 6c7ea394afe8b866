"""The network of the yardstick `network`: 25 numbers in, 128, 64, and out come the mean and variance of points.

Winning follows from that: everybody's points are taken as normal and independent of each other.
"""

from math import erf, exp, log, sqrt

from rowlock.bots.bot import Floats
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints

INPUTS, PADDED, FIRST, SECOND = 25, 28, 128, 64
MEAN, SPREAD = 0, 1

# Weights, one after the other.
W_FIRST = 0
B_FIRST = W_FIRST + PADDED * FIRST
W_SECOND = B_FIRST + FIRST
B_SECOND = W_SECOND + FIRST * SECOND
W_OUTPUT = B_SECOND + SECOND
B_OUTPUT = W_OUTPUT + SECOND * 2
WEIGHTS = B_OUTPUT + 2

# Room for floats.
R_INPUT = 0
R_FIRST = R_INPUT + PADDED
R_SECOND = R_FIRST + FIRST
R_OUTPUT = R_SECOND + SECOND


def inputs(state: Ints, tables: Ints, player: int, notes: Floats) -> None:
    """What the network sees of a player's sheet and of the most dangerous of the others."""
    sheet = k.sheet_at(player)
    misthrows = 0
    points = 0
    for other in range(state[k.PLAYERS]):
        if other != player:
            misthrows = max(misthrows, state[k.sheet_at(other) + k.MISTHROWS])
            points = max(points, k.total(state, k.sheet_at(other), tables))
    for row in range(k.ROWS):
        marks = 0
        can_lock = 0
        for other in range(state[k.PLAYERS]):
            if other != player:
                count = state[k.sheet_at(other) + k.COUNT + row]
                marks = max(marks, count)
                can_lock = max(can_lock, int(count >= tables[k.T_NEEDED]))
        closed = (state[k.CLOSED] >> row) & 1
        notes[R_INPUT + row] = state[sheet + k.NEXT + row] / tables[k.T_CELLS + row]
        notes[R_INPUT + 4 + row] = state[sheet + k.COUNT + row] / 12.0
        notes[R_INPUT + 8 + row] = closed
        notes[R_INPUT + 12 + row] = marks / 12.0
        notes[R_INPUT + 16 + row] = can_lock * (1 - closed)
    notes[R_INPUT + 20] = state[sheet + k.MISTHROWS] / 4.0
    notes[R_INPUT + 21] = misthrows / 4.0
    notes[R_INPUT + 22] = k.total(state, sheet, tables) / 100.0
    notes[R_INPUT + 23] = points / 100.0
    notes[R_INPUT + 24] = int(state[k.ACTIVE] == player)
    for place in range(INPUTS, PADDED):
        notes[R_INPUT + place] = 0.0


def layer(
    notes: Floats, source: int, size: int, weights: Floats, table: int, bias: int, target: int, width: int
) -> None:
    """From one layer to the next, the negative ones cut off."""
    for unit in range(width):
        notes[target + unit] = weights[bias + unit]
    for place in range(0, size, 4):  # four at a time, or no vector instructions are made of it
        one, two = notes[source + place], notes[source + place + 1]
        three, four = notes[source + place + 2], notes[source + place + 3]
        row = table + place * width
        for unit in range(width):
            notes[target + unit] += (
                one * weights[row + unit]
                + two * weights[row + width + unit]
                + three * weights[row + 2 * width + unit]
                + four * weights[row + 3 * width + unit]
            )
    for unit in range(width):
        notes[target + unit] = max(notes[target + unit], 0.0)


def mean(state: Ints, tables: Ints, player: int, weights: Floats, notes: Floats) -> float:
    """A player's points in hundreds, on average; the logarithm of their variance is noted down."""
    inputs(state, tables, player, notes)
    layer(notes, R_INPUT, PADDED, weights, W_FIRST, B_FIRST, R_FIRST, FIRST)
    layer(notes, R_FIRST, FIRST, weights, W_SECOND, B_SECOND, R_SECOND, SECOND)
    points = float(weights[B_OUTPUT])
    spread = float(weights[B_OUTPUT + 1])
    for unit in range(SECOND):
        points += notes[R_SECOND + unit] * weights[W_OUTPUT + 2 * unit]
        spread += notes[R_SECOND + unit] * weights[W_OUTPUT + 2 * unit + 1]
    notes[R_OUTPUT] = min(max(spread, -8.0), 1.0)
    return points


def odds(state: Ints, tables: Ints, seat: int, weights: Floats, notes: Floats) -> float:
    """The log odds of having more points than everybody else."""
    own = mean(state, tables, seat, weights, notes)
    variance = exp(notes[R_OUTPUT])
    chance = 1.0
    for other in range(state[k.PLAYERS]):
        if other != seat:
            apart = own - mean(state, tables, other, weights, notes)
            chance *= 0.5 + 0.5 * erf(apart / sqrt(2.0 * (variance + exp(notes[R_OUTPUT]))))
    chance = min(max(chance, 1e-6), 1.0 - 1e-6)
    return log(chance / (1.0 - chance))
