"""Plots a solution: the distribution of final scores, the cost of misthrows and the value of the first roll."""

from pathlib import Path
from typing import Any

import numpy as np

from rowlock.arena.match import match
from rowlock.arena.plot import binned, check_plot
from rowlock.rules import kernel
from rowlock.solver.first_roll import first_roll_values
from rowlock.solver.solve import Solution

GAMES = 100_000  # simulated for the final scores
_BLUE, _LIGHT_BLUE, _RED = "#2257a8", "#c9d6ea", "#c0392b"


def plot_solution(solution: Solution, path: str | Path) -> None:
    """Plot the exact values of misthrows and of the first roll, and for a solo game also simulated final scores."""
    check_plot(path)
    from matplotlib.figure import Figure

    space = solution.space
    # A simulated solo game always has the first pair of lucky numbers and the first kind of sheet.
    first = next(iter(space.variant.lucky_pairs), None), space.variant.sheet_letters[:1]
    with_scores = solution.players == 1 and (space.lucky, space.sheet) == first
    figure = Figure(figsize=(14 if with_scores else 9.5, 4.4), layout="constrained")
    *scores_axes, misthrow_axes, roll_axes = figure.subplots(1, 3 if with_scores else 2)
    if with_scores:
        _draw_scores(scores_axes[0], solution)
    _draw_misthrows(misthrow_axes, solution)
    _draw_first_roll(roll_axes, solution)
    for axes in figure.axes:
        axes.spines[["top", "right"]].set_visible(False)
    lucky = ", lucky numbers {}/{}".format(*space.lucky) if space.lucky else ""
    sheet = f", sheet {space.sheet}" if space.sheet else ""
    # At a friendly table no other player closes rows or ends the game (docs/solver.md).
    players = f", a friendly table of {solution.players}" if solution.players > 1 else ""
    figure.suptitle(f"{space.variant}{lucky}{sheet}{players}: {solution.value():.4f} points expected")
    figure.savefig(path, dpi=144)


def _draw_scores(axes: Any, solution: Solution) -> None:
    result = match(["optimal"], solution.space.variant, GAMES, seed=1)
    points, shares = binned(result.tally.points[0])
    axes.plot(points, shares, color=_BLUE, linewidth=2)
    axes.axvline(solution.value(), color=_RED, linestyle="--", linewidth=1)
    axes.set(xlabel="final score", ylabel="share of games per point", title=f"Final scores ({GAMES:,} games)")
    axes.set_ylim(bottom=0)


def _draw_misthrows(axes: Any, solution: Solution) -> None:
    sheets = [solution.space.empty_sheet() for _ in range(solution.space.variant.misthrows_to_end)]
    for misthrows, sheet in enumerate(sheets):
        sheet[kernel.MISTHROWS] = misthrows
    variant = solution.space.variant
    values = [solution.value(sheet) + kernel.misthrow_points(sheet, 0, variant.tables) for sheet in sheets]
    values.append(variant.lowest_total)  # the last misthrow ends the game
    bars = axes.bar(range(len(values)), values, color=_BLUE)
    axes.bar_label(bars, [f"{value:.1f}" for value in values], padding=3)
    axes.margins(y=0.12)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set(xlabel="misthrows on an otherwise empty sheet", ylabel="expected final score", title="Misthrows (exact)")


def _draw_first_roll(axes: Any, solution: Solution) -> None:
    arrays_by_sum = first_roll_values(solution)
    sums = list(arrays_by_sum)
    values_by_sum = [np.concatenate([array.ravel() for array in arrays]) for arrays in arrays_by_sum.values()]
    means = [values.mean() for values in values_by_sum]
    low, high = [values.min() for values in values_by_sum], [values.max() for values in values_by_sum]
    axes.vlines(sums, low, high, color=_LIGHT_BLUE, linewidth=10, label="worst to best colours")
    axes.plot(sums, means, "o", color=_BLUE, label="mean")
    axes.axhline(solution.value(), color=_RED, linestyle="--", linewidth=1, label="before the roll")
    axes.set(xlabel="white sum of the first roll", ylabel="expected final score", title="The first roll (exact)")
    axes.set_xticks(sums)
    axes.legend(frameon=False, loc="upper center")
