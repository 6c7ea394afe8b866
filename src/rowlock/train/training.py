"""A training: games of a network against itself, a step along the gradient, and so on; it can be laid aside at will.

Everything follows from the settings: on cores the same ones give the same weights, whatever the number of threads and
however often the training was interrupted.
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
from rowlock.arena.tally import WIN, standing_of, win_shares
from rowlock.bots import compiled_form, data_of, find_bot
from rowlock.bots.champion import Champion
from rowlock.bots.network_bot import NetworkBot
from rowlock.fast import games
from rowlock.fast.games import Array
from rowlock.networks import network
from rowlock.networks.weights import Weights
from rowlock.rules import kernel
from rowlock.rules.variant import Setup, Variant
from rowlock.solver.space import Space, same_rows
from rowlock.train import gradient, selfplay

PARTS = 4  # of a step, played and learnt from side by side
GAMES = 8  # of a part, with two players
POOL = ("greedy", "evolved")  # whom the strength of a training is measured against
MIXES = {"solo": (1,), "several": (2, 3, 2, 4, 2, 5)}  # numbers of players, in turn
Sums = NDArray[np.float64]


class TrainingError(ValueError):
    """A training that cannot begin, or go on."""


@dataclass(frozen=True)
class TrainingConfig:
    """All that a training depends on, beside the variant."""

    table: str = "several"
    steps: int = 20_000
    seed: int = 1
    rate: float = 0.002  # of learning, at its highest
    trace: float = 0.7  # how much of what comes later counts, against what the network expects next
    explore: float = 0.01  # the share of decisions made at random


@dataclass(frozen=True)
class Point:
    """A point of the learning curves: typical errors of win chances and points, and strength.

    Strength is the share of games won against each of the pool; alone, the points.
    """

    step: int
    win_error: float
    points_error: float
    strength: tuple[float, ...]


@dataclass
class Training:
    """That of the champion; others say who learns, from what, and how."""

    bot: ClassVar[type[NetworkBot]] = Champion
    variant: Variant
    settings: TrainingConfig
    weights: Weights
    average: Weights  # of the latest weights: what is kept in the end
    first: Weights  # moments of the gradient
    second: Weights
    step: int = 0
    curve: list[Point] = field(default_factory=list)

    @classmethod
    def begin(cls, variant: Variant, settings: TrainingConfig) -> Self:
        if unknown := cls.bot.unknown(variant):
            raise TrainingError(unknown)
        weights = cls.fresh(variant, settings.seed)
        return cls(variant, settings, weights, weights.copy(), np.zeros_like(weights), np.zeros_like(weights))

    @staticmethod
    def fresh(variant: Variant, seed: int) -> Weights:
        """Weights to begin with."""
        return gradient.fresh(seed, network.weights_size(variant.tables))

    def run(
        self, every: int, threads: int | None = None, progress: Callable[[int], None] = lambda _: None
    ) -> Iterator[Point]:
        """Go on to the last step; a point of the curves after every so many."""
        sums = np.zeros(3)
        with ThreadPoolExecutor(min(PARTS, threads or os.cpu_count() or 1)) as pool:
            while self.step < self.settings.steps:
                point = min(self.step + every - self.step % every, self.settings.steps)
                sums += self.learn(pool, point)
                progress(self.step)
                if self.step == point:
                    errors = np.sqrt(sums[1:] / sums[0])
                    sums[:] = 0
                    self.curve.append(Point(self.step, errors[0], 100 * errors[1], self.strength()))
                    yield self.curve[-1]

    def learn(self, pool: ThreadPoolExecutor, point: int) -> Sums:
        """Take a step, or several up to that point; how many samples they had, and the sums of their squared errors."""
        parts = list(pool.map(lambda part: self.part(part, self._slopes[part]), range(PARTS)))
        slope, *others = self._slopes
        for other in others:
            slope += other
            other[:] = 0
        sums: Sums = np.sum(parts, axis=0)
        slope /= sums[0]
        gradient.step(self.weights, self.average, self.first, self.second, slope, *self.pace)
        self.step += 1
        return sums

    @property
    def pace(self) -> tuple[float, int, float]:
        """Of this step: its rate, its number, and how much of the average it leaves."""
        number = self.step + 1
        rate = self.settings.rate * max(0.01, (1 + cos(pi * number / self.settings.steps)) / 2)
        return rate, number, min(0.999, 1 - 10 / (number + 10))

    @cached_property
    def _slopes(self) -> list[Weights]:
        return [np.zeros_like(self.weights) for _ in range(PARTS)]

    @cached_property
    def tables(self) -> Array:
        return np.array(self.variant.tables, np.int64)

    @cached_property
    def orders(self) -> Array:
        return symmetries(self.variant)

    def players_at(self, step: int) -> int:
        """How many play in the games of a step."""
        mix = MIXES[self.settings.table]
        return mix[step % len(mix)]

    def seed_of(self, part: int) -> int:
        """The seed of a part of this step."""
        return (self.settings.seed << 40) + self.step * PARTS + part

    def part(self, part: int, slope: Weights) -> tuple[float, float, float]:
        """Play and learn from some games; how many samples they gave, and the sums of their squared errors."""
        players = self.players_at(self.step)
        samples = self.self_play(players, 2 * GAMES // players, self.seed_of(part))
        errors = gradient.gradient(
            self.weights, samples.features, samples.hands, samples.active, samples.targets, slope
        )
        return len(samples.active) * players, errors[0], errors[1]

    def self_play(self, players: int, count: int, seed: int) -> selfplay.Samples:
        """Samples of so many games; a card game is learnt with and without jokers, in turn."""
        explore, trace = self.settings.explore, self.settings.trace
        return selfplay.play(self.tables, self.orders, self.weights, players, count, seed, explore, trace)

    def strength(self, count: int = 2000) -> tuple[float, ...]:
        own = (compiled_form(self.bot()), (np.zeros(0, np.int32), self.shipped()))
        if self.settings.table == "solo":
            results = games.play_games(Setup(self.variant), [own], 0, 0, count)
            return (float(results[:, games.BOTS + games.POINTS].mean()),)
        shares = []
        for name in POOL:
            bot = find_bot(name)
            other = (compiled_form(bot), data_of(type(bot), self.variant, 2))
            results = games.play_games(Setup(self.variant), [own, other], 0, 0, count)
            shares.append(float(win_shares(standing_of(results, [], 0))[:, 0].mean() / WIN))
        return tuple(shares)

    def shipped(self) -> Weights:
        """The weights to keep: averages, in half precision; facts that never came up weigh nothing."""
        return np.where(self.second > 0, self.average, 0).astype(np.float16).astype(np.float32)

    # Laying aside

    def save(self, path: Path) -> None:
        told = {"variant": self.variant.id, "step": self.step, **asdict(self.settings)}
        told["curve"] = [asdict(point) for point in self.curve]
        fresh = path.with_suffix(".new.npz")
        arrays = {name: getattr(self, name) for name in ("weights", "average", "first", "second")}
        with paths.writing(path):
            np.savez(fresh, allow_pickle=False, told=np.array(json.dumps(told)), **arrays)
            fresh.replace(path)

    @classmethod
    def load(cls, path: Path, variant: Variant, settings: TrainingConfig) -> Self:
        try:
            with path.open("rb") as raw, np.load(raw) as file:
                told: dict[str, Any] = json.loads(str(file["told"]))
                arrays = {name: file[name] for name in ("weights", "average", "first", "second")}
        except (OSError, ValueError, KeyError, EOFError, zipfile.BadZipFile) as error:
            raise TrainingError(f"{path}: the training cannot be read: {error}") from None
        curve = [Point(**{**point, "strength": tuple(point["strength"])}) for point in told.pop("curve")]
        step = told.pop("step")
        if told != {"variant": variant.id, **asdict(settings)}:
            raise TrainingError(f"{path}: this is another training; move or remove the file")
        return cls(variant, settings, **arrays, step=step, curve=curve)


def symmetries(variant: Variant) -> Array:
    """The orders of rows in which the game is the same: each game is learnt from in one of them."""
    if variant.cards:
        flips = (None, variant.cards.lowest + variant.cards.highest)
        every = permutations(range(kernel.ROWS))
        return np.array([one for one in every if any(same_rows(variant.rows, one, flip) for flip in flips)], np.int64)
    if variant.effects - {"lucky"}:  # of cards see above
        return np.array([range(kernel.ROWS)], np.int64)
    orders = [set(Space(variant, pair).symmetries) for pair in variant.lucky or (None,)]
    return np.array(sorted(set.intersection(*orders)), np.int64)
