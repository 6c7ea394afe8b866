"""Reads records, and prints the outcome of every game and one line per error."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from rowlock.locale import n, t
from rowlock.rules import notation
from rowlock.rules.game import Game
from rowlock.rules.variant import Variant
from rowlock.terminal import words
from rowlock.terminal.records import Records


def replay(files: Sequence[str], variants: Sequence[Variant], *, as_json: bool, each: bool) -> int:
    """Read the games of the files, print their outcomes and return the exit status."""
    records = Records(files, variants, quiet=as_json)
    for file, number, game in records:
        sys.stdout.writelines(_lines(game, file, number, as_json=as_json, each=each))
        sys.stdout.flush()
    return records.status


def _lines(game: Game, file: str, number: int, *, as_json: bool, each: bool) -> Iterable[str]:
    if each:
        return (json_line(notation.outcome(moment)) for moment in game.moments())
    if as_json:
        return [json_line(notation.outcome(game))]
    return [line + "\n" for line in outcome_lines(game, file, number)]


def json_line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


def game_line(game: Game, file: str, number: int) -> str:
    """What a game is and how far it has come."""
    turns, status = n("terminal.turns", game.turns_completed), words.game_status(game)
    return t("terminal.game", file=file, number=number, variant=game.setup, turns=turns, standing=status)


def outcome_lines(game: Game, file: str, number: int) -> list[str]:
    """The outcome of a game as lines of text."""
    lines = [game_line(game, file, number)]
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
