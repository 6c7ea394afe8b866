"""Records of sheets without dice: `[ScoreSheets "classic"]`, the marks between two rolls on a line, the final sheets.

    1. 1:R5 2:R5 1:B10
    2. 2:x 1:G11+R5/Y
    = R5 Y- G11 B10 x0
    = R5 Y- G- B- x1

The number before a mark is that of the player. The rows after `/` were closed already for what the mark set off.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rowlock.rules.error_text import quote
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game
from rowlock.rules.notation import (
    SCORE_SHEETS,
    GameReader,
    RecordError,
    TagReader,
    read_section,
    sections,
    sheet_object,
    tag_lines,
    tags_of,
)
from rowlock.rules.score_sheets import ScoreSheets
from rowlock.rules.variant import Variant


def read_records(
    stream: Iterable[bytes], file: str, variants: Sequence[Variant]
) -> Iterator[Game | ScoreSheets | RecordError]:
    """For each game and each record of sheets without dice: it, or the first error in it."""
    custom = {variant.id: variant for variant in variants}
    for lines in sections(stream):
        is_sheets = (lines[0][1] or "").startswith(f"[{SCORE_SHEETS}")
        if is_sheets:
            yield from read_section(lines, file, SheetsReader(custom))
        else:
            yield from read_section(lines, file, GameReader(custom))


class SheetsReader(TagReader[ScoreSheets]):
    """Reads a record of sheets without dice."""

    first_tag = SCORE_SHEETS

    def __init__(self, custom: dict[str, Variant]) -> None:
        super().__init__(custom)
        self.sheets_read: ScoreSheets | None = None
        self.is_begun = False  # whether the first roll is read
        self.final: list[str] = []  # the sheets at the end, as they are written

    def read_tag(self, name: str, value: str) -> None:
        if name in ("Jokers", "Deck"):
            raise self.error("tag", f"sheets have no {name}")
        super().read_tag(name, value)

    def start_game(self) -> None:
        variant = self.check_tags()
        try:
            self.sheets_read = ScoreSheets(variant, self.players, lucky=self.lucky, sheets=self.sheets)
        except ValueError as error:
            raise self.number_error(error) from None
        self.sheets_read.tags = {name: value for name, (value, _) in self.tags.items()}

    def read_turn(self, words: list[str]) -> None:
        assert self.sheets_read
        sheets = self.sheets_read
        if words[0] == "=":
            self.read_sheet(" ".join(words[1:]))
            return
        number = words[0].removesuffix(".")
        if self.final or not words[0].endswith(".") or not number.isdecimal():
            example = "1. 1:R5 2:R5 1:B10, and the sheets at the end like = R5 Y- G- B10 x0"
            raise self.error("syntax", f"marks are written like {example}, not {quote(' '.join(words))}")
        due = sheets.roll + self.is_begun
        if number != str(due):
            raise self.error("turn", f"roll {due} is due here, not {quote(number)}")
        if self.is_begun:
            sheets.new_roll()
            if sheets.over:
                raise Illegal("over", f"the game is over since roll {sheets.roll}", due, None)
        self.is_begun = True
        for word in words[1:]:
            match = re.fullmatch(r"([1-9])[:]([^/]+)(?:/([RYGB]+))?", word)
            if not match or int(match[1]) > len(sheets.players):
                raise self.error(
                    "syntax", f"a mark is written like 1:R5, with the number of a player, not {quote(word)}"
                )
            sheets.mark(int(match[1]) - 1, match[2], match[3] or "")

    def read_sheet(self, text: str) -> None:
        """Compare a sheet at the end with the marks."""
        assert self.sheets_read
        sheets = self.sheets_read
        if len(self.final) == len(sheets.players):
            raise self.error("marks", f"there are {len(sheets.players)} players, this is another sheet")
        expected = str(sheets.sheets[len(self.final)])
        if text != expected:
            name = sheets.players[len(self.final)]
            raise Illegal("result", f"the sheet is {expected}, not {quote(text)}", sheets.roll, name)
        self.final.append(text)

    def finish(self) -> ScoreSheets:
        """Check the tag Result and return the sheets. A game with a result was ended, if not by rows and misthrows."""
        self.start_once()
        assert self.sheets_read
        sheets = self.sheets_read
        if self.final and len(self.final) != len(sheets.players):
            raise self.error("marks", f"{len(sheets.players)} sheets are due at the end, not {len(self.final)}")
        if self.tags.get("Result", ("*", 0))[0] != "*":
            if sheets.ending and not sheets.over:
                sheets.new_roll()
            if not sheets.over:
                sheets.end()
        self.check_result(_result(sheets))
        return sheets


def write(sheets: ScoreSheets) -> str:
    """The sheets in notation."""
    own_tags = {SCORE_SHEETS: sheets.variant.id, **tags_of(sheets.game)}
    rolls = []
    for number, marks in enumerate(sheets.rolls, 1):
        written = [f"{mark.player + 1}:{mark.option}{f'/{mark.closed}' if mark.closed else ''}" for mark in marks]
        rolls.append(" ".join([f"{number}.", *written]))
    final = [f"= {sheet}" for sheet in sheets.sheets]
    return "\n".join([*tag_lines(own_tags, sheets.tags, _result(sheets)), "", *rolls, *final]) + "\n"


def _result(sheets: ScoreSheets) -> str:
    return " ".join(map(str, sheets.scores)) if sheets.over else "*"


def outcome(sheets: ScoreSheets) -> dict[str, Any]:
    """The JSON object that `rowlock replay --json` prints for sheets without dice."""
    return {
        "score_sheets": sheets.variant.id,
        "players": list(sheets.players),
        "rolls": sheets.roll,
        "over": sheets.over,
        "sheets": [sheet_object(sheet) for sheet in sheets.sheets],
        "scores": list(sheets.scores),
        "winners": list(sheets.winners) if sheets.winners is not None else None,
    }
