"""`rowlock arena`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import Think, complete_bots, complete_variants, read_setup
from rowlock.rules.chance import MAX_SEED
from rowlock.terminal.errors import failures, report_hasty


# Long for its options, which Typer reads from the signature.
def arena(
    players: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT", help="Who plays, 1 to 5 bots (rowlock bots lists them).", autocompletion=complete_bots
        ),
    ],
    variant: Annotated[
        str,
        typer.Option(metavar="VARIANT", help="The game, or your own .toml file.", autocompletion=complete_variants),
    ] = "classic",
    games: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=MAX_SEED, help="How many; 10,000 unless --until is given.")
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="The same seed gives the same games.")
    ] = None,
    until: Annotated[
        float | None, typer.Option(metavar="WIDTH", help="Until every 95 % interval is so many percentage points wide.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=1024, help="Threads or processes; as many as there are cores.")
    ] = None,
    ray: Annotated[
        str | None, typer.Option(metavar="ADDRESS|local", help="Play on a Ray cluster (needs rowlock[cluster]).")
    ] = None,
    records: Annotated[str | None, typer.Option(metavar="FILE.rlk", help="Write every game to this file.")] = None,
    game: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="Play only this one; they count from 0.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw points and margins to this .png or .svg file.")
    ] = None,
    move_timeout: Annotated[
        float, typer.Option(metavar="SECONDS", help="What a bot in plain Python may take for a move, besides --think.")
    ] = 10.0,
    think: Think = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
) -> None:
    """Let bots play each other: who is better, and how sure that is.

    \b
    rowlock arena greedy evolved
    rowlock arena random eager greedy --variant longo --plot points.png
    rowlock arena evolved greedy --until 0.5 --seed 1 --json
    rowlock arena greedy eager --variant cards+jokers
    """
    from rowlock.bots import find_bot
    from rowlock.bots.bot import lookahead_bots
    from rowlock.terminal.progress import shown

    read_setup(variant)
    with failures(ValueError), shown() as display:
        bots = {name: find_bot(name) for name in players}
        if think is not None:
            report_hasty(bots, lookahead_bots(bots, think))
        from rowlock.arena.match import GAMES, match
        from rowlock.arena.plot import check_plot, plot_match
        from rowlock.terminal import report
        from rowlock.terminal.solving import make_ready

        if plot:
            check_plot(plot)
        total = 1 if game is not None else games or (None if until else GAMES)
        with display.bar("playing", total) as update:
            result = match(
                players,
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
                prepare=lambda setting: make_ready(setting.bots, setting.variant, len(setting.bots), display),
                progress=lambda result: update(completed=result.games, description=report.so_far(result)),
            )
    if as_json:
        typer.echo(json.dumps(result.as_json(), ensure_ascii=False))
    else:
        report.show(result)
    if plot:
        plot_match(result, plot)
