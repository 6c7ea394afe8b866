"""Plots a match: the distributions of points and of winning margins."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rowlock.arena.result import Result
from rowlock.arena.tally import LOWEST
from rowlock.fast.results import Array
from rowlock.paths import check_writable

# Lines also differ in shade and in style, for readers who cannot tell the colours apart.
COLOURS = ("#c0392b", "#2257a8", "#1e7d46", "#b07a00", "#5b3b8c")
LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))


def check_plot(path: str | Path) -> None:
    """Raise `ValueError` if the path is not a .png or .svg file that can be written, or if matplotlib is missing."""
    path = Path(path)
    if path.suffix.lower() not in (".png", ".svg"):
        raise ValueError(f"{path}: a plot is a .png or .svg file")
    check_writable(path)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ValueError("plots need matplotlib: pip install 'rowlock[plot]'") from None


def plot_match(result: Result, path: str | Path) -> None:
    """Plot the distribution of points, and of margins if there is more than one bot."""
    check_plot(path)
    from matplotlib.figure import Figure

    several = len(result.bots) > 1
    figure = Figure(figsize=(11 if several else 6.5, 4.4), layout="constrained")
    axes = figure.subplots(1, 2 if several else 1, squeeze=False)[0]
    for index, bot in enumerate(result.bots):
        counts = result.tally.points[index]
        if counts.sum():
            label = f"{bot.name}  {bot.mean:.1f} ± {bot.sd or 0:.1f}"  # a single game has no standard deviation
            axes[0].plot(*binned(counts), color=COLOURS[index], linestyle=LINES[index], linewidth=2, label=label)
    axes[0].set(xlabel="points", ylabel="share of games per point", title="Points")
    axes[0].legend(frameon=False)
    if several:
        margins = result.tally.margins
        end = int(np.searchsorted(np.cumsum(margins), 0.999 * margins.sum())) + 1  # leaves out the largest 0.1 %
        axes[1].bar(np.arange(end), margins[:end] / max(1, margins.sum()), width=1.0, color="#6b6f76")
        axes[1].set(
            xlabel="points ahead of the second", ylabel="share of games", title="Winning margin", xlim=(-1, end)
        )
    for panel in axes:
        panel.spines[["top", "right"]].set_visible(False)
        panel.set_ylim(bottom=0)
    wins = ", ".join(f"{bot.name} {100 * bot.win_rate:.1f} %" for bot in result.bots)
    figure.suptitle(f"{result.variant}, {result.games:,} games" + (f": wins {wins}" if several else ""))
    figure.savefig(path, dpi=144)


def binned(counts: Array) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The centre of each bin of points, and the share of games per point in it."""
    # A row with k marks has k(k+1)/2 points, so some totals are more frequent than their neighbours. With narrower bins
    # the line would be jagged.
    width = 5  # points per bin
    occurring = np.flatnonzero(counts)
    begins = np.arange(occurring[0] // width * width, occurring[-1] + width, width)
    sums = np.array([counts[begin : begin + width].sum() for begin in begins])
    return LOWEST + begins + (width - 1) / 2, sums / counts.sum() / width
