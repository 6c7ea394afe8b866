"""Plots statistics of games: the distribution of points, a panel per game and number of players."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from rowlock.arena.plot import COLOURS, LINES, binned, check_plot
from rowlock.arena.statistics import Statistics
from rowlock.arena.tally import LOWEST

PANELS, COLUMNS = 12, 3  # the most panels, and how many stand side by side


def plot_statistics(found: Sequence[Statistics], path: str | Path) -> None:
    """Plot the points of the players with the most games."""
    check_plot(path)
    from matplotlib.figure import Figure

    shown = found[:PANELS]
    columns = min(COLUMNS, len(shown))
    rows = -(-len(shown) // columns)
    width, height = (6.5 if columns == 1 else 5 * columns), (4.4 if rows == 1 else 3.6 * rows)
    figure = Figure(figsize=(width, height), layout="constrained")
    panels = figure.subplots(rows, columns, squeeze=False).flat
    for one, axes in zip(shown, panels, strict=False):
        for index, player in enumerate(one.by_player[: len(COLOURS)]):
            counts = np.zeros(player.highest + 1 - LOWEST, np.int64)
            for points, games in player.points.items():
                counts[points - LOWEST] = games
            label = f"{player.name}  {player.mean:.1f} ({player.games:,})"
            axes.plot(*binned(counts), color=COLOURS[index], linestyle=LINES[index], linewidth=2, label=label)
        axes.set(
            xlabel="points",
            ylabel="share of games per point",
            title=f"{one.variant}, {one.players} {'players' if one.players > 1 else 'player'}, {one.games:,} games",
        )
        axes.set_ylim(bottom=0)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(frameon=False)
    for axes in list(panels):
        axes.remove()  # of the last row
    figure.savefig(path, dpi=144)
