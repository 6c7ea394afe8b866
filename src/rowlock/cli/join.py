"""`rowlock join`."""

import shlex
from typing import Annotated

import typer

from rowlock.cli.options import complete_bots, complete_variants
from rowlock.locale import t
from rowlock.rules.layout import MAX_PLAYERS
from rowlock.terminal.errors import BROKEN_RULE, INTERRUPTED, CommandError


# The signature is long because Typer reads the options from it.
def join(
    address: Annotated[
        str,
        typer.Argument(metavar="URL", help="The address of a table, such as host/ABC234; with --open, of a server."),
    ],
    name: Annotated[str, typer.Option(metavar="NAME", help="Your name at the table.")] = "",
    bot: Annotated[
        str | None,
        typer.Option(
            metavar="BOT",
            help="Let this bot play for you: a name, FILE.py:CLASS or cmd:COMMAND.",
            autocompletion=complete_bots,
        ),
    ] = None,
    sheet: Annotated[
        str | None,
        typer.Option(metavar="LETTER", help="Your sheet, in games that have several; by default the one dealt to you."),
    ] = None,
    open_table: Annotated[bool, typer.Option("--open", help="Open a new table and take a seat at it.")] = False,
    variant: Annotated[
        str | None,
        typer.Option(
            metavar="VARIANT",
            help="With --open: the variant, or your own .toml file; by default classic.",
            autocompletion=complete_variants,
        ),
    ] = None,
    seats: Annotated[
        int | None,
        typer.Option(metavar="N", min=1, max=MAX_PLAYERS, help="With --open: the number of seats; by default two."),
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            metavar="BOTS",
            help="With --open: bots of the server for other seats: greedy,rush.",
            autocompletion=complete_bots,
        ),
    ] = None,
) -> int:
    """Join a table on a server, or let a bot play there.

    Your seat is saved on this machine. After q or Ctrl-C the same command returns to it.

    \b
    rowlock join http://127.0.0.1:8000/ABC234 --name Anna
    rowlock join http://127.0.0.1:8000/ABC234 --bot greedy
    rowlock join http://127.0.0.1:8000/ABC234 --name Anna --sheet C
    rowlock join http://127.0.0.1:8000 --open --variant longo --seats 3
    rowlock join http://127.0.0.1:8000 --open --bot my_bot.py:Patient
    rowlock join http://127.0.0.1:8000 --open --bot "cmd:./bot" --against greedy
    """
    from rowlock.bots import BotError, ProcessBot, load_bot
    from rowlock.bots.loading import short_name, split_bots
    from rowlock.server.client import ServerError
    from rowlock.terminal.join import RemoteGame, create_table, join_table, play_bot
    from rowlock.terminal.play import Quit
    from rowlock.terminal.screen import TerminalScreen, make_console

    if sheet is not None and len(sheet) != 1:
        raise CommandError(f"--sheet must be one letter, such as C, not {sheet!r}")
    screen = TerminalScreen(make_console())
    try:
        loaded_bot = load_bot(bot) if bot else None
        if isinstance(loaded_bot, ProcessBot):
            loaded_bot.check()
        if open_table:
            address, link = create_table(address, variant or "classic", seats, split_bots(against) if against else [])
            screen.print_line(t("terminal.opened", address=link), soft_wrap=True)
        elif variant or seats or against:
            raise CommandError("--variant, --seats and --against are for a new table: --open")
        client, saved_seat = join_table(address, name or short_name(bot or t("seat.me")), sheet and sheet.upper())
        if loaded_bot:
            try:
                play_bot(loaded_bot, client, screen)
            finally:
                loaded_bot.close()
            saved_seat.delete()
        else:
            RemoteGame(client, saved_seat, screen).play()
    except BotError as error:
        raise CommandError(str(error), details=error.details) from None
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
