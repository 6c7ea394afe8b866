"""The rule pages and the rule tests: every reference leads somewhere, every ruling and example is tested."""

import re
from collections import defaultdict
from pathlib import Path

import pytest

from rowlock import find_variant

ROOT = Path(__file__).parents[1]
PAGES = {
    path.stem: path.read_text(encoding="utf-8")
    for path in (ROOT / "docs" / "rules").glob("*.md")
    if path.stem != "index"
}


def places(page: str) -> set[str]:
    """What a page can be cited for: its headings, its rulings, its examples."""
    found = set(re.findall(r"^## (.+)$", page, re.MULTILINE)) - {"Rulings", "Examples", "Where the books differ"}
    for heading, kind in (("Rulings", "ruling"), ("Examples", "example")):
        part = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", page, re.DOTALL | re.MULTILINE)
        if part:
            found |= {f"{kind} {number}" for number in re.findall(r"^(\d+)\. ", part[1], re.MULTILINE)}
    return found


def cited() -> dict[str, set[str]]:
    """The places that tests name, page by page: `docs/rules/classic.md, Marking and example 1`."""
    found: dict[str, set[str]] = defaultdict(set)
    for path in (ROOT / "tests").glob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        for page, names in re.findall(r"docs/rules/([a-z-]+)\.md, ([^);.`]+)", text):
            kind = ""
            for name in re.split(r", | and ", names):
                kind = name.split()[0].rstrip("s") if name[0].islower() else kind
                found[page].add(f"{kind} {name}" if name.isdecimal() else re.sub(r"^(ruling|example)s ", r"\1 ", name))
    return found


CITED = cited()


@pytest.mark.parametrize("page", sorted(PAGES))
def test_tests_and_pages_agree(page: str) -> None:
    """No test names a rule that is not there, and no rule, ruling or example is without a test."""
    assert CITED[page] == places(PAGES[page])


def test_no_test_names_a_page_that_is_not_there() -> None:
    assert set(CITED) == set(PAGES)


@pytest.mark.parametrize(
    ("page", "variant"), [("classic", "classic"), ("longo", "longo"), ("mixx", "mixx-b"), ("big-points", "big-points")]
)
def test_layouts_of_the_pages(page: str, variant: str) -> None:
    """The tables show the sheets as they are played."""
    rows = {
        name: [int(number) for number in numbers.removesuffix(" lock").split()]
        for name, numbers in re.findall(r"^\| \*?([A-Z]{1,2})\*? \| ([\d ]+(?: lock)?) \|", PAGES[page], re.MULTILINE)
    }
    found = find_variant(variant)
    assert rows == {row.name: list(row.numbers) for row in found.rows + found.fields}


def test_mixed_colours_of_the_page() -> None:
    rows = re.findall(r"^\| ([RYGB]) \| ((?:[RYGB]\d+ \| ){10}[RYGB]\d+) \|$", PAGES["mixx"], re.MULTILINE)
    assert {name: cells.split(" | ") for name, cells in rows} == {
        row.name: [f"{colour}{number}" for colour, number in zip(row.colours, row.numbers, strict=True)]
        for row in find_variant("mixx-a").rows
    }


def test_bonus_boxes_of_the_page() -> None:
    page, bar, pairs = PAGES["bonus"], find_variant("bonus-a"), find_variant("bonus-b").pairs
    boxes = re.findall(r"^\| ([RYGB]) \| ((?:\d+ ){2}\d+) \|$", page, re.MULTILINE)
    assert [row + number for row, numbers in boxes for number in numbers.split()] == list(bar.bar_boxes)
    (line,) = re.findall(r"^\| ([RYGB](?: \| [RYGB]){11}) \|$", page, re.MULTILINE)
    assert line.replace(" | ", "") == bar.bar
    kinds = re.findall(r"^\| (\w+) \| ([RYGB]\d+), ([RYGB]\d+) \|", page, re.MULTILINE)
    assert kinds == [(pair.name, *pair.boxes) for pair in pairs]


def test_sheets_of_connected() -> None:
    page, steps, pairs = PAGES["connected"], find_variant("connected-a"), find_variant("connected-b")
    rows = re.findall(r"^\| ([A-E]) \| ((?:[RYGB]\d+ \| ){10}[RYGB]\d+) \|$", page, re.MULTILINE)
    assert {letter: tuple(cells.split(" | ")) for letter, cells in rows} == dict(
        zip(steps.sheet_letters, steps.steps, strict=True)
    )
    rows = re.findall(r"^\| ([A-E]) \| ((?:[RYGB]\d+-[RYGB]\d+(?:, )?){6}) \|$", page, re.MULTILINE)
    assert {letter: tuple(tuple(pair.split("-")) for pair in text.split(", ")) for letter, text in rows} == dict(
        zip(pairs.sheet_letters, pairs.joined, strict=True)
    )


def test_swap_fields_of_the_page() -> None:
    (line,) = re.findall(r"^\| (\d+/\d+(?: \| \d+/\d+)+) \|$", PAGES["x-change"], re.MULTILINE)
    assert line.split(" | ") == [f"{first}/{second}" for first, second in find_variant("x-change").swaps]
