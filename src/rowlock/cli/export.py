"""`rowlock export`."""

import sys
from typing import Annotated

import typer

from rowlock.cli.options import RecordFiles, VariantFiles, read_variants
from rowlock.terminal.errors import BROKEN_PIPE, CommandError


def export(
    files: RecordFiles = None,
    as_csv: Annotated[bool, typer.Option("--csv", help="Write comma-separated values.")] = False,
    as_jsonl: Annotated[bool, typer.Option("--jsonl", help="Write one JSON object per line.")] = False,
    decisions: Annotated[
        bool, typer.Option("--decisions", help="A row per decision, with position, options and result.")
    ] = False,
    variant_file: VariantFiles = None,
) -> int:
    """Write games as rows for other programs.

    There is a row per game, or with --decisions a row per decision, with the position before it and the result.
    Wrong records are named on standard error and left out. Exit status: 0, 1 if a record has an error, 2 if a file
    cannot be read.

    \b
    rowlock export --csv games/ > games.csv
    rowlock export --jsonl --decisions games/ > decisions.jsonl
    """
    from rowlock.rules.game import Game
    from rowlock.rules.score_notation import read_records
    from rowlock.rules.score_sheets import ScoreSheets
    from rowlock.terminal.export import csv_lines, decision_rows, flat_game_row, game_row, json_lines
    from rowlock.terminal.records import Records, games_only, record_files

    if as_csv == as_jsonl:
        raise CommandError("choose one of --csv and --jsonl")
    records: Records[Game | ScoreSheets] = Records(
        record_files(files), read_variants(variant_file), read_records, quiet=True
    )
    write = csv_lines() if as_csv else json_lines
    try:
        for file, number, game in games_only(records):
            if decisions:
                rows = decision_rows(game, file, number)
            else:
                rows = iter([(flat_game_row if as_csv else game_row)(game, file, number)])
            sys.stdout.writelines(write(rows))
            sys.stdout.flush()
    except BrokenPipeError:
        return BROKEN_PIPE
    return records.status
