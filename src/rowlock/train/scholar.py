"""How `scholar` learns: TD(λ) on the mean and the variance of the lead in the end, from games against itself."""

from functools import cached_property
from math import erf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.bots.scholar import Scholar
from rowlock.fast.compiled import compiled
from rowlock.networks import gaussian
from rowlock.networks.weights import Weights
from rowlock.rules import kernel
from rowlock.rules.variant import Variant
from rowlock.train.selfplay import LEAD, SHARE, SQUARE, play_into
from rowlock.train.training import GAMES, Training

CAREFUL = 0.1  # the variance learns so much slower than the mean


def _gradient(weights: Any, inputs: Any, targets: Any, into: Any) -> Any:
    """Add the gradient of the summed loss to `into`; the summed squared errors of win chances and leads come back."""
    first, second = np.zeros(gaussian.FIRST, np.float32), np.zeros(gaussian.SECOND, np.float32)
    d_first, d_second = np.zeros(gaussian.FIRST, np.float32), np.zeros(gaussian.SECOND, np.float32)
    output, d_output = np.zeros(2, np.float32), np.zeros(2, np.float32)
    errors = np.zeros(2)
    for one in range(inputs.shape[0]):
        for u in range(gaussian.FIRST):
            first[u] = weights[gaussian.B_FIRST + u]
        for i in range(gaussian.INPUTS):
            x = inputs[one, i]
            for u in range(gaussian.FIRST):
                first[u] += x * weights[gaussian.W_FIRST + i * gaussian.FIRST + u]
        for u in range(gaussian.SECOND):
            second[u] = weights[gaussian.B_SECOND + u]
        for i in range(gaussian.FIRST):
            first[i] = max(first[i], np.float32(0))
            x = first[i]
            for u in range(gaussian.SECOND):
                second[u] += x * weights[gaussian.W_SECOND + i * gaussian.SECOND + u]
        output[0], output[1] = weights[gaussian.B_OUTPUT], weights[gaussian.B_OUTPUT + 1]
        for u in range(gaussian.SECOND):
            second[u] = max(second[u], np.float32(0))
            for o in range(2):
                output[o] += second[u] * weights[gaussian.W_OUTPUT + 2 * u + o]
        # The loss is what makes the outcome likeliest: log variance / 2 + squared error / (2 variance).
        mean, spread = output[0], min(max(output[1], np.float32(gaussian.LOWEST)), np.float32(gaussian.HIGHEST))
        lead, square = targets[one, LEAD], targets[one, SQUARE]
        missed = square - 2 * mean * lead + mean * mean
        d_output[0] = mean - lead
        d_output[1] = np.float32(CAREFUL) * min(max(1 - missed * np.exp(-spread), np.float32(-4)), np.float32(1))
        chance = 0.5 + 0.5 * erf(mean * np.exp(-0.5 * spread) / np.sqrt(2.0))
        errors[0] += (chance - targets[one, SHARE]) ** 2
        errors[1] += (mean - lead) ** 2
        # and back
        for o in range(2):
            into[gaussian.B_OUTPUT + o] += d_output[o]
        for u in range(gaussian.SECOND):
            x = np.float32(0)
            for o in range(2):
                into[gaussian.W_OUTPUT + 2 * u + o] += d_output[o] * second[u]
                x += d_output[o] * weights[gaussian.W_OUTPUT + 2 * u + o]
            d_second[u] = x if second[u] > 0 else np.float32(0)
            into[gaussian.B_SECOND + u] += d_second[u]
        for i in range(gaussian.FIRST):
            back = np.float32(0)
            x = first[i]
            if x > 0:
                for u in range(gaussian.SECOND):
                    into[gaussian.W_SECOND + i * gaussian.SECOND + u] += x * d_second[u]
                    back += weights[gaussian.W_SECOND + i * gaussian.SECOND + u] * d_second[u]
            d_first[i] = back
            into[gaussian.B_FIRST + i] += back
        for i in range(gaussian.INPUTS):
            x = inputs[one, i]
            if x != 0:
                for u in range(gaussian.FIRST):
                    into[gaussian.W_FIRST + i * gaussian.FIRST + u] += x * d_first[u]
    return errors


gradient = compiled(_gradient, fastmath=True)


class ScholarTraining(Training):
    bot = Scholar

    @staticmethod
    def fresh(variant: Variant, seed: int) -> Weights:
        """Weights to begin with; leads are expected to vary by some thirty points."""
        random = np.random.default_rng(seed)
        weights = np.zeros(gaussian.WEIGHTS, np.float32)
        weights[: gaussian.INPUTS * gaussian.FIRST] = random.normal(
            0, (2 / gaussian.INPUTS) ** 0.5, gaussian.INPUTS * gaussian.FIRST
        )
        weights[gaussian.W_SECOND : gaussian.B_SECOND] = random.normal(
            0, (2 / gaussian.FIRST) ** 0.5, gaussian.FIRST * gaussian.SECOND
        )
        weights[gaussian.W_OUTPUT : gaussian.B_OUTPUT : 2] = random.normal(
            0, (1 / gaussian.SECOND) ** 0.5, gaussian.SECOND
        )
        weights[gaussian.B_OUTPUT + 1] = -2.5
        return weights

    def part(self, part: int, slope: Weights) -> tuple[float, float, float]:
        """Play and learn from some games; how many samples they gave, and the sums of their squared errors."""
        settings, players = self.settings, 1 if self.settings.table == "solo" else 2
        seed = self.seed_of(part)
        room = GAMES * kernel.MAX_TURNS * players
        inputs = np.zeros((room, players, gaussian.INPUTS), np.float32)
        targets = np.zeros((room, players, 3), np.float32)
        count = play_into(
            self.tables, np.zeros((1, kernel.ROWS), np.int64), self.weights, GAMES, kernel.MAX_TURNS * players, seed,
            settings.explore, settings.trace, inputs, None, np.zeros(room, np.int8), targets, True,
        )  # fmt: skip
        order = self._columns[np.random.default_rng(seed).integers(len(self._columns), size=(count, 1))]
        seen = np.take_along_axis(inputs[:count], np.broadcast_to(order, (count, players, gaussian.INPUTS)), axis=2)
        errors = gradient(self.weights, seen.reshape(-1, gaussian.INPUTS), targets[:count].reshape(-1, 3), slope)
        return count * players, errors[0], errors[1]

    @cached_property
    def _columns(self) -> NDArray[np.int64]:
        """For every order of rows in which the game is the same, where each input is found."""
        found = np.tile(np.arange(gaussian.INPUTS), (len(self.orders), 1))
        for rows in (
            gaussian.NEXT,
            gaussian.MARKS,
            gaussian.OTHER + gaussian.NEXT,
            gaussian.OTHER + gaussian.MARKS,
            gaussian.CLOSED,
        ):
            found[:, rows : rows + kernel.ROWS] = rows + self.orders
        return found
