"""The gradient of the loss over samples, and steps along it."""

from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray

from rowlock.bots import features as f
from rowlock.bots import gauss as g
from rowlock.bots import network as n
from rowlock.fast.compiled import use_cache
from rowlock.rules import kernel as k
from rowlock.train.selfplay import Samples

use_cache()
_fast: Any = numba.njit(cache=True, nogil=True, error_model="numpy", fastmath=True)
H, S = n.HIDDEN, n.SECOND
Floats = NDArray[np.float32]


def _gradient(weights: Any, facts: Any, active: Any, targets: Any, into: Any) -> Any:
    """Add the gradient of the summed loss to `into`; the summed squared errors of win chances and points come back."""
    states, players, width = facts.shape
    own, other = np.zeros((players, H), np.float32), np.zeros((players, H), np.float32)
    d_own, d_other = np.zeros((players, H), np.float32), np.zeros((players, H), np.float32)
    hidden = np.zeros((k.MAX_PLAYERS, H), np.float32)
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
                fact = facts[s, p, i]
                if fact < f.FACTS:
                    row = n.W_OWN + fact * H
                    for u in range(H):
                        own[p, u] += weights[row + u]
                    row = n.W_OTHER + fact * H
                    for u in range(H):
                        other[p, u] += weights[row + u]
        for p in range(players):
            next_roll = (active[s] - p + players) % players
            total[:] = 0
            for d in range(first, players):
                q = (p + d) % players
                row = n.W_ORDER + ((players * k.MAX_PLAYERS + next_roll) * k.MAX_PLAYERS + d) * H
                for u in range(H):
                    x = own[p, u] + weights[row + u]
                    if d > 0:
                        x += other[q, u]
                    x = max(x, np.float32(0))
                    hidden[d, u] = x
                    total[u] += x
            for u in range(S):
                second[u] = weights[n.B_SECOND + u]
            for h in range(H):
                x = total[h]
                if x != 0:
                    for u in range(S):
                        second[u] += x * weights[n.W_SECOND + h * S + u]
            odds, points = weights[n.B_OUTPUT], weights[n.B_OUTPUT + 1]
            for u in range(S):
                second[u] = max(second[u], np.float32(0))
                odds += second[u] * weights[n.W_OUTPUT + 2 * u]
                points += second[u] * weights[n.W_OUTPUT + 2 * u + 1]
            chance = np.float32(1) / (np.float32(1) + np.exp(-odds))
            d_out[0] = chance - targets[s, p, 0] if players > 1 else np.float32(0)
            d_out[1] = points - targets[s, p, 1]
            errors[0] += (chance - targets[s, p, 0]) ** 2
            errors[1] += (points - targets[s, p, 1]) ** 2
            # and back
            for o in range(2):
                into[n.B_OUTPUT + o] += d_out[o]
            for u in range(S):
                for o in range(2):
                    into[n.W_OUTPUT + 2 * u + o] += d_out[o] * second[u]
                x = d_out[0] * weights[n.W_OUTPUT + 2 * u] + d_out[1] * weights[n.W_OUTPUT + 2 * u + 1]
                d_second[u] = x if second[u] > 0 else np.float32(0)
                into[n.B_SECOND + u] += d_second[u]
            for h in range(H):
                x = total[h]
                back = np.float32(0)
                if x > 0:
                    for u in range(S):
                        into[n.W_SECOND + h * S + u] += x * d_second[u]
                        back += weights[n.W_SECOND + h * S + u] * d_second[u]
                d_total[h] = back
            for d in range(first, players):
                q = (p + d) % players
                row = n.W_ORDER + ((players * k.MAX_PLAYERS + next_roll) * k.MAX_PLAYERS + d) * H
                for u in range(H):
                    x = d_total[u] if hidden[d, u] > 0 else np.float32(0)
                    into[row + u] += x
                    d_own[p, u] += x
                    if d > 0:
                        d_other[q, u] += x
        for p in range(players):
            for i in range(width):
                fact = facts[s, p, i]
                if fact < f.FACTS:
                    row = n.W_OWN + fact * H
                    for u in range(H):
                        into[row + u] += d_own[p, u]
                    row = n.W_OTHER + fact * H
                    for u in range(H):
                        into[row + u] += d_other[p, u]
    return errors


def _step(
    weights: Any, average: Any, first: Any, second: Any, slope: Any, rate: float, number: int, keep: float
) -> None:
    """A step of Adam; weights that were not touched stay, and a running average of all is kept."""
    one = np.float32(1 - 0.9**number)
    two = np.float32(1 - 0.999**number)
    rate32, keep32 = np.float32(rate), np.float32(keep)
    for i in range(weights.size):
        change = slope[i]
        first[i] = np.float32(0.9) * first[i] + np.float32(0.1) * change
        second[i] = np.float32(0.999) * second[i] + np.float32(0.001) * change * change
        weights[i] -= rate32 * (first[i] / one) / (np.sqrt(second[i] / two) + np.float32(1e-8))
        average[i] = keep32 * average[i] + (1 - keep32) * weights[i]
        slope[i] = 0


_gradient_compiled, step = _fast(_gradient), _fast(_step)


def champion(weights: Floats, samples: Samples, into: Floats) -> tuple[float, float]:
    """Add the gradient of the champion's summed loss; the summed squared errors of chances and points come back."""
    errors = _gradient_compiled(weights, samples.facts, samples.active, samples.targets, into)
    return float(errors[0]), float(errors[1])


def published(weights: Floats, samples: Samples, into: Floats) -> tuple[float, float]:
    """The same for the network of 25 inputs: its mean is to meet the points, its variance their squared error."""
    inputs = samples.inputs.reshape(-1, g.INPUTS)
    targets = samples.targets.reshape(-1, 3)
    one, one_bias, two, two_bias, out, out_bias = _layers(weights)
    first = np.maximum(inputs @ one[: g.INPUTS] + one_bias, 0)
    second = np.maximum(first @ two + two_bias, 0)
    outputs = second @ out + out_bias
    spread = np.clip(outputs[:, 1], -8, 1)
    off = outputs[:, 0] - targets[:, 1]
    slope = np.empty_like(outputs)
    slope[:, 0] = off
    slope[:, 1] = 0.05 * (1 - (targets[:, 2] - outputs[:, 0]) ** 2 / np.exp(spread)).clip(-4, 1)
    d_one, d_one_bias, d_two, d_two_bias, d_out, d_out_bias = _layers(into)
    d_out += second.T @ slope
    d_out_bias += slope.sum(axis=0)
    back = (slope @ out.T) * (second > 0)
    d_two += first.T @ back
    d_two_bias += back.sum(axis=0)
    back = (back @ two.T) * (first > 0)
    d_one[: g.INPUTS] += inputs.T @ back
    d_one_bias += back.sum(axis=0)
    return 0.0, float((off**2).sum())


def _layers(weights: Floats) -> tuple[Floats, Floats, Floats, Floats, Floats, Floats]:
    """Views of the weights of the network of 25 inputs, layer by layer."""
    return (
        weights[g.W_FIRST : g.B_FIRST].reshape(g.PADDED, g.FIRST),
        weights[g.B_FIRST : g.W_SECOND],
        weights[g.W_SECOND : g.B_SECOND].reshape(g.FIRST, g.SECOND),
        weights[g.B_SECOND : g.W_OUTPUT],
        weights[g.W_OUTPUT : g.B_OUTPUT].reshape(g.SECOND, 2),
        weights[g.B_OUTPUT :],
    )


def fresh_champion(seed: int) -> Floats:
    """Weights of the champion to begin with."""
    random = np.random.default_rng(seed)
    weights = np.zeros(n.WEIGHTS, np.float32)
    weights[: n.W_ORDER] = random.normal(0, 0.1, n.W_ORDER)
    weights[n.W_SECOND : n.B_SECOND] = random.normal(0, (2 / H) ** 0.5, H * S)
    weights[n.W_OUTPUT : n.B_OUTPUT] = random.normal(0, (1 / S) ** 0.5, 2 * S)
    return weights


def fresh_published(seed: int) -> Floats:
    """Weights of the network of 25 inputs to begin with; points are expected to vary by some twenty."""
    random = np.random.default_rng(seed)
    weights = np.zeros(g.WEIGHTS, np.float32)
    one, _, two, _, out, out_bias = _layers(weights)
    one[:] = random.normal(0, (2 / g.INPUTS) ** 0.5, one.shape)
    two[:] = random.normal(0, (2 / g.FIRST) ** 0.5, two.shape)
    out[:, 0] = random.normal(0, (1 / g.SECOND) ** 0.5, g.SECOND)
    out_bias[1] = -3
    return weights
