"""What a device remembers, and what browsers give in a secure context only: installing, a screen that stays awake."""

import json
from typing import Any

from playwright.sync_api import Browser, expect

from tests.browser.people import Person
from tests.server.serving import Server

# While a page holds a lock, its root says so.
WATCH = """
  const held = new Set();
  const say = () => document.documentElement.toggleAttribute('data-awake', held.size > 0);
  const ask = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (kind) {
    const lock = await ask.call(this, kind);
    held.add(lock);
    lock.addEventListener('release', () => { held.delete(lock); say(); });
    say();
    return lock;
  };
"""


def test_it_can_be_installed(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).open()
    session = one.context.new_cdp_session(one.page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert manifest["url"] == f"{server.url}/manifest.webmanifest"
    found = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
    # A window of the tests is a private one, which installs nothing; that is all Chromium has against it.
    assert [error["errorId"] for error in found] in ([], ["in-incognito"])
    one.close()


def test_the_screen_stays_awake_while_a_game_is_on(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url)
    one.page.add_init_script(WATCH)
    one.sit_down(server.create([None, "greedy"]), "Yan").wait_for_table()
    one.page.wait_for_selector("html[data-awake]")
    one.hurry()
    one.wait_for_end()
    one.page.wait_for_selector("html:not([data-awake])")
    assert one.errors == []
    one.close()


def _tables(one: Person) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(one.page.evaluate("localStorage.getItem('rowlock.tables')"))
    return found


def test_a_seat_is_not_forgotten_for_tables_that_were_only_looked_at(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).sit_down(server.create(1), "Zita")
    one.wait_to_decide()  # the seat is remembered by then, which the table alone does not say
    (played,) = _tables(one)
    looked_at = [server.create(2) for _ in range(13)]
    for table in looked_at:
        one.open(f"/t/{table}").page.wait_for_selector("form")
    tables = [found["table"] for found in _tables(one)]
    assert tables == [*reversed(looked_at[1:]), played["table"]]
    one.open(f"/t/{played['table']}").wait_to_decide()
    one.close()


def test_a_rematch_stands_above_the_game_before_it(browser: Browser, server: Server) -> None:
    """Where the game goes on comes first, also when an older table has been looked at since."""
    one = Person(browser, server.url).sit_down(server.create([None, "greedy"]), "Yve").wait_for_table()
    before = one.page.url
    one.hurry()
    one.wait_for_end()
    one.page.get_by_role("button", name="Rematch").click()
    one.page.wait_for_selector(".tray")
    rematch = one.page.url
    one.page.goto(before)
    one.wait_for_end()
    one.open()
    links = one.page.locator("li a[href^='/t/']")
    expect(links).to_have_count(2)
    assert [server.url + (link.get_attribute("href") or "") for link in links.all()] == [rematch, before]
    one.close()


def test_two_tabs_remember_together(browser: Browser, server: Server) -> None:
    """What the other tab has written holds, also before this one has been told of it."""
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
