"""Joined cells, swap fields and second boxes: how they are drawn, tapped and read out, in situations made up here."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.people import Person, box_of, overlap
from tests.browser.test_accessibility import problems
from tests.server.serving import Server

SMALL_PHONE = {"width": 360, "height": 640}
SIZES = [SMALL_PHONE, {"width": 740, "height": 360}, {"width": 1280, "height": 800}]


def option(text: str, *marks: str, **more: object) -> dict[str, object]:
    return {"option": text, "marks": list(marks), **more}


def sit_down(person: Person, server: Server, variant: str, options: list[Any], **sheet: Any) -> list[dict[str, Any]]:
    """A table where views have these options and these fields of the sheet; returns the decisions that are not sent."""
    decided: list[dict[str, Any]] = []

    def intercept(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            if json.loads(message)["type"] == "decide":
                decided.append(json.loads(message))
            else:
                to_server.send(message)

        def from_server(message: str | bytes) -> None:
            view = json.loads(message)
            if view["type"] == "view" and view["position"]:
                view["own"][0]["options"] = options
                for name, value in sheet.items():
                    shown = view["position"]["sheets"][0]
                    shown[name] = {**shown[name], **value} if isinstance(value, dict) else value
            route.send(json.dumps(view))

        route.on_message(from_page)
        to_server.on_message(from_server)

    person.page.route_web_socket(re.compile("/api/socket"), intercept)
    person.sit_down(server.create(1, variant), "Zoe").wait_to_decide()
    return decided


@pytest.mark.parametrize("size", SIZES, ids=["phone", "sideways", "desktop"])
def test_a_joined_cell_comes_with_its_partner(browser: Browser, server: Server, size: dict[str, int]) -> None:
    """Sheet A joins R6 and Y6: a link lies between them, and both are pencilled in."""
    zoe = Person(browser, server.url, size=size)
    options = [option("-"), option("R6+Y6", "R6", "Y6"), option("Y6+R6", "Y6", "R6"), option("G6", "G6")]
    decided = sit_down(zoe, server, "connected-b", options)
    page = zoe.page
    red = page.get_by_role("button", name="red 6, can be marked, joined with yellow 6")
    yellow = page.get_by_role("button", name="yellow 6, can be marked, joined with red 6")
    links = [box_of(link) for link in page.locator(".own-sheet .link").all()]
    assert len(links) == 6
    assert [overlap(links[0], box_of(cell)) for cell in (red, yellow)] == [True, True]
    red.click()
    expect(page.get_by_role("button", name="yellow 6, comes with it, joined with red 6")).to_be_visible()
    expect(zoe.status).to_have_text("Chosen: red 6 with yellow 6.")
    assert problems(zoe) == []
    page.get_by_role("button", name="Mark red 6").click()
    expect(page.get_by_role("button", name=re.compile("^(red|yellow) 6, pencilled in"))).to_have_count(2)
    assert [one["option"] for one in decided] == ["R6+Y6"]
    zoe.close()


def test_a_swap_field_is_tapped_before_the_cell(browser: Browser, server: Server) -> None:
    zoe = Person(browser, server.url, size=SMALL_PHONE)
    swaps = [option(f"8>{cell}", cell, swap="8/5", swapped=8) for cell in ("R5", "G5")]
    options = [option("-"), option("R8", "R8"), *swaps, option("8>B6", "B6", swap="8/6", swapped=8)]
    states = ["free", "lost", "used", *["free"] * 6]
    decided = sit_down(zoe, server, "x-change", options, swap_states=states)
    page = zoe.page
    fields = page.get_by_role("list", name="Swap fields")
    expect(fields.get_by_role("listitem")).to_have_count(9)
    expect(fields.get_by_role("button", name="swap field 9/7, lost")).to_be_visible()
    expect(fields.get_by_role("button", name="swap field 11/3, used")).to_be_visible()
    expect(zoe.status).to_contain_text("mark it, tap a swap field, or pass.")
    expect(page.locator("button.cell:not([aria-disabled=true])")).to_have_count(1)
    assert problems(zoe) == []

    field = fields.get_by_role("button", name="swap field 8/5, can be used")
    assert box_of(field)["width"] >= 30
    field.press("Enter")
    expect(zoe.status).to_have_text("5 in exchange for 8: tap the cell to mark.")
    expect(fields.get_by_role("button", name="swap field 8/5, chosen")).to_have_attribute("aria-pressed", "true")
    expect(page.locator("button.cell:not([aria-disabled=true])")).to_have_count(2)
    page.get_by_role("button", name="green 5, can be marked").click()
    expect(zoe.status).to_have_text("Chosen: green 5 in exchange for 8.")
    assert problems(zoe) == []
    fields.get_by_role("button", name="swap field 8/6, can be used").click()  # with it one cell can be marked
    expect(zoe.status).to_have_text("Chosen: blue 6 in exchange for 8.")
    page.get_by_role("button", name="Mark blue 6").click()
    expect(fields.get_by_role("button", name="swap field 8/6, pencilled in")).to_be_visible()
    expect(page.get_by_role("button", name="blue 6, pencilled in")).to_be_visible()
    assert [one["option"] for one in decided] == ["8>B6"]
    zoe.close()


def test_a_second_box_is_tapped_with_its_cell(browser: Browser, server: Server) -> None:
    zoe = Person(browser, server.url, size=SMALL_PHONE)
    options = [option("-"), option("R5*", "R5", second=True), option("Y5", "Y5")]
    cells = ["marked", "lost", "lost", "marked", *["open"] * 7]
    boxes = ["marked", "lost", "lost", "open", *["open"] * 6]
    decided = sit_down(zoe, server, "double-a", options, cells={"R": cells}, second_states={"R": boxes})
    page = zoe.page
    expect(page.get_by_role("button", name="red 2, marked, second box marked")).to_be_visible()
    expect(page.get_by_role("button", name="red 3, lost, second box lost")).to_be_visible()
    expect(page.get_by_role("button", name="red 12, free", exact=True)).to_be_visible()
    assert problems(zoe) == []
    cell = page.get_by_role("button", name="red 5, marked, second box can be marked")
    cell.locator(".second").click()
    expect(zoe.status).to_have_text("Chosen: second box of red 5.")
    page.get_by_role("button", name="red 5, marked, second box chosen").locator(".face").click()
    expect(page.locator("button.chosen")).to_have_count(0)
    cell.click()
    assert problems(zoe) == []
    page.get_by_role("button", name="Mark second box of red 5").click()
    expect(page.get_by_role("button", name="red 5, marked, second box pencilled in")).to_be_visible()
    assert [one["option"] for one in decided] == ["R5*"]
    zoe.close()


def test_a_sheet_is_chosen_with_the_table(browser: Browser, server: Server) -> None:
    """Whoever opens the table chooses for every seat; only games with several sheets ask."""
    zoe = Person(browser, server.url).open("/new")
    page = zoe.page
    page.wait_for_selector(".game")
    assert page.get_by_label("Sheet on seat").count() == 0
    page.get_by_role("radio", name="Connected A").check()
    page.get_by_label("Sheet on seat 1").select_option("Sheet C")
    page.get_by_label("Sheet on seat 2").select_option("Sheet C")
    page.get_by_role("button", name="Open the table").click()
    expect(page.get_by_role("button", name="Open the table")).to_have_count(0)  # both pages have fields of these names
    expect(page.locator("li.seat").first).to_contain_text("Sheet C")
    expect(page.get_by_label("Sheet on seat 2")).to_have_value("C")
    page.get_by_label("Sheet on seat 2").select_option("Sheet A")  # nobody sits there yet, so the host may change it
    page.get_by_label("Seat 2", exact=True).select_option("greedy")
    page.get_by_role("button", name="Start").click()
    expect(page.locator(".own-sheet .letter")).to_have_text("Sheet C")
    expect(page.get_by_role("button", name=re.compile("^green 12, .*step$"))).to_be_visible()
    page.locator(".others button").click()
    expect(page.locator("dialog .letter")).to_have_text("Sheet A")
    assert zoe.errors == []
    zoe.close()
