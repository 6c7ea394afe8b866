"""Solving while somebody watches; Ctrl-C lays aside what is done."""

import signal
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import TYPE_CHECKING

import typer

from rowlock.bots import Bot
from rowlock.rules.variant import Variant
from rowlock.terminal.progress import Display

if TYPE_CHECKING:
    from rowlock.solver.solve import Solution
    from rowlock.solver.space import Space


def solution_of(space: "Space", players: int, display: Display) -> tuple["Solution", bool]:
    """The solution of a game, and whether it was there already; solving shows how far it is."""
    from rowlock.solver.solution_cache import load, solve_cached
    from rowlock.solver.solution_file import (
        solution_path,  # here, as the import compiles the solver, and few bots need it
    )

    if kept := load(space, players):
        return kept, True
    if solution_path(space, players).exists():
        typer.echo(f"the kept solution of {space.variant} is damaged; it is solved again", err=True)
    with _watched(display) as (progress, stop):
        return solve_cached(space, players, progress, stop), False


def make_ready(bots: Iterable[Bot], variant: Variant, players: int, display: Display) -> None:
    """Let bots do what they need before such a game."""
    for bot in bots:
        if bot.needs(variant, players):
            with _watched(display) as (progress, stop):
                bot.prepare(variant, players, progress, stop)
        else:
            bot.prepare(variant, players)  # what looks ahead may have to be compiled


@contextmanager
def _watched(display: Display) -> Iterator[tuple[Callable[[float], None], Callable[[], bool]]]:
    with display.bar("solving") as update, _interrupted() as stop:
        yield lambda done: update(completed=done), stop


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
