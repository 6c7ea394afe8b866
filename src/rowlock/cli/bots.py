"""`rowlock bots`."""

import inspect

import typer


def bots() -> None:
    """List the bots with their levels, from weakest to strongest."""
    from rowlock.bots import LEVELS, BotError, bot_names, find_bot
    from rowlock.locale import catalogue

    typer.echo(f"{'level':6} {'bot':10} {'browser':8} plays")
    for name in bot_names():
        level = LEVELS.index(name) + 1 if name in LEVELS else ""
        try:
            bot = find_bot(name)
            about = inspect.getdoc(bot)
            browser_name = catalogue("en").get(f"bot.{name}.name", [""])[0] if bot.offered else ""
        except BotError as error:
            about, browser_name = str(error), ""
        typer.echo(f"{level:<6} {name:10} {browser_name:8} {about}")
