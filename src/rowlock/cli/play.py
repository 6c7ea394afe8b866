"""`rowlock play`."""

from typing import Annotated

import typer

from rowlock.cli.options import Think, VariantFiles, Weights, complete_bots, complete_variants, read_variants
from rowlock.rules.chance import MAX_SEED


def play(
    variant_or_file: Annotated[
        str,
        typer.Argument(
            metavar="VARIANT|FILE.rlk",
            help="The variant to play, or a saved game to resume.",
            autocompletion=complete_variants,
        ),
    ] = "classic",
    players: Annotated[
        str | None, typer.Option(metavar="NAMES", help="The people at this keyboard, in turn order: Anna,Ben.")
    ] = None,
    bots: Annotated[
        str | None,
        typer.Option(
            metavar="BOTS",
            help="Bots, seated after the people: greedy,random or my_bot.py:Bot or none. By default greedy, if you "
            "play alone.",
            autocompletion=complete_bots,
        ),
    ] = None,
    sheets: Annotated[
        str | None,
        typer.Option(
            metavar="LETTERS",
            help="Their sheets, in turn order: A,C. By default A to the first player, B to the second, and so on.",
        ),
    ] = None,
    dice: Annotated[
        str | None,
        typer.Option(metavar="rolled|entered", help="Whether real dice are rolled, and typed in; by default rolled."),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="N", min=0, max=MAX_SEED, help="Seed of the dice or cards.")
    ] = None,
    save: Annotated[
        str | None, typer.Option(metavar="FILE.rlk", help="The file to save to; by default in the data directory.")
    ] = None,
    think: Think = None,
    weights: Weights = None,
    variant_file: VariantFiles = None,
) -> int:
    """Play in the terminal, with people at one keyboard, bots or both.

    The game is saved after every roll and action. Stop with q or Ctrl-C and resume later.

    \b
    rowlock play                                      against the bot greedy
    rowlock play longo --players Anna,Ben             two people
    rowlock play bonus-a --players Anna --bots greedy,greedy
    rowlock play connected-a --players Anna,Ben --sheets A,C
    rowlock play --players Anna,Ben --dice entered    with real dice
    rowlock play cards+jokers                         the card game, with jokers
    rowlock play my.toml                              your own variant
    rowlock play --bots ./my_bot.py:Patient           against your own bot
    rowlock play saved.rlk                            resume a saved game
    """
    from rowlock.terminal.play import LocalGame, play_game
    from rowlock.terminal.screen import TerminalScreen, make_console
    from rowlock.terminal.start import PlayOptions, open_game

    files = variant_file or []
    custom = read_variants(files)
    session = open_game(
        PlayOptions(variant_or_file, players, bots, sheets, dice, seed, save, think, weights, files, custom)
    )
    file, screen = session.file, TerminalScreen(make_console(), hints=True)
    local_game = LocalGame(session.game, session.bots, screen, file.write, has_save=file.holds_game)
    try:
        return play_game(local_game, session.resume_command)
    finally:
        file.discard()
