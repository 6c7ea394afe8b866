"""The champion's network: evaluated between turns, it predicts how the game ends for one player.

For each other player there is a hidden layer over the features of both sheets (in card games also of both hands) and of
the seating. These layers are added up. A second hidden layer follows, and two outputs: the log odds of winning (equal
totals share a win) and the points, in hundreds. Card games are also evaluated in two states during a turn: after cards
are taken, when only their numbers are known, and before cards are played.
All sums are computed in the same order and in single precision, so interpreted and compiled decisions are the same.
"""

from rowlock.fast.workspace import FEATURES_AT, Floats
from rowlock.networks import card_features, features
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

HIDDEN, SECOND, OUTPUTS = 64, 32, 2
ODDS, POINTS = 0, 1  # outputs: the log odds of winning, the final points in hundreds

# Offsets of the weights: W matrices, B biases.
W_OWN = 0
W_OTHER = W_OWN + features.FEATURES * HIDDEN
W_SEATING = W_OTHER + features.FEATURES * HIDDEN
W_SECOND = W_SEATING + features.SEATINGS * HIDDEN
B_SECOND = W_SECOND + HIDDEN * SECOND
W_OUTPUT = B_SECOND + SECOND
B_OUTPUT = W_OUTPUT + SECOND * OUTPUTS
W_HAND = B_OUTPUT + OUTPUTS  # in card games only
W_LATER = W_HAND  # features of later effects, own and other; card games have no effects

# Offsets of activations in the buffer of floats.
A_OWN = 0
A_OTHER = A_OWN + HIDDEN
A_SUM = A_OTHER + HIDDEN
A_SECOND = A_SUM + HIDDEN
FLOATS = A_SECOND + SECOND


def weights_size(tables: Ints) -> int:
    if tables[kernel.T_CARDS] > 0:
        return W_HAND + card_features.FEATURES * HIDDEN
    return W_LATER + 2 * features.later_features(tables) * HIDDEN


def weights_of(matrix: int, feature: int, later: int) -> int:
    """The offset of a feature's weights for the player's own sheet (W_OWN) or another one (W_OTHER).

    `later` is the number of features of later effects; the rows of their weights are at the end.
    """
    if feature < features.FEATURES:
        return matrix + feature * HIDDEN
    return W_LATER + (later * (matrix == W_OTHER) + feature - features.FEATURES) * HIDDEN


def add_features(
    state: Ints, tables: Ints, player: int, buffer: Ints, weights: Floats, matrix: int, sums: Floats, at: int
) -> None:
    """Add the weights of a player's features, in `matrix` for the sheet and in W_HAND, to `sums` from `at` on."""
    later = features.later_features(tables)
    for i in range(FEATURES_AT, features.features(state, tables, kernel.sheet_at(player), buffer, FEATURES_AT)):
        offset = weights_of(matrix, buffer[i], later)
        for unit in range(HIDDEN):
            sums[at + unit] += weights[offset + unit]
    if tables[kernel.T_CARDS] > 0:
        own = matrix == W_OWN
        for i in range(FEATURES_AT, card_features.features(state, tables, player, own, buffer, FEATURES_AT)):
            offset = W_HAND + buffer[i] * HIDDEN
            for unit in range(HIDDEN):
                sums[at + unit] += weights[offset + unit]


def evaluate(state: Ints, tables: Ints, player: int, output: int, buffer: Ints, weights: Floats, sums: Floats) -> float:
    """An output (ODDS or POINTS) for a player, in a state that waits for chance or for cards to be played."""
    players = state[kernel.PLAYERS]
    for unit in range(HIDDEN):
        sums[A_OWN + unit] = 0.0
        sums[A_SUM + unit] = 0.0
    add_features(state, tables, player, buffer, weights, W_OWN, sums, A_OWN)
    active_distance = kernel.turns_between(player, state[kernel.ACTIVE], players)
    for distance in range(min(1, players - 1), players):  # a solo game has only the distance 0
        offset = W_SEATING + features.seating_index(players, active_distance, distance) * HIDDEN
        for unit in range(HIDDEN):
            sums[A_OTHER + unit] = sums[A_OWN + unit] + weights[offset + unit]
        if distance > 0:
            other = kernel.player_after(player, distance, players)
            add_features(state, tables, other, buffer, weights, W_OTHER, sums, A_OTHER)
        for unit in range(HIDDEN):
            sums[A_SUM + unit] += max(sums[A_OTHER + unit], 0.0)
    return last_layers(output, weights, sums)


def last_layers(output: int, weights: Floats, sums: Floats) -> float:
    """An output, computed from the summed hidden layers."""
    for unit in range(SECOND):
        sums[A_SECOND + unit] = weights[B_SECOND + unit]
    for i in range(0, HIDDEN, 4):  # LLVM vectorizes the loop over four inputs at a time, not over one
        x0, x1, x2, x3 = sums[A_SUM + i], sums[A_SUM + i + 1], sums[A_SUM + i + 2], sums[A_SUM + i + 3]
        offset = W_SECOND + i * SECOND
        for unit in range(SECOND):
            sums[A_SECOND + unit] += (
                x0 * weights[offset + unit]
                + x1 * weights[offset + SECOND + unit]
                + x2 * weights[offset + 2 * SECOND + unit]
                + x3 * weights[offset + 3 * SECOND + unit]
            )
    result = weights[B_OUTPUT + output]
    for unit in range(SECOND):
        result += max(sums[A_SECOND + unit], 0.0) * weights[W_OUTPUT + unit * OUTPUTS + output]
    return result
