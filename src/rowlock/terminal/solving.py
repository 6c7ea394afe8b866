"""Solving with a progress bar; Ctrl-C stops it and saves the unfinished solution."""

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

import typer

from rowlock.bots import Bot
from rowlock.rules.variant import Variant
from rowlock.terminal.progress import ProgressDisplay

if TYPE_CHECKING:
    from rowlock.solver.solve import Solution
    from rowlock.solver.space import Space


def load_or_solve(space: "Space", players: int, display: ProgressDisplay) -> tuple["Solution", bool]:
    """The solution of a game, and whether it was loaded from disk."""
    # Imported here because the import compiles the solver, and most bots do not need it.
    from rowlock.solver.solution_cache import load, solve_cached
    from rowlock.solver.solution_file import solution_path

    if solution := load(space, players):
        return solution, True
    if solution_path(space, players).exists():
        typer.echo(f"the saved solution of {space.variant} is damaged; solving it again", err=True)
    with _progress_bar(display) as (progress, stop):
        return solve_cached(space, players, progress, stop), False


def prepare_bots(bots: Iterable[Bot], variant: Variant, players: int, display: ProgressDisplay) -> None:
    """Let every bot load, solve or compile what it needs for a game."""
    for bot in bots:
        if bot.needs(variant, players):
            with _progress_bar(display) as (progress, stop):
                bot.prepare(variant, players, progress, stop)
        else:
            bot.prepare(variant, players)  # the look-ahead may have to be compiled


@contextmanager
def _progress_bar(display: ProgressDisplay) -> Iterator[tuple[Callable[[float], None], Callable[[], bool]]]:
    with display.bar("solving") as update, _catch_interrupt() as stop:
        yield lambda share_done: update(completed=share_done), stop


@contextmanager
def _catch_interrupt() -> Iterator[Callable[[], bool]]:
    """Yield a function that says whether Ctrl-C was pressed; the solver asks it between two levels of states."""
    requested = False

    def request_stop(_: int, __: FrameType | None) -> None:
        nonlocal requested
        requested = True

    previous_handler = signal.signal(signal.SIGINT, request_stop)
    try:
        yield lambda: requested
    finally:
        signal.signal(signal.SIGINT, previous_handler)
