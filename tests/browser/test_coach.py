"""Hints and reviews in the browser: values, mistakes by name, puzzles, keyboard, screen reader, no connection."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from rowlock.server.site import write_site
from tests import command
from tests.browser.hosting import Host
from tests.browser.people import PHONE, Person, box_of, overlap
from tests.browser.test_accessibility import problems
from tests.browser.test_local import play_now
from tests.browser.test_offline import start_again, visit
from tests.local_games import OWN_VARIANTS
from tests.server.serving import Server

# Anna skips nine cells of the red row, and marks nothing with the colours.
MISTAKE = """[Variant "classic"]
[Players "Anna; Ben"]
[Result "*"]

1. 56-1234 R11 B11 / -
2. 34-1256 - -
"""
SOLO = MISTAKE.replace("Anna; Ben", "Anna").replace("R11 B11", "R11").replace("2. 34-1256 - -", "2. 34-1256 -")

# Anna skips six cells of the green row.
CARDS_MISTAKE = """[Variant "cards"]
[Players "Anna; Ben"]
[Deck "r2 g3 g12 y8 g10 r11 b8 y3 b11 g8 r6 r10 b9 g6 b5 b4 r9 g5 r4 r7 r8 b10 r12 b7 r3 y7 y6 y4 g7 g9 y12 y10 y2 y11 \
r5 y5 y9 b2 g11 b3 b12 g4 b6 g2"]
[Result "*"]

1. b11 6: G6 - / r2 = R2
"""


@pytest.fixture
def mistake(tmp_path: Path) -> Path:
    path = tmp_path / "mistake.rlk"
    path.write_text(MISTAKE)
    return path


def open_review(page: Page, record: Path) -> None:
    """Open a record on the replay page and have it reviewed; roll-outs are finished then."""
    page.locator("input[type=file]").set_input_files(record)
    page.get_by_role("button", name="Review").click()
    page.wait_for_selector("figure svg")
    expect(page.locator("progress")).to_have_count(0)


def test_a_mistake_is_named_with_what_was_better(browser: Browser, server: Server, mistake: Path) -> None:
    one = Person(browser, server.url).open("/replay")
    page = one.page
    open_review(page, mistake)
    worst = page.locator("button.decision").first
    expect(worst).to_contain_text("Turn 1, Anna")
    expect(worst).to_contain_text("?? blunder")
    expect(worst).to_contain_text(re.compile(r"Played: red 11\. Better: (green|blue) 11\."))
    expect(worst).to_contain_text("Red 11: skips 9 cells")
    expect(page.get_by_role("img", name=re.compile(r"Chance to win\. Anna: .* Ben: .* at the end"))).to_be_visible()
    summary = page.get_by_role("row", name=re.compile("^Anna"))
    assert int(summary.get_by_role("cell").last.inner_text()) >= 1  # blunders
    name = page.get_by_role("rowheader", name=re.compile("^Anna"))
    assert box_of(name)["height"] < 60  # the name and the rating, each in one line

    # The list leads to the position, where both marks are on the sheet.
    worst.press("Enter")
    sheet = page.get_by_role("region", name="Sheet of Anna")
    expect(sheet.get_by_role("img", name="red 11, pencilled in")).to_be_visible()
    expect(sheet.get_by_role("img", name=re.compile("11, comes with it"))).to_be_visible()
    page.get_by_text("All rolls and decisions").click()
    expect(page.get_by_text(re.compile(r"Anna: (un)?lucky [+−]\d"))).to_be_visible()
    assert one.errors == []
    one.close()


def test_the_better_mark_can_be_found_by_keyboard(browser: Browser, server: Server, mistake: Path) -> None:
    one = Person(browser, server.url).open("/replay")
    page = one.page
    open_review(page, mistake)
    one.tab_to("^Find the better mark: Anna")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    one.tab_to("^red 11, can be marked")
    page.keyboard.press("Enter")
    expect(dialog.get_by_text(re.compile(r"That is what was played: [\d.]+%"))).to_be_visible()
    one.tab_to("^Try again")
    page.keyboard.press("Enter")
    best = re.search(r"Best: (\w+) 11", page.locator("[aria-live]").inner_text())
    assert best
    one.tab_to(f"^{best[1]} 11, can be marked")
    page.keyboard.press("Enter")
    expect(dialog.get_by_text("That is the best")).to_be_visible()
    assert one.errors == []
    one.close()


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL"])
def test_the_review_is_accessible(browser: Browser, server: Server, mistake: Path, language: str) -> None:
    one = Person(browser, server.url, language).open("/replay?review")
    one.page.locator("input[type=file]").set_input_files(mistake)
    one.page.wait_for_selector("figure svg")
    expect(one.page.locator("progress")).to_have_count(0)
    one.page.locator("summary").first.click()
    assert problems(one) == []
    one.page.locator("button[aria-haspopup=dialog]").first.click()
    one.page.locator("dialog button.cell.selectable").first.click()
    assert problems(one) == []
    one.close()


def test_a_game_of_this_device_is_reviewed_one_tap_after_its_end(browser: Browser, server: Server) -> None:
    """Also again without a connection; the weights are on the device then."""
    one = play_now(visit(browser, server.url))
    one.autoplay()
    one.wait_for_end()
    one.page.get_by_role("link", name="Review").click()
    one.page.wait_for_selector("figure svg")
    one.context.set_offline(True)
    page = start_again(one, one.page.url.removeprefix(one.url))
    expect(page.locator("progress")).to_have_count(0)
    expect(page.get_by_role("row")).to_have_count(3)
    assert one.errors == []
    one.close()


def test_a_site_without_a_server_reviews_records(browser: Browser, tmp_path: Path) -> None:
    record = tmp_path / "solo.rlk"
    record.write_text(SOLO)
    with Host(tmp_path) as host:
        write_site(host.directory)
        one = Person(browser, host.url).open("/")
        one.page.get_by_role("link", name="Replay").first.click()
        open_review(one.page, record)
    expect(one.page.get_by_role("heading", name="Expected points")).to_be_visible()
    expect(one.page.locator("button.decision").first).to_contain_text(re.compile(r"−[\d.]+ points"))
    assert one.errors == []
    one.close()


def test_a_game_that_the_champion_has_not_learned(browser: Browser, server: Server, tmp_path: Path) -> None:
    variant, record = tmp_path / "brief.toml", tmp_path / "brief.rlk"
    variant.write_text(OWN_VARIANTS[0])
    one = Person(browser, server.url).open("/replay")
    record.write_text(MISTAKE.replace('"classic"', '"brief"'))
    one.page.locator("input[type=file]").set_input_files([variant, record])
    one.page.get_by_role("button", name="Review").click()
    one.sees("There is no review of this game: the champion has not learned it.")
    assert one.errors == []
    one.close()


def test_the_page_of_the_command_fits_a_phone(browser: Browser, tmp_path: Path) -> None:
    """Names may be long; nothing is loaded."""
    record, path = tmp_path / "game.rlk", tmp_path / "review.html"
    names = "; ".join(f"Siebengebirgswanderinnenvereinsmitglied{number}" for number in range(1, 6))
    turns = "1. 56-1234 R11 - - - - / B10\n2. 34-1256 - - - - - / x\n"
    record.write_text(f'[Variant "classic"]\n[Players "{names}"]\n\n{turns}')
    assert command.run("review", record, "--html", path).returncode == 0
    context = browser.new_context(viewport={"width": PHONE["width"], "height": PHONE["height"]})
    page, requests = context.new_page(), []
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    page.locator("summary").click()
    assert page.evaluate("document.documentElement.scrollWidth") == PHONE["width"]
    assert requests == [path.as_uri()]
    context.close()


def test_a_puzzle_with_cards_fits_a_phone(browser: Browser, server: Server, tmp_path: Path) -> None:
    """The dialog cuts off nothing of the cards."""
    record = tmp_path / "cards.rlk"
    record.write_text(CARDS_MISTAKE)
    one = Person(browser, server.url, "de-DE").open("/replay?review")
    page = one.page
    page.locator("input[type=file]").set_input_files(record)
    page.locator("button[aria-haspopup=dialog]").first.click()
    dialog = page.get_by_role("dialog")
    frame = box_of(dialog)
    for part in (dialog.locator(".display li").first, dialog.locator(".discards button")):
        box = box_of(part)
        assert frame["x"] < box["x"]
        assert box["x"] + box["width"] < frame["x"] + frame["width"]
    assert one.errors == []
    one.close()


def test_a_hint_against_bots(browser: Browser, server: Server) -> None:
    """It is shown with reasons, and read out."""
    one = play_now(Person(browser, server.url))
    one.wait_to_decide()
    hint = one.page.get_by_role("button", name="Hint")
    hint.press("Enter")
    lines = one.page.get_by_role("list", name=re.compile("best options and your chance")).get_by_role("listitem")
    expect(lines.first).to_have_text(re.compile(r"^.+ \d+\.\d% .*(skips|misthrow|lock|open)"))
    expect(one.page.locator("[aria-live]")).to_contain_text(lines.first.locator("strong").inner_text())
    assert problems(one) == []
    hint.press("Enter")
    expect(lines).to_have_count(0)
    one.close()


def test_a_hint_covers_nothing_of_the_sheet(browser: Browser, server: Server) -> None:
    """On a phone so low that the page scrolls, the bar at the bottom covers some before; the hint shows all of it."""
    one = Person(browser, server.url, "de-DE", size={"width": 360, "height": 500})
    one.sit_down(server.create([None, "greedy"]), "Jo").wait_to_decide()
    sheet, bar = one.page.locator(".own-sheet"), one.page.locator(".action-bar")

    def covered() -> bool:
        return overlap(box_of(sheet), box_of(bar))

    assert covered()
    one.page.get_by_role("button", name="Tipp").click()
    expect(one.page.locator(".hint li").first).to_be_visible()
    one.wait_until(lambda: not covered())
    assert one.errors == []
    one.close()


def test_hints_with_other_people_are_for_tables_that_allow_them(browser: Browser, server: Server) -> None:
    """Everybody sees that in the lobby and at the table. The device makes the hint from its own view."""
    allowed, plain = server.create(2, "longo", hints=True), server.create(2)
    one = Person(browser, server.url).sit_down(allowed, "Jo")
    one.sees("Hints are allowed at this table.")
    server.join(allowed, "Mia")
    one.wait_for_table().wait_to_decide()
    expect(one.page.get_by_role("img", name="Hints are allowed at this table.")).to_be_visible()
    one.page.get_by_role("button", name="Hint").click()
    expect(one.page.locator(".action-bar li").first).to_have_text(re.compile(r"\d%"))
    assert one.errors == []
    one.sit_down(plain, "Jo")
    expect(one.page.get_by_text("Hints are allowed")).to_have_count(0)
    server.join(plain, "Mia")
    one.wait_for_table().wait_to_decide()
    expect(one.page.get_by_role("button", name="Hint")).to_have_count(0)
    one.close()


def test_a_hint_in_a_card_game_of_the_server(browser: Browser, server: Server) -> None:
    """The server sends the state that the player sees. Whoever of the two begins takes cards, which is a choice."""
    table = server.create(2, "cards+jokers", hints=True)
    one = Person(browser, server.url).sit_down(table, "Jo", "Mia").wait_for_table()
    one.page.get_by_role("button", name=re.compile("show my hand")).click()
    one.wait_to_decide()
    one.page.get_by_role("button", name="Hint").click()
    lines = one.page.get_by_role("list", name=re.compile("best options and your chance")).get_by_role("listitem")
    expect(lines.first).to_have_text(re.compile(r"^Take .*\d\.\d%"))
    assert one.errors == []
    one.close()


def test_a_hint_for_a_game_that_the_champion_has_not_learned(browser: Browser, server: Server) -> None:
    """It says why there is none, and the sheet stays as it is."""
    table = server.create([None, "greedy"], "brief", variant_file=OWN_VARIANTS[0])
    one = Person(browser, server.url).sit_down(table, "Jo")
    one.wait_to_decide()
    one.page.get_by_role("button", name="Hint").click()
    expect(one.page.locator(".hint")).to_have_text("There are no hints for this game: the champion has not learned it.")
    expect(one.page.locator(".own-sheet .hinted")).to_have_count(0)
    assert one.errors == []
    one.close()


def test_the_form_offers_hints_where_there_are_some(browser: Browser, server: Server, tmp_path: Path) -> None:
    """An own variant has none."""
    one = Person(browser, server.url).open("/new?game=cards")
    one.page.locator("summary").first.click()
    expect(one.page.get_by_label("Allow hints")).to_be_visible()
    file = tmp_path / "brief.toml"
    file.write_text(OWN_VARIANTS[0])
    one.page.locator("input[type=file]").set_input_files(file)
    expect(one.page.get_by_role("radio", name="Brief")).to_be_checked()
    expect(one.page.get_by_label("Allow hints")).to_have_count(0)
    one.close()
