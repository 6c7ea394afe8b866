"""`rowlock replay`."""

import io
import sys
from typing import Annotated

import typer

from rowlock.cli.options import VariantFiles, read_variants
from rowlock.terminal.errors import BROKEN_PIPE, CommandError


def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Files of records; - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per game, each on a line.")] = False,
    each: Annotated[
        bool, typer.Option("--each", help="With --json: one object per decision, with the state before it.")
    ] = False,
    variant_file: VariantFiles = None,
) -> int:
    """Check game records and print the outcomes of the games.

    Each error is one line on standard error, with the file, line, turn, player, what is wrong, and a code.
    Exit status: 0 if all records are correct, 1 if one has an error, 2 for wrong usage or an unreadable file.

    \b
    rowlock replay game.rlk
    rowlock replay --json *.rlk
    rowlock replay --json --each - < game.rlk
    """
    from rowlock.terminal.replay import replay as replay_files

    if each and not as_json:
        raise CommandError("--each needs --json")
    for stream in (sys.stdout, sys.stderr):
        # Output is UTF-8 in every locale; file names are printed byte for byte as they were given.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    try:
        return replay_files(files, read_variants(variant_file), as_json=as_json, each=each)
    except BrokenPipeError:
        return BROKEN_PIPE
