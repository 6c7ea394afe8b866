"""What reviews measure: the mean loss per decision of each bot, luck, and the time of a review and of a hint.

    python -m benchmarks.review [--quick | --agreement]

Loss: games of each bot against itself in Classic for two, decisions with a choice, roll-outs of one round; then some
decisions per game of bots in games with more players, which show how much less is at stake. Luck: games
of `champion` against `greedy` on network values. Its mean should be 0; without it the result has a smaller variance.
Times are those of one thread, after everything is compiled.
With --agreement, only: unclear decisions in which roll-outs to the end of the game say that one option is clearly the
best, and how often the values of a review prefer the same one. That takes about an hour.
"""

import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import chain, islice
from pathlib import Path

import numpy as np

from rowlock import Game, read
from rowlock.analysis.hint import hints
from rowlock.analysis.review import review
from rowlock.analysis.values import NetworkValues, OptionValue
from rowlock.arena import match
from rowlock.bots import data_of
from rowlock.bots.champion import Champion
from rowlock.networks import option_values
from rowlock.networks.option_values import MARGIN
from rowlock.networks.rollout import roll_out, simulate_actions
from rowlock.rules import kernel

RESULTS = Path(__file__).parents[1] / "docs/results"
QUICK = "--quick" in sys.argv
BOTS = ("random", "eager", "rush", "greedy", "evolved", "champion")
AGREEMENT = "--agreement" in sys.argv
UNCLEAR, ROLLOUTS = (3, 2_000) if QUICK else (300, 20_000)  # decisions, and roll-outs of each option
LAST_TURN = kernel.MAX_PLAYERS * kernel.MAX_TURNS
CLEARLY, SURELY = 0.01, 0.006  # how much better than all others the best option is: at least, and in a first look
LOSS_GAMES, LUCK_GAMES, TIMED_GAMES = (2, 40, 1) if QUICK else (60, 10_000, 5)
PAIRS = (
    ("random", "random"),
    ("random", "greedy"),
    ("rush", "rush"),
    ("rush", "greedy"),
    ("greedy", "evolved"),
    ("greedy", "champion"),
    ("evolved", "champion"),
)
JUDGED = 12  # decisions of a game with several players


class CurveValues(NetworkValues):
    """Network values of nodes only: luck needs no values of options."""

    def _of_options(self, game: Game, seat: int, played: int | None) -> list[OptionValue]:
        return [OptionValue(option, action, 0.0, 0.0) for option, action in game.view(seat).options.items()]


def games(bots: list[str], count: int, variant: str = "classic") -> Iterator[Game]:
    """Games of a match; seats rotate."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.rlk"
        match(bots, variant, count, seed=3, workers=1, records=str(path))
        yield from read(path)


def losses(bot: str, others: list[str], judged: int | None = None) -> Iterator[float]:
    """What decisions of a bot cost; those without a choice do not count. `judged` is how many of a game are judged."""
    for game in games([bot, *others], LOSS_GAMES):
        values = NetworkValues(game)
        seats = [seat for seat, name in enumerate(game.players) if name.split()[0] == bot]
        made = [
            (moment, player, decision.action)
            for moment, decisions in game.decision_points()
            for player, decision in decisions.items()
            if player in seats and len(moment.options(player)) > 1
        ]
        for index in np.random.default_rng(0).permutation(len(made))[:judged]:
            moment, player, action = made[index]
            options = values.of_options(moment, player, action)
            yield options[0].value - next(one.value for one in options if one.action == action)


def loss_table() -> Iterator[str]:
    yield from ("", "## Mean loss per decision, Classic for two", "")
    yield from ("| bot | % of the win (± s.e.) | decisions |", "|---|--:|--:|")
    for bot in BOTS:
        lost = [*losses(bot, [bot])]
        error = np.std(lost) / len(lost) ** 0.5
        yield f"| {bot} | {100 * np.mean(lost):.3f} ± {100 * error:.3f} | {len(lost):,} |"
    yield from ("", f"{LOSS_GAMES} games of each bot against itself.")


def players_table() -> Iterator[str]:
    counts = range(2, kernel.MAX_PLAYERS + 1)
    yield from ("", "## Mean loss per decision by the number of players, Classic", "")
    yield from (f"| bot | others | {' | '.join(map(str, counts))} |", "|---|---|" + "--:|" * len(counts))
    shares = []
    for bot, other in PAIRS:
        means, cells = [], []
        for players in counts:
            lost = [*losses(bot, [other] * (players - 1), JUDGED)]
            means.append(np.mean(lost))
            cells.append(f"{100 * means[-1]:.2f} ± {100 * np.std(lost) / len(lost) ** 0.5:.2f}")
        shares.append(np.array(means) / means[0])
        yield f"| {bot} | {other} | {' | '.join(cells)} |"
    yield f"| mean, 2 players = 1 | | {' | '.join(f'{share:.2f}' for share in np.mean(shares, axis=0))} |"
    stakes = (f"{stakes:.2f}" for stakes in option_values.STAKES[2:])
    yield f"| limits of grades and ratings | | {' | '.join(stakes)} |"
    yield from ("", f"% of the win (± s.e.), {LOSS_GAMES} games each, {JUDGED} decisions with a choice of each game.")


def lucks(count: int) -> Iterator[tuple[float, float]]:
    """The champion's luck and result in games against `greedy`."""
    for game in games(["champion", "greedy"], count):
        summary = review(game, values=CurveValues(game, "network")).summary[game.players.index("champion")]
        yield summary.luck, summary.result


def luck_table() -> Iterator[str]:
    luck, result = np.array([*lucks(LUCK_GAMES)]).T
    adjusted = result - luck
    yield from ("", "## Luck of the champion against greedy, Classic for two", "")
    yield from ("| | mean (± s.e.) | variance |", "|---|--:|--:|")
    for name, numbers in (("luck", luck), ("result", result), ("result without luck", adjusted)):
        error = np.std(numbers) / len(numbers) ** 0.5
        yield f"| {name} | {np.mean(numbers):.4f} ± {error:.4f} | {np.var(numbers):.4f} |"
    share = np.var(adjusted) / np.var(result)
    yield from ("", f"{LUCK_GAMES:,} games; without luck the variance is {100 * share:.0f} % of that of the result.")


def time_table() -> Iterator[str]:
    yield from ("", "## Time", "")
    yield from (
        "| game | players | review, s | first curve, s | hint, median and longest, s |",
        "|---|--:|--:|--:|--:|",
    )
    for variant, players in (("classic", 2), ("classic", 4), ("classic", 1), ("longo", 2), ("cards", 2)):
        reviews: list[float] = []
        curves: list[float] = []
        asked: list[float] = []
        for game in games(["greedy"] * players, TIMED_GAMES, variant):
            for depth, times in (("round", reviews), ("network", curves)):
                begin = time.perf_counter()
                review(game, depth)
                times.append(time.perf_counter() - begin)
            for moment in game.moments():
                begin = time.perf_counter()
                hints(moment, moment.to_act[0])
                asked.append(time.perf_counter() - begin)
        yield (
            f"| {variant} | {players} | {np.median(reviews):.2f} | {np.median(curves):.3f} | "
            f"{np.median(asked):.3f}, {max(asked):.3f} |"
        )


def unclear_decisions() -> Iterator[tuple[Game, int, int]]:
    """Games before a decision, its player, and the action that roll-outs to the end of the game prefer clearly."""
    for game in games(["champion", "evolved"], 100 * UNCLEAR):
        _, weights = data_of(Champion, game.variant, len(game.players))
        moments = [*game.moments()]
        for moment in moments[3 :: len(moments) // 5]:
            view = moment.view(moment.to_act[-1])
            actions = np.array([*view.options.values()], np.int64)
            after, values = simulate_actions(view, actions.tolist(), weights)
            close = np.flatnonzero(values >= values.max() - MARGIN)
            if len(close) < 2:
                continue
            # The first look, with other dice, saves most of the time.
            for samples, seed, gap in ((ROLLOUTS // 10, 1, SURELY), (ROLLOUTS, 2, CLEARLY)):
                means = roll_out(view, after[close], actions[close], weights, LAST_TURN, samples, seed).mean(0)
                if np.sort(means)[-1] - np.sort(means)[-2] < gap:
                    break
            else:
                yield moment, moment.to_act[-1], int(actions[close[means.argmax()]])


def agreement_table() -> Iterator[str]:
    agreed = dict.fromkeys(("network", "round"), 0)
    for moment, player, best in islice(unclear_decisions(), UNCLEAR):
        for depth in agreed:
            agreed[depth] += NetworkValues(moment, depth).of_options(moment, player)[0].action == best
    yield from ("", "## Agreement with roll-outs of whole games, Classic for two", "")
    yield from ("| values | agree, % |", "|---|--:|")
    yield from (f"| {depth} | {100 * count / UNCLEAR:.1f} |" for depth, count in agreed.items())
    yield from ("", f"{UNCLEAR} decisions with options within {MARGIN}, the best by {CLEARLY} of a win.")


def main() -> None:
    if AGREEMENT:
        for line in agreement_table():
            print(line)
        return
    begin, clock = datetime.now(UTC), time.perf_counter()
    lines = []
    for line in chain(loss_table(), players_table(), luck_table(), time_table()):
        print(line, flush=True)
        lines.append(line)
    minutes = (time.perf_counter() - clock) / 60
    head = ("# Reviews", "", f"`python -m benchmarks.review`, {begin:%Y-%m-%d}, one thread, {minutes:.0f} minutes.")
    if not QUICK:
        (RESULTS / "review.md").write_text("\n".join([*head, *lines, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
