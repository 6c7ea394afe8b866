"""The result of a match, as `rowlock arena --json` prints it."""

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

from rowlock.arena.tally import WIN, Tally, mean_and_sd, quantile, wilson


@dataclass(frozen=True)
class BotResult:
    """The result of a bot; points are None if all games were forfeited."""

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
    """The result of a match: rates are fractions, other figures are means per game."""

    variant: str
    games: int
    seed: int
    path: str  # compiled, or plain
    seconds: float
    games_per_second: float
    turns_mean: float | None
    reasons: dict[str, int]
    bots: tuple[BotResult, ...]
    head_to_head: tuple[tuple[float | None, ...], ...]
    forfeits: tuple[str, ...]
    tally: Tally
    record: str | None = None  # with the argument `game`

    def __repr__(self) -> str:
        alone = len(self.bots) == 1
        parts = (f"{bot.name} {bot.mean}" if alone else f"{bot.name} {bot.win_rate:.1%}" for bot in self.bots)
        return f"<Result {self.variant}, games {self.games}: {', '.join(parts)}>"

    def as_json(self) -> dict[str, Any]:
        kept = {name: value for name, value in vars(self).items() if name not in ("tally", "bots", "record")}
        if self.record is not None:
            kept["record"] = self.record
        bots = [asdict(bot) for bot in self.bots]
        if len(bots) == 1:
            bots[0].update(win_rate=None, win_rate_interval=None)  # nobody to win against
        return {**kept, "bots": bots}


def result_of(variant: str, seed: int, path: str, names: tuple[str, ...], tally: Tally, seconds: float) -> Result:
    counted = int(tally.reasons.sum())
    games = max(tally.games, 1)

    def per_game(total: int) -> float | None:
        return int(total) / counted if counted else None

    bots = []
    for bot, name in enumerate(names):
        rate = int(tally.shares[bot]) / WIN / games
        mean, sd = mean_and_sd(tally.points[bot])
        bots.append(
            BotResult(
                name=name,
                win_rate=rate,
                win_rate_interval=wilson(rate, games),
                mean=mean,
                standard_error=sd / sqrt(counted) if sd is not None else None,
                sd=sd,
                p05=quantile(tally.points[bot], 0.05),
                median=quantile(tally.points[bot], 0.5),
                p95=quantile(tally.points[bot], 0.95),
                misthrows=per_game(tally.misthrows[bot]),
                rows_locked=per_game(tally.locked[bot]),
                forfeits=int(tally.forfeited[bot]),
            )
        )
    head = tuple(
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
        reasons={"rows": int(tally.reasons[1]), "misthrows": int(tally.reasons[2])},
        bots=tuple(bots),
        head_to_head=head,
        forfeits=tuple(f"{names[one.bot]}, game {one.game}: {one.why}" for one in tally.forfeits),
        tally=tally,
    )
