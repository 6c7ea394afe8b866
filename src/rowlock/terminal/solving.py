"""Solving with a bar that shows how far it is; Ctrl-C lays aside what is done."""

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from rowlock.bots import Bot
from rowlock.rules.variant import Variant

if TYPE_CHECKING:
    from rowlock.solver.solve import Solution
    from rowlock.solver.space import Space


def solution_of(space: "Space", players: int) -> tuple["Solution", bool]:
    """The solution of a game, and whether it was there already; solving shows how far it is."""
    from rowlock.solver.shelf import solution_path  # here, as the import compiles the solver, and few bots need it
    from rowlock.solver.store import load, solve_and_keep

    if kept := load(space, players):
        return kept, True
    if solution_path(space, players).exists():
        typer.echo(f"the kept solution of {space.variant} is damaged; it is solved again", err=True)
    with _watched() as (progress, stop):
        return solve_and_keep(space, players, progress, stop), False


def make_ready(bots: Iterable[Bot], variant: Variant, players: int) -> None:
    """Let bots do what they need before such a game."""
    for bot in bots:
        if bot.needs(variant, players):
            with _watched() as (progress, stop):
                bot.prepare(variant, players, progress, stop)
        else:
            bot.prepare(variant, players)  # what looks ahead may have to be compiled


@contextmanager
def _watched() -> Iterator[tuple[Callable[[float], None], Callable[[], bool]]]:
    columns: tuple[ProgressColumn, ...] = (TextColumn("solving"), BarColumn(30), TextColumn("{task.percentage:.0f} %"))
    columns += (TimeElapsedColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with bar, _interrupted() as stop:
        task = bar.add_task("", total=1.0)
        yield lambda done: bar.update(task, completed=done), stop


@contextmanager
def _interrupted() -> Iterator[Callable[[], bool]]:
    """Ctrl-C is noticed between two levels of states, so that nothing half done is laid aside."""
    wanted = False

    def notice(_: int, __: FrameType | None) -> None:
        nonlocal wanted
        wanted = True

    before = signal.signal(signal.SIGINT, notice)
    try:
        yield lambda: wanted
    finally:
        signal.signal(signal.SIGINT, before)
