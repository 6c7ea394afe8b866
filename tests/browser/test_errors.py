"""Errors are reported in plain words, and the page recovers by itself where it can."""

import json
import re
from pathlib import Path

from playwright.sync_api import Browser, Route, WebSocketRoute, expect

from rowlock import Game
from tests.browser.people import Person
from tests.server.serving import Server

BROKEN = '[Variant "classic"]\n[Players "Anna; Ben"]\n\n1. 41-3256 R7 - / x\n'
WHOLE = '[Variant "longo"]\n[Players "Anna; Ben"]\n[Lucky "5/8; 6/11"]\n\n1. 41-3256 R5 - / -\n'


def test_bad_links(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).open("/t/ZZZZZZ")
    one.sees("There is no such table.")
    for path in ("/no/such/page", "/t/%E0%A4%A"):
        one.open(path)
        one.sees("This page does not exist.")
    one.open(f"/t/{server.create(2)}#take=NONSENSE")
    one.sees("This code does not work any more.")
    one.close()


def test_a_full_table_and_a_finished_one(browser: Browser, server: Server) -> None:
    table = server.create(["random", "random"])
    late = Person(browser, server.url).watch(server, table)
    late.wait_for_end()
    expect(late.page.get_by_role("heading", name=re.compile("wins|share the win"))).to_be_visible()
    assert late.page.get_by_role("button", name="Rematch").count() == 0

    started = server.create(2)
    server.join(started, "Ola", "Pia")
    late.watch(server, started)
    expect(late.status).to_contain_text("You are watching.")
    late.close()


def test_a_name_that_is_taken(browser: Browser, server: Server) -> None:
    table = server.create(3)
    server.join(table, "Quin")
    other = Person(browser, server.url).open(f"/t/{table}")
    other.page.locator("#name-0").fill("Quin")
    other.page.locator("form button[type=submit]").click()
    other.sees("Quin sits here already.")
    other.close()


def test_a_name_twice_at_one_device(browser: Browser, server: Server) -> None:
    """It is refused before a table or a seat is requested."""
    one = Person(browser, server.url).open("/new")
    requests: list[str] = []
    one.page.on("request", lambda request: requests.append(request.method))
    for place, name in enumerate(("Quin", "Quin ")):
        one.page.get_by_label(f"Seat {place + 1}", exact=True).select_option("here")
        one.page.get_by_label(f"Name on seat {place + 1}").fill(name)
    one.page.get_by_role("button", name="Open the table").click()
    one.sees("Quin sits here already.")
    assert "POST" not in requests

    one.sit_down(server.create(3), "Quin")
    one.page.get_by_role("button", name="Another person at this device").click()
    one.page.get_by_label("Their name").fill("Quin")
    one.page.get_by_role("button", name="Take a seat").click()
    one.sees("Quin sits here already.")
    one.close()


def test_a_bot_that_cannot_play_gives_way(browser: Browser, server: Server) -> None:
    """Another game or another number of players chooses a bot that can, and says so."""
    able = {"champion": {"classic": [2], "longo": [2, 3]}}
    bots = {"bots": ["eager", "greedy"], "only": able, "levels": {"eager": 1, "greedy": 3, "champion": 5}}
    one = Person(browser, server.url)
    one.page.route("**/api/bots", lambda route: route.fulfill(json=bots))
    one.open("/new")
    seat = one.page.get_by_label("Seat 2", exact=True)
    seat.select_option("champion")
    one.page.locator("input[value='longo']").check()
    expect(seat).to_have_value("champion")
    one.page.locator("input[value='mixx-a']").check()
    one.sees("Nova cannot play that; Penny sits here instead.")
    expect(seat).to_have_value("greedy")
    seat.select_option("eager")
    expect(one.page.get_by_text("cannot play that")).to_have_count(0)
    one.page.locator("input[value='classic']").check()
    seat.select_option("champion")
    one.page.get_by_role("button", name="One more seat").click()
    expect(seat).to_have_value("greedy")
    one.page.get_by_role("button", name="Take seat 3 away").click()
    one.page.get_by_role("button", name="Open the table").click()
    one.wait_for_table()
    assert one.errors == []
    one.close()


def test_a_lost_answer_is_requested_again(browser: Browser, server: Server) -> None:
    """The server gave the seat, its answer was lost: the page sends the same secret again."""
    table = server.create(2)
    one = Person(browser, server.url).open(f"/t/{table}")
    lost: list[str] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch().text())
            route.abort()

    one.page.route("**/seats", lose)
    one.page.locator("#name-0").fill("Tom")
    one.page.locator("form button[type=submit]").click()
    one.page.wait_for_selector("form", state="detached")
    assert "Tom" in lost[0]
    assert [seat["name"] for seat in server.ask(f"/api/tables/{table}").json["seats"]] == ["Tom", None]
    one.close()


def test_a_request_without_answer_is_repeated_after_a_reload(browser: Browser, server: Server) -> None:
    """The server gave the last seat, and the game waits for this device: the page gets the seat after a reload."""
    table = server.create(2)
    server.join(table, "Uli")
    tom = Person(browser, server.url).open(f"/t/{table}")
    tom.page.route("**/seats", _lose)
    tom.page.locator("#name-0").fill("Tom")
    tom.page.locator("form button[type=submit]").click()
    tom.sees("All seats are taken")
    tom.page.unroute("**/seats")
    tom.page.reload()
    tom.wait_to_decide()
    assert tom.errors == []
    tom.close()


def test_a_handover_without_answer_is_repeated_after_a_reload(browser: Browser, server: Server) -> None:
    """Only this device has the secret of the seat now, so it sends it again."""
    table = server.create(1)
    (secret,) = server.join(table, "Vera")
    code = server.ask(f"/api/tables/{table}/handover", {"secret": secret}).json["handover"]
    vera = Person(browser, server.url)
    vera.page.route("**/claim", _lose)
    vera.open(f"/t/{table}#take={code}")
    vera.sees("The server cannot be reached right now.")
    vera.page.unroute("**/claim")
    vera.page.reload()
    vera.wait_to_decide()
    assert vera.page.url == f"{server.url}/t/{table}"
    vera.close()


def _lose(route: Route) -> None:
    route.fetch()
    route.abort()


def test_a_seat_that_is_refused_once_is_not_lost(browser: Browser, server: Server) -> None:
    """A server that has not heard of the seat refuses its secret; the page keeps it and asks again."""
    refusing = True

    def intercept(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_page(message: str | bytes) -> None:
            decoded = json.loads(message)
            if decoded["type"] == "hello" and decoded["secrets"] and refusing:
                route.send(json.dumps({"type": "error", "code": "secret", "values": {}, "id": decoded["id"]}))
            else:
                to_server.send(message)

        route.on_message(from_page)

    wes = Person(browser, server.url)
    wes.page.route_web_socket(re.compile("/api/socket"), intercept)
    wes.open(f"/t/{server.create(1)}")
    wes.page.locator("#name-0").fill("Wes")
    wes.page.locator("form button[type=submit]").click()
    wes.sees("The seat is kept here, and we ask again.")
    refusing = False
    wes.wait_to_decide()
    expect(wes.page.locator(".notice")).to_have_count(0)
    assert wes.errors == []
    wes.close()


def test_codes_are_accepted_in_every_spelling(browser: Browser, server: Server) -> None:
    table = server.create(2)
    one = Person(browser, server.url)
    for typed in (f"{table[:3]}-{table[3:]}", f" {table[:3]} {table[3:].lower()} ", f"http://my-server/t/{table}"):
        one.open()
        one.page.get_by_label("Join with a code").fill(typed)
        one.page.get_by_label("Join with a code").press("Enter")
        one.page.wait_for_url(f"**/t/{table}")
    one.close()


def test_a_mistyped_code_is_reported_at_its_field(browser: Browser, server: Server) -> None:
    one = Person(browser, server.url).open()
    field = one.page.get_by_label("Join with a code")
    for typed in ("ZZZZZZ", "???", ""):
        field.fill(typed)
        field.press("Enter")
        one.sees("There is no table with this code.")
        expect(field).to_be_focused()
        expect(field).to_have_attribute("aria-invalid", "true")
        expect(field).to_have_accessible_description(re.compile("There is no table with this code"))
        assert one.page.url == f"{server.url}/"
        field.fill("A")
        expect(one.page.locator(".notice:visible")).to_have_count(0)
    one.page.route("**/api/tables/*", lambda route: route.abort())
    field.press("Enter")
    one.sees("The server cannot be reached right now.")
    assert one.errors == []
    one.close()


def test_players_choose_a_free_seat(browser: Browser, server: Server) -> None:
    table = server.create(3)
    tom = Person(browser, server.url).open(f"/t/{table}")
    eve = Person(browser, server.url).open(f"/t/{table}")
    for person in (tom, eve):
        person.page.get_by_label("Free seat 2").check()
    tom.sit_down_here("Tom")
    expect(eve.page.get_by_label("Free seat 1")).to_be_checked()  # the chosen seat was taken
    eve.page.get_by_label("Free seat 3").check()
    eve.sit_down_here("Eve")
    expect(tom.page.locator(".seat")).to_have_text([re.compile("Free seat"), re.compile("Tom"), re.compile("Eve")])
    for person in (tom, eve):
        assert person.errors == []
        person.close()


def test_a_server_that_restarts(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path) as server:
        table = server.create(2)
        rob, sue = (Person(browser, server.url).sit_down(table, name) for name in ("Rob", "Sue"))
        for person in (rob, sue):
            person.wait_to_decide()  # their seats are saved by then
        server.stop()
        rob.sees("No connection right now.")
        rob.decide()  # while the server is down
        server.start()
        for person in (rob, sue):
            expect(person.page.locator(".notice")).to_have_count(0)
        expect(sue.page.get_by_role("button", name=re.compile("Rob .*has decided"))).to_be_visible()
        for person in (rob, sue):
            person.autoplay()
        for person in (rob, sue):
            person.wait_for_end()
            assert person.errors == []
            person.close()


def test_an_outdated_client_reloads_once(browser: Browser, server: Server) -> None:
    """It reloads itself once, and reports it if that does not help."""
    table = server.create(2)
    old = Person(browser, server.url)
    old.page.add_init_script(
        "const send = WebSocket.prototype.send;"
        "WebSocket.prototype.send = function (text) { send.call(this, text.replace('\"version\":2', '\"version\":1')) }"
    )
    loads: list[str] = []
    old.page.on("request", lambda request: loads.append(request.url) if request.is_navigation_request() else None)
    old.open(f"/t/{table}")
    old.sees("This page is older than the server. Please reload it.")
    assert len(loads) == 2
    old.close()


def test_valid_and_broken_records_can_be_opened(browser: Browser, server: Server, tmp_path: Path) -> None:
    (tmp_path / "broken.rlk").write_text(BROKEN)
    (tmp_path / "empty.rlk").write_text("; nothing yet\n")
    (tmp_path / "whole.rlk").write_text(WHOLE + "\n" + WHOLE.replace("Anna", "Tia"))
    reader = Person(browser, server.url, "de-DE").open("/replay")
    reader.page.locator("input[type=file]").set_input_files(tmp_path / "broken.rlk")
    reader.sees("broken.rlk: Zeile 4 stimmt nicht: diese Zahl ist weder gewürfelt noch angesagt.")
    reader.sees("1. 41-3256 R7 - / x")
    reader.page.get_by_label("Gespeichertes Spiel öffnen").set_input_files(tmp_path / "empty.rlk")
    reader.sees("empty.rlk: In dieser Datei ist kein Spiel.")
    reader.page.locator("input[type=file]").set_input_files(tmp_path / "whole.rlk")
    expect(reader.page.get_by_role("heading", name="Anna")).to_be_visible()
    reader.page.get_by_role("slider").press("End")
    expect(reader.page.locator("[role=img][aria-label='Rot 5, angekreuzt']")).to_have_count(1)
    reader.page.get_by_label("Welches Spiel").select_option("1")
    expect(reader.page.get_by_role("heading", name="Tia")).to_be_visible()
    reader.close()


def test_long_record_files_are_sent_game_by_game(browser: Browser, server: Server, tmp_path: Path) -> None:
    """A file may have any length; only a single game can be too long."""
    games = [_played(f"Anna {number}", "Ben") for number in (1, 2)] * 500
    games[700] = games[700].replace("\n3. ", "\n4. ")
    text = "; a long evening\n" + "\n".join(games) + "; " + "x" * 300_000
    wrong = text.split("\n").index("4. " + games[0].partition("\n3. ")[2].partition("\n")[0]) + 1
    (tmp_path / "long.rlk").write_text(text)
    reader = Person(browser, server.url).open("/replay")
    reader.page.locator("input[type=file]").set_input_files(tmp_path / "long.rlk")
    which = reader.page.get_by_label("Which game")
    expect(which.locator("option")).to_have_count(1000)
    expect(which.locator("option").nth(501)).to_have_text("502. Anna 2, Ben")
    for index, name in ((0, "Anna 1"), (501, "Anna 2")):
        which.select_option(str(index))
        expect(reader.page.get_by_role("heading", name=name)).to_be_visible()
    reader.page.get_by_role("slider").press("End")
    expect(reader.page.locator(".controls")).to_contain_text("over")
    which.select_option("700")
    reader.sees(f"long.rlk: Line {wrong} is not right: the turns are not numbered one after the other.")
    which.select_option("999")
    reader.sees("long.rlk: That is too much at once; 65536 bytes are the most.")
    which.select_option("998")
    expect(reader.page.get_by_role("heading", name="Anna 1")).to_be_visible()
    expect(reader.page.locator(".notice")).to_have_count(0)
    assert reader.errors == []
    reader.close()


def _played(*players: str) -> str:
    """The record of a whole game."""
    game = Game("classic", players=list(players), seed=1)
    while not game.over:
        game.roll()
        while game.to_act:
            game.play(game.to_act[0], game.options(game.to_act[0])[-1])
    return game.record()


def test_a_bot_can_play_for_an_absent_player(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path, absent_seconds=0.5) as server:
        table = server.create(2)
        uma = Person(browser, server.url).sit_down(table, "Uma")
        vic = Person(browser, server.url).sit_down(table, "Vic").wait_for_table()
        storage = vic.context.storage_state()
        vic.close()
        uma.decide()  # the offer is shown to players who wait
        uma.page.get_by_role("button", name=re.compile("our best bot, play meanwhile")).click()
        uma.sees(re.compile("plays for now"))
        vic = Person(browser, server.url, storage=storage).open(f"/t/{table}").wait_for_table()
        expect(uma.page.get_by_text("plays for now")).to_have_count(0)
        for person in (uma, vic):
            person.close()


def test_a_player_who_is_too_late_passes(browser: Browser, server: Server) -> None:
    """With a time limit the clock is shown."""
    slow = Person(browser, server.url).sit_down(server.create(1, seconds=5), "Wim").wait_for_table()
    expect(slow.page.get_by_role("timer")).to_be_visible()
    expect(slow.page.locator(".status")).to_contain_text("coloured")
    slow.close()
