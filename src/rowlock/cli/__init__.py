"""The command `rowlock`: a module per subcommand, and what holds for all of them.

A new subcommand is a function with Typer's annotations in a module of its own, named in `COMMANDS`. What takes long to
import is imported inside the function, so that no command waits for what another one needs.
"""

import io
import os
import signal
import sys
import time
from typing import Annotated, NoReturn

import typer
from typer.exceptions import TyperException

from rowlock import __version__
from rowlock.cli import arena, bots, browser, hint, join, play, replay, serve, show, solve, train, variants, warm
from rowlock.locale import language_of, speak
from rowlock.rules.notation import RecordError
from rowlock.terminal.failure import BROKEN_PIPE, BROKEN_RULE, INTERRUPTED, WRONG_USAGE, Failure, complain, failures

PATIENCE = 1.0  # seconds in which another Ctrl-C is taken for the same one

COMMANDS = (
    play.play,
    variants.variants,
    show.show,
    replay.replay,
    bots.bots,
    arena.arena,
    serve.serve,
    join.join,
    solve.solve,
    hint.hint,
    train.train,
)

app = typer.Typer(
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in COMMANDS:
    app.command()(command)
app.command(hidden=True)(warm.warm)


def main() -> NoReturn:
    """Run the command; what goes wrong is told in one line."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # a shell's background jobs ignore it
        signal.signal(signal.SIGINT, _stop_once)
    status = 0
    try:
        status = app(prog_name="rowlock", standalone_mode=False) or 0
        sys.stdout.flush()
    except BrokenPipeError:
        status = _give_up_output(BROKEN_PIPE)
    except TyperException as error:
        complain(f"rowlock: {error.format_message().rstrip('.')} (rowlock --help tells more)")
        status = error.exit_code
    except RecordError as error:
        complain(str(error))
        status = BROKEN_RULE
    except Failure as error:
        complain(f"rowlock: {error}")
        status = error.status
    except OSError as error:
        status = WRONG_USAGE
        if error.filename is not None:
            complain(f"rowlock: {error.filename}: {error.strerror}")
        else:
            complain(f"rowlock: the output cannot be written: {error.strerror}")
            status = _give_up_output(status)
    except KeyboardInterrupt:
        status = INTERRUPTED
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Python, ending, would give ours up and die of another Ctrl-C
    sys.exit(status)


def _stop_once(*_: object) -> NoReturn:
    """Stop at the first Ctrl-C; what is said and put away then is not disturbed by those that follow at once."""
    since = time.monotonic()

    def interrupt_again(*_: object) -> None:
        if time.monotonic() - since > PATIENCE:
            os._exit(INTERRUPTED)  # something hangs

    signal.signal(signal.SIGINT, interrupt_again)
    raise KeyboardInterrupt


def _give_up_output(status: int) -> int:
    """Nobody takes the output any more: what is still buffered goes nowhere, and Python stays quiet about it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return status


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rowlock {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def rowlock(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    open_browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    language: Annotated[
        str | None, typer.Option(metavar="en|de|nl", help="What games are told in; else what your environment says.")
    ] = None,
) -> None:
    """The Qwixx family of dice and card games: play them, look at their sheets, check and replay game records.

    [bold]To begin with[/bold]

    \b
    rowlock                    play in the browser, with friends on their phones
    rowlock play               you against a bot, in this terminal
    rowlock variants           which games there are
    rowlock show longo         the sheet of one, and what is special about it
    rowlock replay game.rlk    check a game's record and tell its outcome
    rowlock arena greedy eager let bots play each other
    """
    with failures(ValueError):
        speak(language or language_of(os.environ))
    if context.invoked_subcommand is None:
        raise typer.Exit(browser.play_in_browser(open_browser))
