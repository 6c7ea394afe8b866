"""`rowlock stats`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import RecordFiles, VariantFiles, read_variants
from rowlock.terminal.errors import WRONG_USAGE, CommandError, as_command_error, print_error


def stats(
    files: RecordFiles = None,
    review: Annotated[
        bool, typer.Option("--review", help="Review the games, too: mean loss, luck and rating; takes a while.")
    ] = False,
    as_csv: Annotated[
        bool, typer.Option("--csv", help="Print a line of values per variant, number of players and player.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object, with all distributions.")] = False,
    plot: Annotated[str | None, typer.Option(metavar="FILE", help="Plot the points to this .png or .svg file.")] = None,
    variant_file: VariantFiles = None,
) -> int:
    """Show statistics of many games.

    Per player: wins, points and their distribution, misthrows, locks; then who profits from beginning, and how
    often each player had more points than each other.

    Games of the same variant and number of players are counted together, finished ones only. Wrong records are
    named on standard error and left out. Exit status: 0, 1 if a record has an error, 2 if a file cannot be read.

    \b
    rowlock stats games/
    rowlock stats --review --csv games/ > players.csv
    rowlock stats --json --plot points.png *.rlk
    """
    from collections.abc import Iterator

    from rowlock.rules.game import Game
    from rowlock.rules.score_notation import read_records
    from rowlock.rules.score_sheets import ScoreSheets
    from rowlock.terminal.progress import show_progress
    from rowlock.terminal.records import Records, record_files

    if as_csv and as_json:
        raise CommandError("--csv and --json exclude each other")
    names, variants = record_files(files), read_variants(variant_file)
    records: Records[Game | ScoreSheets] = Records(names, variants, read_records, quiet=True)
    with show_progress() as display, display.bar("reading", None) as update:
        from rowlock.analysis.review import Review
        from rowlock.analysis.review import review as review_game
        from rowlock.analysis.values import NoValues
        from rowlock.arena.plot import check_plot
        from rowlock.arena.statistics import statistics
        from rowlock.arena.statistics_plot import plot_statistics
        from rowlock.terminal import stats as output

        if plot:
            with as_command_error(ValueError):
                check_plot(plot)
        left_out = {"unfinished": 0, "without dice": 0, "not reviewed": 0}
        reviews: list[Review] = []

        def finished_games() -> Iterator[Game]:
            for file, number, game in records:
                update(description=f"{file}, {number}")
                if isinstance(game, ScoreSheets):
                    left_out["without dice"] += 1
                    continue
                if not game.over:
                    left_out["unfinished"] += 1
                    continue
                try:
                    if review:
                        reviews.append(review_game(game))
                except NoValues as error:
                    print_error(f"{file}, game {number}: {error}")
                    left_out["not reviewed"] += 1
                yield game

        found = statistics(finished_games(), reviews)
    if as_csv:
        typer.echo(output.csv_text(found), nl=False)
    elif as_json:
        result = {"statistics": [one.as_json() for one in found], "left_out": left_out}
        typer.echo(json.dumps(result, ensure_ascii=False))
    else:
        output.show(found, left_out)
    if plot and found:
        plot_statistics(found, plot)
    return max(records.status, WRONG_USAGE if left_out["not reviewed"] else 0)
