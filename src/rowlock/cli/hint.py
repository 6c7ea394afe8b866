"""`rowlock hint`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import Deep, VariantFiles, read_variants
from rowlock.terminal.errors import as_command_error


def hint(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="The record of an unfinished game; - for standard input.")
    ],
    deep: Deep = False,
    variant_file: VariantFiles = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON object per player to act, each on a line.")
    ] = False,
) -> None:
    """List the options of all players to act, with values and reasons.

    The best option comes first. Its value is the chance to win, or in a solo game the expected points: exact if the
    game is solved (rowlock solve) or can be solved in seconds, else estimated with the network of the bot champion.

    \b
    rowlock hint game.rlk
    rowlock hint --deep game.rlk
    rowlock hint --json game.rlk
    """
    from rowlock.terminal.hint import read_decision
    from rowlock.terminal.progress import show_progress

    game = read_decision(file, read_variants(variant_file))
    with show_progress():
        from rowlock.analysis.hint import hints
        from rowlock.analysis.values import NoValues

        with as_command_error(NoValues):
            found = [hints(game, player, "game" if deep else "round") for player in game.to_act]
    if as_json:
        for one in found:
            typer.echo(json.dumps(one.as_json(game), ensure_ascii=False))
        return
    from rowlock.terminal.screen import TerminalScreen, make_console

    screen = TerminalScreen(make_console())
    for one in found:
        screen.show_hints(game, one)
