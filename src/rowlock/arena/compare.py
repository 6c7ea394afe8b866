"""Paired comparison of two bots against the same field on the same dice; narrower intervals than two matches."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from rowlock.arena.engine import engine_for
from rowlock.arena.match import GAMES, batch_ranges, check_numbers, make_config, play_in_order
from rowlock.arena.tally import FORFEITED, WIN, Z, game_points, win_shares
from rowlock.bots import Bot
from rowlock.fast.games import Array
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
    games: int = GAMES,
    *,
    seed: int | None = None,
    workers: int | None = None,
    move_timeout: float = 10.0,
) -> Comparison:
    """Let both bots play the same games against the field, in the same seats on the same dice.

    Forfeited games count for the win rates but not for the points.
    """
    check_numbers(games, None, workers, None)
    one = make_config([a, *field], variant, seed, move_timeout=move_timeout)
    other = make_config([b, *field], variant, one.seed, move_timeout=move_timeout)
    engines = [engine_for(one, workers), engine_for(other, workers)]
    size = min(engine.batch_size for engine in engines)
    won, shares, points = [0, 0], _Sums(), _Sums()
    try:
        runs = [play_in_order(engine, batch_ranges(games, size)) for engine in engines]
        for (first, ours), (_, theirs) in zip(*runs, strict=True):
            ranked_points = [game_points(batch.results, batch.forfeits, first) for batch in (ours, theirs)]
            each = [win_shares(one)[:, 0] for one in ranked_points]
            won = [total + int(share.sum()) for total, share in zip(won, each, strict=True)]
            shares.add(each[0] - each[1])
            complete = (ranked_points[0] != FORFEITED).all(axis=1) & (ranked_points[1] != FORFEITED).all(axis=1)
            points.add(ranked_points[0][complete, 0] - ranked_points[1][complete, 0])
    finally:
        for engine in engines:
            engine.close()
    rates = (won[0] / WIN / games, won[1] / WIN / games)
    return Comparison(games, one.seed, rates, shares.difference(WIN), points.difference(1))


@dataclass
class _Sums:
    """Running sums of differences, in integers."""

    count: int = 0
    first: int = 0
    second: int = 0

    def add(self, each: Array) -> None:
        self.count += len(each)
        self.first += int(each.sum())
        self.second += int((each * each).sum())

    def difference(self, unit: int) -> Difference:
        """The mean in units, with its interval."""
        count = max(self.count, 1)
        mean = self.first / count / unit
        spread = self.second * count - self.first * self.first
        error = sqrt(spread / (count * (count - 1)) / count) / unit if count > 1 else 0.0
        return Difference(mean, (mean - Z * error, mean + Z * error))
