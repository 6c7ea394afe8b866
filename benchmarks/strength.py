"""Strength of the bots: a round robin per variant and number of players, Elo, and the equity lost per decision.

    python -m benchmarks.strength [--quick]

The round robins are those of `rowlock tournament`: with two players each bot plays each other; with more, one bot plays
against copies of another. Seats rotate. Elo is fitted to all matches of a table at once (Bradley-Terry), with 95 %
intervals, `greedy` at 1000. Equity lost: in games against the champion, where a bot decides differently from the
champion, both options are rolled out on the same dice for six rounds and evaluated by the champion's network. All on
one thread; `optimal` plays Classic only, which is solved first.
"""

import random
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain, pairwise
from pathlib import Path

import numpy as np

from rowlock import Game, find_variant, variant_ids
from rowlock.arena import Standing, tournament
from rowlock.arena.engine import CompiledEngine
from rowlock.arena.match import make_config
from rowlock.arena.tally import Z
from rowlock.arena.tournament_plot import plot_tournament
from rowlock.bots import LEVELS, bot_names, data_of, find_bot
from rowlock.bots.champion import Champion
from rowlock.fast.results import DECISIONS
from rowlock.networks.rollout import roll_out, rollout_starts, simulate_actions
from rowlock.rules import kernel
from rowlock.rules.game import View

RESULTS = Path(__file__).parents[1] / "docs/results"
QUICK = "--quick" in sys.argv
# Games of a match, with two players and with more; card games are slower.
DICE_GAMES, CARD_GAMES = ((100, 20), (50, 10)) if QUICK else ((20_000, 2_000), (2_000, 500))
EQUITY_GAMES, OTHER_EQUITY_GAMES = (2, 1) if QUICK else (40, 8)
SAMPLES, ROUNDS = 64, 6


def bots_for(variant: str, players: int) -> tuple[str, ...]:
    """The bots that can play such a game, from the weakest up."""
    return tuple(name for name in bot_names() if find_bot(name).needs(find_variant(variant), players) is None)


def games_of(variant: str, players: int) -> int:
    return (CARD_GAMES if find_variant(variant).cards else DICE_GAMES)[players > 2]


def round_robin(variant: str, players: int) -> Standing:
    bots, games = bots_for(variant, players), games_of(variant, players)
    return tournament(bots, [variant], [players], games, seed=1, workers=1).standings[0]


def equity_lost(name: str, variant: str, games: int) -> tuple[float, float, int]:
    """The mean loss of win chance per decision, its standard error, and the number of decisions."""
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
                    _, weights = data_of(Champion, view.variant, len(view.players))
                    actions = [view.options[better], view.options[option]]
                    after, _ = simulate_actions(view, actions, weights)
                    starts = rollout_starts(view, after)
                    values = roll_out(view, starts, np.array(actions), weights, 2 * ROUNDS, SAMPLES, number)
                    lost[-1] = float((values[:, 0] - values[:, 1]).mean())
            game.play(seat, option)
    return float(np.mean(lost)), float(np.std(lost) / np.sqrt(len(lost))), len(lost)


def table(standing: Standing) -> list[str]:
    players = standing.players
    against = [f"vs {f'{players - 1} ' if players > 2 else ''}{bot}" for bot in standing.bots]
    lines = ["| bot | Elo | " + " | ".join(against) + " |", "|---|--:|" + "--:|" * len(against)]
    for a in reversed(range(len(standing.bots))):
        cells = []
        for rate, interval in zip(standing.rates[a], standing.intervals[a], strict=True):
            if rate is None or interval is None:
                cells.append("")
            else:
                cells.append(f"{100 * rate:.1f} ({100 * interval[0]:.1f}-{100 * interval[1]:.1f})")
        error = f" ± {Z * standing.errors[a]:.0f}" if standing.errors[a] else ""
        lines.append(f"| {standing.bots[a]} | {standing.elo[a]:.0f}{error} | " + " | ".join(cells) + " |")
    return lines


def levels(standing: Standing) -> str:
    places = [standing.bots.index(bot) for bot in LEVELS]
    steps = [f"{100 * (standing.rates[above][below] or 0):.1f}" for below, above in pairwise(places)]
    return f"The levels: {', '.join(LEVELS)}; each wins against the one below: {', '.join(steps)} %."


def views(variant: str, players: int) -> Iterator[View]:
    """The views of champions before their decisions, in a few games."""
    bot = find_bot("champion")
    for number in range(1 if QUICK else 4):
        game = Game(variant, players, seed=5, number=number)
        while not game.over:
            if not game.to_act:
                game.chance()
            for seat in game.to_act:
                yield game.view(seat)
                game.play(seat, bot.decide(game.view(seat), list(game.view(seat).options), random.Random(1)))


def speed(variant: str, players: int) -> tuple[float, float, float]:
    """The champion's decisions a second on one thread, and the median and longest time of a decision at a table.

    Counts only decisions between several options; their share is estimated from a few games.
    """
    bot = find_bot("champion")
    engine = CompiledEngine(make_config([bot] * players, variant, seed=1), 1)
    games, best = 20 if QUICK else 200, 1e9
    for _ in range(5):
        begin = time.perf_counter()
        results = engine.play(0, games).results
        best = min(best, time.perf_counter() - begin)
    seen, times = 0, []
    for view in views(variant, players):
        seen += 1
        if len(view.options) > 1:
            begin = time.perf_counter()
            bot.decide(view, list(view.options), random.Random(1))
            times.append(time.perf_counter() - begin)
    asked = float(results[:, DECISIONS].sum()) * len(times) / seen
    return asked / best, float(np.median(times)), max(times)


def strengths(standings: list[Standing]) -> Iterator[str]:
    for variant in variant_ids():
        for players in range(2, kernel.MAX_PLAYERS + 1):
            if variant == "classic":
                find_bot("optimal").prepare(find_variant(variant), players)
            begin = time.perf_counter()
            standing = round_robin(variant, players)
            standings.append(standing)
            yield from ("", f"## {variant}, {players} players", "")
            yield from table(standing)
            if (variant, players) == ("classic", 2):
                yield from ("", levels(standing))
            yield from ("", f"{games_of(variant, players):,} games each, {time.perf_counter() - begin:.0f} s.")


def equities() -> Iterator[str]:
    yield from ("", "## Equity lost per decision, two players", "")
    yield from ("| game | bot | points of win chance (± s.e.) | decisions |", "|---|---|--:|--:|")
    for variant in variant_ids():
        if "champion" in (bots := bots_for(variant, 2)) and not find_variant(variant).cards:
            for bot in reversed(bots[:-1]):
                mean, error, count = equity_lost(
                    bot, variant, EQUITY_GAMES if variant == "classic" else OTHER_EQUITY_GAMES
                )
                yield f"| {variant} | {bot} | {100 * mean:.2f} ± {100 * error:.2f} | {count:,} |"


def speeds() -> Iterator[str]:
    yield from ("", "## Speed of the champion, one thread", "")
    yield from (
        "| game | players | decisions a second | answer at a table, ms | the longest |",
        "|---|--:|--:|--:|--:|",
    )
    for variant in variant_ids():
        for players in range(1, kernel.MAX_PLAYERS + 1):
            if "champion" in bots_for(variant, players):
                rate, middle, longest = speed(variant, players)
                yield f"| {variant} | {players} | {rate:,.0f} | {1000 * middle:.2f} | {1000 * longest:.2f} |"


def main() -> None:
    begin, clock = datetime.now(UTC), time.perf_counter()
    standings: list[Standing] = []
    lines = []
    for line in chain(strengths(standings), equities(), speeds()):
        print(line, flush=True)
        lines.append(line)
    minutes = (time.perf_counter() - clock) / 60
    head = (
        "# Strength of the bots",
        "",
        f"`python -m benchmarks.strength`, {begin:%Y-%m-%d}, one thread, {minutes:.0f} minutes. Shares of wins in %",
        "with 95 % intervals, rows against columns, seats rotated, seed 1; Elo from all matches of a table at once.",
        "",
        "![Elo](strength.png)",
    )
    if not QUICK:
        (RESULTS / "strength.md").write_text("\n".join([*head, *lines, ""]), encoding="utf-8")
        plot_tournament(standings, RESULTS / "strength.png")


if __name__ == "__main__":
    main()
