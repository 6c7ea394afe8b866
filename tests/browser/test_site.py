"""The output of `rowlock site` in a folder of a web host."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from rowlock.server.site import write_site
from tests.browser.hosting import FOLDER, Host
from tests.browser.people import Person
from tests.browser.test_offline import GAMES, start_again, visit


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Host]:
    with Host(tmp_path_factory.mktemp("host")) as running:
        write_site(running.directory)
        yield running


def assert_clean(one: Person, host: Host) -> None:
    """No errors, and nothing was asked for outside the folder of the site."""
    assert one.errors == []
    # Browsers look for this file themselves, where a page has no icon: pages that are not found.
    assert [path for path in host.paths if not path.startswith(f"/{FOLDER}") and path != "/favicon.ico"] == []
    assert [path for path in host.paths if "/api/" in path] == []


def test_pages_lead_to_each_other(browser: Browser, host: Host) -> None:
    one = Person(browser, host.url).open("/")
    page = one.page
    expect(page.locator("h3")).to_have_count(GAMES)
    page.get_by_role("link", name="Rules of Longo").click()
    expect(page).to_have_url(f"{host.url}/rules/longo")
    page.get_by_role("link", name="Back").click()
    expect(page.locator("main li")).to_have_count(GAMES)
    page.get_by_role("link", name="Back").click()
    page.get_by_role("link", name="Settings").click()
    expect(page).to_have_url(f"{host.url}/settings")
    page.get_by_role("link", name="Back").click()
    expect(page).to_have_url(f"{host.url}/")
    assert_clean(one, host)
    one.close()


@pytest.mark.parametrize(
    ("path", "title"),
    [
        ("/rules", "Rules"),
        ("/rules/longo", "Rules: Longo"),
        ("/rules/cards+jokers", re.compile("^Rules: ")),
        ("/settings/", "Settings"),
        ("/learn", "Classic Step 1 of 13"),
        ("/learn/longo/", "Longo Step 1 of 2"),
        ("/replay", "Replay"),
        ("/history", "Your games"),
        ("/challenge", "Today's challenge"),
        ("/rules/index.html", "Rules"),
        ("/index.html", "Rowlock"),
    ],
)
def test_pages_can_be_opened_by_their_address(
    browser: Browser, host: Host, path: str, title: str | re.Pattern[str]
) -> None:
    one = Person(browser, host.url).open(path)
    expect(one.page.get_by_role("heading", level=1)).to_have_text(title)
    assert_clean(one, host)
    one.close()


def test_what_needs_a_server_is_not_shown(browser: Browser, host: Host) -> None:
    one = Person(browser, host.url).open("/")
    one.page.wait_for_selector("h3")
    expect(one.page.get_by_text("Join with a code")).to_have_count(0)
    expect(one.page.get_by_text("by link")).to_have_count(0)
    one.page.evaluate("history.pushState(null, '', 't/ABC234'); dispatchEvent(new PopStateEvent('popstate'))")
    expect(one.page.get_by_role("heading", level=1)).to_have_text("Nothing here")
    assert_clean(one, host)
    one.close()


def test_a_page_starts_without_a_connection_at_any_address(browser: Browser, host: Host) -> None:
    one = visit(browser, host.url)
    one.context.set_offline(True)
    page = start_again(one, "/rules/longo")
    expect(page.get_by_role("heading", level=1)).to_have_text("Rules: Longo")
    page = start_again(one, "/settings/")
    expect(page.get_by_role("heading", level=1)).to_have_text("Settings")
    page.get_by_role("link", name="Back").click()
    expect(page.locator("h3")).to_have_count(GAMES)
    expect(page).to_have_url(f"{host.url}/")
    assert_clean(one, host)
    one.close()
