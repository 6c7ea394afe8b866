"""What `rowlock arena` shows: the running result while games are played, and the report at the end."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from rowlock.arena import Result
from rowlock.arena.match import Progress as OnProgress


@contextmanager
def running(console: Console, games: int | None) -> Iterator[OnProgress]:
    """A bar with the result so far."""
    columns = (
        SpinnerColumn(),
        BarColumn(30),
        MofNCompleteColumn(),
        TextColumn("{task.description}", markup=False),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=games)

        def update(result: Result) -> None:
            wins = "  ".join(f"{bot.name} {100 * bot.win_rate:.1f} %" for bot in result.bots)
            bar.update(task, completed=result.games, description=f"{result.games_per_second:,.0f} games/s  {wins}")

        yield update


def _number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{value:,.{digits}f}"


def show(console: Console, result: Result) -> None:
    """The whole report."""
    console.print(_bots(result))
    if len(result.bots) > 2:
        console.print(_head_to_head(result))
    over = ", ".join(f"{reason} {count:,}" for reason, count in result.reasons.items())
    console.print(f"games end by: {over}; turns per game: {_number(result.turns_mean)}")
    console.print(
        f"{result.games:,} games of {result.variant}, seed {result.seed}, {result.path} path: "
        f"{result.seconds:.1f} s, {result.games_per_second:,.0f} games a second",
        highlight=False,
    )
    for forfeit in result.forfeits:
        console.print(f"lost by breaking down: {forfeit}", style="red", markup=False)
    more = sum(bot.forfeits for bot in result.bots) - len(result.forfeits)
    if more > 0:
        console.print(f"... and {more} more", style="red")


def _bots(result: Result) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    for name, justify in (("bot", "left"), ("wins %", "right"), ("95 %", "right"), ("points", "right")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    for name in ("± s.e.", "sd", "p05", "median", "p95", "misthrows", "locked"):
        table.add_column(name, justify="right")
    for bot in result.bots:
        low, high = bot.win_rate_interval
        table.add_row(
            bot.name,
            f"{100 * bot.win_rate:.2f}",
            f"{100 * low:.2f}..{100 * high:.2f}",
            _number(bot.mean, 2),
            _number(bot.standard_error, 2),
            *(_number(value) for value in (bot.sd, bot.p05, bot.median, bot.p95)),
            *(_number(value, 2) for value in (bot.misthrows, bot.rows_locked)),
        )
    return table


def _head_to_head(result: Result) -> Table:
    table = Table(title="more points than, % of games", box=None, header_style="bold", pad_edge=False)
    table.add_column("")
    for bot in result.bots:
        table.add_column(bot.name, justify="right")
    for bot, shares in zip(result.bots, result.head_to_head, strict=True):
        table.add_row(bot.name, *("" if share is None else f"{100 * share:.1f}" for share in shares))
    return table
