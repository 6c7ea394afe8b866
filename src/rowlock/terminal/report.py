"""The output of `rowlock arena`: the running result, and the report at the end."""

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from rowlock.arena import BotResult, Result

UNLIMITED = 10_000  # columns; wider than any report


def running_result(result: Result) -> str:
    """The results so far in one line."""
    if len(result.bots) > 1:
        results = "  ".join(f"{bot.name} {100 * bot.win_rate:.1f} %" for bot in result.bots)
    else:
        results = f"{result.bots[0].name} {number(result.bots[0].mean)} points"
    return f"{result.games_per_second:,.0f} games/s  {results}"


def number(value: float | None, digits: int = 1) -> str:
    return "-" if value is None else f"{round(value, digits) + 0.0:,.{digits}f}"  # + 0.0 turns -0.0 into 0.0


def show(result: Result) -> None:
    """Print the report; if the output is not a terminal, its width is not limited."""
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        console.width = UNLIMITED
    _show_bots(console, result)
    if len(result.bots) > 2:
        console.print(_head_to_head(result))
    if result.record is not None:
        console.print(result.record)
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in result.reasons.items())
    console.print(f"games end by: {reasons}; turns per game: {number(result.turns_mean)}")
    games = "1 game" if result.games == 1 else f"{result.games:,} games"
    console.print(
        f"{games} of {result.variant}, seed {result.seed}, {result.path} path: "
        f"{result.seconds:.1f} s, {_speed(result.games_per_second)} games a second"
    )
    _show_failures(console, "forfeited", result.forfeits, sum(bot.forfeits for bot in result.bots))
    _show_failures(console, "decision lost", result.lost_decisions, result.tally.lost_count)
    if result.traceback:
        console.print(result.traceback.rstrip("\n"), style="red")


def _speed(games_per_second: float) -> str:
    return f"{games_per_second:,.{0 if games_per_second >= 10 else 1}f}"


def _show_failures(console: Console, what: str, listed: Sequence[str], count: int) -> None:
    for failure in listed:
        console.print(f"{what}: {failure}", style="red")
    if count > len(listed):
        console.print(f"... and {count - len(listed):,} more", style="red")


def _show_bots(console: Console, result: Result) -> None:
    single = len(result.bots) == 1  # no opponent, so no win rate
    wins = [] if single else ["wins % (95 %)"]
    headings = ["bot", *wins, "points ± s.e.", "sd", "p05/p50/p95", "misthrows", "locked"]
    print_table(console, headings, [_cells(bot, single) for bot in result.bots])


def print_table(console: Console, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print one line per row, or one per cell if the terminal is too narrow; the first column is text."""
    table = Table(box=None, header_style="bold", pad_edge=False, padding=(0, 1))
    for index, heading in enumerate(headings):
        table.add_column(heading, justify="right" if index else "left", no_wrap=True)
    for row in rows:
        table.add_row(*row)
    if console.measure(table, options=console.options.update(width=UNLIMITED)).maximum <= console.width:
        console.print(table)
        return
    width = max(map(len, headings))
    for row in rows:
        for heading, cell in zip(headings, row, strict=True):
            if cell:
                console.print(f"{heading:{width}}  {cell}")


def _cells(bot: BotResult, single: bool) -> list[str]:
    low, high = bot.win_rate_interval
    digits = 1 if high - low > 0.002 else 2  # a second digit if the interval is at most 0.2 percentage points wide
    return [
        bot.name,
        *([] if single else [f"{100 * bot.win_rate:.{digits}f} ({100 * low:.{digits}f}-{100 * high:.{digits}f})"]),
        f"{number(bot.mean, 2)} ± {number(bot.standard_error, 2)}",
        number(bot.sd),
        "/".join(number(value, 0) for value in (bot.p05, bot.median, bot.p95)),
        *(number(value, 2) for value in (bot.misthrows, bot.rows_locked)),
    ]


def _head_to_head(result: Result) -> Table:
    table = Table(title="% of games with more points than", box=None, header_style="bold", pad_edge=False)
    table.add_column("")
    for bot in result.bots:
        table.add_column(bot.name, justify="right")
    for bot, shares in zip(result.bots, result.head_to_head, strict=True):
        table.add_row(bot.name, *("" if share is None else f"{100 * share:.1f}" for share in shares))
    return table
