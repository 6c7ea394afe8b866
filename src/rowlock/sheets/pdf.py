"""Pages of sheets as a PDF file."""

import math
from collections.abc import Sequence
from io import BytesIO
from typing import NamedTuple

from reportlab.lib.colors import HexColor
from reportlab.lib.pagesizes import A4, LETTER
from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas

from rowlock.locale import LANGUAGES
from rowlock.locale import language as current_language
from rowlock.rules.error_text import did_you_mean
from rowlock.rules.variant import Variant
from rowlock.sheets.drawing import WIDTH, SheetDrawing, encodable

PAPERS = {"a4": A4, "letter": LETTER}
MARGIN = 10.0  # millimetres, as all that follow
GUTTER = 9.0
SMALLEST = 7.0  # the shorter side of the smallest box that is marked
MAX_PAGES = 200


class PrintError(ValueError):
    """What was asked for cannot be printed."""


class Grid(NamedTuple):
    """How the sheets of a page are arranged."""

    width: float  # of the page
    height: float
    columns: int
    rows: int
    scale: float


def make_pdf(
    variant: Variant,
    *,
    paper: str = "a4",
    per_page: int | None = None,
    copies: int | None = None,
    sheets: Sequence[str] = (),
    language: str | None = None,
    black: bool = False,
) -> bytes:
    """Sheets of a variant as a PDF file.

    Without `per_page` there are two sheets on a page, or one if they are large. Without `copies` there is one of each
    kind of sheet, or a page full if there is only one kind. `sheets` are the letters of the kinds to print, all if it
    is empty.
    """
    if paper not in PAPERS:
        raise PrintError(f"the paper is {' or '.join(PAPERS)}, not {paper}{did_you_mean(paper, PAPERS)}")
    if language is not None and language not in LANGUAGES:
        raise PrintError(f"the languages are {', '.join(LANGUAGES)}, not {language}")
    if per_page is not None and per_page < 1:
        raise PrintError(f"a page has at least 1 sheet, not {per_page}")
    kinds = _kinds(variant, sheets)
    file = BytesIO()
    canvas = Canvas(file, pagesize=PAPERS[paper], invariant=1)
    drawings = [SheetDrawing(canvas, variant, kind, language or current_language(), black) for kind in kinds]
    most = _most_on_page(PAPERS[paper], drawings)
    per_page = per_page or min(most, 2)
    if per_page > most:
        raise PrintError(f"at most {most} of these sheets fit on a page of {paper}, not {per_page}")
    if copies is None:
        copies = per_page if len(kinds) == 1 else 1
    if not 1 <= copies * len(kinds) <= per_page * MAX_PAGES:
        raise PrintError(
            f"a file has 1 to {MAX_PAGES} pages, not {copies * len(kinds)} sheets with {per_page} on a page"
        )
    canvas.setTitle(encodable(f"Rowlock: {variant.name.get('en') or variant.id}"))
    grid = _grid(PAPERS[paper], per_page, max(one.height for one in drawings))
    canvas.setPageSize((grid.width * mm, grid.height * mm))
    all_sheets = [drawing for drawing in drawings for _ in range(copies)]
    for index, drawing in enumerate(all_sheets):
        place = index % per_page
        if index and not place:
            canvas.showPage()
        _draw(canvas, drawing, grid, place)
    canvas.save()
    return file.getvalue()


def _kinds(variant: Variant, letters: Sequence[str]) -> list[int]:
    """The numbers of the kinds of sheets with these letters, all without any."""
    known = variant.sheet_letters
    for letter in letters:
        if letter not in known or len(letter) != 1:
            allowed = f"are {', '.join(known)}" if known else "have no letters"
            raise PrintError(f"the sheets of {variant} {allowed}: {letter} is none of them")
    return [known.index(letter) for letter in letters] or list(range(max(1, len(known))))


def _pages(paper: tuple[float, float]) -> list[tuple[float, float]]:
    """The width and height of the paper in millimetres, upright and sideways."""
    short, long = sorted(side / mm for side in paper)
    return [(short, long), (long, short)]


def _most_on_page(paper: tuple[float, float], drawings: Sequence[SheetDrawing]) -> int:
    """How many sheets fit on a page if their boxes are as small as they may be."""
    scale = SMALLEST / min(one.smallest_box for one in drawings)
    width, height = WIDTH * scale, max(one.height for one in drawings) * scale

    def count(space: float, side: float) -> int:
        return int((space - 2 * MARGIN + GUTTER) / (side + GUTTER))

    return max(count(across, width) * count(down, height) for across, down in _pages(paper))


def _grid(paper: tuple[float, float], count: int, height: float) -> Grid:
    """The arrangement in which sheets of this height are the largest, upright or sideways."""
    grids = []
    for page_width, page_height in _pages(paper):
        for columns in range(1, count + 1):
            rows = math.ceil(count / columns)
            across = (page_width - 2 * MARGIN - (columns - 1) * GUTTER) / columns
            down = (page_height - 2 * MARGIN - (rows - 1) * GUTTER) / rows
            grids.append(Grid(page_width, page_height, columns, rows, min(across / WIDTH, down / height)))
    return max(grids, key=lambda grid: grid.scale)


def _draw(canvas: Canvas, drawing: SheetDrawing, grid: Grid, place: int) -> None:
    row, column = divmod(place, grid.columns)
    across = (grid.width - 2 * MARGIN + GUTTER) / grid.columns
    down = (grid.height - 2 * MARGIN + GUTTER) / grid.rows
    left, top = MARGIN + column * across, grid.height - MARGIN - row * down
    canvas.saveState()
    canvas.setStrokeColor(HexColor("#c4c4c4"))
    canvas.setLineWidth(0.4)
    canvas.setDash(3, 3)  # where to cut
    if column:
        canvas.line((left - GUTTER / 2) * mm, (top - down + GUTTER) * mm, (left - GUTTER / 2) * mm, top * mm)
    if row:
        canvas.line(left * mm, (top + GUTTER / 2) * mm, (left + across - GUTTER) * mm, (top + GUTTER / 2) * mm)
    canvas.restoreState()
    canvas.saveState()
    canvas.translate((left + (across - GUTTER - WIDTH * grid.scale) / 2) * mm, top * mm)
    canvas.scale(grid.scale * mm, grid.scale * mm)
    drawing.draw()
    canvas.restoreState()
