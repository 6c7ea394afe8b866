"""What `rowlock train` shows while a network learns."""

from rowlock.networks.weights import save_weights
from rowlock.terminal.progress import Display
from rowlock.train.run import TrainingRun
from rowlock.train.training import OPPONENTS, CurvePoint


def told(point: CurvePoint, table: str) -> str:
    if table == "solo":
        return f"step {point.step:,}: {point.strength[0]:.1f} points, off by {point.points_error:.1f}"
    wins = ", ".join(f"{100 * rate:.1f} % against {bot}" for bot, rate in zip(OPPONENTS, point.strength, strict=True))
    return f"step {point.step:,}: wins {wins}"


def train(run: TrainingRun, threads: int | None, display: Display) -> bool:
    """Train to the end, or until Ctrl-C; what is done is kept at every point of the curves, and at the end."""
    training, unfinished = run.training, run.unfinished
    table, steps = training.config.table, training.config.steps
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    try:
        with display.bar("learning", steps, training.step) as update:
            for point in training.run(max(1, steps // 20), threads, lambda step: update(completed=step)):
                display.console.print(told(point, table), soft_wrap=True)
                training.save(unfinished)
    except KeyboardInterrupt:
        return False
    save_weights(run.weights, table, training.final_weights())
    unfinished.unlink(missing_ok=True)
    return True
