"""Two bots against the same field on the same dice: the difference is known far better than either result."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from pathlib import Path

from rowlock.arena.engine import engine_for
from rowlock.arena.match import GAMES, check_numbers, make_config, play_in_order, stretches
from rowlock.arena.tally import LOST, WIN, Z, standing_of, win_shares
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
    """Let both play the same games against the field, in the same seats on the same dice.

    Games in which somebody broke down count for the win rates, their points do not.
    """
    check_numbers(games, None, workers, None)
    one = make_config([a, *field], variant, seed, move_timeout=move_timeout)
    other = make_config([b, *field], variant, one.seed, move_timeout=move_timeout)
    engines = [engine_for(one, workers), engine_for(other, workers)]
    batch = min(engine.batch for engine in engines)
    won, shares, points = [0, 0], _Sums(), _Sums()
    try:
        runs = [play_in_order(engine, stretches(games, batch)) for engine in engines]
        for (first, ours), (_, theirs) in zip(*runs, strict=True):
            standings = [standing_of(played.results, played.forfeits, first) for played in (ours, theirs)]
            each = [win_shares(standing)[:, 0] for standing in standings]
            won = [total + int(share.sum()) for total, share in zip(won, each, strict=True)]
            shares.add(each[0] - each[1])
            whole = (standings[0] != LOST).all(axis=1) & (standings[1] != LOST).all(axis=1)
            points.add(standings[0][whole, 0] - standings[1][whole, 0])
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
