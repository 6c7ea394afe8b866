"""Error messages of one line on standard error, and exit statuses."""

import sys
import unicodedata
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager

# Exit statuses; those above 128 are what shells report for a process ended by a signal.
BROKEN_RULE, WRONG_USAGE, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


class CommandError(Exception):
    """A message for the user, the exit status of the command, and lines to print before, such as a traceback."""

    def __init__(self, text: str, status: int = WRONG_USAGE, details: str = "") -> None:
        super().__init__(text)
        self.status, self.details = status, details


@contextmanager
def as_command_error(*errors: type[Exception]) -> Iterator[None]:
    """Turn these errors into `CommandError`s with the same text."""
    try:
        yield
    except errors as error:
        raise CommandError(str(error), details=getattr(error, "details", "")) from None


def one_line(text: str) -> str:
    """The text with line breaks and control characters escaped."""
    return "".join(ascii(char)[1:-1] if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text)


def print_error(text: str) -> None:
    sys.stderr.write(one_line(text) + "\n")
    sys.stderr.flush()


def warn_if_think_is_ignored(bots: Iterable[str], lookahead_bots: Container[str]) -> None:
    """Print a warning that names the bots on which `--think` has no effect, if there are any."""
    if ignoring := [name for name in bots if name not in lookahead_bots]:
        print_error(f"rowlock: --think has no effect on {', '.join(ignoring)}: only bots that look ahead use it")
