"""The training of the champion's network: the gradient of the loss, and steps of Adam."""

from math import sqrt
from typing import Any

import numpy as np

from rowlock.fast.compiled import compiled
from rowlock.fast.rules import kernel
from rowlock.networks import network
from rowlock.networks.card_features import FEATURES as HAND_FEATURES
from rowlock.train.selfplay import compiled_features, evaluation

H, S, OUTPUTS = network.HIDDEN, network.SECOND, network.OUTPUTS
ERRORS = 2  # sums of squared errors: of win chances, and of points or leads


def _later_features(weights_size: int) -> int:
    """How many features of later effects a network has, by the number of its weights."""
    return (weights_size - network.W_LATER) // (2 * H)


weights_of, later_features = evaluation.network.weights_of, compiled(_later_features)


def _add_units(target: Any, at: int, source: Any, offset: int) -> None:
    for u in range(H):
        target[at + u] += source[offset + u]


def _add_gradient(weights: Any, features: Any, hands: Any, active: Any, targets: Any, grad: Any) -> Any:
    """Add the gradient of the summed loss to `grad`; returns the summed squared errors of win chances and points.

    One long function: the forward and backward pass, layer by layer, is easiest to follow in one piece, and splitting
    it would change the order of sums, and so the weights. Indices: s state, p player, d distance to player q, h and u
    units, i feature, o output. d_x is the derivative of the loss with respect to x, d_own to own, and so on. Entries of
    features and hands that are not below the number of features are unused.
    """
    states, players, width = features.shape
    own, other = np.zeros(players * H, np.float32), np.zeros(players * H, np.float32)
    d_own, d_other = np.zeros(players * H, np.float32), np.zeros(players * H, np.float32)
    hidden = np.zeros((kernel.MAX_PLAYERS, H), np.float32)
    total, d_total = np.zeros(H, np.float32), np.zeros(H, np.float32)
    second, d_second = np.zeros(S, np.float32), np.zeros(S, np.float32)
    d_out = np.zeros(OUTPUTS, np.float32)
    errors = np.zeros(ERRORS)
    later = later_features(weights.size)
    nearest = min(1, players - 1)  # distance of the nearest other player; 0 in a solo game
    for s in range(states):
        own[:] = 0
        other[:] = 0
        d_own[:] = 0
        d_other[:] = 0
        for p in range(players):
            for i in range(width):
                feature = features[s, p, i]
                if feature < compiled_features.ALL_FEATURES:
                    add_units(own, p * H, weights, weights_of(network.W_OWN, feature, later))
                    add_units(other, p * H, weights, weights_of(network.W_OTHER, feature, later))
            for i in range(hands.shape[3]):
                if hands[s, p, 0, i] < HAND_FEATURES:
                    add_units(own, p * H, weights, network.W_HAND + hands[s, p, 0, i] * H)
                if hands[s, p, 1, i] < HAND_FEATURES:
                    add_units(other, p * H, weights, network.W_HAND + hands[s, p, 1, i] * H)
        for p in range(players):
            active_distance = kernel.turns_between(p, int(active[s]), players)
            total[:] = 0
            for d in range(nearest, players):
                q = kernel.player_after(p, d, players)
                offset = network.W_SEATING + compiled_features.seating_index(players, active_distance, d) * H
                for u in range(H):
                    x = own[p * H + u] + weights[offset + u]
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
                odds += second[u] * weights[network.W_OUTPUT + u * OUTPUTS]
                points += second[u] * weights[network.W_OUTPUT + u * OUTPUTS + 1]
            win_chance = np.float32(1) / (np.float32(1) + np.exp(-odds))
            d_out[0] = win_chance - targets[s, p, 0] if players > 1 else np.float32(0)
            d_out[1] = points - targets[s, p, 1]
            errors[0] += (win_chance - targets[s, p, 0]) ** 2
            errors[1] += (points - targets[s, p, 1]) ** 2
            # Backward pass.
            for o in range(OUTPUTS):
                grad[network.B_OUTPUT + o] += d_out[o]
            for u in range(S):
                offset = network.W_OUTPUT + u * OUTPUTS
                for o in range(OUTPUTS):
                    grad[offset + o] += d_out[o] * second[u]
                d_x = d_out[0] * weights[offset] + d_out[1] * weights[offset + 1]
                d_second[u] = d_x if second[u] > 0 else np.float32(0)
                grad[network.B_SECOND + u] += d_second[u]
            for h in range(H):
                x = total[h]
                d_x = np.float32(0)
                if x > 0:
                    for u in range(S):
                        grad[network.W_SECOND + h * S + u] += x * d_second[u]
                        d_x += weights[network.W_SECOND + h * S + u] * d_second[u]
                d_total[h] = d_x
            for d in range(nearest, players):
                q = kernel.player_after(p, d, players)
                offset = network.W_SEATING + compiled_features.seating_index(players, active_distance, d) * H
                for u in range(H):
                    d_x = d_total[u] if hidden[d, u] > 0 else np.float32(0)
                    grad[offset + u] += d_x
                    d_own[p * H + u] += d_x
                    if d > 0:
                        d_other[q * H + u] += d_x
        for p in range(players):
            for i in range(width):
                feature = features[s, p, i]
                if feature < compiled_features.ALL_FEATURES:
                    add_units(grad, weights_of(network.W_OWN, feature, later), d_own, p * H)
                    add_units(grad, weights_of(network.W_OTHER, feature, later), d_other, p * H)
            for i in range(hands.shape[3]):
                if hands[s, p, 0, i] < HAND_FEATURES:
                    add_units(grad, network.W_HAND + hands[s, p, 0, i] * H, d_own, p * H)
                if hands[s, p, 1, i] < HAND_FEATURES:
                    add_units(grad, network.W_HAND + hands[s, p, 1, i] * H, d_other, p * H)
    return errors


def _adam_step(
    weights: Any, average: Any, moment1: Any, moment2: Any, grad: Any, rate: float, number: int, decay: float
) -> None:
    """Take step `number` of Adam, update the moving average of the weights, and set the gradient to zero."""
    bias1, bias2 = np.float32(1 - 0.9**number), np.float32(1 - 0.999**number)
    for i in range(weights.size):
        adam_weight(weights, average, moment1, moment2, i, grad[i], np.float32(rate), bias1, bias2, np.float32(decay))
        grad[i] = 0


def _adam_weight(
    weights: Any, average: Any, moment1: Any, moment2: Any, i: int, g: Any, rate: Any, bias1: Any, bias2: Any,
    decay: Any,
) -> None:  # fmt: skip
    # bias1 and bias2 correct the bias of the moments towards zero in the first steps.
    moment1[i] = np.float32(0.9) * moment1[i] + np.float32(0.1) * g
    moment2[i] = np.float32(0.999) * moment2[i] + np.float32(0.001) * g * g
    weights[i] -= rate * (moment1[i] / bias1) / (sqrt(moment2[i] / bias2) + np.float32(1e-8))
    average[i] = decay * average[i] + (1 - decay) * weights[i]


add_units, adam_weight = compiled(_add_units, fastmath=True), compiled(_adam_weight, fastmath=True)
add_gradient, adam_step = compiled(_add_gradient, fastmath=True), compiled(_adam_step, fastmath=True)
