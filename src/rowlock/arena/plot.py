"""Plots a match: the distributions of points and of winning margins."""

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rowlock.arena.result import Result
from rowlock.arena.tally import LOWEST
from rowlock.fast.games import Array
from rowlock.paths import check_writable

# Lines differ in shade and in style too, for readers who do not see the colours.
_COLOURS = ("#c0392b", "#2257a8", "#1e7d46", "#b07a00", "#5b3b8c")
_LINES = ("-", "--", "-.", ":", (0, (5, 1, 1, 1, 1, 1)))


def check_plot(path: str | Path) -> Path:
    """Check that a plot can be written to a path (.png or .svg) and that matplotlib is installed."""
    path = Path(path)
    if path.suffix.lower() not in (".png", ".svg"):
        raise ValueError(f"{path}: a plot is a .png or .svg file")
    check_writable(path)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise ValueError("plots need matplotlib: install the extra rowlock[plot]") from None
    return path


def plot_match(result: Result, path: str | Path) -> None:
    """Plot the distribution of points, and of margins if there is more than one bot."""
    path = check_plot(path)
    from matplotlib.figure import Figure

    several = len(result.bots) > 1
    figure = Figure(figsize=(11 if several else 6.5, 4.4), layout="constrained")
    axes = figure.subplots(1, 2 if several else 1, squeeze=False)[0]
    for bot, one in enumerate(result.bots):
        counts = result.tally.points[bot]
        if counts.sum():
            label = f"{one.name}  {one.mean:.1f} ± {one.sd or 0:.1f}"
            axes[0].plot(*binned(counts), color=_COLOURS[bot], linestyle=_LINES[bot], linewidth=2, label=label)
    axes[0].set(xlabel="points", ylabel="share of games per point", title="Points")
    axes[0].legend(frameon=False)
    if several:
        margins = result.tally.margins
        last = int(np.searchsorted(np.cumsum(margins), 0.999 * margins.sum())) + 1
        shares = margins[:last] / max(1, margins.sum())
        axes[1].bar(np.arange(last), shares, width=1.0, color="#6b6f76")
        axes[1].set(
            xlabel="points ahead of the second", ylabel="share of games", title="Winning margin", xlim=(-1, last)
        )
    for one_axis in axes:
        one_axis.spines[["top", "right"]].set_visible(False)
        one_axis.set_ylim(bottom=0)
    wins = ", ".join(f"{one.name} {100 * one.win_rate:.1f} %" for one in result.bots)
    figure.suptitle(f"{result.variant}, {result.games:,} games" + (f": wins {wins}" if several else ""))
    figure.savefig(path, dpi=144)


def binned(counts: Array) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Shares per point, in bins of five, because k(k+1)/2 makes some numbers of points far more frequent."""
    width = 5
    seen = np.flatnonzero(counts)
    edges = np.arange(seen[0] // width * width, seen[-1] + width, width)
    sums = np.array([counts[begin : begin + width].sum() for begin in edges])
    return LOWEST + edges + (width - 1) / 2, sums / counts.sum() / width
