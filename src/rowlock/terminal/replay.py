"""Reads records, and prints the outcome of every game and one line per error."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from rowlock.locale import n, t
from rowlock.rules import notation
from rowlock.rules.game import Game
from rowlock.rules.notation import RecordError
from rowlock.rules.variant import Variant
from rowlock.terminal import words
from rowlock.terminal.errors import BROKEN_RULE, WRONG_USAGE, print_error


def replay(files: Sequence[str], variants: Sequence[Variant], *, as_json: bool, each: bool) -> int:
    """Read the games of the files, print their outcomes and return the exit status."""
    status = 0
    for file in files:
        number = 0  # of the last game; stays 0 if the file holds none
        for number, game_or_error in enumerate(_read(file, variants), 1):
            if isinstance(game_or_error, OSError):
                print_error(f"{file}: cannot be read: {game_or_error.strerror}")
                status = WRONG_USAGE
            elif isinstance(game_or_error, RecordError):
                print_error(str(game_or_error))
                status = max(status, BROKEN_RULE)
            else:
                sys.stdout.writelines(_lines(game_or_error, file, number, as_json=as_json, each=each))
                sys.stdout.flush()
        if not number and not as_json:
            sys.stdout.write(t("terminal.no-game", file=file) + "\n")
    return status


def _read(file: str, variants: Sequence[Variant]) -> Iterator[Game | RecordError | OSError]:
    try:
        if file != "-":
            yield from notation.read_all(Path(file), variants=variants, name=file)
        elif sys.stdin is None:
            yield OSError(0, "standard input is closed")
        else:
            yield from notation.read_all(sys.stdin.buffer, variants=variants, name=file)
    except OSError as error:
        yield error


def _lines(game: Game, file: str, number: int, *, as_json: bool, each: bool) -> Iterable[str]:
    if each:
        return (_as_json(notation.outcome(moment)) for moment in game.moments())
    if as_json:
        return [_as_json(notation.outcome(game))]
    return [line + "\n" for line in outcome_lines(game, file, number)]


def _as_json(outcome: dict[str, Any]) -> str:
    return json.dumps(outcome, ensure_ascii=False, separators=(",", ":")) + "\n"


def outcome_lines(game: Game, file: str, number: int) -> list[str]:
    """The outcome of a game as lines of text."""
    turns, status = n("terminal.turns", game.turns_completed), words.game_status(game)
    lines = [t("terminal.game", file=file, number=number, variant=game.setup, turns=turns, standing=status)]
    columns = words.score_columns(game.variant, game.sheets)
    names = [
        f"{name} ({sheet.letter})" if sheet.letter else name
        for name, sheet in zip(game.players, game.sheets, strict=True)
    ]
    name_width = max(map(_width, names))
    widths = [max(len(heading), *(len(str(value)) for value in values)) for heading, values in columns]
    headings = [f"{heading:>{width}}" for (heading, _), width in zip(columns, widths, strict=True)]
    lines.append("  ".join(["", " " * name_width, *headings]))
    for seat, name in enumerate(names):
        cells = [f"{values[seat]:>{width}}" for (_, values), width in zip(columns, widths, strict=True)]
        lines.append("  ".join(["", name + " " * (name_width - _width(name)), *cells]))
    return [*lines, f"  {words.winners_text(game)}", ""]


def _width(text: str) -> int:
    """The number of terminal columns of a text."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)
