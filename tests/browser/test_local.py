"""Games on the device itself: without a connection, kept in the browser, in several tabs."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Browser, Page, expect

from rowlock import read
from rowlock.server.site import write_site
from tests.browser.hosting import Host
from tests.browser.people import Person
from tests.browser.test_offline import publish_next_version, start_again, visit
from tests.server.serving import Server

# What a browser does that refuses storage, and one whose storage is full.
REFUSED = "Object.defineProperty(self, 'indexedDB', {get() { throw new DOMException('', 'SecurityError'); }});"
FULL = "IDBObjectStore.prototype.add = () => { throw new DOMException('', 'QuotaExceededError'); };"


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


@pytest.fixture(params=["server", "site"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a server, and of the site of `rowlock site` in a folder of a web host."""
    if request.param == "server":
        with Server(tmp_path) as server:
            yield server.url
    else:
        with Host(tmp_path) as host:
            write_site(host.directory)
            yield host.url


def set_up(person: Person, game: str, *names: str) -> Person:
    """Open a game of several people at this device, without pauses between turns."""
    person.page.goto(f"{person.url}/new?game={quote(game)}")
    person.page.locator("#name-0").fill(names[0])
    for index, name in enumerate(names[1:], 1):
        if person.page.locator(f"#player-{index}").count() == 0:
            person.page.get_by_role("button", name="One more seat").click()
        person.page.locator(f"#player-{index}").select_option("here")
        person.page.locator(f"#name-{index}").fill(name)
    person.page.locator("details summary").click()
    person.page.locator("#pause").select_option("0")
    person.page.locator("button[type=submit]").click()
    return person.wait_for_table()


@pytest.mark.parametrize("game", ["classic", "cards"])
def test_whole_games_without_a_connection(browser: Browser, place: str, game: str, tmp_path: Path) -> None:
    """From a cold start; the app is closed in the middle and started again: the game goes on from its events."""
    family = visit(browser, place)
    family.context.set_offline(True)
    start_again(family)
    set_up(family, game, "Anna", "Ben")
    assert "/local" in family.page.url
    for _ in range(3):
        family.decide()
    before = family.page.locator("h1 span").inner_text()
    start_again(family)
    family.page.locator("a[href^='local?game=']").click()
    expect(family.wait_for_table().page.locator("h1 span")).to_have_text(before)
    family.autoplay()
    family.wait_for_end()
    check_record(download_record(family.page, tmp_path))
    assert family.errors == []
    family.close()


def test_an_update_of_the_site_in_the_middle_of_a_game(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The game goes on in the page that is open, and in the new version from where it was."""
    with Host(tmp_path) as host:
        write_site(host.directory)
        anna = visit(browser, host.url)
        play_now(anna).decide()
        publish_next_version(host, monkeypatch)
        anna.page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one.update())")
        anna.decide()
        address = anna.page.url.removeprefix(host.url)
        anna.open()
        anna.page.get_by_role("button", name="Reload").click()
        anna.sees("Play at once")
        anna.page.goto(host.url + address)
        anna.wait_for_table().decide()
        assert anna.errors == []
        anna.close()


def test_the_champion_plays_without_a_connection(browser: Browser, server: Server) -> None:
    anna = visit(browser, server.url)
    anna.page.goto(f"{server.url}/new?bot=champion")
    anna.page.get_by_role("button", name="Take seat 3 away").click()
    anna.page.locator("button[type=submit]").click()
    anna.wait_for_table().context.set_offline(True)
    for _ in range(4):
        anna.decide()
    anna.wait_to_decide()
    assert anna.errors == []
    anna.close()


def test_a_card_game_of_several_people_at_one_device(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Home lists it while it runs; the end offers a replay and a rematch, all without a connection."""
    family = set_up(Person(browser, server.url), "cards+jokers", "Anna", "Ben")
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


@pytest.mark.parametrize("script", [REFUSED, FULL], ids=["refused", "full"])
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
