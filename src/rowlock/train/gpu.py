"""Learning on a GPU (`rowlock[gpu]`): the games of many steps side by side, each in a thread of its own.

The functions are those that play on cores, compiled once more: the rules, the champion and the network stand nowhere
else. Only the gradient is written anew, with a thread for each hidden unit; sums are made in any order there, so the
same settings do not give the very same weights.
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

from rowlock.fast import workspace
from rowlock.fast.pointer import bot_buffers, game_buffers, pointer
from rowlock.networks import card_features, network
from rowlock.rules import kernel
from rowlock.train import selfplay
from rowlock.train.gradient import f, step_weight
from rowlock.train.selfplay import MOMENTS, TURNS, feature_count
from rowlock.train.training import GAMES, MIXES, PARTS, Sums, Training, TrainingError

cuda: Any = _cuda  # Numba's own annotations do not reach this far
H, S = network.HIDDEN, network.SECOND
WIDE = S + 1  # of a row of the second layer in shared memory, so that no two threads meet in a bank
# Sizes of what a thread needs; constants of this module, as they have to be known when it is compiled.
INTS, FLOATS, SEATS, LAYER = workspace.INTS, network.FLOATS, kernel.MAX_PLAYERS, H * WIDE
MOST = MOMENTS * TURNS * kernel.MAX_PLAYERS  # states of a game that are learnt from
# Steps whose games are played at once, by the network as it is before them: one in so many of all, so many at the most.
SHARE, AHEAD = 64, 384
BLOCK, CARDS_BLOCK = 32, 2  # games side by side in step; with cards one would wait for the other too often
BLOCKS = 8  # that learn from a game
WEIGHTS_BLOCK = 256
LONG = 300  # instructions of a function that is called and not copied to wherever it is called


def _play_one(
    tables: Any, orders: Any, weights: Any, seed: int, explore: float, trace: float, samples: Any, number: int,
    jokers: int, hands: Any,
) -> None:  # fmt: skip
    features, _, active, targets, counts = samples
    ints, floats = cuda.local.array(INTS, int64), cuda.local.array(FLOATS, float32)
    odd = cuda.local.array(MOST, int64)
    game = game_buffers(pointer(ints))
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    counts[number] = selfplay.play_game(
        pointer(tables), orders, jokers, seed, number, explore, trace, game, buffers, odd,
        features[number], hands, active[number], targets[number], None, 0,
    )  # fmt: skip


def _play_dice(
    tables: Any, orders: Any, weights: Any, seed: int, explore: float, trace: float, samples: Any, games: int
) -> None:
    """Each thread a game."""
    number = cuda.grid(1)
    if number < games:
        play_one(tables, orders, weights, seed, explore, trace, samples, number, 0, None)


def _play_cards(
    tables: Any, orders: Any, weights: Any, seed: int, explore: float, trace: float, samples: Any, games: int
) -> None:
    """Each thread a game, with and without jokers in turn."""
    number = cuda.grid(1)
    if number < games:
        play_one(tables, orders, weights, seed, explore, trace, samples, number, number % 2, samples[1][number])


def _add_up(weights: Any, table: int, features: Any, hand: Any, unit: int) -> Any:
    """What the features of a sheet and a hand come to in a hidden unit."""
    x = float32(0)
    for i in range(features.size):
        if features[i] < f.FEATURES:
            x += weights[table + int(features[i]) * H + unit]
    for i in range(hand.size):
        if hand[i] < card_features.FEATURES:
            x += weights[network.W_HAND + int(hand[i]) * H + unit]
    return x


def _spread(into: Any, table: int, features: Any, hand: Any, unit: int, slope: float) -> None:
    """And back: the slope of that sum, to all that was added up."""
    for i in range(features.size):
        if features[i] < f.FEATURES:
            cuda.atomic.add(into, table + int(features[i]) * H + unit, slope)
    for i in range(hand.size):
        if hand[i] < card_features.FEATURES:
            cuda.atomic.add(into, network.W_HAND + int(hand[i]) * H + unit, slope)


def _gradient(weights: Any, samples: Any, begin: int, into: Any, sums: Any, step: int) -> None:
    """Each block some states of a game, each thread a hidden unit: `learn.gradient` side by side.

    In one piece, as that is: shared memory and the threads' steps belong to one function.
    """
    features, hands, active, targets, counts = samples
    players, unit = features.shape[2], cuda.threadIdx.x
    first = min(1, players - 1)
    # In lines of their own, by which the simulator knows them.
    layer = cuda.shared.array(LAYER, float32)
    slope = cuda.shared.array(LAYER, float32)
    total = cuda.shared.array(H, float32)
    second = cuda.shared.array(S, float32)
    own, other = cuda.local.array(SEATS, float32), cuda.local.array(SEATS, float32)
    d_own, d_other = cuda.local.array(SEATS, float32), cuda.local.array(SEATS, float32)
    hidden, summed = cuda.local.array(SEATS, float32), cuda.local.array(7, float32)
    for u in range(S):
        layer[unit * WIDE + u] = weights[network.W_SECOND + unit * S + u]
        slope[unit * WIDE + u] = 0
    for u in range(7):  # of a second unit its bias and weights, of the outputs their biases, and squared errors
        summed[u] = 0
    cuda.syncthreads()
    game, states = begin + cuda.blockIdx.x, 0
    for s in range(cuda.blockIdx.y, counts[game], cuda.gridDim.y):
        states += 1
        for p in range(players):
            own[p] = add_up(weights, network.W_OWN, features[game, s, p], hands[game, s, p, 0], unit)
            other[p] = add_up(weights, network.W_OTHER, features[game, s, p], hands[game, s, p, 1], unit)
            d_own[p] = d_other[p] = 0
        for p in range(players):
            next_roll = (int(active[game, s]) - p + players) % players
            order = network.W_ORDER + f.order_of(players, next_roll, 0) * H + unit
            x = float32(0)
            for d in range(first, players):
                q = (p + d) % players
                hidden[d] = max(own[p] + weights[order + d * H] + (other[q] if d > 0 else float32(0)), float32(0))
                x += hidden[d]
            total[unit] = x
            cuda.syncthreads()
            if unit < S:
                y = weights[network.B_SECOND + unit]
                for u in range(H):
                    y += total[u] * layer[u * WIDE + unit]
                second[unit] = max(y, float32(0))
            cuda.syncthreads()
            odds, points = weights[network.B_OUTPUT], weights[network.B_OUTPUT + 1]
            for u in range(S):
                odds += second[u] * weights[network.W_OUTPUT + 2 * u]
                points += second[u] * weights[network.W_OUTPUT + 2 * u + 1]
            off = float32(1) / (float32(1) + exp(-odds)) - targets[game, s, p, 0]
            d_points = points - targets[game, s, p, 1]
            d_odds = off if players > 1 else float32(0)
            if unit == 0:
                summed[3] += d_odds
                summed[4] += d_points
                summed[5] += off * off
                summed[6] += d_points * d_points
            back = float32(0)
            for u in range(S):
                if second[u] > 0:
                    d_second = (
                        d_odds * weights[network.W_OUTPUT + 2 * u] + d_points * weights[network.W_OUTPUT + 2 * u + 1]
                    )
                    back += layer[unit * WIDE + u] * d_second
                    slope[unit * WIDE + u] += x * d_second
                    if unit == u:
                        summed[0] += d_second
                        summed[1] += d_odds * second[u]
                        summed[2] += d_points * second[u]
            for d in range(first, players):
                if hidden[d] > 0:
                    cuda.atomic.add(into, order + d * H, back)
                    d_own[p] += back
                    if d > 0:
                        d_other[(p + d) % players] += back
            cuda.syncthreads()
        for p in range(players):
            spread(into, network.W_OWN, features[game, s, p], hands[game, s, p, 0], unit, d_own[p])
            spread(into, network.W_OTHER, features[game, s, p], hands[game, s, p, 1], unit, d_other[p])
    for u in range(S):
        cuda.atomic.add(into, network.W_SECOND + unit * S + u, slope[unit * WIDE + u])
    if unit < S:
        cuda.atomic.add(into, network.B_SECOND + unit, summed[0])
        cuda.atomic.add(into, network.W_OUTPUT + 2 * unit, summed[1])
        cuda.atomic.add(into, network.W_OUTPUT + 2 * unit + 1, summed[2])
    if unit == 0:
        cuda.atomic.add(into, network.B_OUTPUT, summed[3])
        cuda.atomic.add(into, network.B_OUTPUT + 1, summed[4])
        cuda.atomic.add(sums, (step, 0), states * players)
        cuda.atomic.add(sums, (step, 1), summed[5])
        cuda.atomic.add(sums, (step, 2), summed[6])


def _step(
    weights: Any, average: Any, first: Any, second: Any, into: Any, sums: Any, step: int,
    rate: float, one: float, two: float, keep: float,
) -> None:  # fmt: skip
    """Each thread a weight."""
    i = cuda.grid(1)
    if i < weights.size:
        slope = into[i] / float32(sums[step, 0])
        step_weight(weights, average, first, second, i, slope, float32(rate), float32(one), float32(two), float32(keep))
        into[i] = 0


play_dice, play_cards = cuda.jit(_play_dice), cuda.jit(_play_cards)
play_one, add_up, spread = (cuda.jit(device=True)(one) for one in (_play_one, _add_up, _spread))
gradient, step = cuda.jit(fastmath=True)(_gradient), cuda.jit(fastmath=True)(_step)


def make_ready() -> None:
    """Find the GPU, and have long functions called there, not copied to where they are called: that takes minutes."""
    if not find_spec("numba_cuda"):
        raise TrainingError("a GPU needs numba-cuda: install the extra rowlock[gpu]")
    if not cuda.is_available():
        raise TrainingError("no GPU was found that CUDA can use")
    warnings.filterwarnings("ignore", ".*Grid size")  # the last steps before a point may be few
    from numba.cuda import codegen

    library: Any = codegen.CUDACodeLibrary
    finalize = library.finalize

    def finalize_apart(own: Any) -> None:
        finalize(own)
        for module in (module for linked in own._linking_libraries for module in linked.modules):
            for function in module.functions:
                if sum(len(block.instructions) for block in function.blocks) > LONG:
                    function.attributes.add("noinline")

    library.finalize = finalize_apart


class GpuTraining(Training):
    """The champion's, on a GPU."""

    def learn(self, pool: ThreadPoolExecutor, point: int) -> Sums:
        begin, end = self.step, min(point, self.step + self.ahead)
        host = self.weights, self.average, self.first, self.second
        device = [cuda.to_device(one) for one in host]
        into, sums = cuda.to_device(np.zeros_like(self.weights)), cuda.to_device(np.zeros((end - begin, 3)))
        self.play(device[0], Counter(map(self.players_at, range(begin, end))))
        learnt: Counter[int] = Counter()  # games, by the number of players
        while self.step < end:
            one, players = self.step - begin, self.players_at(self.step)
            games, (rate, number, keep) = games_of(players), self.pace
            gradient[(games, BLOCKS), H](device[0], self._rooms[players], learnt[players], into, sums, one)
            step[into.size // WEIGHTS_BLOCK + 1, WEIGHTS_BLOCK](
                *device, into, sums, one, rate, 1 - 0.9**number, 1 - 0.999**number, keep
            )
            learnt[players] += games
            self.step += 1
        for here, there in zip(host, device, strict=True):
            there.copy_to_host(here)
        return np.asarray(sums.copy_to_host().sum(axis=0))

    @property
    def ahead(self) -> int:
        return min(AHEAD, max(1, self.settings.steps // SHARE))

    def play(self, weights: Any, steps: dict[int, int]) -> None:
        """Play the games of so many steps for each number of players."""
        settings = self.settings
        play, block, trace = play_dice, BLOCK, settings.trace
        if self.variant.cards:
            play, block, trace = play_cards, CARDS_BLOCK, trace ** (1 / MOMENTS)
        for part, (players, count) in enumerate(sorted(steps.items())):
            games = count * games_of(players)
            play[games // block + 1, block, self._streams[part]](
                *self._tables, weights, self.seed_of(part), settings.explore, trace, self._rooms[players], games
            )
        cuda.synchronize()

    @cached_property
    def _tables(self) -> list[Any]:
        return [cuda.to_device(one) for one in (self.tables, self.orders)]

    @cached_property
    def _streams(self) -> list[Any]:
        return [cuda.stream() for _ in range(PARTS)]

    @cached_property
    def _rooms(self) -> dict[int, Any]:
        mix = MIXES[self.settings.table]
        rounds = -(-self.ahead // len(mix))
        return {players: self._room(players, rounds * count) for players, count in Counter(mix).items()}

    def _room(self, players: int, steps: int) -> Any:
        """Arrays for the samples of so many steps: features, hands, active, targets, and how many each game has."""
        cards, games = self.variant.cards is not None, steps * games_of(players)
        room = TURNS * players * (MOMENTS if cards else 1)
        return (
            cuda.device_array((games, room, players, feature_count(self.tables)), np.int16),
            cuda.device_array((games, room, players, 2, card_features.MAX_FEATURES if cards else 0), np.int16),
            cuda.device_array((games, room), np.int8),
            cuda.device_array((games, room, players, 2), np.float32),
            cuda.device_array(games, np.int64),
        )


def games_of(players: int) -> int:
    """The games of a step."""
    return PARTS * (2 * GAMES // players)
