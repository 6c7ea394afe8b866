"""`rowlock play`."""

from typing import Annotated

import typer

from rowlock.cli.options import Think, VariantFiles, complete_bots, complete_variants, read_variants
from rowlock.rules.chance import MAX_SEED


def play(
    game: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT|FILE.rlk",
            help="The game to play, or a saved one to go on with.",
            autocompletion=complete_variants,
        ),
    ] = "classic",
    players: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="People at this keyboard, in turn order: Anna,Ben. The first one begins."),
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="BOTS",
            help="Bots, after the people: greedy,random; see rowlock bots. 'none' for no bot; alone you play greedy.",
            autocompletion=complete_bots,
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="The same seed gives the same dice, or cards.")
    ] = None,
    save: Annotated[
        str | None,
        typer.Option(metavar="FILE.rlk", help="Where the game is saved; else a file in your data directory."),
    ] = None,
    think: Think = None,
    variant_file: VariantFiles = None,
) -> int:
    """Play in the terminal: people at one keyboard, bots, or both.

    Everything that happens is saved at once. Stop whenever you like (q, or Ctrl-C) and go on later.

    \b
    rowlock play                                      you against greedy
    rowlock play longo --players Anna,Ben             two people
    rowlock play bonus-a --players Anna --bots greedy,greedy
    rowlock play cards+jokers                         the card game, with jokers
    rowlock play my.toml                              a variant of your own
    rowlock play saved.rlk                            go on with a saved game
    """
    from rowlock.terminal.play import Table, run
    from rowlock.terminal.screen import TerminalScreen, make_console
    from rowlock.terminal.start import PlayOptions, open_table

    files = variant_file or []
    opened = open_table(PlayOptions(game, players, bots, seed, save, think, files, read_variants(files)))
    file, screen = opened.file, TerminalScreen(make_console())
    try:
        return run(Table(opened.game, opened.bots, screen, file.write, kept=file.holds_game), opened.resume)
    finally:
        file.discard()
