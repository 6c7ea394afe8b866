"""The network of `scholar`, of the published kind: 25 numbers in, layers of 128 and 64, a mean and a variance out.

They are those of the lead over the other player in the end, in hundreds of points; alone, of the points. All sums are
made in the same order and in single precision, so interpreted and compiled decisions are the same.
"""

from math import exp

from rowlock.fast.workspace import Floats
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

KNOWN = frozenset({"bar", "bar_boxes", "pairs", "fields"})  # effects that it can be trained with
INPUTS, FIRST, SECOND = 25, 128, 64
PADDED = 28  # a multiple of four, see `layer`
LOWEST, HIGHEST = -8.0, 1.0  # of the logarithm of the variance: from 2 to 165 points of deviation

# Weights, one after the other.
W_FIRST = 0
B_FIRST = W_FIRST + PADDED * FIRST
W_SECOND = B_FIRST + FIRST
B_SECOND = W_SECOND + FIRST * SECOND
W_OUTPUT = B_SECOND + SECOND
B_OUTPUT = W_OUTPUT + 2 * SECOND
WEIGHTS = B_OUTPUT + 2

# Buffers of floats.
R_INPUT = 0
R_FIRST = R_INPUT + PADDED
R_SECOND = R_FIRST + FIRST
R_MEAN = R_SECOND + SECOND
R_SPREAD = R_MEAN + 1  # the logarithm of the variance

# Inputs. Those of a sheet, four rows each and the misthrows, own then other; then of the game.
NEXT, MARKS, MISTHROWS, OTHER = 0, kernel.ROWS, 2 * kernel.ROWS, 2 * kernel.ROWS + 1
CLOSED = 2 * OTHER
LEAD, POINTS, ROLLS = CLOSED + kernel.ROWS, CLOSED + kernel.ROWS + 1, CLOSED + kernel.ROWS + 2


def sheet_inputs(state: Ints, tables: Ints, sheet: int, notes: Floats, at: int) -> None:
    for row in range(kernel.ROWS):
        notes[at + NEXT + row] = state[sheet + kernel.NEXT + row] / tables[kernel.T_CELLS + row]
        notes[at + MARKS + row] = state[sheet + kernel.COUNT + row] / 12
    notes[at + MISTHROWS] = state[sheet + kernel.MISTHROWS] / kernel.MISTHROWS_TO_END


def inputs(state: Ints, tables: Ints, player: int, notes: Floats) -> None:
    """What the network sees of a game between two turns."""
    for place in range(PADDED):
        notes[R_INPUT + place] = 0.0
    own = kernel.total(state, kernel.sheet_at(player), tables)
    lead = own
    sheet_inputs(state, tables, kernel.sheet_at(player), notes, R_INPUT)
    if state[kernel.PLAYERS] > 1:
        other = kernel.sheet_at(1 - player)
        lead = own - kernel.total(state, other, tables)
        sheet_inputs(state, tables, other, notes, R_INPUT + OTHER)
    for row in range(kernel.ROWS):
        notes[R_INPUT + CLOSED + row] = (state[kernel.CLOSED] >> row) & 1
    notes[R_INPUT + LEAD] = lead / 100
    notes[R_INPUT + POINTS] = own / 100
    notes[R_INPUT + ROLLS] = int(state[kernel.ACTIVE] == player)


def layer(
    notes: Floats, source: int, size: int, weights: Floats, table: int, bias: int, target: int, width: int
) -> None:
    """From one layer to the next, what is negative cut off."""
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


def evaluate(state: Ints, tables: Ints, player: int, weights: Floats, notes: Floats) -> None:
    """Write the mean, and the logarithm of the variance, of what a player can expect into the buffer."""
    inputs(state, tables, player, notes)
    layer(notes, R_INPUT, PADDED, weights, W_FIRST, B_FIRST, R_FIRST, FIRST)
    layer(notes, R_FIRST, FIRST, weights, W_SECOND, B_SECOND, R_SECOND, SECOND)
    for output in range(2):
        notes[R_MEAN + output] = weights[B_OUTPUT + output]
        for unit in range(SECOND):
            notes[R_MEAN + output] += notes[R_SECOND + unit] * weights[W_OUTPUT + 2 * unit + output]
    notes[R_SPREAD] = min(max(notes[R_SPREAD], LOWEST), HIGHEST)


def value(state: Ints, tables: Ints, player: int, weights: Floats, notes: Floats) -> float:
    """Orders games as the probability of winning does: the lead over its deviation. Alone: points."""
    evaluate(state, tables, player, weights, notes)
    mean = float(notes[R_MEAN])
    return mean if state[kernel.PLAYERS] == 1 else mean * exp(-0.5 * float(notes[R_SPREAD]))
