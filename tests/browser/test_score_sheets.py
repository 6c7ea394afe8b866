"""Tables without dice: four phones, two phones with bonuses, and one tablet without a connection."""

import re
from pathlib import Path

from playwright.sync_api import Browser, Page, ViewportSize, expect

from rowlock import variant_ids
from rowlock.rules.score_notation import read_records, write
from rowlock.rules.score_sheets import Mark, ScoreSheets
from rowlock.server.site import write_site
from tests.browser.hosting import Host
from tests.browser.people import Person
from tests.browser.test_offline import visit
from tests.server.serving import Server
from tests.test_printed_sheets import EVERYTHING_FILE
from tests.test_score_sheets import follow

TABLET: ViewportSize = {"width": 1280, "height": 800}

# A cell of the sheet that is shown, by its row and number: `R5`.
CELL = """([row, number]) => [
  ...document.querySelectorAll('.own-sheet .row:not(.field)')['RYGB'.indexOf(row)].querySelectorAll('.cell'),
].find((cell) => cell.querySelector('.number').textContent === number)"""
TAP = f"(cell) => ({CELL})(cell).click()"
MARKED = f"(cell) => ({CELL})(cell).classList.contains('marked')"
# How high the digits of what can be marked are drawn, in CSS pixels: the lowest.
DIGITS = """() => {
  const context = document.createElement('canvas').getContext('2d');
  const places = ['.cell:is(.open, .selectable) .number', '.swap .numbers', '.second.selectable'];
  const numbers = places.flatMap((place) => [...document.querySelectorAll(`.own-sheet ${place}`)]);
  return Math.min(...numbers.map((number) => {
    const { fontWeight, fontSize, fontFamily } = getComputedStyle(number);
    context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
    const { actualBoundingBoxAscent, actualBoundingBoxDescent } = context.measureText('8');
    return actualBoundingBoxAscent + actualBoundingBoxDescent;
  }));
}"""


def make_mark(page: Page, mark: Mark) -> None:
    """Tap what was marked, or the misthrow, and answer the question whether a row is closed already."""
    if mark.option == "x":
        before = page.locator(".own-sheet .misthrow.taken").count()
        page.locator(".buttons .warning").click()
        expect(page.locator(".own-sheet .misthrow.taken")).to_have_count(before + 1)
        return
    row, number = mark.first[0], mark.first[1:].rstrip("#")
    page.evaluate(TAP, [row, number])
    if mark.closed:
        page.get_by_role("button", name="Closed already").click()
    page.wait_for_function(MARKED, arg=[row, number])


def wait_for_roll(people: list[Person], number: int) -> None:
    for one in people:
        expect(one.page.locator("h1")).to_contain_text(f"Roll {number}")


def play(people: list[Person], sheets: ScoreSheets) -> None:
    """Make the marks of a game on the phones of its players; every lock is announced on all of them."""
    for number, marks in enumerate(sheets.rolls, 1):
        wait_for_roll(people, number)
        for mark in marks:
            make_mark(people[mark.player].page, mark)
            if mark.option.endswith("#"):
                for player, one in enumerate(people):
                    name = "You" if player == mark.player else f"Player {mark.player + 1}"
                    expect(one.page.locator(".notice.lock").filter(has_text=name)).not_to_have_count(0)
        people[number % len(people)].page.locator(".roll").click()


def check_end(person: Person, sheets: ScoreSheets, folder: Path) -> None:
    """The page shows the totals, and its record is that of the sheets."""
    page = person.page
    page.wait_for_selector(".game-over")
    totals = page.locator(".game-over table tbody tr td:last-child").all_inner_texts()
    shown = sorted(int(re.sub(r"[^\d-]", "", total.replace("−", "-"))) for total in totals)
    assert shown == sorted(sheets.scores)
    with page.expect_download() as download:
        page.get_by_role("button", name=re.compile("record", re.IGNORECASE)).first.click()
    download.value.save_as(folder / "record.rlk")
    [found] = read_records((folder / "record.rlk").read_bytes().splitlines(True), "record", [])
    assert isinstance(found, ScoreSheets)
    found.tags = {}
    assert write(found) == write(sheets)
    assert page.get_by_text("Replay").count() == 0  # there is no game to replay
    assert person.errors == []


def sit_down(browser: Browser, server: Server, players: int, variant: str) -> list[Person]:
    table = server.create(players, variant, dice="none")
    people = [Person(browser, server.url).sit_down(table, f"Player {number + 1}") for number in range(players)]
    for one in people:
        one.page.wait_for_selector(".own-sheet")
    return people


def test_four_people_play_classic_over_four_phones(browser: Browser, server: Server, tmp_path: Path) -> None:
    sheets, _ = follow("classic", 4, 23)
    people = sit_down(browser, server, 4, "classic")
    people[2].page.reload()  # loses nothing
    play(people, sheets)
    for one in people:
        assert one.page.evaluate("document.documentElement.scrollWidth") == 360
        check_end(one, sheets, tmp_path)
        one.close()


def test_two_people_play_bonus_a_and_one_is_asked(browser: Browser, server: Server, tmp_path: Path) -> None:
    sheets, asked = follow("bonus-a", 2, 115)
    assert asked
    assert any(mark.closed for marks in sheets.rolls for mark in marks)
    people = sit_down(browser, server, 2, "bonus-a")
    play(people, sheets)
    for one in people:
        check_end(one, sheets, tmp_path)
        one.close()


def test_what_cannot_be_marked_and_what_is_undone(browser: Browser, server: Server) -> None:
    """Reasons in one line, in the language of each person; a lock that is undone opens the row again for all."""
    anna, ben = people = sit_down(browser, server, 2, "classic")
    ben_status = ben.page.locator(".status")
    for number in ("2", "3", "4", "5", "6", "12"):
        anna.page.evaluate(TAP, ["R", number])
        anna.page.wait_for_function(MARKED, arg=["R", number])
    expect(ben.page.locator(".notice.lock")).to_contain_text("Player 1 has locked the red row.")
    ben.page.evaluate(TAP, ["R", "12"])
    expect(ben_status).to_contain_text("needs")
    anna.page.get_by_role("button", name="Undo").click()
    expect(ben.page.locator(".action-bar")).to_contain_text("Undone by Player 1: the red row is open again.")
    anna.page.evaluate(TAP, ["R", "12"])
    ben.page.locator(".roll").click()
    wait_for_roll(people, 2)
    ben.page.evaluate(TAP, ["R", "7"])
    expect(ben_status).to_contain_text("The red row was closed by Player 1.")
    expect(anna.page.get_by_role("button", name="Undo")).to_have_attribute("aria-disabled", "true")
    for one in people:
        assert one.errors == []
        one.close()


def test_an_undo_that_a_later_mark_prevents_is_refused_with_the_reason(browser: Browser, server: Server) -> None:
    """Red was closed for what Ben's box has set off, so it has marked Y2; without that his lock lacks a mark."""
    anna, ben = people = sit_down(browser, server, 2, "bonus-a")
    for option in ("R2", "R4", "R5", "R7", "R8", "R12#"):
        make_mark(anna.page, Mark(0, option))
    expect(ben.page.locator(".notice.lock")).to_contain_text("Player 1")
    make_mark(ben.page, Mark(1, "G11+Y2", "R"))
    for option in ("Y3", "Y4", "Y6", "Y7", "Y12#"):
        make_mark(ben.page, Mark(1, option))
    anna.page.get_by_role("button", name="Undo").click()
    expect(anna.page.locator(".action-bar")).to_contain_text("This mark stays")
    assert anna.page.evaluate(MARKED, ["R", "12"])
    for one in people:
        assert one.errors == []
        one.close()


def test_a_misthrow_after_a_mark_needs_a_new_roll(browser: Browser, server: Server) -> None:
    """Only the player who has rolled takes one, and only without a mark: somebody has forgotten the new roll."""
    anna, ben = people = sit_down(browser, server, 2, "classic")
    make_mark(anna.page, Mark(0, "R5"))
    anna.page.locator(".buttons .warning").click()
    expect(anna.page.locator(".status")).to_contain_text("Roll 1 has marks, so no misthrow is due.")
    anna.page.get_by_role("button", name="New roll and misthrow").click()
    wait_for_roll(people, 2)
    expect(anna.page.locator(".own-sheet .misthrow.taken")).to_have_count(1)
    expect(ben.page.locator(".others")).to_contain_text("−4")
    ben.page.locator(".buttons .warning").click()
    expect(ben.page.locator(".status")).to_contain_text("One misthrow is marked already")
    ben.page.get_by_role("button", name="Cancel").click()
    anna.page.evaluate(TAP, ["R", "6"])
    expect(anna.page.locator(".status")).to_contain_text("Roll 2 has a misthrow.")
    assert not anna.page.evaluate(MARKED, ["R", "6"])
    ben.page.get_by_role("button", name="New roll").click()
    wait_for_roll(people, 3)
    make_mark(anna.page, Mark(0, "R6"))
    for one in people:
        assert one.errors == []
        one.close()


def test_a_mark_for_a_roll_that_is_over_is_refused_with_the_reason(browser: Browser, server: Server) -> None:
    """Ben has no connection while Anna locks a row and somebody rolls: his tap does not count in the new roll."""
    anna, ben = people = sit_down(browser, server, 2, "classic")
    for number in (2, 3, 4, 5, 6):
        for one in people:
            make_mark(one.page, Mark(0, f"R{number}"))
    make_mark(anna.page, Mark(0, "R12#"))
    expect(ben.page.locator(".notice.lock")).to_contain_text("Player 1 has locked the red row.")
    ben.context.set_offline(True)
    expect(ben.page.locator(".action-bar")).to_contain_text("No connection right now.")
    ben.page.evaluate(TAP, ["R", "12"])
    anna.page.get_by_role("button", name="New roll").click()
    wait_for_roll([anna], 2)
    ben.context.set_offline(False)
    wait_for_roll(people, 2)
    expect(ben.page.locator(".action-bar")).to_contain_text("it does not count")
    expect(ben.page.locator(".status")).to_contain_text("The red row was closed by Player 1.")
    assert not ben.page.evaluate(MARKED, ["R", "12"])
    make_mark(ben.page, Mark(1, "Y5"))
    expect(ben.page.locator(".action-bar")).not_to_contain_text("it does not count")
    for one in people:
        one.close()


def test_nothing_scrolls_sideways_in_any_game(browser: Browser, server: Server) -> None:
    for variant in variant_ids():
        (anna,) = sit_down(browser, server, 1, variant)
        for number in range(2):
            anna.page.locator(".own-sheet .row:not(.field) .cell").nth(number).click()
        expect(anna.page.locator(".own-sheet .cell.marked")).not_to_have_count(0)
        assert anna.page.evaluate("document.documentElement.scrollWidth") == 360, variant
        anna.page.locator(".buttons .warning").click()
        expect(anna.page.locator(".status")).to_contain_text("no misthrow is due")
        assert anna.page.evaluate("document.documentElement.scrollWidth") == 360, variant
        assert anna.errors == []
        anna.close()


def test_nothing_scrolls_sideways_on_the_largest_sheet_with_five_people(browser: Browser, server: Server) -> None:
    """All at one phone, with the longest rows, bar and scale that an own variant can have."""
    table = server.create(5, "everything", dice="none", variant_file=EVERYTHING_FILE)
    names = ["Maximiliane-Charlotte of the Meadow", "Bartholomew Oberwimmer", "Chloe", "Dagobert the Fifth", "Emma"]
    people = Person(browser, server.url).sit_down(table, *names)
    page = people.page
    for name in names:
        page.locator(".players").get_by_role("button", name=name).click()
        make_mark(page, Mark(0, "R5"))
        assert page.evaluate("document.documentElement.scrollWidth") == 360
    assert people.errors == []
    people.close()


def set_up_tablet(page: Page, *names: str) -> None:
    for index, name in enumerate(names):
        if page.locator(f"#player-{index}").count() == 0:
            page.get_by_role("button", name="One more seat").click()
        page.locator(f"#player-{index}").select_option("here")
        page.locator(f"#name-{index}").fill(name)
    page.locator("button[type=submit]").click()


def test_one_tablet_without_a_connection(browser: Browser, tmp_path: Path) -> None:
    """Three people share it, one sheet at a time, with digits that can be read from a metre; a reload loses nothing."""
    with Host(tmp_path) as host:
        write_site(host.directory)
        person = visit(browser, host.url)
        page = person.page
        page.set_viewport_size(TABLET)
        person.context.set_offline(True)
        # The most numbers in a row, the most rows, swap fields, second boxes.
        for game in ("longo", "big-points", "x-change", "double-a"):
            page.goto(f"{host.url}/new?dice=none&game={game}")
            set_up_tablet(page, "Anna", "Ben")
            page.wait_for_selector(".own-sheet")
            make_mark(page, Mark(0, "R5"))
            assert page.evaluate(DIGITS) >= 48
            assert page.evaluate("document.documentElement.scrollHeight") == TABLET["height"]
        page.goto(f"{host.url}/")
        page.get_by_role("link", name="Keep score").click()
        set_up_tablet(page, "Anna", "Ben", "Anna")
        expect(page.get_by_role("alert")).to_contain_text("Anna")  # two people of the same name
        set_up_tablet(page, "Anna", "Ben", "Chloe")
        page.wait_for_selector(".own-sheet")
        assert page.evaluate(DIGITS) >= 48
        sheets = ScoreSheets("classic", ["Anna", "Ben", "Chloe"])
        for player, name, option in [(0, "Anna", "R5"), (1, "Ben", "Y9"), (2, "Chloe", "B12"), (0, "Anna", "G11")]:
            page.locator(".players").get_by_role("button", name=name).click()
            make_mark(page, Mark(player, option))
            sheets.mark(player, option)
        page.locator(".roll").click()
        sheets.new_roll()
        page.reload()
        page.wait_for_selector(".own-sheet")
        page.locator(".players").get_by_role("button", name="Ben").click()
        page.locator(".buttons .warning").click()
        sheets.mark(1, "x")
        expect(page.locator(".players")).to_contain_text("−4")
        page.get_by_role("button", name="Menu").click()
        page.get_by_role("button", name="End the game").click()
        page.get_by_role("button", name="End the game").last.click()
        sheets.end()
        check_end(person, sheets, tmp_path)
        person.close()
