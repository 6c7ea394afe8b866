"""Variants as data: reading and checking a variant's file, and the tables that the kernel reads."""

import hashlib
import json
import re
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rowlock.rules import kernel
from rowlock.rules.error_text import did_you_mean, quote

ROW_NAMES = "RYGB"
CARD_COLOURS = "rygbj"  # j: a joker
JOKERS = "+jokers"  # suffix of the name of a card game that is played with jokers
LANGUAGES = ("en", "de", "nl")
PAIR_BONUSES = {
    "fewest": kernel.FEWEST,
    "each": kernel.EACH,
    "double": kernel.DOUBLE,
    "points": kernel.POINTS,
    "shield": kernel.SHIELD,
}
BUILT_IN = Path(__file__).with_name("variants")
_NO_IDENTITY = {"identity": False}  # metadata of fields that are no part of a variant's identity
_BASE = frozenset({"dice", "rows", "closing", "needed", "cap"})  # fields that are no effects


class VariantError(ValueError):
    """An unknown variant, or a file that does not describe one."""


@dataclass(frozen=True)
class Row:
    """A row of cells, or of bonus fields, from left to right."""

    name: str  # `R`, or `RY` for the bonus fields between R and Y
    numbers: tuple[int, ...]
    colours: str  # a letter per cell; empty for bonus fields

    def __len__(self) -> int:
        return len(self.numbers)


@dataclass(frozen=True)
class Pair:
    """A pair of bonus boxes and the bonus for marking both."""

    name: str = field(metadata=_NO_IDENTITY)
    boxes: tuple[str, str]
    gives: str  # a key of `PAIR_BONUSES`
    amount: int  # how many marks or points the bonus gives; 1 if neither


@dataclass(frozen=True)
class Cards:
    """The cards of a card game: every number from the lowest to the highest in four colours."""

    lowest: int
    highest: int
    gap: int | None = None  # cells that may be left out between marks made with cards in one row; None: any number

    @property
    def largest_gap(self) -> int | None:
        """The gap; None if it is no limit."""
        return None if self.gap == kernel.MAX_CELLS else self.gap

    @property
    def numbers(self) -> int:
        """How many different numbers there are."""
        return self.highest - self.lowest + 1

    def deck(self, jokers: bool) -> tuple[int, ...]:
        """All cards as the kernel's integers, by colour and number; the jokers, one of every number, are last."""
        colours = range(len(CARD_COLOURS) if jokers else len(ROW_NAMES))
        return tuple(colour * kernel.MAX_NUMBERS + number for colour in colours for number in range(self.numbers))

    def name(self, card: int) -> str:
        """A card as records write it: `r5`, `j7`."""
        colour, number = divmod(card, kernel.MAX_NUMBERS)
        return f"{CARD_COLOURS[colour]}{self.lowest + number}"


@dataclass(frozen=True)
class Variant:
    """A variant of the game: its sheet, its dice or cards, and its effects (lucky numbers, bonuses)."""

    id: str = field(metadata=_NO_IDENTITY)
    order: int = field(metadata=_NO_IDENTITY)  # lists of variants are sorted by it
    name: dict[str, str] = field(hash=False, metadata=_NO_IDENTITY)
    about: dict[str, str] = field(hash=False, metadata=_NO_IDENTITY)
    dice: tuple[int, ...]  # how many faces the white, R, Y, G and B dice have; empty in a card game
    rows: tuple[Row, ...]
    closing: int  # how many closing cells a row has
    needed: int  # how many marks a closing cell needs before it
    cap: int  # the largest number of marks of a row that count
    lucky: tuple[tuple[int, int], ...] = ()  # pairs of lucky numbers, in the order in which they are dealt
    bar: str = ""  # the row of each box of the bonus bar
    bar_boxes: tuple[str, ...] = ()  # the cells that use up a box of the bar
    pairs: tuple[Pair, ...] = ()
    fields: tuple[Row, ...] = ()  # rows of bonus fields
    cards: Cards | None = None
    # The pairs of one game's players, if they are not the first of `lucky`.
    dealt: tuple[tuple[int, int], ...] = field(default=(), metadata=_NO_IDENTITY)

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"<Variant {self.id}>"

    def with_lucky(self, lucky: Sequence[tuple[int, int]]) -> "Variant":
        """The variant for a game whose players have these lucky numbers: it deals them before all others."""
        dealt = () if set(lucky) == set(self.lucky[: len(lucky)]) else tuple(sorted(lucky))
        return self if dealt == self.dealt else replace(self, dealt=dealt)

    @property
    def lucky_pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of lucky numbers in the order in which they are dealt."""
        return *self.dealt, *(pair for pair in self.lucky if pair not in self.dealt)

    @cached_property
    def effects(self) -> frozenset[str]:
        """The effects that this variant uses, of `lucky`, `bar`, `bar_boxes`, `pairs`, `fields` and `cards`."""
        return frozenset(_identity_data(self)) - _BASE

    @cached_property
    def identity(self) -> str:
        """The SHA-256 of all fields that affect the game, without those that have their default value."""
        return hashlib.sha256(json.dumps(self, default=_identity_data, sort_keys=True).encode()).hexdigest()

    @cached_property
    def most_marks(self) -> tuple[int, ...]:
        """The highest possible number of marks per row, its lock and the bonus fields beside it included."""
        in_row = [self.tables[kernel.T_CLOSING + r] + 2 for r in range(kernel.ROWS)]  # with a closing cell and the lock
        beside = [sum(len(field) for field in self.fields if row.name in field.name) for row in self.rows]
        return tuple(map(sum, zip(in_row, beside, strict=True)))

    def row_points(self, marks: int) -> int:
        """The points of a row with this number of marks."""
        sheet = [0] * kernel.SHEET_SIZE
        sheet[kernel.COUNT] = marks
        return kernel.row_points(sheet, 0, self.tables, 0)

    @cached_property
    def highest_total(self) -> int:
        """An upper bound for totals: all rows are full, all pairs complete, and `double` counts the best row twice."""
        points = [self.row_points(marks) for marks in self.most_marks]
        amounts = {pair.gives: pair.amount for pair in self.pairs}
        return sum(points) + ("double" in amounts) * max(points) + amounts.get("points", 0)

    @cached_property
    def codes(self) -> dict[str, int]:
        """The cell code (16 * row + place) of every cell and bonus field, by name: `R5`, `RY7`."""
        return {
            f"{row.name}{number}": r * kernel.MAX_CELLS + cell
            for r, row in enumerate(self.rows + self.fields)
            for cell, number in enumerate(row.numbers)
        }

    @cached_property
    def cells(self) -> dict[int, str]:
        """The names of cells and bonus fields by cell code."""
        return {code: name for name, code in self.codes.items()}

    def find_cell(self, name: str) -> tuple[Row, int]:
        """The row of a cell or bonus field such as `R5` or `RY5`, and its number."""
        row = next(row for row in (*self.rows, *self.fields) if row.name == name.rstrip("0123456789"))
        return row, int(name.removeprefix(row.name))

    def closes(self, code: int) -> bool:
        """Whether marking this cell locks its row."""
        return kernel.closes(self.tables, kernel.row_of(code), kernel.place_in_row(code))

    @cached_property
    def tables(self) -> list[int]:
        """The variant as the kernel reads it."""
        t = [0] * kernel.TABLES_SIZE
        if self.cards:
            t[kernel.T_CARDS] = len(self.cards.deck(jokers=False))
            t[kernel.T_GAP] = kernel.MAX_CELLS if self.cards.gap is None else self.cards.gap
            t[kernel.T_LOWEST], t[kernel.T_NUMBERS] = self.cards.lowest, self.cards.numbers
        else:
            t[kernel.T_FACES : kernel.T_FACES + 5] = self.dice
        t[kernel.T_NEEDED], t[kernel.T_CAP] = self.needed, self.cap
        t[kernel.T_LUCKY] = len(self.lucky_pairs)
        lucky = [number for pair in self.lucky_pairs for number in pair]
        t[kernel.T_LUCKY_PAIRS : kernel.T_LUCKY_PAIRS + len(lucky)] = lucky
        t[kernel.T_CHAINS] = int(bool(self.bar or self.pairs))  # whether one mark may lead to further ones
        t[kernel.T_BAR_LENGTH], t[kernel.T_FIELDS] = len(self.bar), len(self.fields)
        t[kernel.T_BONUS + kernel.BAR] = 1
        t[kernel.T_AT : kernel.T_BOX] = [-1] * (kernel.T_BOX - kernel.T_AT)  # also T_FIRST and T_AFTER
        for r, row in enumerate(self.rows + self.fields):
            t[kernel.T_CELLS + r] = t[kernel.T_CLOSING + r] = len(row)
            for cell, number in enumerate(row.numbers):
                t[kernel.T_NUMBER + r * kernel.MAX_CELLS + cell] = number
                t[kernel.T_AT + r * kernel.SUMS + number] = cell
        # The cells with one colour and number are a linked list: T_FIRST has its first cell, T_AFTER the next ones.
        for r, row in enumerate(self.rows):
            t[kernel.T_CLOSING + r] -= self.closing
            for cell, (number, letter) in enumerate(zip(row.numbers, row.colours, strict=True)):
                code, colour = r * kernel.MAX_CELLS + cell, ROW_NAMES.index(letter)
                t[kernel.T_COLOUR + code] = colour
                link = kernel.T_FIRST + colour * kernel.SUMS + number
                while t[link] >= 0:
                    link = kernel.T_AFTER + t[link]
                t[link] = code
        for index, letter in enumerate(self.bar):
            t[kernel.T_BAR + index] = ROW_NAMES.index(letter)
        for box in self.bar_boxes:
            t[kernel.T_BOX + self.codes[box]] = 1
        for pair in self.pairs:
            bonus = PAIR_BONUSES[pair.gives]
            t[kernel.T_BONUS + bonus] = pair.amount
            for box, mate in (pair.boxes, pair.boxes[::-1]):
                t[kernel.T_PAIR + self.codes[box]] = bonus
                t[kernel.T_MATE + self.codes[box]] = self.codes[mate]
        for f, field_row in enumerate(self.fields):
            t[kernel.T_UPPER + f], t[kernel.T_LOWER + f] = (ROW_NAMES.index(letter) for letter in field_row.name)
        return t


def _identity_data(data: Any) -> dict[str, Any]:
    """The fields of a dataclass that are part of the identity and do not have their default value."""
    assert is_dataclass(data)
    parts = [f for f in fields(data) if f.metadata.get("identity", True)]
    return {f.name: value for f in parts if (value := getattr(data, f.name)) != f.default}


# Reading


class _TomlTable:
    """A table of the file: `take` returns a field that passes a check, `end` rejects fields that were not taken."""

    def __init__(self, data: object, path: str, file: str) -> None:
        self.path, self.file = path, file
        if not isinstance(data, dict):
            raise VariantError(f"{file}: {path or 'the file'} must be a table")
        self.untaken: dict[str, Any] = dict(data)

    def name(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def error(self, key: str, allowed: str) -> VariantError:
        return VariantError(f"{self.file}: {self.name(key)} must be {allowed}")

    def take(self, key: str, allowed: str, is_valid: Callable[[Any], bool], default: Any = None) -> Any:
        value = self.untaken.pop(key, default)
        if value is None:
            raise VariantError(f"{self.file}: {self.name(key)} is missing; it must be {allowed}")
        if not is_valid(value):
            raise self.error(key, f"{allowed}, not {quote(repr(value))}")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value: int = self.take(key, f"a whole number from {low} to {high}", _integer(low, high), default)
        return value

    def table(self, key: str) -> "_TomlTable":
        return _TomlTable(self.take(key, "a table", lambda _: True), self.name(key), self.file)

    def tables(self, key: str) -> list["_TomlTable"]:
        items = self.take(key, "an array of tables", lambda value: isinstance(value, list), [])
        return [_TomlTable(item, f"{self.name(key)}[{i + 1}]", self.file) for i, item in enumerate(items)]

    def end(self, known: str) -> None:
        for key in self.untaken:
            raise VariantError(f"{self.file}: {self.name(key)} is not known here; there are {known}")


def _integer(low: int, high: int) -> Callable[[Any], bool]:
    return lambda value: type(value) is int and low <= value <= high


def _distinct(is_valid: Callable[[Any], bool], shortest: int, longest: int) -> Callable[[Any], bool]:
    """A check for a list of `shortest` to `longest` distinct values that are all valid."""
    return lambda value: (
        isinstance(value, list)
        and shortest <= len(value) <= longest
        and all(map(is_valid, value))
        and not any(item in value[:i] for i, item in enumerate(value))
    )


def _one_of(names: Iterable[str]) -> Callable[[Any], bool]:
    allowed = set(names)
    return lambda value: isinstance(value, str) and value in allowed


def _are_row_names(value: object, shortest: int, longest: int) -> bool:
    return isinstance(value, str) and set(value) <= set(ROW_NAMES) and shortest <= len(value) <= longest


def _is_text(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 0 < len(value) <= 200


def parse_variant(text: str, file: str = "variant") -> Variant:
    """Parse a variant's description; an error names the file, the field and the allowed values."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"{file}: not a TOML file: {error}") from None
    except (RecursionError, ValueError):
        raise VariantError(f"{file}: not a TOML file: it is nested too deeply, or a number is too long") from None
    top = _TomlTable(data, "", file)
    top.take("format", "1", lambda value: type(value) is int and value == 1)
    variant_id = top.take(
        "id",
        "lower-case letters, digits and hyphens (40 at the most)",
        lambda value: isinstance(value, str) and bool(re.fullmatch(r"[a-z][a-z0-9-]{0,39}", value)),
    )
    order = top.number("order", 0, 999, 999)
    cards = _read_cards(top.table("cards")) if "cards" in top.untaken else None
    dice = () if cards else _read_dice(top.table("dice"))
    largest = cards.highest if cards else dice[0] + max(dice)
    sheet = _read_sheet(top, largest)
    if cards:
        effects = {}
        _check_cells(top, sheet["rows"], cards)
    else:
        effects = {
            "lucky": _read_lucky(top, dice[0]),
            "fields": _read_fields(top, sheet["rows"], largest),
            **_read_bonuses(top, sheet["rows"]),
        }
    variant = Variant(
        id=variant_id,
        order=order,
        name=_read_texts(top.table("name")),
        about=_read_texts(top.table("about")),
        dice=dice,
        cards=cards,
        **sheet,
        **effects,
    )
    known = "format, id, order, sheet (or closing, needed, cap and rows), name, about"
    top.end(f"{known} and cards" if cards else f"{known}, dice, lucky, bar, pairs and fields")
    if variant.highest_total > kernel.MAX_TOTAL:
        raise VariantError(f"{file}: a sheet may have at most {kernel.MAX_TOTAL} points, not {variant.highest_total}")
    return variant


def _read_sheet(top: _TomlTable, largest: int) -> dict[str, Any]:
    """The fields `rows`, `closing`, `needed` and `cap`; the field `sheet` copies them from a built-in variant."""
    if "sheet" in top.untaken:
        known = [path.stem for path in BUILT_IN.glob("*.toml") if path.stem != top.untaken.get("id")]
        base = _built_in(top.take("sheet", f"the sheet of {', '.join(known)}", _one_of(known)))
        if any(number > largest for row in base.rows for number in row.numbers):
            raise top.error("sheet", f"one with numbers up to {largest}")
        return {"rows": base.rows, "closing": base.closing, "needed": base.needed, "cap": base.cap}
    closing = top.number("closing", 1, kernel.MAX_CELLS - 1)
    needed = top.number("needed", 0, kernel.MAX_CELLS - 1)
    cap = top.number("cap", 1, 99)
    table = top.table("rows")
    rows = tuple(_read_row(table.table(letter), letter, largest, closing) for letter in ROW_NAMES)
    table.end("R, Y, G and B")
    shortest = min(len(row) for row in rows) - closing
    if needed > shortest:
        raise top.error("needed", f"at most {shortest}, the cells before a closing one")
    return {"rows": rows, "closing": closing, "needed": needed, "cap": cap}


def _read_cards(table: _TomlTable) -> Cards:
    # The kernel's tables by number have SUMS entries, so even the highest number must be less than SUMS.
    lowest = table.number("lowest", 1, kernel.SUMS - kernel.MAX_NUMBERS)
    # Seven numbers are enough cards for five hands and the display.
    highest = table.number("highest", lowest + 6, lowest + kernel.MAX_NUMBERS - 1)
    gap = table.number("gap", 0, kernel.MAX_CELLS) if "gap" in table.untaken else None
    table.end("lowest, highest and gap")
    return Cards(lowest, highest, gap)


def _check_cells(top: _TomlTable, rows: Sequence[Row], cards: Cards) -> None:
    """Check that every cell has a card and every card at most one cell."""
    cells = [(colour, number) for row in rows for colour, number in zip(row.colours, row.numbers, strict=True)]
    for i, (colour, number) in enumerate(cells):
        if number < cards.lowest:
            raise top.error("rows", f"numbers that cards have, from {cards.lowest}, not {number}")
        if (colour, number) in cells[:i]:
            raise top.error("rows", f"a sheet with one cell for every card, {colour} has two with {number}")


def _read_dice(table: _TomlTable) -> tuple[int, ...]:
    dice = tuple(table.number(key, 2, kernel.MAX_FACES) for key in ("white", *ROW_NAMES))
    table.end("white, R, Y, G and B")
    return dice


def _read_texts(table: _TomlTable) -> dict[str, str]:
    texts = {language: table.take(language, "one line of text", _is_text) for language in LANGUAGES}
    table.end("en, de and nl")
    return texts


def _read_numbers(table: _TomlTable, largest: int) -> tuple[int, ...]:
    allowed = f"2 to {kernel.MAX_CELLS} different numbers from 2 to {largest}"
    return tuple(table.take("numbers", allowed, _distinct(_integer(2, largest), 2, kernel.MAX_CELLS)))


def _read_row(table: _TomlTable, name: str, largest: int, closing: int) -> Row:
    numbers = _read_numbers(table, largest)
    if len(numbers) <= closing:
        raise table.error("numbers", f"more than the {closing} closing cells of a row")
    colours = table.take(
        "colours",
        f"{len(numbers)} letters of R, Y, G, B, the closing ones {name}",
        lambda value: _are_row_names(value, len(numbers), len(numbers)) and set(value[-closing:]) == {name},
        name * len(numbers),
    )
    table.end("numbers and colours")
    return Row(name, numbers, colours)


def _read_lucky(top: _TomlTable, white_faces: int) -> tuple[tuple[int, int], ...]:
    highest = 2 * white_faces

    def is_pair(pair: Any) -> bool:
        return _distinct(_integer(2, highest), 2, 2)(pair) and bool(pair[0] < pair[1])

    if "lucky" not in top.untaken:
        return ()
    allowed = f"{kernel.MAX_PLAYERS} or more different pairs of numbers from 2 to {highest}, the lower one first"
    pairs = top.take("lucky", allowed, _distinct(is_pair, kernel.MAX_PLAYERS, kernel.MAX_LUCKY))
    return tuple((low, high) for low, high in pairs)


def _read_bonuses(top: _TomlTable, rows: Sequence[Row]) -> dict[str, Any]:
    cells = {f"{row.name}{number}" for row in rows for number in row.numbers}
    bonuses: dict[str, Any] = {}
    if "bar" in top.untaken:
        table = top.table("bar")
        allowed = f"1 to {kernel.MAX_BAR} letters of R, Y, G, B"
        bonuses["bar"] = table.take("rows", allowed, lambda value: _are_row_names(value, 1, kernel.MAX_BAR))
        boxes = table.take("boxes", "different cells of the sheet", _distinct(_one_of(cells), 1, 64))
        bonuses["bar_boxes"] = tuple(boxes)
        table.end("rows and boxes")
    unpaired = set(cells)
    pairs: list[Pair] = []
    for table in top.tables("pairs"):
        pairs.append(_read_pair(table, unpaired, pairs))
        unpaired -= set(pairs[-1].boxes)
    return {**bonuses, "pairs": tuple(pairs)}


def _read_pair(table: _TomlTable, unpaired: set[str], others: Sequence[Pair]) -> Pair:
    other_names, other_bonuses = [pair.name for pair in others], [pair.gives for pair in others]
    name = table.take("name", "one line of text that no other pair has", lambda v: _is_text(v) and v not in other_names)
    boxes = table.take("boxes", "two cells of the sheet, in no other pair", _distinct(_one_of(unpaired), 2, 2))
    bonuses = [bonus for bonus in PAIR_BONUSES if bonus not in other_bonuses]
    gives = table.take("gives", f"one of {', '.join(bonuses)} (each at most once)", _one_of(bonuses))
    amount = 1
    if gives == "fewest":
        amount = table.number("marks", 1, kernel.MAX_BONUS_MARKS)
    elif gives == "points":
        amount = table.number("points", 1, 999)
    table.end("name, boxes, gives, marks (where it gives fewest) and points (where it gives points)")
    return Pair(name, (boxes[0], boxes[1]), gives, amount)


def _read_fields(top: _TomlTable, rows: Sequence[Row], largest: int) -> tuple[Row, ...]:
    unused = ["RY", "YG", "GB"]
    fields: list[Row] = []
    for table in top.tables("fields"):
        between = table.take(
            "between",
            f"one of {', '.join(unused)}" if unused else "left out: there are three rows at the most",
            _one_of(unused),
        )
        unused.remove(between)
        numbers = _read_numbers(table, largest)
        allowed = {number for row in rows if row.name in between for number in row.numbers}
        if wrong := [number for number in numbers if number not in allowed]:
            raise table.error("numbers", f"numbers of the rows beside it, {wrong[0]} stands in neither")
        table.end("between and numbers")
        fields.append(Row(between, numbers, ""))
    return tuple(fields)


def load_variant(path: str | Path) -> Variant:
    """Read a custom variant from its file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except OSError as error:
        raise VariantError(f"{path}: cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise VariantError(f"{path}: not a TOML file: not UTF-8") from None
    except ValueError as error:
        raise VariantError(f"{str(path)!r}: not the name of a file: {error}") from None
    variant = parse_variant(text, str(path))
    if variant.id in variant_ids():
        raise VariantError(f"{path}: id must not be {variant.id}, which is built in")
    return variant


@cache
def variant_ids() -> tuple[str, ...]:
    """The ids of the built-in variants, the easiest to learn first."""
    return tuple(sorted((path.stem for path in BUILT_IN.glob("*.toml")), key=lambda name: _built_in(name).order))


@cache
def game_names() -> tuple[str, ...]:
    """The ids of the built-in variants; the id of a card game is followed by that id with `+jokers`."""
    by_variant = [(name, f"{name}{JOKERS}") if _built_in(name).cards else (name,) for name in variant_ids()]
    return tuple(name for names in by_variant for name in names)


@cache
def _built_in(name: str) -> Variant:
    path = BUILT_IN / f"{name}.toml"
    return parse_variant(path.read_text(encoding="utf-8"), path.name)


def find_variant(name: "str | Path | Variant") -> Variant:
    """A built-in variant by its name, or a custom one by the path of its `.toml` file."""
    if isinstance(name, Variant):
        return name
    if isinstance(name, Path) or name.endswith(".toml"):
        return load_variant(name)
    if name not in variant_ids():
        known = ", ".join(variant_ids())
        meant = did_you_mean(name, variant_ids()) or f"; there are {known}, or the path of a .toml file"
        raise VariantError(f"there is no variant {quote(name)!r}{meant}")
    return _built_in(name)


class Setup(NamedTuple):
    """A variant and, for a card game, whether it is played with jokers."""

    variant: Variant
    jokers: bool = False

    def __str__(self) -> str:
        return str(self.variant) + (JOKERS if self.jokers else "")


def find_setup(name: str | Path | Variant | Setup, *, jokers: bool = False, custom: Iterable[Variant] = ()) -> Setup:
    """The setup for a name: that of a built-in or `custom` variant, or a path; the suffix `+jokers` adds jokers."""
    if isinstance(name, Setup):
        jokers, name = name.jokers or jokers, name.variant
    if isinstance(name, str) and name.endswith(JOKERS):
        name, jokers = name.removesuffix(JOKERS), True
    variant = next((variant for variant in custom if variant.id == name), None) or find_variant(name)
    if jokers and not variant.cards:
        raise VariantError(f"{variant} has no jokers, it is no card game")
    return Setup(variant, jokers)
