"""What the people at a table agree on: who may see it, who hosts it, taking back, bots for others, a rematch."""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, WebSocketRoute, expect

from tests.browser.people import Person
from tests.server.serving import Server


@contextmanager
def people_at(browser: Browser, server: Server, table: str, *names: str, size: Any = None) -> Iterator[list[Person]]:
    """People with a device each who take seats; their pages must report no errors."""
    people = [Person(browser, server.url, size=size).sit_down(table, name) for name in names]
    yield people
    for person in people:
        assert person.errors == []
        person.close()


# Who may see the table


def test_a_running_game_needs_its_link(browser: Browser, server: Server) -> None:
    """The code is enough only before the start; the page says whom to ask, and goes on when the link is opened."""
    with people_at(browser, server, table := server.create(2), "Amy", "Bob") as (amy, _):
        amy.wait_for_table()
        amy.page.get_by_role("button", name="Menu").click()
        amy.page.get_by_role("button", name="Show the link").click()
        expect(amy.page.locator("dialog .address")).to_contain_text(f"/t/{table}#{server.invites[table]}")
        guest = Person(browser, server.url).open(f"/t/{table}")
        guest.sees("To watch, you need the link of the table: ask somebody who plays")
        guest.page.goto(f"{server.url}/t/{table}#{server.invites[table]}")  # only the fragment changes
        guest.wait_for_table()
        expect(guest.status).to_contain_text("You are watching.")
        guest.open(f"/t/{table}").wait_for_table()  # the secret of the link is kept on the device
        other = Person(browser, server.url).open()
        other.page.get_by_label("Join with a code").fill(f"http://my-server/t/{table}#{server.invites[table]}")
        other.page.get_by_label("Join with a code").press("Enter")
        other.wait_for_table()
        for person in (guest, other):
            assert person.errors == []
            person.close()


def test_spectators_review_replay_and_download_with_the_link(browser: Browser, server: Server, tmp_path: Path) -> None:
    table = server.create(["random", "random"])
    guest = Person(browser, server.url).watch(server, table)
    guest.wait_for_end()
    guest.page.get_by_role("link", name="Review").click()
    expect(guest.page.get_by_role("slider")).to_be_visible()
    expect(guest.page.get_by_role("row")).to_have_count(3)  # the players, below a line of headings
    with guest.page.expect_download() as downloading:
        guest.page.get_by_role("button", name="Download the record").click()
    assert downloading.value.suggested_filename == f"{table}.rlk"
    downloading.value.save_as(tmp_path / "record.rlk")
    assert (tmp_path / "record.rlk").read_text().startswith('[Variant "classic"]')
    stranger = Person(browser, server.url).open(f"/t/{table}/replay")
    stranger.sees("ask somebody who plays")
    for person in (guest, stranger):
        assert person.errors == []
        person.close()


def test_the_host_closes_the_table_to_others(browser: Browser, server: Server) -> None:
    with people_at(browser, server, table := server.create(3), "Cem", "Dot") as (cem, dot):
        open_to_others = cem.page.get_by_role("checkbox", name="Open to others")
        expect(open_to_others).to_be_checked()
        expect(dot.page.get_by_role("checkbox")).to_have_count(0)
        expect(dot.page.locator(".address")).to_be_visible()
        open_to_others.click()
        dot.sees("This table is closed to others: nobody else can join or watch.")
        for person in (cem, dot):
            expect(person.page.locator(".address")).to_have_count(0)  # the link would lead nowhere
        stranger = Person(browser, server.url).open(f"/t/{table}")
        stranger.sees("The host has closed this table to others.")
        open_to_others.click()
        expect(open_to_others).to_be_checked()
        stranger.page.get_by_role("button", name="Try again").click()
        expect(stranger.page.get_by_role("button", name="Take a seat")).to_be_visible()

        cem.page.get_by_role("button", name="Start without waiting").click()
        cem.wait_for_table()
        cem.page.get_by_role("button", name="Menu").click()
        about = cem.page.locator("dialog .switch .small")
        expect(about).to_have_text("Whoever has the link can watch.")
        cem.page.get_by_role("button", name="Show the link").click()
        expect(cem.page.locator("dialog .invite")).to_contain_text("Whoever has the link can watch.")
        open_to_others.click()
        expect(open_to_others).not_to_be_checked()
        expect(cem.page.locator("dialog .invite")).to_contain_text("This table is closed to others")
        stranger.page.reload()
        stranger.sees("The host has closed this table to others.")
        stranger.close()


def test_the_host_removes_somebody_from_the_lobby(browser: Browser, server: Server) -> None:
    with people_at(browser, server, server.create(3), "Eli", "Fay") as (eli, fay):
        for person in (eli, fay):
            expect(person.page.locator(".seat", has_text="host")).to_have_text(re.compile("Eli"))
        expect(fay.page.get_by_role("button", name=re.compile("Remove"))).to_have_count(0)
        remove, dialog = eli.page.get_by_role("button", name="Remove Fay"), eli.page.get_by_role("dialog")
        remove.click()
        expect(dialog).to_contain_text("Remove Fay from the table?")
        dialog.get_by_role("button", name="Cancel").click()
        expect(remove).to_be_focused()
        remove.click()
        dialog.get_by_role("button", name="Remove").click()
        fay.sees("You no longer have a seat at this table.")
        expect(remove).to_have_count(0)
        fay.sit_down_here("Fay")
        eli.page.get_by_role("button", name="Stand up").click()
        expect(fay.page.locator(".seat", has_text="host")).to_have_text(re.compile("Fay"))
        expect(eli.page.locator(".notice")).to_have_count(0)  # who stands up knows it


def test_a_changed_history_is_reported(browser: Browser, server: Server) -> None:
    """The server's hash of an event differs from the one that this device has seen; the warning stays."""
    changed = False

    def intercept(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_server(message: str | bytes) -> None:
            reply = json.loads(message)
            if changed and reply["type"] == "ack" and reply["hash"]:
                reply["hash"] = "0" * 64
            route.send(json.dumps(reply))

        to_server.on_message(from_server)

    gil = Person(browser, server.url)
    gil.page.route_web_socket(re.compile("/api/socket"), intercept)
    gil.sit_down(server.create(1), "Gil").wait_to_decide()
    warning = gil.page.get_by_text("The stored history of this table has been changed")
    gil.page.reload()
    gil.wait_to_decide()
    expect(warning).to_have_count(0)
    changed = True
    gil.page.reload()
    expect(warning).to_be_visible()
    changed = False
    gil.page.reload()
    expect(warning).to_be_visible()
    assert gil.errors == []
    gil.close()


# Taking back


def test_a_decision_is_taken_back_if_the_others_agree(browser: Browser, server: Server) -> None:
    with people_at(browser, server, server.create(2, pause=5), "Hal", "Ira") as (hal, ira):
        hal.decide()
        ira.decide()
        # Nobody has decided after the reveal; the white decisions can be taken back until the next roll.
        hal.page.get_by_role("button", name=re.compile("^Take back")).press("Enter")
        ira.sees(re.compile("Hal would like to take this back: "))
        expect(ira.page.locator("[aria-live]")).to_contain_text("Hal would like to take this back: ")
        hal.sees(re.compile("You asked to take this back: .* Waiting for Ira."))
        ira.page.get_by_role("button", name="Agree").click()
        expect(hal.status).to_contain_text("White sum")
        expect(ira.status).to_contain_text("Waiting for Hal.")
        hal.decide()
        expect(hal.page.get_by_role("button", name=re.compile("^Take back"))).to_be_visible()

        ira.page.get_by_role("button", name=re.compile("^Take back")).press("Enter")
        hal.page.get_by_role("button", name="No", exact=True).click()
        ira.sees("Not everybody agreed. The decision stands.")
        expect(hal.page.get_by_role("button", name="Agree")).to_have_count(0)


# The pause is short: the page itself takes the decision back and keeps what it has shown.
TAKE_BACK_IN_THE_PAUSE = """() => {
  const text = (selector) => document.querySelector(selector)?.innerText ?? '';
  const observer = new MutationObserver(() => {
    const button = document.querySelector('.take-back');
    if (!text('.status').startsWith('The next turn begins') || !button) return;
    observer.disconnect();
    window.ended = [text('h1'), text('.tray')];
    button.click();
  });
  observer.observe(document.body, {subtree: true, childList: true, characterData: true});
}"""


def test_the_turn_that_has_ended_stays_until_the_next_roll(browser: Browser, server: Server) -> None:
    """Its dice are not rolled again, and its last decision can be taken back; alone nobody has to agree."""
    jon = Person(browser, server.url).sit_down(server.create(1, pause=5), "Jon")
    jon.decide()
    expect(jon.status).to_contain_text(re.compile("colour|misthrow"))
    dice = jon.page.locator(".tray").inner_text()
    jon.page.evaluate(TAKE_BACK_IN_THE_PAUSE)
    jon.decide()
    jon.page.wait_for_function("() => window.ended")
    header, tray = jon.page.evaluate("window.ended")
    assert "Turn 1" in header
    assert tray == dice
    expect(jon.status).to_contain_text(re.compile("colour|misthrow"))
    assert jon.page.locator(".tray").inner_text() == dice
    jon.decide()
    expect(jon.page.locator("h1")).to_contain_text("Turn 2")
    assert jon.errors == []
    jon.close()


def test_the_pause_is_a_setting_of_the_table(browser: Browser, server: Server) -> None:
    for choice, pause in ((None, 1), ("No pause", 0)):
        kay = Person(browser, server.url).open("/new")  # the second seat is for somebody with the link
        if choice:
            kay.page.get_by_text("More", exact=True).click()
            kay.page.get_by_label("Pause before the next roll").select_option("0")
        with kay.page.expect_request("**/api/tables") as sent:
            kay.page.get_by_role("button", name="Open the table").click()
        assert (sent.value.post_data_json or {})["pause"] == pause
        expect(kay.page.locator(".address")).to_be_visible()
        assert kay.errors == []
        kay.close()


# Bots for others


def test_the_others_let_a_bot_play_for_somebody_who_does_not_decide(browser: Browser, tmp_path: Path) -> None:
    with Server(tmp_path, undecided_seconds=0) as server:
        table = server.create(3)
        lea, max_, noa = (Person(browser, server.url) for _ in range(3))
        for person in (lea, max_):
            person.page.clock.install()
        for person, name in ((lea, "Lea"), (max_, "Max"), (noa, "Noa")):
            person.sit_down(table, name)
        let_bot_play = re.compile("our best bot, play meanwhile")
        for person in (lea, max_):
            person.decide()
            expect(person.page.get_by_text("has not decided for a minute")).to_have_count(0)
        lea.page.clock.fast_forward("01:00")
        lea.sees("Noa has not decided for a minute.")
        lea.page.get_by_role("button", name=let_bot_play).click()
        lea.sees(re.compile(r"Lea would let .* play\. Waiting for Max\."))
        expect(lea.page.get_by_role("button", name=let_bot_play)).to_have_count(0)
        noa.sees(re.compile(r"Lea would let .* play in your place\. You can still decide yourself\."))
        max_.page.get_by_role("button", name=let_bot_play).click()
        noa.sees(re.compile("The others let .* play for you."))
        expect(noa.page.locator("[aria-live]")).to_contain_text("play for you.")
        noa.page.get_by_role("button", name="Take over again").click()
        expect(noa.page.get_by_text("play for you.")).to_have_count(0)
        for person in (lea, max_, noa):
            assert person.errors == []
            person.close()


# Rematch


def test_the_people_at_one_device_answer_a_rematch_together(browser: Browser, server: Server) -> None:
    table = server.create(3)
    pair = Person(browser, server.url).sit_down(table, "Ole", "Pam")
    ria = Person(browser, server.url).sit_down(table, "Ria")
    for person in (pair, ria):
        person.wait_for_table()
        person.autoplay()
    for person in (pair, ria):
        person.wait_for_end()
    pair.page.get_by_role("button", name="Rematch").click()
    ria.sees(re.compile(r"For a rematch: (Ole and Pam|Pam and Ole)\."))
    ria.page.get_by_role("button", name="No thanks").click()
    pair.page.wait_for_url(lambda url: table not in url)
    pair.wait_to_decide()
    expect(pair.page.get_by_role("group", name="At this device").get_by_role("button")).to_have_count(2)
    expect(ria.page.get_by_role("link", name="Watch the rematch")).to_be_visible()
    for person in (pair, ria):
        assert person.errors == []
        person.close()
