"""Counts the results of games, in integers only, so that a sum does not depend on the order of batches."""

from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from rowlock.fast.games import BOTS, LOCKED, MISTHROWS, PER_BOT, POINTS, REASON, TURNS, Array
from rowlock.rules import kernel
from rowlock.rules.variant import Variant

WIN = 60  # units of a win, divisible by two to five
MAX_LISTED = 20  # forfeits that a report lists
Z = 1.959964  # of a 95 % interval
FORFEITED = -(1 << 40)  # stands for the points of a bot that forfeited
LOWEST = kernel.LOWEST_TOTAL


@dataclass
class Forfeit:
    """A game that a bot lost by an error, a timeout or an illegal option."""

    game: int
    bot: int
    why: str


@dataclass
class Tally:
    """The counts of some games; bots are in the order of the match."""

    bots: int
    size: int  # of the histograms of points
    games: int = 0
    turns: int = 0
    reasons: Array = field(default_factory=lambda: np.zeros(3, np.int64))
    shares: Array = field(init=False)  # of wins
    points: Array = field(init=False)  # how often each number of points, from LOWEST on
    margins: Array = field(init=False)  # how often the best was so many points ahead of the second
    misthrows: Array = field(init=False)
    locked: Array = field(init=False)
    ahead: Array = field(init=False)  # by pair of bots: 2 for each game with more points, 1 for equal points
    forfeited: Array = field(init=False)
    forfeits: list[Forfeit] = field(default_factory=list)  # the first few

    def __post_init__(self) -> None:
        self.shares, self.misthrows, self.locked, self.forfeited = (np.zeros(self.bots, np.int64) for _ in range(4))
        self.points = np.zeros((self.bots, self.size), np.int64)
        self.margins = np.zeros(self.size, np.int64)
        self.ahead = np.zeros((self.bots, self.bots), np.int64)

    def add(self, results: Array, forfeits: list[Forfeit], first: int) -> None:
        """Count a batch of results; a forfeited game counts for the wins only."""
        points = results[:, BOTS + POINTS :: PER_BOT]
        ranked_points = game_points(results, forfeits, first)
        complete = (ranked_points != FORFEITED).all(axis=1)
        self.shares += win_shares(ranked_points).sum(axis=0)
        self.games += len(results)
        self.forfeits += forfeits[: MAX_LISTED - len(self.forfeits)]
        for one in forfeits:
            self.forfeited[one.bot] += 1
        for bot in range(self.bots):
            self.points[bot] += np.bincount(points[complete, bot] - LOWEST, minlength=self.size)
            for other in range(self.bots):
                difference = np.sign(ranked_points[:, bot] - ranked_points[:, other])
                self.ahead[bot, other] += int((difference + 1).sum()) if bot != other else 0
        if self.bots > 1:
            ranked = np.sort(points[complete], axis=1)
            self.margins += np.bincount(ranked[:, -1] - ranked[:, -2], minlength=self.size)
        self.turns += int(results[complete, TURNS].sum())
        self.reasons += np.bincount(results[complete, REASON], minlength=3)
        self.misthrows += results[complete][:, BOTS + MISTHROWS :: PER_BOT].sum(axis=0)
        self.locked += results[complete][:, BOTS + LOCKED :: PER_BOT].sum(axis=0)


def game_points(results: Array, forfeits: list[Forfeit], first: int) -> Array:
    """The points of every bot, a row per game; FORFEITED for a bot that forfeited."""
    points = results[:, BOTS + POINTS :: PER_BOT].copy()
    for one in forfeits:
        points[one.game - first, one.bot] = FORFEITED
    return points


def win_shares(points: Array) -> Array:
    """Every bot's share of the win, a row per game: equal totals share it, a bot that forfeited has none."""
    best = (points == points.max(axis=1, keepdims=True)) & (points != FORFEITED)
    return np.where(best, WIN // np.maximum(best.sum(axis=1, keepdims=True), 1), 0)


def empty_tally(variant: Variant, bots: int) -> Tally:
    """A tally of no games, for all points that are possible."""
    return Tally(bots, variant.highest_total + 1 - LOWEST)


def wilson(rate: float, games: int) -> tuple[float, float]:
    """The 95 % score interval (Wilson) of a rate; it holds for rates near 0 and 1 too."""
    z = Z
    centre = rate + z * z / (2 * games)
    spread = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def quantile(counts: Array, q: float) -> float | None:
    """A quantile of a histogram that begins at LOWEST, interpolated."""
    total = int(counts.sum())
    if total == 0:
        return None
    place = (total - 1) * q
    ends = np.cumsum(counts)
    low = int(np.searchsorted(ends, int(place), side="right"))
    high = int(np.searchsorted(ends, min(int(place) + 1, total - 1), side="right"))
    return LOWEST + low + (high - low) * (place - int(place))


def mean_and_sd(counts: Array) -> tuple[float | None, float | None]:
    """The mean and the sample standard deviation of a histogram, from exact sums."""
    values = [(LOWEST + at, int(counts[at])) for at in np.flatnonzero(counts)]
    total = sum(count for _, count in values)
    if total == 0:
        return None, None
    first = sum(value * count for value, count in values)
    second = sum(value * value * count for value, count in values)
    if total == 1:
        return float(first), None
    return first / total, sqrt((second * total - first * first) / (total * (total - 1)))
