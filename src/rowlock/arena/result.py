"""The result of a match, as `rowlock arena --json` prints it."""

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from rowlock.arena.tally import WIN, Tally, mean_and_sd, quantile, wilson
from rowlock.rules.game import REASONS


@dataclass(frozen=True)
class BotResult:
    """The result of a bot; means and quantiles are None if all games were forfeited."""

    name: str
    win_rate: float
    win_rate_interval: tuple[float, float]
    mean: float | None
    standard_error: float | None
    sd: float | None
    p05: float | None
    median: float | None
    p95: float | None
    misthrows: float | None
    rows_locked: float | None
    forfeits: int


@dataclass(frozen=True)
class Result:
    """The result of a match; rates are fractions of 1, and points, misthrows and locked rows are means per game."""

    variant: str
    games: int
    seed: int
    path: str  # "compiled" or "plain"
    seconds: float
    games_per_second: float
    turns_mean: float | None
    reasons: dict[str, int]
    bots: tuple[BotResult, ...]
    # By bot and other bot: the share of games in which the bot has more points; equal points count as half a game.
    head_to_head: tuple[tuple[float | None, ...], ...]
    forfeits: tuple[str, ...]
    tally: Tally
    record: str | None = None  # of the only game, if `match` was called with `game`
    # Of programs that gave no valid answer; their first option was played.
    lost_decisions: tuple[str, ...] = ()
    traceback: str | None = None  # of the first bot that failed, if its code has one

    def __repr__(self) -> str:
        single = len(self.bots) == 1
        parts = (f"{bot.name} {bot.mean}" if single else f"{bot.name} {bot.win_rate:.1%}" for bot in self.bots)
        return f"<Result {self.variant}, games {self.games}: {', '.join(parts)}>"

    def as_json(self) -> dict[str, Any]:
        fields = {name: value for name, value in vars(self).items() if name not in ("tally", "bots")}
        for name in ("record", "lost_decisions", "traceback"):
            if not fields[name]:
                del fields[name]
        bots = [asdict(bot) for bot in self.bots]
        if len(bots) == 1:
            bots[0].update(win_rate=None, win_rate_interval=None)  # nobody to win against
        return {**fields, "bots": bots}


def result_of(variant: str, seed: int, path: str, names: tuple[str, ...], tally: Tally, seconds: float) -> Result:
    complete_games = int(tally.reasons.sum())  # without forfeited games
    games = max(tally.games, 1)

    def per_game(total: int) -> float | None:
        return int(total) / complete_games if complete_games else None

    bots = []
    for index, name in enumerate(names):
        rate = int(tally.shares[index]) / WIN / games  # the tally counts WIN units for a win
        mean, sd = mean_and_sd(tally.points[index])
        bots.append(
            BotResult(
                name=name,
                win_rate=rate,
                win_rate_interval=wilson(rate, games),
                mean=mean,
                standard_error=sd / sqrt(complete_games) if sd is not None else None,
                sd=sd,
                p05=quantile(tally.points[index], 0.05),
                median=quantile(tally.points[index], 0.5),
                p95=quantile(tally.points[index], 0.95),
                misthrows=per_game(tally.misthrows[index]),
                rows_locked=per_game(tally.locked[index]),
                forfeits=int(tally.forfeited[index]),
            )
        )
    head_to_head = tuple(
        tuple(None if a == b else int(tally.ahead[a, b]) / 2 / games for b in range(len(names)))
        for a in range(len(names))
    )
    return Result(
        variant=variant,
        games=tally.games,
        seed=seed,
        path=path,
        seconds=seconds,
        games_per_second=tally.games / seconds if seconds else 0.0,
        turns_mean=per_game(tally.turns),
        reasons={reason: int(tally.reasons[REASONS.index(reason)]) for reason in ("rows", "misthrows")},
        bots=tuple(bots),
        head_to_head=head_to_head,
        forfeits=tuple(f"{names[forfeit.bot]}, game {forfeit.game}: {forfeit.why}" for forfeit in tally.forfeits),
        tally=tally,
        lost_decisions=tuple(f"{names[lost.bot]}, game {lost.game}, {lost.why}" for lost in tally.lost),
        traceback=next((one.details for one in (*tally.forfeits, *tally.lost) if one.details), None),
    )
