"""The output of `rowlock stats`: tables, or rows of comma-separated values."""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields

from rich.console import Console

from rowlock.arena.statistics import PlayerStatistics, Statistics
from rowlock.terminal.report import UNLIMITED, number, print_table

MOST_HEAD_TO_HEAD = 12  # players; a larger table says little


def show(found: Sequence[Statistics], left_out: Mapping[str, int]) -> None:
    """Print the tables of all games; if the output is not a terminal, their width is not limited."""
    console = Console(markup=False, highlight=False)
    if not console.is_terminal:
        console.width = UNLIMITED
    for one in found:
        _show_group(console, one)
    if not found:
        console.print("no finished game")
    if counts := ", ".join(f"{count:,} {what}" for what, count in left_out.items() if count):
        console.print(f"games left out: {counts}")


def _show_group(console: Console, one: Statistics) -> None:
    players = f"{one.players} players" if one.players > 1 else "solo"
    games = "1 game" if one.games == 1 else f"{one.games:,} games"
    console.print(f"{one.variant}, {players}, {games}", style="bold")
    reviewed = any(player.mean_loss is not None for player in one.by_player)
    headings = ["player", "games"]
    headings += ["wins % (95 %)", "first"] if one.players > 1 else []
    headings += ["points ± s.e.", "sd", "low/p05/p50/p95/high", "misthrows", "locked"]
    headings += ["mean loss", "luck a game", "rating"] if reviewed else []
    print_table(console, headings, [_cells(player, one.players > 1, reviewed) for player in one.by_player])
    if one.seats:
        shares = "  ".join(f"{seat}: {_rate(rate.win_rate, rate.interval)}" for seat, rate in enumerate(one.seats, 1))
        console.print(f"wins % by seat  {shares}")
    reasons = ", ".join(f"{reason} {count:,}" for reason, count in one.reasons.items())
    console.print(f"games end by: {reasons}; turns per game: {number(one.turns_mean)}")
    names = [player.name for player in one.by_player]
    if 1 < len(names) <= MOST_HEAD_TO_HEAD:
        console.print("% of games with more points than", style="bold")
        print_table(console, ["", *names], [[name, *_against(one, name, names)] for name in names])
    console.print()


def _against(one: Statistics, name: str, names: Sequence[str]) -> Iterator[str]:
    for other in names:
        games, share = one.head_to_head.get(name, {}).get(other, (0, 0.0))
        yield f"{100 * share:.1f} of {games:,}" if games else ""


def _rate(rate: float | None, interval: tuple[float, float] | None) -> str:
    if rate is None or interval is None:
        return "-"
    return f"{100 * rate:.1f} ({100 * interval[0]:.1f}-{100 * interval[1]:.1f})"


def _cells(player: PlayerStatistics, several: bool, reviewed: bool) -> list[str]:
    quantiles = (player.lowest, player.p05, player.median, player.p95, player.highest)
    cells = [player.name, f"{player.games:,}"]
    if several:
        first = "-" if player.win_rate_first is None else f"{100 * player.win_rate_first:.1f}"
        cells += [_rate(player.win_rate, player.win_rate_interval), first]
    cells += [f"{number(player.mean, 2)} ± {number(player.standard_error, 2)}", number(player.sd)]
    cells += ["/".join(number(value, 0) for value in quantiles)]
    cells += [number(player.misthrows, 2), number(player.rows_locked, 2)]
    if reviewed:
        scale = 100 if several else 1  # percentage points, or points
        loss, luck = (None if value is None else scale * value for value in (player.mean_loss, player.luck))
        cells += [number(loss, 2), number(luck), player.rating or "-"]
    return cells


def csv_text(found: Sequence[Statistics]) -> str:
    """A line per variant, number of players and player, after one of headings."""
    names = [one.name for one in fields(PlayerStatistics) if one.name not in ("win_rate_interval", "points")]
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["variant", "players", *names, "win_rate_low", "win_rate_high"])
    for one in found:
        for player in one.by_player:
            interval = player.win_rate_interval or (None, None)
            writer.writerow([one.variant, one.players, *(getattr(player, name) for name in names), *interval])
    return out.getvalue()
