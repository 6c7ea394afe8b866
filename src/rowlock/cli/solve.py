"""`rowlock solve`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import VariantName, read_setup
from rowlock.rules.game import check_lucky
from rowlock.rules.variant import Variant
from rowlock.terminal.errors import Failure, failures


def solve(
    variant: VariantName,
    players: Annotated[
        int, typer.Option(metavar="N", min=1, max=5, help="At a friendly table of so many, where nobody interferes.")
    ] = 1,
    wait: Annotated[
        int, typer.Option(metavar="N", min=0, max=4, help="How many others' turns come before the first own one.")
    ] = 0,
    lucky: Annotated[
        str | None, typer.Option(metavar="N/N", help="The lucky numbers, like 5/8; without them there are none.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw scores and the first roll to this .png or .svg file.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the value as one JSON object.")] = False,
) -> None:
    """The expected score of perfect play, exactly.

    A game is solved once and kept on disk; after that the answer comes at once.

    \b
    rowlock solve classic
    rowlock solve classic --players 4 --wait 1
    rowlock solve longo --lucky 5/8 --plot longo.png
    """
    from rowlock.solver.space import Space
    from rowlock.terminal.progress import shown

    if wait >= players:
        raise Failure(f"among {players} at most {players - 1} turns of others come before one's own, not {wait}")
    game = read_setup(variant).variant
    with failures(ValueError):
        space = Space(game, _read_lucky(game, lucky))
    with shown() as display:
        from rowlock.arena.plot import check_plot
        from rowlock.arena.solution_plot import plot_solution
        from rowlock.solver.solution_cache import Interrupted
        from rowlock.terminal.solving import solution_of

        with failures(ValueError, Interrupted):
            if plot:
                check_plot(plot)
            solution, cached = solution_of(space, players, display)
    told = {
        "variant": solution.space.variant.id,
        "players": players,
        "wait": wait,
        "lucky": lucky,
        "value": solution.value(wait=wait),
        "states": solution.states,
        "seconds": solution.seconds,
        "cached": cached,
    }
    if as_json:
        typer.echo(json.dumps(told))
    else:
        how = "from disk" if cached else f"solved in {solution.seconds:.1f} s"
        typer.echo(f"{told['value']:.4f} points expected ({solution.states:,} states, {how})")
    if plot:
        plot_solution(solution, plot)


def _read_lucky(variant: Variant, text: str | None) -> tuple[int, int] | None:
    if text is None:
        return None
    low, _, high = text.partition("/")
    if not (low.isdecimal() and high.isdecimal()):
        raise Failure(f"lucky numbers are written like 5/8, not {text}")
    return check_lucky(variant, [(int(low), int(high))], 1)[0]
