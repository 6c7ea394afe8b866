"""Plots a tournament: the Elo ratings of the bots by game, a panel per number of players."""

from collections.abc import Sequence
from pathlib import Path

from rowlock.arena.plot import check_plot
from rowlock.arena.tally import Z
from rowlock.arena.tournament import Standing

COLUMNS = 2


def plot_tournament(standings: Sequence[Standing], path: str | Path) -> None:
    """Plot ratings with 95 % intervals."""
    check_plot(path)
    from matplotlib.figure import Figure

    bots = list(dict.fromkeys(bot for standing in standings for bot in standing.bots))
    variants = list(dict.fromkeys(standing.variant for standing in standings))
    sizes = sorted({standing.players for standing in standings})
    columns = min(COLUMNS, len(sizes))
    rows = -(-len(sizes) // columns)
    figure = Figure(figsize=(6.5 * columns, 4 * rows), layout="constrained")
    panels = list(figure.subplots(rows, columns, squeeze=False).flat)
    for axes, players in zip(panels, sizes, strict=False):
        shown = [standing for standing in standings if standing.players == players]
        for place, bot in enumerate(bots):
            known = [(variants.index(one.variant), one, one.bots.index(bot)) for one in shown if bot in one.bots]
            xs = [x + 0.8 * ((place + 0.5) / len(bots) - 0.5) for x, _, _ in known]
            errors = [Z * one.errors[at] for _, one, at in known]
            axes.errorbar(xs, [one.elo[at] for _, one, at in known], errors, fmt="o", capsize=2, label=bot)
        axes.set_xticks(range(len(variants)), variants, rotation=30, ha="right")
        axes.set(title=f"{players} players", ylabel="Elo, 95 % intervals", xlim=(-0.6, len(variants) - 0.4))
        axes.spines[["top", "right"]].set_visible(False)
    for axes in panels[len(sizes) :]:
        axes.remove()
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", frameon=False, ncols=min(len(labels), 4 * columns))
    figure.savefig(path, dpi=90)
