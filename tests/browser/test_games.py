"""Whole games in a browser: several players, spectators, lost connections, other devices."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect
from websockets.sync.client import connect

from rowlock import read
from tests import command
from tests.browser.people import Person
from tests.browser.test_accessibility import problems
from tests.server.serving import Server


def play_until(people: list[Person], turn: int | None = None) -> None:
    """All players act until the game is over, or until that turn has begun."""
    while not people[0].over:
        if turn and people[0].page.locator(f"h1:has-text(' {turn} ')").count():
            return
        if {person.act() for person in people} == {"wait"}:
            people[0].page.wait_for_timeout(20)


def result(person: Person, name: str) -> list[str]:
    """The result, best first, with a person's name in the place of "You"."""
    texts = person.page.locator("tbody tr").all_inner_texts()
    return [re.sub(r"^(\d+\n)(You|Du|Jij)\n", rf"\g<1>{name}\n", text) for text in texts]


def test_four_people_on_four_phones(browser: Browser, server: Server, tmp_path: Path) -> None:
    """One long test, because it is one game: four people play to the end and meet everything that happens on the way.

    Split up, every part would have to bring four browsers to the same place again.
    """
    table = server.create(4)
    languages = ("en-GB", "de-DE", "nl-NL", "en-GB")
    people = [Person(browser, server.url, language) for language in languages]
    for person, name in zip(people, ("Anna", "Ben", "Chloë", "Dora"), strict=True):
        person.sit_down(table, name)
    anna, ben, chloe, dora = (person.wait_for_table() for person in people)
    assert anna.page.locator("html").get_attribute("lang") == "en"
    assert chloe.page.locator("html").get_attribute("lang") == "nl"

    # A spectator opens the same link and has no buttons.
    guest = Person(browser, server.url, "de-DE").watch(server, table)
    expect(guest.status).to_contain_text("Du schaust zu.")
    assert guest.page.locator(".actions button, button.cell").count() == 0

    # The others see who has decided, not what; a decision can be withdrawn before the reveal.
    ben.decide()
    expect(anna.page.get_by_role("button", name=re.compile(r"Ben .*has decided"))).to_be_visible()
    ben.page.wait_for_timeout(600)
    ben.page.get_by_role("button", name="Zurücknehmen").click()
    expect(anna.page.get_by_role("button", name=re.compile(r"Ben .*is thinking"))).to_be_visible()
    play_until(people, turn=3)

    # A player closes the browser and returns: the seat is in local storage.
    storage = ben.context.storage_state()
    ben.close()
    play_until([anna, chloe, dora], turn=3)
    ben = Person(browser, server.url, "de-DE", storage=storage).open()
    ben.page.locator(f"a[href='t/{table}']").click()
    people = [anna, ben.wait_for_table(), chloe, dora]
    play_until(people, turn=5)

    # A player decides offline; the decision is made once when the connection is back.
    while not chloe.is_deciding():
        for person in (anna, ben, dora):
            person.act()
    chloe.context.set_offline(True)
    expect(chloe.page.locator(".notice")).to_contain_text("Even geen verbinding")
    while chloe.is_deciding():
        chloe.act()
    expect(anna.page.get_by_role("button", name=re.compile("Chloë .*not connected"))).to_be_visible()
    chloe.context.set_offline(False)
    expect(chloe.page.locator(".notice")).to_have_count(0)
    play_until(people, turn=7)

    # A player continues on another device; the old one becomes a spectator.
    dora.page.get_by_role("button", name="Menu").click()
    dora.page.get_by_role("button", name="Continue on another device").click()
    address = dora.page.locator("dialog .address").inner_text()
    tablet = Person(browser, server.url, size={"width": 800, "height": 1100})
    tablet.page.goto(address)
    tablet.wait_for_table()
    expect(tablet.page.locator(".play-area h1, section[aria-label='Your sheet']").first).to_be_visible()
    expect(dora.page.get_by_role("dialog")).to_have_count(0)  # its code is used
    dora.sees("Your seat is on another device now. You can watch here.")
    people = [anna, ben, chloe, tablet]
    play_until(people, turn=9)

    # The result is the same on all devices; record, replay and rematch work.
    for person in people:
        person.autoplay()
    for person in (*people, guest, dora):
        person.wait_for_end()
    rows = [result(person, name) for person, name in zip(people, ("Anna", "Ben", "Chloë", "Dora"), strict=True)]
    assert rows.count(rows[0]) == len(rows)
    assert rows[0] == guest.page.locator("tbody tr").all_inner_texts()
    with anna.page.expect_download() as downloading:
        anna.page.get_by_role("button", name="Download the record").click()
    record = tmp_path / downloading.value.suggested_filename
    downloading.value.save_as(record)
    checked = command.run("replay", record)
    assert checked.returncode == 0, checked.stderr

    guest.page.get_by_role("link", name="Nachspielen").click()
    slider = guest.page.get_by_role("slider")
    slider.press("End")
    assert guest.page.locator("tbody tr").all_inner_texts() == rows[0]
    slider.press("Home")
    guest.page.get_by_role("button", name="Schritt weiter").click()
    expect(guest.page.locator(".controls")).to_contain_text("2. Aktion")

    # The rematch begins when all players who are not absent have answered, without those who do not want it.
    anna.page.get_by_role("button", name="Rematch").click()
    expect(anna.page.locator("[aria-live]")).to_contain_text("For a rematch: You. Waiting for")
    chloe.page.get_by_role("button", name="Nee, bedankt").click()
    ben.sees("Diesmal nicht: Chloë.")
    tablet.close()
    # Also for Dora, until she counts as absent; the names are in turn order.
    anna.sees(re.compile(r"For a rematch: You\. Not this time: Chloë\. Waiting for .*Ben"))
    assert all(person.page.url.endswith(table) for person in (anna, ben, chloe))
    ben.page.get_by_role("button", name="Revanche").click()
    for person in (anna, ben):
        person.page.wait_for_url(lambda url: table not in url, timeout=120_000)  # Dora counts as absent after 30 s
        person.wait_to_decide()
        expect(person.page.locator(".others li")).to_have_count(1)
    assert anna.page.url == ben.page.url
    chloe.page.get_by_role("link", name="Revanche bekijken").click()
    chloe.wait_for_table()
    expect(chloe.status).to_contain_text("Je kijkt toe.")

    for person in (anna, ben, chloe, guest, dora):
        assert person.errors == []
        person.close()


@pytest.mark.parametrize("variant", ["connected-a", "connected-b", "x-change", "double-a"])
def test_two_people_on_phones(browser: Browser, server: Server, variant: str, tmp_path: Path) -> None:
    """They play to the end, see the same result and have a legal record. In Connected one of them chose a sheet."""
    table = server.create(2, variant)
    people = [Person(browser, server.url, language) for language in ("en-GB", "de-DE")]
    letters = variant.startswith("connected")
    for person, name in zip(people, ("Eva", "Finn"), strict=True):
        person.open(f"/t/{table}")
        if letters and name == "Eva":
            person.page.get_by_label("Your sheet").select_option("D")
        person.sit_down_here(name)
        if letters and name == "Eva":
            expect(person.page.locator("li.seat").first).to_contain_text("Sheet D")
    for person in people:
        person.wait_for_table()
        person.autoplay()
    for person in people:
        person.wait_for_end()
        assert person.page.evaluate("document.documentElement.scrollWidth") <= 360
        assert person.errors == []
    scores = [result(person, name) for person, name in zip(people, ("Eva", "Finn"), strict=True)]
    assert scores[0] == scores[1]
    eva = people[0]
    if letters:
        expect(eva.page.locator(".own-sheet .letter")).to_have_text("Sheet D")
    if variant == "connected-a":
        expect(eva.page.get_by_role("columnheader", name="Steps")).to_be_attached()
    expect(eva.page.get_by_text(re.compile(r"All \d+ rolls follow from the secrets of all players"))).to_be_visible()
    with eva.page.expect_download() as downloading:
        eva.page.get_by_role("button", name="Download the record").click()
    record = tmp_path / "game.rlk"
    downloading.value.save_as(record)
    game = next(read(record))
    assert game.over
    ranked = sorted(game.scores, reverse=True)
    assert [row.split()[-1] for row in scores[0]] == [str(score).replace("-", "−") for score in ranked]
    for person in people:
        person.close()


@pytest.mark.parametrize("variant", ["longo", "mixx-a", "mixx-b", "bonus-a", "bonus-b", "big-points"])
def test_two_people_and_a_bot(browser: Browser, server: Server, variant: str) -> None:
    table = server.create([None, None, "greedy"], variant)
    people = [Person(browser, server.url, language) for language in ("nl-NL", "de-DE")]
    for person, name in zip(people, ("Eva", "Finn"), strict=True):
        person.sit_down(table, name)
    for person in people:
        person.wait_for_table()
        person.autoplay()
    for person in people:
        person.wait_for_end()
        width = person.page.evaluate("document.documentElement.scrollWidth")
        assert width <= 360
        assert person.errors == []
    scores = [result(person, name) for person, name in zip(people, ("Eva", "Finn"), strict=True)]
    assert scores[0] == scores[1]
    for person in people:
        person.close()


def test_a_start_without_all_shares_is_void(browser: Browser, server: Server) -> None:
    """Ben's program promises a share of the dice and never sends one: everybody is told, and can start without him."""
    table = server.create(2)
    anna = Person(browser, server.url).sit_down(table, "Anna")
    ben = {"name": "Ben", "secret": "b" * 64, "shares": True}
    assert server.ask(f"/api/tables/{table}/seats", {"people": [ben]}).status == 201
    hello = {"type": "hello", "version": 2, "table": table, "secrets": [ben["secret"]]}
    with connect(server.socket_url) as socket:
        socket.send(json.dumps(hello))
        expect(anna.page.get_by_role("heading", name="The game is being prepared …")).to_be_visible()
        notice = anna.page.get_by_role("alert")
        expect(notice).to_contain_text("the device of Ben did not answer")
        assert problems(anna) == []
        anna.page.get_by_role("button", name="Remove Ben").click()
        anna.page.get_by_role("dialog").get_by_role("button", name="Remove").click()
        anna.page.get_by_role("button", name="Start").click()
        anna.wait_for_table()
    assert anna.errors == []
    anna.close()


def test_several_people_at_one_device(browser: Browser, server: Server) -> None:
    table = server.create(2)
    pair = Person(browser, server.url).sit_down(table, "Gus", "Hal").wait_for_table()
    expect(pair.page.get_by_role("group", name="At this device").get_by_role("button")).to_have_count(2)
    pair.autoplay()
    pair.wait_for_end()
    assert pair.errors == []
    pair.close()


def test_play_now_is_one_tap(browser: Browser, server: Server) -> None:
    ida = Person(browser, server.url).open()
    ida.page.get_by_role("button", name=re.compile("Play now")).click()
    ida.wait_for_table()
    ida.decide()
    assert ida.errors == []
    ida.close()


def test_rules_say_first_what_is_different(browser: Browser, server: Server) -> None:
    kai = Person(browser, server.url).open("/rules/connected-b")
    headings = kai.page.locator("article h2")
    expect(headings.nth(1)).to_have_text("What is different")
    titles = headings.all_inner_texts()
    assert titles.index("The chain") < titles.index("How to play") < titles.index("The dice") < titles.index("Points")
    # Only the pairs of the rows that are shown: their links are drawn, so that no cell needs a number.
    expect(kai.page.locator("section", has_text="The chain").locator(".symbol")).to_have_count(0)
    kai.open("/rules/mixx-b")
    titles = headings.all_inner_texts()
    assert titles.index("From left to right") < titles.index("How to play")
    expect(headings.filter(has_text="From left to right")).to_have_count(1)
    kai.open("/rules/classic").page.wait_for_selector("table")
    expect(headings.filter(has_text="What is different")).to_have_count(0)
    assert kai.errors == []
    kai.close()


def test_rules_and_settings_open_over_the_table(browser: Browser, server: Server) -> None:
    """The game goes on beneath; Escape and the back button close what is on top, and the focus returns."""
    table = server.create(2)
    kai, lea = (Person(browser, server.url).sit_down(table, name) for name in ("Kai", "Lea"))
    page = kai.page
    kai.decide()
    menu = page.get_by_role("dialog", name="Menu")
    for name, title in (("Rules", "Rules: Classic"), ("Settings", "Settings")):
        opener, dialog = menu.get_by_role("button", name=name), page.get_by_role("dialog", name=title)
        page.get_by_role("button", name="Menu").click()
        opener.click()
        expect(dialog.get_by_role("heading", name=title)).to_be_visible()
        assert page.url == f"{server.url}/t/{table}"
        page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
        expect(opener).to_be_focused()
        opener.click()
        expect(dialog).to_be_visible()
        page.go_back()
        expect(dialog).to_have_count(0)
        expect(menu).to_be_visible()
        page.go_back()
        expect(menu).to_have_count(0)
        expect(page.get_by_role("button", name="Menu")).to_be_focused()
        assert page.url == f"{server.url}/t/{table}"

    page.get_by_role("button", name="Menu").click()
    menu.get_by_role("button", name="Settings").click()
    note = page.locator("dialog .note")
    expect(note).to_contain_text(re.compile("^You(r decision| passed)"))
    lea.decide()
    expect(note).not_to_contain_text(re.compile("^You(r decision| passed)"))
    page.get_by_label("Language").select_option("de")
    expect(page.get_by_role("dialog", name="Einstellungen")).to_be_visible()
    page.get_by_role("button", name="Schließen").last.click()
    page.get_by_role("dialog", name="Menü").get_by_role("link", name="Zur Startseite").click()
    page.wait_for_selector("h3")
    assert page.url == f"{server.url}/"
    for person in (kai, lea):
        assert person.errors == []
        person.close()
