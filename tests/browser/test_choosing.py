"""Choosing is local: it can be changed, shows what it sets off, and only what is confirmed is sent."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.people import PHONE, Person
from tests.server.serving import Server

DESK = {"width": 1280, "height": 800}


def option(text: str, *marks: str, locks: str = "") -> dict[str, object]:
    return {"option": text, "marks": list(marks), "locks": list(locks), "lucky": False, "misthrow": False, "cards": []}


# As in Bonus B where a circle is complete and two rows have the fewest marks.
OPTIONS = [
    option("-"),
    option("Y11+R2+R3", "Y11", "R2", "R3"),
    option("Y11+G12+G11", "Y11", "G12", "G11"),
    option("R12#", "R12", locks="R"),
]


def test_a_bonus_asks_for_the_row(browser: Browser, server: Server) -> None:
    sent: list[dict[str, object]] = []

    def between(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            sent.append(json.loads(message))
            to_server.send(message)

        def from_server(message: str | bytes) -> None:
            view = json.loads(message)
            if view["type"] == "view" and view["own"] and view["own"][0]["options"]:
                view["own"][0]["options"] = OPTIONS
            route.send(json.dumps(view))

        route.on_message(from_page)
        to_server.on_message(from_server)

    zoe = Person(browser, server.url)
    zoe.page.route_web_socket(re.compile("/api/socket"), between)
    zoe.sit_down(server.create(1, "bonus-b"), "Zoe").wait_for_table()
    page = zoe.page

    page.get_by_role("button", name="red 12, can be marked").click()
    expect(zoe.sentence).to_have_text("Chosen: red 12, closing red.")
    expect(page.get_by_role("button", name="Mark red 12")).to_have_accessible_description(
        "Chosen: red 12, closing red."
    )
    expect(page.get_by_role("img", name="will be locked")).to_have_count(1)

    page.get_by_role("button", name="yellow 11, can be marked").click()
    expect(page.get_by_role("img", name="red 2, comes with it")).to_be_visible()
    rows = page.get_by_role("group", name="Which row gets the bonus?").get_by_role("button")
    expect(rows).to_have_text(["yellow 11, then red 2 and red 3", "yellow 11, then green 12 and green 11"])
    rows.nth(1).click()
    expect(page.get_by_role("img", name="green 12, comes with it")).to_be_visible()
    expect(page.get_by_role("img", name="red 2, free")).to_be_visible()
    assert not [message for message in sent if message["type"] == "decide"]

    expect(zoe.sentence).to_have_text("Chosen: yellow 11, then green 12 and green 11.")
    page.get_by_role("button", name="Mark yellow 11").click()
    zoe.wait_until(lambda: any(message["type"] == "decide" for message in sent))
    page.wait_for_timeout(300)
    decisions = [message["option"] for message in sent if message["type"] == "decide"]
    assert decisions == ["Y11+G12+G11"]
    zoe.close()


def test_a_choice_can_be_changed_and_dropped(browser: Browser, server: Server) -> None:
    ann = Person(browser, server.url).sit_down(server.create(1), "Ann").wait_for_table()
    ann.wait_to_decide()
    cells = ann.page.locator("button.cell")
    first, second = cells.nth(0), cells.nth(1)
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    second.click()
    expect(first).to_have_attribute("aria-pressed", "false")
    second.click()
    expect(ann.page.locator("button.cell.chosen")).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Tap a ringed cell")).to_have_attribute("aria-disabled", "true")
    ann.close()


def test_the_next_decision_does_not_wait_for_the_answer_to_the_last(browser: Browser, server: Server) -> None:
    """A view that shows what comes next tells as much as the answer that comes after it."""

    def between(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()
        decisions: list[str] = []

        def from_page(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "decide":
                decisions.append(said["id"])
            to_server.send(message)

        def from_server(message: str | bytes) -> None:
            if json.loads(message).get("id") not in decisions:
                route.send(message)

        route.on_message(from_page)
        to_server.on_message(from_server)

    cleo = Person(browser, server.url)
    cleo.page.route_web_socket(re.compile("/api/socket"), between)
    cleo.sit_down(server.create(1), "Cleo").wait_for_table()
    cleo.page.get_by_role("button", name="Pass").click()
    expect(cleo.sentence).to_contain_text("coloured")
    cleo.wait_to_decide()
    cleo.close()


def test_the_dice_roll_and_come_to_rest(browser: Browser, server: Server) -> None:
    bea = Person(browser, server.url, motion="no-preference")
    bea.sit_down(server.create(1), "Bea").wait_for_table()
    bea.page.evaluate("""() => {
      window.told = new Set();
      const look = () => {
        if (document.querySelector('.die.rolling')) window.told.add(document.querySelector('.sentence').textContent);
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    }""")
    bea.decide()
    bea.decide()
    expect(bea.page.locator("h1 span")).not_to_contain_text("Turn 1 ")
    expect(bea.page.locator(".die.rolling")).to_have_count(0)
    bea.wait_to_decide()
    told = bea.page.evaluate("[...window.told]")
    assert "The dice are rolling …" in told
    assert "White sum" not in " ".join(told)
    bea.close()


def test_the_log_tells_of_a_turn_what_has_happened(browser: Browser, server: Server) -> None:
    """Whoever passes in the white action may still mark: nothing is told before."""
    cat = Person(browser, server.url).sit_down(server.create(1), "Cat").wait_for_table()
    log = cat.page.get_by_role("region", name="Latest turns")
    cat.page.get_by_role("button", name="Pass").click()
    expect(cat.sentence).to_contain_text("coloured")
    assert log.inner_text().strip() == ""
    cat.page.get_by_role("button", name="Misthrow").press("Enter")  # a second tap so soon would not count
    expect(log).to_contain_text("Cat takes a misthrow.")
    cat.close()


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_board_stays_where_it_is(browser: Browser, server: Server, size: dict[str, int]) -> None:
    """Whoever rolls, and with the server or without."""
    dan = Person(browser, server.url, size=size).sit_down(server.create([None, "greedy"]), "Dan").wait_for_table()
    sheet = dan.page.locator(".mine .sheet")
    whose = dan.page.locator("h1 span")
    dan.wait_to_decide()

    def place() -> list[int]:
        box = sheet.bounding_box()
        assert box
        return [round(box["y"]), round(box["height"])]

    places = [place()]
    before = whose.inner_text()
    while whose.inner_text() == before:
        dan.act()
    dan.wait_to_decide()
    places.append(place())
    dan.context.set_offline(True)
    dan.sees("No connection right now.")
    places.append(place())
    assert places == [places[0]] * 3
    dan.close()


@pytest.mark.parametrize("size", [PHONE, DESK])
@pytest.mark.parametrize("variant", ["big-points", "bonus-b"])
def test_a_notice_moves_no_cell(browser: Browser, tmp_path: Path, variant: str, size: dict[str, int]) -> None:
    """Nor hides it one that can be marked, whether something is refused or somebody is absent."""
    refused: list[str] = []

    def between(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            said = json.loads(message)
            if said["type"] == "decide" and not refused:
                refused.append(said["option"])
                route.send(json.dumps({"type": "error", "code": "illegal", "values": {}, "id": said["id"]}))
            else:
                to_server.send(message)

        route.on_message(from_page)

    with Server(tmp_path, absent_seconds=0.5) as server:
        table = server.create(2, variant)
        fay = Person(browser, server.url, size=size)
        fay.page.route_web_socket(re.compile("/api/socket"), between)
        fay.sit_down(table, "Fay")
        gil = Person(browser, server.url).sit_down(table, "Gil")
        fay.wait_for_table()
        fay.wait_to_decide()
        places = """() => [...document.querySelectorAll('.mine .cell')].map((cell) => {
          const { x, y, width, height } = cell.getBoundingClientRect();
          return [x, y, width, height].map(Math.round);
        })"""
        hidden = """() => [...document.querySelectorAll('button.cell')].filter((cell) => {
          const { x, y, width, height } = cell.getBoundingClientRect();
          return !cell.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }).map((cell) => cell.getAttribute('aria-label'))"""
        before = fay.page.evaluate(places)

        gil.close()
        fay.sees("away for long")
        fay.page.get_by_role("button", name="Pass").click()
        fay.sees("The rules do not allow that mark.")
        assert (fay.page.evaluate(places), fay.page.evaluate(hidden)) == (before, [])

        fay.page.wait_for_timeout(500)  # a second tap so soon would not count
        fay.page.get_by_role("button", name="Pass").click()
        offer = fay.page.get_by_role("button", name=re.compile("play meanwhile"))
        expect(offer).to_be_visible()
        assert fay.page.evaluate(places) == before
        offer.click()
        fay.sees("plays for now")
        fay.wait_to_decide()
        assert (fay.page.evaluate(places), fay.page.evaluate(hidden)) == (before, [])
        assert fay.errors == []
        fay.close()


@pytest.mark.parametrize(
    ("others", "size", "numbers"), [(4, PHONE, False), (2, PHONE, False), (1, PHONE, True), (2, DESK, True)]
)
def test_the_sheets_of_others_can_be_read(
    browser: Browser, server: Server, others: int, size: dict[str, int], numbers: bool
) -> None:
    eli = Person(browser, server.url, size=size)
    eli.sit_down(server.create([None, *["greedy"] * others]), "Eli").wait_for_table()
    heights = eli.page.evaluate("""() => [...document.querySelectorAll('.others text, .others .rows span')]
      .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().height)""")
    assert len(heights) == others * (4 + 44 * numbers)  # points of rows, cells
    assert min(heights) >= 10
    eli.close()
