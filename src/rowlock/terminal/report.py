"""What `rowlock arena` shows: the running result while games are played, and the report at the end."""

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeRemainingColumn
from rich.table import Table

from rowlock.arena import Result


class Running:
    """A bar with the result so far; it appears with the first result."""

    def __init__(self, console: Console, games: int | None) -> None:
        columns = (
            SpinnerColumn(),
            BarColumn(20),
            MofNCompleteColumn(),
            TextColumn("{task.description}", markup=False),
            TimeRemainingColumn(),
        )
        self.bar = Progress(*columns, console=console, transient=True)
        self.task = self.bar.add_task("", total=games)

    def __call__(self, result: Result) -> None:
        self.bar.start()
        if len(result.bots) > 1:
            told = "  ".join(f"{bot.name} {100 * bot.win_rate:.1f} %" for bot in result.bots)
        else:
            told = f"{result.bots[0].name} {_number(result.bots[0].mean)} points"
        speed = f"{result.games_per_second:,.0f} games/s"
        self.bar.update(self.task, completed=result.games, description=f"{speed}  {told}")

    def stop(self) -> None:
        if self.bar.live.is_started:
            self.bar.stop()


def _number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{round(value, digits) + 0.0:,.{digits}f}"


def show(console: Console, result: Result) -> None:
    """The whole report."""
    console.print(_bots(result))
    if len(result.bots) > 2:
        console.print(_head_to_head(result))
    if result.record is not None:
        console.print(result.record, markup=False)
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
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1))
    table.add_column("bot", no_wrap=True)
    wins = ["wins % (95 %)"] if len(result.bots) > 1 else []  # alone there is nobody to win against
    for name in (*wins, "points ± s.e.", "sd", "p05/p50/p95", "misthrows", "locked"):
        table.add_column(name, justify="right", no_wrap=True)
    for bot in result.bots:
        low, high = bot.win_rate_interval
        digits = 1 if high - low > 0.002 else 2
        rate = f"{100 * bot.win_rate:.{digits}f} ({100 * low:.{digits}f}-{100 * high:.{digits}f})"
        table.add_row(
            bot.name,
            *([rate] if wins else []),
            f"{_number(bot.mean, 2)} ± {_number(bot.standard_error, 2)}",
            _number(bot.sd),
            "/".join(_number(value, 0) for value in (bot.p05, bot.median, bot.p95)),
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
