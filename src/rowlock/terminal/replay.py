"""Reads records, and prints the outcome of every game and one line per error."""

import json
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from rowlock.locale import n, t
from rowlock.rules import notation, score_notation
from rowlock.rules.game import Game
from rowlock.rules.score_sheets import ScoreSheets
from rowlock.rules.variant import Variant
from rowlock.terminal import words
from rowlock.terminal.records import Records


def replay(files: Sequence[str], variants: Sequence[Variant], *, as_json: bool, each: bool) -> int:
    """Read the games of the files, print their outcomes and return the exit status."""
    records: Records[Game | ScoreSheets] = Records(files, variants, score_notation.read_records, quiet=as_json)
    for file, number, game in records:
        sys.stdout.writelines(_lines(game, file, number, as_json=as_json, each=each))
        sys.stdout.flush()
    return records.status


def _lines(game: Game | ScoreSheets, file: str, number: int, *, as_json: bool, each: bool) -> Iterable[str]:
    if isinstance(game, ScoreSheets):
        return [json_line(score_notation.outcome(game))] if as_json else score_sheet_lines(game, file, number)
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


def score_sheet_lines(sheets: ScoreSheets, file: str, number: int) -> list[str]:
    """The outcome of sheets without dice as lines of text, which say what could be checked."""
    rolls = n("terminal.rolls", sheets.roll)
    standing = t("terminal.sheets-over" if sheets.over else "terminal.sheets-open")
    heading = t("terminal.game", file=file, number=number, variant=sheets.variant, turns=rolls, standing=standing)
    lines = [heading, *_score_lines(sheets.game), f"  {words.winners_text(sheets)}", f"  {t('terminal.no-dice')}", ""]
    return [f"{line}\n" for line in lines]


def outcome_lines(game: Game, file: str, number: int) -> list[str]:
    """The outcome of a game as lines of text."""
    return [game_line(game, file, number), *_score_lines(game), f"  {words.winners_text(game)}", ""]


def _score_lines(game: Game) -> list[str]:
    """The points of all players, as a table."""
    lines = []
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
    return lines


def _width(text: str) -> int:
    """The number of terminal columns of a text."""
    wide = sum(unicodedata.east_asian_width(char) in "WF" for char in text)
    return len(text) + wide - sum(unicodedata.combining(char) > 0 for char in text)
