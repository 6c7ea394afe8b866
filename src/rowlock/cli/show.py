"""`rowlock show`."""

from rowlock.cli.options import VariantName, read_setup


def show(variant: VariantName) -> None:
    """Show the sheet and the rules of a variant.

    \b
    rowlock show mixx-a
    rowlock show cards+jokers      the card game with jokers
    rowlock show my.toml           your own variant
    rowlock show longo | less      in a pipe: letters instead of colours
    """
    from rowlock.terminal import draw
    from rowlock.terminal.screen import make_console

    setup = read_setup(variant)
    console = make_console()
    console.print(draw.variant_sheet(setup, draw.Terminal.of(console)), crop=False)
