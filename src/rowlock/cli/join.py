"""`rowlock join`."""

import shlex
from typing import Annotated

import typer

from rowlock.cli.options import complete_bots
from rowlock.locale import t
from rowlock.terminal.errors import BROKEN_RULE, INTERRUPTED, CommandError


def join(
    address: Annotated[str, typer.Argument(metavar="URL", help="The address of a table, such as host/ABC234.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="Your name at the table.")] = "",
    bot: Annotated[
        str | None, typer.Option(metavar="BOT", help="Let this bot play for you.", autocompletion=complete_bots)
    ] = None,
    sheet: Annotated[
        str | None,
        typer.Option(metavar="LETTER", help="Your sheet, in games that have several; by default the one dealt to you."),
    ] = None,
) -> int:
    """Join a table on a server, or let a bot play there.

    Your seat is saved on this machine. After q or Ctrl-C the same command returns to it.

    \b
    rowlock join http://127.0.0.1:8000/ABC234 --name Anna
    rowlock join http://127.0.0.1:8000/ABC234 --bot greedy
    rowlock join http://127.0.0.1:8000/ABC234 --name Anna --sheet C
    """
    from rowlock.bots import BotError, find_bot
    from rowlock.server.client import ServerError
    from rowlock.terminal.join import RemoteGame, join_table, play_bot
    from rowlock.terminal.play import Quit
    from rowlock.terminal.screen import TerminalScreen, make_console

    if sheet is not None and len(sheet) != 1:
        raise CommandError(f"--sheet must be one letter, such as C, not {sheet!r}")
    screen = TerminalScreen(make_console())
    try:
        loaded_bot = find_bot(bot) if bot else None
        client, saved_seat = join_table(address, name or bot or t("seat.me"), sheet and sheet.upper())
        if loaded_bot:
            play_bot(loaded_bot, client, screen)
            saved_seat.delete()
        else:
            RemoteGame(client, saved_seat, screen).play()
    except BotError as error:
        raise CommandError(str(error)) from None
    except ServerError as error:
        raise CommandError(str(error), BROKEN_RULE) from None
    except (Quit, EOFError):
        status = 0
    except KeyboardInterrupt:
        status = INTERRUPTED
        screen.print_line("")
    else:
        return 0
    given = {"--name": name, "--bot": bot, "--sheet": sheet}
    options = [word for option, value in given.items() if value for word in (option, value)]
    command = shlex.join(["rowlock", "join", address, *options])
    screen.print_line(t("terminal.seat-kept", command=command), soft_wrap=True)
    return status
