"""Past games of a device: history, statistics, export and import, today's challenge, sharing."""

import random
import re
from collections import Counter
from datetime import date
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from rowlock import Game, challenge, read
from rowlock.bots import find_bot
from tests.browser.people import Person
from tests.browser.test_local import FULL, set_up
from tests.browser.test_offline import start_again, visit
from tests.server.serving import Server

DAY = date(2026, 11, 18)


def random_game(seed: int, variant: str = "classic", players: tuple[str, ...] = ("Anna", "greedy")) -> Game:
    """A game that is over, with random decisions."""
    game, rng = Game(variant, list(players), seed=seed), random.Random(seed)
    game.tags["Date"] = "2026-11-17"
    game.tags["Bots"] = "; ".join(name if name == "greedy" else "" for name in players)
    while not game.over:
        if game.to_act:
            game.play(game.to_act[0], rng.choice(game.options(game.to_act[0])))
        else:
            game.roll()
    return game


def import_games(person: Person, path: Path) -> None:
    person.open("/history").page.locator("input[type=file]").set_input_files(path)
    person.page.wait_for_selector("[role=status].notice")


def entries(page: Page) -> list[str]:
    return page.locator("li a").all_inner_texts()


def export(person: Person, path: Path) -> Path:
    with person.page.expect_download() as download:
        person.page.get_by_role("button", name="Export all games").click()
    download.value.save_as(path)
    return path


def share(person: Person) -> list[str]:
    """The lines that the dialog at the end of a game copies: the result and the link."""
    person.page.get_by_role("button", name="Share").click()
    person.page.get_by_role("button", name="Copy result and link").click()
    expect(person.page.get_by_role("dialog").get_by_role("status")).to_have_text("Copied")
    copied: str = person.page.evaluate("navigator.clipboard.readText()")
    return copied.split("\n")


def test_a_game_on_the_device_is_kept_exported_imported_and_shared(
    browser: Browser, server: Server, tmp_path: Path
) -> None:
    anna = Person(browser, server.url)
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    set_up(anna, "classic", "Anna", "Ben").autoplay()
    anna.wait_for_end()
    result, link = share(anna)

    anna.open("/history")
    expect(anna.page.locator("li a")).to_have_count(1)
    scores = re.findall(r"(Anna|Ben) (−?\d+)", entries(anna.page)[0])
    assert all(f"{name} {points}" in result for name, points in scores)
    exported = export(anna, tmp_path / "games.rlk")
    (game,) = read(exported)
    assert dict(zip(game.players, map(str, game.scores), strict=True)) == {
        name: points.replace("−", "-") for name, points in scores
    }

    # Another device: the link opens the replay, and the file becomes its history.
    ben = Person(browser, server.url)
    ben.page.goto(link)
    expect(ben.page.locator(".sheet")).to_have_count(2)
    ben.page.goto("about:blank")
    ben.page.goto(link[:-30])
    expect(ben.page.get_by_role("alert")).to_contain_text("This link is broken")
    import_games(ben, exported)
    ben.sees("1 game added.")
    import_games(ben, exported)
    ben.sees(re.compile("0 games added. 1 was there already."))
    assert entries(ben.page) == entries(anna.page)
    export(ben, tmp_path / "again.rlk")
    assert (tmp_path / "again.rlk").read_text() == exported.read_text()
    ben.page.locator("li a").click()
    expect(ben.page.locator(".sheet")).to_have_count(2)
    ben.page.locator("summary", has_text="All dice").click()
    expect(ben.page.locator("table caption")).to_have_count(6)

    # A game is deleted after a question, with its table.
    anna.page.get_by_role("button", name=re.compile("Delete Classic")).click()
    anna.page.get_by_role("button", name="Delete", exact=True).click()
    anna.sees(re.compile("appear here"))
    anna.open()
    expect(anna.page.locator("a[href^='local?game=']")).to_have_count(0)
    assert anna.errors + ben.errors == []
    anna.close()
    ben.close()


# Keeps what is written on canvases, and how many signs are drawn.
WRITTEN = """
  window.written = [];
  const write = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (...values) {
    window.written.push(values[0]);
    write.apply(this, values);
  };
  window.signs = 0;
  const fill = CanvasRenderingContext2D.prototype.fill;
  CanvasRenderingContext2D.prototype.fill = function (...values) {
    window.signs += Number(values[0] instanceof Path2D);
    fill.apply(this, values);
  };
"""


def share_picture(browser: Browser, server: Server, path: Path, game: Game) -> Person:
    """Somebody who looks at the picture of a game."""
    path.write_text(game.record(), encoding="utf-8")
    anna = Person(browser, server.url)
    anna.page.add_init_script(WRITTEN)
    import_games(anna, path)
    anna.page.locator("li a").first.click()
    anna.page.get_by_role("button", name="Share").click()
    anna.page.wait_for_selector("canvas")
    return anna


def test_the_picture_of_a_game_says_all(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Signs of bonus boxes, points of rows, and where the game can be played; three sheets fill it."""
    game = random_game(1, "bonus-b", ("Anna", "greedy", "Ben"))
    anna = share_picture(browser, server, tmp_path / "game.rlk", game)
    written = anna.page.evaluate("window.written")
    assert written[-1] == f"Rowlock · {server.url.removeprefix('http://')}"
    points = [str(sheet.points[row]) for sheet in game.sheets for row in "RYGB"]
    assert not Counter(points) - Counter(written)
    assert anna.page.evaluate("window.signs") == 3 * 10
    width, height = anna.page.locator("canvas").evaluate("(canvas) => [canvas.width, canvas.height]")
    assert height < 1.2 * width
    anna.close()


def test_the_picture_of_a_game_has_its_swap_fields(browser: Browser, server: Server, tmp_path: Path) -> None:
    """Those that are used are crossed."""
    game = random_game(1, "x-change", ("Anna",))
    anna = share_picture(browser, server, tmp_path / "game.rlk", game)
    states = dict(game.sheets[0].swap_fields)
    assert "used" in states.values()
    written = [text for text in anna.page.evaluate("window.written") if "/" in text]
    assert written == [name for name, state in states.items() if state != "used"]
    anna.close()


def test_a_game_at_a_table_of_the_server_is_kept(browser: Browser, server: Server) -> None:
    """Its link opens the replay elsewhere; whoever only watches keeps nothing."""
    table = server.create([None])
    anna = Person(browser, server.url).sit_down(table, "Anna")
    anna.context.grant_permissions(["clipboard-read", "clipboard-write"])
    anna.wait_for_table().autoplay()
    anna.wait_for_end()
    link = share(anna)[-1]
    anna.open("/history")
    expect(anna.page.locator("li a")).to_have_count(1)
    anna.page.locator("li a").click()
    expect(anna.page.locator(".sheet")).to_have_count(1)
    watcher = Person(browser, server.url).watch(server, table)
    watcher.page.wait_for_selector(".game-over")
    guest = Person(browser, server.url)
    guest.page.goto(link)
    expect(guest.page.locator(".sheet")).to_have_count(1)
    guest.close()
    watcher.open("/history").sees(re.compile("appear here"))
    assert anna.errors + watcher.errors == []
    anna.close()
    watcher.close()


@pytest.fixture
def records(tmp_path: Path) -> Path:
    """Five games against a bot, one alone, one that breaks a rule and one that is not over."""
    games = [random_game(seed).record() for seed in range(5)] + [random_game(9, "longo", ("Anna",)).record()]
    broken = games[0].replace("1. ", "7. ", 1)
    path = tmp_path / "games.rlk"
    path.write_text("\n".join([*games, broken, Game("classic", ["Anna", "Ben"]).record()]), encoding="utf-8")
    return path


def test_statistics_of_imported_games(browser: Browser, server: Server, records: Path) -> None:
    games = [random_game(seed) for seed in range(5)]
    own = [game.scores[0] for game in games]
    anna = Person(browser, server.url)
    import_games(anna, records)
    notice = anna.page.locator("[role=status].notice")
    expect(notice).to_contain_text("6 games added.")
    expect(notice).to_contain_text("1 is not over")
    expect(notice).to_contain_text("1 cannot be read")
    classic = [text for text in entries(anna.page) if text.startswith("Classic")]
    assert sum("Won by Penny" in text for text in classic) == sum(game.winners == (1,) for game in games)
    assert sum("your best: " in text for text in classic) == (max(own) > 0)
    anna.page.locator("#game").select_option("longo")
    expect(anna.page.locator("li a")).to_have_count(1)
    anna.page.get_by_role("link", name="Statistics").click()
    figures = anna.page.get_by_role("region", name="Against Penny, level 3")
    wins = sum(0 in (game.winners or ()) for game in games)
    expect(figures.locator("dd").nth(0)).to_have_text("5")
    expect(figures.locator("dd").nth(1)).to_have_text(re.compile(f"^{wins} "))
    expect(figures.locator("dd").nth(2)).to_have_text(f"{sum(own) / 5:.1f}".replace("-", "−"))
    expect(figures.locator("dd").nth(3)).to_have_text(str(max(own)).replace("-", "−"))
    charts = figures.get_by_role("img")
    expect(charts.first).to_have_attribute("aria-label", re.compile("Own: 5 games.* Bots: 5 results"))
    expect(charts.last).to_have_attribute("aria-label", re.compile("Your last 5 scores in order: "))
    total = anna.page.locator(".totals dd")
    expect(total.nth(0)).to_have_text("6")
    expect(total.nth(3)).to_have_text(f"{wins} of 5")
    bests = anna.page.get_by_role("table", name="Personal bests")
    expect(bests.get_by_role("row", name=re.compile("^Classic"))).to_contain_text(str(max(own)).replace("-", "−"))
    expect(anna.page.get_by_role("link", name=re.compile("^Play every game"))).to_contain_text("2 of 14")

    # Of a few games there are results and no charts.
    anna.page.locator("#game").select_option("longo")
    score = random_game(9, "longo", ("Anna",)).scores[0]
    anna.sees(f"1 game: {score} point{'' if score == 1 else 's'}".replace("-", "−"))
    anna.sees("4 more games, and charts appear here.")
    expect(anna.page.locator("figure")).to_have_count(0)
    assert anna.errors == []
    anna.close()


OPEN_NEWER = """() => new Promise((resolve) => {
  const opening = indexedDB.open('rowlock', 99);
  opening.onblocked = () => resolve('blocked');
  opening.onsuccess = () => resolve('opened');
})"""


def test_a_replay_jumps_and_names_the_result(browser: Browser, server: Server, tmp_path: Path) -> None:
    game = random_game(1)
    path = tmp_path / "game.rlk"
    path.write_text(game.record(), encoding="utf-8")
    anna = Person(browser, server.url, size={"width": 1280, "height": 800})
    import_games(anna, path)
    anna.page.locator("li a").click()
    scores = sorted(zip(game.scores, ("You", "Penny"), strict=True), reverse=True)
    anna.sees(", ".join(f"{name} {score}" for score, name in scores).replace("-", "−"))
    button, slider = partial(anna.page.get_by_role, "button"), anna.page.get_by_role("slider")
    button(name="Next turn").click()
    button(name="Next turn").click()
    expect(slider).to_have_attribute("aria-valuetext", re.compile("^Turn 3, "))
    button(name="To the end").click()
    expect(slider).to_have_attribute("aria-valuetext", "Game over")
    expect(button(name="Next turn")).to_be_disabled()
    button(name="To the start").click()
    expect(slider).to_have_value("0")
    assert anna.errors == []
    anna.close()


def test_two_tabs_show_the_same_history(browser: Browser, server: Server, records: Path) -> None:
    anna = Person(browser, server.url).open("/history")
    other = anna.context.new_page()
    other.goto(f"{server.url}/history")
    import_games(anna, records)
    expect(other.locator("li a")).to_have_count(6)
    # A page of a newer version can open the store at once; this one then asks to be loaded again.
    assert other.evaluate(OPEN_NEWER) == "opened"
    anna.open("/history")
    expect(anna.page.get_by_role("alert")).to_contain_text("older")
    anna.close()


def test_a_full_store_is_reported_and_what_is_there_stays(browser: Browser, server: Server, records: Path) -> None:
    anna = Person(browser, server.url)
    import_games(anna, records)
    anna.context.route(
        re.compile(r"/assets/worker-.*\.js"),
        lambda route: route.fulfill(response=(found := route.fetch()), body=f"{FULL}\n{found.text()}"),
    )
    one = records.with_name("one.rlk")
    one.write_text(random_game(77).record(), encoding="utf-8")
    anna.open("/history").page.locator("input[type=file]").set_input_files(one)
    expect(anna.page.get_by_role("alert")).to_contain_text("cannot store more games")
    expect(anna.page.locator("li a")).to_have_count(6)
    anna.sit_down(server.create([None]), "Anna").wait_for_table().autoplay()
    anna.wait_for_end()
    expect(anna.page.get_by_role("alert")).to_contain_text("cannot store more games")
    assert anna.errors == []
    anna.close()


# Writes the tables of the newest database into one of version 1, as a page of an earlier version has left it.
DOWNGRADE = """() => new Promise((resolve) => {
  indexedDB.open('rowlock').onsuccess = ({target: {result: now}}) => {
    const found = {};
    const transaction = now.transaction(['tables', 'events']);
    transaction.objectStore('tables').getAll().onsuccess = ({target}) => (found.tables = target.result);
    transaction.objectStore('events').getAll().onsuccess = ({target}) => (found.events = target.result);
    transaction.objectStore('events').getAllKeys().onsuccess = ({target}) => (found.keys = target.result);
    transaction.oncomplete = () => {
      now.close();
      indexedDB.deleteDatabase('rowlock').onsuccess = () => {
        const opening = indexedDB.open('rowlock', 1);
        opening.onupgradeneeded = () => {
          const tables = opening.result.createObjectStore('tables', {keyPath: 'code'});
          const events = opening.result.createObjectStore('events');
          found.tables.forEach((one) => tables.add(one));
          found.events.forEach((one, index) => events.add(one, found.keys[index]));
        };
        opening.onsuccess = () => {
          window.old = opening.result; // stays open, and lets nobody upgrade
          resolve(found.tables.length);
        };
      };
    };
  };
})"""


def test_games_of_an_earlier_version_are_kept(browser: Browser, server: Server) -> None:
    """While a page of that version is open the newer one cannot open the store, and says so."""
    anna = Person(browser, server.url)
    set_up(anna, "classic", "Anna", "Ben").autoplay()
    anna.wait_for_end()
    old = anna.context.new_page()
    old.goto(f"{server.url}/settings")
    anna.page.goto("about:blank")  # ends its worker
    assert old.evaluate(DOWNGRADE) == 1
    anna.open("/history")
    expect(anna.page.get_by_role("alert")).to_contain_text("Another tab")
    old.close()
    anna.open("/history")
    expect(anna.page.locator("li a")).to_have_count(1)
    assert anna.errors == []
    anna.close()


def par(day: date) -> int:
    """What the champion scores without looking ahead."""
    game, bot = challenge(day), find_bot("champion")
    bot.prepare(game.variant, 1)
    while not game.over:
        if game.to_act:
            view = game.view(0)
            game.play(0, bot.decide(view, list(view.options), random.Random(0)))
        else:
            game.roll()
    return game.scores[0]


def test_the_challenge_of_a_day_is_the_same_for_everybody(browser: Browser, server: Server) -> None:
    """It goes on after a reload; there is one try; the result says how far it is from par."""
    first = challenge(DAY).roll()
    people = [Person(browser, server.url) for _ in range(2)]
    for one in people:
        one.page.clock.set_fixed_time("2026-11-18T09:00:00")
        one.open("/challenge").page.get_by_role("button", name="Start").click()
        one.wait_for_table()
        one.page.get_by_role("button", name="Menu").click()
        one.page.get_by_role("button", name="Game log").click()
        dice = zip(("red", "yellow", "green", "blue"), first[3:], strict=True)
        faces = ", ".join(f"{colour} {face}" for colour, face in dice)
        expect(one.page.get_by_role("dialog")).to_contain_text(faces)
    anna, ben = people
    ben.close()
    anna.page.keyboard.press("Escape")
    anna.decide()
    turn = anna.page.locator("h1 span").inner_text()
    anna.open("/challenge").page.get_by_role("button", name="Continue").click()
    expect(anna.wait_for_table().page.locator("h1 span")).to_have_text(turn)
    assert anna.page.get_by_role("button", name="Hint").count() == 0
    anna.autoplay()
    anna.wait_for_end()
    expect(anna.page.get_by_role("button", name="Rematch")).to_have_count(0)
    expect(anna.page.locator(".game-over dd").nth(1)).to_have_text(str(par(DAY)))
    expect(anna.page.locator(".game-over")).to_contain_text("First day")
    anna.page.get_by_role("link", name="Result of the challenge").click()
    expect(anna.page.locator(".streak")).to_have_text(re.compile("^First day *The next one comes in 15 hours.$"))
    expect(anna.page.get_by_text(f"Par {par(DAY)}: ")).to_be_visible()
    expect(anna.page.get_by_role("link", name="Rules: Mixx B")).to_be_visible()
    own, champion, difference = anna.page.locator(".result dd").all_inner_texts()
    assert int(champion) == par(DAY)
    assert int(difference.replace("−", "-")) == int(own.replace("−", "-")) - par(DAY)
    anna.page.get_by_text("The result as text").click()
    expect(anna.page.get_by_role("button", name="Start")).to_have_count(0)
    shared = anna.page.locator("pre").inner_text().split("\n")
    assert shared[0] == "Rowlock 2026-11-18: Mixx B"
    assert [len(re.findall("[🔺🟡🟩🔷⬜]", line)) for line in shared[2:6]] == [11] * 4
    anna.open().sees(re.compile(r"Mixx B: done, −?\d+ point"))
    assert anna.errors == []
    anna.page.clock.set_fixed_time("2026-11-19T09:00:00")
    anna.open().sees(re.compile("yesterday"))
    expect(anna.open("/challenge").page.get_by_role("button", name="Start")).to_be_visible()
    anna.close()


def test_the_challenge_needs_no_connection(browser: Browser, server: Server) -> None:
    """It can be played without the champion, who gives par."""
    anna = visit(browser, server.url)
    anna.context.set_offline(True)
    start_again(anna, "/challenge")
    anna.sees("To compute par, the champion must be loaded once, which needs a connection.")
    anna.page.get_by_role("button", name="Start").click()
    anna.wait_for_table().decide()
    assert anna.errors == []
    anna.close()
