"""A tap on what cannot be marked says why: by the server, on the device, by keyboard, for every obstacle."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Browser, WebSocketRoute, expect

from rowlock.rules.obstacles import OBSTACLES
from tests.browser.people import Person
from tests.browser.test_accessibility import problems
from tests.server.serving import Server

# What is read in English after a tap on red 5 by Zoe, who plays against Penny.
TEXTS: dict[str, tuple[dict[str, object], str]] = {
    "over": ({}, "The game is over."),
    "roll": ({}, "The next turn has not begun yet."),
    "turn": ({"player": 1}, "Penny is choosing now; wait for your turn."),
    "decided": ({}, "You have decided. Take it back to choose again."),
    "take": ({}, "First take cards from the display."),
    "marked": ({}, "Red 5 is marked already."),
    "second-marked": ({}, "Red 5 is marked twice already."),
    "closed": ({"row": "R", "players": [1]}, "The red row was closed by Penny."),
    "left": ({"cell": "R7"}, "Red 5 is left of red 7, your last mark in this row."),
    "not-rightmost": ({"cell": "R7"}, "Its second box is gone: red 7 is your last mark in this row."),
    "swap-used": ({}, "You have used this swap field."),
    "swap-left": ({"field": "9/7"}, "It is left of 9/7, which you have used."),
    "swap-colour": ({}, "Swap fields work with the white dice only."),
    "swap-sum": ({"number": 6}, "This swap field does not show the white sum 6."),
    "swap-number": ({"number": 4}, "With this swap field you mark a 4."),
    "swap-none": ({"number": 4}, "You cannot mark a 4 in any row."),
    "no-card": ({"colour": "R", "number": 5}, "You do not hold red 5."),
    "card": ({"card": "j5"}, "First choose joker 5 from your hand."),
    "played-as": ({"colour": "Y"}, "The cards you chose count as yellow."),
    "needed": ({"needed": 5, "marks": 3}, "Red 5 needs 5 marks in its row before it, you have 3."),
    "gap": ({"count": 2, "allowed": 1}, "Only 1 number may be left out in between."),
    "together": ({}, "It does not go together with the other marks."),
    "beside": ({}, "First a 5 beside this field must be marked."),
    "lucky-row": ({"number": 8}, "Lucky number 8: only in a row with your fewest marks."),
    "lucky-next": ({"number": 8, "cell": "R3"}, "Lucky number 8: only the next cell, red 3."),
    "sum": ({"number": 8}, "Red 5 does not fit this roll: the white sum is 8."),
    "announced": ({"number": 8}, "Red 5 does not fit now: the announced number is 8."),
    "colour-sum": ({"colour": "R", "low": 6, "high": 9}, "Red 5 does not fit this roll: the red sums are 6 and 9."),
    "die-gone": ({"colour": "R"}, "The red die has left the game."),
    "field-sum": ({"colour": "R", "other": "Y"}, "No sum of red and yellow is 5."),
    "beside-colour": ({}, "No 5 beside this field is marked in the colour that makes 5."),
}


def test_every_obstacle_has_a_text() -> None:
    assert list(TEXTS) == [name for name, _ in OBSTACLES]


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL"])
def test_every_obstacle_is_said_in_every_language(browser: Browser, server: Server, language: str) -> None:
    """The answers are made up here, in a situation in which no cell can be marked."""
    answers = [(name, values) for name, (values, _) in TEXTS.items()]
    others: list[int] = []

    def intercept(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            asked: dict[str, Any] = json.loads(message)
            if asked["type"] != "why":
                to_server.send(message)
                return
            name, values = answers.pop(0)
            values = {key: {"player": others[0], "players": others}.get(key, value) for key, value in values.items()}
            reply = {"type": "obstacle", "id": asked["id"], "table": asked["table"], "obstacle": name, "values": values}
            route.send(json.dumps(reply))

        def from_server(message: str | bytes) -> None:
            reply = json.loads(message)
            if reply["type"] == "view" and reply["position"]:
                others[:] = [1 - reply["own"][0]["seat"]]
                reply["own"][0]["options"] = [{"option": "-", "marks": []}]
            route.send(json.dumps(reply))

        route.on_message(from_page)
        to_server.on_message(from_server)

    zoe = Person(browser, server.url, language)
    zoe.page.route_web_socket(re.compile("/api/socket"), intercept)
    zoe.sit_down(server.create([None, "greedy"]), "Zoe").wait_to_decide()
    cell, why = zoe.page.locator(".own-sheet .cell").nth(3), zoe.page.locator(".why")
    read = ""
    for _, text in TEXTS.values():
        cell.click(force=True)
        expect(why).not_to_have_text(read)
        read = why.inner_text()
        assert read == text or language != "en-GB"
        assert re.fullmatch(r"[A-Z][^{}]+\.", read)
    assert answers == []
    assert zoe.errors == []
    zoe.close()


def test_the_line_says_what_the_dice_show(browser: Browser, server: Server) -> None:
    """A tap asks the server; the answer is read out, moves nothing, and is gone with the next choice."""
    zoe = Person(browser, server.url).sit_down(server.create(1), "Zoe")
    page = zoe.page
    zoe.wait_to_decide()
    why = page.get_by_role("status").and_(page.locator(".why"))
    white_sum = zoe.status.inner_text().removeprefix("White sum ").partition(":")[0]
    other = "2" if white_sum == "12" else "12"
    before = page.locator(".actions").bounding_box()
    page.get_by_role("button", name=f"green {other}, free").click(force=True)
    expected = (
        "Green 2 needs 5 marks in its row before it, you have 0."
        if other == "2"
        else f"Green 12 does not fit this roll: the white sum is {white_sum}."
    )
    expect(why).to_have_text(expected)
    assert page.locator(".actions").bounding_box() == before
    assert problems(zoe) == []
    page.locator(".own-sheet .cell.selectable").first.click()
    expect(why).to_have_text("")
    zoe.close()


def test_the_line_by_keyboard_without_a_connection(browser: Browser, server: Server) -> None:
    """The Tab key reaches what can be marked, arrow keys every cell; the device itself answers."""
    zoe = Person(browser, server.url).open()
    page = zoe.page
    page.get_by_role("button", name=re.compile("Play now")).press("Enter")
    zoe.wait_for_table().wait_to_decide()
    page.wait_for_load_state("networkidle")  # texts are loaded ahead
    zoe.context.set_offline(True)
    zoe.tab_to("can be marked$")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowDown")
    for _ in range(11):
        page.keyboard.press("ArrowRight")
    focused = page.locator(":focus")
    expect(focused).to_have_attribute("aria-label", re.compile("(red|yellow) 12, |(green|blue) 2, "))
    expect(focused).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    expect(page.locator(".why")).to_have_text(re.compile("^.* needs 5 marks in its row before it, you have 0.$"))
    assert zoe.errors == []
    zoe.close()


@pytest.mark.parametrize("language", ["en-GB", "de-DE", "nl-NL"])
def test_points_and_missing_marks_fit_a_phone(browser: Browser, server: Server, language: str) -> None:
    """The points for every number of marks, and how many marks each lock still needs, are not cut off."""
    zoe = Person(browser, server.url, language)
    cut = """() => [...document.querySelectorAll('.own-sheet .to-lock, .scale > span')].filter((one) => {
      const {left, right} = one.getBoundingClientRect();
      const frame = one.closest('.row, .scale').getBoundingClientRect();
      return one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== 'inline'
        || left < frame.left || right > frame.right + 0.5;
    }).map((one) => one.textContent)"""
    for variant, most, needed in (("classic", 12, 5), ("longo", 15, 6), ("double-a", 16, 7), ("big-points", 15, 5)):
        zoe.sit_down(server.create(1, variant), "Zoe").wait_to_decide()
        expect(zoe.page.locator(".scale > span")).to_have_count(most)
        expect(zoe.page.locator(".own-sheet .to-lock")).to_contain_text([str(needed)] * 4)
        assert (variant, zoe.page.evaluate(cut)) == (variant, [])
    zoe.close()
