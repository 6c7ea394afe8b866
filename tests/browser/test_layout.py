"""What has to be visible at once on small screens, and names of any length."""

import pytest
from playwright.sync_api import Browser, expect

from rowlock.locale import catalogue
from tests.browser.people import PHONE, Person, box_of, overlap
from tests.server.serving import Server

SMALL_PHONE = {"width": 360, "height": 640}
SIDEWAYS = {"width": 740, "height": 360}
ZOOMED = {"width": 640, "height": 360}  # 1280 x 720 at 200 %
DESKTOP = {"width": 1280, "height": 800}
LARGE = {"width": 1920, "height": 1080}
LANGUAGES = ["en-GB", "de-DE", "nl-NL"]

# Elements that are not visible as a whole: outside of the window, or with a corner below another element.
HIDDEN = """(selector) => [...document.querySelectorAll(selector)].filter((one) => {
  const {left, top, right, bottom} = one.getBoundingClientRect();
  if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return true;
  return [top + 3, bottom - 3].some((y) => {
    const seen = document.elementFromPoint((left + right) / 2, y);
    return !seen || !(one.contains(seen) || seen.contains(one));
  });
}).map((one) => one.outerHTML.slice(0, 80))"""


def hidden(person: Person, selector: str) -> list[str]:
    expect(person.page.locator(selector).first).to_be_attached()
    found: list[str] = person.page.evaluate(HIDDEN, selector)
    return found


def width(person: Person) -> int:
    found: int = person.page.evaluate("document.documentElement.scrollWidth")
    return found


@pytest.mark.parametrize("size", [SIDEWAYS, ZOOMED], ids=["sideways", "zoomed"])
def test_all_rows_and_the_action_are_visible_on_a_low_screen(
    browser: Browser, server: Server, size: dict[str, int]
) -> None:
    people = {language: Person(browser, server.url, language, size=size) for language in LANGUAGES}
    for variant, language, parts in (
        ("classic", "en-GB", ""),
        ("longo", "de-DE", ""),
        ("bonus-b", "nl-NL", ""),
        ("cards", "de-DE", ""),
        ("connected-a", "nl-NL", ", .play-area .steps"),
        ("x-change", "de-DE", ", .play-area .swap"),
        ("double-a", "nl-NL", ", .play-area .second"),
    ):
        low = people[language]
        low.sit_down(server.create([None, "greedy", "greedy"], variant), "Ann").wait_to_decide()
        if low.next == "cell":
            low.act()
        found = hidden(low, f".play-area .row, .tray, .actions .button, .actions .status{parts}")
        assert (variant, found, width(low)) == (variant, [], size["width"])
        for cell in low.page.locator(".play-area .cell").all()[::7]:
            assert box_of(cell)["width"] >= 24
    for low in people.values():
        assert low.errors == []
        low.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_colour_action_fits_a_low_screen(browser: Browser, server: Server, language: str) -> None:
    """Also with the button that takes the white decision back, and above it the request of another player."""
    low, other = (Person(browser, server.url, language, size=ZOOMED) for _ in range(2))
    table = server.create(2)
    low.sit_down(table, "Ann")
    other.sit_down(table, "Ben")
    for person in (low, other):
        person.wait_to_decide()
        person.page.locator(".actions .buttons .button").first.click()
    for person in (low, other):
        person.page.wait_for_selector(".take-back")
    if not low.is_deciding():
        low, other = other, low
    assert hidden(low, "header, .actions .button, .actions .status") == []
    other.page.locator(".take-back").press("Enter")
    low.page.wait_for_selector(".notice .button")
    assert hidden(low, ".notice, .notice .button, .actions .button") == []
    for person in (low, other):
        person.close()


def test_the_lobby_has_seats_and_link_side_by_side(browser: Browser, server: Server) -> None:
    """On a low screen the button to start is above the link, and hides no seat."""
    for size in (SIDEWAYS, DESKTOP):
        host = Person(browser, server.url, size=size).sit_down(server.create(2), "Ida")
        assert hidden(host, ".seat, .confirm .button") == []
        seat, code = (box_of(host.page.locator(selector).first) for selector in (".seat", ".code"))
        assert seat["x"] + seat["width"] < code["x"]
        assert width(host) == size["width"]
        host.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_invitation_is_in_sight_on_a_phone(browser: Browser, server: Server, language: str) -> None:
    """Above the button to start; the code is one line, whatever its letters are."""
    host = Person(browser, server.url, language, size=SMALL_PHONE).sit_down(server.create(4), "Ida")
    assert hidden(host, ".code, .invite .button, .confirm .button") == []
    code = host.page.locator(".code")
    code.locator("span").first.evaluate("(span) => { span.textContent = span.nextElementSibling.textContent = 'WMW' }")
    assert code.evaluate(
        "(code) => code.scrollWidth <= code.clientWidth && code.children[0].offsetTop === code.children[1].offsetTop"
    )
    host.close()


def test_names_of_games_fit_their_tiles(browser: Browser, server: Server) -> None:
    for size in (PHONE, SIDEWAYS, DESKTOP):
        one = Person(browser, server.url, "de-DE", size=size).open("/new")
        one.page.wait_for_selector(".game")
        tiles = one.page.locator(".game").evaluate_all(
            "(all) => all.filter((one) => one.scrollWidth > one.clientWidth).length"
        )
        assert (size, tiles, width(one)) == (size, 0, size["width"])
        one.close()


def test_results_errors_and_players_are_in_sight_on_a_low_screen(browser: Browser, server: Server) -> None:
    low = Person(browser, server.url, size=SIDEWAYS).sit_down(server.create([None, "greedy", "greedy"]), "Ann")
    low.wait_for_table().autoplay()
    low.wait_for_end()
    assert hidden(low, ".result .reason, .others .name") == []
    low.open("/t/ZZZZZZ").page.wait_for_selector("main svg")
    assert hidden(low, "main h1, main p, main .button.primary") == []
    low.open("/new").page.wait_for_selector(".game")
    game, seat = (box_of(low.page.locator(selector).first) for selector in (".game", ".seat"))
    assert game["x"] + game["width"] < seat["x"]
    assert hidden(low, ".seat select") == []
    low.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_of_the_sheet_is_cut_off_on_a_small_phone(browser: Browser, server: Server, language: str) -> None:
    """Even above the longest status line of the game."""
    kit = Person(browser, server.url, language, size=SMALL_PHONE)
    for variant, selector, status in (
        ("longo", ".lucky", "say.white-lucky"),
        ("bonus-a", ".bar", "say.colour-or-misthrow"),
        ("bonus-b", ".pairs li", "say.colour-or-misthrow"),
        ("connected-a", ".steps", "say.colour-or-misthrow"),
        ("x-change", ".play-area .swap", "say.white-swap"),
        ("double-a", ".play-area .second", "say.colour-or-misthrow"),
    ):
        for others in (1, 4):
            kit.sit_down(server.create([None, *["greedy"] * others], variant), "Kit").wait_to_decide()
            kit.status.evaluate("(status, text) => (status.textContent = text)", catalogue(language[:2])[status][0])
            found = hidden(kit, f".play-area .row, .misthrows, {selector}")
            assert (variant, others, found) == (variant, others, [])
    kit.close()


def test_long_names_fit_a_phone(browser: Browser, server: Server) -> None:
    """Forty wide letters, two people at one device; every page is as wide as the screen."""
    names = ["W" * 40, "M" * 40]
    one = Person(browser, server.url, size=SMALL_PHONE)
    one.sit_down(server.create(3, "cards"), *names)
    widths = [width(one)]
    one.page.get_by_role("button", name="Start").click()
    one.wait_to_decide()
    widths.append(width(one))
    one.page.get_by_role("button", name="Menu").click()
    widths.append(one.page.locator("dialog").evaluate("(dialog) => dialog.scrollWidth"))
    one.page.keyboard.press("Escape")
    one.autoplay()
    one.wait_for_end()
    widths.append(width(one))
    one.page.locator("a[href$='/replay']").click()
    one.page.wait_for_selector("input[type=range]")
    widths.append(width(one))
    one.open().page.wait_for_selector("h3")
    widths.append(width(one))
    assert max(widths) <= SMALL_PHONE["width"]
    one.close()


def test_a_long_heading_of_a_question_has_space_above_it(browser: Browser, server: Server) -> None:
    table = server.create(3)
    ida = Person(browser, server.url).sit_down(table, "Ida")
    server.join(table, "W" * 20)
    ida.page.get_by_role("button", name="Remove W").click()
    space, lines = ida.page.locator("dialog h2").evaluate(
        """(heading) => {
          const text = document.createRange();
          text.selectNodeContents(heading);
          const { top, height } = text.getBoundingClientRect();
          const lineHeight = parseFloat(getComputedStyle(heading).lineHeight);
          return [top - heading.closest('dialog').getBoundingClientRect().top, Math.round(height / lineHeight)];
        }"""
    )
    assert lines >= 2
    assert space >= 12
    ida.close()


@pytest.mark.parametrize("size", [PHONE, SIDEWAYS, DESKTOP], ids=["phone", "sideways", "desktop"])
def test_long_names_of_others_stay_in_their_column(browser: Browser, server: Server, size: dict[str, int]) -> None:
    one = Person(browser, server.url, size=size)
    for count in (1, 3, 4):
        table = server.create(count + 1)
        server.join(table, *(letter * 40 for letter in "WMQO"[:count]))
        one.sit_down(table, "Jo").wait_to_decide()
        sidebar, area = box_of(one.page.locator(".sidebar")), one.page.locator(".play-area .sheet, .tray").all()
        for card in one.page.locator(".others button").all():
            box = box_of(card)
            assert sidebar["x"] <= box["x"]
            assert box["x"] + box["width"] <= sidebar["x"] + sidebar["width"] + 1
            assert not any(overlap(box, box_of(part)) for part in area)
        assert width(one) == size["width"]
    one.close()


def test_a_large_screen_is_used(browser: Browser, server: Server) -> None:
    """Digits and dice grow with it, cells are not much higher than wide, and nothing is beside the only player."""
    one = Person(browser, server.url, size=LARGE)
    for others in ([], ["greedy"]):
        one.sit_down(server.create([None, *others]), "Ann").wait_to_decide()
        cell, die = (one.page.locator(selector).first for selector in (".play-area .face", ".tray .die"))
        assert float(cell.evaluate("(face) => parseFloat(getComputedStyle(face).fontSize)")) >= 44
        assert box_of(cell)["height"] <= 1.5 * box_of(cell)["width"]
        assert box_of(die)["width"] >= 75
        assert one.page.evaluate("document.documentElement.scrollHeight") == LARGE["height"]
        if others:
            continue
        expect(one.page.locator(".sidebar")).to_be_hidden()
        sheet = box_of(one.page.locator(".play-area .sheet"))
        assert abs(sheet["x"] + sheet["width"] / 2 - LARGE["width"] / 2) <= 1
    one.close()


@pytest.mark.parametrize("size", [PHONE, SMALL_PHONE, SIDEWAYS, DESKTOP], ids=["phone", "small", "sideways", "desktop"])
def test_a_notice_hides_nothing(browser: Browser, server: Server, size: dict[str, int]) -> None:
    for language in LANGUAGES:
        one = Person(browser, server.url, language, size=size)
        one.sit_down(server.create([None, "greedy", "greedy"]), "Ann").wait_to_decide()
        one.context.set_offline(True)
        one.page.wait_for_selector(".notice")
        assert hidden(one, "header, .others button, .play-area .row, .misthrows, .notice, .actions .status") == []
        assert hidden(one, ".actions .button") == []
        assert one.page.evaluate("document.documentElement.scrollHeight") == size["height"]
        one.close()


def test_what_the_menu_shows_is_in_sight(browser: Browser, server: Server) -> None:
    for size in (PHONE, SIDEWAYS):
        one = Person(browser, server.url, size=size).sit_down(server.create([None, "greedy"]), "Ann")
        one.wait_to_decide()
        one.page.get_by_role("button", name="Menu").click()
        one.page.get_by_role("button", name="Show the link").click()
        expect(one.page.locator("dialog svg[role=img]")).to_be_in_viewport(ratio=1)
        one.close()


def test_the_answers_to_a_rematch_are_side_by_side(browser: Browser, server: Server) -> None:
    """After a refusal the review comes first. Nothing more is needed for a lock."""
    one = Person(browser, server.url).sit_down(server.create([None, None, "greedy"]), "Jo", "Al").wait_for_table()
    expect(one.page.locator(".to-lock")).to_have_count(4)
    one.autoplay()
    one.wait_for_end()
    yes, no = (one.page.get_by_role("button", name=name) for name in ("Rematch", "No thanks"))
    assert box_of(yes)["y"] == box_of(no)["y"]
    expect(one.page.locator(".game-over .primary")).to_have_text("Rematch")
    no.click()
    expect(one.page.locator(".game-over .primary")).to_have_text("Review")
    expect(one.page.locator(".to-lock")).to_have_count(0)
    one.close()
