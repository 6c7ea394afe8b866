"""How `scholar` learns: TD(λ) on the mean and the variance of the lead in the end, from games against itself."""

from functools import cached_property
from math import erf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.bots.scholar import Scholar
from rowlock.fast.compiled import compiled
from rowlock.networks import gaussian as g
from rowlock.networks.weights import Weights
from rowlock.rules import kernel as k
from rowlock.rules.variant import Variant
from rowlock.train.selfplay import LEAD, SHARE, SQUARE, play_into
from rowlock.train.training import GAMES, Training

CAREFUL = 0.1  # the variance learns so much slower than the mean


def _gradient(weights: Any, inputs: Any, targets: Any, into: Any) -> Any:
    """Add the gradient of the summed loss to `into`; the summed squared errors of win chances and leads come back."""
    first, second = np.zeros(g.FIRST, np.float32), np.zeros(g.SECOND, np.float32)
    d_first, d_second = np.zeros(g.FIRST, np.float32), np.zeros(g.SECOND, np.float32)
    output, d_output = np.zeros(2, np.float32), np.zeros(2, np.float32)
    errors = np.zeros(2)
    for one in range(inputs.shape[0]):
        for u in range(g.FIRST):
            first[u] = weights[g.B_FIRST + u]
        for i in range(g.INPUTS):
            x = inputs[one, i]
            for u in range(g.FIRST):
                first[u] += x * weights[g.W_FIRST + i * g.FIRST + u]
        for u in range(g.SECOND):
            second[u] = weights[g.B_SECOND + u]
        for i in range(g.FIRST):
            first[i] = max(first[i], np.float32(0))
            x = first[i]
            for u in range(g.SECOND):
                second[u] += x * weights[g.W_SECOND + i * g.SECOND + u]
        output[0], output[1] = weights[g.B_OUTPUT], weights[g.B_OUTPUT + 1]
        for u in range(g.SECOND):
            second[u] = max(second[u], np.float32(0))
            for o in range(2):
                output[o] += second[u] * weights[g.W_OUTPUT + 2 * u + o]
        # The loss is what makes the outcome likeliest: log variance / 2 + squared error / (2 variance).
        mean, spread = output[0], min(max(output[1], np.float32(g.LOWEST)), np.float32(g.HIGHEST))
        lead, square = targets[one, LEAD], targets[one, SQUARE]
        missed = square - 2 * mean * lead + mean * mean
        d_output[0] = mean - lead
        d_output[1] = np.float32(CAREFUL) * min(max(1 - missed * np.exp(-spread), np.float32(-4)), np.float32(1))
        chance = 0.5 + 0.5 * erf(mean * np.exp(-0.5 * spread) / np.sqrt(2.0))
        errors[0] += (chance - targets[one, SHARE]) ** 2
        errors[1] += (mean - lead) ** 2
        # and back
        for o in range(2):
            into[g.B_OUTPUT + o] += d_output[o]
        for u in range(g.SECOND):
            x = np.float32(0)
            for o in range(2):
                into[g.W_OUTPUT + 2 * u + o] += d_output[o] * second[u]
                x += d_output[o] * weights[g.W_OUTPUT + 2 * u + o]
            d_second[u] = x if second[u] > 0 else np.float32(0)
            into[g.B_SECOND + u] += d_second[u]
        for i in range(g.FIRST):
            back = np.float32(0)
            x = first[i]
            if x > 0:
                for u in range(g.SECOND):
                    into[g.W_SECOND + i * g.SECOND + u] += x * d_second[u]
                    back += weights[g.W_SECOND + i * g.SECOND + u] * d_second[u]
            d_first[i] = back
            into[g.B_FIRST + i] += back
        for i in range(g.INPUTS):
            x = inputs[one, i]
            if x != 0:
                for u in range(g.FIRST):
                    into[g.W_FIRST + i * g.FIRST + u] += x * d_first[u]
    return errors


gradient = compiled(_gradient, fastmath=True)


class ScholarTraining(Training):
    bot = Scholar

    @staticmethod
    def fresh(variant: Variant, seed: int) -> Weights:
        """Weights to begin with; leads are expected to vary by some thirty points."""
        random = np.random.default_rng(seed)
        weights = np.zeros(g.WEIGHTS, np.float32)
        weights[: g.INPUTS * g.FIRST] = random.normal(0, (2 / g.INPUTS) ** 0.5, g.INPUTS * g.FIRST)
        weights[g.W_SECOND : g.B_SECOND] = random.normal(0, (2 / g.FIRST) ** 0.5, g.FIRST * g.SECOND)
        weights[g.W_OUTPUT : g.B_OUTPUT : 2] = random.normal(0, (1 / g.SECOND) ** 0.5, g.SECOND)
        weights[g.B_OUTPUT + 1] = -2.5
        return weights

    def part(self, part: int, slope: Weights) -> tuple[float, float, float]:
        """Play and learn from some games; how many samples they gave, and the sums of their squared errors."""
        settings, players = self.settings, 1 if self.settings.table == "solo" else 2
        seed = self.seed_of(part)
        room = GAMES * k.MAX_TURNS * players
        inputs = np.zeros((room, players, g.INPUTS), np.float32)
        targets = np.zeros((room, players, 3), np.float32)
        count = play_into(
            self.tables, np.zeros((1, k.ROWS), np.int64), self.weights, GAMES, k.MAX_TURNS * players, seed,
            settings.explore, settings.trace, inputs, None, np.zeros(room, np.int8), targets, True,
        )  # fmt: skip
        order = self._columns[np.random.default_rng(seed).integers(len(self._columns), size=(count, 1))]
        seen = np.take_along_axis(inputs[:count], np.broadcast_to(order, (count, players, g.INPUTS)), axis=2)
        errors = gradient(self.weights, seen.reshape(-1, g.INPUTS), targets[:count].reshape(-1, 3), slope)
        return count * players, errors[0], errors[1]

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        """For every order of rows in which the game is the same, where each input is found."""
        found = np.tile(np.arange(g.INPUTS), (len(self.orders), 1))
        for rows in (g.NEXT, g.MARKS, g.OTHER + g.NEXT, g.OTHER + g.MARKS, g.CLOSED):
            found[:, rows : rows + k.ROWS] = rows + self.orders
        return found
