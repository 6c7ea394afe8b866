"""`rowlock bots`."""

import inspect

import typer


def bots() -> None:
    """List the bots with their levels, from weakest to strongest."""
    from rowlock.bots import LEVELS, BotError, bot_names, find_bot
    from rowlock.locale import catalogue

    typer.echo(f"{'level':6} {'bot':10} {'browser':8} plays")
    for name in bot_names():
        level, called = LEVELS.index(name) + 1 if name in LEVELS else "", ""
        try:
            bot = find_bot(name)
            about = inspect.getdoc(bot)
            if bot.offered:
                called = catalogue("en").get(f"bot.{name}.name", [""])[0]
        except BotError as error:
            about = str(error)
        typer.echo(f"{level:<6} {name:10} {called:8} {about}")
