"""The card games on phones: whole games, hidden cards, combining cards and marks."""

import json
import re
import time
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, WebSocket, WebSocketRoute, expect

from tests import command
from tests.browser.people import Person, box_of, overlap
from tests.server.serving import Server

CARD = re.compile(r"\b[rygbj](?:[2-9]|1[0-2])[rygb]?\b")

# All cards on the page: whether it is in the player's hand, and its colour, or `back` if it is seen from the back.
FACES = """() => [...document.querySelectorAll('.table .playing-card')].map((card) => [
  card.closest('.hand') !== null,
  ['R', 'Y', 'G', 'B', 'joker'].find((kind) => card.classList.contains(kind)) ?? 'back',
])"""


def record_views(person: Person) -> list[dict[str, Any]]:
    """A list to which every view that the page receives is added."""
    views: list[dict[str, Any]] = []

    def on_message(text: str | bytes) -> None:
        message = json.loads(text)
        if message["type"] == "view":
            views.append(message)

    def opened(socket: WebSocket) -> None:
        socket.on("framereceived", on_message)

    person.page.on("websocket", opened)
    return views


def leaked_cards(view: dict[str, Any]) -> list[str]:
    """Cards in a view of a running game that its receiver must not know."""
    if view["state"] != "running":
        return []
    position = {**view["position"], "cards": {**view["position"]["cards"], "discards": []}}
    log = [{**turn, "played": None} for turn in view["log"]]
    return CARD.findall(json.dumps({**view, "position": position, "log": log, "own": []}))


def test_two_people_play_a_whole_game(browser: Browser, server: Server, tmp_path: Path) -> None:
    table = server.create(2, "cards-mixx-a+jokers")
    anna, ben = (Person(browser, server.url, language) for language in ("en-GB", "de-DE"))
    guest = Person(browser, server.url)
    views_of = [record_views(person) for person in (anna, ben, guest)]
    for person, name in ((anna, "Anna"), (ben, "Ben")):
        person.sit_down(table, name)
    for person in (anna, ben, guest.watch(server, table)):
        person.wait_for_table()
    assert anna.page.locator("h1").inner_text().startswith("Card game on Mixx A with jokers")
    for person in (anna, ben):  # the first view may have been sent before the player had a seat
        expect(person.page.locator(".hand .back")).to_have_count(0)

    for _ in range(20):
        for person in (anna, ben):
            person.act()
        # The pile always shows the number on top and how many cards are in it.
        expect(guest.page.locator(".pile .number")).to_have_text(re.compile(r"^\d+$"))
        expect(guest.page.locator(".pile")).to_contain_text(re.compile(r"\d+ in pile"))
        for person in (anna, ben):  # players see the colours of their own hand only
            faces = person.page.evaluate(FACES)
            assert all(kind != "back" for in_hand, kind in faces if in_hand)
            assert all(kind == "back" for in_hand, kind in faces if not in_hand)
        assert all(kind == "back" for _, kind in guest.page.evaluate(FACES))
        assert anna.page.evaluate("document.documentElement.scrollWidth") <= 360
    assert server.ask(f"/api/tables/{table}/record").status == 409
    anna.page.reload()
    anna.wait_for_table()
    for person in (anna, ben):
        person.autoplay()
    for person in (anna, ben, guest):
        person.wait_for_end()
        assert person.errors == []

    for number, views in enumerate(views_of):
        assert len([view for view in views if view["state"] == "running"]) > 20
        assert [card for view in views for card in leaked_cards(view)] == []
        seats = {own["seat"] for view in views for own in view["own"] if view["state"] == "running"}
        assert len(seats) == (number < 2)

    with anna.page.expect_download() as downloading:
        anna.page.get_by_role("button", name="Download the record").click()
    record = tmp_path / "game.rlk"
    downloading.value.save_as(record)
    assert record.read_text().startswith('[Variant "cards-mixx-a"]\n')
    checked = command.run("replay", record)
    assert checked.returncode == 0, checked.stderr

    # The replay shows all hands.
    guest.page.get_by_role("link", name="Replay").click()
    expect(guest.page.locator(".hand")).to_have_count(2)
    expect(guest.page.locator(".hand .back")).to_have_count(0)
    expect(guest.page.locator(".controls")).to_contain_text("taking cards")
    anna.page.get_by_role("button", name="Rematch").click()
    ben.page.get_by_role("button", name="Revanche").click()
    for person in (anna, ben):
        person.page.wait_for_selector(".tray.cards")
    for person in (anna, ben, guest):
        person.close()


def option(cards: str, marks: str = "", locks: str = "") -> dict[str, object]:
    written = f"{cards} = {marks or 'x'}"
    return {
        "option": written + "#" if locks else written,
        "marks": marks.split(),
        "locks": list(locks),
        "lucky": False,
        "misthrow": not marks,
        "cards": cards.split(","),
    }


HAND = ["r2", "r4", "r6", "g9", "j7"]
# Of red 2, 4 and 6 neighbours can be marked together; the joker closes blue, and as red it marks nothing.
OPTIONS = [
    option("g9"),
    option("g9", "G9"),
    *(option(card, mark) for card in ("r2", "r4", "r6") for mark in ("", card.upper())),
    *(option("r2,r4", marks) for marks in ("", "R2", "R4", "R2 R4")),
    *(option("r2,r6", marks) for marks in ("", "R2", "R6")),
    *(option("r4,r6", marks) for marks in ("", "R4", "R6", "R4 R6")),
    *(option("r2,r4,r6", marks) for marks in ("", "R2", "R4", "R6", "R2 R4", "R4 R6")),
    option("j7r"),
    option("r2,j7r"),
    option("r2,j7r", "R2"),
    option("j7b"),
    option("j7b", "B2", locks="B"),
]


def replace_plays(person: Person) -> list[str]:
    """Show the page HAND and OPTIONS when cards are to be played; returns a list of the plays that it sends."""
    sent: list[str] = []

    def intercept(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            sent_message = json.loads(message)
            if sent_message["type"] == "decide" and sent_message["phase"] == "play":
                sent.append(sent_message["option"])
            else:
                to_server.send(message)

        def from_server(message: str | bytes) -> None:
            view = json.loads(message)
            if view["type"] == "view" and view["position"] and view["position"]["phase"] == "play":
                view["own"][0] |= {"options": OPTIONS, "hand": HAND}
            route.send(json.dumps(view))

        route.on_message(from_page)
        to_server.on_message(from_server)

    person.page.route_web_socket(re.compile("/api/socket"), intercept)
    return sent


def test_cards_and_marks_are_combined(browser: Browser, server: Server) -> None:
    zoe = Person(browser, server.url)
    sent = replace_plays(zoe)
    zoe.sit_down(server.create(1, "cards+jokers"), "Zoe").wait_for_table()
    page = zoe.page
    button = page.locator(".actions .wide")

    expect(button).to_have_text("Choose a card from the display")
    expect(button).to_have_attribute("aria-disabled", "true")
    zoe.act()
    expect(button).to_have_text(re.compile(r"Take \d+$"))

    # The second tap of a double tap is ignored.
    now = time.time()
    page.clock.set_fixed_time(now)
    button.click()
    announced = re.compile(r"^\d+ is announced: ")
    expect(zoe.status).to_have_text(announced)
    page.get_by_role("button", name="Pass").click()
    page.wait_for_timeout(300)
    expect(zoe.status).to_have_text(announced)
    page.clock.set_fixed_time(now + 1)
    page.get_by_role("button", name="Pass").click()
    expect(zoe.status).not_to_have_text(announced)
    page.clock.set_fixed_time(now + 2)

    def card(name: str) -> Any:
        return page.locator(".hand").get_by_role("button", name=re.compile(f"^{name}"))

    # The button shows what a misthrow costs; cards that do not fit the chosen one are labelled.
    card("green 9").click()
    expect(button).to_have_text("Play 1 card · Misthrow −5")
    place = box_of(button)
    button.click()
    expect(zoe.status).to_have_text("Really take a misthrow? It costs 5 points.")
    assert not overlap(place, box_of(page.get_by_role("button", name="Take the misthrow")))
    page.clock.set_fixed_time(now + 3)
    page.get_by_role("button", name="Cancel").click()
    page.clock.set_fixed_time(now + 4)
    expect(page.get_by_role("button", name="green 9, can be marked")).to_be_visible()
    expect(card("red 4")).to_have_accessible_name("red 4, does not go with the chosen ones")
    card("red 2").click()
    expect(card("green 9")).to_have_accessible_name("green 9, does not go with the chosen ones")
    card("red 4").click()
    card("red 6").click()

    # At most one number may be left out: 6 is blocked while 2 is chosen, and the status line says why.
    two, four, six = (
        page.get_by_role("button", name=re.compile(f"^red {number}, can be marked")) for number in (2, 4, 6)
    )
    two.click()
    expect(six).to_have_count(0)
    expected = "Chosen: red 2. Red 6 cannot come with it: only 1 number may be left out in between."
    expect(zoe.status).to_have_text(expected)
    expect(page.locator("[aria-live]")).to_have_text(expected.partition(". ")[2])
    four.click()
    expect(zoe.status).to_contain_text("Chosen: red 2 and red 4.")
    page.locator(".sheet").get_by_role("button", name="red 2, chosen").click()
    expect(six).to_be_visible()
    expect(button).to_have_text("Play 3 cards · 1 mark")

    # A joker needs a colour if several are possible, and takes the only possible one otherwise.
    for number in (6, 4):
        card(f"red {number}").click()
    card("joker 7").click()
    expect(card("joker 7")).to_have_attribute("aria-pressed", "true")
    expect(zoe.status).to_have_text("Red 2 and joker 7 as red: tap the cells you want to mark.")
    card("red 2").click()
    card("joker 7").click()
    card("joker 7").click()
    expect(zoe.status).to_have_text("Which colour is joker 7?")
    expect(button).to_have_text("Choose its colour")
    expect(button).to_have_attribute("aria-disabled", "true")
    page.get_by_role("group", name="Which colour").get_by_role("button", name="blue").click()

    # Locks are shown before the decision is confirmed; nothing is sent before.
    page.get_by_role("button", name="blue 2, can be marked").click()
    expect(zoe.status).to_have_text("Chosen: blue 2 and the blue lock.")
    expect(page.get_by_role("img", name="will be locked")).to_have_count(1)
    assert sent == []
    button.click()
    zoe.wait_until(lambda: sent)
    page.wait_for_timeout(300)
    assert sent == ["j7b = B2#"]
    zoe.close()


def test_hands_at_one_device_are_hidden_until_shown(browser: Browser, server: Server) -> None:
    pair = Person(browser, server.url).sit_down(server.create(2, "cards"), "Gus", "Hal").wait_for_table()
    seen = pair.page.locator(".hand .playing-card:not(.back)")
    cover = pair.page.get_by_role("button", name=re.compile("^Give the device to (Gus|Hal)"))
    expect(seen).to_have_count(0)
    expect(cover).to_have_count(0)  # who begins has the device
    pair.page.get_by_role("button", name=re.compile("show my hand")).click()
    expect(seen).to_have_count(4)
    pair.act()
    pair.act()  # cards are taken: the hand stays visible while the same player decides
    expect(seen).to_have_count(5)
    pair.decide()
    pair.decide()  # both players decide about the number; then the hand is hidden again
    expect(cover).to_be_visible()
    expect(seen).to_have_count(0)
    pair.autoplay()
    pair.wait_for_end()
    assert pair.errors == []
    pair.close()


def test_a_turn_by_keyboard_alone(browser: Browser, server: Server) -> None:
    lou = Person(browser, server.url, size={"width": 1280, "height": 800})
    lou.sit_down(server.create(1, "cards+jokers"), "Lou").wait_for_table()
    press = lou.page.keyboard.press
    keys = {
        "card": (r"^(red|yellow|green|blue|joker)? ?\d+, can be chosen$", "Space"),
        "joker": ("^red$", "Enter"),
        "cell": ("can be marked$", "Space"),
        "confirm": ("^(Take (?!back)|Mark |Play )", "Enter"),
        "ask": ("^Play ", "Enter"),
        "misthrow": ("^Take the misthrow", "Enter"),
        "pass": ("^Pass", "Enter"),
    }
    while "Turn 2" not in lou.page.locator("h1").inner_text():
        todo = lou.next
        if todo in keys:
            pattern, key = keys[todo]
            lou.tab_to(pattern)
            press(key)
        else:
            lou.page.wait_for_timeout(10)
    assert lou.errors == []
    lou.close()


def test_jokers_can_be_switched_on(browser: Browser, server: Server) -> None:
    ida = Person(browser, server.url).open("/new")
    ida.page.get_by_label("Card game on Mixx B").check()
    ida.page.get_by_label("With jokers").check()
    ida.page.get_by_label("Seat 2", exact=True).select_option(label="Level 3: Penny")
    ida.page.get_by_role("button", name="Open the table").click()
    ida.wait_for_table()
    expect(ida.page.locator("h1")).to_contain_text("Card game on Mixx B with jokers")
    assert ida.errors == []
    ida.close()
