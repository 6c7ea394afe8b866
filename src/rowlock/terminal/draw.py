"""Sheets, dice, cards and scores as Rich renderables; they read well in colour, without it and in plain ASCII."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rowlock.locale import n, own, t
from rowlock.rules import kernel as k
from rowlock.rules.cards import HIDDEN
from rowlock.rules.game import View
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import ROW_NAMES, Setup, Variant
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


@dataclass(frozen=True)
class Look:
    """What a terminal can show."""

    colour: bool
    unicode: bool

    @classmethod
    def of(cls, console: Console) -> "Look":
        return cls(console.color_system is not None and not console.no_color, not console.options.ascii_only)

    def sign(self, both: str) -> str:
        """One of two characters: the second where there is only ASCII."""
        return both[0] if self.unicode else both[1]


def _line(*parts: str | tuple[str, str] | Text) -> Text:
    return Text.assemble(*parts, no_wrap=True, overflow="ignore")


# Sheets


def sheet_lines(sheet: Sheet, look: Look, *, legal: Collection[str] = (), points: bool = True) -> list[Text]:
    """The rows of a sheet with what is marked, lost and legal, bonus fields in their places, then the bonuses."""
    tails = _tails(sheet.variant, look)
    lines = []
    for r, row in enumerate(sheet.variant.rows):
        lines.append(_row(sheet, r, look, legal, tails, points))
        lines += [
            _field(sheet, k.ROWS + f, look, legal, tails)
            for f, field in enumerate(sheet.variant.fields)
            if field.name[0] == row.name
        ]
    if sheet.variant.bar:
        lines.append(_bar(sheet, look))
    if sheet.variant.pairs:
        lines.append(_pairs(sheet, look))
    return lines


def _tails(variant: Variant, look: Look) -> dict[str, str]:
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
            tails[name] = tail or " "
    return tails


def _needs_letters(variant: Variant, look: Look) -> bool:
    return words.is_mixed(variant) and not look.colour


def _row(sheet: Sheet, r: int, look: Look, legal: Collection[str], tails: dict[str, str], points: bool) -> Text:
    row = sheet.variant.rows[r]
    line = _line((f" {row.name} ", _style(row.name, "open", look)))
    for cell, (number, colour) in enumerate(zip(row.numbers, row.colours, strict=True)):
        if cell == len(row) - sheet.variant.closing:
            line.append(look.sign("│|"), _style(row.name, "open", look))
        name = f"{row.name}{number}"
        state = "legal" if name in legal else _state(sheet, r, cell)
        tail = tails[name]
        if state in ("marked", "lost") and _needs_letters(sheet.variant, look):
            tail = " " + tail[1:]  # its colour matters no more
        line.append(_cell(number, state, look, tail), _style(colour, state, look))
    lock = "marked" if row.name in sheet.locks else "lost" if sheet.ints[k.NEXT + r] == len(row) else "open"
    line.append({"marked": " X ", "lost": f" {look.sign('·.')} "}.get(lock, " # "), _style(row.name, lock, look))
    if points:
        line.append(f"{sheet.points[row.name]:>4}")
    return line


def _field(sheet: Sheet, r: int, look: Look, legal: Collection[str], tails: dict[str, str]) -> Text:
    row = sheet.variant.fields[r - k.ROWS]
    pad = " " * (len(next(iter(tails.values()))) - 1)
    line = _line((f"{row.name} ", "bold"))
    for cell, number in enumerate(row.numbers):
        if cell == len(sheet.variant.rows[ROW_NAMES.index(row.name[0])]) - sheet.variant.closing:
            line.append(" ")  # in line with the rows, where a stroke stands before the closing cells
        state = "legal" if f"{row.name}{number}" in legal else _state(sheet, r, cell)
        text = _cell(number, state, look, ")" + pad)
        line.append(text if state == "legal" else "(" + text[1:], _style("", state, look))
    return line


def _state(sheet: Sheet, r: int, cell: int) -> str:
    if sheet.ints[k.MARKS + r] >> cell & 1:
        return "marked"
    return "lost" if cell < sheet.ints[k.NEXT + r] else "open"


def _cell(number: int, state: str, look: Look, tail: str) -> str:
    shown = str(number)
    if state == "marked":
        shown = "X"
    elif state == "lost" and not look.colour:
        shown = look.sign("·.")
    text = f"{shown:>2}"
    if state == "legal":
        # The arrow stands close to its number.
        return f"{look.sign('▸>') + shown:>3}{tail}"
    return f" {text}{tail}"


def _style(name: str, state: str, look: Look) -> str:
    if not look.colour:
        return {"lost": "dim", "open": ""}.get(state, "bold")
    if state == "legal":
        return "bold #000000 on #ffffff"
    text, ground, used = PAINT.get(name, ("default", "default", "default"))
    if state == "open":
        return f"bold {text} on {ground}"
    return (
        f"bold #ffffff on {used}"
        if state == "marked" and name
        else "bold"
        if state == "marked"
        else f"{FADED} on {used}"
    )


def _bar(sheet: Sheet, look: Look) -> Text:
    line = _line((" + ", "bold"))
    for place, name in enumerate(sheet.variant.bar):
        r = ROW_NAMES.index(name)
        closed = sheet.ints[k.NEXT + r] == len(sheet.variant.rows[r])
        state = "marked" if place < sheet.bar_used else "lost" if closed else "open"
        line.append(" ")
        line.append(
            {"marked": " X ", "lost": f" {look.sign('·.')} "}.get(state, f" {name} "), _style(name, state, look)
        )
    return line


def _pairs(sheet: Sheet, look: Look) -> Text:
    line = _line("   ")
    for pair in sheet.variant.pairs:
        done = pair.name in sheet.pairs
        line.append(
            f" {look.sign(PAIR_SIGNS[pair.gives])} {' '.join(pair.boxes)}{' ' + look.sign('✓!') if done else ''} ",
            "bold" if done else "",
        )
    return line


def misthrows(count: int, look: Look) -> str:
    crossed, free = ("☒", "☐") if look.unicode else ("[X]", "[ ]")
    return crossed * count + free * (k.MISTHROWS_TO_END - count)


def sheet_title(name: str, sheet: Sheet, look: Look, *, active: bool = False) -> Text:
    """Whose sheet it is, with everything that stands outside the rows."""
    line = _line((name, "bold underline" if active else "bold"))
    if sheet.lucky:
        lucky = t("terminal.lucky", low=sheet.lucky[0], high=sheet.lucky[1])
        line.append(f"   {lucky}", "bold magenta" if look.colour else "")
    line.append(f"   {t('terminal.misthrows')} {misthrows(sheet.misthrows, look)}   {_total(sheet)}")
    return line


def sheet_summary(name: str, sheet: Sheet, look: Look, widest: int) -> Text:
    """A sheet in one line, in notation."""
    line = _line((name + " " * (widest - cell_len(name)), "bold"))
    for part in str(sheet).split(" "):
        line.append(" ")
        is_row = part[0] in ROW_NAMES and part[1] not in ROW_NAMES
        line.append(part, _style(part[0], "open", look) if is_row and look.colour else "")
    line.append(f"  {_total(sheet)}")
    return line


def _total(sheet: Sheet) -> str:
    return f"{t('terminal.total')} {sheet.total}"


def sheets_of(view: View, look: Look, width: int, *, brief: bool) -> RenderableType:
    """Everybody's sheet, the seat's own last and with its legal cells; others side by side where there is room."""
    legal = {name for option in view.options for name in words.cells_of(option)}
    blocks = []
    for seat in _others_first(view):
        name, sheet = view.players[seat], view.sheets[seat]
        if brief and seat != view.seat:
            blocks.append([sheet_summary(name, sheet, look, max(map(cell_len, view.players)))])
        else:
            title = sheet_title(name, sheet, look, active=seat == view.active)
            blocks.append([title, *sheet_lines(sheet, look, legal=legal if seat == view.seat else ())])
    own = [blocks.pop()] if view.seat is not None else []
    across = 1 if brief else max(1, width // (max(_width(lines) for lines in blocks or own) + INDENT))
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
    total = t("terminal.white-dice", a=whites[0], b=whites[1], sum=sum(whites))
    if not look.colour or not look.unicode:
        rest = "   ".join(f"{name} {look.sign('·.') if face is None else face}" for name, face in coloured.items())
        return _line((total, "bold"), f"      {rest}")
    if not tall:
        line = _line()
        for place, (name, face) in enumerate(shown):
            line.append("   " if place == 2 else " ")
            line.append(f" {face or '·'} ", _die_style(name, face))
        return _line(line, "   ", (total, "bold"))
    pips = max(view.variant.dice) <= len(PIPS)
    lines = [_line() for _ in range(3)]
    for place, (name, face) in enumerate(shown):
        for line, text in zip(lines, _die(face, pips=pips), strict=True):
            line.append("    " if place == 2 else "  ")
            line.append(text, _die_style(name, face))
    lines[1].append(f"    {total}", "bold")
    return Group(*lines)


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


def cards_on_table(view: View, look: Look, width: int) -> RenderableType:
    """The display, the pile and the discards, then what others hold: numbers, as everybody sees them."""
    assert view.cards
    display = _line((f"{t('terminal.display')} ", "bold"), *_cards(view.cards.display, look))
    top = [] if view.cards.top is None else [f"{HIDDEN}{view.cards.top}"]
    display.append(f"    {t('terminal.pile')} ", "bold")
    pile = _line(display, *_cards(top, look), f"  {n('terminal.cards', view.cards.pile)}")
    hands = [
        [_line((f"{name} ", "bold"), *_cards(view.cards.hands[seat], look))]
        for seat, name in enumerate(view.players)
        if seat != view.seat
    ]
    across = width // (max(map(_width, hands), default=0) + INDENT)
    return Group(pile, *_discards(view.cards.discards, look), *_rows_of_blocks(hands, max(1, across)))


def hand(view: View, look: Look) -> Text:
    """The cards of the seat that looks."""
    assert view.cards
    assert view.seat is not None
    return _line((f"{t('terminal.hand')} ", "bold"), *_cards(view.cards.hands[view.seat], look))


def _cards(names: Iterable[str], look: Look) -> Iterator[str | tuple[str, str]]:
    """Cards side by side: open ones by their name, others by the number on their back."""
    for name in names:
        number = name.strip(HIDDEN + "'")
        if look.colour:
            yield from (" ", (f" {number} ", _card_style(name)))
        else:
            yield f" [{number}]" if name.startswith(HIDDEN) else f" {name}"


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
    title = _line((words.name_of(setup), "bold"), f" ({setup})")
    about = Text(own(variant.about))
    off = t("terminal.points-off", cost=k.MISTHROW_COST)
    boxes = _line((f"{t('terminal.misthrows')} ", "bold"), misthrows(0, look), f"  {off}")
    rules = Table.grid(padding=(0, 2, 0, 0))
    rules.add_column(style="bold", no_wrap=True)
    rules.add_column(overflow="fold")
    for heading, sentence in words.rules_of(setup):
        rules.add_row(heading, Text(sentence))
    empty = sheet_lines(Sheet(variant), look, points=False)
    return Group(title, about, Text(), *empty, boxes, Text(), *_points_table(variant), Text(), rules)


def _points_table(variant: Variant) -> list[Text]:
    marks = range(1, min(max(variant.most_marks), variant.cap) + 1)
    rows = (("rules.marks", marks), ("rules.points", [variant.row_points(count) for count in marks]))
    return [_line((f"{t(head):10}", "bold"), " ".join(f"{value:>3}" for value in values)) for head, values in rows]


def variant_list(variants: Sequence[Variant], *, wrap: bool) -> RenderableType:
    """The games, one line each, or more where a narrow terminal wraps it."""
    if not wrap:
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
