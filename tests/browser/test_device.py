"""Local storage, installing the app, and the wake lock."""

import json
from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.server.serving import Server

# Sets an attribute of the root element while the page holds a wake lock.
WATCH_WAKE_LOCK = """
  const held = new Set();
  const update = () => document.documentElement.toggleAttribute('data-awake', held.size > 0);
  const request = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (kind) {
    const lock = await request.call(this, kind);
    held.add(lock);
    lock.addEventListener('release', () => { held.delete(lock); update(); });
    update();
    return lock;
  };
"""


def test_the_app_can_be_installed(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).open()
    session = one.context.new_cdp_session(one.page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{server.url}/manifest.webmanifest"
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # Tests use a private window, in which nothing can be installed; Chromium must have no other objection.
    assert [error["errorId"] for error in found] in ([], ["in-incognito"])
    one.close()


def test_a_running_game_holds_a_wake_lock(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url)
    one.page.add_init_script(WATCH_WAKE_LOCK)
    one.sit_down(server.create([None, "greedy"]), "Yan").wait_for_table()
    one.page.wait_for_selector("html[data-awake]")
    one.autoplay()
    one.wait_for_end()
    one.page.wait_for_selector("html:not([data-awake])")
    assert one.errors == []
    one.close()


def test_a_sheet_without_dice_holds_a_wake_lock(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url)
    one.page.add_init_script(WATCH_WAKE_LOCK)
    one.sit_down(server.create(1, dice="none"), "Yan")
    one.page.wait_for_selector("html[data-awake]")
    one.page.get_by_role("button", name="Menu").click()
    one.page.get_by_role("button", name="End the game").click()
    one.page.get_by_role("button", name="End the game").last.click()
    one.page.wait_for_selector("html:not([data-awake])")
    assert one.errors == []
    one.close()


def _tables(one: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(one.page.evaluate("localStorage.getItem('rowlock.tables')"))
    return found


def test_tables_without_a_seat_do_not_displace_one_with_a_seat(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).sit_down(server.create(1), "Zita")
    one.wait_to_decide()  # the seat is saved by then
    (played,) = _tables(one)
    visited = [server.create(2) for _ in range(13)]
    for table in visited:
        one.open(f"/t/{table}").page.wait_for_selector("form")
    tables = [found["table"] for found in _tables(one)]
    assert tables == [*reversed(visited[1:]), played["table"]]
    one.open(f"/t/{played['table']}").wait_to_decide()
    one.close()


def test_running_games_are_listed_before_finished_ones(browser: Browser, server: Server) -> None:
    """The rematch comes first, even if the finished game was opened later, which is shown only with all."""
    one = Person(browser, server.url).sit_down(server.create([None, "greedy"]), "Yve").wait_for_table()
    before = one.page.url
    one.autoplay()
    one.wait_for_end()
    one.page.get_by_role("button", name="Rematch").click()
    one.page.wait_for_selector(".tray")
    rematch = one.page.url
    one.page.goto(before)
    one.wait_for_end()
    one.open()
    links = one.page.locator("li a[href^='t/']")
    expect(links).to_have_count(1)
    one.page.get_by_role("button", name="Show all", exact=True).click()
    expect(links).to_have_count(2)
    assert [f"{server.url}/{link.get_attribute('href')}" for link in links.all()] == [rematch, before]
    one.close()


def test_two_tabs_share_their_tables(browser: Browser, server: Server) -> None:
    """A tab keeps what another tab has written, even before the storage event."""
    one = Person(browser, server.url).sit_down(server.create([None, "greedy"]), "Alba")
    one.wait_to_decide()
    known = _tables(one)
    other = {**known[0], "table": "OTHER2"}
    one.page.evaluate("(tables) => localStorage.setItem('rowlock.tables', tables)", json.dumps([other, *known]))
    one.decide()
    one.page.wait_for_function(
        "(table) => JSON.parse(localStorage['rowlock.tables'])[0].table === table", arg=known[0]["table"]
    )
    assert [found["table"] for found in _tables(one)] == [known[0]["table"], "OTHER2"]
    one.close()


def test_a_removed_table_keeps_its_seat(browser: Browser, server: Server) -> None:
    """Its link leads back to the seat; only deleting it for good gives the seat up."""
    table = server.create(1)
    one = Person(browser, server.url).sit_down(table, "Zoe")
    one.wait_to_decide()  # the seat is saved by then
    page = one.open().page
    link, dialog = page.locator(f"section > ul a[href='t/{table}']"), page.get_by_role("dialog")
    remove = page.get_by_role("button", name=f"Remove table {table} from the list")

    remove.click()
    expect(dialog).to_contain_text("Your seat stays on this device")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(remove).to_be_focused()
    expect(link).to_be_visible()

    remove.click()
    dialog.get_by_role("button", name="Remove").click()
    expect(link).to_have_count(0)
    one.open(f"/t/{table}").wait_to_decide()
    one.open()
    expect(link).to_be_visible()

    remove.click()
    dialog.get_by_role("button", name="Remove").click()
    page.get_by_text("1 removed table").click()
    page.get_by_role("button", name=f"Put table {table} back").click()
    expect(link).to_be_visible()

    remove.click()
    dialog.get_by_role("button", name="Remove").click()
    page.get_by_text("1 removed table").click()
    page.get_by_role("button", name=f"Delete table {table} for good").click()
    dialog.get_by_role("button", name="Delete").click()
    expect(page.get_by_text("Your tables")).to_have_count(0)
    one.open(f"/t/{table}").sees("To watch, you need the link of the table")
    assert one.errors == []
    one.close()
