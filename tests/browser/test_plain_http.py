"""Plain http in a local network: browsers allow no service worker, no wake lock and no sharing; the rest works."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import open_browser
from tests.browser.people import Person, refuse_first_hello
from tests.browser.test_local import play_now
from tests.server.serving import Server

# A name of another machine, as the browser sees it: browsers trust localhost also without https.
NAME = "rowlock.test"
MISSING = ["serviceWorker", "wakeLock", "share", "clipboard", "storage"]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with open_browser(f"--host-resolver-rules=MAP {NAME} 127.0.0.1") as found:
        yield found


@pytest.fixture
def one(browser: Browser, server: Server) -> Iterator[Person]:
    person = Person(browser, f"http://{NAME}:{server.port}", service_workers="allow")
    yield person
    # The browser reports a header of the server that it ignores here.
    assert [error for error in person.errors if "Cross-Origin-Opener-Policy" not in error] == []
    person.close()


def test_the_browser_allows_less(one: Person) -> None:
    """What the other tests of this module test, they test without these."""
    one.open()
    assert one.page.evaluate("isSecureContext") is False
    assert one.page.evaluate("(names) => names.filter((name) => name in navigator)", MISSING) == []


def test_home_and_settings_work(one: Person) -> None:
    one.open().page.wait_for_selector("h3")
    expect(one.page.get_by_text("A new version is ready.")).to_have_count(0)
    one.page.get_by_role("link", name="Settings").click()
    one.page.get_by_role("combobox", name="Language").select_option("de")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Einstellungen")


def test_a_game_is_played(one: Person, server: Server) -> None:
    """Over a WebSocket, with ids and secrets that the page makes."""
    one.sit_down(server.create([None, "greedy"]), "Uma").wait_for_table().autoplay()
    one.wait_for_end()


def test_a_game_on_the_device_is_played_and_kept(one: Person) -> None:
    play_now(one).decide()
    assert "/local" in one.page.url
    one.page.reload()
    one.wait_for_table().decide()


def test_an_invitation_shows_its_address(one: Person, server: Server) -> None:
    table = server.create(2)
    one.sit_down(table, "Uma")
    expect(one.page.locator(".address")).to_contain_text(f"http://{NAME}:{server.port}/t/{table}#")
    expect(one.page.get_by_role("button", name="Copy")).to_have_count(0)
    expect(one.page.get_by_role("button", name="Share")).to_have_count(0)
    expect(one.page.get_by_role("img", name="QR code")).to_be_visible()


def test_a_page_older_than_the_server_is_loaded_again(one: Person, server: Server) -> None:
    one.sit_down(server.create([None, "greedy"]), "Uma").wait_to_decide()
    refuse_first_hello(one)
    one.page.evaluate("window.sameDocument = true")
    one.page.evaluate("dispatchEvent(new Event('offline')); dispatchEvent(new Event('online'))")
    one.page.wait_for_function("() => !window.sameDocument")
    one.wait_to_decide()
