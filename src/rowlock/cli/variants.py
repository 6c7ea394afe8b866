"""`rowlock variants`."""

from rowlock.rules.variant import find_variant, variant_ids


def variants() -> None:
    """List the variants, one per line."""
    from rowlock.terminal import draw
    from rowlock.terminal.screen import make_console

    console = make_console()
    built_in = [find_variant(name) for name in variant_ids()]
    console.print(draw.variant_list(built_in, console.width if console.is_terminal else None), crop=False)
