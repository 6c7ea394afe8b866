"""How a table feels: rolls, moments, what goes by itself, shortcuts, several people at one device, spectators."""

import json
import re
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.people import Person
from tests.server.serving import Server

DESKTOP = {"width": 1280, "height": 800}
PASS = {"option": "-", "marks": []}
MISTHROW = {"option": "-", "marks": [], "misthrow": True}


def prefer(person: Person, **preferences: object) -> Person:
    """Set preferences of the device before its first page."""
    person.page.add_init_script(f"localStorage.setItem('rowlock.preferences', '{json.dumps(preferences)}')")
    return person


def intercept(person: Person, change: Callable[[dict[str, Any]], None]) -> list[str]:
    """Change every view with a position that the page receives; return the list of options that it sends."""
    sent: list[str] = []

    def on_socket(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_page(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "decide":
                sent.append(message["option"])
            to_server.send(text)

        def from_server(text: str | bytes) -> None:
            message = json.loads(text)
            if message["type"] == "view" and message["position"]:
                change(message)
            route.send(json.dumps(message))

        route.on_message(from_page)
        to_server.on_message(from_server)

    person.page.route_web_socket(re.compile("/api/socket"), on_socket)
    return sent


def test_no_motion_where_it_is_not_wanted(browser: Browser, server: Server) -> None:
    ada = Person(browser, server.url, motion="reduce").sit_down(server.create(1), "Ada").wait_for_table()
    ada.page.evaluate("""() => {
      window.moved = 0;
      const look = () => { window.moved += document.getAnimations().length };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true });
    }""")
    ada.decide()
    ada.decide()
    expect(ada.page.locator("h1 span")).not_to_contain_text("Turn 1 ")
    ada.wait_to_decide()
    assert ada.page.evaluate("window.moved") == 0
    ada.close()


def test_the_own_roll_waits_for_a_tap(browser: Browser, server: Server) -> None:
    """By finger or by key; until then nothing tells the dice."""
    bo = prefer(Person(browser, server.url, motion="no-preference"), tapToRoll=True)
    bo.sit_down(server.create(1), "Bo")
    page, roll = bo.page, bo.page.get_by_role("button", name="Tap to roll")
    for by_key in (False, True):
        if by_key:
            bo.decide()
            bo.decide()
            expect(roll).to_be_focused()
        expect(bo.status).to_have_text("Your roll: tap the dice.")
        expect(page.get_by_role("img", name=re.compile("die"))).to_have_count(0)
        expect(page.locator(".sum")).not_to_contain_text(re.compile(r"\d"))
        page.keyboard.press("r") if by_key else roll.click()
        bo.wait_to_decide()
        expect(page.get_by_role("img", name=re.compile("die"))).to_have_count(6)
    assert bo.errors == []
    bo.close()


# A page in the background, and a browser that has allowed notifications.
IN_THE_BACKGROUND = """
  Object.defineProperty(document, 'hidden', { get: () => window.away !== false });
  window.told = [];
  window.Notification = class {
    static permission = 'granted';
    constructor(title, { body }) { window.told.push(`${title}: ${body}`); }
    close() { window.told.push('closed'); }
  };
"""


def test_who_is_away_is_told_that_the_table_waits(browser: Browser, server: Server) -> None:
    kim = prefer(Person(browser, server.url), notify=True)
    kim.page.add_init_script(IN_THE_BACKGROUND)
    kim.sit_down(server.create(1), "Kim").wait_to_decide()
    kim.page.wait_for_function("() => window.told.length === 1")
    kim.page.evaluate("window.away = false; document.dispatchEvent(new Event('visibilitychange'))")
    kim.page.wait_for_function("() => window.told.length > 1")
    kim.decide()
    kim.wait_to_decide()
    told = kim.page.evaluate("window.told")
    assert told[:2] == ["The table waits for you: Classic", "closed"]
    assert set(told[2:]) <= {"closed"}  # who looks at the page is not told
    assert kim.errors == []
    kim.close()


def test_an_automatic_pass_is_no_misthrow(browser: Browser, server: Server) -> None:
    cas = prefer(Person(browser, server.url), autoPass=True)

    def change(view: dict[str, Any]) -> None:
        if view["own"][0]["options"]:
            view["own"][0]["options"] = [PASS if view["position"]["phase"] == "white" else MISTHROW]

    sent = intercept(cas, change)
    cas.sit_down(server.create(1), "Cas").wait_for_table()
    expect(cas.status).to_contain_text("you cannot mark anything. Passing")
    expect(cas.status).to_contain_text("that is a misthrow")
    cas.page.wait_for_timeout(2500)  # twice as long as the pause before a pass
    assert sent == ["-"]
    assert cas.errors == []
    cas.close()


def test_one_tap_marks_and_a_double_tap_does_no_more(browser: Browser, server: Server) -> None:
    dot = prefer(Person(browser, server.url), oneTap=True)
    sent = intercept(dot, lambda view: None)
    dot.sit_down(server.create(1), "Dot").wait_to_decide()
    cell = dot.page.locator("button.cell.selectable").first
    cell.dblclick()
    expect(dot.status).to_contain_text("coloured")
    assert len(sent) == 1
    expect(dot.page.locator(".why")).to_be_empty()
    assert dot.errors == []
    dot.close()


def test_shortcuts(browser: Browser, server: Server) -> None:
    """They are listed, do what the buttons do, leave typing alone, and can be switched off."""
    eva = Person(browser, server.url, size=DESKTOP).sit_down(server.create(1), "Eva")
    page, press, dialog = eva.page, eva.page.keyboard.press, eva.page.get_by_role("dialog")
    eva.wait_to_decide()
    press("?")
    expect(dialog).to_contain_text("Pass, or take a misthrow (asks first)")
    press("p")  # under a dialog it does nothing
    press("Escape")
    expect(dialog).to_have_count(0)
    expect(eva.status).to_contain_text("White sum")
    press("Control+m")
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "false")
    press("m")
    expect(page.get_by_role("button", name="Sound")).to_have_attribute("aria-pressed", "true")
    press("2")
    expect(page.locator(":focus")).to_have_accessible_name(re.compile("^yellow"))
    press("p")
    expect(eva.status).to_contain_text("or take a misthrow")
    press("p")
    expect(page.get_by_role("button", name="Take the misthrow")).to_be_visible()
    press("Escape")
    page.evaluate("localStorage.setItem('rowlock.preferences', '{\"shortcuts\": false}')")
    page.reload()
    eva.wait_to_decide()
    expect(page.locator("[aria-keyshortcuts]")).to_have_count(0)
    press("?")
    press("p")
    expect(eva.status).to_contain_text("or take a misthrow")
    expect(dialog).to_have_count(0)
    assert eva.errors == []
    eva.close()


def test_the_device_is_handed_over_with_one_tap(browser: Browser, server: Server) -> None:
    """Who decides first has it already."""
    pair = Person(browser, server.url).sit_down(server.create(2), "Fee", "Gil")
    pair.wait_to_decide()
    cover = pair.page.get_by_role("button", name=re.compile("^Give the device to"))
    names = ["Fee", "Gil"]
    names.remove(pair.page.locator(".seats [aria-pressed=true] .name").inner_text())
    expect(cover).to_have_count(0)
    expect(pair.page.locator(".others")).to_contain_text("waits for the device")
    pair.page.get_by_role("button", name="Pass").click()
    expect(cover.locator("strong")).to_have_text(names)
    expect(pair.page.locator("button.cell")).to_have_count(0)
    expect(pair.page.locator("[aria-live]")).to_contain_text(f"Give the device to {names[0]}.")
    pair.decide()
    assert pair.errors == []
    pair.close()


def test_a_spectator_chooses_a_sheet(browser: Browser, server: Server) -> None:
    """A lock is told to all, and after the end everybody may look at any sheet."""
    table = server.create(2)
    hal, ida = (Person(browser, server.url).sit_down(table, name) for name in ("Hal", "Ida"))
    hal.wait_to_decide()
    guest = Person(browser, server.url).watch(server, table)
    other = guest.page.locator(".others button")
    shown, chosen = guest.page.locator(".own-sheet h2"), other.locator(".name").inner_text()
    assert chosen != shown.inner_text()
    other.click()
    expect(shown).to_have_text(chosen)
    guest.page.get_by_role("button", name="Follow the turn").click()
    expect(shown).not_to_have_text(chosen)
    for person in (hal, ida):
        person.autoplay()
    for person in (hal, ida, guest):
        person.wait_for_end()
    hal.page.locator(".others button").click()
    expect(hal.page.locator(".own-sheet h2")).to_have_text("Ida")
    for person in (hal, ida, guest):
        assert person.errors == []
        person.close()


def test_moments_are_shown_in_order_and_told(browser: Browser, server: Server) -> None:
    jim = Person(browser, server.url)

    def lock(view: dict[str, Any]) -> None:
        for turn in view["log"]:
            for choice in turn.get("white") or []:
                choice.update({"marks": ["R12"], "locks": ["R"]})
        if view["log"][0].get("white"):
            view["position"].update({"closed": ["R"], "last_row": True})
        if view["position"]["turn"] > 1 and view["position"]["dice"]:
            view["position"]["dice"]["coloured"].pop("R", None)

    intercept(jim, lock)
    jim.sit_down(server.create(1), "Jim").wait_for_table()
    jim.page.evaluate("""() => {
      window.moments = [];
      window.hiddenTurns = 0;
      const look = () => {
        const moment = document.querySelector('.moment');
        const text = moment?.textContent.trim();
        if (text && text !== window.moments.at(-1)) window.moments.push(text);
        const turn = document.querySelector('h1 span').getBoundingClientRect();
        if (moment && moment.getBoundingClientRect().bottom > turn.top + 2) window.hiddenTurns++;
      };
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
    }""")
    jim.decide()
    expect(jim.page.locator("[aria-live]")).to_contain_text("You lock red. One more row ends the game.")
    jim.page.wait_for_function("() => window.moments.length === 1 && !document.querySelector('.moment')")
    assert jim.page.evaluate("[window.moments, window.hiddenTurns]") == [["You lock red"], 0]
    expect(jim.page.get_by_role("heading", level=1)).to_contain_text("One more row ends the game")  # and stays there
    expect(jim.page.locator(".leaving")).to_have_count(0)
    jim.decide()
    expect(jim.page.get_by_role("img", name="red die, out of the game").locator(".leaving")).to_have_count(1)
    assert jim.errors == []
    jim.close()
