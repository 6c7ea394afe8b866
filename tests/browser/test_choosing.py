"""Choosing is local: it can be changed, shows what it sets off, and only what is confirmed is sent."""

import json
import re

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.people import Person
from tests.server.serving import Server


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
      window.rolled = 0;
      const look = () => { window.rolled += document.querySelectorAll('.die.rolling').length };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    }""")
    bea.decide()
    bea.decide()
    bea.page.wait_for_function("window.rolled > 0")
    expect(bea.page.locator(".die.rolling")).to_have_count(0)
    bea.wait_to_decide()
    bea.close()
