"""What is counted while games are played: integers only, so that batches add up the same in any order of workers."""

from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from rowlock.fast.games import BOTS, LOCKED, MISTHROWS, PER_BOT, POINTS, REASON, TURNS, Array
from rowlock.rules import kernel
from rowlock.rules.variant import Variant

WIN = 60  # a win in units that can be shared by two to five
TOLD = 20  # breakdowns that a report tells one by one
Z = 1.959964  # of a 95 % interval
LOST = -(1 << 40)  # the points of whoever broke down
LOWEST = kernel.LOWEST_TOTAL


@dataclass
class Forfeit:
    """A game that a bot lost by breaking down."""

    game: int
    bot: int
    why: str


@dataclass
class Tally:
    """The counts of some games; bots are in the order listed."""

    bots: int
    size: int  # of the histograms of points
    games: int = 0
    turns: int = 0
    reasons: Array = field(default_factory=lambda: np.zeros(3, np.int64))
    shares: Array = field(init=False)  # of wins
    points: Array = field(init=False)  # how often each number of points, from LOWEST on
    margins: Array = field(init=False)  # how often the best was how many points ahead of the next
    misthrows: Array = field(init=False)
    locked: Array = field(init=False)
    ahead: Array = field(init=False)  # how often one had more points than another, twice; once for equal points
    broken: Array = field(init=False)  # how often each broke down
    forfeits: list[Forfeit] = field(default_factory=list)  # the first few

    def __post_init__(self) -> None:
        self.shares, self.misthrows, self.locked, self.broken = (np.zeros(self.bots, np.int64) for _ in range(4))
        self.points = np.zeros((self.bots, self.size), np.int64)
        self.margins = np.zeros(self.size, np.int64)
        self.ahead = np.zeros((self.bots, self.bots), np.int64)

    def add(self, results: Array, forfeits: list[Forfeit], first: int) -> None:
        """Count a batch of results; of a forfeited game only who won."""
        points = results[:, BOTS + POINTS :: PER_BOT]
        standing = standing_of(results, forfeits, first)
        whole = (standing != LOST).all(axis=1)
        self.shares += win_shares(standing).sum(axis=0)
        self.games += len(results)
        self.forfeits += forfeits[: TOLD - len(self.forfeits)]
        for one in forfeits:
            self.broken[one.bot] += 1
        for bot in range(self.bots):
            self.points[bot] += np.bincount(points[whole, bot] - LOWEST, minlength=self.size)
            for other in range(self.bots):
                difference = np.sign(standing[:, bot] - standing[:, other])
                self.ahead[bot, other] += int((difference + 1).sum()) if bot != other else 0
        if self.bots > 1:
            ranked = np.sort(points[whole], axis=1)
            self.margins += np.bincount(ranked[:, -1] - ranked[:, -2], minlength=self.size)
        self.turns += int(results[whole, TURNS].sum())
        self.reasons += np.bincount(results[whole, REASON], minlength=3)
        self.misthrows += results[whole][:, BOTS + MISTHROWS :: PER_BOT].sum(axis=0)
        self.locked += results[whole][:, BOTS + LOCKED :: PER_BOT].sum(axis=0)


def standing_of(results: Array, forfeits: list[Forfeit], first: int) -> Array:
    """Everybody's points, a row per game; those of whoever broke down are LOST."""
    standing = results[:, BOTS + POINTS :: PER_BOT].copy()
    for one in forfeits:
        standing[one.game - first, one.bot] = LOST
    return standing


def win_shares(standing: Array) -> Array:
    """Everybody's share of the win, a row per game: equal totals share it, whoever broke down has none."""
    best = (standing == standing.max(axis=1, keepdims=True)) & (standing != LOST)
    return np.where(best, WIN // np.maximum(best.sum(axis=1, keepdims=True), 1), 0)


def empty_tally(variant: Variant, bots: int) -> Tally:
    """Nothing counted yet, with room for all points that anybody can have."""
    return Tally(bots, variant.highest_total + 1 - LOWEST)


def wilson(rate: float, games: int) -> tuple[float, float]:
    """The 95 % score interval of a rate; it stays honest where nearly all or nearly no games are won."""
    z = Z
    centre = rate + z * z / (2 * games)
    spread = z * sqrt(rate * (1 - rate) / games + z * z / (4 * games * games))
    scale = 1 + z * z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def quantile(counts: Array, q: float) -> float | None:
    """A quantile of counted values from LOWEST on, interpolated between neighbours."""
    total = int(counts.sum())
    if total == 0:
        return None
    place = (total - 1) * q
    ends = np.cumsum(counts)
    low = int(np.searchsorted(ends, int(place), side="right"))
    high = int(np.searchsorted(ends, min(int(place) + 1, total - 1), side="right"))
    return LOWEST + low + (high - low) * (place - int(place))


def mean_and_sd(counts: Array) -> tuple[float | None, float | None]:
    """The mean and the sample's standard deviation, from exact sums."""
    values = [(LOWEST + at, int(counts[at])) for at in np.flatnonzero(counts)]
    total = sum(count for _, count in values)
    if total == 0:
        return None, None
    first = sum(value * count for value, count in values)
    second = sum(value * value * count for value, count in values)
    if total == 1:
        return float(first), None
    return first / total, sqrt((second * total - first * first) / (total * (total - 1)))
