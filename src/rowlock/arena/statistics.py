"""Statistics of games that were played, by people or bots: per game and number of players, and per player."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from math import sqrt
from typing import Any

import numpy as np

from rowlock.analysis.review import Review
from rowlock.analysis.totals import Total, totals
from rowlock.arena.tally import LOWEST, mean_and_sd, quantile, wilson
from rowlock.rules.game import Game


@dataclass(frozen=True)
class Rate:
    """A win rate with its 95 % interval; equal totals share the win."""

    games: int
    win_rate: float
    interval: tuple[float, float]


@dataclass(frozen=True)
class PlayerStatistics:
    """The games of a player; win rates are None in solo games, figures of reviews if there was no review."""

    name: str
    games: int
    win_rate: float | None
    win_rate_interval: tuple[float, float] | None
    mean: float
    standard_error: float | None
    sd: float | None
    lowest: int
    p05: float
    median: float
    p95: float
    highest: int
    misthrows: float
    rows_locked: float
    win_rate_first: float | None  # in the games in which the player began
    mean_loss: float | None = None
    luck: float | None = None  # per game
    rating: str | None = None
    points: dict[int, int] = field(default_factory=dict, repr=False)  # how many games by points


@dataclass(frozen=True)
class Statistics:
    """All finished games of one variant and number of players."""

    variant: str
    players: int
    games: int
    turns_mean: float
    reasons: dict[str, int]
    seats: list[Rate]  # by seat in turn order; empty in solo games
    by_player: list[PlayerStatistics]
    # By name and other name: games together, and the share in which the first had more points; equal points are half.
    head_to_head: dict[str, dict[str, tuple[int, float]]]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Played:
    """What is counted of a finished game; a game itself, with all its states, is larger a hundred times."""

    players: tuple[str, ...]
    scores: tuple[int, ...]
    shares: tuple[float, ...]  # of the win
    turns: int
    reason: str
    misthrows: tuple[int, ...]
    locks: tuple[int, ...]

    @classmethod
    def of(cls, game: Game) -> "_Played":
        sheets, shares = game.sheets, game.shares
        assert shares
        return cls(
            game.players,
            game.scores,
            shares,
            game.turns_completed,
            str(game.reason),
            tuple(sheet.misthrows for sheet in sheets),
            tuple(len(sheet.locks) for sheet in sheets),
        )


def statistics(games: Iterable[Game], reviews: Iterable[Review] = ()) -> list[Statistics]:
    """The statistics of the finished ones of these games, most games first.

    `reviews` are of some or all of them, and are read after all games.
    """
    groups: dict[tuple[str, int], list[_Played]] = defaultdict(list)
    for game in games:
        if game.over:
            groups[str(game.setup), len(game.players)].append(_Played.of(game))
    reviewed = totals(reviews)
    found = [_statistics(*key, group, reviewed.get(key, [])) for key, group in groups.items()]
    return sorted(found, key=lambda one: (-one.games, one.variant, one.players))


def _statistics(variant: str, players: int, games: list[_Played], reviewed: list[Total]) -> Statistics:
    total_by_name = {total.name: total for total in reviewed}
    seats: dict[str, list[tuple[_Played, int]]] = defaultdict(list)  # by name: the games, and the seat in each
    for game in games:
        for seat, name in enumerate(game.players):
            seats[name].append((game, seat))
    by_player = [_player(name, played, total_by_name.get(name)) for name, played in seats.items()]
    by_player.sort(key=lambda one: (-one.games, -(one.win_rate or 0), -one.mean, one.name))
    return Statistics(
        variant=variant,
        players=players,
        games=len(games),
        turns_mean=sum(game.turns for game in games) / len(games),
        reasons=dict(sorted(Counter(game.reason for game in games).items())),
        seats=[_rate([game.shares[seat] for game in games]) for seat in range(players)] if players > 1 else [],
        by_player=by_player,
        head_to_head=_head_to_head(games) if players > 1 else {},
    )


def _rate(shares: list[float]) -> Rate:
    rate = sum(shares) / len(shares)
    return Rate(len(shares), rate, wilson(rate, len(shares)))


def _player(name: str, played: list[tuple[_Played, int]], total: Total | None) -> PlayerStatistics:
    points = [game.scores[seat] for game, seat in played]
    counts = np.bincount(np.array(points) - LOWEST)
    mean, sd = mean_and_sd(counts)
    p05, median, p95 = (quantile(counts, q) for q in (0.05, 0.5, 0.95))
    assert mean is not None
    assert p05 is not None
    assert median is not None
    assert p95 is not None
    solo = len(played[0][0].players) == 1
    rate = _rate([game.shares[seat] for game, seat in played])
    first = [game.shares[seat] for game, seat in played if seat == 0]
    return PlayerStatistics(
        name=name,
        games=len(played),
        win_rate=None if solo else rate.win_rate,
        win_rate_interval=None if solo else rate.interval,
        mean=mean,
        standard_error=None if sd is None else sd / sqrt(len(played)),
        sd=sd,
        lowest=min(points),
        p05=p05,
        median=median,
        p95=p95,
        highest=max(points),
        misthrows=sum(game.misthrows[seat] for game, seat in played) / len(played),
        rows_locked=sum(game.locks[seat] for game, seat in played) / len(played),
        win_rate_first=None if solo or not first else sum(first) / len(first),
        mean_loss=total.mean_loss if total else None,
        luck=total.mean_luck if total else None,
        rating=total.rating if total else None,
        points=dict(sorted(Counter(points).items())),
    )


def _head_to_head(games: list[_Played]) -> dict[str, dict[str, tuple[int, float]]]:
    halves: dict[tuple[str, str], list[int]] = defaultdict(list)  # 2 for more points, 1 for as many
    for game in games:
        for seat, name in enumerate(game.players):
            for other, other_name in enumerate(game.players):
                if other != seat:
                    mine, theirs = game.scores[seat], game.scores[other]
                    halves[name, other_name].append(1 + (mine > theirs) - (mine < theirs))
    found: dict[str, dict[str, tuple[int, float]]] = defaultdict(dict)
    for (name, other_name), values in sorted(halves.items()):
        found[name][other_name] = (len(values), sum(values) / 2 / len(values))
    return dict(found)
