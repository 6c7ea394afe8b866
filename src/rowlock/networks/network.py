"""The champion's network: predicts for one player how a game between two turns will end.

For each other player there is a hidden layer over the features of both sheets (with cards, of both hands too) and of
the seating. These are added up. A second hidden layer follows, and two outputs: the log odds of winning (equal totals
share a win) and the points, in hundreds. Card games are evaluated at two more moments: after cards are taken, when only
their numbers are known, and before cards are played.
All sums are computed in the same order and in single precision, so interpreted and compiled decisions are the same.
"""

from rowlock.fast.workspace import FEATURES_AT, Floats
from rowlock.networks import card_features, features
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

HIDDEN, SECOND, OUTPUTS = 64, 32, 2
ODDS, POINTS = 0, 1

# Offsets of the weights: W matrices, B biases.
W_OWN = 0
W_OTHER = W_OWN + features.FEATURES * HIDDEN
W_SEATING = W_OTHER + features.FEATURES * HIDDEN
W_SECOND = W_SEATING + features.SEATINGS * HIDDEN
B_SECOND = W_SECOND + HIDDEN * SECOND
W_OUTPUT = B_SECOND + SECOND
B_OUTPUT = W_OUTPUT + SECOND * OUTPUTS
W_HAND = B_OUTPUT + OUTPUTS  # in card games only

# Offsets of activations in the buffer of floats.
A_OWN = 0
A_OTHER = A_OWN + HIDDEN
A_SUM = A_OTHER + HIDDEN
A_SECOND = A_SUM + HIDDEN
FLOATS = A_SECOND + SECOND


def weights_size(tables: Ints) -> int:
    return W_HAND + card_features.FEATURES * HIDDEN * (tables[kernel.T_CARDS] > 0)


def add_features(
    state: Ints, tables: Ints, player: int, found: Ints, weights: Floats, table: int, sums: Floats, at: int
) -> None:
    """Add the weights of the features of a player's sheet and hand to `sums`, from index `at` on."""
    for feature in range(FEATURES_AT, features.features(state, tables, kernel.sheet_at(player), found, FEATURES_AT)):
        row = table + found[feature] * HIDDEN
        for unit in range(HIDDEN):
            sums[at + unit] += weights[row + unit]
    if tables[kernel.T_CARDS] > 0:
        for feature in range(
            FEATURES_AT, card_features.features(state, tables, player, table == W_OWN, found, FEATURES_AT)
        ):
            row = W_HAND + found[feature] * HIDDEN
            for unit in range(HIDDEN):
                sums[at + unit] += weights[row + unit]


def evaluate(state: Ints, tables: Ints, player: int, output: int, found: Ints, weights: Floats, sums: Floats) -> float:
    """An output for a player, in a state that waits for chance or for cards to be played."""
    players = state[kernel.PLAYERS]
    for unit in range(HIDDEN):
        sums[A_OWN + unit] = 0.0
        sums[A_SUM + unit] = 0.0
    add_features(state, tables, player, found, weights, W_OWN, sums, A_OWN)
    next_roll = state[kernel.ACTIVE] - player
    next_roll += players * (next_roll < 0)
    for other in range(min(1, players - 1), players):
        row = W_SEATING + features.seating_index(players, next_roll, other) * HIDDEN
        for unit in range(HIDDEN):
            sums[A_OTHER + unit] = sums[A_OWN + unit] + weights[row + unit]
        if other > 0:
            seat = player + other
            seat -= players * (seat >= players)
            add_features(state, tables, seat, found, weights, W_OTHER, sums, A_OTHER)
        for unit in range(HIDDEN):
            sums[A_SUM + unit] += max(sums[A_OTHER + unit], 0.0)
    return last_layers(output, weights, sums)


def last_layers(output: int, weights: Floats, sums: Floats) -> float:
    for unit in range(SECOND):
        sums[A_SECOND + unit] = weights[B_SECOND + unit]
    for source in range(0, HIDDEN, 4):  # LLVM vectorizes the loop over four inputs at a time, not over one
        one, two = sums[A_SUM + source], sums[A_SUM + source + 1]
        three, four = sums[A_SUM + source + 2], sums[A_SUM + source + 3]
        row = W_SECOND + source * SECOND
        for unit in range(SECOND):
            sums[A_SECOND + unit] += (
                one * weights[row + unit]
                + two * weights[row + SECOND + unit]
                + three * weights[row + 2 * SECOND + unit]
                + four * weights[row + 3 * SECOND + unit]
            )
    result = weights[B_OUTPUT + output]
    for unit in range(SECOND):
        result += max(sums[A_SECOND + unit], 0.0) * weights[W_OUTPUT + unit * OUTPUTS + output]
    return result
