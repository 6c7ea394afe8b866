"""Sheets, dice, cards and scores as Rich renderables.

They read well in colour, without it and in plain ASCII, and from 40 columns on.
"""

import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rowlock.locale import n, own, t
from rowlock.rules import kernel
from rowlock.rules.cards import HIDDEN
from rowlock.rules.game import View
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import ROW_NAMES, Row, Setup, Variant
from rowlock.terminal import words

# Text and background of a row, and the background of what is used up in it.
PAINT = {
    "R": ("#ffffff", "#c62828", "#571818"),
    "Y": ("#221b00", "#f2c21a", "#5c4a0c"),
    "G": ("#ffffff", "#1b8a2f", "#153b18"),
    "B": ("#ffffff", "#1f5fbf", "#12305e"),
}
FADED = "#8a8a8a"
WHITE, JOKER = "bold #000000 on #e8e8e8", "bold #ffffff on #7b3fa0"
PIPS = {1: "    ●    ", 2: "●       ●", 3: "●   ●   ●", 4: "● ●   ● ●", 5: "● ● ● ● ●", 6: "● ●● ●● ●"}
PAIR_SIGNS = {"fewest": "○o", "each": "◇%", "double": "□=", "points": "△$", "shield": "☆*"}
INDENT = 4
NARROW = 60  # columns of a terminal in which tables of words become lists


@dataclass(frozen=True)
class Look:
    """What a terminal can show."""

    colour: bool
    unicode: bool
    width: int = 80

    @classmethod
    def of(cls, console: Console) -> "Look":
        colour = console.color_system is not None and not console.no_color
        return cls(colour, not console.options.ascii_only, console.width)

    def sign(self, both: str) -> str:
        """One of two characters: the second where there is only ASCII."""
        return both[0] if self.unicode else both[1]


def _line(*parts: str | tuple[str, str] | Text) -> Text:
    return Text.assemble(*parts, no_wrap=True, overflow="ignore")


def folded(parts: Iterable[Text], width: int, gap: str = "   ", indent: str = "  ") -> list[Text]:
    """Parts side by side, in as many lines as that takes: lines break between parts only."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(gap) + part.cell_len <= width:
            lines[-1].append(gap).append_text(part)
        else:
            lines.append(_line(indent if lines else "", part))
    return lines


# Sheets


class _Row(NamedTuple):
    """A row of a sheet in parts, so that a narrow terminal gets it in pieces."""

    label: Text
    cells: list[Text]
    end: Text

    def lines(self, width: int) -> list[Text]:
        """The row in one line, or in as few as it takes, all about as long."""
        for count in range(1, len(self.cells) + 1):
            size = -(-len(self.cells) // count)
            pieces = [self.cells[at : at + size] for at in range(0, len(self.cells), size)]
            labels = [self.label] + [Text(" " * self.label.cell_len)] * (len(pieces) - 1)
            found = [_line(label, *piece) for label, piece in zip(labels, pieces, strict=True)]
            found[-1].append_text(self.end)
            if _width(found) <= width:
                break
        return found


def sheet_lines(sheet: Sheet, look: Look, *, legal: Collection[str] = (), points: bool = True) -> list[Text]:
    """The rows of a sheet with what is marked, lost and legal, bonus fields in their places, then the bonuses."""
    rows = list(_rows(sheet, look, legal, points=points, tight=False))
    if max(_width(row.lines(sys.maxsize)) for row in rows) > look.width:
        rows = list(_rows(sheet, look, legal, points=points, tight=True))
    return [
        *(line for row in rows for line in row.lines(look.width)),
        *(folded(_bar(sheet, look), look.width, " ", "   ") if sheet.variant.bar else []),
        *(folded(_pairs(sheet, look), look.width, " ", "   ") if sheet.variant.pairs else []),
    ]


def _rows(sheet: Sheet, look: Look, legal: Collection[str], *, points: bool, tight: bool) -> Iterator[_Row]:
    """Every row, and below it the bonus fields that begin with it; tight ones have no space to spare."""
    tails = _tails(sheet.variant, look, "" if tight else " ")
    for row in sheet.variant.rows:
        end = _lock(sheet, row.name, look, tight)
        if points:
            end.append(f"{sheet.points[row.name]:>{3 if tight else 4}}")
        label = f"{row.name} " if tight else f" {row.name} "
        yield _Row(Text(label, _style(row.name, "open", look)), _cells(sheet, row, look, legal, tails), end)
        for field in sheet.variant.fields:
            if field.name[0] == row.name:
                label = field.name if tight else f"{field.name} "
                yield _Row(Text(label, "bold"), _field_cells(sheet, field, look, legal, tails), Text())


def _lock(sheet: Sheet, name: str, look: Look, tight: bool) -> Text:
    state = "marked" if name in sheet.locks else "lost" if name in sheet.closed else "open"
    sign = {"marked": "X", "lost": look.sign("·.")}.get(state, "#")
    return Text(sign if tight else f" {sign} ", _style(name, state, look))


def _tails(variant: Variant, look: Look, blank: str) -> dict[str, str]:
    """What stands behind the number of each cell: its colour where none can be shown, bonus boxes."""
    signs = {box: look.sign(PAIR_SIGNS[pair.gives]) for pair in variant.pairs for box in pair.boxes}
    letters = _needs_letters(variant, look)
    tails = {}
    for row in variant.rows:
        for number, colour in zip(row.numbers, row.colours, strict=True):
            name = f"{row.name}{number}"
            tail = colour.lower() if letters else ""
            tail += ("+" if name in variant.bar_boxes else " ") if variant.bar else ""
            tail += signs.get(name, " ") if variant.pairs else ""
            tails[name] = tail or blank
    return tails


def _needs_letters(variant: Variant, look: Look) -> bool:
    return words.is_mixed(variant) and not look.colour


def _cells(sheet: Sheet, row: Row, look: Look, legal: Collection[str], tails: dict[str, str]) -> list[Text]:
    cells = []
    for place, (number, colour, found) in enumerate(zip(row.numbers, row.colours, sheet.cells[row.name], strict=True)):
        name = f"{row.name}{number}"
        state, tail = _drawn_as(name, found, legal), tails[name]
        if state in ("marked", "lost") and _needs_letters(sheet.variant, look):
            tail = " " + tail[1:]  # its colour matters no more
        stroke = look.sign("│|") if place == len(row) - sheet.variant.closing else ""
        cell = _cell(number, state, look, tail), _style(colour, state, look)
        cells.append(_line((stroke, _style(row.name, "open", look)), cell))
    return cells


def _field_cells(sheet: Sheet, field: Row, look: Look, legal: Collection[str], tails: dict[str, str]) -> list[Text]:
    beside = sheet.variant.rows[ROW_NAMES.index(field.name[0])]
    width = len(next(iter(tails.values())))
    cells = []
    for place, (number, found) in enumerate(zip(field.numbers, sheet.cells[field.name], strict=True)):
        # In line with the rows, where a stroke stands before the closing cells.
        space = " " if place == len(beside) - sheet.variant.closing else ""
        state = _drawn_as(f"{field.name}{number}", found, legal)
        text = _cell(number, state, look, f"{')':{width}}" if width else "")
        cells.append(_line(space, (text if state == "legal" else "(" + text[1:], _style("", state, look))))
    return cells


def _drawn_as(name: str, state: str, legal: Collection[str]) -> str:
    """How a cell is drawn: as its state, but what is closed and what is lost look the same."""
    return "legal" if name in legal else "lost" if state == "closed" else state


def _cell(number: int, state: str, look: Look, tail: str) -> str:
    shown = str(number)
    if state == "marked":
        shown = "X"
    elif state == "lost" and not look.colour:
        shown = look.sign("·.")
    arrow = look.sign("▸>") if state == "legal" else ""  # close to its number
    return f"{arrow + shown:>3}{tail}"


def _style(name: str, state: str, look: Look) -> str:
    if not look.colour:
        return {"lost": "dim", "open": ""}.get(state, "bold")
    if state == "legal":
        return "bold #000000 on #ffffff"
    text, ground, used = PAINT.get(name, ("default", "default", "default"))
    if state == "open":
        return f"bold {text} on {ground}"
    if state == "marked":
        return f"bold #ffffff on {used}" if name else "bold"
    return f"{FADED} on {used}"


def _bar(sheet: Sheet, look: Look) -> Iterator[Text]:
    yield Text(" + ", "bold")
    for name, box in zip(sheet.variant.bar, sheet.bar, strict=True):
        state = {"used": "marked", "struck": "lost", "free": "open"}[box]
        sign = {"used": "X", "struck": look.sign("·.")}.get(box, name)
        yield Text(f" {sign} ", _style(name, state, look))


def _pairs(sheet: Sheet, look: Look) -> Iterator[Text]:
    yield Text("  ")
    for pair in sheet.variant.pairs:
        done = pair.name in sheet.pairs
        sign, check = look.sign(PAIR_SIGNS[pair.gives]), f" {look.sign('✓!')}" if done else ""
        yield Text(f" {sign} {' '.join(pair.boxes)}{check}", "bold" if done else "")


def misthrows(count: int, look: Look) -> str:
    crossed, free = ("☒", "☐") if look.unicode else ("[X]", "[ ]")
    return crossed * count + free * (kernel.MISTHROWS_TO_END - count)


def sheet_title(name: str, sheet: Sheet, look: Look, *, active: bool = False) -> list[Text]:
    """Whose sheet it is, with everything that stands outside the rows."""
    parts = [Text(name, "bold underline" if active else "bold")]
    if sheet.lucky:
        lucky = t("terminal.lucky", low=sheet.lucky[0], high=sheet.lucky[1])
        parts.append(Text(lucky, "bold magenta" if look.colour else ""))
    parts.append(Text(f"{t('terminal.misthrows')} {misthrows(sheet.misthrows, look)}"))
    return folded([*parts, Text(_total(sheet))], look.width)


def sheet_summary(name: str, sheet: Sheet, look: Look, widest: int) -> list[Text]:
    """A sheet in one line, in notation, or more where a narrow terminal wraps it."""
    parts = [Text(name + " " * (min(widest, look.width // 3) - cell_len(name)), "bold")]
    for part in str(sheet).split(" "):
        is_row = part[0] in ROW_NAMES and part[1] not in ROW_NAMES
        parts.append(Text(part, _style(part[0], "open", look) if is_row and look.colour else ""))
    return folded([*parts, Text(f" {_total(sheet)}")], look.width, " ")


def _total(sheet: Sheet) -> str:
    return f"{t('terminal.total')} {sheet.total}"


def sheets_of(view: View, look: Look, *, brief: bool) -> RenderableType:
    """Everybody's sheet, the seat's own last and with its legal cells; others side by side where there is room."""
    legal = {name for option in view.options for name in words.cells_of(option)}
    blocks = []
    for seat in _others_first(view):
        name, sheet = view.players[seat], view.sheets[seat]
        if brief and seat != view.seat:
            blocks.append(sheet_summary(name, sheet, look, max(map(cell_len, view.players))))
        else:
            title = sheet_title(name, sheet, look, active=seat == view.active)
            blocks.append([*title, *sheet_lines(sheet, look, legal=legal if seat == view.seat else ())])
    own = [blocks.pop()] if view.seat is not None else []
    across = 1 if brief else max(1, look.width // (max(_width(lines) for lines in blocks or own) + INDENT))
    return Group(*_rows_of_blocks(blocks, across), *_rows_of_blocks(own, 1))


def _others_first(view: View) -> list[int]:
    return sorted(range(len(view.players)), key=lambda seat: (seat == view.seat, seat))


def _width(lines: Sequence[Text]) -> int:
    return max(line.cell_len for line in lines)


def _rows_of_blocks(blocks: Sequence[list[Text]], across: int) -> Iterator[RenderableType]:
    for start in range(0, len(blocks), across):
        table = Table.grid(padding=(0, INDENT, 0, 0))
        table.add_row(*(Group(*lines) for lines in blocks[start : start + across]))
        yield table if across > 1 else Group(*blocks[start])


# Dice


def dice(view: View, look: Look, *, tall: bool) -> RenderableType:
    """The dice as they fell and the white sum."""
    whites, coloured = words.white_dice(view), words.coloured_dice(view)
    shown = [("", whites[0]), ("", whites[1]), *coloured.items()]
    total = Text(t("terminal.white-dice", a=whites[0], b=whites[1], sum=sum(whites)), "bold")
    if not look.colour or not look.unicode:
        rest = "   ".join(f"{name} {look.sign('·.') if face is None else face}" for name, face in coloured.items())
        return Group(*folded([total, Text(rest)], look.width, "      "))
    lines = [_line() for _ in range(3)]
    pips = max(view.variant.dice) <= len(PIPS)
    for place, (name, face) in enumerate(shown):
        for line, text in zip(lines, _die(face, pips=pips), strict=True):
            line.append("    " if place == 2 else "  ")
            line.append(text, _die_style(name, face))
    lines[1].append("    ").append_text(total)
    if tall and _width(lines) <= look.width:
        return Group(*lines)
    low = _line()
    for place, (name, face) in enumerate(shown):
        low.append("   " if place == 2 else " ")
        low.append(f" {face or '·'} ", _die_style(name, face))
    return Group(*folded([low, total], look.width, indent=" "))


def _die(face: int | None, *, pips: bool) -> list[str]:
    if face is None:
        return [" " * 7, "   ·   ", " " * 7]
    if not pips:
        return [" " * 7, f"   {face}   ", " " * 7]
    return [f" {' '.join(PIPS[face][start : start + 3])} " for start in (0, 3, 6)]


def _die_style(name: str, face: int | None) -> str:
    if face is None:
        return FADED
    return f"bold {PAINT[name][0]} on {PAINT[name][1]}" if name else WHITE


# Cards


def cards_on_table(view: View, look: Look) -> RenderableType:
    """The display, the pile and the discards, then what others hold: numbers, as everybody sees them."""
    assert view.cards
    top = [] if view.cards.top is None else [f"{HIDDEN}{view.cards.top}"]
    left = f"  {n('terminal.cards', view.cards.pile)}"
    display, pile = (
        _line(*_held(t(whose), names, look))
        for whose, names in (("terminal.display", view.cards.display), ("terminal.pile", top))
    )
    hands = [
        folded(_held(name, view.cards.hands[seat], look), look.width, "")
        for seat, name in enumerate(view.players)
        if seat != view.seat
    ]
    across = look.width // (max(map(_width, hands), default=0) + INDENT)
    return Group(
        *folded([display, pile.append(left)], look.width, "    "),
        *_discards(view.cards.discards, look),
        *_rows_of_blocks(hands, max(1, across)),
    )


def hand(view: View, look: Look) -> RenderableType:
    """The cards of the seat that looks."""
    assert view.cards
    assert view.seat is not None
    return Group(*folded(_held(t("terminal.hand"), view.cards.hands[view.seat], look), look.width, ""))


def _held(whose: str, names: Iterable[str], look: Look) -> Iterator[Text]:
    """Whose cards they are, then one by one: open ones by their name, others by the number on their back."""
    yield Text(f"{whose} ", "bold")
    for name in names:
        number = name.strip(HIDDEN + "'")
        if look.colour:
            yield _line(" ", (f" {number} ", _card_style(name)))
        else:
            yield Text(f" [{number}]" if name.startswith(HIDDEN) else f" {name}")


def _discards(names: Iterable[str], look: Look) -> Iterator[Text]:
    """Many cards in little room: `r3,8,11 y5`."""
    line = Text.assemble((f"{t('terminal.discards')} ", "bold"))
    for colour, cards in groupby(names, key=lambda name: name[0]):
        line.append(" ")
        line.append(colour + ",".join(card[1:] for card in cards), _card_style(colour) if look.colour else "")
    if names:
        yield line


def _card_style(name: str) -> str:
    return WHITE if name[0] == HIDDEN else JOKER if name[0] == "j" else _die_style(name[0].upper(), 1)


# Variants


def variant_sheet(setup: Setup, look: Look) -> RenderableType:
    """A variant's empty sheet with the points table and what is to be known about the game."""
    variant = setup.variant
    title = Text.assemble((words.name_of(setup), "bold"), f" ({setup})")
    about = Text(own(variant.about))
    off = t("terminal.points-off", cost=kernel.MISTHROW_COST)
    boxes = [_line((f"{t('terminal.misthrows')} ", "bold"), misthrows(0, look)), Text(off)]
    above = [title, about, Text(), *sheet_lines(Sheet(variant), look, points=False), *folded(boxes, look.width, "  ")]
    return Group(*above, Text(), *_points_table(variant, look), Text(), _rules(setup, look))


def _rules(setup: Setup, look: Look) -> RenderableType:
    if look.width < NARROW:
        return Group(*(Text.assemble((heading, "bold"), f"  {text}") for heading, text in words.rules_of(setup)))
    rules = Table.grid(padding=(0, 2, 0, 0))
    rules.add_column(style="bold", no_wrap=True)
    rules.add_column(overflow="fold")
    for heading, sentence in words.rules_of(setup):
        rules.add_row(heading, Text(sentence))
    return rules


def _points_table(variant: Variant, look: Look) -> Iterator[Text]:
    marks = range(1, min(max(variant.most_marks), variant.cap) + 1)
    size = max(1, (look.width - 10) // 4)  # columns, after the headings
    for start in range(0, len(marks), size):
        some = marks[start : start + size]
        rows = (("rules.marks", some), ("rules.points", [variant.row_points(count) for count in some]))
        for head, values in rows:
            yield _line((f"{t(head):10}", "bold"), " ".join(f"{value:>3}" for value in values))


def variant_list(variants: Sequence[Variant], width: int | None) -> RenderableType:
    """The games, one line each, or more where a terminal of that width wraps it."""
    if width is not None and width < NARROW:
        return Group(*(Text.assemble((one.id, "bold"), f"  {own(one.name)}: {own(one.about)}") for one in variants))
    if width is None:
        widths = [max(len(one.id) for one in variants), max(len(own(one.name)) for one in variants)]
        return Group(
            *(_line(f"{one.id:<{widths[0]}}  {own(one.name):<{widths[1]}}  {own(one.about)}") for one in variants)
        )
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for variant in variants:
        table.add_row(variant.id, Text(own(variant.name)), Text(own(variant.about)))
    return table


# Scores


def scores(players: Sequence[str], sheets: Sequence[Sheet], look: Look) -> RenderableType:
    """The score table, row by row."""
    columns = words.score_columns(sheets[0].variant, sheets)
    if max(map(cell_len, players)) + sum(cell_len(head) + 4 for head, _ in columns) > look.width:
        return Group(*(line for seat, name in enumerate(players) for line in _score_lines(name, seat, columns, look)))
    table = Table.grid(padding=(0, 1))
    for place in range(len(columns) + 1):
        table.add_column(justify="right" if place else "left", no_wrap=True)
    heads = [Text(f" {name} ", _style(name, "open", look) if name in PAINT else "bold") for name, _ in columns]
    table.add_row("", *heads)
    for seat, name in enumerate(players):
        points = [Text(str(values[seat])) for _, values in columns]
        points[-1].stylize("bold")
        table.add_row(Text(name, "bold"), *points)
    return table


def _score_lines(name: str, seat: int, columns: Sequence[tuple[str, list[int]]], look: Look) -> list[Text]:
    """What a player has, below the name."""
    parts = []
    for head, values in columns:
        style = _style(head, "open", look) if head in PAINT else ""
        parts.append(_line((f" {head} " if style else head, style), f" {values[seat]}"))
    parts[-1].stylize("bold")
    return [Text(name, "bold"), *folded([Text(" "), *parts], look.width, " ", "  ")]
