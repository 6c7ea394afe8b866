"""`rowlock hint`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import VariantFiles, read_variants
from rowlock.terminal.errors import as_command_error


def hint(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record of an unfinished solo game.")],
    variant_file: VariantFiles = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the options as one JSON object.")] = False,
) -> None:
    """List the options in a solo game with their expected scores.

    The best option comes first. The expected score is the mean final score of perfect play after that option.

    \b
    rowlock hint game.rlk
    rowlock hint --json game.rlk
    """
    from rowlock.solver import hint as hints
    from rowlock.solver.space import NotSolvable
    from rowlock.terminal.progress import show_progress

    with as_command_error(NotSolvable):
        game = hints.read_decision(file, read_variants(variant_file))
    with show_progress() as display:
        from rowlock.solver.solution_cache import Interrupted
        from rowlock.terminal.solving import load_or_solve

        with as_command_error(NotSolvable, Interrupted):
            solution, _ = load_or_solve(hints.space_of(game), 1, display)
    option_values = hints.option_values(game, solution)
    if as_json:
        result = [{"option": option, "value": value} for option, value in option_values]
        typer.echo(json.dumps({"variant": game.variant.id, "phase": game.phase, "options": result}))
    else:
        for option, value in option_values:
            typer.echo(f"{value:9.4f}  {option}")
