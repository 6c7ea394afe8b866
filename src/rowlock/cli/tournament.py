"""`rowlock tournament`."""

import json
from typing import Annotated

import typer

from rowlock.cli.options import MoveTimeout, Ray, Workers, complete_bots, complete_variants
from rowlock.rules.chance import MAX_SEED
from rowlock.rules.variant import Variant, variant_ids
from rowlock.terminal.errors import INTERRUPTED, CommandError, as_command_error, print_error


# The signature is long because Typer reads the options from it.
def tournament(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="BOT",
            help="Two bots or more: a name of rowlock bots, FILE.py:CLASS or cmd:COMMAND.",
            autocompletion=complete_bots,
        ),
    ],
    variants: Annotated[
        str,
        typer.Option(
            metavar="VARIANTS",
            help="The games: classic,longo or your own .toml files, or all.",
            autocompletion=complete_variants,
        ),
    ] = "classic",
    players: Annotated[str, typer.Option(metavar="NUMBERS", help="Players per game: 2,3 for example.")] = "2",
    games: Annotated[int, typer.Option(metavar="N", min=1, max=MAX_SEED, help="Games of each match.")] = 1000,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=MAX_SEED, help="The same seed gives the same games.")
    ] = 1,
    workers: Workers = None,
    ray: Ray = None,
    out: Annotated[
        str | None,
        typer.Option(metavar="FILE.json", help="Keep every match in this file; the same command then resumes."),
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Plot the ratings to this .png or .svg file.")
    ] = None,
    move_timeout: MoveTimeout = 10.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as one JSON object.")] = False,
) -> int:
    """Let every bot play every other, and rate them.

    Elo ratings with 95 % intervals are fitted to all matches of a game and number of players at once; greedy, or
    else the first bot, has 1000. With more than two players one bot plays against copies of the other. Bots that
    cannot play a game are left out of it. Ctrl-C shows the matches so far.

    \b
    rowlock tournament eager rush greedy evolved
    rowlock tournament greedy my_bot.py:Patient "cmd:./my-bot" --games 200
    rowlock tournament greedy champion --variants all --players 2,4 --out all.json
    """
    from rowlock.terminal.progress import show_progress

    with as_command_error(ValueError), show_progress() as display:
        from pathlib import Path

        from rowlock.arena.plot import check_plot
        from rowlock.arena.tournament import tournament as play
        from rowlock.arena.tournament_plot import plot_tournament
        from rowlock.bots import Bot
        from rowlock.bots.loading import split_bots
        from rowlock.paths import check_writable
        from rowlock.terminal import standings
        from rowlock.terminal.solving import prepare_bots

        if plot:
            check_plot(plot)
        if out:
            check_writable(Path(out))

        def prepare(bot: Bot, variant: Variant, count: int) -> None:
            prepare_bots([bot], variant, count, display)

        with display.bar("playing", None) as update:

            def announce(done: int, total: int, text: str) -> None:
                update(completed=done, total=total, description=text)

            result = play(
                names,
                variant_ids() if variants == "all" else split_bots(variants),
                _numbers(players),
                games,
                seed=seed,
                workers=workers,
                ray=ray,
                file=out,
                move_timeout=move_timeout,
                prepare=prepare,
                announce=announce,
            )
    if as_json:
        typer.echo(json.dumps(result.as_json(), ensure_ascii=False))
    else:
        standings.show(result)
    if plot and result.standings:
        plot_tournament(result.standings, plot)
    if result.complete:
        return 0
    print_error(f"rowlock: stopped; {'the same command resumes' if out else 'with --out FILE.json it can be resumed'}")
    return INTERRUPTED


def _numbers(text: str) -> list[int]:
    words = [word.strip() for word in text.split(",")]
    if not all(word.isdecimal() for word in words):
        raise CommandError(f"--players are numbers from 2 to 5, such as 2,3, not {text}")
    return [int(word) for word in words]
