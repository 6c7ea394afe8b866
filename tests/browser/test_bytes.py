"""Limits on the size of the client and of what its pages load."""

import gzip
import re

from playwright.sync_api import Browser, expect

from rowlock.rules.variant import variant_ids
from rowlock.server.files import PAGE, STATIC
from rowlock.server.local import WEIGHTS_FOLDER, local_files
from tests.browser.people import Person
from tests.server.serving import Server

KB = 1000
FIRST_LOAD = 110 * KB


# Nothing is loaded ahead for people who save data.
SAVES_DATA = "Object.defineProperty(navigator, 'connection', { value: { saveData: true } })"


def transferred(person: Person) -> int:
    """The bytes received for the page, with headers and the first view of a table, without a service worker."""
    person.context.add_init_script(SAVES_DATA)
    session = person.context.new_cdp_session(person.page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    frames: list[str] = []
    session.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    session.on("Network.webSocketFrameReceived", lambda event: frames.append(event["response"]["payloadData"]))
    person.page.reload()
    person.page.wait_for_load_state("networkidle")
    person.page.wait_for_selector("h3, .tray")
    views = [number for number, frame in enumerate(frames) if frame.startswith('{"type":"view"')]
    first = views[0] + 1 if views else 0  # another view follows if a bot decides meanwhile
    return int(sum(sizes)) + sum(map(len, frames[:first]))


def wait_for_bots(person: Person) -> Person:
    """Wait until only this person is to decide: every decision of a bot is another view."""
    person.wait_for_table().wait_to_decide()
    expect(person.page.get_by_text("überlegt")).to_have_count(0)
    return person


def test_home_and_tables_are_small(browser: Browser, server: Server) -> None:
    xia = Person(browser, server.url, "de-DE").open()
    assert transferred(xia) <= FIRST_LOAD
    xia.page.get_by_role("button", name=re.compile("Jetzt spielen")).click()
    assert transferred(wait_for_bots(xia)) <= FIRST_LOAD
    xia.sit_down(server.create([None, *["greedy"] * 4], "cards-mixx-a+jokers"), "Xia")
    assert transferred(wait_for_bots(xia)) <= FIRST_LOAD
    xia.close()


def test_weights_are_small() -> None:
    """Those of a game, for one player and for several."""
    files = {name: make_content for name, make_content in local_files().items() if name.startswith(WEIGHTS_FOLDER)}
    sizes = {name: len(gzip.compress(make_content(), 9)) for name, make_content in files.items()}
    assert len(sizes) == 2 * len(variant_ids())
    assert {name: size for name, size in sizes.items() if size > 250 * KB} == {}


def test_lazy_chunks_are_small() -> None:
    """All but what the page itself names, which is part of the first load."""
    page = (STATIC / PAGE).read_text()
    files = [path for path in STATIC.rglob("*") if path.suffix in (".js", ".css") and path.name not in page]
    sizes = {path.name: len(gzip.compress(path.read_bytes(), 9)) for path in files}
    assert "sw.js" in sizes
    assert {name: size for name, size in sizes.items() if size > 40 * KB} == {}
