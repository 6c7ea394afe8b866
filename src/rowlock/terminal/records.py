"""The games of record files, with one line on standard error for each record that cannot be read."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from rowlock.locale import t
from rowlock.rules import notation
from rowlock.rules.game import Game
from rowlock.rules.notation import RecordError
from rowlock.rules.variant import Variant
from rowlock.terminal.errors import BROKEN_RULE, WRONG_USAGE, print_error


class ReadGame(NamedTuple):
    """A game, its file, and its number in the file."""

    file: str
    number: int
    game: Game


class Records:
    """Reads files; `status` is the exit status that follows from the errors so far."""

    def __init__(self, files: Sequence[str], variants: Sequence[Variant], *, quiet: bool) -> None:
        """Unless it is `quiet`, a line on standard output names each file without a game."""
        self.files, self.variants, self.quiet = files, variants, quiet
        self.status = 0

    def __iter__(self) -> Iterator[ReadGame]:
        for file in self.files:
            number = 0  # of the last game; stays 0 if the file holds none
            for number, game_or_error in enumerate(self._read(file), 1):
                if isinstance(game_or_error, OSError):
                    print_error(f"{file}: cannot be read: {game_or_error.strerror}")
                    self.status = WRONG_USAGE
                elif isinstance(game_or_error, RecordError):
                    print_error(str(game_or_error))
                    self.status = max(self.status, BROKEN_RULE)
                else:
                    yield ReadGame(file, number, game_or_error)
            if not number and not self.quiet:
                sys.stdout.write(t("terminal.no-game", file=file) + "\n")

    def _read(self, file: str) -> Iterator[Game | RecordError | OSError]:
        try:
            if file != "-":
                yield from notation.read_all(Path(file), variants=self.variants, name=file)
            elif sys.stdin is None:
                yield OSError(0, "standard input is closed")
            else:
                yield from notation.read_all(sys.stdin.buffer, variants=self.variants, name=file)
        except OSError as error:
            yield error
