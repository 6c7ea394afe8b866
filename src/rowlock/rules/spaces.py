"""The action and observation spaces of a game: what every index of an action mask and of an observation means."""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

from rowlock.rules import kernel, observation
from rowlock.rules.variant import CARD_COLOURS, ROW_NAMES, Setup, Variant, find_setup


class Field(NamedTuple):
    """A named part of an observation: where it begins, its shape, the range of its numbers and what they mean."""

    name: str
    begin: int
    shape: tuple[int, ...]
    low: int
    high: int
    meaning: str
    stride: int  # numbers from one player's part to the next one's, if the first axis is players and parts are apart

    @property
    def indices(self) -> list[int]:
        """The indices of the field's numbers in the observation, in the order of its shape."""
        width = self.shape[-1]
        lines = self.shape[0] if len(self.shape) > 1 else 1
        return [self.begin + line * self.stride + index for line in range(lines) for index in range(width)]


class Spaces:
    """The spaces of a variant and a number of players: `actions` by index, and `fields` of an observation.

    An action is an index into `actions`, which holds the kernel's codes (`docs/actions.md`). An observation is `size`
    integers. In fields about players the first line is the observing player, and the others follow in turn order.
    """

    def __init__(self, variant: str | Path | Variant | Setup, players: int) -> None:
        if not 1 <= players <= kernel.MAX_PLAYERS:
            raise ValueError(f"a game has 1 to {kernel.MAX_PLAYERS} players, not {players}")
        self.setup, self.players = find_setup(variant), players
        self.variant, self.jokers = self.setup
        self.actions = tuple(action_codes(self.setup))
        self.fields: dict[str, Field] = {}
        self.size = 0
        self._add_turn()
        if self.variant.cards:
            self._add_cards()
        self._add_sheets()

    def __repr__(self) -> str:
        return f"<Spaces {self.setup} for {self.players}: {len(self.actions)} actions, {self.size} numbers>"

    # Actions

    @cached_property
    def index_of(self) -> list[int]:
        """The index of every code of the kernel; -1 for codes that cannot occur in this variant."""
        indices = [-1] * kernel.ACTIONS
        for index, code in enumerate(self.actions):
            indices[code] = index
        return indices

    def action_name(self, index: int) -> str:
        """What an action does: `pass`, `R5`; `!R` for a lucky number, `8>5 R` for a swap, `R*` for a second box."""
        if not 0 <= index < len(self.actions):
            raise ValueError(f"actions are numbered from 0 to {len(self.actions) - 1}, there is no {index}")
        code = self.actions[index]
        if code == kernel.PASS:
            return "pass"
        if kernel.plays_cards(code):
            colour, marking = ROW_NAMES[kernel.colour_played(code)], _places(kernel.cards_marking(code))
            return f"play {colour} {_places(kernel.cards_played(code))}" + (f" mark {marking}" if marking else "")
        if kernel.takes_cards(code):
            return f"take {_places(kernel.places_taken(code))}"
        if kernel.is_lucky(code):
            name = f"!{ROW_NAMES[kernel.row_by_effect(code)]}"
        elif kernel.is_swap(code):
            numbers, side = self.variant.swaps[kernel.swap_field(code)], kernel.swap_side(code)
            name = f"{numbers[side]}>{numbers[1 - side]} {ROW_NAMES[kernel.row_by_effect(code)]}"
        elif kernel.is_second(code):
            name = f"{ROW_NAMES[kernel.row_by_effect(code)]}*"
        else:  # what this marks does not depend on the sheet
            name = self.variant.cells[kernel.marked_first([], 0, self.variant.tables, code)]
        pick = kernel.row_picked(code)
        return f"{name} pick {ROW_NAMES[pick - 1]}" if pick else name

    def mask(self, codes: Sequence[int]) -> list[int]:
        """The mask with a 1 for each of these codes."""
        mask = [0] * len(self.actions)
        observation.write_mask(mask, len(mask), self.index_of, codes, len(codes))  # type: ignore[arg-type]
        return mask

    # Observations

    def observe(self, state: Sequence[int], seat: int) -> list[int]:
        """The observation of a seat in a state of the kernel."""
        out = [0] * self.size
        observation.observe(state, self.variant.tables, seat, out)  # type: ignore[arg-type]
        return out

    @cached_property
    def low(self) -> list[int]:
        """The lowest value of every number of an observation."""
        return self._bounds("low")

    @cached_property
    def high(self) -> list[int]:
        """The highest value of every number of an observation."""
        return self._bounds("high")

    def _bounds(self, which: str) -> list[int]:
        bounds = [0] * self.size
        for field in self.fields.values():
            for index in field.indices:
                bounds[index] = getattr(field, which)
        return bounds

    def table(self) -> str:
        """All fields as a table in Markdown, for the documentation and for people."""
        rows = [
            f"| `{field.name}` | {_range(field)} | {field.low} to {field.high} | {field.meaning} |"
            for field in self.fields.values()
        ]
        return "\n".join(["| name | numbers | values | meaning |", "|---|---|---|---|", *rows])

    def _add(self, name: str, width: int, low: int, high: int, meaning: str, *, lines: int = 0) -> None:
        shape = (lines, width) if lines else (width,)
        self.fields[name] = Field(name, self.size, shape, low, high, meaning, width)
        self.size += width * max(1, lines)

    def _add_turn(self) -> None:
        phases = "1 in the white action, else 0", "1 in the colour action (when cards are played), else 0"
        for name, meaning in zip(("white", "colour"), phases, strict=True):
            self._add(name, 1, 0, 1, meaning)
        self._add("active", self.players, 0, 1, "1 for the active player, the observing player first; else 0")
        self._add("marked", 1, 0, 1, "1 in the colour action if the active player marked in the white action")
        if cards := self.variant.cards:
            self._add("number", 1, 0, cards.highest, "the number on top of the pile, 0 if it is empty")
            self._add("take", 1, 0, 1, "1 while the active player takes cards, else 0")
        else:
            meaning = "the white sum; 0 before the roll and after the game"
            self._add("number", 1, 0, self.variant.highest_white_sum, meaning)
            dice = "white, white, red, yellow, green, blue"
            meaning = f"{dice}; 0 before the roll, after the game, and for a die that has left it"
            self._add("dice", kernel.DICE_COUNT, 0, max(self.variant.dice), meaning)

    def _add_cards(self) -> None:
        cards = self.variant.cards
        assert cards
        deck = len(cards.deck(self.jokers))
        order = f"by colour ({', '.join(CARD_COLOURS[: deck // cards.numbers])}), then by number from {cards.lowest}"
        self._add("pile", 1, 0, deck, "cards left in the pile")
        self._add("display", kernel.DISPLAYED, 0, cards.highest, "the number on the back of each card on display, or 0")
        self._add("hand", deck, 0, 1, f"1 for each card of the own hand, {order}")
        self._add("discards", deck, 0, 1, f"1 for each card played since the last shuffle, {order}")
        meaning = f"how many cards of each hand have a number on their backs, from {cards.lowest}"
        self._add("backs", cards.numbers, 0, kernel.HAND_FULL, meaning, lines=self.players)

    def _add_sheets(self) -> None:
        tables, variant = self.variant.tables, self.variant
        begin, before = self.size, set(self.fields)
        rows = kernel.ROWS + tables[kernel.T_FIELDS]
        cells = [tables[kernel.T_CELLS + row] for row in range(rows)]
        names = ", ".join(row.name for row in variant.rows + variant.fields)
        self._add("marks", sum(cells), 0, 1, f"1 for each marked cell, row by row ({names}), from the left")
        self._add("next", rows, 0, max(cells), "of each row, the leftmost place still open; its length if it is closed")
        included = "the lock and second boxes" if variant.second else "the lock"
        self._add("counts", rows, 0, max(variant.most_marks), f"marks of each row, {included} included")
        self._add("locks", kernel.ROWS, 0, 1, "1 for each row that this player has locked")
        self._add("misthrows", 1, 0, variant.misthrows_to_end, "misthrows")
        self._add("points", 1, variant.lowest_total, variant.highest_total, "the points of the sheet so far")
        if tables[kernel.T_CHAINS]:
            self._add("bar", 1, 0, kernel.MAX_BAR, "boxes of the bonus bar that are used up or struck out")
            meaning = "1 for each complete pair: fewest, each, double, points, shield"
            self._add("pairs", kernel.BAR - kernel.FEWEST, 0, 1, meaning)
        if tables[kernel.T_LUCKY]:
            self._add("lucky", 2, 0, variant.highest_white_sum, "the lower and the higher lucky number")
        if tables[kernel.T_SHEETS] > 1:
            self._add(
                "kind", tables[kernel.T_SHEETS], 0, 1, f"1 for the kind of sheet: {', '.join(variant.sheet_letters)}"
            )
        if tables[kernel.T_SWAPS]:
            self._add("swaps", tables[kernel.T_SWAPS], 0, 1, "1 for each swap field that is used")
        if tables[kernel.T_SECOND]:
            self._add("seconds", sum(cells[: kernel.ROWS]), 0, 1, "1 for each second box that is marked, as `marks`")
        # So far one sheet. Every player has one, so each field of a sheet has a line per player.
        stride = self.size - begin
        for name in set(self.fields) - before:
            field = self.fields[name]
            self.fields[name] = field._replace(shape=(self.players, *field.shape), stride=stride)
        self.size = begin + self.players * stride


def action_codes(setup: Setup) -> list[int]:
    """The kernel's codes of all actions that can occur in a game, in ascending order."""
    variant, tables = setup.variant, setup.variant.tables
    rows = range(kernel.ROWS)
    codes = [
        kernel.CELL + row * kernel.MAX_CELLS + cell for row in rows for cell in range(tables[kernel.T_CELLS + row])
    ]
    if tables[kernel.T_LUCKY]:
        codes += [kernel.LUCKY + row for row in rows]
    codes += [kernel.SWAP + index for index in range(2 * kernel.ROWS * tables[kernel.T_SWAPS])]
    if tables[kernel.T_BONUS + kernel.FEWEST]:  # only for this bonus do players pick rows
        codes += [code + kernel.PICK * (row + 1) for code in codes for row in rows]
    for field in range(tables[kernel.T_FIELDS]):
        cells = range(tables[kernel.T_CELLS + kernel.ROWS + field])
        codes += [kernel.FIELD + field * kernel.MAX_CELLS + cell for cell in cells]
    if tables[kernel.T_SECOND]:
        codes += [kernel.SECOND + row for row in rows]
    if variant.cards:
        taken = [places for places in range(1, 1 << kernel.DISPLAYED) if places.bit_count() <= kernel.MOST_PLAYED]
        codes += [kernel.TAKE_CARDS + places for places in taken]  # those that fill a hand up after a play
        codes += [
            kernel.play_action(played, marking, colour)
            for colour in rows
            for played in range(1, 1 << kernel.HAND_FULL)
            for marking in range(played + 1)
            if played.bit_count() <= kernel.MOST_PLAYED and marking & ~played == 0
        ]
    return sorted([kernel.PASS, *codes])


def _places(bits: int) -> str:
    """The places of a bit set, counted from 1."""
    return "+".join(str(place + 1) for place in range(bits.bit_length()) if bits >> place & 1)


def _range(field: Field) -> str:
    """The indices of a field, those of a line of each player if they are apart."""
    width = field.shape[-1]
    lines = field.shape[0] if len(field.shape) > 1 else 1
    first = f"{field.begin}" if width == 1 else f"{field.begin} to {field.begin + width - 1}"
    return first if lines == 1 else f"{first}, + {field.stride} for each further player"
