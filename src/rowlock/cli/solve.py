"""`rowlock solve`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import VariantName, read_setup
from rowlock.rules.game import checked_lucky, checked_sheets
from rowlock.rules.layout import MAX_PLAYERS
from rowlock.rules.variant import Variant
from rowlock.terminal.errors import CommandError, as_command_error


def solve(
    variant_name: VariantName,
    players: Annotated[
        int,
        typer.Option(
            metavar="N", min=1, max=MAX_PLAYERS, help="Number of players; the others are assumed to close no rows."
        ),
    ] = 1,
    wait: Annotated[
        int,
        typer.Option(
            metavar="N", min=0, max=MAX_PLAYERS - 1, help="Number of other players' turns before your first turn."
        ),
    ] = 0,
    lucky: Annotated[
        str | None, typer.Option(metavar="N/N", help="The lucky numbers, such as 5/8; by default none.")
    ] = None,
    sheet: Annotated[
        str | None, typer.Option(metavar="LETTER", help="The sheet, in games that have several; by default A.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Plot the solution to this .png or .svg file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the value as one JSON object.")] = False,
) -> None:
    """Compute the exact expected score of perfect play.

    The solution is saved on disk and reused.

    \b
    rowlock solve classic
    rowlock solve classic --players 4 --wait 1
    rowlock solve longo --lucky 5/8 --plot longo.png
    rowlock solve connected-a --sheet C
    """
    from rowlock.solver.space import Space
    from rowlock.terminal.progress import show_progress

    if wait >= players:
        raise CommandError(f"--wait must be less than --players ({players}), not {wait}")
    variant = read_setup(variant_name).variant
    with as_command_error(ValueError):
        letter = variant.sheet_letters[:1] if sheet is None else checked_sheets(variant, [sheet.upper()], 1)[0]
        space = Space(variant, _read_lucky(variant, lucky), letter)
    with show_progress() as display:
        from rowlock.arena.plot import check_plot
        from rowlock.arena.solution_plot import plot_solution
        from rowlock.solver.solution_cache import Interrupted
        from rowlock.terminal.solving import load_or_solve

        with as_command_error(ValueError, Interrupted):
            if plot:
                check_plot(plot)
            solution, cached = load_or_solve(space, players, display)
    result = {
        "variant": solution.space.variant.id,
        "players": players,
        "wait": wait,
        "lucky": lucky,
        "sheet": space.sheet or None,
        "value": solution.value(wait=wait),
        "states": solution.states,
        "seconds": solution.seconds,
        "cached": cached,
    }
    if as_json:
        typer.echo(json.dumps(result))
    else:
        source = "from disk" if cached else f"solved in {solution.seconds:.1f} s"
        typer.echo(f"{result['value']:.4f} points expected ({solution.states:,} states, {source})")
    if plot:
        plot_solution(solution, plot)


def _read_lucky(variant: Variant, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    low, _, high = text.partition("/")
    if not (low.isdecimal() and high.isdecimal()):
        raise CommandError(f"lucky numbers are written like 5/8, not {text}")
    return checked_lucky(variant, [(int(low), int(high))], 1)[0]
