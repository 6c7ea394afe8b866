"""`rowlock warm`."""

from rowlock.rules.variant import find_variant


def warm() -> None:
    """Compile the rules and cache the result, so that the first game starts without delay."""
    from rowlock.terminal.progress import show_progress

    with show_progress():
        from rowlock.arena import match
        from rowlock.bots import CompiledBot, find_bot
        from rowlock.bots.registry import BUILT_IN

        for name in BUILT_IN:
            CompiledBot(find_bot(name))  # the constructor compiles
        from rowlock.networks import values  # noqa: F401  # the import compiles the values of hints and reviews

        for variant in map(find_variant, ("classic", "cards")):
            find_bot("champion").thinking(1.0).prepare(variant, 2)  # the look-ahead, for any time per decision
        match(["random"], games=1)
        from rowlock.fast import Batch, opponents  # noqa: F401  # the import compiles the choices of bots in batches

        batch = Batch("classic", 2, 1)
        batch.observe()
        batch.step(batch.random_choices())
