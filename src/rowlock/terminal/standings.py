"""The output of `rowlock tournament`."""

from rich.console import Console

from rowlock.arena.tally import Z
from rowlock.arena.tournament import Standing, TournamentResult
from rowlock.terminal.report import UNLIMITED, print_table

MOST_FAILURES = 20  # that are listed


def show(result: TournamentResult) -> None:
    """Print the tables; if the output is not a terminal, their width is not limited."""
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        console.width = UNLIMITED
    for standing in result.standings:
        _show_standing(console, standing)
    for text in result.left_out:
        console.print(f"left out: {text}")
    for text in result.failures[:MOST_FAILURES]:
        console.print(f"failed: {text}", style="red")
    if len(result.failures) > MOST_FAILURES:
        console.print(f"... and {len(result.failures) - MOST_FAILURES:,} more", style="red")


def _show_standing(console: Console, standing: Standing) -> None:
    several = standing.players > 2
    console.print(f"{standing.variant}, {standing.players} players", style="bold")
    order = standing.ranked()
    against = [f"vs {f'{standing.players - 1} ' if several else ''}{standing.bots[b]}" for b in order]
    rows = []
    for a in order:
        error = f" ± {Z * standing.errors[a]:.0f}" if standing.errors[a] else ""
        cells = [_cell(standing.rates[a][b], standing.intervals[a][b]) for b in order]
        rows.append([standing.bots[a], f"{standing.elo[a]:.0f}{error}", *cells])
    print_table(console, ["bot", "Elo (95 %)", *against], rows)
    console.print(f"wins in % with 95 % intervals; {standing.games:,} games each, seed {standing.seed}")
    console.print()


def _cell(rate: float | None, interval: tuple[float, float] | None) -> str:
    if rate is None or interval is None:
        return ""
    return f"{100 * rate:.1f} ({100 * interval[0]:.1f}-{100 * interval[1]:.1f})"
