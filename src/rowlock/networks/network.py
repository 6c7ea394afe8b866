"""The champion's network: how a game between two turns will end for one of its players.

For each of the others: a hidden layer over the features of both sheets (with cards, of both hands too) and who sits
where. These are summed, then come a second hidden layer and two numbers: the log odds of winning (equal totals share a
win) and the points, in hundreds. Games of cards are evaluated at two more moments: when cards are taken, of which only
the numbers are known, and when they will be played.
All sums are made in the same order and in single precision, so interpreted and compiled decisions are the same.
"""

from rowlock.fast.workspace import FEATURES_AT, Floats
from rowlock.networks import card_features, features
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

HIDDEN, SECOND, OUTPUTS = 64, 32, 2
ODDS, POINTS = 0, 1

# Weights, one after the other.
W_OWN = 0
W_OTHER = W_OWN + features.FEATURES * HIDDEN
W_ORDER = W_OTHER + features.FEATURES * HIDDEN
W_SECOND = W_ORDER + features.ORDERS * HIDDEN
B_SECOND = W_SECOND + HIDDEN * SECOND
W_OUTPUT = B_SECOND + SECOND
B_OUTPUT = W_OUTPUT + SECOND * OUTPUTS
W_HAND = B_OUTPUT + OUTPUTS  # in games of cards only

# Buffers of floats.
R_OWN = 0
R_OTHER = R_OWN + HIDDEN
R_SUM = R_OTHER + HIDDEN
R_SECOND = R_SUM + HIDDEN
FLOATS = R_SECOND + SECOND


def weights_size(tables: Ints) -> int:
    return W_HAND + card_features.FEATURES * HIDDEN * (tables[kernel.T_CARDS] > 0)


def add_features(
    state: Ints, tables: Ints, player: int, found: Ints, weights: Floats, table: int, sums: Floats, at: int
) -> None:
    """Add the rows of a table for the features of a player's sheet, and those of its hand."""
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
    """One of the outputs for a player of a game that waits for chance, or for cards to be played."""
    players = state[kernel.PLAYERS]
    for unit in range(HIDDEN):
        sums[R_OWN + unit] = 0.0
        sums[R_SUM + unit] = 0.0
    add_features(state, tables, player, found, weights, W_OWN, sums, R_OWN)
    next_roll = state[kernel.ACTIVE] - player
    next_roll += players * (next_roll < 0)
    for other in range(min(1, players - 1), players):
        row = W_ORDER + features.order_of(players, next_roll, other) * HIDDEN
        for unit in range(HIDDEN):
            sums[R_OTHER + unit] = sums[R_OWN + unit] + weights[row + unit]
        if other > 0:
            seat = player + other
            seat -= players * (seat >= players)
            add_features(state, tables, seat, found, weights, W_OTHER, sums, R_OTHER)
        for unit in range(HIDDEN):
            sums[R_SUM + unit] += max(sums[R_OTHER + unit], 0.0)
    return last_layers(output, weights, sums)


def last_layers(output: int, weights: Floats, sums: Floats) -> float:
    for unit in range(SECOND):
        sums[R_SECOND + unit] = weights[B_SECOND + unit]
    for source in range(0, HIDDEN, 4):  # four at a time, or no vector instructions are made of it
        one, two = sums[R_SUM + source], sums[R_SUM + source + 1]
        three, four = sums[R_SUM + source + 2], sums[R_SUM + source + 3]
        row = W_SECOND + source * SECOND
        for unit in range(SECOND):
            sums[R_SECOND + unit] += (
                one * weights[row + unit]
                + two * weights[row + SECOND + unit]
                + three * weights[row + 2 * SECOND + unit]
                + four * weights[row + 3 * SECOND + unit]
            )
    result = weights[B_OUTPUT + output]
    for unit in range(SECOND):
        result += max(sums[R_SECOND + unit], 0.0) * weights[W_OUTPUT + unit * OUTPUTS + output]
    return result
