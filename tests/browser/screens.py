"""Takes the screenshots of docs/screens: python -m tests.browser.screens [NAME ...]; names: those of TABLES, `pages`.

The server rolls the dice and deals the cards, so they differ each time; look at them before you commit them.
"""

import random
import re
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import Browser, FilePayload, expect

from rowlock import Game
from rowlock.bots import find_bot
from tests.browser.chromium import open_browser
from tests.browser.people import PHONE, Person, Scheme
from tests.server.serving import Server

SCREENS = Path(__file__).parents[2] / "docs" / "screens"
DESKTOP = {"width": 1280, "height": 800}
TALL = {"width": 390, "height": 844}
TURNS = 9
BOTS = ("greedy", "rush")
TABLES: list[tuple[str, str, str, Scheme, dict[str, int]]] = [
    ("classic-phone", "classic", "en-GB", "light", TALL),
    ("classic-phone-dark", "classic", "de-DE", "dark", TALL),
    ("classic-desktop", "classic", "en-GB", "light", DESKTOP),
    ("mixx-b-desktop", "mixx-b", "nl-NL", "light", DESKTOP),
    ("bonus-a-phone-dark", "bonus-a", "nl-NL", "dark", TALL),
    ("bonus-b-desktop-dark", "bonus-b", "de-DE", "dark", DESKTOP),
    ("big-points-phone", "big-points", "en-GB", "light", TALL),
    ("x-change-phone", "x-change", "nl-NL", "light", PHONE),
    ("double-a-phone-dark", "double-a", "en-GB", "dark", PHONE),
    ("cards-phone", "cards", "en-GB", "light", TALL),
    ("cards-mixx-a-phone-dark", "cards-mixx-a+jokers", "de-DE", "dark", TALL),
]


def running_game(
    browser: Browser, server: Server, variant: str, language: str, scheme: Scheme, size: dict[str, int]
) -> Person:
    """A game after some turns with a cell chosen, in card games while cards are played."""
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
                person.page.wait_for_selector(".moment", state="detached")
                return person
            if todo == "cell" and not with_cards:
                # Skip cells far to the right, so that the sheet fills up evenly.
                _tap_or_pass(person)
            else:
                person.act()
        person.close()


# The place, among the cells that can be marked, of the one that skips the fewest cells, and how many it skips.
NEAREST = """() => {
  const cells = [...document.querySelectorAll('button.cell.selectable')];
  const skipped = cells.map((one) => {
    const row = [...one.closest('ol').querySelectorAll('.cell')];
    return row.indexOf(one) - row.findLastIndex((cell) => cell.classList.contains('marked')) - 1;
  });
  const fewest = Math.min(...skipped);
  return [skipped.indexOf(fewest), fewest];
}"""


def _tap_or_pass(person: Person) -> None:
    place, skipped = person.page.evaluate(NEAREST)
    first = person.page.locator(".actions .buttons .button").first
    if skipped <= 2 or "warning" in (first.get_attribute("class") or ""):
        person.page.locator("button.cell.selectable").nth(place).click()
    else:
        first.click()


def _play(person: Person) -> None:
    while not person.over:
        _tap_or_pass(person) if person.next == "cell" else person.act()


def main() -> None:
    SCREENS.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, open_browser() as browser, Server(Path(folder)) as server:
        for name, variant, language, scheme, size in TABLES:
            if sys.argv[1:] and name not in sys.argv:
                continue
            person = running_game(browser, server, variant, language, scheme, size)
            person.page.screenshot(path=SCREENS / f"{name}.png")
            person.close()
        if not sys.argv[1:] or "pages" in sys.argv:
            pages(browser, server)
            past_games(browser, server)


def pages(browser: Browser, server: Server) -> None:
    """All other pages: home, lobby, rules, new table, result, a lesson."""

    def screenshot(person: Person, name: str, *, whole: bool = False) -> None:
        person.page.screenshot(path=SCREENS / f"{name}.png", full_page=whole)

    home = Person(browser, server.url, size=TALL).open()
    home.page.wait_for_selector("h3")
    screenshot(home, "home-phone")
    home.sit_down(server.create(4), "Anna").page.wait_for_selector("svg[role=img]")
    screenshot(home, "lobby-phone")
    home.open("/rules/bonus-b").page.wait_for_selector("table")
    screenshot(home, "rules-phone")
    home.close()
    desktop = Person(browser, server.url, "nl-NL", scheme="dark", size=DESKTOP).open()
    desktop.page.wait_for_selector("h3")
    screenshot(desktop, "home-desktop-dark", whole=True)
    desktop.close()
    new_table = Person(browser, server.url, "de-DE", size=TALL).open("/new")
    new_table.page.wait_for_selector(".game")
    screenshot(new_table, "set-up-phone")
    new_table.close()
    end = Person(browser, server.url, "de-DE", scheme="dark", size=TALL)
    _play(end.sit_down(server.create([None, "greedy", "evolved"]), "Anna").wait_for_table())
    end.page.wait_for_selector(".moment", state="detached")
    screenshot(end, "end-phone-dark", whole=True)
    end.close()
    lesson = Person(browser, server.url, "nl-NL", size=TALL).open("/learn")
    lesson.page.locator(".coach .primary").click()
    lesson.page.wait_for_selector("button.cell.selectable")
    screenshot(lesson, "lesson-phone")
    lesson.close()


def played(seed: int, players: tuple[str, ...], variant: str = "classic") -> str:
    """The record of a game of an evolved player against bots."""
    game, rng = Game(variant, list(players), seed=seed), random.Random(seed)
    game.tags["Date"] = f"2026-11-{seed % 14 + 1:02}"
    game.tags["Bots"] = "; ".join(name if name in BOTS else "" for name in players)
    bots = [find_bot(name if name in BOTS else "evolved") for name in players]
    for bot in bots:
        bot.prepare(game.variant, len(players))
    while not game.over:
        if game.to_act:
            seat = game.to_act[0]
            view = game.view(seat)
            game.play(seat, bots[seat].decide(view, list(view.options), rng))
        else:
            game.roll()
    return game.record()


def past_games(browser: Browser, server: Server) -> None:
    """The pages of past games: history, statistics, review, today's challenge."""
    games = [played(seed, ("Anna", "greedy")) for seed in range(14)]
    games += [played(seed, ("Anna", "rush")) for seed in range(20, 23)] + [played(30, ("Anna",), "longo")]
    records: FilePayload = {"name": "games.rlk", "mimeType": "text/plain", "buffer": "\n".join(games).encode()}

    def visit(language: str, scheme: Scheme, size: dict[str, int]) -> Person:
        person = Person(browser, server.url, language, scheme=scheme, size=size).open("/history")
        person.page.locator("input[type=file]").set_input_files(records)
        person.page.wait_for_selector("[role=status].notice")
        return person

    phone = visit("en-GB", "light", TALL)
    phone.open("/statistics").page.wait_for_selector("figure")
    phone.page.screenshot(path=SCREENS / "statistics-phone.png")
    phone.open("/challenge").page.locator("button.start").click()
    phone.wait_for_table()
    _play(phone)
    phone.open("/challenge").page.wait_for_selector("canvas")
    phone.page.get_by_text(re.compile("^Par \\d")).wait_for()
    phone.page.screenshot(path=SCREENS / "challenge-phone.png")
    phone.close()
    desktop = visit("de-DE", "dark", DESKTOP)
    desktop.open("/statistics").page.wait_for_selector("figure")
    desktop.page.screenshot(path=SCREENS / "statistics-desktop-dark.png", full_page=True)
    desktop.close()
    review = visit("en-GB", "light", DESKTOP)
    review.open("/history").page.locator("li a", has_text="Penny").first.click()
    review.page.get_by_role("button", name="Review").click()
    review.page.wait_for_selector("figure")
    expect(review.page.locator("progress")).to_have_count(0)
    review.page.locator("button.decision").first.click()
    review.page.screenshot(path=SCREENS / "review-desktop.png")
    review.close()


if __name__ == "__main__":
    main()
