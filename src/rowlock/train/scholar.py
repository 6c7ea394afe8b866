"""The training of `scholar`: TD(λ) on the mean and the variance of the final lead, from self-play."""

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
from rowlock.train.gradient import ERRORS
from rowlock.train.selfplay import LEAD, SHARE, SQUARE, play_games
from rowlock.train.training import GAMES, Training

VARIANCE_RATE = 0.1  # the log variance has a tenth of the learning rate of the mean


def _add_gradient(weights: Any, inputs: Any, targets: Any, grad: Any) -> Any:
    """Add the gradient of the summed loss to `grad`; returns the summed squared errors of win chances and leads."""
    first, second = np.zeros(gaussian.FIRST, np.float32), np.zeros(gaussian.SECOND, np.float32)
    d_first, d_second = np.zeros(gaussian.FIRST, np.float32), np.zeros(gaussian.SECOND, np.float32)
    output, d_output = np.zeros(gaussian.OUTPUTS, np.float32), np.zeros(gaussian.OUTPUTS, np.float32)
    errors = np.zeros(ERRORS)
    for s in range(inputs.shape[0]):
        for u in range(gaussian.FIRST):
            first[u] = weights[gaussian.B_FIRST + u]
        for i in range(gaussian.INPUTS):
            x = inputs[s, i]
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
            for o in range(gaussian.OUTPUTS):
                output[o] += second[u] * weights[gaussian.W_OUTPUT + u * gaussian.OUTPUTS + o]
        # The loss is a normal distribution's negative log likelihood: log variance / 2 + squared error / (2 variance).
        # Its derivative by the mean is multiplied by the variance, that by the log variance by 2 * VARIANCE_RATE; the
        # second one is clipped, too.
        mean = output[0]
        log_variance = min(max(output[1], np.float32(gaussian.MIN_LOG_VARIANCE)), np.float32(gaussian.MAX_LOG_VARIANCE))
        lead, square = targets[s, LEAD], targets[s, SQUARE]
        squared_error = square - 2 * mean * lead + mean * mean
        d_output[0] = mean - lead
        ratio = squared_error * np.exp(-log_variance)
        d_output[1] = np.float32(VARIANCE_RATE) * min(max(1 - ratio, np.float32(-4)), np.float32(1))
        win_chance = 0.5 + 0.5 * erf(mean * np.exp(-0.5 * log_variance) / np.sqrt(2.0))
        errors[0] += (win_chance - targets[s, SHARE]) ** 2
        errors[1] += (mean - lead) ** 2
        # Backward pass.
        for o in range(gaussian.OUTPUTS):
            grad[gaussian.B_OUTPUT + o] += d_output[o]
        for u in range(gaussian.SECOND):
            d_x = np.float32(0)
            for o in range(gaussian.OUTPUTS):
                grad[gaussian.W_OUTPUT + u * gaussian.OUTPUTS + o] += d_output[o] * second[u]
                d_x += d_output[o] * weights[gaussian.W_OUTPUT + u * gaussian.OUTPUTS + o]
            d_second[u] = d_x if second[u] > 0 else np.float32(0)
            grad[gaussian.B_SECOND + u] += d_second[u]
        for i in range(gaussian.FIRST):
            d_x = np.float32(0)
            x = first[i]
            if x > 0:
                for u in range(gaussian.SECOND):
                    grad[gaussian.W_SECOND + i * gaussian.SECOND + u] += x * d_second[u]
                    d_x += weights[gaussian.W_SECOND + i * gaussian.SECOND + u] * d_second[u]
            d_first[i] = d_x
            grad[gaussian.B_FIRST + i] += d_x
        for i in range(gaussian.INPUTS):
            x = inputs[s, i]
            if x != 0:
                for u in range(gaussian.FIRST):
                    grad[gaussian.W_FIRST + i * gaussian.FIRST + u] += x * d_first[u]
    return errors


add_gradient = compiled(_add_gradient, fastmath=True)


class ScholarTraining(Training):
    bot = Scholar

    @staticmethod
    def initial_weights(variant: Variant, seed: int) -> Weights:
        """Random weights; the initial standard deviation of leads is about thirty points."""
        random = np.random.default_rng(seed)
        weights = np.zeros(gaussian.WEIGHTS, np.float32)
        inputs, first, second = gaussian.INPUTS, gaussian.FIRST, gaussian.SECOND
        weights[: inputs * first] = random.normal(0, (2 / inputs) ** 0.5, inputs * first)
        weights[gaussian.W_SECOND : gaussian.B_SECOND] = random.normal(0, (2 / first) ** 0.5, first * second)
        weights[gaussian.W_OUTPUT : gaussian.B_OUTPUT : 2] = random.normal(0, (1 / second) ** 0.5, second)
        weights[gaussian.B_OUTPUT + 1] = -2.5  # the log variance
        return weights

    def train_part(self, part: int, grad: Weights) -> tuple[float, float, float]:
        """Add the gradient of some games to `grad`; returns the number of samples and the sums of squared errors."""
        config, seed, players = self.config, self.seed_of(part), 1 if self.config.mode == "solo" else 2
        capacity = GAMES * kernel.MAX_TURNS * players
        inputs = np.zeros((capacity, players, gaussian.INPUTS), np.float32)
        targets = np.zeros((capacity, players, 3), np.float32)
        # For the scholar, `play_games` does not use the row orders, and nothing reads the active players.
        row_orders, active = np.zeros((1, kernel.ROWS), np.int64), np.zeros(capacity, np.int8)
        count = play_games(
            self.tables, row_orders, self.weights, GAMES, kernel.MAX_TURNS * players, seed, config.explore,
            config.trace, inputs, None, active, targets, True,
        )  # fmt: skip
        # Each state is trained with its rows in a random one of the equivalent orders.
        columns = self._column_orders[np.random.default_rng(seed).integers(len(self._column_orders), size=(count, 1))]
        columns = np.broadcast_to(columns, (count, players, gaussian.INPUTS))
        permuted = np.take_along_axis(inputs[:count], columns, axis=2)
        flat_inputs, flat_targets = permuted.reshape(-1, gaussian.INPUTS), targets[:count].reshape(-1, 3)
        win_errors, lead_errors = add_gradient(self.weights, flat_inputs, flat_targets, grad)
        return count * players, win_errors, lead_errors

    @cached_property
    def _column_orders(self) -> NDArray[np.int64]:
        """The order of inputs for every equivalent order of rows."""
        orders = np.tile(np.arange(gaussian.INPUTS), (len(self.row_orders), 1))
        own = (gaussian.NEXT, gaussian.MARKS)
        for begin in (*own, *(gaussian.OTHER_SHEET + offset for offset in own), gaussian.CLOSED):
            orders[:, begin : begin + kernel.ROWS] = begin + self.row_orders
        return orders
