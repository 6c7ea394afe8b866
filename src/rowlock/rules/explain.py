"""Why an option is not legal: an error code of the record format and a text."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from rowlock.rules import free_marks, kernel, obstacles
from rowlock.rules.error_text import quote
from rowlock.rules.variant import ROW_NAMES, Variant

COLOURS = dict(zip(ROW_NAMES, ("red", "yellow", "green", "blue"), strict=True))


class Illegal(ValueError):
    """A violation of the rules, with its error code, text, turn and player."""

    def __init__(self, code: str, text: str, turn: int | None, player: str | None) -> None:
        self.code, self.text, self.turn, self.player = code, text, turn, player
        where = ", ".join(part for part in (f"turn {turn}" if turn else "", player or "") if part)
        super().__init__(f"{where}: {text}" if where else text)

    def __reduce__(self) -> tuple[type["Illegal"], tuple[object, ...]]:
        return Illegal, (self.code, self.text, self.turn, self.player)


class Obstacle(NamedTuple):
    """Why something cannot be marked: a name of `OBSTACLES`, and its values as records write them."""

    name: str
    values: dict[str, object]


def read_obstacle(variant: Variant, number: int, ints: Sequence[int]) -> Obstacle:
    """An obstacle of the kernel with its values."""
    name, value_names = obstacles.OBSTACLES[number]
    readers: dict[str, Callable[[int], object]] = {
        "row": lambda row: ROW_NAMES[row],
        "colour": lambda colour: ROW_NAMES[colour],
        "other": lambda colour: ROW_NAMES[colour],
        "cell": lambda code: variant.cells[code],
        "field": lambda field: variant.swap_names[field],
        "card": lambda card: variant.cards and variant.cards.name(card),
        "players": lambda players: [player for player in range(kernel.MAX_PLAYERS) if players >> player & 1],
    }
    return Obstacle(name, {key: readers.get(key, int)(value) for key, value in zip(value_names, ints, strict=False)})


_MARK = re.compile(r"(!|[1-9][0-9]?>)?([A-Z]{1,2})([1-9][0-9]?)([#*]?)(?:\+[A-Z][1-9][0-9]?#?)*")


def explain(variant: Variant, state: Sequence[int], player: int, option: str, legal: Sequence[str]) -> tuple[str, str]:
    """The error code and the text that say why `option` is not legal."""
    in_colour = state[kernel.PHASE] == kernel.COLOUR
    if option in ("-", "x"):
        if not in_colour:
            return "misthrow", "a misthrow is marked after the colour action, - is no mark"
        return wrong_misthrow(option)
    match = _MARK.fullmatch(option)
    if not match:
        return "syntax", f"{quote(option)} is not a mark; marks are written like {examples(legal)}"
    sign, row, number, box = match[1] or "", match[2], int(match[3]), match[4] == "*"
    name = f"{row}{number}"
    if name not in variant.codes:
        return "cell", f"there is no {name} on the {variant} sheet"
    code = variant.codes[name]
    cell = Cell(variant, state, player, code)
    if {f"!{name}", f"{name}*"} & {text.split("+")[0].removesuffix("#") for text in legal}:
        reason = None  # the cell can be marked, but it is written differently
    elif sign == "!":
        reason = _explain_lucky(cell, in_colour)
    elif sign:
        reason = _explain_swap(cell, int(sign[:-1]), number)
    elif box:
        reason = cell.first_of(obstacles.second_obstacles(cell.state, cell.sheet, variant.tables, code))
    else:
        reason = cell.first_of(obstacles.mark_obstacles(cell.state, cell.sheet, variant.tables, code))
    if reason:
        return reason
    spelling = rf"{sign if sign != '!' else ''}!?{name}(?:[#+*].*)?"
    spellings = [text for text in legal if re.fullmatch(spelling, text)]
    return "written", f"{quote(option)} is written {' or '.join(spellings)} here"


def explain_without_dice(
    variant: Variant, state: Sequence[int], player: int, option: str, legal: Sequence[str]
) -> tuple[str, str]:
    """The error code and the text that say why a mark is not legal on a sheet, whatever was rolled."""
    match = _MARK.fullmatch(option)
    if not match:
        return "syntax", f"{quote(option)} is not a mark; marks are written like R5"
    sign, name, number = match[1] or "", f"{match[2]}{match[3]}", int(match[3])
    if name not in variant.codes:
        return "cell", f"there is no {name} on the {variant} sheet"
    cell, tables = Cell(variant, state, player, variant.codes[name]), variant.tables
    reason = None
    if sign == "!":
        found = obstacles.lucky_obstacles(cell.state, cell.sheet, tables, cell.code)
        reason = _no_lucky_numbers(variant) or cell.first_of(found)
    elif sign and not (reason := _no_such_field(variant, int(sign[:-1]), number)):
        field = _field_with(variant, int(sign[:-1]), number)
        found = obstacles.field_obstacles(cell.state, cell.sheet, tables, field)
        reason = cell.first_of(free_marks.LASTING & found, field)
    find = obstacles.second_obstacles if match[4] == "*" else obstacles.mark_obstacles
    found = find(cell.state, cell.sheet, tables, cell.code)
    lasting = free_marks.LASTING | 1 << obstacles.W_UNMARKED | 1 << obstacles.W_NO_SECOND
    if reason := reason or cell.first_of(lasting & found):
        return reason
    spellings = [text for text in legal if text.partition("+")[0].rstrip("#*") in (name, sign + name)]
    return "written", f"{quote(option)} is written {' or '.join(spellings) or 'otherwise'} here"


def wrong_misthrow(option: str) -> tuple[str, str]:
    return "misthrow", "no mark was made: write x" if option == "-" else "a mark was made before: write -"


def examples(legal: Sequence[str]) -> str:
    return ", ".join(sorted(legal)[:3])


# The order in which a record's reader reports obstacles, with the error code of each.
_ERROR_CODES = {
    obstacles.W_SWAP_COLOUR: "swap",
    obstacles.W_SWAP_USED: "swap",
    obstacles.W_SWAP_LEFT: "swap",
    obstacles.W_LUCKY_ROW: "lucky",
    obstacles.W_NO_SECOND: "second",
    obstacles.W_CLOSED: "closed",
    obstacles.W_SUM: "sum",
    obstacles.W_ANNOUNCED: "sum",
    obstacles.W_COLOUR_SUM: "sum",
    obstacles.W_DIE_GONE: "sum",
    obstacles.W_FIELD_SUM: "sum",
    obstacles.W_LUCKY_NEXT: "lucky",
    obstacles.W_SECOND_MARKED: "second",
    obstacles.W_UNMARKED: "second",
    obstacles.W_NOT_RIGHTMOST: "second",
    obstacles.W_MARKED: "order",
    obstacles.W_LEFT: "order",
    obstacles.W_BESIDE: "beside",
    obstacles.W_BESIDE_COLOUR: "beside",
    obstacles.W_NEEDED: "needed",
}


class Cell:
    """A cell or bonus field that a record marks, on a player's sheet."""

    def __init__(self, variant: Variant, state: Sequence[int], player: int, code: int) -> None:
        self.variant, self.state, self.player, self.code = variant, list(state), player, code
        self.sheet, self.name, self.row = kernel.sheet_at(player), variant.cells[code], kernel.row_of(code)

    def place_problem(self) -> tuple[str, str] | None:
        """Why it cannot be marked, whatever the dice or cards are."""
        return self.first_of(obstacles.place_obstacles(self.state, self.sheet, self.variant.tables, self.code))

    def first_of(self, found: int, swap: int = -1) -> tuple[str, str] | None:
        """The error code and the text for a bit set of obstacles; None if there are none."""
        for obstacle, error_code in _ERROR_CODES.items():
            if found >> obstacle & 1:
                return error_code, self._text(obstacle, swap)
        return None

    def _text(self, obstacle: int, swap: int) -> str:
        values = [0] * obstacles.MAX_VALUES
        tables, scratch = self.variant.tables, [0] * kernel.SCRATCH_SIZE
        obstacles.write_values(self.state, tables, self.player, self.code, swap, kernel.PASS, obstacle, scratch, values)
        first, second, _ = values
        name, number = self.name, self.variant.tables[kernel.T_NUMBER + self.code]
        row = (self.variant.rows + self.variant.fields)[self.row].name
        swaps = self.variant.swap_names
        match obstacle:
            case obstacles.W_SWAP_COLOUR:
                return "swap fields are used in the white action only"
            case obstacles.W_SWAP_USED:
                return f"the swap field {swaps[swap]} is used already"
            case obstacles.W_SWAP_LEFT:
                return f"the swap field {swaps[swap]} is left of {swaps[first]}, which is used"
            case obstacles.W_LUCKY_ROW:
                return f"row {row} is not a row with the fewest marks"
            case obstacles.W_LUCKY_NEXT:
                return f"{name} is not the next cell of row {row}"
            case obstacles.W_NO_SECOND:
                return f"{name} has no second box"
            case obstacles.W_SECOND_MARKED:
                return f"the second box of {name} is marked already"
            case obstacles.W_UNMARKED:
                return f"{name} is not marked yet"
            case obstacles.W_NOT_RIGHTMOST:
                return f"{name} is not the rightmost mark of its row"
            case obstacles.W_CLOSED:
                return f"{name}: row {row} is closed"
            case obstacles.W_SUM:
                return f"{name}: the white sum is {first}"
            case obstacles.W_ANNOUNCED:
                return f"{name}: the announced number is {first}"
            case obstacles.W_COLOUR_SUM | obstacles.W_DIE_GONE:
                return f"{name}: {self._sums(first)}"
            case obstacles.W_FIELD_SUM:
                return f"{name}: {', '.join(map(self._sums, self._colours_beside()))}"
            case obstacles.W_MARKED:
                return f"{name} is marked already"
            case obstacles.W_LEFT:
                return f"{name} is left of {self.variant.cells[first]}"
            case obstacles.W_NEEDED:
                return f"{name} needs {first} marks before it, there are {second}"
            case _:
                rolled = " in a rolled colour" if self.state[kernel.PHASE] == kernel.COLOUR else ""
                return f"{name}: no {number} beside it is marked{rolled}"

    def _colours_beside(self) -> list[int]:
        tables = self.variant.tables
        neighbours = (obstacles.neighbour_of(tables, self.code, side) for side in range(2))
        return [tables[kernel.T_COLOUR + neighbour] for neighbour in neighbours if neighbour >= 0]

    def _sums(self, colour: int) -> str:
        """What the die of a colour makes with a white die."""
        name = COLOURS[ROW_NAMES[colour]]
        if not self.state[kernel.DICE + 2 + colour]:
            return f"the {name} die has left the game"
        sums = [0] * obstacles.MAX_VALUES
        obstacles.write_sums(self.state, colour, sums)
        return f"{name} makes {' or '.join(map(str, sorted(set(sums[1:]))))}"


def _explain_lucky(cell: Cell, in_colour: bool) -> tuple[str, str] | None:
    state, sheet, tables = cell.state, cell.sheet, cell.variant.tables
    if not cell.variant.lucky:
        return _no_lucky_numbers(cell.variant)
    if in_colour:
        return "lucky", "lucky numbers count in the white action only"
    if not obstacles.white_sum_is_lucky(state, sheet, tables):
        low, high = state[sheet + kernel.LUCKY_LOW], state[sheet + kernel.LUCKY_HIGH]
        return "lucky", f"the white sum is {state[kernel.NUMBER]}, the lucky numbers are {low} and {high}"
    return cell.first_of(obstacles.lucky_obstacles(state, sheet, tables, cell.code))


def _no_lucky_numbers(variant: Variant) -> tuple[str, str] | None:
    return None if variant.lucky else ("lucky", f"{variant} has no lucky numbers")


def _explain_swap(cell: Cell, swapped: int, number: int) -> tuple[str, str] | None:
    white_sum, no_field = cell.state[kernel.NUMBER], _no_such_field(cell.variant, swapped, number)
    if not cell.variant.swaps:
        return no_field
    field = _field_with(cell.variant, swapped, number)
    found = obstacles.swapped_obstacles(cell.state, cell.sheet, cell.variant.tables, field, cell.code)
    if not found >> obstacles.W_SWAP_COLOUR & 1:
        if swapped != white_sum:
            return "sum", f"{swapped}>{cell.name}: the white sum is {white_sum}"
        if no_field:
            return no_field
    return cell.first_of(found, field)


def _no_such_field(variant: Variant, swapped: int, number: int) -> tuple[str, str] | None:
    if not variant.swaps:
        return "swap", f"{variant} has no swap fields"
    if set(variant.swaps[_field_with(variant, swapped, number)]) != {swapped, number}:
        return "swap", f"no swap field shows {swapped} and {number}"
    return None


def _field_with(variant: Variant, swapped: int, number: int) -> int:
    """The swap field that shows two numbers; the first one if none does."""
    return next((i for i, pair in enumerate(variant.swaps) if set(pair) == {swapped, number}), 0)
