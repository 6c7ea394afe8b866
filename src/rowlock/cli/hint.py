"""`rowlock hint`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import VariantFiles, read_variants
from rowlock.terminal.errors import failures


def hint(
    file: Annotated[str, typer.Argument(metavar="FILE", help="The record of an unfinished game for one.")],
    variant_file: VariantFiles = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the options as one JSON object.")] = False,
) -> None:
    """The options in a game for one, best first, with the mean score.

    Beside each option stands the final score that it leads to on average.

    \b
    rowlock hint game.rlk
    rowlock hint --json game.rlk
    """
    from rowlock.solver import hint as hints
    from rowlock.solver.space import NotSolvable
    from rowlock.terminal.progress import shown

    with failures(NotSolvable):
        game = hints.read_decision(file, read_variants(variant_file))
    with shown() as display:
        from rowlock.solver.solution_cache import Interrupted
        from rowlock.terminal.solving import solution_of

        with failures(NotSolvable, Interrupted):
            solution, _ = solution_of(hints.space_of(game), 1, display)
    options = hints.option_values(game, solution)
    if as_json:
        told = [{"option": option, "value": value} for option, value in options]
        typer.echo(json.dumps({"variant": game.variant.id, "phase": game.phase, "options": told}))
    else:
        for option, value in options:
            typer.echo(f"{value:9.4f}  {option}")
