"""The gradient of the loss over samples, and steps along it."""

from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.fast.compiled import compiled, compiled_copy
from rowlock.networks import features as _features
from rowlock.networks import network
from rowlock.networks.card_features import FEATURES as HAND_FEATURES
from rowlock.rules import kernel

f: Any = compiled_copy(_features)
H, S = network.HIDDEN, network.SECOND


def _add_row(sums: Any, at: int, rows: Any, row: int) -> None:
    for u in range(H):
        sums[at + u] += rows[row + u]


def _gradient(weights: Any, features: Any, hands: Any, active: Any, targets: Any, into: Any) -> Any:
    """Add the gradient of the summed loss to `into`; the summed squared errors of win chances and points come back.

    One long function: the network forwards and backwards, layer by layer, is easiest to follow in one piece, and
    smaller ones change the order of its sums, and so the weights.
    """
    states, players, width = features.shape
    own, other = np.zeros(players * H, np.float32), np.zeros(players * H, np.float32)
    d_own, d_other = np.zeros(players * H, np.float32), np.zeros(players * H, np.float32)
    hidden = np.zeros((kernel.MAX_PLAYERS, H), np.float32)
    total, d_total = np.zeros(H, np.float32), np.zeros(H, np.float32)
    second, d_second = np.zeros(S, np.float32), np.zeros(S, np.float32)
    d_out = np.zeros(2, np.float32)
    errors = np.zeros(2)
    first = min(1, players - 1)
    for s in range(states):
        own[:] = 0
        other[:] = 0
        d_own[:] = 0
        d_other[:] = 0
        for p in range(players):
            for i in range(width):
                feature = features[s, p, i]
                if feature < f.FEATURES:
                    add_row(own, p * H, weights, network.W_OWN + feature * H)
                    add_row(other, p * H, weights, network.W_OTHER + feature * H)
            for i in range(hands.shape[3]):
                if hands[s, p, 0, i] < HAND_FEATURES:
                    add_row(own, p * H, weights, network.W_HAND + hands[s, p, 0, i] * H)
                if hands[s, p, 1, i] < HAND_FEATURES:
                    add_row(other, p * H, weights, network.W_HAND + hands[s, p, 1, i] * H)
        for p in range(players):
            next_roll = (active[s] - p + players) % players
            total[:] = 0
            for d in range(first, players):
                q = (p + d) % players
                row = network.W_ORDER + f.order_of(players, next_roll, d) * H
                for u in range(H):
                    x = own[p * H + u] + weights[row + u]
                    if d > 0:
                        x += other[q * H + u]
                    x = max(x, np.float32(0))
                    hidden[d, u] = x
                    total[u] += x
            for u in range(S):
                second[u] = weights[network.B_SECOND + u]
            for h in range(H):
                x = total[h]
                if x != 0:
                    for u in range(S):
                        second[u] += x * weights[network.W_SECOND + h * S + u]
            odds, points = weights[network.B_OUTPUT], weights[network.B_OUTPUT + 1]
            for u in range(S):
                second[u] = max(second[u], np.float32(0))
                odds += second[u] * weights[network.W_OUTPUT + 2 * u]
                points += second[u] * weights[network.W_OUTPUT + 2 * u + 1]
            chance = np.float32(1) / (np.float32(1) + np.exp(-odds))
            d_out[0] = chance - targets[s, p, 0] if players > 1 else np.float32(0)
            d_out[1] = points - targets[s, p, 1]
            errors[0] += (chance - targets[s, p, 0]) ** 2
            errors[1] += (points - targets[s, p, 1]) ** 2
            # and back
            for o in range(2):
                into[network.B_OUTPUT + o] += d_out[o]
            for u in range(S):
                for o in range(2):
                    into[network.W_OUTPUT + 2 * u + o] += d_out[o] * second[u]
                x = d_out[0] * weights[network.W_OUTPUT + 2 * u] + d_out[1] * weights[network.W_OUTPUT + 2 * u + 1]
                d_second[u] = x if second[u] > 0 else np.float32(0)
                into[network.B_SECOND + u] += d_second[u]
            for h in range(H):
                x = total[h]
                back = np.float32(0)
                if x > 0:
                    for u in range(S):
                        into[network.W_SECOND + h * S + u] += x * d_second[u]
                        back += weights[network.W_SECOND + h * S + u] * d_second[u]
                d_total[h] = back
            for d in range(first, players):
                q = (p + d) % players
                row = network.W_ORDER + f.order_of(players, next_roll, d) * H
                for u in range(H):
                    x = d_total[u] if hidden[d, u] > 0 else np.float32(0)
                    into[row + u] += x
                    d_own[p * H + u] += x
                    if d > 0:
                        d_other[q * H + u] += x
        for p in range(players):
            for i in range(width):
                feature = features[s, p, i]
                if feature < f.FEATURES:
                    add_row(into, network.W_OWN + feature * H, d_own, p * H)
                    add_row(into, network.W_OTHER + feature * H, d_other, p * H)
            for i in range(hands.shape[3]):
                if hands[s, p, 0, i] < HAND_FEATURES:
                    add_row(into, network.W_HAND + hands[s, p, 0, i] * H, d_own, p * H)
                if hands[s, p, 1, i] < HAND_FEATURES:
                    add_row(into, network.W_HAND + hands[s, p, 1, i] * H, d_other, p * H)
    return errors


def _step(
    weights: Any, average: Any, first: Any, second: Any, slope: Any, rate: float, number: int, keep: float
) -> None:
    """A step of Adam; weights that were not touched stay, and a running average of all is kept."""
    one = np.float32(1 - 0.9**number)
    two = np.float32(1 - 0.999**number)
    for i in range(weights.size):
        step_weight(weights, average, first, second, i, slope[i], np.float32(rate), one, two, np.float32(keep))
        slope[i] = 0


def _step_weight(
    weights: Any, average: Any, first: Any, second: Any, i: int, g: Any, rate: Any, one: Any, two: Any, keep: Any
) -> None:
    first[i] = np.float32(0.9) * first[i] + np.float32(0.1) * g
    second[i] = np.float32(0.999) * second[i] + np.float32(0.001) * g * g
    weights[i] -= rate * (first[i] / one) / (sqrt(second[i] / two) + np.float32(1e-8))
    average[i] = keep * average[i] + (1 - keep) * weights[i]


add_row, step_weight = compiled(_add_row, fastmath=True), compiled(_step_weight, fastmath=True)
gradient, step = compiled(_gradient, fastmath=True), compiled(_step, fastmath=True)


def fresh(seed: int, size: int) -> NDArray[np.float32]:
    """So many weights to begin with."""
    random = np.random.default_rng(seed)
    weights = np.zeros(size, np.float32)
    weights[: network.W_ORDER] = random.normal(0, 0.1, network.W_ORDER)
    weights[network.W_SECOND : network.B_SECOND] = random.normal(0, (2 / H) ** 0.5, H * S)
    weights[network.W_OUTPUT : network.B_OUTPUT] = random.normal(0, (1 / S) ** 0.5, 2 * S)
    weights[network.W_HAND :] = random.normal(0, 0.1, size - network.W_HAND)
    return weights
