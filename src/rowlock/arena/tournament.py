"""Tournaments: every bot plays every other, per game and number of players, and gets an Elo rating.

With two players each bot plays each other; with more, one bot plays against copies of another, both ways round. Elo is
fitted to all matches of a group at once (Bradley-Terry).
"""

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.arena.match import MatchError, Progress, check_numbers, match
from rowlock.arena.tally import Z, wilson
from rowlock.bots import Bot, BotError, load_bot
from rowlock.bots.loading import short_name
from rowlock.paths import name_path_in_errors
from rowlock.rules import kernel
from rowlock.rules.game import unique_name
from rowlock.rules.variant import Variant, find_setup

ANCHOR, ANCHOR_ELO = "greedy", 1000.0  # the first bot if greedy does not take part
FORMAT = 1  # of the file in which matches are kept
GAMES = 1000  # of a match, unless a number is given
PRIOR_SD = 600.0  # Elo points
_STEPS = 200  # of Newton's method, at most; it needs about ten
_POINTS = 400 / np.log(10)  # Elo points of a factor e in the odds of winning


@dataclass(frozen=True)
class Pairing:
    """A match: one bot against others of one kind."""

    variant: str
    players: int
    bot: str
    against: str
    games: int
    seed: int


@dataclass(frozen=True)
class Played:
    """The result of a match for its first bot."""

    pairing: Pairing
    win_rate: float
    mean: float | None  # points
    failures: tuple[str, ...] = ()  # forfeits and lost decisions

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.win_rate, self.pairing.games)


@dataclass(frozen=True)
class Standing:
    """The result of a round robin; `rates[a][b]` is the win rate of bot a against b, None if they did not play."""

    variant: str
    players: int
    games: int  # of every match
    seed: int
    bots: tuple[str, ...]
    elo: tuple[float, ...]
    errors: tuple[float, ...]  # standard errors of the Elo ratings; 0 for the bot that the others are compared with
    rates: tuple[tuple[float | None, ...], ...]
    intervals: tuple[tuple[tuple[float, float] | None, ...], ...]

    def ranked(self) -> list[int]:
        """The indices of the bots, the best first."""
        return sorted(range(len(self.bots)), key=lambda index: -self.elo[index])

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "elo_intervals": [_interval(*one) for one in zip(self.elo, self.errors, strict=True)]}


def _interval(elo: float, error: float) -> tuple[float, float]:
    return elo - Z * error, elo + Z * error


@dataclass(frozen=True)
class TournamentResult:
    """The standings of all groups, and what is missing in them."""

    standings: tuple[Standing, ...]
    left_out: tuple[str, ...] = ()  # bots that cannot play a game, and why
    failures: tuple[str, ...] = ()  # forfeits and lost decisions
    complete: bool = True  # False after Ctrl-C

    def as_json(self) -> dict[str, Any]:
        return {**asdict(self), "standings": [standing.as_json() for standing in self.standings]}


@dataclass
class MatchFile:
    """The matches that were played before, in a file that is written after each match."""

    path: Path | None
    played: dict[Pairing, Played] = field(default_factory=dict)

    @classmethod
    def open(cls, path: Path | None) -> "MatchFile":
        if path is None or not path.exists() or not path.stat().st_size:
            return cls(path)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if content["format"] != FORMAT:
                raise ValueError(f"format {content['format']}")
            matches = [
                Played(Pairing(**one["pairing"]), one["win_rate"], one["mean"], tuple(one["failures"]))
                for one in content["matches"]
            ]
        except (ValueError, KeyError, TypeError) as error:
            raise MatchError(f"{path}: is not the file of a tournament ({type(error).__name__}: {error})") from None
        return cls(path, {one.pairing: one for one in matches})

    def add(self, one: Played) -> None:
        self.played[one.pairing] = one
        self.write({})

    def write(self, result: dict[str, Any]) -> None:
        """Replace the file, so that a reader never sees half of it."""
        if self.path is None:
            return
        matches = [asdict(played) for played in self.played.values()]
        draft = self.path.with_name(f".{self.path.name}.{os.getpid()}.tmp")
        with name_path_in_errors(self.path):
            try:
                content = {"format": FORMAT, "matches": matches, **result}
                draft.write_text(json.dumps(content, indent=1), encoding="utf-8")
                draft.replace(self.path)
            finally:
                draft.unlink(missing_ok=True)


def _prepare(bot: Bot, variant: Variant, players: int) -> None:
    bot.prepare(variant, players)


def tournament(
    bots: Sequence[str],
    variants: Sequence[str] = ("classic",),
    players: Sequence[int] = (2,),
    games: int = GAMES,
    *,
    seed: int = 1,
    workers: int | None = None,
    ray: str | None = None,
    file: str | Path | None = None,
    move_timeout: float = 10.0,
    prepare: Callable[[Bot, Variant, int], None] = _prepare,
    announce: Callable[[int, int, str], None] = lambda *_: None,
    progress: Progress | None = None,
) -> TournamentResult:
    """Play a round robin of bots for each variant and number of players.

    With a `file` every match is kept in it, and matches that it has are not played again. `prepare` raises `BotError`
    for a bot that cannot play a game, which is then left out. `announce` receives the number of matches done, the
    number of all, and the next one. After Ctrl-C the result has the matches played so far.
    """
    _check(bots, variants, players, games, workers)
    names: dict[str, str] = {}  # by bot as it was given
    for bot in bots:
        names[bot] = unique_name(short_name(bot), list(names.values()))
    matches, left_out, groups = MatchFile.open(Path(file) if file else None), [], []
    for variant in variants:
        for count in players:
            able = []
            for bot in bots:
                try:
                    prepare(load_bot(bot), find_setup(variant).variant, count)
                    able.append(bot)
                except BotError as error:
                    left_out.append(f"{names[bot]}, {variant}, {count} players: {error}")
            groups.append((variant, count, able))
    todo = [
        pairing for variant, count, able in groups for pairing in _pairings(variant, count, able, games, seed)
    ]  # fmt: skip
    complete = True
    try:
        for done, pairing in enumerate(todo):
            if pairing in matches.played:
                continue
            announce(done, len(todo), _match_name(pairing, names))
            seats = [pairing.bot, *[pairing.against] * (pairing.players - 1)]
            result = match(
                seats, pairing.variant, games, seed=seed, workers=workers, ray=ray, move_timeout=move_timeout,
                progress=progress,
            )  # fmt: skip
            if result.games < games:
                raise KeyboardInterrupt  # `match` has returned early
            first = result.bots[0]
            matches.add(Played(pairing, first.win_rate, first.mean, (*result.forfeits, *result.lost_decisions)))
    except KeyboardInterrupt:
        complete = False
    played = [matches.played[pairing] for pairing in todo if pairing in matches.played]
    standings = tuple(
        standing for variant, count, able in groups if (standing := _standing(variant, count, able, names, played))
    )
    failures = tuple(f"{_match_name(one.pairing, names)}: {text}" for one in played for text in one.failures)
    found = TournamentResult(standings, tuple(left_out), failures, complete)
    matches.write(found.as_json())
    return found


def _match_name(pairing: Pairing, names: dict[str, str]) -> str:
    return f"{pairing.variant}, {pairing.players} players, {names[pairing.bot]} against {names[pairing.against]}"


def _check(
    bots: Sequence[str], variants: Sequence[str], players: Sequence[int], games: int, workers: int | None
) -> None:
    if len(bots) < 2:
        raise MatchError(f"a tournament needs two bots or more, not {len(bots)}")
    for what, values in (("bot", bots), ("variant", variants), ("number of players", players)):
        for index, value in enumerate(values):
            if value in values[:index]:
                raise MatchError(f"the {what} {value} is named twice")
    for count in players:
        if not 2 <= count <= kernel.MAX_PLAYERS:
            raise MatchError(f"2 to {kernel.MAX_PLAYERS} players take part in a game of a tournament, not {count}")
    for bot in bots:
        load_bot(bot)
    for variant in variants:
        find_setup(variant)
    check_numbers(games, None, workers, None)


def _pairings(variant: str, players: int, bots: Sequence[str], games: int, seed: int) -> Iterator[Pairing]:
    for one, other in combinations(bots, 2):
        yield Pairing(variant, players, one, other, games, seed)
        if players > 2:
            yield Pairing(variant, players, other, one, games, seed)


def _standing(
    variant: str, players: int, bots: Sequence[str], names: dict[str, str], matches: Sequence[Played]
) -> Standing | None:
    """The standing of a group; None if no match of it was played."""
    own = [one for one in matches if (one.pairing.variant, one.pairing.players) == (variant, players)]
    if not own:
        return None
    size = len(bots)
    rates: list[list[float | None]] = [[None] * size for _ in bots]
    intervals: list[list[tuple[float, float] | None]] = [[None] * size for _ in bots]
    for one in own:
        a, b = bots.index(one.pairing.bot), bots.index(one.pairing.against)
        rates[a][b], intervals[a][b] = one.win_rate, one.interval
        if players == 2:
            low, high = one.interval
            rates[b][a], intervals[b][a] = 1 - one.win_rate, (1 - high, 1 - low)
    games, seed = own[0].pairing.games, own[0].pairing.seed
    results = [(bots.index(one.pairing.bot), bots.index(one.pairing.against), one.win_rate) for one in own]
    elo, errors = fit_elo(size, results, players, games, bots.index(ANCHOR) if ANCHOR in bots else 0)
    return Standing(
        variant=variant,
        players=players,
        games=games,
        seed=seed,
        bots=tuple(names[bot] for bot in bots),
        elo=tuple(map(float, elo)),
        errors=tuple(map(float, errors)),
        rates=tuple(map(tuple, rates)),
        intervals=tuple(map(tuple, intervals)),
    )


def fit_elo(
    size: int, results: Sequence[tuple[int, int, float]], players: int, games: int, anchor: int
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The most likely ratings and their standard errors, from matches of `games` games: bot, other bot, win rate.

    A bot of strength s wins against n - 1 of strength t with probability s / (s + (n - 1) t). A weak prior, normal
    around the anchor, keeps the rating of a bot finite that has won or lost all its games.
    """
    strength = np.zeros(size)
    free = [one for one in range(size) if one != anchor]
    prior = (_POINTS / PRIOR_SD) ** 2
    for _ in range(_STEPS):
        slope, curve = np.zeros(size), np.zeros((size, size))
        for a, b, rate in results:
            chance = 1 / (1 + (players - 1) * np.exp(strength[b] - strength[a]))
            weight = games * chance * (1 - chance)
            for one, sign in ((a, 1), (b, -1)):
                slope[one] += sign * games * (rate - chance)
                curve[one, one] += weight
            curve[a, b] -= weight
            curve[b, a] -= weight
        slope -= prior * strength
        curve += prior * np.eye(size)
        change = np.linalg.solve(curve[np.ix_(free, free)], slope[free])
        strength[free] += np.clip(change, -1, 1)
        if np.abs(change).max(initial=0) < 1e-12:
            break
    errors = np.zeros(size)
    errors[free] = np.sqrt(np.diag(np.linalg.inv(curve[np.ix_(free, free)])))
    return ANCHOR_ELO + _POINTS * strength, _POINTS * errors
