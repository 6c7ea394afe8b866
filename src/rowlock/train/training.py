"""Training runs: each step plays games of self-play and changes the weights; a run can be saved and continued.

On the CPU the same config gives the same weights, whatever the number of threads and of interruptions.
"""

import json
import os
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import permutations
from math import cos, pi
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from rowlock import paths
from rowlock.arena.tally import WIN, game_points, win_shares
from rowlock.bots import compiled_form, data_of, find_bot
from rowlock.bots.champion import Champion
from rowlock.bots.network_bot import NetworkBot
from rowlock.fast import games
from rowlock.fast.results import BOTS, POINTS, Array
from rowlock.networks import network
from rowlock.networks.weights import Weights
from rowlock.rules import kernel
from rowlock.rules.variant import Setup, Variant
from rowlock.solver.space import Space, same_rows
from rowlock.train import gradient, selfplay

PARTS = 4  # every step has four parts, computed in parallel
GAMES = 8  # two-player games in a part; for n players there are 2 * GAMES // n games
OPPONENTS = ("greedy", "evolved")  # the bots against which strength is measured
PLAYER_COUNTS = {"solo": (1,), "several": (2, 3, 2, 4, 2, 5)}  # by mode: players in successive steps, repeated


class TrainingError(ValueError):
    """A training run that cannot begin or continue."""


@dataclass(frozen=True)
class TrainingConfig:
    """All that the weights of a training run depend on, besides the variant."""

    mode: str = "several"  # "solo" for games of one player, "several" for games of two to five
    steps: int = 20_000
    seed: int = 1
    rate: float = 0.002  # highest learning rate
    trace: float = 0.7  # the λ of TD(λ)
    explore: float = 0.01  # share of random decisions

    def saved(self) -> dict[str, Any]:
        """The fields as they are written to files, where `mode` is called "table"."""
        fields = asdict(self)
        return {"table": fields.pop("mode"), **fields}


@dataclass(frozen=True)
class CurvePoint:
    """A point of the learning curves; the errors are root mean square errors."""

    step: int
    win_error: float  # of the predicted win chances
    points_error: float
    strength: tuple[float, ...]  # share of games won against each of `OPPONENTS`; in solo mode the mean points


@dataclass
class Training:
    """Training of the champion; subclasses train another bot or on another device."""

    bot: ClassVar[type[NetworkBot]] = Champion
    variant: Variant
    config: TrainingConfig
    weights: Weights
    average: Weights  # moving average of the weights
    first_moment: Weights  # moving average of the gradient, for Adam
    second_moment: Weights  # moving average of the squared gradient, for Adam
    step: int = 0
    curve: list[CurvePoint] = field(default_factory=list)

    @classmethod
    def begin(cls, variant: Variant, config: TrainingConfig) -> Self:
        if unsupported := cls.bot.unsupported(variant):
            raise TrainingError(unsupported)
        weights = cls.initial_weights(variant, config.seed)
        return cls(variant, config, weights, weights.copy(), np.zeros_like(weights), np.zeros_like(weights))

    @staticmethod
    def initial_weights(variant: Variant, seed: int) -> Weights:
        """Random weights to begin with."""
        random, hidden, second = np.random.default_rng(seed), network.HIDDEN, network.SECOND
        weights = np.zeros(network.weights_size(variant.tables), np.float32)
        weights[: network.W_SEATING] = random.normal(0, 0.1, network.W_SEATING)
        weights[network.W_SECOND : network.B_SECOND] = random.normal(0, (2 / hidden) ** 0.5, hidden * second)
        weights[network.W_OUTPUT : network.B_OUTPUT] = random.normal(0, (1 / second) ** 0.5, 2 * second)
        weights[network.W_HAND :] = random.normal(0, 0.1, weights.size - network.W_HAND)
        return weights

    def run(
        self, interval: int, threads: int | None = None, progress: Callable[[int], None] = lambda _: None
    ) -> Iterator[CurvePoint]:
        """Train to the last step; yields a point of the learning curves every `interval` steps and at the end."""
        sums = np.zeros(3)  # number of samples, squared errors of win chances, and of points in hundreds
        with ThreadPoolExecutor(min(PARTS, threads or os.cpu_count() or 1)) as pool:
            while self.step < self.config.steps:
                next_point = min(self.step + interval - self.step % interval, self.config.steps)
                sums += self.train_steps(pool, next_point)
                progress(self.step)
                if self.step == next_point:
                    win_error, points_error = np.sqrt(sums[1:] / sums[0])
                    sums[:] = 0
                    self.curve.append(CurvePoint(self.step, win_error, 100 * points_error, self.strength()))
                    yield self.curve[-1]

    def train_steps(self, pool: ThreadPoolExecutor, last: int) -> NDArray[np.float64]:
        """Take at least one step, none after `last`; returns the number of samples and the sums of squared errors."""
        part_sums = list(pool.map(lambda part: self.train_part(part, self._grads[part]), range(PARTS)))
        grad, *other_grads = self._grads
        for other in other_grads:
            grad += other
            other[:] = 0
        sums: NDArray[np.float64] = np.sum(part_sums, axis=0)
        grad /= sums[0]  # the number of samples
        gradient.adam_step(self.weights, self.average, self.first_moment, self.second_moment, grad, *self.schedule)
        self.step += 1
        return sums

    @property
    def schedule(self) -> tuple[float, int, float]:
        """The learning rate of this step, its number counted from 1, and the decay of the moving average of weights.

        The rate falls along a cosine to 1 %. The decay grows, so that the average soon forgets the first weights.
        """
        number = self.step + 1
        rate = self.config.rate * max(0.01, (1 + cos(pi * number / self.config.steps)) / 2)
        return rate, number, min(0.999, 1 - 10 / (number + 10))

    @cached_property
    def _grads(self) -> list[Weights]:
        return [np.zeros_like(self.weights) for _ in range(PARTS)]

    @cached_property
    def tables(self) -> Array:
        return np.array(self.variant.tables, np.int64)

    @cached_property
    def row_orders(self) -> Array:
        return row_symmetries(self.variant)

    def players_at(self, step: int) -> int:
        """The number of players in the games of a step."""
        counts = PLAYER_COUNTS[self.config.mode]
        return counts[step % len(counts)]

    def seed_of(self, part: int) -> int:
        """The seed of a part of this step."""
        return (self.config.seed << 40) + self.step * PARTS + part  # a run has fewer than 2**40 parts

    def train_part(self, part: int, grad: Weights) -> tuple[float, float, float]:
        """Add the gradient of some games to `grad`; returns the number of samples and the sums of squared errors."""
        players = self.players_at(self.step)
        samples = self.self_play(players, 2 * GAMES // players, self.seed_of(part))
        win_errors, points_errors = gradient.add_gradient(
            self.weights, samples.features, samples.hands, samples.active, samples.targets, grad
        )
        return len(samples.active) * players, win_errors, points_errors

    def self_play(self, players: int, count: int, seed: int) -> selfplay.Samples:
        """The samples of `count` games; card games are played with jokers if the seed is odd."""
        explore, trace = self.config.explore, self.config.trace
        return selfplay.play_samples(self.tables, self.row_orders, self.weights, players, count, seed, explore, trace)

    def strength(self, count: int = 2000) -> tuple[float, ...]:
        """The strength of the bot with the present weights, as described for `CurvePoint`."""
        trained = (compiled_form(self.bot()), (np.zeros(0, np.int32), self.final_weights()))
        if self.config.mode == "solo":
            results = games.play_games(Setup(self.variant), [trained], seed=0, first=0, count=count)
            return (float(results[:, BOTS + POINTS].mean()),)
        shares = []
        for name in OPPONENTS:
            bot = find_bot(name)
            opponent = (compiled_form(bot), data_of(type(bot), self.variant, 2))
            results = games.play_games(Setup(self.variant), [trained, opponent], seed=0, first=0, count=count)
            points = game_points(results, forfeits=[], first_game=0)
            shares.append(float(win_shares(points)[:, 0].mean() / WIN))
        return tuple(shares)

    def final_weights(self) -> Weights:
        """The averaged weights in half precision; weights of features that never occurred are zero."""
        return np.where(self.second_moment > 0, self.average, 0).astype(np.float16).astype(np.float32)

    def save(self, path: Path) -> None:
        """Write the state of the run, from which `load` continues."""
        header = {"variant": self.variant.id, "step": self.step, **self.config.saved()}
        header["curve"] = [asdict(point) for point in self.curve]
        temporary = path.with_suffix(".new.npz")
        first, second = self.first_moment, self.second_moment
        arrays = {"weights": self.weights, "average": self.average, "first": first, "second": second}
        with paths.name_path_in_errors(path):
            # The header is called "told", as in saved runs of version 0.1.
            np.savez(temporary, allow_pickle=False, told=np.array(json.dumps(header)), **arrays)
            temporary.replace(path)

    @classmethod
    def load(cls, path: Path, variant: Variant, config: TrainingConfig) -> Self:
        try:
            with path.open("rb") as raw, np.load(raw) as file:
                header: dict[str, Any] = json.loads(str(file["told"]))
                weights, average, first, second = (file[key] for key in ("weights", "average", "first", "second"))
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise TrainingError(f"{path}: the training run cannot be read: {error}") from None
        curve = [CurvePoint(**{**point, "strength": tuple(point["strength"])}) for point in header.pop("curve")]
        step = header.pop("step")
        if header != {"variant": variant.id, **config.saved()}:
            raise TrainingError(f"{path}: this file belongs to another training run; move or remove it")
        return cls(variant, config, weights, average, first, second, step, curve)


def row_symmetries(variant: Variant) -> Array:
    """All orders of rows that leave the game the same; the samples of each game use a random one of them."""
    if variant.cards:
        # Every number n may stay (None), or become the mirror sum - n: all numbers of cards are equally likely.
        mirror_sums = (None, variant.cards.lowest + variant.cards.highest)
        orders = permutations(range(kernel.ROWS))
        return np.array([o for o in orders if any(same_rows(variant.rows, o, sum_) for sum_ in mirror_sums)], np.int64)
    if variant.effects - {"lucky"}:  # other effects may treat rows differently
        return np.array([range(kernel.ROWS)], np.int64)
    symmetries = [set(Space(variant, pair).symmetries) for pair in variant.lucky or (None,)]
    return np.array(sorted(set.intersection(*symmetries)), np.int64)
