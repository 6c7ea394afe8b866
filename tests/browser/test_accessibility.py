"""Accessibility: axe, keyboard, screen reader, size of tap targets, no text cut, no horizontal scrolling."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, FilePayload, expect

from rowlock.rules.variant import variant_ids
from tests.browser.people import PHONE, Person, Scheme
from tests.browser.test_played import random_game
from tests.effort import EFFORT
from tests.server.serving import Server

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"

# The themes differ in colours only, which are the same in every language: in English all rules are checked in the light
# theme and those about colours also in the dark one, in other languages all rules but those about colours.
ABOUT_COLOURS = ["color-contrast", "link-in-text-block"]
ENGLISH: dict[Scheme, dict[str, Any]] = {"light": {}, "dark": {"runOnly": ABOUT_COLOURS}}
TRANSLATED: dict[Scheme, dict[str, Any]] = {"light": {"rules": {rule: {"enabled": False} for rule in ABOUT_COLOURS}}}

# Tap targets that are too small: cells, fields and boxes may be narrow, links inside a sentence as high as its text.
# What is in a label is tapped with it.
TARGETS = """() => [...document.querySelectorAll('a, button, input, select, summary')]
  .filter((one) => one.checkVisibility() && !one.matches('a.skip') && getComputedStyle(one).display !== 'inline')
  .map((one) => ({one, box: (one.closest('label') ?? one).getBoundingClientRect()}))
  .filter(({one, box}) => box.width && (box.width < (one.matches('.cell, .swap') ? 27 : 44) || box.height < 44))
  .map(({one, box}) => `${one.outerHTML.slice(0, 90)}: ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`)"""


CUT = Path(__file__).with_name("cut.js").read_text()


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
    found += [f"cut: {text}" for text in page.evaluate(CUT)]
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
    person.page.locator("header button").last.click()
    person.page.locator("dialog button").nth(1).click()
    person.page.wait_for_selector("dialog svg[role=img]")


def over_the_table(number: int) -> Callable[[Person, Server], None]:
    """The rules or the settings, opened from the menu by the number of their button among those that open a dialog."""

    def show(person: Person, server: Server) -> None:
        playing(person, server, "bonus-b")
        person.page.locator("header button").last.click()
        person.page.locator("dialog .choices button[aria-haspopup]").nth(number).click()
        expect(person.page.locator("dialog")).to_have_count(2)

    return show


def with_shortcuts(person: Person, server: Server) -> None:
    playing(person, server, "classic")
    person.page.keyboard.press("?")
    person.page.wait_for_selector("dialog dl")


def handing_over(person: Person, server: Server) -> None:
    person.sit_down(server.create(2), "Jo", "Al")
    person.wait_to_decide()
    person.page.locator(".actions .buttons .button").first.press("Enter")
    person.page.wait_for_selector(".handover")


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
    person.page.locator(".game-over button[aria-pressed]").last.click()
    person.page.wait_for_selector(".game-over [aria-pressed=true]")


def replayed(person: Person, _: Server) -> None:
    """The game that `ended` has played."""
    person.page.locator("a[href$='/replay']").click()
    person.page.wait_for_selector("input[type=range]")


def with_games(person: Person) -> None:
    """Games of a file: against a bot, alone and against a person."""
    players = (("Jo", "greedy"), ("Jo",), ("Jo", "Al"))
    records = "\n".join(random_game(seed, "classic", names).record() for seed, names in enumerate(players))
    file: FilePayload = {"name": "games.rlk", "mimeType": "text/plain", "buffer": records.encode()}
    person.open("/history").page.locator("input[type=file]").set_input_files(file)
    person.page.wait_for_selector("[role=status].notice")


def disconnected(person: Person, server: Server) -> None:
    playing(person, server, "classic")
    person.context.set_offline(True)
    person.page.wait_for_selector(".table .notice")


def with_refused_variant(person: Person, _: Server) -> None:
    person.open("/new").page.locator("input[type=file]").set_input_files(
        {"name": "mine.toml", "mimeType": "text/plain", "buffer": b'name = "Mine"'}
    )
    person.page.locator("summary").click()
    person.page.wait_for_selector("[role=alert]:visible")


def lesson(game: str) -> Callable[[Person, Server], object]:
    return lambda person, _: person.open(f"/learn/{game}").page.wait_for_selector(".coach")


def with_statistics(person: Person, _: Server) -> None:
    with_games(person)
    person.open("/statistics").page.wait_for_selector("dd")


def sharing(person: Person, _: Server) -> None:
    """The replay of a past game with all its rolls, and the dialog that shares it."""
    with_games(person)
    person.page.locator("li a").first.click()
    person.page.locator("summary").last.click()
    person.page.wait_for_selector("table caption")
    assert problems(person) == []
    person.page.locator("button[aria-haspopup=dialog]").last.click()
    person.page.wait_for_selector("canvas")


def with_challenge(person: Person, _: Server) -> None:
    """Today's, finished."""
    person.open("/challenge").page.locator("button.start").click()
    person.wait_for_table().autoplay()
    person.wait_for_end()
    person.page.locator(".game-over a[href=challenge]").click()
    person.page.locator("summary").click()
    person.page.wait_for_selector("pre")


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


def full(person: Person, server: Server) -> None:
    """All seats are taken, and the game has not begun."""
    host = Person(person.browser, server.url)
    seated(host, server)
    host.page.locator("#player-2").select_option("greedy")
    person.page.goto(host.page.url)
    expect(person.page.locator(".seat")).to_have_count(3)
    expect(person.page.locator("form")).to_have_count(0)
    host.close()


def changing(person: Person, server: Server) -> None:
    seated(person, server)
    person.page.locator(".change").click()
    person.page.wait_for_selector("dialog .game")


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


def entering(person: Person, server: Server) -> None:
    """Real dice: some of them."""
    person.sit_down(server.create([None, "greedy"], dice="entered-by-anybody"), "Kim").wait_for_table()
    for face in (4, 1, 3):
        person.page.locator(".pad button").nth(face - 1).click()


def correcting(person: Person, server: Server) -> None:
    entering(person, server)
    for face in (2, 5, 6):
        person.page.locator(".pad button").nth(face - 1).click()
    person.page.wait_for_timeout(500)  # the page ignores taps shortly after the last die
    person.page.locator(".actions .take-back").first.click()
    person.page.wait_for_selector(".pad + .buttons")


def scoring(person: Person, server: Server) -> None:
    """A table without dice for two at this device: a row is locked, and a cell cannot be marked."""
    person.sit_down(server.create(2, dice="none"), "Kim", "Lin").page.wait_for_selector(".own-sheet")
    red = person.page.locator(".own-sheet .row").first.locator("button.cell")
    for marks, place in enumerate((0, 1, 2, 3, 4, 10), 1):
        red.nth(place).click()
        expect(person.page.locator(".own-sheet .cell.marked")).to_have_count(marks)
    red.nth(5).click(force=True)
    person.page.wait_for_selector(".status.warning")


PAGES: dict[str, Callable[[Person, Server], object]] = {
    "home": lambda person, _: person.open().page.wait_for_selector("h3"),
    "no-history": lambda person, _: person.open("/history").page.wait_for_selector("input[type=file]"),
    "no-statistics": lambda person, _: person.open("/statistics").page.wait_for_selector("p .primary"),
    "new-table": lambda person, _: person.open("/new").page.wait_for_selector(".game"),
    "joining": lambda person, server: person.open(f"/t/{server.create(3)}").page.wait_for_selector("form"),
    "lobby": seated,
    "full": full,
    "changing": changing,
    "removing": removing,
    "without-link": without_link,
    "able-to-take-back": able_to_take_back,
    "asked-to-take-back": asked_to_take_back,
    "table": running("classic"),
    "entering": entering,
    "correcting": correcting,
    "scoring": scoring,
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
    "menu-rules": over_the_table(0),
    "menu-settings": over_the_table(1),
    "shortcuts": with_shortcuts,
    "handover": handing_over,
    "removed-table": with_removed_table,
    "wrong-code": with_wrong_code,
    "sheet": with_sheet,
    "end": ended,
    "replay": replayed,
    "no-replay": lambda person, _: person.open("/replay").page.wait_for_selector("input[type=file]"),
    "replay-file": with_broken_record,
    "refused-variant": with_refused_variant,
    "lesson": lesson("classic"),
    "lesson-cards": lesson("cards"),
    "disconnected": disconnected,
    "history": lambda person, _: with_games(person),
    "statistics": with_statistics,
    "share": sharing,
    "challenge": lambda person, _: person.open("/challenge").page.wait_for_selector("button.start:enabled"),
    "challenge-over": with_challenge,
    "rules": lambda person, _: person.open("/rules").page.wait_for_selector("li"),
    **{f"rules-{variant}": rules(variant) for variant in variant_ids()},
    "settings": lambda person, _: person.open("/settings"),
    "no-table": lambda person, _: person.open("/t/ZZZZZZ").page.wait_for_selector("h1"),
    "not-found": lambda person, _: person.open("/no/such/page").page.wait_for_selector("h1"),
}


STEP = 1 if EFFORT == "soak" else 2
LANGUAGES = [("en-GB", 0, 1), ("de-DE", 0, STEP), ("nl-NL", STEP - 1, STEP)]


@pytest.mark.parametrize(("language", "first", "step"), LANGUAGES)
def test_every_page_is_accessible(browser: Browser, server: Server, language: str, first: int, step: int) -> None:
    """Every page in English and in one of the other languages; in all of them in a long run."""
    person = Person(browser, server.url, language)
    checked, found = list(PAGES)[first::step], {}
    for name in checked:
        if name == "replay" and "end" not in checked:
            ended(person, server)
        PAGES[name](person, server)
        found[name] = problems(person)
        person.context.set_offline(False)
    assert found == {name: [] for name in checked}
    person.close()


def test_cells_are_large_enough_to_tap(browser: Browser, server: Server) -> None:
    person = Person(browser, server.url)
    found = {}
    for variant in variant_ids():
        playing(person, server, variant)
        assert person.page.locator(".play-area button.cell").count() >= 44
        found[variant] = person.page.evaluate(TARGETS)
    assert found == {variant: [] for variant in variant_ids()}
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
    mia.page.get_by_role("link", name="Home").click()
    mia.page.wait_for_selector("h3")
    expect(live).to_be_empty()  # the status belongs to the table
    for person in (mia, ned):
        assert person.errors == []
        person.close()
