"""Why an option is not legal: an error code of the record format and a text."""

import re
from collections.abc import Sequence

from rowlock.rules import kernel
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


def explain(variant: Variant, state: Sequence[int], player: int, option: str, legal: Sequence[str]) -> tuple[str, str]:
    """The error code and the text that say why `option` is not legal."""
    in_colour = state[kernel.PHASE] == kernel.COLOUR
    if option in ("-", "x"):
        if not in_colour:
            return "misthrow", "a misthrow is marked after the colour action, - is no mark"
        return wrong_misthrow(option)
    match = re.fullmatch(r"(!|[1-9][0-9]?>)?([A-Z]{1,2})([1-9][0-9]?)([#*]?)(?:\+[A-Z][1-9][0-9]?#?)*", option)
    if not match:
        return "syntax", f"{quote(option)} is not a mark; marks are written like {examples(legal)}"
    sign, row, number, box = match[1] or "", match[2], int(match[3]), match[4] == "*"
    name = f"{row}{number}"
    if name not in variant.codes:
        return "cell", f"there is no {name} on the {variant} sheet"
    check = CellCheck(variant, state, player, name)
    if {f"!{name}", f"{name}*"} & {text.split("+")[0].removesuffix("#") for text in legal}:
        reason = None  # the cell can be marked, but it is written differently
    elif sign == "!":
        reason = _explain_lucky(check, in_colour)
    elif sign:
        reason = _explain_swap(check, int(sign[:-1]), number, in_colour)
    elif box:
        reason = _explain_second(check, number, in_colour)
    elif len(row) == 2:
        reason = check.wrong_sum(number, in_colour) or check.left_of() or check.no_marked_neighbour(number, in_colour)
    else:
        reason = check.row_closed() or check.wrong_sum(number, in_colour) or check.left_of() or check.too_few_marks()
    if reason:
        return reason
    spelling = rf"{sign if sign != '!' else ''}!?{name}(?:[#+*].*)?"
    spellings = [text for text in legal if re.fullmatch(spelling, text)]
    return "written", f"{quote(option)} is written {' or '.join(spellings)} here"


def wrong_misthrow(option: str) -> tuple[str, str]:
    return "misthrow", "x is due: no mark was made" if option == "-" else "- is due: a mark was made before"


def examples(legal: Sequence[str]) -> str:
    return ", ".join(sorted(legal)[:3])


class CellCheck:
    """The checks of one cell or bonus field on a player's sheet; each returns an error code and a text, or None."""

    def __init__(self, variant: Variant, state: Sequence[int], player: int, name: str) -> None:
        self.variant, self.state, self.name = variant, state, name
        self.sheet = kernel.sheet_at(player)
        self.row, self.cell = kernel.row_of(variant.codes[name]), kernel.place_in_row(variant.codes[name])
        self.row_name = (variant.rows + variant.fields)[self.row].name

    def marks(self) -> int:
        return self.state[self.sheet + kernel.MARKS + self.row]

    def sums(self, colour: int) -> list[int]:
        """The sums of a white die and the die of a colour; none if that die has left the game."""
        die = self.state[kernel.DICE + 2 + colour]
        return sorted({die + self.state[kernel.DICE], die + self.state[kernel.DICE + 1]}) if die else []

    def wrong_sum(self, number: int, in_colour: bool) -> tuple[str, str] | None:
        if not in_colour:
            announced = self.state[kernel.NUMBER]
            term = "the announced number" if self.variant.cards else "the white sum"
            return None if number == announced else ("sum", f"{self.name}: {term} is {announced}")
        if self.row < kernel.ROWS:
            colours = [self.variant.rows[self.row].colours[self.cell]]
        else:
            sides = self.variant.fields[self.row - kernel.ROWS].name
            rows = [row for row in self.variant.rows if row.name in sides and number in row.numbers]
            colours = [row.colours[row.numbers.index(number)] for row in rows]
        for letter in colours:
            if number in self.sums(ROW_NAMES.index(letter)):
                return None
        possible = [
            f"{COLOURS[letter]} makes {' or '.join(map(str, sums))}"
            if (sums := self.sums(ROW_NAMES.index(letter)))
            else f"the {COLOURS[letter]} die has left the game"
            for letter in colours
        ]
        return "sum", f"{self.name}: {', '.join(possible)}"

    def row_closed(self) -> tuple[str, str] | None:
        closed = self.state[self.sheet + kernel.LOCKS] if self.variant.cards else self.state[kernel.CLOSED]
        if closed >> self.row & 1:
            return "closed", f"{self.name}: row {self.row_name} is closed"
        return None

    def left_of(self) -> tuple[str, str] | None:
        """Marks go from left to right: the cell must be right of the last mark."""
        if self.marks() >> self.cell & 1:
            return "order", f"{self.name} is marked already"
        if self.cell < self.state[self.sheet + kernel.NEXT + self.row]:
            last = self.variant.cells[self.row * kernel.MAX_CELLS + self.marks().bit_length() - 1]
            return "order", f"{self.name} is left of {last}"
        return None

    def too_few_marks(self) -> tuple[str, str] | None:
        """Called last: a cell that passes all other checks and still cannot be marked needs more marks before it."""
        count = self.state[self.sheet + kernel.COUNT + self.row]
        if kernel.can_mark(list(self.state), self.sheet, self.variant.tables, self.row, self.cell):
            return None
        return "needed", f"{self.name} needs {self.variant.needed_in(self.row)} marks before it, there are {count}"

    def no_marked_neighbour(self, number: int, in_colour: bool) -> tuple[str, str] | None:
        """A bonus field needs a marked neighbour with its number; in the colour action, also with the rolled colour."""
        for name in self.variant.fields[self.row - kernel.ROWS].name:
            row = ROW_NAMES.index(name)
            numbers = self.variant.rows[row].numbers
            if number not in numbers:
                continue
            cell = numbers.index(number)
            die = ROW_NAMES.index(self.variant.rows[row].colours[cell])
            if self.state[self.sheet + kernel.MARKS + row] >> cell & 1 and (not in_colour or number in self.sums(die)):
                return None
        rolled = " in a rolled colour" if in_colour else ""
        return "beside", f"{self.name}: no {number} beside it is marked{rolled}"


def _explain_lucky(check: CellCheck, in_colour: bool) -> tuple[str, str] | None:
    state, sheet = list(check.state), check.sheet
    low, high = state[sheet + kernel.LUCKY_LOW], state[sheet + kernel.LUCKY_HIGH]
    white_sum = state[kernel.NUMBER]
    if not check.variant.lucky:
        return "lucky", f"{check.variant} has no lucky numbers"
    if in_colour:
        return "lucky", "lucky numbers count in the white action only"
    if white_sum not in (low, high):
        return "lucky", f"the white sum is {white_sum}, the lucky numbers are {low} and {high}"
    if check.row >= kernel.ROWS or not kernel.fewest_rows(state, sheet) >> check.row & 1:
        return "lucky", f"row {check.row_name} is not a row with the fewest marks"
    reason = check.row_closed()
    if reason:
        return reason
    if check.cell != state[sheet + kernel.NEXT + check.row]:
        return "lucky", f"{check.name} is not the next cell of row {check.row_name}"
    return check.too_few_marks()


def _explain_swap(check: CellCheck, swapped: int, number: int, in_colour: bool) -> tuple[str, str] | None:
    if not check.variant.swaps:
        return "swap", f"{check.variant} has no swap fields"
    if in_colour:
        return "swap", "swap fields are used in the white action only"
    white_sum = check.state[kernel.NUMBER]
    if swapped != white_sum:
        return "sum", f"{swapped}>{check.name}: the white sum is {white_sum}"
    field = next((i for i, pair in enumerate(check.variant.swaps) if set(pair) == {swapped, number}), None)
    if field is None:
        return "swap", f"no swap field shows {swapped} and {number}"
    used = check.state[check.sheet + kernel.SWAPS]
    shown, last = ("{}/{}".format(*check.variant.swaps[i]) for i in (field, max(0, used.bit_length() - 1)))
    if used >> field & 1:
        return "swap", f"the swap field {shown} is used already"
    if used >> field:
        return "swap", f"the swap field {shown} is left of {last}, which is used"
    return check.row_closed() or check.left_of() or check.too_few_marks()


def _explain_second(check: CellCheck, number: int, in_colour: bool) -> tuple[str, str] | None:
    row, cell = check.row, check.cell
    if not check.variant.second or row >= kernel.ROWS or kernel.closes(check.variant.tables, row, cell):
        return "second", f"{check.name} has no second box"
    if reason := check.row_closed() or check.wrong_sum(number, in_colour):
        return reason
    if kernel.second_is_marked(list(check.state), check.sheet, check.variant.codes[check.name]):
        return "second", f"the second box of {check.name} is marked already"
    if not check.marks() >> cell & 1:
        return "second", f"{check.name} is not marked yet"
    if cell != check.state[check.sheet + kernel.NEXT + row] - 1:
        return "second", f"{check.name} is not the rightmost mark of its row"
    return None
