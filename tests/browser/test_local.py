"""Games on the device itself: without a connection, kept in the browser, in several tabs."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from rowlock import read
from tests.browser.people import Person
from tests.server.serving import Server

WITHOUT_STORAGE = "Object.defineProperty(self, 'indexedDB', { get() { throw new DOMException('no', 'SecurityError'); } });"


def play_now(person: Person) -> Person:
    person.open().page.get_by_role("button", name=re.compile("Play now")).click()
    return person.wait_for_table()


def download_record(page: Page, folder: Path) -> Path:
    with page.expect_download() as download:
        page.get_by_role("button", name="Record").first.click()
    path = folder / download.value.suggested_filename
    download.value.save_as(path)
    return path


def check_record(path: Path) -> None:
    """`rowlock replay` accepts it, and the game is over."""
    (game,) = read(path)
    assert game.over
    subprocess.run([sys.executable, "-m", "rowlock", "replay", path], check=True, capture_output=True)


def test_a_game_without_a_connection(browser: Browser, server: Server, tmp_path: Path) -> None:
    """The browser is closed in the middle and opened again: the game goes on from its events."""
    anna = play_now(Person(browser, server.url))
    assert "/local?game=" in anna.page.url
    anna.context.set_offline(True)
    for _ in range(3):
        anna.decide()
    turn = anna.page.locator("h1 span").inner_text()
    anna.page.evaluate("window.stays = true")
    anna.context.set_offline(False)  # without a service worker the page itself needs the server
    anna.page.reload()
    anna.wait_for_table()
    assert anna.page.evaluate("window.stays") is None
    assert int(re.findall(r"\d+", anna.page.locator("h1 span").inner_text())[0]) >= int(re.findall(r"\d+", turn)[0])
    anna.context.set_offline(True)
    anna.autoplay()
    anna.wait_for_end()
    check_record(download_record(anna.page, tmp_path))
    assert anna.errors == []
    anna.close()


def test_a_card_game_of_several_people_at_one_device(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Home lists it while it runs; the end offers a replay and a rematch, all without a connection."""
    family = Person(browser, server.url).open("/new?game=cards%2Bjokers")
    family.page.locator("#name-0").fill("Anna")
    family.page.locator("#player-1").select_option("here")
    family.page.locator("#name-1").fill("Ben")
    family.page.locator("button[type=submit]").click()
    family.wait_for_table()
    family.page.locator("header a.button").click()
    family.context.set_offline(True)
    family.page.locator("a[href^='local?game=']").click()
    family.wait_for_table().autoplay()
    family.wait_for_end()
    check_record(download_record(family.page, tmp_path))
    family.page.get_by_role("link", name="Replay").click()
    family.page.wait_for_selector(".sheet")
    family.page.go_back()
    over = family.page.url
    family.page.get_by_role("button", name=re.compile("rematch|again", re.IGNORECASE)).first.click()
    family.page.wait_for_function("over => location.href !== over", arg=over)
    family.wait_for_table()
    assert family.errors == []
    family.close()


def test_two_tabs_show_the_same_game(browser: Browser, server: Server) -> None:
    anna = play_now(Person(browser, server.url))
    other = anna.context.new_page()
    other.goto(anna.page.url)
    other.wait_for_selector(".table")
    anna.decide()
    anna.wait_to_decide()
    expect(other.locator("h1 span")).to_have_text(anna.page.locator("h1 span").inner_text())
    expect(other.locator(".status")).to_have_text(anna.status.inner_text())
    anna.close()


@pytest.mark.parametrize("script", [WITHOUT_STORAGE])
def test_without_storage_the_game_goes_on(browser: Browser, server: Server, script: str, tmp_path: Path) -> None:
    anna = Person(browser, server.url)
    # Init scripts do not run in workers: the script of the worker gets the line in front.
    anna.context.route(
        re.compile(r"/assets/worker-.*\.js"),
        lambda route: route.fulfill(response=(found := route.fetch()), body=f"{script}\n{found.text()}"),
    )
    play_now(anna)
    expect(anna.page.locator(".notice")).to_contain_text("cannot store the game")
    anna.autoplay()
    anna.wait_for_end()
    check_record(download_record(anna.page, tmp_path))
    anna.close()


def test_a_browser_without_webassembly_plays_on_the_server(browser: Browser, server: Server) -> None:
    anna = Person(browser, server.url)
    anna.context.add_init_script("delete globalThis.WebAssembly")
    play_now(anna)
    assert re.search(r"/t/[A-Z0-9]+$", anna.page.url)
    anna.open().sees(re.compile("games run on the server"))
    anna.close()


def test_inviting_somebody_opens_a_table_on_the_server(browser: Browser, server: Server) -> None:
    """The menu of a game on the device leads to the set-up with the same choices and a seat by link."""
    anna = play_now(Person(browser, server.url))
    anna.page.get_by_role("button", name="Menu").click()
    anna.page.get_by_role("link", name="Play with others by link").click()
    expect(anna.page.locator("#player-1")).to_have_value("greedy")
    expect(anna.page.locator("#player-2")).to_have_value("link")
    anna.page.locator("button[type=submit]").click()
    anna.page.wait_for_url(re.compile(r"/t/[A-Z0-9]+$"))
    anna.close()
