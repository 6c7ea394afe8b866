"""Training on a GPU (`rowlock[gpu]`): the games of many steps are played at once, a thread per game.

Self-play is the code of the CPU, compiled for the GPU. Only the gradient has code of its own, with a thread per hidden
unit. Threads add to its sums in any order, so the same config gives slightly different weights in every run.
"""

import warnings
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from importlib.util import find_spec
from math import exp
from typing import Any

import numpy as np
from numba import cuda as _cuda
from numba import float32, int64
from numpy.typing import NDArray

from rowlock.fast import workspace
from rowlock.fast.pointer import bot_buffers, game_buffers, pointer
from rowlock.fast.rules import kernel
from rowlock.networks import card_features, network
from rowlock.train import selfplay
from rowlock.train.gradient import adam_weight, later_features, weights_of
from rowlock.train.selfplay import CARD_STATES, TURNS, compiled_features, feature_count
from rowlock.train.training import GAMES, PARTS, PLAYER_COUNTS, Training, TrainingError

cuda: Any = _cuda  # untyped: Numba's annotations do not cover this
H, S = network.HIDDEN, network.SECOND  # units of the two hidden layers
STRIDE = S + 1  # distance of the second layer's rows in shared memory; a distance of S would give bank conflicts
# Sizes of a thread's arrays; Numba needs them as constants of this module.
INTS, FLOATS, PLAYERS, LAYER = workspace.INTS, network.FLOATS, kernel.MAX_PLAYERS, H * STRIDE
MAX_STATES = CARD_STATES * TURNS * kernel.MAX_PLAYERS  # in the samples of a game
# Games are played ahead for a batch of steps: a 64th of all steps, at most 384, all with the weights before the batch.
BATCHES, MAX_BATCH_STEPS = 64, 384
BLOCK, CARDS_BLOCK = 32, 2  # games in a block of threads; card games in a large block wait for each other too often
GRADIENT_BLOCKS = 8  # blocks of threads for the gradient of one game
WEIGHTS_BLOCK = 256  # weights in a block of threads for a step of Adam
MAX_INLINED = 300  # functions with more instructions are not inlined
# Indices of a thread's sums: derivatives of the bias and the weights of a unit of the second layer, derivatives of the
# output biases, squared errors of win chances and points.
D_BIAS, D_ODDS_WEIGHT, D_POINTS_WEIGHT, D_ODDS_BIAS, D_POINTS_BIAS, WIN_ERROR, POINTS_ERROR, SUMS = range(8)
SAMPLES, WIN_ERRORS, POINTS_ERRORS, COLUMNS = range(4)  # columns of the sums of a step, and their number


def _play_game(
    tables: Any, row_orders: Any, weights: Any, seed: int, explore: float, trace: float, samples: Any, number: int,
    jokers: int, hands: Any,
) -> None:  # fmt: skip
    """Play game `number` and write its samples; `hands` are the arrays of this game, or None in dice games."""
    features, _, active, targets, counts = samples
    ints, floats = cuda.local.array(INTS, int64), cuda.local.array(FLOATS, float32)
    explored = cuda.local.array(MAX_STATES, int64)
    game_arrays = game_buffers(pointer(ints))
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    counts[number] = selfplay.play_game(
        pointer(tables), row_orders, jokers, seed, number, explore, trace, game_arrays, buffers, explored,
        features[number], hands, active[number], targets[number], None, 0,
    )  # fmt: skip


def _play_dice(
    tables: Any, row_orders: Any, weights: Any, seed: int, explore: float, trace: float, samples: Any, games: int
) -> None:
    """Play a dice game per thread."""
    number = cuda.grid(1)
    if number < games:
        play_game(tables, row_orders, weights, seed, explore, trace, samples, number, 0, None)


def _play_cards(
    tables: Any, row_orders: Any, weights: Any, seed: int, explore: float, trace: float, samples: Any, games: int
) -> None:
    """Play a card game per thread, alternately with and without jokers."""
    number = cuda.grid(1)
    if number < games:
        _, hands, _, _, _ = samples
        play_game(tables, row_orders, weights, seed, explore, trace, samples, number, number % 2, hands[number])


def _sum_features(weights: Any, matrix: int, features: Any, hand: Any, unit: int) -> Any:
    """The sum of a hidden unit's weights over the features of a sheet and a hand."""
    total, later = float32(0), later_features(weights.size)
    for i in range(features.size):
        if features[i] < compiled_features.ALL_FEATURES:
            total += weights[weights_of(matrix, int(features[i]), later) + unit]
    for i in range(hand.size):
        if hand[i] < card_features.FEATURES:
            total += weights[network.W_HAND + int(hand[i]) * H + unit]
    return total


def _add_grads(grad: Any, matrix: int, features: Any, hand: Any, unit: int, derivative: float) -> None:
    """Backpropagate through `sum_features`: add the derivative to the gradient of every weight in the sum."""
    later = later_features(grad.size)
    for i in range(features.size):
        if features[i] < compiled_features.ALL_FEATURES:
            cuda.atomic.add(grad, weights_of(matrix, int(features[i]), later) + unit, derivative)
    for i in range(hand.size):
        if hand[i] < card_features.FEATURES:
            cuda.atomic.add(grad, network.W_HAND + int(hand[i]) * H + unit, derivative)


def _add_gradient(weights: Any, samples: Any, first_game: int, grad: Any, sums: Any, step: int) -> None:
    """Each block of threads adds the gradient of some states of a game, with a thread per hidden unit.

    Most names are those of `gradient.add_gradient`; `step` is a row of `sums`. This is one long function, because
    threads share memory only within one.
    """
    features, hands, active, targets, counts = samples
    players, unit = features.shape[2], cuda.threadIdx.x
    nearest = min(1, players - 1)
    # One array per line, because Numba's simulator tells shared arrays apart by line.
    layer = cuda.shared.array(LAYER, float32)
    d_layer = cuda.shared.array(LAYER, float32)
    total = cuda.shared.array(H, float32)
    second = cuda.shared.array(S, float32)
    own, other = cuda.local.array(PLAYERS, float32), cuda.local.array(PLAYERS, float32)
    d_own, d_other = cuda.local.array(PLAYERS, float32), cuda.local.array(PLAYERS, float32)
    hidden, thread_sums = cuda.local.array(PLAYERS, float32), cuda.local.array(SUMS, float32)
    for u in range(S):
        layer[unit * STRIDE + u] = weights[network.W_SECOND + unit * S + u]
        d_layer[unit * STRIDE + u] = 0
    for i in range(SUMS):
        thread_sums[i] = 0
    cuda.syncthreads()
    game, states = first_game + cuda.blockIdx.x, 0
    for s in range(cuda.blockIdx.y, counts[game], cuda.gridDim.y):
        states += 1
        for p in range(players):
            own[p] = sum_features(weights, network.W_OWN, features[game, s, p], hands[game, s, p, 0], unit)
            other[p] = sum_features(weights, network.W_OTHER, features[game, s, p], hands[game, s, p, 1], unit)
            d_own[p] = d_other[p] = 0
        for p in range(players):
            active_distance = kernel.turns_between(p, int(active[game, s]), players)
            seating = network.W_SEATING + compiled_features.seating_index(players, active_distance, 0) * H + unit
            unit_total = float32(0)
            for d in range(nearest, players):
                q = kernel.player_after(p, d, players)
                hidden[d] = max(own[p] + weights[seating + d * H] + (other[q] if d > 0 else float32(0)), float32(0))
                unit_total += hidden[d]
            total[unit] = unit_total
            cuda.syncthreads()
            if unit < S:
                second_sum = weights[network.B_SECOND + unit]
                for u in range(H):
                    second_sum += total[u] * layer[u * STRIDE + unit]
                second[unit] = max(second_sum, float32(0))
            cuda.syncthreads()
            odds, points = weights[network.B_OUTPUT], weights[network.B_OUTPUT + 1]
            for u in range(S):
                odds += second[u] * weights[network.W_OUTPUT + 2 * u]
                points += second[u] * weights[network.W_OUTPUT + 2 * u + 1]
            win_error = float32(1) / (float32(1) + exp(-odds)) - targets[game, s, p, 0]
            d_points = points - targets[game, s, p, 1]
            d_odds = win_error if players > 1 else float32(0)
            if unit == 0:
                thread_sums[D_ODDS_BIAS] += d_odds
                thread_sums[D_POINTS_BIAS] += d_points
                thread_sums[WIN_ERROR] += win_error * win_error
                thread_sums[POINTS_ERROR] += d_points * d_points
            d_total = float32(0)
            for u in range(S):
                if second[u] > 0:
                    d_second = (
                        d_odds * weights[network.W_OUTPUT + 2 * u] + d_points * weights[network.W_OUTPUT + 2 * u + 1]
                    )
                    d_total += layer[unit * STRIDE + u] * d_second
                    d_layer[unit * STRIDE + u] += unit_total * d_second
                    if unit == u:
                        thread_sums[D_BIAS] += d_second
                        thread_sums[D_ODDS_WEIGHT] += d_odds * second[u]
                        thread_sums[D_POINTS_WEIGHT] += d_points * second[u]
            for d in range(nearest, players):
                if hidden[d] > 0:
                    cuda.atomic.add(grad, seating + d * H, d_total)
                    d_own[p] += d_total
                    if d > 0:
                        d_other[kernel.player_after(p, d, players)] += d_total
            cuda.syncthreads()
        for p in range(players):
            add_grads(grad, network.W_OWN, features[game, s, p], hands[game, s, p, 0], unit, d_own[p])
            add_grads(grad, network.W_OTHER, features[game, s, p], hands[game, s, p, 1], unit, d_other[p])
    for u in range(S):
        cuda.atomic.add(grad, network.W_SECOND + unit * S + u, d_layer[unit * STRIDE + u])
    if unit < S:
        cuda.atomic.add(grad, network.B_SECOND + unit, thread_sums[D_BIAS])
        cuda.atomic.add(grad, network.W_OUTPUT + 2 * unit, thread_sums[D_ODDS_WEIGHT])
        cuda.atomic.add(grad, network.W_OUTPUT + 2 * unit + 1, thread_sums[D_POINTS_WEIGHT])
    if unit == 0:
        cuda.atomic.add(grad, network.B_OUTPUT, thread_sums[D_ODDS_BIAS])
        cuda.atomic.add(grad, network.B_OUTPUT + 1, thread_sums[D_POINTS_BIAS])
        cuda.atomic.add(sums, (step, SAMPLES), states * players)
        cuda.atomic.add(sums, (step, WIN_ERRORS), thread_sums[WIN_ERROR])
        cuda.atomic.add(sums, (step, POINTS_ERRORS), thread_sums[POINTS_ERROR])


def _adam_step(
    weights: Any, average: Any, moment1: Any, moment2: Any, grad: Any, sums: Any, step: int,
    rate: float, bias1: float, bias2: float, decay: float,
) -> None:  # fmt: skip
    """Take an Adam step, a thread per weight."""
    i = cuda.grid(1)
    if i < weights.size:
        g = grad[i] / float32(sums[step, SAMPLES])  # the mean over the samples
        adam_weight(
            weights, average, moment1, moment2, i, g, float32(rate), float32(bias1), float32(bias2), float32(decay)
        )
        grad[i] = 0


play_dice, play_cards = cuda.jit(_play_dice), cuda.jit(_play_cards)
play_game, sum_features, add_grads = (cuda.jit(device=True)(code) for code in (_play_game, _sum_features, _add_grads))
add_gradient, adam_step = cuda.jit(fastmath=True)(_add_gradient), cuda.jit(fastmath=True)(_adam_step)


def make_ready() -> None:
    """Check that there is a GPU, and keep Numba from inlining long functions, which would take minutes."""
    if not find_spec("numba_cuda"):
        raise TrainingError("a GPU needs numba-cuda: install the extra rowlock[gpu]")
    if not cuda.is_available():
        raise TrainingError("no GPU was found that CUDA can use")
    warnings.filterwarnings("ignore", ".*Grid size")  # the last batch of steps may be small
    from numba.cuda import codegen

    library: Any = codegen.CUDACodeLibrary
    finalize = library.finalize

    def finalize_without_inlining(code: Any) -> None:
        finalize(code)
        for module in (module for linked in code._linking_libraries for module in linked.modules):
            for function in module.functions:
                if sum(len(block.instructions) for block in function.blocks) > MAX_INLINED:
                    function.attributes.add("noinline")

    library.finalize = finalize_without_inlining


class GpuTraining(Training):
    """Training of the champion on a GPU."""

    def train_steps(self, pool: ThreadPoolExecutor, last: int) -> NDArray[np.float64]:
        begin, end = self.step, min(last, self.step + self.steps_at_once)
        host_arrays = self.weights, self.average, self.first_moment, self.second_moment
        device_arrays = [cuda.to_device(array) for array in host_arrays]
        weights = device_arrays[0]
        grad, sums = cuda.to_device(np.zeros_like(self.weights)), cuda.to_device(np.zeros((end - begin, COLUMNS)))
        self.play(weights, Counter(map(self.players_at, range(begin, end))))
        used: Counter[int] = Counter()  # games used so far, by number of players
        while self.step < end:
            row, players = self.step - begin, self.players_at(self.step)
            games, (rate, number, decay) = games_per_step(players), self.schedule
            samples = self._sample_arrays[players]
            add_gradient[(games, GRADIENT_BLOCKS), H](weights, samples, used[players], grad, sums, row)
            # The bias corrections of Adam are computed here, once for all weights.
            adam_step[grad.size // WEIGHTS_BLOCK + 1, WEIGHTS_BLOCK](
                *device_arrays, grad, sums, row, rate, 1 - 0.9**number, 1 - 0.999**number, decay
            )
            used[players] += games
            self.step += 1
        for host_array, device_array in zip(host_arrays, device_arrays, strict=True):
            device_array.copy_to_host(host_array)
        return np.asarray(sums.copy_to_host().sum(axis=0))

    @property
    def steps_at_once(self) -> int:
        return min(MAX_BATCH_STEPS, max(1, self.config.steps // BATCHES))

    def play(self, weights: Any, steps: dict[int, int]) -> None:
        """Play the games for some steps; `steps` has the number of these steps by number of players."""
        config = self.config
        play, block, trace = play_dice, BLOCK, config.trace
        if self.variant.cards:
            play, block, trace = play_cards, CARDS_BLOCK, trace ** (1 / CARD_STATES)
        for i, (players, count) in enumerate(sorted(steps.items())):  # each number of players has a seed and a stream
            games = count * games_per_step(players)
            play[games // block + 1, block, self._streams[i]](
                *self._rules, weights, self.seed_of(i), config.explore, trace, self._sample_arrays[players], games
            )
        cuda.synchronize()

    @cached_property
    def _rules(self) -> list[Any]:
        return [cuda.to_device(array) for array in (self.tables, self.row_orders)]

    @cached_property
    def _streams(self) -> list[Any]:
        return [cuda.stream() for _ in range(PARTS)]

    @cached_property
    def _sample_arrays(self) -> dict[int, Any]:
        counts = PLAYER_COUNTS[self.config.mode]
        cycles = -(-self.steps_at_once // len(counts))  # rounded up
        return {players: self._new_arrays(players, cycles * count) for players, count in Counter(counts).items()}

    def _new_arrays(self, players: int, steps: int) -> Any:
        """Arrays for the samples of some steps: features, hands, active, targets, and the number of states per game."""
        cards, games = self.variant.cards is not None, steps * games_per_step(players)
        capacity = TURNS * players * (CARD_STATES if cards else 1)
        return (
            cuda.device_array((games, capacity, players, feature_count(self.tables)), np.int16),
            cuda.device_array((games, capacity, players, 2, card_features.MAX_FEATURES if cards else 0), np.int16),
            cuda.device_array((games, capacity), np.int8),
            cuda.device_array((games, capacity, players, 2), np.float32),
            cuda.device_array(games, np.int64),
        )


def games_per_step(players: int) -> int:
    """How many games a step has, for a number of players."""
    return PARTS * (2 * GAMES // players)
