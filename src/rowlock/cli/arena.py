"""`rowlock arena`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import MoveTimeout, Ray, Think, Weights, Workers, complete_bots, complete_variants, read_setup
from rowlock.rules.chance import MAX_SEED
from rowlock.terminal.errors import as_command_error, warn_if_think_is_ignored


# The signature is long because Typer reads the options from it.
def arena(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="1 to 5 bots: a name of rowlock bots, FILE.py:CLASS or cmd:COMMAND.",
            autocompletion=complete_bots,
        ),
    ],
    variant: Annotated[
        str,
        typer.Option(metavar="VARIANT", help="The variant, or your own .toml file.", autocompletion=complete_variants),
    ] = "classic",
    games: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=MAX_SEED, help="Games to play; 10,000 unless --until is set.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="The same seed gives the same games.")
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(metavar="WIDTH", help="Width of the win rates' 95 % intervals, in percentage points, to stop at."),
    ] = None,
    workers: Workers = None,
    ray: Ray = None,
    records: Annotated[str | None, typer.Option(metavar="FILE.rlk", help="Write every game to this file.")] = None,
    game: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="Play only the game with this number (from 0).")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Plot points and margins to this .png or .svg file.")
    ] = None,
    move_timeout: MoveTimeout = 10.0,
    think: Think = None,
    weights: Weights = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
) -> None:
    """Play a match between bots and report win rates and points.

    \b
    rowlock arena greedy evolved
    rowlock arena random eager greedy --variant longo --plot points.png
    rowlock arena evolved greedy --until 0.5 --seed 1 --json
    rowlock arena greedy eager --variant cards+jokers
    rowlock arena "my_bot.py:Patient(limit=2)" greedy
    rowlock arena "cmd:./my_bot --fast" greedy --move-timeout 1
    rowlock arena "champion(think=0.1)" "champion(weights=my.npz)"
    """
    from rowlock.bots.bot import lookahead_bots
    from rowlock.bots.loading import load_bots
    from rowlock.terminal.progress import show_progress

    read_setup(variant)  # only to check the name before the slow imports
    with as_command_error(ValueError), show_progress() as display:
        bots = dict(zip(names, load_bots(names, weights), strict=True))
        if think is not None:
            warn_if_think_is_ignored(bots, lookahead_bots(bots, think))
        from rowlock.arena.match import GAMES, match
        from rowlock.arena.plot import check_plot, plot_match
        from rowlock.terminal import report
        from rowlock.terminal.solving import prepare_bots

        if plot:
            check_plot(plot)
        total = 1 if game is not None else games or (None if until else GAMES)  # with --until it is not known
        with display.bar("playing", total) as update:
            result = match(
                names,
                variant,
                games,
                seed=seed,
                until=until,
                workers=workers,
                ray=ray,
                records=records,
                game=game,
                move_timeout=move_timeout,
                think=think,
                weights=weights,
                prepare=lambda config: prepare_bots(config.bots, config.variant, len(config.bots), display),
                progress=lambda result: update(completed=result.games, description=report.running_result(result)),
            )
    if as_json:
        typer.echo(json.dumps(result.as_json(), ensure_ascii=False))
    else:
        report.show(result)
    if plot:
        plot_match(result, plot)
