"""One sheet, drawn from a variant's data at its natural size: `WIDTH` millimetres wide.

Units are millimetres. The top left corner of the sheet is the origin, and y is upwards.
"""

from collections.abc import Callable, Iterator
from functools import cached_property, partial
from itertools import pairwise

from reportlab.lib.colors import HexColor, black, white
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas

from rowlock.locale import localized, translate
from rowlock.rules.variant import ROW_NAMES, Row, Variant
from rowlock.sheets.icons import draw_icon, draw_lock

WIDTH = 190.0
SMALLEST_BOX = 10.0  # the shorter side of the smallest box to mark, but for the cells of long rows
CELL = 11.5  # the height of a cell
SIGN, LOCK = 9.0, 15.0  # the widths of what stands before and behind the cells of a row
PADDING, GAP, INSET = 1.3, 1.8, 0.5  # around the cells of a row, between rows, beside a cell
FIELD = SECOND = SMALLEST_BOX  # the heights of bonus fields and of second boxes
SUMMAND, TOTAL, BETWEEN = 10.5, 20.0, 3.2  # the widths of the boxes of the sum at the end and of the signs between them
LABEL = 25.0  # the least room for a name beside boxes
TEXT = 3.1  # the size of the letters of the reminder
LEADING = 1.3
BOLD, PLAIN = "Helvetica-Bold", "Helvetica"
FILLS = {"R": "#d6402f", "Y": "#f0b429", "G": "#2f9e62", "B": "#3567d6"}
INKS = {"R": "#a82a1d", "Y": "#7a5200", "G": "#1c7445", "B": "#2248a5"}
GREY = HexColor("#8c8c8c")

Block = tuple[float, Callable[[float], None]]  # its height, and the function that draws it below a given y


class SheetDrawing:
    """The empty sheet of one kind, with a name line, points and a reminder of the rules."""

    def __init__(self, canvas: Canvas, variant: Variant, kind: int, language: str, colourless: bool) -> None:
        self.canvas = canvas
        self.variant = variant
        self.kind = kind
        self.language = language
        self.colourless = colourless
        self._places: dict[str, tuple[float, float]] = {}  # the centres of cells, by name

    @property
    def height(self) -> float:
        return sum(height for height, _ in self._blocks)

    @property
    def smallest_box(self) -> float:
        """The shorter side of the smallest box to mark."""
        return min(SMALLEST_BOX, *(self._cell_width(row) - 2 * INSET for row in self.variant.rows))

    def draw(self) -> None:
        """Draw the sheet with its top left corner at the origin."""
        top = 0.0
        for height, draw in self._blocks:
            draw(top)
            top -= height
        self._draw_links()

    @cached_property
    def _blocks(self) -> list[Block]:
        variant = self.variant
        blocks: list[Block] = [(12, self._draw_heading)]
        for row in variant.rows:
            blocks.append((self._row_height + GAP, partial(self._draw_row, row)))
            fields = [one for one in variant.fields if one.name[0] == row.name]
            blocks += [(FIELD + GAP, partial(self._draw_fields, field)) for field in fields]
        if variant.swaps:
            blocks.append((SMALLEST_BOX + 2 * GAP, self._draw_swaps))
        if variant.bar:
            blocks.append((len(self._bar_lines) * (SMALLEST_BOX + GAP) + GAP, self._draw_bar))
        if variant.lucky:
            blocks.append((9, self._draw_lucky))
        blocks += [(13, self._draw_misthrows)] if self._has_many_misthrows else []
        blocks += [(15, self._draw_results), (10, self._draw_points)]
        lines = self._reminder
        blocks.append((len(lines) * TEXT * LEADING + 1, self._draw_reminder))
        return blocks

    def _t(self, message: str, **values: object) -> str:
        return encodable(translate(self.language, message, **values))

    # Colours

    def _fill(self, colour: str) -> None:
        self.canvas.setFillColor(white if self.colourless else HexColor(FILLS[colour]))

    def _ink(self, colour: str) -> None:
        ink = black if self.colourless or colour not in INKS else HexColor(INKS[colour])
        self.canvas.setFillColor(ink)
        self.canvas.setStrokeColor(ink)

    def _on_fill(self, colour: str) -> None:
        """Draw in the colour that stands out from the band of a row."""
        ink = black if self.colourless or colour == "Y" else white
        self.canvas.setFillColor(ink)
        self.canvas.setStrokeColor(ink)

    def _box(self, x: float, y: float, width: float, height: float, radius: float = 1.4) -> None:
        """A white box to mark; its lower left corner is given."""
        self.canvas.setLineWidth(0.25)
        self.canvas.setFillColor(white)
        self.canvas.roundRect(x, y, width, height, radius, stroke=1, fill=1)

    # Text

    def _write(self, text: str, x: float, y: float, size: float, font: str = PLAIN, align: str = "left") -> None:
        self.canvas.setFont(font, size)
        draw = {
            "left": self.canvas.drawString,
            "centre": self.canvas.drawCentredString,
            "right": self.canvas.drawRightString,
        }[align]
        draw(x, y, text)

    # Blocks

    def _draw_heading(self, top: float) -> None:
        title = encodable(localized(self.variant.name, self.language))
        if self.variant.sheet_letters:
            title += f" · {self._t('sheet.letter', letter=self.variant.sheet_letters[self.kind])}"
        self.canvas.setFillColor(black)
        self.canvas.setStrokeColor(GREY)
        self._write(shortened(title, BOLD, 6, WIDTH * 0.6), 0, top - 7, 6, BOLD)
        label = self._t("print.name")
        left = WIDTH * 0.62
        self._write(label, left, top - 7, 3.6)
        self.canvas.setLineWidth(0.25)
        self.canvas.line(left + stringWidth(label, PLAIN, 3.6) + 2, top - 7.6, WIDTH, top - 7.6)

    @property
    def _row_height(self) -> float:
        """With the second boxes below the cells."""
        return CELL + (INSET + SECOND) * self.variant.second + 2 * PADDING

    def _cell_width(self, row: Row) -> float:
        return (WIDTH - SIGN - LOCK) / len(row)

    def _draw_row(self, row: Row, top: float) -> None:
        variant, canvas = self.variant, self.canvas
        width, height = self._cell_width(row), self._row_height
        canvas.setLineWidth(0.4)
        canvas.setStrokeColor(black)
        self._fill(row.name)
        canvas.roundRect(0, top - height, WIDTH, height, 3, stroke=int(self.colourless), fill=1)
        if not self.colourless:
            for index, colour in enumerate(row.colours):
                if colour != row.name:  # the band has the colours of its cells
                    self._fill(colour)
                    canvas.rect(SIGN + index * width, top - height, width, height, stroke=0, fill=1)
        self._on_fill(row.name)
        draw_icon(canvas, row.name, SIGN / 2, top - height / 2, 4.6)
        mixed = set(row.colours) != {row.name}
        for index, (number, colour) in enumerate(zip(row.numbers, row.colours, strict=True)):
            x = SIGN + index * width
            self._draw_cell(
                f"{row.name}{number}",
                number,
                colour,
                x + INSET,
                top - PADDING,
                width - 2 * INSET,
                sign=colour if mixed else "",
            )
            if variant.second and index < variant.before_closing(row):
                self._ink(colour)
                self._box(x + INSET, top - PADDING - CELL - INSET - SECOND, width - 2 * INSET, SECOND)
        centre = WIDTH - LOCK / 2
        self._ink(row.name)
        canvas.setLineWidth(0.25)
        canvas.setFillColor(white)
        canvas.circle(centre, top - height / 2, CELL / 2, stroke=1, fill=1)
        self._ink(row.name)
        draw_lock(canvas, centre, top - height / 2, 7)

    def _draw_cell(self, name: str, number: int, colour: str, x: float, top: float, width: float, sign: str) -> None:
        canvas = self.canvas
        self._ink(colour)
        self._box(x, top - CELL, width, CELL)
        if name in self.variant.bar_boxes:
            canvas.setLineWidth(0.9)
            canvas.roundRect(x + 0.9, top - CELL + 0.9, width - 1.8, CELL - 1.8, 1, stroke=1, fill=0)
        signs = [one for one in (sign, self._sign(name)) if one]
        self._ink(colour)
        self._write(str(number), x + width / 2, top - CELL / 2 - (0.3 if signs else 2), 5.6, BOLD, "centre")
        for index, one in enumerate(signs):
            draw_icon(canvas, one, x + width / 2 + (index - (len(signs) - 1) / 2) * 4, top - CELL + 2.7, 3.2)
        self._places[name] = (x + width / 2, top - CELL / 2)

    def _sign(self, cell: str) -> str:
        """The sign in a cell: of a bonus box, of a step, or the number of its pair of joined cells."""
        variant = self.variant
        if cell in variant.bar_boxes:
            return "bar"
        if self.kind < len(variant.steps) and cell in variant.steps[self.kind]:
            return "step"
        for number, pair in enumerate(self._joined, 1):
            if cell in pair and not self._is_link(pair):
                return str(number)
        return next((pair.name for pair in variant.pairs if cell in pair.boxes), "")

    @property
    def _joined(self) -> tuple[tuple[str, str], ...]:
        return self.variant.joined[self.kind] if self.kind < len(self.variant.joined) else ()

    def _is_link(self, pair: tuple[str, str]) -> bool:
        """Whether joined cells are one above the other in rows that follow each other, so that a link can be drawn."""
        rows = self.variant.rows
        (upper, above), (lower, below) = sorted(
            (self.variant.find_cell(cell) for cell in pair), key=lambda one: rows.index(one[0])
        )
        neighbours = (upper, lower) in pairwise(rows) and not any(
            one.name == upper.name + lower.name for one in self.variant.fields
        )
        return neighbours and len(upper) == len(lower) and upper.numbers.index(above) == lower.numbers.index(below)

    def _draw_links(self) -> None:
        self.canvas.setFillColor(black)
        for pair in filter(self._is_link, self._joined):
            (x, one), (_, other) = (self._places[cell] for cell in pair)
            upper, lower = max(one, other) - CELL / 2, min(one, other) + CELL / 2
            self.canvas.roundRect(x - 1.5, lower - 1.6, 3, upper - lower + 3.2, 1.5, stroke=0, fill=1)

    def _draw_fields(self, row: Row, top: float) -> None:
        width = self._cell_width(row)
        self.canvas.setFillColor(black)
        for index, colour in enumerate(row.name):
            self._ink(colour)
            draw_icon(self.canvas, colour, SIGN / 2, top - FIELD / 2 + (0.5 - index) * 4, 3.2)
        for index, number in enumerate(row.numbers):
            x = SIGN + (index + 0.5) * width
            self.canvas.setStrokeColor(black)
            self.canvas.setLineWidth(0.25)
            self.canvas.setFillColor(white)
            self.canvas.circle(x, top - FIELD / 2, FIELD / 2, stroke=1, fill=1)
            self.canvas.setFillColor(black)
            self._write(str(number), x, top - FIELD / 2 - 1.7, 4.8, BOLD, "centre")

    def _draw_swaps(self, top: float) -> None:
        count = len(self.variant.swaps)
        width = (WIDTH - SIGN) / count
        self.canvas.setStrokeColor(black)
        for index, pair in enumerate(self.variant.swaps):
            x = SIGN / 2 + index * width
            self._box(x + INSET, top - GAP - SMALLEST_BOX, width - 2 * INSET, SMALLEST_BOX, 5)
            self.canvas.setFillColor(black)
            self._write(
                "/".join(map(str, pair)), x + width / 2, top - GAP - SMALLEST_BOX / 2 - 1.6, 4.6, BOLD, "centre"
            )

    @property
    def _bar_left(self) -> float:
        label: float = stringWidth(self._t("bonus.bar"), BOLD, 3.6)
        return SIGN / 2 + label + 4

    @cached_property
    def _bar_lines(self) -> list[str]:
        """The colours of the bonus bar, in as many lines as it needs."""
        most = int((WIDTH - self._bar_left) / (SMALLEST_BOX + 2 * INSET))
        return ["".join(self.variant.bar[first : first + most]) for first in range(0, len(self.variant.bar), most)]

    def _draw_bar(self, top: float) -> None:
        left = self._bar_left
        width = min(13.0, (WIDTH - left) / len(self._bar_lines[0]))
        self.canvas.setFillColor(black)
        self._write(self._t("bonus.bar"), SIGN / 2, top - GAP - SMALLEST_BOX / 2 - 1.3, 3.6, BOLD)
        for line, colours in enumerate(self._bar_lines):
            bottom = top - (line + 1) * (GAP + SMALLEST_BOX)
            for index, colour in enumerate(colours):
                x = left + index * width
                self._ink(colour)
                self._box(x + INSET, bottom, width - 2 * INSET, SMALLEST_BOX)
                self._ink(colour)
                draw_icon(self.canvas, colour, x + width / 2, bottom + SMALLEST_BOX / 2, 5)

    def _draw_lucky(self, top: float) -> None:
        """All pairs; every player circles their own."""
        pairs = "     ".join(f"{low} / {high}" for low, high in self.variant.lucky)
        self.canvas.setFillColor(black)
        label = self._t("print.lucky")
        self._write(label, SIGN / 2, top - 6, 3.6, BOLD)
        self._write(pairs, SIGN / 2 + stringWidth(label, BOLD, 3.6) + 6, top - 6, 4.4)

    @property
    def _summands(self) -> list[tuple[str, str]]:
        """What is added up at the end: the sign before it, and its icon."""
        bonus = [("+", "bar")] if self.variant.steps or self.variant.pairs else []
        return [*((("+" if index else ""), name) for index, name in enumerate(ROW_NAMES)), *bonus, ("\N{EN DASH}", "")]

    @property
    def _sum_left(self) -> float:
        return WIDTH - TOTAL - len(self._summands) * (SUMMAND + BETWEEN)

    @property
    def _misthrows_width(self) -> float:
        return self.variant.misthrows_to_end * (SMALLEST_BOX + 1)

    @property
    def _has_many_misthrows(self) -> bool:
        """Whether their boxes and a name for them do not fit beside those of the sum."""
        return self._sum_left - self._misthrows_width - BETWEEN < LABEL

    def _draw_misthrows(self, top: float) -> None:
        """The boxes of misthrows, with their name in two lines if there is no room for one."""
        canvas, variant, right = self.canvas, self.variant, WIDTH if self._has_many_misthrows else self._sum_left
        space = right - self._misthrows_width - 2 - BETWEEN
        lines = wrapped(self._t("print.misthrows", cost=variant.misthrow_cost), BOLD, 3.6, space)
        middle = top - 7
        canvas.setFillColor(black)
        for index, line in enumerate(lines):
            self._write(line, 0, middle - 1.3 + ((len(lines) - 1) / 2 - index) * 4.4, 3.6, BOLD)
        x = max(stringWidth(line, BOLD, 3.6) for line in lines) + 2
        for _ in range(variant.misthrows_to_end):
            canvas.setStrokeColor(black)
            self._box(x, middle - SMALLEST_BOX / 2, SMALLEST_BOX, SMALLEST_BOX)
            x += SMALLEST_BOX + 1

    def _draw_results(self, top: float) -> None:
        """The boxes of the sum at the end, beside those of misthrows if they are few."""
        canvas = self.canvas
        if not self._has_many_misthrows:
            self._draw_misthrows(top)
        middle = top - 7
        for index, (operator, icon) in enumerate(self._summands):
            at = self._sum_left + index * (SUMMAND + BETWEEN)
            canvas.setFillColor(black)
            self._write(operator, at - BETWEEN / 2, middle - 1.4, 4, BOLD, "centre")
            self._ink(icon)
            self._box(at, middle - SMALLEST_BOX / 2, SUMMAND, SMALLEST_BOX)
            self._ink(icon)
            if icon:
                draw_icon(canvas, icon, at + 2.1, middle + SMALLEST_BOX / 2 - 2.1, 2.4)
        canvas.setFillColor(black)
        canvas.setStrokeColor(black)
        self._write("=", WIDTH - TOTAL - BETWEEN / 2, middle - 1.4, 4, BOLD, "centre")
        self._box(WIDTH - TOTAL, middle - SMALLEST_BOX / 2, TOTAL, SMALLEST_BOX)
        canvas.setFillColor(GREY if not self.colourless else black)
        self._write(self._t("sheet.total"), WIDTH - TOTAL + 1.2, middle + SMALLEST_BOX / 2 - 2.9, 2.3)

    def _draw_points(self, top: float) -> None:
        """The points for every number of marks."""
        variant, canvas = self.variant, self.canvas
        label = self._t("print.marks")
        left = max(stringWidth(text, PLAIN, 2.9) for text in (label, self._t("print.points"))) + 3
        width = (WIDTH - left) / variant.cap
        widest = max(stringWidth(str(variant.row_points(marks)), BOLD, 3.3) for marks in range(1, variant.cap + 1))
        size = 3.3 * min(1, width / (widest + 0.6))
        canvas.setFillColor(black)
        canvas.setStrokeColor(GREY)
        canvas.setLineWidth(0.2)
        self._write(label, 0, top - 3.4, 2.9)
        self._write(self._t("print.points"), 0, top - 7.4, 2.9)
        for marks in range(1, variant.cap + 1):
            x = left + (marks - 0.5) * width
            self._write(str(marks), x, top - 3.4, min(size, 2.9), align="centre")
            self._write(str(variant.row_points(marks)), x, top - 7.4, size, BOLD, "centre")
        canvas.line(0, top - 4.4, WIDTH, top - 4.4)

    @cached_property
    def _reminder(self) -> list[str]:
        return wrapped(" ".join(self._rules()), PLAIN, TEXT, WIDTH)

    def _rules(self) -> Iterator[str]:
        variant = self.variant
        yield self._t("print.cards" if variant.cards else "print.dice")
        yield self._t("print.order")
        needed = sorted({variant.needed_in(row) for row in range(len(variant.rows))})
        yield self._t("print.lock" if variant.closing == 1 else "print.lock-any", needed="/".join(map(str, needed)))
        if not variant.cards:
            yield self._t("print.closed")
        for effect in ("lucky", "bar", "fields", "steps", "joined", "swaps", "second"):
            if effect in variant.effects:
                yield self._t(f"print.effect-{effect}")
        for pair in variant.pairs:
            yield self._t(f"gives.long.{pair.gives}", boxes=" + ".join(pair.boxes), count=pair.amount)
        yield self._t(
            "print.end-own" if variant.cards else "print.end",
            rows=variant.rows_to_end,
            misthrows=variant.misthrows_to_end,
        )

    def _draw_reminder(self, top: float) -> None:
        self.canvas.setFillColor(black)
        for index, line in enumerate(self._reminder):
            self._write(line, 0, top - TEXT - index * TEXT * LEADING, TEXT)


def encodable(text: str) -> str:
    """The text in the characters that the standard fonts of a PDF have; others become question marks."""
    return text.encode("cp1252", "replace").decode("cp1252")


def wrapped(text: str, font: str, size: float, width: float) -> list[str]:
    """The text in lines that are not wider than `width`."""
    lines: list[str] = []
    for word in text.split(" "):
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and stringWidth(longer, font, size) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def shortened(text: str, font: str, size: float, width: float) -> str:
    """The text, cut with an ellipsis if it is wider than `width`."""
    if stringWidth(text, font, size) <= width:
        return text
    while text and stringWidth(f"{text}\N{HORIZONTAL ELLIPSIS}", font, size) > width:
        text = text[:-1]
    return f"{text}\N{HORIZONTAL ELLIPSIS}"
