"""The games of record files, with one line on standard error for each record that cannot be read."""

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import IO, Generic, NamedTuple, TypeVar

from rowlock.locale import t
from rowlock.paths import data_directory
from rowlock.rules import notation
from rowlock.rules.game import Game
from rowlock.rules.notation import RecordError
from rowlock.rules.score_sheets import ScoreSheets
from rowlock.rules.variant import Variant
from rowlock.terminal.errors import BROKEN_RULE, WRONG_USAGE, CommandError, print_error

Record = TypeVar("Record")
Reader = Callable[[IO[bytes], str, Sequence[Variant]], Iterator[Record | RecordError]]


class ReadRecord(NamedTuple, Generic[Record]):
    """A game, its file, and its number in the file."""

    file: str
    number: int
    game: Record


ReadGame = ReadRecord[Game]


def read_games(stream: IO[bytes], file: str, variants: Sequence[Variant]) -> Iterator[Game | RecordError]:
    return notation.read_all(stream, variants=variants, name=file)


def record_files(names: Iterable[str] | None) -> list[str]:
    """The files, and the records in folders and the folders in them; without names, the saved games."""
    files: list[str] = []
    if not names:
        names = [str(saved_games())]
        if not saved_games().is_dir():
            raise CommandError(f"no game is saved in {saved_games()}; name files of records, or folders of them")
    for name in names:
        in_folder = sorted(map(str, Path(name).rglob("*.rlk"))) if name != "-" and Path(name).is_dir() else [name]
        if not in_folder:
            raise CommandError(f"{name}: the folder contains no .rlk file")
        files += in_folder
    return files


def saved_games() -> Path:
    """The folder in which `rowlock play` saves games."""
    return data_directory() / "games"


def games_only(records: "Records[Game | ScoreSheets]") -> Iterator[ReadGame]:
    """The games; a line on standard error names each record of sheets without dice, which is left out."""
    for file, number, record in records:
        if isinstance(record, ScoreSheets):
            print_error(f"{file}, {number}: sheets without dice are left out")
        else:
            yield ReadGame(file, number, record)


class Records(Generic[Record]):
    """Reads files with a function; `status` is the exit status that follows from the errors so far."""

    def __init__(self, files: Sequence[str], variants: Sequence[Variant], read: Reader[Record], *, quiet: bool) -> None:
        """Unless it is `quiet`, a line on standard output names each file without a game."""
        self.files, self.variants, self.read, self.quiet = files, variants, read, quiet
        self.status = 0

    def __iter__(self) -> Iterator[ReadRecord[Record]]:
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
                    yield ReadRecord(file, number, game_or_error)
            if not number and not self.quiet:
                sys.stdout.write(t("terminal.no-game", file=file) + "\n")

    def _read(self, file: str) -> Iterator[Record | RecordError | OSError]:
        try:
            if file != "-":
                with Path(file).open("rb") as stream:
                    yield from self.read(stream, file, self.variants)
            elif sys.stdin is None:
                yield OSError(0, "standard input is closed")
            else:
                yield from self.read(sys.stdin.buffer, file, self.variants)
        except OSError as error:
            yield error
