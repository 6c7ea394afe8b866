"""Reading and writing of game records; reading checks every rule and reports errors with their line."""

import re
from abc import ABC, abstractmethod
from codecs import BOM_UTF8
from collections.abc import Iterable, Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO, Any, Generic, TypeVar

from rowlock.rules import kernel
from rowlock.rules.card_game import CardGame
from rowlock.rules.cards import HIDDEN
from rowlock.rules.effects import EFFECTS
from rowlock.rules.error_text import quote
from rowlock.rules.explain import Illegal
from rowlock.rules.game import Game, checked_lucky, checked_players, checked_sheets
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import Variant, VariantError, find_setup, find_variant, game_names, variant_ids

# All error codes with their meanings; `docs/notation.md` shows this list.
CODES = {
    "text": "the line is not UTF-8 text",
    "syntax": "a line or a mark that cannot be read",
    "tag": "a tag in the wrong place, twice, missing or not of this variant",
    "variant": "the variant is not known, or the record belongs to another file of it",
    "players": "the players' names",
    "lucky": "the lucky numbers, or a lucky mark that is not to be had",
    "sheets": "the letters of the players' sheets",
    "jokers": "the tag Jokers says yes or is not there",
    "deck": "the deck is not every card of the game once",
    "result": "the result is not what the game says",
    "turn": "turns are numbered from 1 without gaps",
    "unfinished": "only the last turn may be unfinished",
    "over": "the game is over",
    "dice": "impossible dice",
    "cards": "cards that are not to be taken or played",
    "pile": "a new pile that is not due, is missing, or is not the discards",
    "announced": "the number announced is not the one on top of the pile",
    "marks": "not a mark for every player, or too many parts",
    "cell": "no such cell on the sheet",
    "sum": "the dice do not make that number, or another one was announced",
    "order": "marks go from left to right",
    "closed": "the row is closed",
    "needed": "a closing cell needs more marks before it",
    "gap": "too many numbers are left out between the marks of one play",
    "beside": "a bonus field needs a marked neighbour",
    "swap": "a swap field that cannot be used",
    "second": "a second box that cannot be marked",
    "written": "a mark lacks a part or has one too many: # for a lock, ! for luck, + for what it sets off, "
    "> for a swap, * for a second box",
    "misthrow": "- and x mixed up",
    "to-act": "it is not this player's decision; no record can show this one",
}

_TAG = re.compile(r'\[([A-Za-z0-9]+)[ \t]+"([^"]*)"\]', re.ASCII)
SCORE_SHEETS = "ScoreSheets"  # the first tag of sheets without dice, which `score_notation` reads
_BEGIN = re.compile(rf"\[(Variant|{SCORE_SHEETS})(?![A-Za-z0-9])", re.ASCII)  # a malformed tag begins a game too
_COMMENT = re.compile(r"(?:^|(?<=[ \t]));.*", re.DOTALL)  # a ; within a word begins no comment


class RecordError(ValueError):
    """An error in a game's record, with its code and position."""

    def __init__(
        self, file: str, line: int, code: str, text: str, turn: int | None = None, player: str | None = None
    ) -> None:
        self.file, self.line, self.code, self.text = file, line, code, text
        self.turn, self.player = turn, player
        super().__init__(f"{file}:{line}: {Illegal(code, text, turn, player)} [{code}]")

    def __reduce__(self) -> tuple[type["RecordError"], tuple[object, ...]]:
        return RecordError, (self.file, self.line, self.code, self.text, self.turn, self.player)


def read(source: str | Path | IO[bytes] | bytes, *, variants: Iterable[str | Path | Variant] = ()) -> Iterator[Game]:
    """The games of a record file, a binary stream or bytes; `variants` are custom variants that records may name.

    The first game with an error raises `RecordError`; `read_all` continues after it.
    """
    for game_or_error in read_all(source, variants=variants):
        if isinstance(game_or_error, RecordError):
            raise game_or_error
        yield game_or_error


def parse(text: str, *, variants: Iterable[str | Path | Variant] = ()) -> Game:
    """The game of a text, which must contain exactly one."""
    games = list(read(text.encode(), variants=variants))
    if len(games) != 1:
        raise ValueError(f"one game was expected, there are {len(games)}")
    return games[0]


def read_all(
    source: str | Path | IO[bytes] | bytes, *, variants: Iterable[str | Path | Variant] = (), name: str | None = None
) -> Iterator[Game | RecordError]:
    """For each game of a source, the game or the first error in its record; errors show `name` as the file."""
    custom = {variant.id: variant for variant in map(find_variant, variants)}
    if isinstance(source, str | Path):
        with Path(source).open("rb") as file:
            yield from _read_lines(file, name or str(source), custom)
    else:
        stream = BytesIO(source) if isinstance(source, bytes) else source
        yield from _read_lines(stream, name or str(getattr(source, "name", "record")), custom)


Line = tuple[int, str | None]  # line number and text; None if it is not UTF-8


def _read_lines(stream: Iterable[bytes], file: str, custom: dict[str, Variant]) -> Iterator[Game | RecordError]:
    for lines in sections(stream):
        yield from read_section(lines, file, GameReader(custom))


def sections(stream: Iterable[bytes]) -> Iterator[list[Line]]:
    """The lines of each game, without empty lines and comments; it begins with its first tag."""
    lines: list[Line] = []
    for number, raw in enumerate(stream, 1):
        line = _decode(raw.removeprefix(BOM_UTF8) if number == 1 else raw)
        if line and _BEGIN.match(line) and lines:
            yield lines
            lines = []
        if line is None or (line and line[0] != ";"):
            lines.append((number, line))
    if lines:
        yield lines


def _decode(raw: bytes) -> str | None:
    raw = raw[:-1].removesuffix(b"\r") if raw.endswith(b"\n") else raw
    try:
        return raw.decode("utf-8").strip(" \t")
    except UnicodeDecodeError:
        return None


def read_section(lines: list[Line], file: str, reader: "TagReader[Result]") -> "Iterator[Result | RecordError]":
    """What a reader makes of the lines of one game, or the first error in them."""
    try:
        for number, line in lines:
            reader.read_line(number, line)
        yield reader.finish()
    except LineError as error:
        yield RecordError(file, error.line, error.code, error.text)
    except Illegal as error:
        yield RecordError(file, reader.line, error.code, error.text, error.turn, error.player)


class LineError(Exception):
    """An error on a line, without a turn and a player."""

    def __init__(self, line: int, code: str, text: str) -> None:
        self.line, self.code, self.text = line, code, text


Result = TypeVar("Result")


class TagReader(ABC, Generic[Result]):
    """Reads the record of one game line by line, its tags first; `line` is the number of the current line."""

    first_tag = "Variant"

    def __init__(self, custom: dict[str, Variant]) -> None:
        self.custom = custom
        self.line = 0
        self.variant: Variant | None = None
        self.tags: dict[str, tuple[str, int]] = {}  # by name: value and line number
        self.players: Sequence[str] = ()
        self.lucky: Sequence[tuple[int, int]] | None = None
        self.sheets: Sequence[str] | None = None
        self.jokers = False
        self.deck: str | None = None
        self.started = False  # whether all tags are read

    @abstractmethod
    def start_game(self) -> None:
        """Start the game that the tags describe."""

    @abstractmethod
    def read_turn(self, words: list[str]) -> None:
        """Read a line behind the tags."""

    @abstractmethod
    def finish(self) -> Result:
        """Check the tag Result and return the game."""

    def error(self, code: str, text: str) -> LineError:
        return LineError(self.line, code, text)

    def read_line(self, number: int, line: str | None) -> None:
        self.line = number
        if line is None:
            raise self.error("text", "this line is not UTF-8 text")
        tag = _TAG.fullmatch(line)
        if tag:
            self.read_tag(tag[1], tag[2])
        elif self.variant is None and not _BEGIN.match(line):
            raise self.error("syntax", f'a game begins with a line like [{self.first_tag} "classic"]')
        elif line.startswith("["):
            raise self.error("syntax", f'a tag line is [Name "value"] and nothing else, not {quote(line)}')
        else:
            self.start_once()
            self.read_turn(re.findall(r"[^ \t]+", _COMMENT.sub("", line)))

    def start_once(self) -> None:
        if not self.started:
            self.start_game()
            self.started = True

    # Tags

    def read_tag(self, name: str, value: str) -> None:
        if name == SCORE_SHEETS != self.first_tag:
            raise self.error("tag", "these are sheets without dice, not a game")
        if self.variant is None and name != self.first_tag:
            raise self.error("tag", f"{self.first_tag} is always the first tag, {name} stands before it")
        if name in self.tags:
            raise self.error("tag", f"the tag {name} stands twice")
        if self.started:
            raise self.error("tag", f"tags come before turns, {name} stands after them")
        self.tags[name] = (value, self.line)
        try:
            if name == self.first_tag:
                self.variant = self.custom.get(value) or self.find_built_in(value)
            elif name == "Players":
                self.players = checked_players(value.split("; "))
            elif name == "Lucky" and self.variant and self.variant.lucky:
                self.lucky = self.read_lucky(value)
            elif name == "Sheets" and self.variant and self.variant.sheet_letters:
                letters = value.split("; ")
                self.sheets = checked_sheets(self.variant, letters, len(letters))  # `Game` compares their number
            elif name == "Jokers" and self.variant and self.variant.cards:
                if value != "yes":
                    raise ValueError(f"the tag Jokers says yes or is left out, not {quote(value)}")
                self.jokers = True
            elif name == "Deck" and self.variant and self.variant.cards:
                self.deck = value
            elif name == "VariantHash":
                self.check_hash(value)
            elif name in ("Lucky", "Sheets", "Jokers", "Deck"):
                raise self.error("tag", f"{self.variant} has no {name}")
        except VariantError as error:
            raise self.error("variant", str(error)) from None
        except ValueError as error:
            raise self.error(name.lower(), str(error)) from None  # `players`, `lucky`, `sheets` or `jokers`

    def find_built_in(self, name: str) -> Variant:
        """The built-in variant with a name; unlike `find_variant`, this opens no path."""
        if name not in variant_ids():
            if name in game_names():
                jokers = ' and [Jokers "yes"]' if self.first_tag == "Variant" else ""
                raise VariantError(f'{name} is written [{self.first_tag} "{find_setup(name).variant}"]{jokers}')
            known = ", ".join([*variant_ids(), *self.custom])
            raise VariantError(f"there is no variant {quote(name)!r}; there are {known}, or give its --variant-file")
        return find_variant(name)

    def check_hash(self, value: str) -> None:
        """Check that the record was written for this variant's data; built-in games have no such tag."""
        assert self.variant
        if self.variant.id not in self.custom:
            raise self.error("tag", f"{self.variant} is built in, it has no VariantHash")
        if value != self.variant.identity:
            text = f"this record was written for another file of {self.variant}: its hash is {quote(value)}, "
            raise self.error("variant", f"{text}that of the file given is {self.variant.identity}")

    def read_lucky(self, value: str) -> Sequence[tuple[int, int]]:
        pairs = []
        for part in value.split("; "):
            match = re.fullmatch(r"(0|[1-9][0-9]?)/(0|[1-9][0-9]?)", part)
            if not match:
                raise ValueError(f"lucky numbers are written like 5/8; 6/11, not {quote(part)}")
            pairs.append((int(match[1]), int(match[2])))
        assert self.variant
        return checked_lucky(self.variant, pairs, len(pairs))  # `Game` compares their number with the players

    def check_tags(self) -> Variant:
        """Check that no tag is missing that every kind of record needs, and return the variant."""
        assert self.variant
        _, first_line = self.tags[self.first_tag]
        if not self.players:
            raise LineError(first_line, "tag", "the tag Players is missing")
        if self.variant.lucky and self.lucky is None:
            raise LineError(first_line, "tag", f"the tag Lucky is missing, {self.variant} has lucky numbers")
        return self.variant

    def number_error(self, error: ValueError) -> LineError:
        """The error that there are not as many lucky pairs or sheets as players."""
        wrong = "Lucky" if self.lucky and len(self.lucky) != len(self.players) else "Sheets"
        return LineError(self.tags[wrong][1], wrong.lower(), str(error))

    def check_result(self, result: str) -> None:
        if "Result" in self.tags:
            value, self.line = self.tags["Result"]
            if value != result:
                raise self.error("result", f"the result is {result}, not {quote(value)}")


class GameReader(TagReader[Game]):
    """Reads the record of one game."""

    def __init__(self, custom: dict[str, Variant]) -> None:
        super().__init__(custom)
        self.game: Game | None = None
        self.turn_line = 0  # the line of the last turn

    def start_game(self) -> None:
        variant = self.check_tags()
        if variant.cards and self.deck is None:
            _, first_line = self.tags[self.first_tag]
            raise LineError(first_line, "tag", f"the tag Deck is missing, {variant} has cards")
        # Everything else is checked already, so an error concerns the deck, or the number of lucky pairs or sheets.
        dealt: Any = {"lucky": self.lucky, "sheets": self.sheets, "jokers": self.jokers, "deck": self.deck}
        try:
            self.game = Game(variant, self.players, seed=0, **dealt)
        except Illegal as error:
            raise LineError(self.tags["Deck"][1], error.code, error.text) from None
        except ValueError as error:
            raise self.number_error(error) from None
        self.game.tags = {name: value for name, (value, _) in self.tags.items()}

    # Turns

    def read_turn(self, words: list[str]) -> None:
        assert self.game
        game = self.game
        active_name = game.players[game.active]
        if game.over:
            next_player = game.players[kernel.player_after(game.active, 1, len(game.players))]
            raise Illegal("over", f"the game is over since turn {game.turn}", game.turn + 1, next_player)
        if game.to_act:
            self.line = self.turn_line  # the error is in the turn before this line
            raise Illegal("unfinished", "only the last turn of a record may be unfinished", game.turn, active_name)
        self.turn_line = self.line
        number = words[0].removesuffix(".")
        has_cards = game.variant.cards is not None
        if not words[0].endswith(".") or not number.isdecimal() or (len(words) == 1 and not has_cards):
            example = "1. g9 8: R8 - / r3,r8 = R3 R8" if has_cards else "1. 41-3256 R5 - / B10"
            text = f"a turn is written like {example}, not {quote(' '.join(words))}"
            raise Illegal("syntax", text, game.turn, active_name)
        if number != str(game.turn):
            raise Illegal("turn", f"turn {game.turn} is due here, not {quote(number)}", game.turn, active_name)
        if has_cards:
            game.deal()
            marks = _read_take(game, words[1:], active_name) if len(words) > 1 else []  # a number alone: no card taken
        else:
            game.roll(words[1])
            marks = words[2:]
        if "/" in marks:
            slash = marks.index("/")
            _read_white(game, marks[:slash], active_name)
            _read_colour(game, marks[slash + 1 :], active_name)
        elif marks:
            _read_white(game, marks, active_name)

    def finish(self) -> Game:
        """Check the tag Result and return the game."""
        self.start_once()
        assert self.game
        self.check_result(_result(self.game))
        return self.game


def _read_take(game: Game, words: list[str], active_name: str) -> list[str]:
    """Read the cards taken, a new pile if it is due, and the announced number; return the marks after them."""
    if HIDDEN in words[0]:
        text = f"{quote(words[0])} are no cards; a record names the cards taken with their colours"
        raise Illegal("syntax", text, game.turn, active_name)
    game.play(game.active, words[0])
    pile_due = not game.to_act
    rest = words[1:]
    if rest and rest[0].startswith("~"):
        if not pile_due:
            raise Illegal("pile", "the pile is not empty, there is no new one", game.turn, active_name)
        game.deal(rest.pop(0)[1:].replace(",", " "))
    elif pile_due:
        text = "the pile is empty: ~ and the discards in their new order must follow"
        raise Illegal("pile", text, game.turn, active_name)
    if not rest or not re.fullmatch(r"[0-9]+:", rest[0]):
        text = "the announced number is written like 8:" + (f", not {quote(rest[0])}" if rest else "")
        raise Illegal("syntax", text, game.turn, active_name)
    seen = game.view().cards
    assert seen
    if rest[0] != f"{seen.top}:":
        text = f"{seen.top} is on top of the pile, not {quote(rest[0][:-1])}"
        raise Illegal("announced", text, game.turn, active_name)
    return rest[1:]


def _read_white(game: Game, marks: list[str], active_name: str) -> None:
    if len(marks) != len(game.players):
        text = f"there is a mark for each of {len(game.players)} players in the white action, not {len(marks)}"
        raise Illegal("marks", text, game.turn, active_name)
    for player, mark in enumerate(marks):
        game.play(player, mark)


def _read_colour(game: Game, marks: list[str], active_name: str) -> None:
    """Read the colour action; in a card game, the play."""
    if game.over:
        raise Illegal("over", "the white action has ended the game, nothing follows it", game.turn, active_name)
    if game.variant.cards:
        game.play(game.active, " ".join(marks))
        return
    if len(marks) != 1:
        raise Illegal("marks", f"one colour mark stands after the /, not {len(marks)}", game.turn, active_name)
    game.play(game.active, marks[0])


# Writing


def write(game: Game) -> str:
    """A game in notation: its tags, in the order in which they were read, then one line per turn."""
    own_tags = {"Variant": game.variant.id, **tags_of(game)}
    if isinstance(game, CardGame):
        if game.jokers:
            own_tags["Jokers"] = "yes"
        own_tags["Deck"] = " ".join(game.deck)
    turns = [f"{number}. {turn}".rstrip() for number, turn in enumerate(game.turns, 1)]
    return "\n".join([*tag_lines(own_tags, game.tags, _result(game)), "", *turns]) + "\n"


def tags_of(game: Game) -> dict[str, str]:
    """The tags about players and sheets."""
    tags = {"Players": "; ".join(game.players)}
    if game.variant.id not in variant_ids():
        tags["VariantHash"] = game.variant.identity
    if game.sheet_letters:
        tags["Sheets"] = "; ".join(game.sheet_letters)
    if game.lucky:
        tags["Lucky"] = "; ".join(f"{low}/{high}" for low, high in game.lucky)
    return tags


def tag_lines(own_tags: dict[str, str], tags: dict[str, str], result: str) -> list[str]:
    """The lines of the tags; those that were read keep their order."""
    other_tags = {name: value for name, value in tags.items() if name not in own_tags}
    for name, value in other_tags.items():
        if not re.fullmatch("[A-Za-z0-9]+", name) or re.search('["\n]', value):
            raise ValueError(f"a tag has a name of letters and digits and a value without quotes: {name!r} {value!r}")
    # A game that was read has its own tags in `tags`, too, so that their order is kept.
    was_read = next(iter(own_tags)) in tags
    written = {**tags, **own_tags} if was_read else {**own_tags, **other_tags}
    return [f'[{name} "{value}"]' for name, value in {**written, "Result": result}.items()]


def _result(game: Game) -> str:
    return " ".join(map(str, game.scores)) if game.over else "*"


def outcome(game: Game) -> dict[str, Any]:
    """The JSON object that `rowlock replay --json` prints for a game."""
    return {
        "variant": game.variant.id,
        "players": list(game.players),
        "turns": game.turns_completed,
        "over": game.over,
        "reason": game.reason,
        "closed": list(game.closed),
        "sheets": [sheet_object(sheet) for sheet in game.sheets],
        "scores": list(game.scores),
        "winners": list(game.winners) if game.winners is not None else None,
        "options": options(game),
    }


def sheet_object(sheet: Sheet) -> dict[str, Any]:
    return {
        "rows": sheet.rows,
        **{key: value for effect in EFFECTS for key, value in effect.json(sheet).items()},
        "locks": sheet.locks,
        "misthrows": sheet.misthrows,
        "points": sheet.points,
        "total": sheet.total,
    }


def options(game: Game) -> dict[str, Any] | None:
    """The phase, and the options of all players in the white action, otherwise of the active player; None if none."""
    if game.phase == "white":
        return {"white": [game.options(player) for player in range(len(game.players))]}
    return {game.phase: game.options(game.active)} if game.to_act else None
