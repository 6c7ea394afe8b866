"""Training with a progress bar; Ctrl-C stops it, and the next run continues from the last saved state."""

from rowlock.networks.weights import save_weights
from rowlock.terminal.progress import ProgressDisplay
from rowlock.train.run import TrainingRun
from rowlock.train.training import OPPONENTS, CurvePoint

CURVE_POINTS = 20  # points of the learning curves in a training run; the state is saved at each of them


def progress_line(point: CurvePoint, mode: str) -> str:
    if mode == "solo":
        return f"step {point.step:,}: {point.strength[0]:.1f} points, off by {point.points_error:.1f}"
    wins = ", ".join(f"{100 * rate:.1f} % against {bot}" for bot, rate in zip(OPPONENTS, point.strength, strict=True))
    return f"step {point.step:,}: wins {wins}"


def run_training(run: TrainingRun, threads: int | None, display: ProgressDisplay) -> bool:
    """Train and save the weights; return False if Ctrl-C stopped the training before its end."""
    training, unfinished = run.training, run.unfinished
    mode, steps = training.config.mode, training.config.steps
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    try:
        with display.bar("training", steps, training.step) as update:
            for point in training.run(max(1, steps // CURVE_POINTS), threads, lambda step: update(completed=step)):
                display.console.print(progress_line(point, mode), soft_wrap=True)
                training.save(unfinished)
    except KeyboardInterrupt:
        return False
    save_weights(run.weights_path, mode, training.final_weights())
    unfinished.unlink(missing_ok=True)
    return True
