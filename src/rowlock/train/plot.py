"""Plots the learning curves of a training run: errors and strength over the steps."""

from pathlib import Path

from rowlock.arena.plot import check_plot
from rowlock.train.training import OPPONENTS, Training


def plot_training(training: Training, path: str | Path) -> None:
    check_plot(path)
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.4), layout="constrained")
    error_axes, strength_axes = figure.subplots(1, 2)
    steps = [point.step for point in training.curve]
    solo = training.config.mode == "solo"
    if solo:
        error_axes.plot(steps, [point.points_error for point in training.curve], color="#2257a8", linewidth=2)
        strength_axes.plot(steps, [point.strength[0] for point in training.curve], color="#c0392b", linewidth=2)
    else:
        error_axes.plot(steps, [100 * point.win_error for point in training.curve], color="#2257a8", linewidth=2)
        for i, (name, line) in enumerate(zip(OPPONENTS, ("-", "--"), strict=True)):
            shares = [100 * point.strength[i] for point in training.curve]
            strength_axes.plot(steps, shares, line, color="#c0392b", linewidth=2, label=f"against {name}")
        strength_axes.legend(frameon=False)
    unit = "points" if solo else "win chance, percentage points"
    error_axes.set(title="Error of the predictions", xlabel="steps", ylabel=unit, ylim=(0, None))
    strength_axes.set(title="Strength", xlabel="steps", ylabel="points" if solo else "games won, %")
    for axes in (error_axes, strength_axes):
        axes.spines[["top", "right"]].set_visible(False)
    figure.suptitle(f"{training.variant}, {'alone' if solo else 'against others'}, {training.step:,} steps")
    figure.savefig(path, dpi=144)
