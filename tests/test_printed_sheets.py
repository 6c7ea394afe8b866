"""Printed sheets: PDF files as a reader of PDFs sees them."""

import ctypes
import re
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
from pypdfium2 import raw

from rowlock.locale import LANGUAGES, catalogue
from rowlock.rules.variant import Variant, find_variant, parse_variant, variant_ids
from rowlock.sheets import PAPERS, PrintError, make_pdf
from rowlock.sheets.pdf import MARGIN, SMALLEST
from tests.command import run
from tests.test_cli import MY_VARIANT

MM = 72 / 25.4
OWN = parse_variant(MY_VARIANT)
EVERYTHING_FILE = """
format = 1
id = "everything"
closing = 2
needed = 15
cap = 48
misthrows_to_end = 8
second = true
lucky = [[2, 16], [3, 15], [4, 14], [5, 13], [6, 12]]
swaps = [[8, 5], [9, 7], [11, 3], [7, 4], [10, 3], [8, 6], [10, 5], [11, 9], [6, 4], [12, 5]]
pairs = [
    { name = "anchor", boxes = ["R7", "B9"], gives = "fewest", marks = 2 },
    { name = "buoy", boxes = ["R8", "B8"], gives = "each" },
    { name = "crane", boxes = ["R9", "B7"], gives = "double" },
    { name = "dock", boxes = ["R10", "B6"], gives = "points", points = 100 },
    { name = "ebb", boxes = ["R11", "B5"], gives = "shield" },
]
fields = [
    { between = "RY", numbers = [3, 5] },
    { between = "YG", numbers = [5, 7] },
    { between = "GB", numbers = [9, 4] },
]

[dice]
white = 9
R = 9
Y = 9
G = 9
B = 9

[rows]
R = { numbers = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] }
Y = { numbers = [2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17] }
G = { numbers = [17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2] }
B = { numbers = [17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2] }

[bar]
rows = "RYGBBGYRRYGBBGYRRYGBBGYRRYGBBGYR"
boxes = ["R4", "Y6", "G8", "B10"]

[name]
en = "Everything that a file can ask for, with a name that is too long for its line"
de = "Alles"

[about]
en = "The largest sheet there is."
"""
EVERYTHING = parse_variant(EVERYTHING_FILE)
GAMES = [*map(find_variant, variant_ids()), OWN, EVERYTHING]
Box = tuple[float, float, float, float]  # left, bottom, right, top in millimetres


def read(pdf: bytes) -> Any:
    return pypdfium2.PdfDocument(pdf)


def words(pdf: bytes) -> list[str]:
    return " ".join(page.get_textpage().get_text_range() for page in read(pdf)).split()


def objects(page: Any, kind: int) -> Iterator[Box]:
    for one in page.get_objects(filter=[kind]):
        left, bottom, right, top = one.get_bounds()
        yield left / MM, bottom / MM, right / MM, top / MM


def boxes_of_numbers(page: Any) -> Iterator[tuple[float, float]]:
    """The sizes of the smallest drawn boxes around numbers: those of cells, bonus fields and swap fields."""
    paths = sorted(objects(page, raw.FPDF_PAGEOBJ_PATH), key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))
    for text in page.get_objects(filter=[raw.FPDF_PAGEOBJ_TEXT], textpage=page.get_textpage()):
        left, bottom, right, top = (side / MM for side in text.get_bounds())
        around = [box for box in paths if box[0] < left and box[1] < bottom and box[2] > right and box[3] > top]
        if around and re.fullmatch(r"[\d/]+", text.extract().strip()):
            yield around[0][2] - around[0][0], around[0][3] - around[0][1]


def boxes_to_mark(page: Any) -> list[Box]:
    """What is drawn in white with a line around it: cells, boxes, fields, locks, and the boxes of the sum."""
    found, fill, stroke = [], ctypes.c_int(), ctypes.c_int()
    red, green, blue, alpha = (ctypes.c_uint() for _ in range(4))
    for one in page.get_objects(filter=[raw.FPDF_PAGEOBJ_PATH]):
        raw.FPDFPath_GetDrawMode(one, fill, stroke)
        raw.FPDFPageObj_GetFillColor(one, red, green, blue, alpha)
        if fill.value and stroke.value and red.value == green.value == blue.value == 255:
            left, bottom, right, top = (side / MM for side in one.get_bounds())
            found.append((left, bottom, right, top))
    return found


def numbers_to_mark(variant: Variant) -> int:
    return sum(map(len, variant.rows + variant.fields)) + len(variant.swaps)


def places_to_mark(variant: Variant) -> int:
    second = variant.second * sum(len(row) - variant.closing for row in variant.rows)
    sums = len(variant.rows) + bool(variant.steps or variant.pairs) + 2
    return numbers_to_mark(variant) + len(variant.rows) + second + len(variant.bar) + variant.misthrows_to_end + sums


def overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("variant", GAMES, ids=str)
def test_boxes_are_large_and_apart(variant: Variant, paper: str, language: str) -> None:
    """As many sheets as fit on a page; how long the texts are decides what stands beside them."""
    with pytest.raises(PrintError, match="at most") as refused:
        make_pdf(variant, paper=paper, language=language, per_page=10**9)
    (most,) = re.findall(r"at most (\d)", str(refused.value))
    boxes = boxes_to_mark(read(make_pdf(variant, paper=paper, language=language, per_page=int(most)))[0])
    assert len(boxes) == min(int(most), max(1, len(variant.sheet_letters) or 9)) * places_to_mark(variant)
    assert min(min(right - left, top - bottom) for left, bottom, right, top in boxes) >= SMALLEST
    assert not any(overlap(one, other) for one, other in combinations(boxes, 2))


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("variant", GAMES, ids=str)
def test_cells_are_large_and_inside_the_margins(variant: Variant, paper: str) -> None:
    pdf = make_pdf(variant, paper=paper)
    assert len(pdf) < 300_000
    for page in read(pdf):
        width, height = (side / MM for side in page.get_size())
        assert sorted(page.get_size()) == pytest.approx(sorted(PAPERS[paper]), abs=0.1)
        drawn = [*objects(page, raw.FPDF_PAGEOBJ_PATH), *objects(page, raw.FPDF_PAGEOBJ_TEXT)]
        for left, bottom, right, top in drawn:
            assert min(left, bottom, width - right, height - top) > MARGIN - 0.5
    sizes = list(boxes_of_numbers(read(pdf)[0]))
    assert len(sizes) == (1 if variant is EVERYTHING else 2) * numbers_to_mark(variant)
    assert min(min(size) for size in sizes) >= SMALLEST


@pytest.mark.parametrize("variant", GAMES, ids=str)
def test_the_text_can_be_extracted(variant: Variant) -> None:
    found = words(make_pdf(variant, language="de", copies=1))
    numbers = [str(number) for row in variant.rows + variant.fields for number in row.numbers]
    assert all(found.count(number) >= numbers.count(number) for number in numbers)
    text = " ".join(found)
    for message in ("print.name", "print.order", "sheet.total"):
        assert catalogue("de")[message][0] in text
    assert variant.name["de"] in text


def test_every_kind_of_sheet_is_printed_once() -> None:
    text = " ".join(words(make_pdf(find_variant("connected-b"))))
    assert re.findall("Sheet (.)", text) == list("ABCDE")
    text = " ".join(words(make_pdf(find_variant("connected-b"), sheets=["C", "A"], copies=2)))
    assert re.findall("Sheet (.)", text) == list("CCAA")


def colours(page: Any) -> set[tuple[int, ...]]:
    image = page.render(scale=0.5).to_pil().convert("RGB")
    return {colour for _, colour in image.getcolors(1_000_000)}


@pytest.mark.parametrize("variant", GAMES, ids=str)
def test_black_is_without_colours(variant: Variant) -> None:
    for black in (False, True):
        page = read(make_pdf(variant, black=black))[0]
        coloured = any(max(colour) - min(colour) > 12 for colour in colours(page))
        assert coloured is not black


@pytest.mark.parametrize(("per_page", "pages"), [(1, 6), (2, 3), (3, 2), (4, 2)])
def test_sheets_on_a_page(per_page: int, pages: int) -> None:
    pdf = make_pdf(find_variant("classic"), per_page=per_page, copies=6)
    assert len(read(pdf)) == pages
    assert min(min(size) for size in boxes_of_numbers(read(pdf)[0])) >= SMALLEST


def test_the_same_order_gives_the_same_file() -> None:
    assert make_pdf(OWN) == make_pdf(OWN)


@pytest.mark.parametrize("language", LANGUAGES)
def test_standard_fonts_have_all_characters_of_the_reminder(language: str) -> None:
    for name, forms in catalogue(language).items():
        if name.startswith(("print.", "gives.long.")):
            for form in forms:
                assert form.encode("cp1252")


@pytest.mark.parametrize(
    ("order", "error"),
    [
        ({"paper": "a5"}, "the paper is a4 or letter, not a5"),
        ({"language": "fr"}, "the languages are en, de, nl, not fr"),
        ({"per_page": 0}, "a page has at least 1 sheet, not 0"),
        ({"per_page": 40}, "at most 4 of these sheets fit on a page of a4, not 40"),
        ({"per_page": 10**9}, "at most 4 of these sheets fit on a page of a4, not 1000000000"),
        ({"copies": 0}, "a file has 1 to 200 pages, not 0 sheets with 2 on a page"),
        ({"copies": 401}, "a file has 1 to 200 pages, not 401 sheets with 2 on a page"),
        ({"sheets": ["A"]}, "the sheets of classic have no letters: A is none of them"),
    ],
)
def test_what_cannot_be_printed(order: dict[str, Any], error: str) -> None:
    with pytest.raises(PrintError, match=f"^{re.escape(error)}"):
        make_pdf(find_variant("classic"), **order)


def test_an_unknown_letter() -> None:
    with pytest.raises(PrintError, match="the sheets of connected-a are A, B, C, D, E: F is none of them"):
        make_pdf(find_variant("connected-a"), sheets=["A", "F"])


def test_the_command(tmp_path: Path) -> None:
    own = tmp_path / "tiny.toml"
    own.write_text(MY_VARIANT)
    out = tmp_path / "tiny.pdf"
    found = run("print", own, "--paper", "letter", "--black", "--language", "nl", "--out", out)
    assert found.returncode == 0, found.stderr
    assert re.fullmatch(rf"{re.escape(str(out))}: \d+ kB\n", found.stdout)
    assert "Piepklein" in words(out.read_bytes())


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["classic", "--out", "missing/sheets.pdf"], "rowlock: missing/sheets.pdf: No such file or directory\n"),
        (["clasic", "--out", "sheets.pdf"], "did you mean classic?"),
        (["classic", "--paper", "a5", "--out", "sheets.pdf"], "rowlock: the paper is a4 or letter, not a5"),
        (["classic"], "rowlock: Missing option '--out'"),
    ],
)
def test_bad_input_is_one_line(
    arguments: list[str], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = run("print", *arguments)
    assert found.returncode == 2
    assert error in found.stderr
    assert found.stderr.count("\n") == 1
    assert not list(tmp_path.iterdir())
