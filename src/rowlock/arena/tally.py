"""Counts the results of games; all counts are integers, so that sums do not depend on the order of batches."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import sqrt

import numpy as np

from rowlock.fast.results import BOTS, LOCKED, MISTHROWS, PER_BOT, POINTS, REASON, TURNS, Array
from rowlock.rules import kernel
from rowlock.rules.game import REASONS
from rowlock.rules.variant import Variant

WIN = 60  # units that make up a win; divisible by 2, 3, 4 and 5, so that equal players can share it
MAX_LISTED = 20  # number of forfeits that a report lists
Z = 1.959964  # standard errors on either side of the mean, for a 95 % interval
FORFEITED = -(1 << 40)  # stands for the points of a bot that forfeited; below every total
LOWEST = kernel.LOWEST_TOTAL  # the points that index 0 of a histogram stands for


@dataclass
class Forfeit:
    """A game, or one decision, that a bot lost by an error, a timeout or an illegal option."""

    game: int  # the number of the game
    bot: int  # the index of the bot in the match
    why: str
    details: str = ""  # a traceback, or what a process printed to standard error


@dataclass
class Tally:
    """Counts over the games so far; arrays by bot are in the order of the match."""

    bots: int  # number of bots
    size: int  # length of the histograms of points and margins
    games: int = 0
    turns: int = 0
    reasons: Array = field(init=False)  # games by index of their reason in REASONS
    shares: Array = field(init=False)  # by bot: wins in units of WIN
    points: Array = field(init=False)  # by bot: a histogram of points that begins at LOWEST
    margins: Array = field(init=False)  # a histogram of the winner's points minus those of the second
    misthrows: Array = field(init=False)  # by bot
    locked: Array = field(init=False)  # by bot: rows locked
    ahead: Array = field(init=False)  # by pair of bots: 2 for each game with more points, 1 for equal points
    forfeited: Array = field(init=False)  # by bot: games forfeited
    forfeits: list[Forfeit] = field(default_factory=list)  # the first MAX_LISTED
    lost_count: int = 0  # decisions lost
    lost: list[Forfeit] = field(default_factory=list)  # the first MAX_LISTED of them

    def __post_init__(self) -> None:
        self.shares, self.misthrows, self.locked, self.forfeited = (np.zeros(self.bots, np.int64) for _ in range(4))
        self.points = np.zeros((self.bots, self.size), np.int64)
        self.margins = np.zeros(self.size, np.int64)
        self.reasons = np.zeros(len(REASONS), np.int64)
        self.ahead = np.zeros((self.bots, self.bots), np.int64)

    def add(self, results: Array, forfeits: list[Forfeit], first_game: int, lost: Sequence[Forfeit] = ()) -> None:
        """Count a batch of results; a forfeited game counts only for wins and for pairs of bots."""
        points = results[:, BOTS + POINTS :: PER_BOT]
        ranked_points = game_points(results, forfeits, first_game)
        complete = (ranked_points != FORFEITED).all(axis=1)
        self.shares += win_shares(ranked_points).sum(axis=0)
        self.games += len(results)
        self.forfeits += forfeits[: MAX_LISTED - len(self.forfeits)]
        self.lost += lost[: MAX_LISTED - len(self.lost)]
        self.lost_count += len(lost)
        for forfeit in forfeits:
            self.forfeited[forfeit.bot] += 1
        for bot in range(self.bots):
            self.points[bot] += np.bincount(points[complete, bot] - LOWEST, minlength=self.size)
            for other in range(self.bots):
                difference = np.sign(ranked_points[:, bot] - ranked_points[:, other])
                self.ahead[bot, other] += int((difference + 1).sum()) if bot != other else 0
        if self.bots > 1:
            ascending = np.sort(points[complete], axis=1)
            self.margins += np.bincount(ascending[:, -1] - ascending[:, -2], minlength=self.size)
        self.turns += int(results[complete, TURNS].sum())
        self.reasons += np.bincount(results[complete, REASON], minlength=len(REASONS))
        self.misthrows += results[complete][:, BOTS + MISTHROWS :: PER_BOT].sum(axis=0)
        self.locked += results[complete][:, BOTS + LOCKED :: PER_BOT].sum(axis=0)


def game_points(results: Array, forfeits: list[Forfeit], first_game: int) -> Array:
    """The points of every bot, a row per game; a bot that forfeited has FORFEITED points."""
    points = results[:, BOTS + POINTS :: PER_BOT].copy()
    for forfeit in forfeits:
        points[forfeit.game - first_game, forfeit.bot] = FORFEITED
    return points


def win_shares(points: Array) -> Array:
    """Every bot's share of the win in units of WIN, a row per game; equal totals share the win."""
    # Not `kernel.winners`: that reads a game's state, of which a batch keeps only points, and it knows no forfeits.
    best = (points == points.max(axis=1, keepdims=True)) & (points != FORFEITED)
    return np.where(best, WIN // np.maximum(best.sum(axis=1, keepdims=True), 1), 0)


def empty_tally(variant: Variant, bots: int) -> Tally:
    """A tally without games, with histograms for all points that are possible in the variant."""
    return Tally(bots, variant.highest_total + 1 - LOWEST)


def wilson(rate: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % score interval of a rate, which is also valid for rates near 0 and 1."""
    centre = rate + Z * Z / (2 * games)
    spread = Z * sqrt(rate * (1 - rate) / games + Z * Z / (4 * games * games))
    scale = 1 + Z * Z / games
    return max(0.0, (centre - spread) / scale), min(1.0, (centre + spread) / scale)


def quantile(counts: Array, q: float) -> float | None:
    """The interpolated quantile (`q` from 0 to 1) of a histogram that begins at LOWEST; None if it is empty."""
    total = int(counts.sum())
    if total == 0:
        return None
    rank = (total - 1) * q
    cumulative = np.cumsum(counts)
    low = int(np.searchsorted(cumulative, int(rank), side="right"))
    high = int(np.searchsorted(cumulative, min(int(rank) + 1, total - 1), side="right"))
    return LOWEST + low + (high - low) * (rank - int(rank))


def mean_and_sd(counts: Array) -> tuple[float | None, float | None]:
    """The mean and the sample standard deviation of a histogram that begins at LOWEST, from exact sums."""
    values = [(LOWEST + index, int(counts[index])) for index in np.flatnonzero(counts)]
    games = sum(count for _, count in values)
    if games == 0:
        return None, None
    total = sum(value * count for value, count in values)
    squares = sum(value * value * count for value, count in values)
    if games == 1:
        return float(total), None
    return total / games, sqrt((squares * games - total * total) / (games * (games - 1)))
