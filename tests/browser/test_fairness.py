"""The page gives shares of the chance, keeps what it was promised and shown, and says at the end what it has found."""

import json
import re
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from rowlock.server.client import Client
from tests.browser.people import Person
from tests.server.serving import Server, person

CHECKED = re.compile("All [0-9]+ (rolls|shuffles) follow from the secrets of all players|The cards follow from the")
WRONG = "Somebody has changed it."


def lie_to(one: Person, lie: Callable[[dict[str, Any]], None]) -> None:
    """Change the views that the server sends to the page."""

    def intercept(route: WebSocketRoute) -> None:
        to_server = route.connect_to_server()

        def from_server(message: str | bytes) -> None:
            reply = json.loads(message)
            if reply["type"] == "view":
                lie(reply)
            route.send(json.dumps(reply))

        to_server.on_message(from_server)

    one.page.route_web_socket(re.compile("/api/socket"), intercept)


class Robot:
    """A device that takes the first option; it does nothing for the start before it is `released`."""

    def __init__(self, server: Server, table: str, name: str) -> None:
        self.client = Client.join(f"{server.url}/{table}", {name: person("")["secret"]})
        self.released = Event()
        self.starting = Event()
        giver = self.client.share_giver
        commands = giver.commands

        def held(view: Any) -> Any:
            if view.start:
                self.starting.set()
                self.released.wait()
            return commands(view)

        giver.commands = held  # type: ignore[method-assign]
        self._thread = Thread(target=self._play, daemon=True)
        self._thread.start()

    def _play(self) -> None:
        for view in self.client.views():
            for own in view.own:
                if own.options:
                    self.client.decide(view, own.seat, own.options[0].option)

    def end(self) -> str:
        self._thread.join()
        return self.client.verify_chance()


def starts_of(page: Page) -> list[Any]:
    """The starts of all tables that the page has stored; an empty list while there are none that can be read."""
    starts: list[Any] = page.evaluate(
        """() => new Promise((resolve, reject) => {
          const opened = indexedDB.open('rowlock-shares');
          setTimeout(() => resolve([]), 5000); // Playwright itself would wait forever
          opened.onupgradeneeded = () => opened.transaction.abort(); // the page makes the database
          opened.onerror = () => resolve([]);
          opened.onsuccess = () => {
            try {
              const found = opened.result.transaction('starts').objectStore('starts').getAll();
              found.onerror = () => reject(found.error);
              found.onsuccess = () => resolve(found.result);
            } catch (error) {
              reject(error);
            } finally {
              opened.result.close();
            }
          };
        })"""
    )
    return starts


@pytest.mark.parametrize("variant", ["classic", "cards+jokers"])
def test_the_chance_of_a_game_and_of_its_rematch_is_checked(browser: Browser, server: Server, variant: str) -> None:
    anna = Person(browser, server.url).sit_down(server.create([None, "random"], variant), "Anna")
    for _ in range(2):
        anna.wait_for_table().autoplay()
        anna.wait_for_end()
        anna.sees(CHECKED)
        expect(anna.page.get_by_text("void")).to_have_count(0)
        table = anna.page.url
        anna.page.get_by_role("button", name="Rematch").click()
        expect(anna.page).not_to_have_url(table)
    assert anna.errors == []
    anna.close()


def other_dice(view: dict[str, Any]) -> None:
    if view["position"] and view["position"]["dice"] and view["position"]["turn"] == 2:
        dice = view["position"]["dice"]
        dice["white"][0] = dice["white"][0] % 6 + 1
        dice["roll"] = f"{dice['white'][0]}{dice['roll'][1:]}"


def other_top(view: dict[str, Any]) -> None:
    cards = view["position"] and view["position"]["cards"]
    if cards and cards["top"]:
        cards["top"] = cards["top"] % 12 + 1


def other_seed(view: dict[str, Any]) -> None:
    if view["start"]:
        view["start"]["commitment"] = "00" * 32


def other_commitment(view: dict[str, Any]) -> None:
    for seat in view["start"]["seats"] if view["start"] else []:
        if view["seats"][seat["seat"]]["name"] == "Ben" and seat["commitment"]:
            seat["commitment"] = "00" * 32


@pytest.mark.parametrize(
    ("variant", "lie"),
    [*[("classic", lie) for lie in (other_dice, other_seed, other_commitment)], ("cards+jokers", other_top)],
)
def test_what_the_server_has_shown_is_compared_with_the_record(
    browser: Browser, server: Server, variant: str, lie: Callable[[dict[str, Any]], None]
) -> None:
    """Another device at the table, to which nobody lies, finds nothing."""
    table = server.create(2, variant)
    anna = Person(browser, server.url)
    lie_to(anna, lie)
    anna.sit_down(table, "Anna")
    ben = Robot(server, table, "Ben")
    ben.released.set()
    anna.wait_for_table().autoplay()
    anna.wait_for_end()
    expect(anna.page.get_by_role("alert").filter(has_text=WRONG)).to_be_visible()
    anna.page.reload()
    expect(anna.page.get_by_role("alert").filter(has_text=WRONG)).to_be_visible()
    assert ben.end() == "checked"
    assert anna.errors == []
    anna.close()


def test_two_tabs_and_a_reload_make_one_share(browser: Browser, server: Server) -> None:
    """Tabs of a device get the same news at the same time; a page that is loaded again goes on with the same share."""
    table = server.create(2)
    anna = Person(browser, server.url).sit_down(table, "Anna")
    tabs = [anna.page, *(anna.context.new_page() for _ in range(2))]
    for tab in tabs[1:]:
        tab.goto(anna.page.url)
        expect(tab.get_by_role("button", name="Stand up")).to_be_visible()
    ben = Robot(server, table, "Ben")
    assert ben.starting.wait(60)
    [[before, *_]] = anna.wait_until(lambda: starts_of(anna.page))
    tabs[1].reload()
    ben.released.set()
    # On a very slow machine the start is void, and the next one has another share.
    anna.page.wait_for_selector(".table, .notice.warning")
    if anna.page.locator(".notice.warning").count():
        anna.page.get_by_role("button", name="Start").click()
    anna.wait_for_table().autoplay()
    for tab in tabs:
        tab.wait_for_selector(".table.over", timeout=180_000)
        expect(tab.get_by_text(CHECKED)).to_be_visible()
    [[after, *more]] = anna.wait_until(lambda: starts_of(anna.page))
    assert before["promised"] is None
    assert after["shares"] == before["shares"]
    assert list(before["shares"]) == ["Anna"]
    assert {one["name"] for one in (more or [after])[-1]["promised"]} == {"Anna", "Ben"}
    assert ben.end() == "checked"
    assert anna.errors == []
    anna.close()


def test_who_gave_no_share_is_told_so(browser: Browser, server: Server) -> None:
    """A device that has taken over a seat after the start has not given the share."""
    anna = Person(browser, server.url).sit_down(server.create([None, "random"]), "Anna").wait_for_table()
    other = Person(browser, server.url, storage=anna.context.storage_state())  # without IndexedDB
    other.page.goto(anna.page.url)
    anna.page.goto("about:blank")
    other.wait_for_table().autoplay()
    other.wait_for_end()
    other.sees("None of them is from this device, so it cannot tell whether somebody chose them.")
    assert other.errors == []
    for one in (anna, other):
        one.close()


def test_the_lobby_names_devices_that_give_no_share(browser: Browser, server: Server) -> None:
    table = server.create(3)
    server.join(table, "Lin")  # without a share
    anna = Person(browser, server.url).sit_down(table, "Anna")
    expect(anna.page.get_by_text("The device of Lin does not help.")).to_be_visible()
    anna.close()


def test_void_starts_are_counted_in_the_lobby(browser: Browser, server: Server) -> None:
    def void(view: dict[str, Any]) -> None:
        view.update(void_starts=2, voided=[1])

    table = server.create(3)
    server.join(table, "Anna", "Ben")
    cem = Person(browser, server.url)
    lie_to(cem, void)
    cem.open(f"/t/{table}")
    notice = cem.page.get_by_role("alert")
    expect(notice).to_contain_text("the device of Ben did not answer.")
    expect(notice).to_contain_text("2 starts of this table were void.")
    assert cem.errors == []
    cem.close()
