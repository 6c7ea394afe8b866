"""What browsers give in a secure context only, such as this machine itself: installing, a screen that stays awake."""

from playwright.sync_api import Browser

from tests.browser.people import Person
from tests.server.serving import Server

# Every lock that a page has asked for.
WATCH = """
  window.locks = [];
  const ask = WakeLock.prototype.request;
  WakeLock.prototype.request = async function (kind) {
    const lock = await ask.call(this, kind);
    window.locks.push(lock);
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
    one.page.wait_for_function("window.locks.some((lock) => !lock.released)")
    one.hurry()
    one.wait_for_end()
    one.page.wait_for_function("window.locks.every((lock) => lock.released)")
    assert one.errors == []
    one.close()
