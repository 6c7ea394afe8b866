"""Sheets, dice, cards and scores as Rich renderables.

They are readable in colour, without colour and in plain ASCII, and need at least 40 columns.
"""

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rowlock.locale import capitalize, localized, n, t
from rowlock.rules.cards import HIDDEN
from rowlock.rules.game import View
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import ROW_NAMES, Row, Setup, Variant
from rowlock.terminal import words

# By row: the colours of the text, of the background, and of the background of marked and lost cells.
ROW_COLOURS = {
    "R": ("#ffffff", "#c62828", "#571818"),
    "Y": ("#221b00", "#f2c21a", "#5c4a0c"),
    "G": ("#ffffff", "#1b8a2f", "#153b18"),
    "B": ("#ffffff", "#1f5fbf", "#12305e"),
}
GREY = "#8a8a8a"
# Rich styles of white dice and face-down cards, and of jokers.
WHITE, JOKER = "bold #000000 on #e8e8e8", "bold #ffffff on #7b3fa0"
# By face of a die: its nine places for pips, from the top left to the bottom right.
PIPS = {1: "    ●    ", 2: "●       ●", 3: "●   ●   ●", 4: "● ●   ● ●", 5: "● ● ● ● ●", 6: "● ●● ●● ●"}
# By what a pair of bonus boxes gives: the symbol of its boxes in Unicode, and in ASCII.
BOX_SYMBOLS = {"fewest": "○o", "each": "◇%", "double": "□=", "points": "△$", "shield": "☆*"}
STEP = "◣/"  # the symbol of a step, in Unicode and in ASCII
# The second box of the rightmost mark, which can still be marked, and one that is marked.
FREE_BOX, MARKED_BOX = "□o", "■*"
COLUMN_GAP = 4  # columns between sheets that are side by side
NARROW = 60  # a terminal with fewer columns shows lists instead of tables of text


@dataclass(frozen=True)
class Terminal:
    """What a terminal can show."""

    colour: bool
    unicode: bool
    width: int = 80

    @classmethod
    def of(cls, console: Console) -> "Terminal":
        colour = console.color_system is not None and not console.no_color
        return cls(colour, not console.options.ascii_only, console.width)

    def symbol(self, characters: str) -> str:
        """The first of two characters, or the second if the terminal is limited to ASCII."""
        return characters[0] if self.unicode else characters[1]


def _line(*parts: str | tuple[str, str] | Text) -> Text:
    return Text.assemble(*parts, no_wrap=True, overflow="ignore")


def wrap_parts(parts: Iterable[Text], width: int, gap: str = "   ", indent: str = "  ") -> list[Text]:
    """Join parts to lines of at most `width` columns; a line breaks only between two parts."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(gap) + part.cell_len <= width:
            lines[-1].append(gap).append_text(part)
        else:
            lines.append(_line(indent if lines else "", part))
    return lines


# Sheets


class _Parts(NamedTuple):
    """The parts of a row of a sheet, from which one or several lines are made."""

    label: Text
    cells: Sequence[Text]
    end: Text

    def lines(self, width: int) -> list[Text]:
        """The row in as few lines as possible, all of about the same length."""
        for line_count in range(1, len(self.cells) + 1):
            line_cells = -(-len(self.cells) // line_count)  # cells in a line, rounded up
            pieces = [self.cells[start : start + line_cells] for start in range(0, len(self.cells), line_cells)]
            labels = [self.label] + [Text(" " * self.label.cell_len)] * (len(pieces) - 1)
            lines = [_line(label, *piece) for label, piece in zip(labels, pieces, strict=True)]
            lines[-1].append_text(self.end)
            if _width(lines) <= width:
                break
        return lines


def sheet_lines(sheet: Sheet, terminal: Terminal, *, legal: Collection[str] = (), points: bool = True) -> list[Text]:
    """The lines of a sheet: its rows and bonus fields, then those of its effects, such as the bonus bar.

    `legal` names cells and swap fields.
    """
    rows = list(_rows(sheet, terminal, legal, points=points, compact=False))
    if max(_width(row.lines(sys.maxsize)) for row in rows) > terminal.width:
        rows = list(_rows(sheet, terminal, legal, points=points, compact=True))
    lines = [line for row in rows for line in row.lines(terminal.width)]
    for effect, parts in EFFECT_LINES.items():
        if effect in sheet.variant.effects:
            lines += wrap_parts(parts(sheet, terminal, legal), terminal.width, " ", "   ")
    return lines


def _rows(sheet: Sheet, terminal: Terminal, legal: Collection[str], *, points: bool, compact: bool) -> Iterator[_Parts]:
    """Every row, each followed by the bonus fields below it; compact rows have no padding."""
    suffixes = _suffixes(sheet, terminal, "" if compact else " ")
    for row in sheet.variant.rows:
        end = _lock_cell(sheet, row.name, terminal, compact)
        if points:
            end.append(f"{sheet.points[row.name]:>{3 if compact else 4}}")
        label = Text(f"{row.name} " if compact else f" {row.name} ", _style(row.name, "open", terminal))
        yield _Parts(label, [*_cells(sheet, row, terminal, legal, suffixes)], end)
        for field in sheet.variant.fields:
            if field.name[0] == row.name:
                label = Text(field.name if compact else f"{field.name} ", "bold")
                yield _Parts(label, [*_field_cells(sheet, field, terminal, legal, suffixes)], Text())


def _lock_cell(sheet: Sheet, name: str, terminal: Terminal, compact: bool) -> Text:
    state = "marked" if name in sheet.locks else "lost" if name in sheet.closed else "open"
    symbol = {"marked": "X", "lost": terminal.symbol("·.")}.get(state, "#")
    return Text(symbol if compact else f" {symbol} ", _style(name, state, terminal))


def _suffixes(sheet: Sheet, terminal: Terminal, blank: str) -> dict[str, str]:
    """The characters after a cell's number, by cell: its colour if the terminal shows none, and the signs of effects.

    `blank` is used in variants whose cells have neither.
    """
    variant = sheet.variant
    signs = [find(sheet, terminal) for effect, find in EFFECT_SIGNS.items() if effect in variant.effects]
    needs_letters = _needs_letters(variant, terminal)
    suffixes = {}
    for row in variant.rows:
        for number, colour in zip(row.numbers, row.colours, strict=True):
            name = f"{row.name}{number}"
            suffix = colour.lower() if needs_letters else ""
            suffixes[name] = suffix + "".join(sign.get(name, " ") for sign in signs) or blank
    return suffixes


def _joined_signs(sheet: Sheet, terminal: Terminal) -> dict[str, str]:
    """The same letter for both cells of a pair."""
    return {cell: chr(ord("a") + i) for i, pair in enumerate(sheet.joined) for cell in pair}


def _second_signs(sheet: Sheet, terminal: Terminal) -> dict[str, str]:
    free = {f"{name}{number}": terminal.symbol(FREE_BOX) for name, number in sheet.second_free.items()}
    second = sheet.second.items()
    return free | {f"{name}{number}": terminal.symbol(MARKED_BOX) for name, numbers in second for number in numbers}


# By effect: the signs after the numbers of cells. Cells without a sign have a space there.
EFFECT_SIGNS: dict[str, Callable[[Sheet, Terminal], Mapping[str, str]]] = {
    "bar": lambda sheet, terminal: dict.fromkeys(sheet.variant.bar_boxes, "+"),
    "pairs": lambda sheet, terminal: {
        box: terminal.symbol(BOX_SYMBOLS[pair.gives]) for pair in sheet.variant.pairs for box in pair.boxes
    },
    "steps": lambda sheet, terminal: dict.fromkeys(sheet.steps, terminal.symbol(STEP)),
    "joined": _joined_signs,
    "second": _second_signs,
}


def _needs_letters(variant: Variant, terminal: Terminal) -> bool:
    """Whether the colours of cells must be written as letters, because the terminal does not show them."""
    return words.is_mixed(variant) and not terminal.colour


def _cells(
    sheet: Sheet, row: Row, terminal: Terminal, legal: Collection[str], suffixes: dict[str, str]
) -> Iterator[Text]:
    cells = zip(row.numbers, row.colours, sheet.cells[row.name], strict=True)
    for index, (number, colour, cell_state) in enumerate(cells):
        name = f"{row.name}{number}"
        state, suffix = _display_state(name, cell_state, legal), suffixes[name]
        if state in ("marked", "lost") and _needs_letters(sheet.variant, terminal):
            suffix = " " + suffix[1:]  # the colour no longer matters
        divider = terminal.symbol("│|") if index == sheet.variant.before_closing(row) else ""
        cell = _cell(number, state, terminal, suffix), _style(colour, state, terminal)
        yield _line((divider, _style(row.name, "open", terminal)), cell)


def _field_cells(
    sheet: Sheet, field: Row, terminal: Terminal, legal: Collection[str], suffixes: dict[str, str]
) -> Iterator[Text]:
    """The cells of bonus fields: `( 5)`, or `( 5` without padding; a legal one has an arrow instead of the `(`."""
    row = sheet.variant.rows[ROW_NAMES.index(field.name[0])]
    suffix_width = len(next(iter(suffixes.values())))  # the same for all cells
    for index, (number, cell_state) in enumerate(zip(field.numbers, sheet.cells[field.name], strict=True)):
        # Aligned with the rows, which have a divider before the closing cells.
        space = " " if index == sheet.variant.before_closing(row) else ""
        state = _display_state(f"{field.name}{number}", cell_state, legal)
        text = _cell(number, state, terminal, f"{')':{suffix_width}}" if suffix_width else "")
        yield _line(space, (text if state == "legal" else "(" + text[1:], _style("", state, terminal)))


def _display_state(name: str, state: str, legal: Collection[str]) -> str:
    """The state for drawing a cell; closed cells are drawn like lost ones."""
    return "legal" if name in legal else "lost" if state == "closed" else state


def _cell(number: int, state: str, terminal: Terminal, suffix: str) -> str:
    text = str(number)
    if state == "marked":
        text = "X"
    elif state == "lost" and not terminal.colour:
        text = terminal.symbol("·.")
    arrow = terminal.symbol("▸>") if state == "legal" else ""  # directly before the number
    return f"{arrow + text:>3}{suffix}"


def _style(name: str, state: str, terminal: Terminal) -> str:
    """The Rich style of a cell; `name` is the letter of its colour, or empty for a bonus field."""
    if not terminal.colour:
        return {"lost": "dim", "open": ""}.get(state, "bold")
    if state == "legal":
        return "bold #000000 on #ffffff"
    text, background, used_background = ROW_COLOURS.get(name, ("default", "default", "default"))
    if state == "open":
        return f"bold {text} on {background}"
    if state == "marked":
        return f"bold #ffffff on {used_background}" if name else "bold"
    return f"{GREY} on {used_background}"


def _bar_boxes(sheet: Sheet, terminal: Terminal, legal: Collection[str]) -> Iterator[Text]:
    yield Text(" + ", "bold")
    for name, box in zip(sheet.variant.bar, sheet.bar, strict=True):
        state = {"used": "marked", "struck": "lost", "free": "open"}[box]
        symbol = {"used": "X", "struck": terminal.symbol("·.")}.get(box, name)
        yield Text(f" {symbol} ", _style(name, state, terminal))


def _pairs(sheet: Sheet, terminal: Terminal, legal: Collection[str]) -> Iterator[Text]:
    yield Text("  ")
    for pair in sheet.variant.pairs:
        yield _pair(terminal.symbol(BOX_SYMBOLS[pair.gives]), pair.boxes, pair.name in sheet.pairs, terminal)


def _pair(sign: str, cells: Sequence[str], complete: bool, terminal: Terminal) -> Text:
    tick = f" {terminal.symbol('✓!')}" if complete else ""
    return Text(f" {sign} {' '.join(cells)}{tick}", "bold" if complete else "")


def _joined_pairs(sheet: Sheet, terminal: Terminal, legal: Collection[str]) -> Iterator[Text]:
    signs = _joined_signs(sheet, terminal)
    if signs:
        yield Text("  ")
    for pair in sheet.joined:
        row, number = sheet.variant.find_cell(pair[0])
        yield _pair(signs[pair[0]], pair, number in sheet.rows[row.name], terminal)


def _steps(sheet: Sheet, terminal: Terminal, legal: Collection[str]) -> Iterator[Text]:
    """How many steps are marked, and their points."""
    if not sheet.steps:
        return
    points = n("terminal.points", sheet.step_points)
    yield Text(f" {terminal.symbol(STEP)} ", "bold")
    yield Text(t("terminal.steps", marked=sheet.marked_steps, all=len(sheet.steps), points=points))


def _second_legend(sheet: Sheet, terminal: Terminal, legal: Collection[str]) -> Iterator[Text]:
    """The signs of second boxes."""
    free, marked = terminal.symbol(FREE_BOX), terminal.symbol(MARKED_BOX)
    yield Text("    " + t("terminal.second-signs", free=free, marked=marked))


def _swap_fields(sheet: Sheet, terminal: Terminal, legal: Collection[str]) -> Iterator[Text]:
    """The row of swap fields: `8/5`, ` X ` if it is used, and ` · ` if it is lost."""
    yield Text(" > ", "bold")
    for field, state in sheet.swap_fields:
        text = {"used": " X ", "lost": f" {terminal.symbol('·.')} "}.get(state, field)
        is_legal = field in legal
        arrow = terminal.symbol("▸>") if is_legal else " "
        style = "legal" if is_legal else {"used": "marked", "lost": "lost"}.get(state, "open")
        yield Text(f"{arrow}{text:<{len(field)}}", _style("", style, terminal))


# By effect, in the order in which they are drawn: the parts of the lines below the rows.
EFFECT_LINES: dict[str, Callable[[Sheet, Terminal, Collection[str]], Iterator[Text]]] = {
    "bar": _bar_boxes,
    "pairs": _pairs,
    "steps": _steps,
    "joined": _joined_pairs,
    "swaps": _swap_fields,
    "second": _second_legend,
}


def misthrow_boxes(count: int, most: int, terminal: Terminal) -> str:
    crossed, free = ("☒", "☐") if terminal.unicode else ("[X]", "[ ]")
    return crossed * count + free * (most - count)


def sheet_title(name: str, sheet: Sheet, terminal: Terminal, *, active: bool = False) -> list[Text]:
    """The lines above a sheet: the player's name, the sheet's letter, lucky numbers, misthrows and total."""
    parts = [Text(name, "bold underline" if active else "bold")]
    if sheet.letter:
        parts.append(Text(t("terminal.sheet", letter=sheet.letter)))
    if sheet.lucky:
        lucky = t("terminal.lucky", low=sheet.lucky[0], high=sheet.lucky[1])
        parts.append(Text(lucky, "bold magenta" if terminal.colour else ""))
    parts.append(
        Text(f"{t('terminal.misthrows')} {misthrow_boxes(sheet.misthrows, sheet.variant.misthrows_to_end, terminal)}")
    )
    return wrap_parts([*parts, Text(_total(sheet))], terminal.width)


def sheet_summary(name: str, sheet: Sheet, terminal: Terminal, widest: int) -> list[Text]:
    """A player's name and sheet in notation, wrapped to the terminal's width."""
    # The names are padded to the widest one, but not beyond a third of the terminal.
    parts = [Text(name + " " * (min(widest, terminal.width // 3) - cell_len(name)), "bold")]
    for part in str(sheet).split(" "):
        is_row = part[0] in ROW_NAMES and part[1] not in ROW_NAMES  # bonus fields have two letters: RY
        parts.append(Text(part, _style(part[0], "open", terminal) if is_row and terminal.colour else ""))
    return wrap_parts([*parts, Text(f" {_total(sheet)}")], terminal.width, " ")


def _total(sheet: Sheet) -> str:
    return f"{t('terminal.total')} {sheet.total}"


def sheets(view: View, terminal: Terminal, *, brief: bool) -> RenderableType:
    """All sheets, the viewer's own last, with what is legal there; if `brief`, the others are in notation."""
    legal = {name for option in view.options for name in words.places_of(view.variant, option)}
    blocks = []
    for seat in _others_first(view):
        name, sheet = view.players[seat], view.sheets[seat]
        if brief and seat != view.seat:
            blocks.append(sheet_summary(name, sheet, terminal, max(map(cell_len, view.players))))
        else:
            title = sheet_title(name, sheet, terminal, active=seat == view.active)
            blocks.append([*title, *sheet_lines(sheet, terminal, legal=legal if seat == view.seat else ())])
    own_block = [blocks.pop()] if view.seat is not None else []  # a viewer without a seat has none
    widest = max(_width(lines) for lines in blocks or own_block)
    columns = 1 if brief else max(1, terminal.width // (widest + COLUMN_GAP))
    return Group(*_side_by_side(blocks, columns), *_side_by_side(own_block, 1))


def _others_first(view: View) -> list[int]:
    return sorted(range(len(view.players)), key=lambda seat: (seat == view.seat, seat))


def _width(lines: Sequence[Text]) -> int:
    return max(line.cell_len for line in lines)


def _side_by_side(blocks: Sequence[list[Text]], columns: int) -> Iterator[RenderableType]:
    for start in range(0, len(blocks), columns):
        table = Table.grid(padding=(0, COLUMN_GAP, 0, 0))
        table.add_row(*(Group(*lines) for lines in blocks[start : start + columns]))
        yield table if columns > 1 else Group(*blocks[start])


# Dice


def dice(view: View, terminal: Terminal, *, tall: bool) -> RenderableType:
    """The rolled dice and the white sum."""
    whites, coloured = words.white_dice(view), words.coloured_dice(view)
    named_faces = [*(("", white) for white in whites), *coloured.items()]  # white dice have no name
    white_sum = Text(t("terminal.white-dice", a=whites[0], b=whites[1], sum=sum(whites)), "bold")
    if not terminal.colour or not terminal.unicode:
        removed = terminal.symbol("·.")
        coloured_text = "   ".join(f"{name} {removed if face is None else face}" for name, face in coloured.items())
        return Group(*wrap_parts([white_sum, Text(coloured_text)], terminal.width, "      "))
    lines = [_line() for _ in range(3)]
    has_pips = max(view.variant.dice) <= len(PIPS)  # dice with more faces show a number
    for index, (name, face) in enumerate(named_faces):
        for line, text in zip(lines, _die(face, pips=has_pips), strict=True):
            line.append("    " if index == len(whites) else "  ")  # a wider gap before the coloured dice
            line.append(text, _die_style(name, face))
    lines[1].append("    ").append_text(white_sum)
    if tall and _width(lines) <= terminal.width:
        return Group(*lines)
    line = _line()
    for index, (name, face) in enumerate(named_faces):
        line.append("   " if index == len(whites) else " ")
        line.append(f" {face or '·'} ", _die_style(name, face))
    return Group(*wrap_parts([line, white_sum], terminal.width, indent=" "))


def _die(face: int | None, *, pips: bool) -> list[str]:
    """The three lines of a die, of seven columns each."""
    if face is None:
        return [" " * 7, "   ·   ", " " * 7]
    if not pips:
        return [" " * 7, f"   {face}   ", " " * 7]
    return [f" {' '.join(PIPS[face][start : start + 3])} " for start in (0, 3, 6)]


def _die_style(name: str, face: int | None) -> str:
    if face is None:
        return GREY
    return f"bold {ROW_COLOURS[name][0]} on {ROW_COLOURS[name][1]}" if name else WHITE


# Cards


def cards_on_table(view: View, terminal: Terminal) -> RenderableType:
    """The display, the pile, the discards and the numbers on the cards in the other hands."""
    assert view.cards
    top = [] if view.cards.top is None else [f"{HIDDEN}{view.cards.top}"]
    cards_left = f"  {n('terminal.cards', view.cards.pile)}"
    display, pile = (
        _line(*_labelled_cards(t(label), names, terminal))
        for label, names in (("terminal.display", view.cards.display), ("terminal.pile", top))
    )
    hands = [
        wrap_parts(_labelled_cards(name, view.cards.hands[seat], terminal), terminal.width, "")
        for seat, name in enumerate(view.players)
        if seat != view.seat
    ]
    columns = terminal.width // (max(map(_width, hands), default=0) + COLUMN_GAP)
    return Group(
        *wrap_parts([display, pile.append(cards_left)], terminal.width, "    "),
        *_discards(view.cards.discards, terminal),
        *_side_by_side(hands, max(1, columns)),
    )


def hand(view: View, terminal: Terminal) -> RenderableType:
    """The cards in the viewer's own hand."""
    assert view.cards
    assert view.seat is not None
    cards = _labelled_cards(t("terminal.hand"), view.cards.hands[view.seat], terminal)
    return Group(*wrap_parts(cards, terminal.width, ""))


def _labelled_cards(label: str, names: Iterable[str], terminal: Terminal) -> Iterator[Text]:
    """A label, then each card: face-up cards by name, face-down cards by the number on the back."""
    yield Text(f"{label} ", "bold")
    for name in names:
        text = name.strip(HIDDEN + "'")  # the second of two face-down cards with a 9 is named ?9'
        if terminal.colour:
            yield _line(" ", (f" {text} ", _card_style(name)))
        else:
            yield Text(f" [{text}]" if name.startswith(HIDDEN) else f" {name}")


def _discards(names: Sequence[str], terminal: Terminal) -> Iterator[Text]:
    """A line with the discards grouped by colour, `r3,8,11 y5`; no line if there are none."""
    line = Text.assemble((f"{t('terminal.discards')} ", "bold"))
    for colour, cards in groupby(names, key=lambda name: name[0]):
        line.append(" ")
        line.append(colour + ",".join(card[1:] for card in cards), _card_style(colour) if terminal.colour else "")
    if names:
        yield line


def _card_style(name: str) -> str:
    if name[0] == HIDDEN:
        return WHITE
    return JOKER if name[0] == "j" else _die_style(name[0].upper(), face=1)  # all faces have the same style


# Variants


def variant_sheet(setup: Setup, terminal: Terminal) -> RenderableType:
    """A variant's empty sheet, its points table and its rules."""
    variant = setup.variant
    title = Text.assemble((words.setup_name(setup), "bold"), f" ({setup})")
    misthrow_cost = n("terminal.points-off", variant.misthrow_cost, cost=variant.misthrow_cost)
    empty_boxes = misthrow_boxes(0, variant.misthrows_to_end, terminal)
    boxes = [_line((f"{t('terminal.misthrows')} ", "bold"), empty_boxes), Text(misthrow_cost)]
    misthrows = wrap_parts(boxes, terminal.width, "  ")
    points = _points_table(variant, terminal)
    return Group(
        *(title, Text(localized(variant.about)), Text()),
        *(_sheet_kinds(variant, terminal) if variant.sheet_letters else _empty_lines(Sheet(variant), terminal)),
        *(*misthrows, Text(), *points, Text()),
        _rules(setup, terminal),
    )


def _empty_lines(sheet: Sheet, terminal: Terminal) -> list[Text]:
    return sheet_lines(sheet, terminal, points=False)


def _sheet_kinds(variant: Variant, terminal: Terminal) -> Iterator[RenderableType]:
    """Every kind of sheet, empty, below its letter."""
    sheets = [Sheet.empty(variant, letter) for letter in variant.sheet_letters]
    blocks = [
        [Text(capitalize(t("terminal.sheet", letter=sheet.letter)), "bold"), *_empty_lines(sheet, terminal)]
        for sheet in sheets
    ]
    yield from _side_by_side(blocks, max(1, terminal.width // (max(map(_width, blocks)) + COLUMN_GAP)))


def _rules(setup: Setup, terminal: Terminal) -> RenderableType:
    if terminal.width < NARROW:
        return Group(*(Text.assemble((heading, "bold"), f"  {text}") for heading, text in words.rule_texts(setup)))
    rules = Table.grid(padding=(0, 2, 0, 0))
    rules.add_column(style="bold", no_wrap=True)
    rules.add_column(overflow="fold")
    for heading, sentence in words.rule_texts(setup):
        rules.add_row(heading, Text(sentence))
    return rules


def _points_table(variant: Variant, terminal: Terminal) -> Iterator[Text]:
    marks = range(1, min(max(variant.most_marks), variant.cap) + 1)
    columns = max(1, (terminal.width - 10) // 4)  # after a heading of 10 characters, 4 for each value
    for start in range(0, len(marks), columns):
        shown = marks[start : start + columns]
        for heading, values in (("rules.marks", shown), ("rules.points", map(variant.row_points, shown))):
            yield _line((f"{t(heading):10}", "bold"), " ".join(f"{value:>3}" for value in values))


def variant_list(variants: Sequence[Variant], width: int | None) -> RenderableType:
    """A line for each variant, wrapped to `width` columns; not wrapped if it is None."""
    lines = [(variant.id, localized(variant.name), localized(variant.about)) for variant in variants]
    if width is None:
        id_width, name_width = max(len(id_) for id_, _, _ in lines), max(len(name) for _, name, _ in lines)
        return Group(*(_line(f"{id_:<{id_width}}  {name:<{name_width}}  {about}") for id_, name, about in lines))
    if width < NARROW:
        return Group(*(Text.assemble((id_, "bold"), f"  {name}: {about}") for id_, name, about in lines))
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column()
    for id_, name, about in lines:
        table.add_row(id_, Text(name), Text(about))
    return table


# Scores


def scores(players: Sequence[str], sheets: Sequence[Sheet], terminal: Terminal) -> RenderableType:
    """The score table: a line for each player, with a column for each row of the sheet."""
    columns = words.score_columns(sheets[0].variant, sheets)
    heading_widths = [cell_len(heading) + 4 for heading, _ in columns]  # with the spaces around it
    if max(map(cell_len, players)) + sum(heading_widths) > terminal.width:
        blocks = (_score_lines(name, seat, columns, terminal) for seat, name in enumerate(players))
        return Group(*(line for block in blocks for line in block))
    table = Table.grid(padding=(0, 1))
    for column in range(len(columns) + 1):
        table.add_column(justify="right" if column else "left", no_wrap=True)
    headings = [(name, _style(name, "open", terminal) if name in ROW_COLOURS else "bold") for name, _ in columns]
    table.add_row("", *(Text(f" {name} ", style) for name, style in headings))
    for seat, name in enumerate(players):
        points = [Text(str(values[seat])) for _, values in columns]
        points[-1].stylize("bold")
        table.add_row(Text(name, "bold"), *points)
    return table


def _score_lines(name: str, seat: int, columns: Sequence[tuple[str, list[int]]], terminal: Terminal) -> list[Text]:
    """The lines of one player in a narrow terminal: the name, and below it the points of each row."""
    parts = []
    for heading, values in columns:
        style = _style(heading, "open", terminal) if heading in ROW_COLOURS else ""
        parts.append(_line((f" {heading} " if style else heading, style), f" {values[seat]}"))
    parts[-1].stylize("bold")
    return [Text(name, "bold"), *wrap_parts([Text(" "), *parts], terminal.width, " ", "  ")]
