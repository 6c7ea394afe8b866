"""`rowlock join`."""

import shlex
from typing import Annotated

import typer

from rowlock.cli.options import complete_bots
from rowlock.locale import t
from rowlock.terminal.errors import BROKEN_RULE, INTERRUPTED, Failure


def join(
    address: Annotated[str, typer.Argument(metavar="URL", help="A server's address with a table's code: host/ABC234.")],
    name: Annotated[str, typer.Option(metavar="NAME", help="What you are called at the table.")] = "",
    bot: Annotated[
        str | None,
        typer.Option(metavar="BOT", help="Let this bot play instead of you.", autocompletion=complete_bots),
    ] = None,
) -> int:
    """Play at a server's table from here, or let a bot play there.

    The seat is kept on this machine: whoever stops (q, or Ctrl-C) comes back to it with the same command.

    \b
    rowlock join http://127.0.0.1:8000/ABC234 --name Anna
    rowlock join http://127.0.0.1:8000/ABC234 --bot greedy
    """
    from rowlock.bots import BotError, find_bot
    from rowlock.server.client import ServerError
    from rowlock.terminal.join import Visit, let_play, sit_down
    from rowlock.terminal.play import Quit
    from rowlock.terminal.screen import TerminalScreen, make_console

    screen = TerminalScreen(make_console())
    try:
        player = find_bot(bot) if bot else None
        client, seat = sit_down(address, name or bot or t("seat.me"))
        if player:
            let_play(player, client, screen)
            seat.forget()
        else:
            Visit(client, seat, screen).play()
    except BotError as error:
        raise Failure(str(error)) from None
    except ServerError as error:
        raise Failure(str(error), BROKEN_RULE) from None
    except (Quit, EOFError):
        status = 0
    except KeyboardInterrupt:
        status = INTERRUPTED
        screen.say("")
    else:
        return 0
    options = [word for option, value in (("--name", name), ("--bot", bot)) if value for word in (option, value)]
    screen.say(t("terminal.seat-kept", command=shlex.join(["rowlock", "join", address, *options])), unbroken=True)
    return status
