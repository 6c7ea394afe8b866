"""Draws docs/screens anew: python -m tests.browser.screens

Dice are thrown and cards dealt by the server, so pictures differ each time; look at them before you commit them.
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
TALL = {"width": 390, "height": 844}
TURNS = 9
TABLES: list[tuple[str, str, str, Scheme, dict[str, int]]] = [
    ("classic-phone", "classic", "en-GB", "light", TALL),
    ("classic-phone-dark", "classic", "de-DE", "dark", TALL),
    ("classic-desktop", "classic", "en-GB", "light", DESK),
    ("longo-phone", "longo", "nl-NL", "light", PHONE),
    ("mixx-a-phone", "mixx-a", "de-DE", "light", PHONE),
    ("mixx-b-desktop", "mixx-b", "nl-NL", "light", DESK),
    ("bonus-a-phone-dark", "bonus-a", "nl-NL", "dark", TALL),
    ("bonus-b-desktop-dark", "bonus-b", "de-DE", "dark", DESK),
    ("big-points-phone", "big-points", "en-GB", "light", TALL),
    ("cards-phone", "cards", "en-GB", "light", TALL),
    ("cards-mixx-a-phone-dark", "cards-mixx-a+jokers", "de-DE", "dark", TALL),
]


def in_the_middle(
    browser: Browser, server: Server, variant: str, language: str, scheme: Scheme, size: dict[str, int]
) -> Person:
    """A game some turns old, with a cell chosen, for cards where there are any; games that end too soon are left."""
    while True:
        person = Person(browser, server.url, language, scheme=scheme, size=size)
        person.sit_down(server.create([None, "greedy", "evolved"], variant), "Anna").wait_for_table()
        while not person.over:
            turn = re.search(r"\d+", person.page.locator("h1 span").inner_text())
            late = turn is not None and int(turn[0]) >= TURNS
            todo = person.next
            with_cards = person.page.locator(".hand button").count() > 0
            if late and todo == "cell" and with_cards == variant.startswith("cards"):
                person.act()
                return person
            if todo == "cell" and not with_cards:
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
        pages(browser, server)


def pages(browser: Browser, server: Server) -> None:
    """What is not a running game: where it begins, how it ends, and what can be read."""

    def keep(person: Person, name: str, *, whole: bool = False) -> None:
        person.page.screenshot(path=SCREENS / f"{name}.png", full_page=whole)

    home = Person(browser, server.url, size=TALL).open()
    home.page.wait_for_selector("h3")
    keep(home, "home-phone")
    home.sit_down(server.create(4), "Anna").page.wait_for_selector("svg[role=img]")
    keep(home, "lobby-phone", whole=True)
    home.open("/rules/bonus-b").page.wait_for_selector("table")
    keep(home, "rules-phone")
    home.close()
    desk = Person(browser, server.url, "nl-NL", scheme="dark", size=DESK).open()
    desk.page.wait_for_selector("h3")
    keep(desk, "home-desktop-dark", whole=True)
    desk.close()
    setting_up = Person(browser, server.url, "de-DE", size=TALL).open("/new")
    setting_up.page.wait_for_selector(".game")
    keep(setting_up, "set-up-phone")
    setting_up.close()
    end = Person(browser, server.url, "de-DE", scheme="dark", size=TALL)
    end.sit_down(server.create([None, "greedy", "evolved"]), "Anna").wait_for_table().hurry()
    end.wait_for_end()
    keep(end, "end-phone-dark", whole=True)
    end.page.locator("a[href$='/replay']").click()
    end.page.get_by_role("slider").fill("20")
    keep(end, "replay-phone-dark")
    end.close()


if __name__ == "__main__":
    main()
