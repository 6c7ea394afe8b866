"""`rowlock warm`."""

from rowlock.rules.variant import find_variant


def warm() -> None:
    """Compile the rules and keep the result, so that the first game need not wait for it."""
    from rowlock.terminal.progress import shown

    with shown():
        from rowlock.arena import match
        from rowlock.bots import CompiledBot, find_bot
        from rowlock.bots.registry import BUILT_IN

        for name in BUILT_IN:
            CompiledBot(find_bot(name))
        for variant in map(find_variant, ("classic", "cards")):
            find_bot("champion").thinking(1.0).prepare(variant, 2)
        match(["random"], games=1)
