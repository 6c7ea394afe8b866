"""Draws docs/screens anew: python -m tests.browser.screens

Dice are thrown by the server, so the pictures differ from time to time; look at them before you commit them.
"""

import re
import tempfile
from pathlib import Path

from playwright.sync_api import Browser

from tests.browser.chromium import open_browser
from tests.browser.people import PHONE, Person, Scheme
from tests.server.serving import Server

SCREENS = Path(__file__).parents[2] / "docs" / "screens"
DESK = {"width": 1280, "height": 800}
TURNS = 9
TABLES: list[tuple[str, str, str, Scheme, dict[str, int]]] = [
    ("classic-phone", "classic", "en-GB", "light", PHONE),
    ("classic-phone-dark", "classic", "de-DE", "dark", PHONE),
    ("classic-desktop", "classic", "en-GB", "light", DESK),
    ("longo-phone", "longo", "nl-NL", "light", PHONE),
    ("mixx-a-phone", "mixx-a", "de-DE", "light", PHONE),
    ("bonus-a-phone-dark", "bonus-a", "nl-NL", "dark", PHONE),
    ("bonus-b-desktop-dark", "bonus-b", "de-DE", "dark", DESK),
    ("big-points-phone", "big-points", "en-GB", "light", PHONE),
]


def in_the_middle(
    browser: Browser, server: Server, variant: str, language: str, scheme: Scheme, size: dict[str, int]
) -> Person:
    """A game some turns old, with a cell chosen; games that end too soon are left."""
    while True:
        person = Person(browser, server.url, language, scheme=scheme, size=size)
        person.sit_down(server.create([None, "greedy", "evolved"], variant), "Anna").wait_for_table()
        while not person.over:
            turn = re.search(r"\d+", person.page.locator("h1 span").inner_text())
            late = turn is not None and int(turn[0]) >= TURNS
            if late and person.next == "cell":
                person.act()
                return person
            todo = person.next
            if todo == "cell":
                # Careful players make the better pictures: leave out what lies far to the right.
                _tap_or_pass(person)
            else:
                person.act()
        person.close()


def _tap_or_pass(person: Person) -> None:
    skipped = person.page.evaluate("""() => {
      const row = document.querySelector('button.cell.can').closest('ol');
      const cells = [...row.querySelectorAll('.cell')];
      const last = cells.findLastIndex((one) => one.classList.contains('marked'));
      return cells.indexOf(row.querySelector('button.cell.can')) - last - 1;
    }""")
    first = person.page.locator(".actions .buttons .button").first
    if skipped <= 2 or "warn" in (first.get_attribute("class") or ""):
        person.act()
    else:
        first.click()


def main() -> None:
    SCREENS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser, Server(Path(folder)) as server:
        for name, variant, language, scheme, size in TABLES:
            person = in_the_middle(browser, server, variant, language, scheme, size)
            person.page.screenshot(path=SCREENS / f"{name}.png")
            person.close()
        home = Person(browser, server.url).open()
        home.page.wait_for_selector("h3")
        home.page.screenshot(path=SCREENS / "home-phone.png")
        home.sit_down(server.create(4), "Anna").page.wait_for_selector("svg[role=img]")
        home.page.screenshot(path=SCREENS / "lobby-phone.png", full_page=True)
        home.open("/rules/bonus-b").page.wait_for_selector("table")
        home.page.screenshot(path=SCREENS / "rules-phone.png")
        home.close()
        end = Person(browser, server.url, "de-DE", scheme="dark")
        end.sit_down(server.create([None, "greedy", "evolved"]), "Anna").wait_for_table().hurry()
        end.wait_for_end()
        end.page.screenshot(path=SCREENS / "end-phone-dark.png", full_page=True)
        end.close()


if __name__ == "__main__":
    main()
