"""What went wrong, told in one line."""

import sys
import unicodedata
from collections.abc import Container, Iterable, Iterator
from contextlib import contextmanager

# Exit statuses; those above 128 are what shells give a process that a signal ended.
BROKEN_RULE, WRONG_USAGE, INTERRUPTED, BROKEN_PIPE = 1, 2, 130, 141


class Failure(Exception):
    """What went wrong, and the exit status it leads to."""

    def __init__(self, text: str, status: int = WRONG_USAGE) -> None:
        super().__init__(text)
        self.status = status


@contextmanager
def failures(*errors: type[Exception]) -> Iterator[None]:
    """These errors say in their own words what went wrong."""
    try:
        yield
    except errors as error:
        raise Failure(str(error)) from None


def one_line(text: str) -> str:
    """The text on a single line, steering no terminal, whatever it quotes."""
    return "".join(ascii(char)[1:-1] if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text)


def complain(text: str) -> None:
    sys.stderr.write(one_line(text) + "\n")
    sys.stderr.flush()


def report_hasty(bots: Iterable[str], thinking: Container[str]) -> None:
    """Say which bots make no use of the time to think that others have."""
    if hasty := [name for name in bots if name not in thinking]:
        complain(f"rowlock: --think changes nothing for {', '.join(hasty)}, who cannot look ahead")
