"""Variants as data: reading and checking a variant's file, and the tables that the kernel reads."""

import hashlib
import json
import re
import tomllib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

from rowlock.rules import kernel
from rowlock.rules.effects import EFFECTS, PAIR_BONUSES, Base, Pair, Row, read_numbers
from rowlock.rules.effects.sheets import LETTERS
from rowlock.rules.error_text import did_you_mean, quote
from rowlock.rules.toml_table import ROW_NAMES, TomlTable, VariantError, are_row_names, integer, is_text, one_of

__all__ = [
    "CARD_COLOURS",
    "JOKERS",
    "LANGUAGES",
    "PAIR_BONUSES",
    "ROW_NAMES",
    "Cards",
    "Pair",
    "Row",
    "Setup",
    "Variant",
    "VariantError",
    "find_setup",
    "find_variant",
    "game_names",
    "load_variant",
    "parse_custom",
    "parse_variant",
    "variant_ids",
]

CARD_COLOURS = "rygbj"  # j: a joker
JOKERS = "+jokers"  # suffix of the name of a card game that is played with jokers
LANGUAGES = ("en", "de", "nl")
BUILT_IN = Path(__file__).with_name("variants")
MAX_BYTES = 64 * 1024  # the size of a file
_NO_IDENTITY = {"identity": False}  # metadata of fields that are no part of a variant's identity
_NO_EFFECTS = frozenset(  # fields that every game has, and `bar_boxes`, which belongs to `bar`
    {
        "dice",
        "rows",
        "closing",
        "needed",
        "cap",
        "points",
        "misthrow_cost",
        "misthrows_to_end",
        "rows_to_end",
        "bar_boxes",
    }
)
_OWN = frozenset({"format", "id", "order", "name", "about"})  # fields of the file that `sheet` does not take over


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
    needed: int | tuple[int, ...]  # how many marks a closing cell needs before it; an entry per row if they differ
    cap: int  # the largest number of marks of a row that count
    points: tuple[int, ...] = ()  # of a row with one mark, two marks, ... up to the cap; empty: 1, 3, 6, 10, ...
    misthrow_cost: int = 5
    misthrows_to_end: int = 4  # misthrows of one player that end the game
    rows_to_end: int = 2  # closed rows that end the game
    lucky: tuple[tuple[int, int], ...] = ()  # pairs of lucky numbers, in the order in which they are dealt
    bar: str = ""  # the row of each box of the bonus bar
    bar_boxes: tuple[str, ...] = ()  # the cells that use up a box of the bar
    pairs: tuple[Pair, ...] = ()
    fields: tuple[Row, ...] = ()  # rows of bonus fields
    steps: tuple[tuple[str, ...], ...] = ()  # by kind of sheet: the cells that are steps
    joined: tuple[tuple[tuple[str, str], ...], ...] = ()  # by kind of sheet: pairs of joined cells
    swaps: tuple[tuple[int, int], ...] = ()  # swap fields, left to right
    second: bool = False  # whether cells have a second box
    cards: Cards | None = None
    # The pairs of one game's players, if they are not the first of `lucky`.
    dealt: tuple[tuple[int, int], ...] = field(default=(), metadata=_NO_IDENTITY)
    # The letters of the sheets that bots need data for, sorted, if they are not the first of `sheet_letters`.
    dealt_sheets: str = field(default="", metadata=_NO_IDENTITY)

    def __str__(self) -> str:
        return self.id

    def __repr__(self) -> str:
        return f"<Variant {self.id}>"

    def __reduce__(self) -> tuple[type["Variant"], tuple[Any, ...]]:
        return Variant, tuple(getattr(self, one.name) for one in fields(self))  # without what was computed from them

    def with_lucky(self, lucky: Sequence[tuple[int, int]]) -> "Variant":
        """The variant for a game whose players have these lucky numbers: it deals them before all others."""
        dealt = () if set(lucky) == set(self.lucky[: len(lucky)]) else tuple(sorted(lucky))
        return self if dealt == self.dealt else replace(self, dealt=dealt)

    def with_sheets(self, sheets: Iterable[str]) -> "Variant":
        """The variant for bots that have these kinds of sheets; games deal all kinds nevertheless."""
        dealt = "".join(sorted(set(sheets)))
        return self if dealt == self.dealt_sheets else replace(self, dealt_sheets=dealt)

    def sheets_in_game(self, players: int) -> str:
        """The letters of the sheets that bots need data for; empty if the variant has one kind only."""
        return self.dealt_sheets or self.sheet_letters[:players]

    @property
    def lucky_pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs of lucky numbers in the order in which they are dealt."""
        return *self.dealt, *(pair for pair in self.lucky if pair not in self.dealt)

    @cached_property
    def effects(self) -> frozenset[str]:
        """The effects that this variant uses: `cards`, and names of those in `EFFECTS`."""
        return frozenset(_identity_data(self)) - _NO_EFFECTS

    @property
    def sheet_letters(self) -> str:
        """The letters of the kinds of sheets; empty if all players have the same sheet."""
        kinds = max(len(self.steps), len(self.joined))
        return LETTERS[:kinds] if kinds > 1 else ""

    @property
    def highest_white_sum(self) -> int:
        return 2 * self.dice[0]

    def faces_of(self, die: int) -> int:
        """How many faces a die has; 0 and 1 are white and have one entry in `dice`."""
        return self.dice[max(0, die - 1)]

    def needed_in(self, row: int) -> int:
        """How many marks a closing cell of a row needs before it."""
        return self.needed if isinstance(self.needed, int) else self.needed[row]

    @cached_property
    def swap_names(self) -> tuple[str, ...]:
        """The swap fields as they are printed: `8/5`."""
        return tuple(f"{first}/{second}" for first, second in self.swaps)

    @cached_property
    def identity(self) -> str:
        """The SHA-256 of all fields that affect the game, without those that have their default value."""
        return hashlib.sha256(json.dumps(self, default=_identity_data, sort_keys=True).encode()).hexdigest()

    @cached_property
    def most_marks(self) -> tuple[int, ...]:
        """The highest possible number of marks per row, its lock and the bonus fields beside it included."""
        # With a closing cell and the lock.
        in_row = [self.before_closing(row) * (1 + self.second) + 2 for row in self.rows]
        beside = [sum(len(field) for field in self.fields if row.name in field.name) for row in self.rows]
        return tuple(map(sum, zip(in_row, beside, strict=True)))

    def row_points(self, marks: int) -> int:
        """The points of a row with this number of marks."""
        sheet = [0] * kernel.SHEET_SIZE
        sheet[kernel.COUNT] = marks
        return kernel.row_points(sheet, 0, self.tables, 0)

    @property
    def lowest_total(self) -> int:
        return -self.misthrow_cost * self.misthrows_to_end

    @cached_property
    def highest_total(self) -> int:
        """An upper bound for totals: all rows are full, all pairs complete, and `double` counts the best row twice."""
        points = [self.row_points(marks) for marks in self.most_marks]
        amounts = {pair.gives: pair.amount for pair in self.pairs}
        steps = kernel.step_points(self.tables, max(map(len, self.steps), default=0))
        return sum(points) + ("double" in amounts) * max(points) + amounts.get("points", 0) + steps

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

    def before_closing(self, row: Row) -> int:
        """How many cells of a row come before its closing cells."""
        return len(row) - self.closing

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
        t[kernel.T_NEEDED : kernel.T_CAP] = map(self.needed_in, range(kernel.ROWS))
        t[kernel.T_CAP] = self.cap
        points = (0, *(self.points or classic_points(self.cap)))
        t[kernel.T_POINTS : kernel.T_POINTS + len(points)] = points
        t[kernel.T_MISTHROW_COST], t[kernel.T_MISTHROWS_TO_END] = self.misthrow_cost, self.misthrows_to_end
        t[kernel.T_ROWS_TO_END] = self.rows_to_end
        t[kernel.T_AT : kernel.T_BOX] = [-1] * (kernel.T_BOX - kernel.T_AT)  # also T_FIRST and T_AFTER
        for r, row in enumerate(self.rows + self.fields):
            t[kernel.T_CELLS + r] = t[kernel.T_CLOSING + r] = len(row)
            for cell, number in enumerate(row.numbers):
                t[kernel.T_NUMBER + r * kernel.MAX_CELLS + cell] = number
                t[kernel.T_AT + r * kernel.SUMS + number] = cell
        # The cells with one colour and number are a linked list: T_FIRST has its first cell, T_AFTER the next ones.
        for r, row in enumerate(self.rows):
            t[kernel.T_CLOSING + r] = self.before_closing(row)
            for cell, (number, letter) in enumerate(zip(row.numbers, row.colours, strict=True)):
                code, colour = r * kernel.MAX_CELLS + cell, ROW_NAMES.index(letter)
                t[kernel.T_COLOUR + code] = colour
                link = kernel.T_FIRST + colour * kernel.SUMS + number
                while t[link] >= 0:
                    link = kernel.T_AFTER + t[link]
                t[link] = code
        for effect in EFFECTS:
            effect.fill(t, self)
        more_options = (kernel.T_LUCKY, kernel.T_FIELDS, kernel.T_SWAPS, kernel.T_SECOND)
        t[kernel.T_MORE_OPTIONS] = int(any(t[index] for index in more_options))
        more_marks = (kernel.T_CHAINS, kernel.T_JOINS, kernel.T_SWAPS, kernel.T_SECOND)
        t[kernel.T_MORE_MARKS] = int(any(t[index] for index in more_marks))
        return t


def classic_points(cap: int) -> tuple[int, ...]:
    """The points of a row of Classic with one mark, two marks and so on up to the cap: 1, 3, 6, 10, ..."""
    return tuple(marks * (marks + 1) // 2 for marks in range(1, cap + 1))


def _identity_data(data: Any) -> dict[str, Any]:
    """The fields of a dataclass that are part of the identity and do not have their default value."""
    assert is_dataclass(data)
    parts = [f for f in fields(data) if f.metadata.get("identity", True)]
    return {f.name: value for f in parts if (value := getattr(data, f.name)) != f.default}


# Reading


def parse_variant(text: str, file: str = "variant") -> Variant:
    """Parse a variant's description; an error names the file, the field and the allowed values."""
    top = TomlTable(_with_sheet(_read_toml(text, file), file), "", file)
    if not top.has("format"):
        raise VariantError(f"{file}: format is missing; add the line format = 1 at the top")
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
    rules = _read_rules(top, largest)
    if cards:
        _check_cells(top, rules["rows"], cards)
        effects = {}
        for effect in EFFECTS:
            if top.has(effect.field):
                raise VariantError(f"{file}: {effect.field} must be left out, or empty, in a card game")
    else:
        base = Base(rules["rows"], rules["closing"], dice[0], largest)
        found = [effect for effect in EFFECTS if top.has(effect.field)]
        effects = {name: value for effect in found for name, value in effect.read(top, base).items()}
    variant = Variant(
        id=variant_id,
        order=order,
        name=_read_texts(top.table("name")),
        about=_read_texts(top.table("about")),
        dice=dice,
        cards=cards,
        **rules,
        **effects,
    )
    known = "format, id, order, sheet, rows, closing, needed, cap, points, misthrow_cost, misthrows_to_end, rows_to_end"
    fields = ["dice", *(effect.field for effect in EFFECTS)]
    known += f", name, about, {', '.join(fields[:-1])} and {fields[-1]}" if not cards else ", name, about and cards"
    top.end(known)
    if variant.joined and (variant.bar or variant.pairs):
        raise VariantError(f"{file}: sheets must be without joined cells where there are bar or pairs")
    if variant.highest_total > kernel.MAX_TOTAL:
        raise VariantError(f"{file}: a sheet may have at most {kernel.MAX_TOTAL} points, not {variant.highest_total}")
    return variant


def _read_toml(text: str, file: str) -> dict[str, Any]:
    if len(text) > MAX_BYTES:
        raise VariantError(f"{file}: a variant's file has at most {MAX_BYTES // 1024} kB")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise VariantError(f"{file}: not a TOML file: {error}") from None
    except (RecursionError, ValueError):
        raise VariantError(f"{file}: not a TOML file: it is nested too deeply, or a number is too long") from None


def _with_sheet(data: dict[str, Any], file: str) -> dict[str, Any]:
    """A file's data with all fields of the built-in variant that its field `sheet` names, as far as it lacks them."""
    if "sheet" not in data:
        return data
    known = sorted(path.stem for path in BUILT_IN.glob("*.toml"))
    name = TomlTable(data, "", file).take("sheet", f"the sheet of {', '.join(known)}", one_of(known))
    path = BUILT_IN / f"{name}.toml"
    base = _with_sheet(tomllib.loads(path.read_text(encoding="utf-8")), path.name)
    replaced = _OWN | ({"dice"} if "cards" in data else {"cards"} if "dice" in data else set())
    taken_over = {key: value for key, value in base.items() if key not in replaced}
    return {**taken_over, **{key: value for key, value in data.items() if key != "sheet"}}


def _read_rules(top: TomlTable, largest: int) -> dict[str, Any]:
    """The rows, how they are locked and counted, and what ends the game."""
    closing = top.number("closing", 1, kernel.MAX_CELLS - 1)
    cap = top.number("cap", 1, kernel.MAX_CAP)
    table = top.table("rows")
    rows = tuple(_read_row(table.table(letter), letter, largest, closing) for letter in ROW_NAMES)
    table.end("R, Y, G and B")
    rules = {"rows": rows, "closing": closing, "cap": cap, "needed": _read_needed(top, rows, closing)}
    if top.has("points"):
        rules["points"] = _read_points(top, cap)
    for key, low, high in (
        ("misthrow_cost", 0, kernel.MAX_MISTHROW_COST),
        ("misthrows_to_end", 1, kernel.MAX_MISTHROWS),
        ("rows_to_end", 1, kernel.ROWS),
    ):
        if key in top.untaken:
            rules[key] = top.number(key, low, high)
    return rules


def _read_needed(top: TomlTable, rows: Sequence[Row], closing: int) -> int | tuple[int, ...]:
    """The field `needed`: one number, or a table with one for each row."""
    second = 2 if top.untaken.get("second") is True else 1
    longest = [second * (len(row) - closing) for row in rows]
    if not isinstance(top.untaken.get("needed"), dict):
        needed = top.number("needed", 0, second * (kernel.MAX_CELLS - 1))
        if needed > min(longest):
            raise top.error("needed", f"at most {min(longest)}, the cells before a closing one")
        return needed
    table = top.table("needed")
    by_row = tuple(table.number(row.name, 0, most) for row, most in zip(rows, longest, strict=True))
    table.end("R, Y, G and B")
    return by_row[0] if len(set(by_row)) == 1 else by_row


def _read_points(top: TomlTable, cap: int) -> tuple[int, ...]:
    """The points of one mark, two marks and so on; empty if they are those of Classic."""

    def grow(value: Any) -> bool:
        is_list = isinstance(value, list) and len(value) == cap
        return is_list and all(map(integer(0, kernel.MAX_TOTAL), value)) and value == sorted(value)

    points = top.take("points", f"{cap} numbers from 0 to {kernel.MAX_TOTAL}, none smaller than the one before", grow)
    return () if tuple(points) == classic_points(cap) else tuple(points)


def _read_cards(table: TomlTable) -> Cards:
    # The kernel's tables by number have SUMS entries, so even the highest number must be less than SUMS.
    lowest = table.number("lowest", 1, kernel.SUMS - kernel.MAX_NUMBERS)
    # Seven numbers are enough cards for five hands and the display.
    highest = table.number("highest", lowest + 6, lowest + kernel.MAX_NUMBERS - 1)
    gap = table.number("gap", 0, kernel.MAX_CELLS) if "gap" in table.untaken else None
    table.end("lowest, highest and gap")
    return Cards(lowest, highest, gap)


def _check_cells(top: TomlTable, rows: Sequence[Row], cards: Cards) -> None:
    """Check that every cell has a card and every card at most one cell."""
    cells = [(colour, number) for row in rows for colour, number in zip(row.colours, row.numbers, strict=True)]
    for i, (colour, number) in enumerate(cells):
        if number < cards.lowest:
            raise top.error("rows", f"numbers that cards have, from {cards.lowest}, not {number}")
        if (colour, number) in cells[:i]:
            raise top.error("rows", f"a sheet with one cell for every card, {colour} has two with {number}")


def _read_dice(table: TomlTable) -> tuple[int, ...]:
    dice = tuple(table.number(key, 2, kernel.MAX_FACES) for key in ("white", *ROW_NAMES))
    table.end("white, R, Y, G and B")
    return dice


def _read_texts(table: TomlTable) -> dict[str, str]:
    """A text in every language; the first one that there is stands for those that are missing."""
    texts = {name: table.take(name, "one line of text", is_text) for name in LANGUAGES if name in table.untaken}
    table.end("en, de and nl")
    if not texts:
        raise VariantError(f"{table.file}: {table.path} must have a text in en, de or nl")
    return {language: texts.get(language) or next(iter(texts.values())) for language in LANGUAGES}


def _read_row(table: TomlTable, name: str, largest: int, closing: int) -> Row:
    numbers = read_numbers(table, largest)
    if len(numbers) <= closing:
        raise table.error("numbers", f"more than the {closing} closing cells of a row")
    colours = table.take(
        "colours",
        f"{len(numbers)} letters of R, Y, G, B, the closing ones {name}",
        lambda value: are_row_names(value, len(numbers), len(numbers)) and set(value[-closing:]) == {name},
        name * len(numbers),
    )
    table.end("numbers and colours")
    return Row(name, numbers, colours)


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
    return parse_custom(text, str(path))


def parse_custom(text: str, file: str) -> Variant:
    """Parse the file of a custom variant, whose id is not that of a built-in one."""
    variant = parse_variant(text, file)
    if variant.id in variant_ids():
        raise VariantError(f"{file}: id must not be {variant.id}, which is built in")
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


def variant_id(name: str) -> str:
    """The id of the variant in the name of a setup: `cards` of `cards+jokers`."""
    return name.removesuffix(JOKERS)


def find_setup(name: str | Path | Variant | Setup, *, jokers: bool = False, custom: Iterable[Variant] = ()) -> Setup:
    """The setup for a name: that of a built-in or `custom` variant, or a path; the suffix `+jokers` adds jokers."""
    if isinstance(name, Setup):
        jokers, name = name.jokers or jokers, name.variant
    if isinstance(name, str):
        name, jokers = variant_id(name), jokers or name.endswith(JOKERS)
    variant = next((variant for variant in custom if variant.id == name), None) or find_variant(name)
    if jokers and not variant.cards:
        raise VariantError(f"{variant} has no jokers, it is no card game")
    return Setup(variant, jokers)
