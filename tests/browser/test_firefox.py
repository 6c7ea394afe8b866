"""A smoke test in Firefox, where it is installed: home, a game on the device, a table on the server."""

from collections.abc import Iterator

import pytest

from tests.browser.firefox import Firefox, find_firefox, open_firefox
from tests.browser.people import AUTOPLAY
from tests.browser.test_offline import GAMES
from tests.server.serving import Server

FIRST_TURNS_OVER = "Number(/\\d+/.exec(document.querySelector('h1 span')?.textContent)) > 2"


@pytest.fixture(scope="module")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    program = find_firefox()
    if program is None:
        pytest.skip("no Firefox")
    with open_firefox(program, tmp_path_factory.mktemp("profile")) as running:
        yield running


def play_two_turns(firefox: Firefox) -> None:
    firefox.wait_for("document.querySelector('.table')")
    firefox.evaluate(f"({AUTOPLAY})()")
    firefox.wait_for(FIRST_TURNS_OVER)
    assert firefox.errors == []


def test_home(firefox: Firefox, server: Server) -> None:
    """The page shows all games, and is on the device after one visit."""
    firefox.open(server.url)
    firefox.wait_for(f"document.querySelectorAll('h3').length === {GAMES}")
    firefox.wait_for("navigator.serviceWorker.controller?.state === 'activated'")
    assert firefox.errors == []


def test_a_game_on_the_device(firefox: Firefox, server: Server) -> None:
    """With rowlock.wasm in a worker; a page that is loaded again finds the game in its storage."""
    firefox.open(server.url)
    firefox.tap(".start-button")
    firefox.wait_for("location.pathname === '/local'")
    play_two_turns(firefox)
    firefox.open(firefox.evaluate("location.href"))
    firefox.wait_for(FIRST_TURNS_OVER)
    assert firefox.errors == []


def test_a_table_on_the_server(firefox: Firefox, server: Server) -> None:
    firefox.open(f"{server.url}/t/{server.create([None, 'greedy'])}")
    firefox.fill("#name-0", "Anna")
    firefox.tap("form button[type=submit]")
    play_two_turns(firefox)
