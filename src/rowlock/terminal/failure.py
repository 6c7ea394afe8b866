"""What went wrong, told in one line."""

import sys
import unicodedata

BROKEN_RULE, WRONG_USAGE = 1, 2


class Failure(Exception):
    """What went wrong, and the exit status it leads to."""

    def __init__(self, text: str, status: int = WRONG_USAGE) -> None:
        super().__init__(text)
        self.status = status


def one_line(text: str) -> str:
    """The text on a single line, steering no terminal, whatever it quotes."""
    return "".join(ascii(char)[1:-1] if unicodedata.category(char) in ("Cc", "Zl", "Zp") else char for char in text)


def complain(text: str) -> None:
    sys.stderr.write(one_line(text) + "\n")
    sys.stderr.flush()
