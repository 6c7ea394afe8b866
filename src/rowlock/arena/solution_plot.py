"""Plots a solution: the distribution of final scores, the cost of misthrows and the value of the first roll."""

from pathlib import Path
from typing import Any

import numpy as np

from rowlock.arena.match import match
from rowlock.arena.plot import binned, check_plot
from rowlock.rules import kernel
from rowlock.solver.first_roll import first_roll_values
from rowlock.solver.solve import Solution

GAMES = 100_000
_COLOUR, _SOFT = "#2257a8", "#c9d6ea"


def plot_solution(solution: Solution, path: str | Path) -> None:
    """Plot a solution; misthrows and first roll are exact, final scores are simulated (for one player only)."""
    path = check_plot(path)
    from matplotlib.figure import Figure

    space = solution.space
    alone = solution.players == 1 and space.lucky == (next(iter(space.variant.lucky_pairs), None))
    figure = Figure(figsize=(14 if alone else 9.5, 4.4), layout="constrained")
    axes = list(figure.subplots(1, 3 if alone else 2))
    if alone:
        _draw_scores(axes.pop(0), solution)
    _draw_misthrows(axes[0], solution)
    _draw_first_roll(axes[1], solution)
    for one in figure.axes:
        one.spines[["top", "right"]].set_visible(False)
    lucky = ", lucky numbers {}/{}".format(*space.lucky) if space.lucky else ""
    table = f", a friendly table of {solution.players}" if solution.players > 1 else ""
    figure.suptitle(f"{space.variant}{lucky}{table}: {solution.value():.4f} points expected")
    figure.savefig(path, dpi=144)


def _draw_scores(axes: Any, solution: Solution) -> None:
    bot = match(["optimal"], solution.space.variant, GAMES, seed=1)
    points, shares = binned(bot.tally.points[0])
    axes.plot(points, shares, color=_COLOUR, linewidth=2)
    axes.axvline(solution.value(), color="#c0392b", linestyle="--", linewidth=1)
    axes.set(xlabel="final score", ylabel="share of games per point", title=f"Final scores ({GAMES:,} games)")
    axes.set_ylim(bottom=0)


def _draw_misthrows(axes: Any, solution: Solution) -> None:
    sheets = [[0] * kernel.SHEET_SIZE for _ in range(kernel.MISTHROWS_TO_END)]
    for misthrows, sheet in enumerate(sheets):
        sheet[kernel.MISTHROWS] = misthrows
    values = [solution.value(sheet) + kernel.misthrow_points(sheet, 0) for sheet in sheets]
    values.append(kernel.LOWEST_TOTAL)
    bars = axes.bar(range(len(values)), values, color=_COLOUR)
    axes.bar_label(bars, [f"{value:.1f}" for value in values], padding=3)
    axes.margins(y=0.12)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(xlabel="misthrows on an otherwise empty sheet", ylabel="expected final score", title="Misthrows (exact)")


def _draw_first_roll(axes: Any, solution: Solution) -> None:
    rolls = first_roll_values(solution).items()
    values = {total: np.concatenate([one.ravel() for one in some]) for total, some in rolls}
    totals = list(values)
    low, high = [values[total].min() for total in totals], [values[total].max() for total in totals]
    means = [values[total].mean() for total in totals]
    axes.vlines(totals, low, high, color=_SOFT, linewidth=10, label="worst to best colours")
    axes.plot(totals, means, "o", color=_COLOUR, label="mean")
    axes.axhline(solution.value(), color="#c0392b", linestyle="--", linewidth=1, label="before the roll")
    axes.set(xlabel="white sum of the first roll", ylabel="expected final score", title="The first roll (exact)")
    axes.set_xticks(totals)
    axes.legend(frameon=False, loc="upper center")
