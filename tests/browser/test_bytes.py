"""Limits on the size of the client and of what its pages load."""

import gzip
import re

from playwright.sync_api import Browser

from rowlock.server.files import STATIC
from tests.browser.people import Person
from tests.server.serving import Server

KB = 1000


def transferred(person: Person) -> int:
    """The bytes received for the page, with headers and WebSocket messages."""
    person.page.wait_for_timeout(1000)  # bots decide meanwhile: every decision is another view
    session = person.context.new_cdp_session(person.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.on("Network.webSocketFrameReceived", lambda event: sizes.append(len(event["response"]["payloadData"])))
    person.page.reload()
    person.page.wait_for_load_state("networkidle")
    person.page.wait_for_selector("h3, .tray")
    return int(sum(sizes))


def test_home_and_tables_are_small(browser: Browser, server: Server) -> None:
    xia = Person(browser, server.url, "de-DE").open()
    assert transferred(xia) < 110 * KB
    xia.page.get_by_role("button", name=re.compile("Jetzt spielen")).click()
    xia.wait_for_table()
    assert transferred(xia) < 110 * KB
    xia.sit_down(server.create([None, *["greedy"] * 4], "cards-mixx-a+jokers"), "Xia").wait_for_table()
    assert transferred(xia) < 110 * KB
    xia.close()


def test_the_whole_client_is_small() -> None:
    files = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css")]
    assert sum(len(gzip.compress(path.read_bytes(), 9)) for path in files) < 80 * KB
