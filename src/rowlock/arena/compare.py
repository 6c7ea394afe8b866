"""Paired comparison of two bots on the same dice against the same bots; its intervals are narrower than a match's."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from rowlock.arena.engine import engine_for
from rowlock.arena.match import GAMES, batch_ranges, check_numbers, make_config, play_in_order
from rowlock.arena.tally import FORFEITED, WIN, Z, game_points, win_shares
from rowlock.bots import Bot
from rowlock.fast.results import Array
from rowlock.rules.variant import Variant


@dataclass(frozen=True)
class Difference:
    """The mean difference per game, first bot minus second bot, with its 95 % interval."""

    mean: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class Comparison:
    """The result of a comparison."""

    games: int
    seed: int
    win_rates: tuple[float, float]  # of both bots
    win_rate: Difference
    points: Difference


def compare(
    a: str | Bot,
    b: str | Bot,
    field: Sequence[str | Bot],
    variant: str | Path | Variant = "classic",
    games: int = GAMES,
    *,
    seed: int | None = None,
    workers: int | None = None,
    move_timeout: float = 10.0,
) -> Comparison:
    """Let bots `a` and `b` play the same games against the opponents in `field`, in the same seats on the same dice.

    Forfeited games count for the win rates but not for the points.
    """
    check_numbers(games, until=None, workers=workers, game=None)
    config_a = make_config([a, *field], variant, seed, move_timeout=move_timeout)
    config_b = make_config([b, *field], variant, config_a.seed, move_timeout=move_timeout)
    engines = [engine_for(config_a, workers), engine_for(config_b, workers)]
    size = min(engine.batch_size for engine in engines)
    won_a, won_b = 0, 0  # in units of WIN
    share_differences, point_differences = _Sums(), _Sums()
    try:
        runs = [play_in_order(engine, batch_ranges(games, size)) for engine in engines]
        for (first_game, batch_a), (_, batch_b) in zip(*runs, strict=True):
            points_a = game_points(batch_a.results, batch_a.forfeits, first_game)
            points_b = game_points(batch_b.results, batch_b.forfeits, first_game)
            shares_a, shares_b = win_shares(points_a)[:, 0], win_shares(points_b)[:, 0]
            won_a, won_b = won_a + int(shares_a.sum()), won_b + int(shares_b.sum())
            share_differences.add(shares_a - shares_b)
            complete = (points_a != FORFEITED).all(axis=1) & (points_b != FORFEITED).all(axis=1)
            point_differences.add(points_a[complete, 0] - points_b[complete, 0])
    finally:
        for engine in engines:
            engine.close()
    win_rates = (won_a / WIN / games, won_b / WIN / games)
    win_rate, points = share_differences.mean(unit=WIN), point_differences.mean(unit=1)
    return Comparison(games, config_a.seed, win_rates, win_rate, points)


@dataclass
class _Sums:
    """Running sums of differences and of their squares, in integers."""

    count: int = 0
    total: int = 0
    squares: int = 0

    def add(self, differences: Array) -> None:
        self.count += len(differences)
        self.total += int(differences.sum())
        self.squares += int((differences * differences).sum())

    def mean(self, unit: int) -> Difference:
        """The mean divided by `unit`, with its interval."""
        count = max(self.count, 1)  # self.count is 0 if every game was forfeited
        mean = self.total / count / unit
        deviations = self.squares * count - self.total * self.total  # count times the sum of squared deviations
        variance = deviations / (count * (count - 1)) if count > 1 else 0.0
        standard_error = sqrt(variance / count) / unit
        return Difference(mean, (mean - Z * standard_error, mean + Z * standard_error))
