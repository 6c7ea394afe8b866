"""The command `rowlock`: how it ends. `commands.py` lists the subcommands, each has a module of its own."""

import io
import os
import signal
import sys
import time
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT
PATIENCE = 1.0  # seconds in which another Ctrl-C is taken for the same one


def main() -> NoReturn:
    """Run the command; what goes wrong is told in one line."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, io.StringIO())
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # a shell's background jobs are not
    if interruptible:
        signal.signal(signal.SIGINT, _exit)
    from typer.exceptions import TyperException

    from rowlock.cli.commands import app
    from rowlock.rules.notation import RecordError
    from rowlock.terminal.errors import BROKEN_PIPE, BROKEN_RULE, WRONG_USAGE, Failure, complain

    if interruptible:
        signal.signal(signal.SIGINT, _stop_once)
    status = 0
    try:
        status = app(prog_name="rowlock", standalone_mode=False) or 0
        sys.stdout.flush()
    except BrokenPipeError:
        status = _give_up_output(BROKEN_PIPE)
    except TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "rowlock"
        complain(f"rowlock: {error.format_message().rstrip('.')} ({command} --help tells more)")
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
    if interruptible:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Python, ending, would give ours up and die of another Ctrl-C
    sys.exit(status)


def _exit(*_: object) -> NoReturn:
    """End at once, while nothing but imports is under way: an exception could get lost in them."""
    os._exit(INTERRUPTED)


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
