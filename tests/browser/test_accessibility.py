"""Accessibility: axe, keyboard, screen reader, size of tap targets, no horizontal scrolling."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from rowlock.rules.variant import variant_ids
from tests.browser.people import PHONE, Person, Scheme
from tests.server.serving import Server

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

# The themes differ in colours only, which are the same in every language: in English all rules are checked in the light
# theme and those about colours also in the dark one, in other languages all rules but those about colours.
ABOUT_COLOURS = ["color-contrast", "link-in-text-block"]
ENGLISH: dict[Scheme, dict[str, Any]] = {"light": {}, "dark": {"runOnly": ABOUT_COLOURS}}
TRANSLATED: dict[Scheme, dict[str, Any]] = {"light": {"rules": {rule: {"enabled": False} for rule in ABOUT_COLOURS}}}

# Tap targets that are too small; links inside a sentence may be as high as its text.
TARGETS = """() => [...document.querySelectorAll('a, button, input, select')]
  .filter((one) => one.checkVisibility() && !one.closest('.skip') && getComputedStyle(one).display !== 'inline')
  .map((one) => ({name: one.getAttribute('aria-label') ?? one.textContent.trim(), box: one.getBoundingClientRect()}))
  .filter(({box}) => box.width && (box.width < 24 || box.height < 24))
  .map(({name, box}) => `${name}: ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`)"""


def problems(person: Person) -> list[str]:
    """The problems of the current page."""
    page = person.page
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text())
    found = []
    for scheme, rules in (ENGLISH if person.language == "en-GB" else TRANSLATED).items():
        page.emulate_media(color_scheme=scheme)
        checked = page.evaluate("(rules) => axe.run(document, {resultTypes: ['violations'], ...rules})", rules)
        broken = [(one["id"], node["html"][:200]) for one in checked["violations"] for node in one["nodes"]]
        found += [f"{scheme}: {rule}: {html}" for rule, html in broken]
    if page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth"):
        found.append("it scrolls horizontally")
    return [*found, *page.evaluate(TARGETS), *person.errors]


def playing(person: Person, server: Server, variant: str) -> None:
    person.sit_down(server.create([None, "greedy", "greedy"], variant), "Jo").wait_for_table()
    person.wait_to_decide()


def running(variant: str) -> Callable[[Person, Server], None]:
    return lambda person, server: playing(person, server, variant)


def choosing_a_sheet(person: Person, server: Server) -> None:
    """When a table is opened and on sitting down."""
    person.open("/new?game=connected-a").page.wait_for_selector("select[id^=sheet]")
    assert problems(person) == []
    person.open(f"/t/{server.create(3, 'connected-b')}").page.wait_for_selector("#sheet-0")


def chosen(person: Person, server: Server) -> None:
    playing(person, server, "bonus-a")
    if person.next == "cell":
        person.act()


def combining_cards(person: Person, server: Server) -> None:
    """A card of the hand is chosen; others may not fit it."""
    person.sit_down(server.create(1, "cards-mixx-a+jokers"), "Jo").wait_for_table()
    while not person.page.locator(".hand button").count():
        person.act()
    person.act()


def with_discards(person: Person, server: Server) -> None:
    combining_cards(person, server)
    while person.page.locator(".discards strong").inner_text() == "0":
        person.act()
    person.page.locator(".discards button").click()
    person.page.wait_for_selector("dialog .playing-card")


def with_menu(person: Person, server: Server) -> None:
    playing(person, server, "classic")
    person.page.locator("header button").click()
    person.page.locator("dialog button").nth(1).click()
    person.page.wait_for_selector("dialog svg[role=img]")


def over_the_table(number: int) -> Callable[[Person, Server], None]:
    """The rules or the settings, opened from the menu by the number of their button."""

    def show(person: Person, server: Server) -> None:
        playing(person, server, "bonus-b")
        person.page.locator("header button").click()
        person.page.locator("dialog .choices button").nth(number).click()
        expect(person.page.locator("dialog")).to_have_count(2)

    return show


def with_misthrow(person: Person, server: Server) -> None:
    person.sit_down(server.create(1), "Jo").wait_to_decide()
    person.page.locator(".actions .buttons .button").first.press("Enter")
    person.page.locator(".actions .warning").press("Enter")
    person.page.wait_for_selector(".confirm-misthrow")


def pencilled(person: Person, server: Server) -> None:
    table = server.create(2)
    person.sit_down(table, "Jo")
    server.join(table, "Al")
    person.wait_to_decide()
    person.page.locator("button.cell:not([aria-disabled=true])").first.click()
    person.page.locator(".actions .primary").press("Enter")
    person.page.wait_for_selector(".cell.pencilled")


def with_removed_table(person: Person, _: Server) -> None:
    """Tables of this device, one of them removed, and the question before another one is."""
    cross = person.open().page.locator("section > ul .cross").first
    cross.click()
    person.page.locator("dialog .warning").click()
    person.page.locator("summary").click()
    cross.click()
    person.page.wait_for_selector("dialog")


def with_wrong_code(person: Person, _: Server) -> None:
    person.open().page.get_by_role("textbox").fill("ZZZZZZ")
    person.page.get_by_role("textbox").press("Enter")
    person.page.wait_for_selector("#code-error:not([hidden])")


def with_sheet(person: Person, server: Server) -> None:
    playing(person, server, "mixx-a")
    person.page.locator(".others button").first.click()


def ended(person: Person, server: Server) -> None:
    """Two people at this device have declined a rematch."""
    person.sit_down(server.create([None, None, "greedy"], "bonus-b"), "Jo", "Al").wait_for_table()
    person.autoplay()
    person.wait_for_end()
    person.page.locator(".game-over [role=group] button").nth(1).click()
    person.page.wait_for_selector(".game-over [aria-pressed=true]")


def replayed(person: Person, _: Server) -> None:
    """The game that `ended` has played."""
    person.page.locator("a[href$='/replay']").click()
    person.page.wait_for_selector("input[type=range]")


def rules(variant: str) -> Callable[[Person, Server], object]:
    return lambda person, _: person.open(f"/rules/{variant}").page.wait_for_selector("table")


def with_broken_record(person: Person, _: Server) -> None:
    person.open("/replay").page.locator("input[type=file]").set_input_files(
        {"name": "broken.rlk", "mimeType": "text/plain", "buffer": b'[Variant "classic"]\n'}
    )
    person.page.wait_for_selector(".notice")


def watching(person: Person, server: Server) -> None:
    table = server.create(2)
    server.join(table, "Ola", "Pia")
    person.watch(server, table)


def without_link(person: Person, server: Server) -> None:
    table = server.create(2)
    server.join(table, "Ola", "Pia")
    person.open(f"/t/{table}").page.wait_for_selector("h1")


def seated(person: Person, server: Server) -> None:
    table = server.create(3)
    person.sit_down(table, "Kim")
    server.join(table, "Lin")
    person.page.wait_for_selector("svg[role=img]")
    person.page.wait_for_selector(".seat .button >> nth=1")


def removing(person: Person, server: Server) -> None:
    seated(person, server)
    person.page.locator(".seat .button").nth(1).click()
    person.page.wait_for_selector("dialog")


def asked_to_take_back(person: Person, server: Server) -> None:
    table = server.create(2)
    person.sit_down(table, "Kim")
    lin = Person(person.browser, server.url).sit_down(table, "Lin")
    for one in (person, lin):
        one.decide()
    lin.page.locator(".take-back").press("Enter")
    person.page.wait_for_selector(".notice .button")
    lin.close()


def able_to_take_back(person: Person, server: Server) -> None:
    """The white decision, while the coloured dice are chosen from."""
    person.sit_down(server.create(1), "Kim").decide()
    person.page.wait_for_selector(".take-back")


PAGES: dict[str, Callable[[Person, Server], object]] = {
    "home": lambda person, _: person.open().page.wait_for_selector("h3"),
    "new-table": lambda person, _: person.open("/new").page.wait_for_selector(".game"),
    "joining": lambda person, server: person.open(f"/t/{server.create(3)}").page.wait_for_selector("form"),
    "lobby": seated,
    "removing": removing,
    "without-link": without_link,
    "able-to-take-back": able_to_take_back,
    "asked-to-take-back": asked_to_take_back,
    "table": running("classic"),
    "watching": watching,
    "longo": running("longo"),
    "big-points": running("big-points"),
    "connected-a": running("connected-a"),
    "choosing-a-sheet": choosing_a_sheet,
    "chosen": chosen,
    "cards-taking": running("cards+jokers"),
    "cards-playing": combining_cards,
    "cards-discards": with_discards,
    "misthrow": with_misthrow,
    "pencilled": pencilled,
    "menu": with_menu,
    "menu-rules": over_the_table(3),
    "menu-settings": over_the_table(4),
    "removed-table": with_removed_table,
    "wrong-code": with_wrong_code,
    "sheet": with_sheet,
    "end": ended,
    "replay": replayed,
    "replay-file": with_broken_record,
    "rules": lambda person, _: person.open("/rules").page.wait_for_selector("li"),
    **{f"rules-{variant}": rules(variant) for variant in variant_ids()},
    "settings": lambda person, _: person.open("/settings"),
    "not-found": lambda person, _: person.open("/t/ZZZZZZ").page.wait_for_selector("h1"),
}


@pytest.mark.parametrize(("language", "first", "step"), [("en-GB", 0, 1), ("de-DE", 0, 2), ("nl-NL", 1, 2)])
def test_every_page_is_accessible(browser: Browser, server: Server, language: str, first: int, step: int) -> None:
    """Every page in English and in one of the other languages."""
    person = Person(browser, server.url, language)
    checked, found = list(PAGES)[first::step], {}
    for name in checked:
        if name == "replay" and "end" not in checked:
            ended(person, server)
        PAGES[name](person, server)
        found[name] = problems(person)
    assert found == {name: [] for name in checked}
    person.close()


def test_a_whole_game_by_keyboard_alone(browser: Browser, server: Server) -> None:
    lou = Person(browser, server.url, size={"width": 1280, "height": 800}).open()
    press, tab_to = lou.page.keyboard.press, lou.tab_to
    tab_to("^Play now")
    press("Enter")
    lou.wait_for_table()
    while not lou.over:
        todo = lou.next
        if todo == "cell":
            tab_to("can be marked$")
            press("Space")
        elif todo == "confirm":
            tab_to("^Mark ")
            press("Enter")
        elif todo == "pass":
            tab_to("^Pass")
            press("Enter")
        elif todo == "ask":
            tab_to("^Misthrow")
            press("Enter")
        elif todo == "misthrow":
            tab_to("^Take the misthrow")
            press("Enter")
        else:
            lou.page.wait_for_timeout(10)
    tab_to("^Rematch")
    press("Enter")
    lou.page.wait_for_selector(".tray")
    lou.close()


def test_the_focus_stays_at_the_sheet(browser: Browser, server: Server) -> None:
    """Buttons disappear when they are pressed; the next Tab goes on at the sheet."""
    table = server.create(2)
    pat = Person(browser, server.url, size={"width": 1280, "height": 800}).sit_down(table, "Pat")
    server.join(table, "Ned")
    pat.wait_to_decide()
    press, page = pat.page.keyboard.press, pat.page
    sheet, focus = page.locator(".own-sheet"), page.locator(":focus")
    for _ in range(2):
        pat.tab_to("can be marked$")
        press("Space")
        pat.tab_to("^Mark ")
        press("Enter")
        expect(sheet).to_be_focused()
        press("Tab")
        expect(focus).to_have_text("Take it back")
        press("Enter")
        expect(sheet).to_be_focused()
        pat.wait_to_decide()
        press("Tab")
        expect(focus).to_have_accessible_name(re.compile("can be marked$"))
    pat.sit_down(server.create(1), "Pat").wait_to_decide()
    pat.tab_to("^Pass")
    press("Enter")
    expect(pat.status).to_contain_text("misthrow")
    expect(sheet).to_be_focused()
    pat.tab_to("^Misthrow")
    press("Enter")
    expect(focus).to_have_text("Cancel")
    press("Enter")
    expect(focus).to_have_text("Misthrow −5")
    assert pat.errors == []
    pat.close()


HIDDEN_FOCUS = """() => {
  const one = document.activeElement, {x, y, width, height} = one.getBoundingClientRect();
  if (one === document.body) return '';  // after the last element
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  return top !== null && (one.contains(top) || top.contains(one)) ? '' : one.outerHTML.slice(0, 100);
}"""


@pytest.mark.parametrize("size", [PHONE, {"width": 1280, "height": 800}], ids=["phone", "desktop"])
def test_focused_elements_are_visible(browser: Browser, server: Server, size: dict[str, int]) -> None:
    """The sticky button at the bottom of a page must not hide them."""
    una = Person(browser, server.url, size=size).open("/new")
    una.page.wait_for_selector(".confirm")
    hidden = []
    for _ in range(40):
        una.page.keyboard.press("Tab")
        hidden.append(una.page.evaluate(HIDDEN_FOCUS))
    assert "".join(hidden) == ""
    una.close()


def test_the_live_region_announces_turns_and_waiting(browser: Browser, server: Server) -> None:
    mia = Person(browser, server.url).sit_down(server.create(2), "Mia")
    ned = Person(browser, server.url).sit_down(mia.page.url.rpartition("/")[2], "Ned")
    for person in (mia, ned):
        person.wait_for_table()
    live = mia.page.locator("[aria-live]")
    expect(live).to_have_count(1)
    expect(live).to_contain_text(re.compile(r"Turn 1 · (your roll|Ned rolls)\. White sum \d+"))
    can = mia.page.get_by_role("button", name=re.compile(r"^(red|yellow|green|blue) \d+, can be marked$"))
    expect(can.first).to_be_visible()
    assert can.count() in (2, 4)  # for a sum of 2 or 12 two rows have a closing cell
    mia.decide()
    expect(live).to_contain_text("Waiting for Ned.")
    mia.page.get_by_role("link", name="To the start page").click()
    mia.page.wait_for_selector("h3")
    expect(live).to_be_empty()  # the status belongs to the table
    for person in (mia, ned):
        assert person.errors == []
        person.close()
