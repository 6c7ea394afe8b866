"""Lessons: the first game to its end in three languages, others by keyboard and without a connection."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.browser.people import PHONE, Person, box_of
from tests.browser.test_accessibility import problems
from tests.browser.test_offline import start_again, visit
from tests.server.serving import Server

LESSONS = Path(__file__).parents[2] / "web" / "src" / "learn" / "lessons"


def steps_of(game: str) -> list[dict[str, Any]]:
    steps: list[dict[str, Any]] = json.loads((LESSONS / f"{game}.json").read_text(encoding="utf-8"))["steps"]
    return steps


def cell(person: Person, name: str) -> Locator:
    """A cell of the own sheet: `R5`."""
    exactly = re.compile(f"^{name[1:].rstrip('#')}$")
    return person.page.locator(f".own-sheet .row.{name[0]} .cell").filter(
        has=person.page.locator(".number").get_by_text(exactly)
    )


def decide(person: Person, option: str) -> None:
    """Tap what an option marks and confirm; with a key, since taps right after a decision are ignored."""
    page = person.page
    if option == "-":
        page.locator(".actions .buttons .button").first.press("Enter")
    elif option == "x":
        page.locator(".actions .warning").press("Enter")  # nothing else is possible, so nothing is asked
    else:
        cell(person, option).click()
        page.locator(".actions .primary.wide").press("Enter")


def at_step(person: Person, number: int, count: int) -> None:
    expect(person.page.locator("h1 span")).to_have_text(re.compile(rf"\b{number}\b.*\b{count}\b"))


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL"])
def test_the_first_game_to_its_end(browser: Browser, server: Server, language: str) -> None:
    """Wrong tries get a hint or a reason; in English it is left in the middle and resumed from home."""
    ida = Person(browser, server.url, language).open()
    page, steps = ida.page, steps_of("classic")
    page.locator("a[href=learn]").click()
    for number, step in enumerate(steps, 1):
        at_step(ida, number, len(steps))
        size = page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]")
        assert (number, size) == (number, [PHONE["width"], PHONE["height"]])
        if number == 2:
            top = box_of(page.locator(".own-sheet"))["y"]
            decide(ida, "G3")
            expect(page.locator(".coach [aria-live] .hint")).to_be_visible()
            assert box_of(page.locator(".own-sheet"))["y"] == top  # an answer moves nothing
            assert problems(ida) == []
        if step["text"].endswith(".nothing"):
            cell(ida, "R7").click(force=True)
            expect(page.locator(".why")).to_have_text(re.compile("9"))  # left of the last mark
        if number == 6 and language == "en-GB":
            page.locator("header a").click()
            page.get_by_role("link", name=re.compile("Continue learning")).click()
            at_step(ida, number, len(steps))
        if number < len(steps):
            decide(ida, step["moves"][0]) if "moves" in step else page.locator(".coach .primary").press("Enter")
    expect(page.locator(".coach strong")).to_contain_text("66")
    assert problems(ida) == []
    page.locator("header a").click()
    again = {"en-GB": "Learn to play", "de-DE": "Spielen lernen", "nl-NL": "Leren spelen"}[language]
    expect(page.locator("a[href=learn]")).to_have_text(again)
    assert ida.errors == []
    ida.close()


def test_a_lesson_from_the_rules_without_a_connection(browser: Browser, server: Server) -> None:
    """The card game, after the app was closed: take, mark the announced number, play two cards; then a real game."""
    zoe = visit(browser, server.url)
    zoe.context.set_offline(True)
    start_again(zoe)
    page = zoe.page
    page.goto(f"{server.url}/rules/cards")
    page.get_by_role("link", name="Short lesson").click()
    page.locator(".display button").nth(1).click()
    page.locator(".actions .primary.wide").press("Enter")
    at_step(zoe, 2, 4)
    decide(zoe, "Y4")
    at_step(zoe, 3, 4)
    cell(zoe, "R5").click(force=True)
    expect(page.locator(".why")).to_have_text("First choose red 5 from your hand.")
    for card in ("red 5", "red 6"):
        page.locator(".hand").get_by_role("button", name=card).click()
    page.locator(".actions .wide").press("Enter")
    expect(page.locator(".coach [aria-live] .hint")).to_contain_text("two marks in one play")
    for card in ("red 5", "red 6"):
        page.locator(".hand").get_by_role("button", name=card).click()
    for name in ("R5", "R6"):
        cell(zoe, name).click()
    page.locator(".actions .primary.wide").press("Enter")
    at_step(zoe, 4, 4)
    page.get_by_role("button", name="Play it").click()
    zoe.wait_for_table()
    page.wait_for_url(re.compile(r"/local\?game="))
    assert zoe.errors == []
    zoe.close()


def test_a_lesson_by_keyboard(browser: Browser, server: Server) -> None:
    """After every step the focus is at the coach or the sheet; what the coach says is read out."""
    kim = Person(browser, server.url)
    page = kim.page
    page.goto(f"{server.url}/learn/mixx-a")
    at_step(kim, 1, 3)
    kim.tab_to("^yellow 3 in the red row, can be marked$")
    page.keyboard.press("Enter")
    kim.tab_to("^Mark ")
    page.keyboard.press("Enter")
    at_step(kim, 2, 3)
    kim.tab_to("^Show me$")
    page.keyboard.press("Enter")
    at_step(kim, 3, 3)
    expect(page.locator(".coach")).to_be_focused()
    expect(page.locator(".coach [aria-live=polite]")).to_contain_text("Points and locks belong to the row")
    kim.tab_to("^Once more$")
    page.keyboard.press("Enter")
    at_step(kim, 1, 3)
    assert kim.errors == []
    kim.close()
