"""Plots reviews: the chance to win of each player during the game, in solo games the expected points."""

from collections.abc import Sequence
from pathlib import Path

from rowlock.analysis.review import JudgedDecision, Review
from rowlock.arena.plot import COLOURS, LINES, check_plot
from rowlock.networks.option_values import GRADES

PANELS = 12  # the most games in a plot
COLUMNS = 3


def plot_reviews(reviews: Sequence[Review], path: str | Path) -> None:
    """Plot the curves of the first games, a panel each; dots are decisions that were mistakes or blunders."""
    check_plot(path)
    from matplotlib.figure import Figure

    shown = reviews[:PANELS]
    columns = min(COLUMNS, len(shown))
    rows = -(-len(shown) // columns)
    figure = Figure(
        figsize=(8 if columns == 1 else 5 * columns, 4.4 if rows == 1 else 3.4 * rows), layout="constrained"
    )
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for review, axes in zip(shown, panels, strict=False):
        players = review.game.players
        scale = 1 if len(players) == 1 else 100
        for player, name in enumerate(players):
            values = [scale * value[player] for value in review.curve]
            axes.step(
                range(len(values)), values, where="post", color=COLOURS[player], linestyle=LINES[player], label=name
            )
            wrong = [
                index
                for index, event in enumerate(review.events, 1)
                if isinstance(event, JudgedDecision) and event.player == player and event.grade in GRADES[2:]
            ]
            axes.plot(wrong, [values[index] for index in wrong], "o", color=COLOURS[player], markersize=5)
        turns = [
            index
            for index, event in enumerate(review.events)
            if index == 0 or event.turn != review.events[index - 1].turn
        ]
        axes.set_xticks(
            turns[:: 1 + len(turns) // 12], [str(review.events[index].turn) for index in turns[:: 1 + len(turns) // 12]]
        )
        axes.set(
            xlabel="turn; dots: mistakes and blunders",
            ylabel="expected points" if len(players) == 1 else "chance to win, %",
        )
        if len(players) > 1:
            axes.set_ylim(0, 100)
            axes.legend(frameon=False)
        axes.spines[["top", "right"]].set_visible(False)
        points = ", ".join(f"{name} {score}" for name, score in zip(players, review.game.scores, strict=True))
        axes.set_title(f"{review.game.setup}: {points}", fontsize="medium", wrap=True)
    for axes in list(panels):
        axes.set_visible(False)
    if len(reviews) > PANELS:
        figure.suptitle(f"{PANELS} of {len(reviews):,} games")
    figure.savefig(path, dpi=144)
