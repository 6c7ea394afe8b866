"""Choosing an option: it can be changed, shows bonus marks and locks, and is sent when it is confirmed."""

import json
import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.people import PHONE, Person, box_of, overlap
from tests.server.serving import Server

DESKTOP = {"width": 1280, "height": 800}


def option(text: str, *marks: str, locks: str = "") -> dict[str, object]:
    return {"option": text, "marks": list(marks), "locks": list(locks), "lucky": False, "misthrow": False, "cards": []}


# A situation of Bonus B: a pair is complete and two rows have the fewest marks.
OPTIONS = [
    option("-"),
    option("Y11+R2+R3", "Y11", "R2", "R3"),
    option("Y11+G12+G11", "Y11", "G12", "G11"),
    option("R12#", "R12", locks="R"),
]


def test_a_bonus_asks_for_the_row(browser: Browser, server: Server) -> None:
    sent: list[dict[str, object]] = []

    def intercept(route: WebSocketRoute) -> None:
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
    zoe.page.route_web_socket(re.compile("/api/socket"), intercept)
    zoe.sit_down(server.create(1, "bonus-b"), "Zoe").wait_for_table()
    page = zoe.page

    page.get_by_role("button", name="red 12, can be marked").click()
    expect(zoe.status).to_have_text("Chosen: red 12 and the red lock.")
    expect(page.get_by_role("button", name="Mark red 12")).to_have_accessible_description(
        "Chosen: red 12 and the red lock."
    )
    expect(page.get_by_role("img", name="will be locked")).to_have_count(1)

    page.get_by_role("button", name="yellow 11, can be marked").click()
    expect(page.get_by_role("button", name="red 2, comes with it")).to_be_visible()
    rows = page.get_by_role("group", name="Which row gets the bonus?").get_by_role("button")
    expect(rows).to_have_text(["yellow 11, then red 2 and red 3", "yellow 11, then green 12 and green 11"])
    rows.nth(1).click()
    expect(page.get_by_role("button", name="green 12, comes with it")).to_be_visible()
    expect(page.get_by_role("button", name="red 2, free")).to_be_visible()
    assert not [message for message in sent if message["type"] == "decide"]

    expect(zoe.status).to_have_text("Chosen: yellow 11, then green 12 and green 11.")
    page.get_by_role("button", name="Mark yellow 11").click()
    zoe.wait_until(lambda: any(message["type"] == "decide" for message in sent))
    page.wait_for_timeout(300)
    decisions = [message["option"] for message in sent if message["type"] == "decide"]
    assert decisions == ["Y11+G12+G11"]
    zoe.close()


def test_a_choice_can_be_changed_and_dropped(browser: Browser, server: Server) -> None:
    ann = Person(browser, server.url).sit_down(server.create(1), "Ann").wait_for_table()
    ann.wait_to_decide()
    cells = ann.page.locator("button.cell:not([aria-disabled=true])")
    first, second = cells.nth(0), cells.nth(1)
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    second.click()
    expect(first).to_have_attribute("aria-pressed", "false")
    second.click()
    expect(ann.page.locator("button.cell.chosen")).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Choose a ringed cell")).to_have_attribute("aria-disabled", "true")
    ann.close()


def test_a_confirmed_mark_is_pencilled_in(browser: Browser, server: Server) -> None:
    """It is drawn and announced from the tap on until all have decided, and gone when it is taken back."""
    table = server.create(2)
    ida, jan = (Person(browser, server.url).sit_down(table, name) for name in ("Ida", "Jan"))
    ida.wait_to_decide()
    cell = ida.page.locator("button.cell:not([aria-disabled=true])").first
    name = (cell.get_attribute("aria-label") or "").partition(",")[0]
    pencilled = ida.page.get_by_role("button", name=f"{name}, pencilled in")
    cell.click()
    ida.page.locator(".actions .primary.wide").click()
    expect(pencilled).to_be_visible()
    expect(ida.page.locator("[aria-live]")).to_contain_text(f"Your decision: {name}")
    ida.page.get_by_role("button", name="Take it back").press("Enter")
    expect(pencilled).to_have_count(0)

    ida.page.get_by_role("button", name=f"{name}, can be marked").click()
    ida.page.locator(".actions .primary.wide").press("Enter")
    expect(pencilled).to_be_visible()
    jan.decide()
    expect(pencilled).to_have_count(0)
    expect(ida.page.locator(".play-area").get_by_role("button", name=f"{name}, marked")).to_be_visible()
    for person in (ida, jan):
        assert person.errors == []
        person.close()


def test_a_new_view_replaces_a_missing_acknowledgement(browser: Browser, server: Server) -> None:
    """The next decision is possible when its view has arrived."""

    def intercept(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()
        decisions: list[str] = []

        def from_page(message: str | bytes) -> None:
            decoded = json.loads(message)
            if decoded["type"] == "decide":
                decisions.append(decoded["id"])
            to_server.send(message)

        def from_server(message: str | bytes) -> None:
            if json.loads(message).get("id") not in decisions:
                route.send(message)

        route.on_message(from_page)
        to_server.on_message(from_server)

    cleo = Person(browser, server.url)
    cleo.page.route_web_socket(re.compile("/api/socket"), intercept)
    cleo.sit_down(server.create(1), "Cleo").wait_for_table()
    cleo.page.get_by_role("button", name="Pass").click()
    expect(cleo.status).to_contain_text("coloured")
    cleo.wait_to_decide()
    cleo.close()


def test_the_dice_are_animated(browser: Browser, server: Server) -> None:
    bea = Person(browser, server.url, motion="no-preference")
    bea.sit_down(server.create(1), "Bea").wait_for_table()
    bea.page.evaluate("""() => {
      window.texts = new Set();
      const update = () => {
        if (document.querySelector('.die.rolling')) window.texts.add(document.querySelector('.status').textContent);
      };
      new MutationObserver(update).observe(document.body, { subtree: true, childList: true, attributes: true });
    }""")
    bea.decide()
    bea.decide()
    expect(bea.page.locator("h1 span")).not_to_contain_text("Turn 1 ")
    expect(bea.page.locator(".die.rolling")).to_have_count(0)
    bea.wait_to_decide()
    texts = bea.page.evaluate("[...window.texts]")
    assert "The dice are rolling …" in texts
    assert "White sum" not in " ".join(texts)
    bea.close()


def test_the_log_shows_only_finished_actions(browser: Browser, server: Server) -> None:
    """After a pass in the white action the player may still mark, so the log stays empty."""
    cat = Person(browser, server.url).sit_down(server.create(1), "Cat").wait_for_table()
    log = cat.page.get_by_role("region", name="Latest turns")
    cat.page.get_by_role("button", name="Pass").click()
    expect(cat.status).to_contain_text("coloured")
    assert log.inner_text().strip() == ""
    cat.page.get_by_role("button", name="Misthrow").press("Enter")  # a second tap would be ignored
    cat.page.get_by_role("button", name="Take the misthrow").press("Enter")
    expect(log).to_contain_text("You take a misthrow.")
    cat.close()


@pytest.mark.parametrize("size", [(360, 640), (640, 360)], ids=["upright", "sideways"])
@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL"])
def test_a_misthrow_has_to_be_confirmed(browser: Browser, server: Server, language: str, size: tuple[int, int]) -> None:
    """It takes the place of "Pass", so a second tap there must not commit it."""
    words = {
        "en-GB": ("Pass", "Misthrow −5", "Really take a misthrow? It costs 5 points.", "Cancel", "Take the misthrow"),
        "de-DE": (
            "Passen",
            "Fehlwurf −5",
            "Wirklich einen Fehlwurf nehmen? Er kostet 5 Punkte.",
            "Abbrechen",
            "Fehlwurf nehmen",
        ),
        "nl-NL": (
            "Passen",
            "Mislukte worp −5",
            "Echt een mislukte worp nemen? Die kost 5 punten.",
            "Annuleren",
            "Mislukte worp nemen",
        ),
    }
    names, question = words[language], words[language][2]
    hal = Person(browser, server.url, language, size={"width": size[0], "height": size[1]})
    page, now = hal.page, time.time()
    page.clock.set_fixed_time(now)
    hal.sit_down(server.create(1), "Hal").wait_for_table()
    passing, misthrow, _, cancel, take = (page.get_by_role("button", name=name) for name in names)
    passing.click()
    expect(misthrow).to_be_visible()
    place = box_of(misthrow)
    page.clock.set_fixed_time(now + 1)  # the page ignores taps shortly after a decision

    misthrow.click()
    expect(hal.status).to_have_text(question)
    expect(page.locator("[aria-live]")).to_have_text(question)
    expect(cancel).to_be_focused()
    expect(cancel).to_have_accessible_description(question)
    assert not overlap(place, box_of(take))
    page.clock.set_fixed_time(now + 2)
    page.mouse.click(place["x"] + place["width"] / 2, place["y"] + place["height"] / 2)
    expect(take).to_have_count(0)

    misthrow.press("Enter")
    expect(take).to_be_visible()
    page.keyboard.press("Escape")
    expect(take).to_have_count(0)
    misthrow.press("Enter")
    expect(take).to_be_visible()
    if hal.page.locator("button.cell:not([aria-disabled=true])").count():
        hal.page.locator("button.cell:not([aria-disabled=true])").first.click()  # another choice is an answer too
        expect(take).to_have_count(0)
        misthrow.press("Enter")
    take.click()
    expect(page.locator(".misthrow.taken")).to_have_count(1)
    assert hal.errors == []
    hal.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
def test_the_sheet_keeps_its_position(browser: Browser, server: Server, size: dict[str, int]) -> None:
    """Its position does not depend on whose turn it is, or on the connection."""
    dan = Person(browser, server.url, size=size).sit_down(server.create([None, "greedy"]), "Dan").wait_for_table()
    rows = dan.page.locator(".play-area .row")
    turn = dan.page.locator("h1 span")
    dan.wait_to_decide()

    def position() -> list[tuple[int, int]]:
        return [(round(box["y"]), round(box["height"])) for box in map(box_of, rows.all())]

    positions = [position()]
    before = turn.inner_text()
    while turn.inner_text() == before:
        dan.act()
    dan.wait_to_decide()
    positions.append(position())
    dan.context.set_offline(True)
    dan.sees("No connection right now.")
    positions.append(position())
    assert len(positions[0]) == 4
    assert positions == [positions[0]] * 3
    dan.close()


@pytest.mark.parametrize("size", [PHONE, DESKTOP])
@pytest.mark.parametrize("variant", ["big-points", "bonus-b"])
def test_a_notice_moves_no_cell(browser: Browser, tmp_path: Path, variant: str, size: dict[str, int]) -> None:
    """It hides no selectable cell either, whether a decision was refused or a player is absent."""
    refused: list[str] = []

    def intercept(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            decoded = json.loads(message)
            if decoded["type"] == "decide" and not refused:
                refused.append(decoded["option"])
                route.send(json.dumps({"type": "error", "code": "illegal", "values": {}, "id": decoded["id"]}))
            else:
                to_server.send(message)

        route.on_message(from_page)

    with Server(tmp_path, absent_seconds=0.5) as server:
        table = server.create(2, variant)
        fay = Person(browser, server.url, size=size)
        fay.page.route_web_socket(re.compile("/api/socket"), intercept)
        fay.sit_down(table, "Fay")
        gil = Person(browser, server.url).sit_down(table, "Gil")
        fay.wait_for_table()
        fay.wait_to_decide()
        positions = """() => [...document.querySelectorAll('.play-area .cell')].map((cell) => {
          const { x, y, width, height } = cell.getBoundingClientRect();
          return [x, y, width, height].map(Math.round);
        })"""
        hidden = """() => [...document.querySelectorAll('button.cell:not([aria-disabled=true])')].filter((cell) => {
          const { x, y, width, height } = cell.getBoundingClientRect();
          return !cell.contains(document.elementFromPoint(x + width / 2, y + height / 2));
        }).map((cell) => cell.getAttribute('aria-label'))"""
        before = fay.page.evaluate(positions)

        gil.close()
        fay.sees("away for long")
        fay.page.get_by_role("button", name="Pass").click()
        fay.sees("The rules do not allow that mark.")
        assert (fay.page.evaluate(positions), fay.page.evaluate(hidden)) == (before, [])

        fay.page.wait_for_timeout(500)  # a second tap would be ignored
        fay.page.get_by_role("button", name="Pass").click()
        offer = fay.page.get_by_role("button", name=re.compile("play meanwhile"))
        expect(offer).to_be_visible()
        assert fay.page.evaluate(positions) == before
        offer.click()
        fay.sees("plays for now")
        fay.wait_to_decide()
        assert (fay.page.evaluate(positions), fay.page.evaluate(hidden)) == (before, [])
        assert fay.errors == []
        fay.close()


@pytest.mark.parametrize(
    ("others", "size", "numbers"), [(4, PHONE, False), (2, PHONE, False), (1, PHONE, True), (2, DESKTOP, True)]
)
def test_the_sheets_of_others_are_legible(
    browser: Browser, server: Server, others: int, size: dict[str, int], numbers: bool
) -> None:
    eli = Person(browser, server.url, size=size)
    eli.sit_down(server.create([None, *["greedy"] * others]), "Eli").wait_for_table()
    heights = eli.page.evaluate("""() => [...document.querySelectorAll('.others text, .others .row-points span')]
      .filter((one) => one.checkVisibility()).map((one) => one.getBoundingClientRect().height)""")
    assert len(heights) == others * (4 + 44 * numbers)  # points of rows, cells
    assert min(heights) >= 10
    eli.close()
