"""The command `rowlock`: its error messages, exit statuses and signals. `commands.py` lists the subcommands."""

import io
import os
import signal
import sys
import time
from typing import NoReturn

INTERRUPTED = 128 + signal.SIGINT
REPEAT_SECONDS = 1.0  # a Ctrl-C within this time after the first one is ignored


def main() -> NoReturn:
    """Run the command, and print an error as one line."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the caller
            setattr(sys, name, io.StringIO())
    interruptible = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # false in a shell's background jobs
    if interruptible:
        signal.signal(signal.SIGINT, _exit_at_once)
    from typer.exceptions import TyperException

    from rowlock.cli.commands import app
    from rowlock.rules.notation import RecordError
    from rowlock.terminal.errors import BROKEN_PIPE, BROKEN_RULE, WRONG_USAGE, CommandError, print_error

    if interruptible:
        signal.signal(signal.SIGINT, _stop_once)
    status = 0
    try:
        status = app(prog_name="rowlock", standalone_mode=False) or 0
        sys.stdout.flush()
    except BrokenPipeError:
        _discard_output()
        status = BROKEN_PIPE
    except TyperException as error:
        context = getattr(error, "ctx", None)
        command = context.command_path if context else "rowlock"
        print_error(f"rowlock: {error.format_message().rstrip('.')} (see {command} --help)")
        status = error.exit_code
    except RecordError as error:
        print_error(str(error))
        status = BROKEN_RULE
    except CommandError as error:
        for line in error.details.splitlines():
            print_error(line)
        print_error(f"rowlock: {error}")
        status = error.status
    except OSError as error:
        status = WRONG_USAGE
        if error.filename is not None:
            print_error(f"rowlock: {error.filename}: {error.strerror}")
        else:
            print_error(f"rowlock: the output cannot be written: {error.strerror}")
            _discard_output()
    except KeyboardInterrupt:
        status = INTERRUPTED
    if interruptible:
        # At exit Python replaces its own handlers by the default, with which a Ctrl-C would change the exit status.
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    sys.exit(status)


def _exit_at_once(*_: object) -> NoReturn:
    """Exit without an exception: a KeyboardInterrupt during the imports could get lost."""
    os._exit(INTERRUPTED)


def _stop_once(*_: object) -> NoReturn:
    """Stop at the first Ctrl-C, and ignore more of them while the command saves and cleans up."""
    first_time = time.monotonic()

    def interrupt_again(*_: object) -> None:
        if time.monotonic() - first_time > REPEAT_SECONDS:
            os._exit(INTERRUPTED)  # the clean-up hangs

    signal.signal(signal.SIGINT, interrupt_again)
    raise KeyboardInterrupt


def _discard_output() -> None:
    """Redirect standard output to the null device, so that Python can flush its buffer without an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
