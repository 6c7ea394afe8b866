"""Two bots against the same field on the same dice: the difference is known far better than either result."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rowlock.arena.engine import engine_for
from rowlock.arena.match import make_setting, play_in_order, stretches
from rowlock.arena.setting import Setting
from rowlock.arena.tally import LOST, WIN, win_shares
from rowlock.bots import Bot
from rowlock.fast.games import BOTS, PER_BOT, POINTS, Array
from rowlock.rules.variant import Variant


@dataclass(frozen=True)
class Difference:
    """A paired difference, the first bot's minus the second's, with its 95 % interval."""

    mean: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Comparison:
    games: int
    seed: int
    win_rates: tuple[float, float]
    win_rate: Difference
    points: Difference


def compare(
    a: str | Bot,
    b: str | Bot,
    field: Sequence[str | Bot],
    variant: str | Path | Variant = "classic",
    games: int = 10_000,
    *,
    seed: int | None = None,
    workers: int | None = None,
) -> Comparison:
    """Let `a` play `games` games against the field, then `b` in the same seats on the same dice."""
    one = make_setting([a, *field], variant, seed)
    other = make_setting([b, *field], variant, one.seed)
    shares, points = zip(_play(one, games, workers), _play(other, games, workers), strict=True)
    return Comparison(
        games=games,
        seed=one.seed,
        win_rates=(int(shares[0].sum()) / WIN / games, int(shares[1].sum()) / WIN / games),
        win_rate=_difference((shares[0] - shares[1]) / WIN),
        points=_difference((points[0] - points[1])[(points[0] != LOST) & (points[1] != LOST)]),
    )


def _play(setting: Setting, games: int, workers: int | None) -> tuple[Array, Array]:
    """The share of the win and the points of the first bot in every game; LOST where somebody broke down."""
    shares, points = np.zeros(games, np.int64), np.zeros(games, np.int64)
    engine = engine_for(setting)
    try:
        for first, played in play_in_order(engine, workers or os.cpu_count() or 1, stretches(games, engine.batch)):
            standing = played.results[:, BOTS + POINTS :: PER_BOT].copy()
            for one in played.forfeits:
                standing[one.game - first, one.bot] = LOST
            points[first : first + len(standing)] = np.where((standing == LOST).any(axis=1), LOST, standing[:, 0])
            shares[first : first + len(standing)] = win_shares(standing)[:, 0]
    finally:
        engine.close()
    return shares, points


def _difference(each: Array | NDArray[np.float64]) -> Difference:
    mean = float(each.mean()) if len(each) else 0.0
    spread = 1.959964 * float(each.std(ddof=1)) / sqrt(len(each)) if len(each) > 1 else 0.0
    return Difference(mean, (mean - spread, mean + spread))
