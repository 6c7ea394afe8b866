"""How strong the bots are: a round robin per variant and number of players, Elo, and what their decisions cost them.

    python -m benchmarks.strength [--quick]

With two players everybody meets everybody; with four, one of a kind meets three of another. Seats rotate. Elo comes
from all matches of a table at once (Bradley and Terry), with 95 % intervals, `greedy` at 1000. Equity lost: in games
against the champion, wherever a bot decides otherwise than the champion would, both options are played on on the same
dice for six rounds and then judged by the champion's network.
"""

import random
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import combinations
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rowlock import Game, find_variant, variant_ids
from rowlock.arena import match
from rowlock.arena.tally import Z
from rowlock.bots import find_bot
from rowlock.bots.registry import ready_bots
from rowlock.bots.thinking import roll_out, settle

RESULTS = Path(__file__).with_name("results")
QUICK = "--quick" in sys.argv
GAMES = 400 if QUICK else 20_000
OTHER_GAMES = 200 if QUICK else 2_000  # but for classic with two players
EQUITY_GAMES = 2 if QUICK else 60
SAMPLES, ROUNDS = 64, 6
ANCHOR, ANCHOR_ELO = "greedy", 1000.0
Matrix = NDArray[np.float64]


@dataclass
class Standing:
    """A round robin: what share of the wins each row took from each column, and Elo with its standard errors."""

    bots: tuple[str, ...]
    rates: Matrix
    intervals: dict[tuple[int, int], tuple[float, float]]
    elo: Matrix
    errors: Matrix


def round_robin(variant: str, players: int, games: int) -> Standing:
    bots = ready_bots(find_variant(variant), players)
    rates, intervals = np.full((len(bots), len(bots)), np.nan), {}
    for a, b in combinations(range(len(bots)), 2):
        for one, other in ((a, b), (b, a)) if players > 2 else ((a, b),):
            names = [bots[one], *[bots[other]] * (players - 1)]
            result = match(names, variant, games, seed=1).bots[0]
            rates[one, other], intervals[one, other] = result.win_rate, result.win_rate_interval
        if players == 2:
            low, high = intervals[a, b]
            rates[b, a], intervals[b, a] = 1 - rates[a, b], (1 - high, 1 - low)
    return Standing(bots, rates, intervals, *elo(bots, rates, players, games))


def elo(bots: tuple[str, ...], rates: Matrix, players: int, games: int) -> tuple[Matrix, Matrix]:
    """The strengths that make the rates likeliest: s wins against n - 1 of t with chance s / (s + (n - 1) t)."""
    size, anchor = len(bots), bots.index(ANCHOR)
    strength = np.zeros(size)
    pairs = [(a, b) for a in range(size) for b in range(size) if a != b and (players > 2 or a < b)]
    for _ in range(200):
        slope, curve = np.zeros(size), np.zeros((size, size))
        for a, b in pairs:
            chance = 1 / (1 + (players - 1) * np.exp(strength[b] - strength[a]))
            weight = games * chance * (1 - chance)
            for one, sign in ((a, 1), (b, -1)):
                slope[one] += sign * games * (rates[a, b] - chance)
                curve[one, one] += weight
            curve[a, b] -= weight
            curve[b, a] -= weight
        free = [one for one in range(size) if one != anchor]
        change = np.linalg.solve(curve[np.ix_(free, free)] + 1e-6 * np.eye(size - 1), slope[free])
        strength[free] += np.clip(change, -1, 1)
    errors = np.zeros(size)
    errors[free] = np.sqrt(np.diag(np.linalg.inv(curve[np.ix_(free, free)] + 1e-6 * np.eye(size - 1))))
    scale = 400 / np.log(10)
    return ANCHOR_ELO + scale * strength, scale * errors


def equity_lost(name: str, variant: str, games: int) -> tuple[float, float, int]:
    """The chance to win that a decision costs on average, its standard error, and how many decisions were looked at."""
    bot, champion = find_bot(name), find_bot("champion")
    lost = []
    for number in range(games):
        game = Game(variant, 2, seed=11, number=number)
        own = number % 2
        while not game.over:
            if game.phase == "roll":
                game.roll()
                continue
            seat = game.to_act[0]
            view, rng = game.view(seat), random.Random(1000 * number + game.turn)
            options = list(view.options)
            option = (bot if seat == own else champion).decide(view, options, rng)
            if seat == own and len(options) > 1:
                better = champion.decide(view, options, rng)
                lost.append(0.0)
                if better != option:
                    after, _ = settle(view, [view.options[better], view.options[option]])
                    values = roll_out(view, after, 2 * ROUNDS, SAMPLES, number)
                    lost[-1] = float((values[:, 0] - values[:, 1]).mean())
            game.play(seat, option)
    return float(np.mean(lost)), float(np.std(lost) / np.sqrt(len(lost))), len(lost)


def table(standing: Standing, players: int) -> list[str]:
    against = [f"vs {'3 ' if players > 2 else ''}{bot}" for bot in standing.bots]
    lines = ["| bot | Elo | " + " | ".join(against) + " |", "|---|--:|" + "--:|" * len(against)]
    for a in reversed(range(len(standing.bots))):
        cells = []
        for b in range(len(standing.bots)):
            if a == b:
                cells.append("")
            else:
                low, high = standing.intervals[a, b]
                cells.append(f"{100 * standing.rates[a, b]:.1f} ({100 * low:.1f}-{100 * high:.1f})")
        error = f" ± {Z * standing.errors[a]:.0f}" if standing.errors[a] else ""
        lines.append(f"| {standing.bots[a]} | {standing.elo[a]:.0f}{error} | " + " | ".join(cells) + " |")
    return lines


def plot(standings: dict[str, Standing], path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 5), layout="constrained")
    axes = figure.subplots()
    names = list(standings)
    bots = max((one.bots for one in standings.values()), key=len)
    for place, bot in enumerate(bots):
        xs = [x for x, name in enumerate(names) if bot in standings[name].bots]
        ratings = [standings[names[x]].elo[standings[names[x]].bots.index(bot)] for x in xs]
        errors = [Z * standings[names[x]].errors[standings[names[x]].bots.index(bot)] for x in xs]
        axes.errorbar([x + 0.06 * (place - len(bots) / 2) for x in xs], ratings, errors, fmt="o", capsize=3, label=bot)
    axes.set_xticks(range(len(names)), names, rotation=20)
    axes.set(ylabel="Elo, greedy 1000, 95 % intervals", title="Strength of the bots")
    axes.legend(frameon=False, ncols=2)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(path, dpi=110)


def main() -> None:
    begin = datetime.now(UTC)
    lines = [
        "# Strength of the bots",
        "",
        f"`python -m benchmarks.strength`, {begin:%Y-%m-%d}: {GAMES:,} games each of classic with two players, "
        f"{OTHER_GAMES:,} of everything else, seats rotated, seed 1. Shares of wins in % with 95 % intervals; rows "
        "against columns.",
    ]
    standings = {}
    for variant in variant_ids():
        for players in (2, 4):
            standing = round_robin(variant, players, GAMES if (variant, players) == ("classic", 2) else OTHER_GAMES)
            standings[f"{variant}, {players}"] = standing
            lines += ["", f"## {variant}, {players} players", "", *table(standing, players)]
            print(lines[-len(standing.bots) - 4], *lines[-len(standing.bots) - 2 :], sep="\n", flush=True)
    lines += ["", "## Equity lost per decision, classic, two players", ""]
    lines += ["| bot | points of win chance (± s.e.) | decisions |", "|---|--:|--:|"]
    for bot in reversed(ready_bots(find_variant("classic"), 2)):
        if bot != "champion":
            mean, error, count = equity_lost(bot, "classic", EQUITY_GAMES)
            lines.append(f"| {bot} | {100 * mean:.2f} ± {100 * error:.2f} | {count:,} |")
            print(lines[-1], flush=True)
    if not QUICK:
        (RESULTS / "strength.md").write_text("\n".join([*lines, "", "![Elo](strength.png)", ""]), encoding="utf-8")
        plot(standings, RESULTS / "strength.png")


if __name__ == "__main__":
    main()
