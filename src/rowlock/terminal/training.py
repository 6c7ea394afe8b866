"""What `rowlock train` shows while a network learns."""

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from rowlock.networks.weights import save_weights
from rowlock.train.run import Run
from rowlock.train.training import POOL, Point


def told(point: Point, table: str) -> str:
    if table == "solo":
        return f"step {point.step:,}: {point.strength[0]:.1f} points, off by {point.points_error:.1f}"
    against = ", ".join(f"{100 * rate:.1f} % against {bot}" for bot, rate in zip(POOL, point.strength, strict=True))
    return f"step {point.step:,}: wins {against}"


def train(run: Run, threads: int | None) -> bool:
    """Train to the end, or until Ctrl-C; what is done is kept at every point of the curves, and at the end."""
    training, unfinished = run.training, run.unfinished
    table, steps = training.settings.table, training.settings.steps
    columns = (TextColumn("{task.description}"), BarColumn(30), TextColumn("{task.percentage:.0f} %"))
    bar = Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True))
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    try:
        with bar:
            task = bar.add_task("compiling", total=steps, completed=training.step)

            def show(step: int) -> None:
                bar.update(task, completed=step, description="learning")

            for point in training.run(max(1, steps // 20), threads, show):
                bar.console.print(told(point, table), highlight=False)
                training.save(unfinished)
    except KeyboardInterrupt:
        return False
    save_weights(run.weights, table, training.shipped())
    unfinished.unlink(missing_ok=True)
    return True
