"""Response times of the browser client: first usable view, tap to confirmed mark, frames while the dice roll.

A phone-sized page in the system's Chromium against a server on this machine, without throttling; every figure is the
median of several tries, with the slowest in parentheses.

    python -m benchmarks.browser
"""

import itertools
import statistics
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.chromium import open_browser
from tests.browser.people import Person
from tests.server.serving import Server

RESULTS = Path(__file__).parents[1] / "docs/results" / "browser.md"
TRIES = 7

# From the beginning of the navigation until the page has its buttons.
FIRST_VIEW = """(selector) => new Promise((done) => {
  const look = () => document.querySelector(selector) ? done(performance.now()) : requestAnimationFrame(look);
  look();
})"""

# From the tap on the confirm button until the server's reply is on the screen; alone one can decide again at once.
CONFIRMED = """() => new Promise((done) => {
  const before = performance.now();
  document.querySelector('.actions .primary.wide, .actions .buttons .button').click();
  const asked = () => document.querySelector('.table.over, .actions[data-state="deciding"]');
  const look = () => asked() ? done(performance.now() - before) : setTimeout(look, 0);
  setTimeout(look, 0);
})"""

# The times of the frames in the next 0.9 s, while the dice roll.
FRAMES = """() => new Promise((done) => {
  const times = [];
  const step = (now) => { times.push(now); times.at(-1) - times[0] < 900 ? requestAnimationFrame(step) : done(times) };
  requestAnimationFrame(step);
})"""


def first_view(browser: Browser, url: str, path: str, selector: str) -> list[float]:
    found = []
    for _ in range(TRIES):
        person = Person(browser, url)
        person.page.goto(url + path, wait_until="commit")
        found.append(person.page.evaluate(FIRST_VIEW, selector))
        person.close()
    return found


def taps(browser: Browser, server: Server) -> list[float]:
    """Times from tap to confirmed mark, at a table for one."""
    found: list[float] = []
    while len(found) < 4 * TRIES:
        person = Person(browser, server.url).sit_down(server.create(1), "Anna").wait_for_table()
        while not person.over and len(found) < 4 * TRIES:
            if person.next == "cell":
                person.act()
            if person.next in ("confirm", "pass"):
                found.append(person.page.evaluate(CONFIRMED))
        person.close()
    return found


def rolls(browser: Browser, server: Server) -> tuple[int, int]:
    """The number of frames while dice rolled, and of those later than 25 ms."""
    shown = late = 0
    person = Person(browser, server.url, motion="no-preference").sit_down(server.create(1), "Ben").wait_for_table()
    for _ in range(TRIES):
        if person.over:
            break
        while person.page.locator("h1 span").count() and person.is_deciding():
            if person.act() in ("confirm", "pass"):
                break
        times = person.page.evaluate(FRAMES)
        gaps = [after - before for before, after in itertools.pairwise(times)]
        shown += len(gaps)
        late += sum(gap > 25 for gap in gaps)
        person.page.wait_for_timeout(100)
    person.close()
    return shown, late


def main() -> None:
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser, Server(Path(folder)) as server:
        table = server.create(2)
        home = first_view(browser, server.url, "/", ".now")
        joining = first_view(browser, server.url, f"/t/{table}", "form button")
        marks = taps(browser, server)
        shown, late = rolls(browser, server)
    lines = [
        f"# The browser game, {datetime.now(UTC):%Y-%m-%d}",
        "",
        f"Chromium {sys.platform}, no throttling, server on the same machine. Milliseconds: median (slowest).",
        "",
        "| | |",
        "|---|---|",
        f"| home, first usable view | {statistics.median(home):.0f} ({max(home):.0f}) |",
        f"| a table's link, first usable view | {statistics.median(joining):.0f} ({max(joining):.0f}) |",
        f"| tap to confirmed mark | {statistics.median(marks):.0f} ({max(marks):.0f}) |",
        f"| frames while dice roll | {shown} shown, {late} late |",
        "",
    ]
    print("\n".join(lines))
    RESULTS.write_text("\n".join(lines))


if __name__ == "__main__":
    main()
