"""`rowlock replay`."""

import io
import sys
from typing import Annotated

import typer

from rowlock.cli.options import VariantFiles, read_variants
from rowlock.terminal.errors import BROKEN_PIPE, Failure


def replay(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Records to read; - for standard input.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per game and line.")] = False,
    each: Annotated[
        bool, typer.Option("--each", help="With --json: an object for every decision, as things stood before it.")
    ] = False,
    variant_file: VariantFiles = None,
) -> int:
    """Check the records of games and tell what came of them.

    A record that breaks a rule gets one line on standard error: file, line, turn, player, what is wrong and a code.
    Exit status: 0 all is well, 1 a record breaks a rule, 2 wrong usage or a file that cannot be read.

    \b
    rowlock replay game.rlk
    rowlock replay --json *.rlk
    rowlock replay --json --each - < game.rlk
    """
    from rowlock.terminal import replay as reading

    if each and not as_json:
        raise Failure("--each goes with --json")
    for stream in (sys.stdout, sys.stderr):
        # Records are UTF-8 whatever the locale is; the names of files come out byte for byte as they were given.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="surrogateescape", newline="\n")
    try:
        return reading.replay(files, read_variants(variant_file), as_json=as_json, each=each)
    except BrokenPipeError:
        return BROKEN_PIPE
