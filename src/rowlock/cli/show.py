"""`rowlock show`."""

from rowlock.cli.options import VariantName, read_setup


def show(variant: VariantName) -> None:
    """Draw the sheet of a game and say what is special about it.

    \b
    rowlock show mixx-a
    rowlock show cards+jokers      the card game, with jokers or without
    rowlock show my.toml           a variant of your own
    rowlock show longo | less      no colours in a pipe, letters instead
    """
    from rowlock.terminal import draw
    from rowlock.terminal.screen import make_console

    found = read_setup(variant)
    console = make_console()
    console.print(draw.variant_sheet(found, draw.Look.of(console)), crop=False)
