"""The network of `scholar`: 25 inputs, layers of 128 and 64 units, a mean and a variance.

It is like the network of the best published player, see `docs/experiments.md`.

The outputs describe the final lead over the other player, or in a solo game the final points, in hundreds. All sums are
computed in the same order and in single precision, so interpreted and compiled decisions are the same.
"""

from math import exp

from rowlock.fast.workspace import Floats
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

EFFECTS = frozenset({"bar", "pairs", "fields"})  # effects of variants for which the network can be trained
INPUTS, FIRST, SECOND, OUTPUTS = 25, 128, 64, 2
PADDED = 28  # inputs, filled up with zeros to a multiple of four, see `layer`
MIN_LOG_VARIANCE, MAX_LOG_VARIANCE = -8.0, 1.0  # standard deviations from 2 to 165 points

# Offsets of the weights: W matrices, B biases.
W_FIRST = 0
B_FIRST = W_FIRST + PADDED * FIRST
W_SECOND = B_FIRST + FIRST
B_SECOND = W_SECOND + FIRST * SECOND
W_OUTPUT = B_SECOND + SECOND
B_OUTPUT = W_OUTPUT + SECOND * OUTPUTS
WEIGHTS = B_OUTPUT + OUTPUTS

# Offsets of activations in the buffer of floats.
A_INPUT = 0
A_FIRST = A_INPUT + PADDED
A_SECOND = A_FIRST + FIRST
A_MEAN = A_SECOND + SECOND
A_LOG_VARIANCE = A_MEAN + 1

# Offsets of inputs. For a sheet: next cells, numbers of marks, misthrows. The other player's sheet is at OTHER_SHEET.
# After both sheets: closed rows, the lead, the player's own points, and whether the player rolls next.
NEXT, MARKS, MISTHROWS, OTHER_SHEET = 0, kernel.ROWS, 2 * kernel.ROWS, 2 * kernel.ROWS + 1
CLOSED = 2 * OTHER_SHEET
LEAD, POINTS, ROLLS_NEXT = CLOSED + kernel.ROWS, CLOSED + kernel.ROWS + 1, CLOSED + kernel.ROWS + 2


def sheet_inputs(state: Ints, tables: Ints, sheet: int, floats: Floats, at: int) -> None:
    for row in range(kernel.ROWS):
        floats[at + NEXT + row] = state[sheet + kernel.NEXT + row] / tables[kernel.T_CELLS + row]
        floats[at + MARKS + row] = state[sheet + kernel.COUNT + row] / 12  # a full row of Classic
    floats[at + MISTHROWS] = state[sheet + kernel.MISTHROWS] / tables[kernel.T_MISTHROWS_TO_END]


def inputs(state: Ints, tables: Ints, player: int, floats: Floats) -> None:
    """Write the inputs for a player in a state between two turns."""
    for i in range(PADDED):
        floats[A_INPUT + i] = 0.0
    own = kernel.total(state, kernel.sheet_at(player), tables)
    lead = own
    sheet_inputs(state, tables, kernel.sheet_at(player), floats, A_INPUT)
    if state[kernel.PLAYERS] > 1:
        other = kernel.sheet_at(1 - player)
        lead = own - kernel.total(state, other, tables)
        sheet_inputs(state, tables, other, floats, A_INPUT + OTHER_SHEET)
    for row in range(kernel.ROWS):
        floats[A_INPUT + CLOSED + row] = (state[kernel.CLOSED] >> row) & 1
    floats[A_INPUT + LEAD] = lead / 100
    floats[A_INPUT + POINTS] = own / 100
    floats[A_INPUT + ROLLS_NEXT] = int(state[kernel.ACTIVE] == player)


def layer(
    floats: Floats, source: int, size: int, weights: Floats, matrix: int, bias: int, target: int, width: int
) -> None:
    """Compute a dense layer with ReLU, from `size` floats at `source` to `width` floats at `target`."""
    for unit in range(width):
        floats[target + unit] = weights[bias + unit]
    for i in range(0, size, 4):  # LLVM vectorizes the loop over four inputs at a time, not over one
        x0, x1, x2, x3 = floats[source + i], floats[source + i + 1], floats[source + i + 2], floats[source + i + 3]
        offset = matrix + i * width
        for unit in range(width):
            floats[target + unit] += (
                x0 * weights[offset + unit]
                + x1 * weights[offset + width + unit]
                + x2 * weights[offset + 2 * width + unit]
                + x3 * weights[offset + 3 * width + unit]
            )
    for unit in range(width):
        floats[target + unit] = max(floats[target + unit], 0.0)


def evaluate(state: Ints, tables: Ints, player: int, weights: Floats, floats: Floats) -> None:
    """Write the mean and the log variance of a player's final lead into the buffer."""
    inputs(state, tables, player, floats)
    layer(floats, A_INPUT, PADDED, weights, W_FIRST, B_FIRST, A_FIRST, FIRST)
    layer(floats, A_FIRST, FIRST, weights, W_SECOND, B_SECOND, A_SECOND, SECOND)
    for output in range(OUTPUTS):
        floats[A_MEAN + output] = weights[B_OUTPUT + output]
        for unit in range(SECOND):
            floats[A_MEAN + output] += floats[A_SECOND + unit] * weights[W_OUTPUT + unit * OUTPUTS + output]
    floats[A_LOG_VARIANCE] = min(max(floats[A_LOG_VARIANCE], MIN_LOG_VARIANCE), MAX_LOG_VARIANCE)


def value(state: Ints, tables: Ints, player: int, weights: Floats, floats: Floats) -> float:
    """Mean divided by standard deviation, which grows with the win probability; in a solo game the mean points."""
    evaluate(state, tables, player, weights, floats)
    mean = float(floats[A_MEAN])
    return mean if state[kernel.PLAYERS] == 1 else mean * exp(-0.5 * float(floats[A_LOG_VARIANCE]))
