"""Clients other than the browser: the terminal, a bot that joins, the example client."""

import asyncio
import importlib.util
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from secrets import token_hex
from threading import Thread
from typing import Any

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response
from websockets.sync.client import connect

from rowlock import parse
from rowlock.bots import find_bot
from rowlock.server import client, protocol
from rowlock.server.client import ServerError, split_address
from rowlock.terminal.join import play_bot
from rowlock.terminal.screen import TerminalScreen, make_console
from tests.server.playing import Device
from tests.server.serving import Server, person

EXAMPLE = Path(__file__).parents[2] / "examples" / "client.py"


def _example() -> Any:
    spec = importlib.util.spec_from_file_location("example_client", EXAMPLE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
def test_the_example_client_plays_a_whole_game(server: Server) -> None:
    result = _example().play(server.url)
    assert result["reason"] in ("rows", "misthrows")
    assert len(result["scores"]) == 2


def test_the_example_client_is_short() -> None:
    lines = [line for line in EXAMPLE.read_text().splitlines() if line.strip()]
    assert len(lines) <= 50


def _play_random_bot(server: str, table: str) -> None:
    player = client.Client.join(f"{server}/{table}", {"Bot": token_hex(32)})
    play_bot(find_bot("random"), player, TerminalScreen(make_console()))


def _is_newer(seq: int, view: dict[str, Any]) -> bool:
    return int(view["seq"]) > seq


async def _play_with_takeback(device: Device) -> None:
    """Play a game; once, take back a white decision after the other player has made the colour decision."""
    await device.open()
    seq, taken_back = -1, False
    while (view := await device.until_view(partial(_is_newer, seq)))["state"] != "over":
        seq, position, own = view["seq"], view["position"], view["own"][0]
        if own["options"]:
            where = {"turn": position["turn"], "phase": position["phase"]}
            await device.command(type="decide", seat=own["seat"], option=own["options"][0]["option"], **where)
        elif not taken_back and position and position["phase"] == "roll" and own["takeback"] == ["white"]:
            answer = await device.command(type="takeback", seat=own["seat"], turn=len(view["log"]), phase="white")
            taken_back = answer["type"] == "ack"  # refused if the next roll has come first
    await device.close()
    assert taken_back


@pytest.mark.parametrize("play", [_play_random_bot, lambda *there: _example().play(*there)], ids=["bot", "example"])
def test_a_program_agrees_to_a_take_back_and_decides_again(server: Server, play: Callable[[str, str], object]) -> None:
    table = server.create(2, pause=1)
    (secret,) = server.join(table, "Anna")
    Thread(target=play, args=(server.url, table), daemon=True).start()
    asyncio.run(_play_with_takeback(Device(server, table, [secret])))


def _join(server: Server, table: str, *options: str, typed: str = "") -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-m", "rowlock", "join", f"{server.url}/{table}", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    if typed:
        process.stdin.write(typed)
        process.stdin.flush()
    return process


def test_a_person_and_a_bot_join_from_terminals(server: Server) -> None:
    """The bot plays `evolved`; the person passes until four misthrows end the game."""
    table = server.create(2)
    bot = _join(server, f"t/{table}", "--bot", "evolved")  # as the browser shows it
    person = _join(server, table, "--name", "Anna", typed="0\n" * 400)
    shown, complaints = person.communicate(timeout=180)
    assert (person.returncode, complaints) == (0, "")
    assert "White action:" in shown
    assert "Over, Anna marked the last misthrow. Winner: evolved" in shown
    assert bot.communicate(timeout=180)[1] == ""
    assert bot.returncode == 0
    game = parse(server.ask(f"/api/tables/{table}/record").body.decode())
    assert set(game.players) == {"Anna", "evolved"}


def test_a_person_enters_real_dice_in_a_terminal(server: Server) -> None:
    """Impossible dice are asked for again, wrong ones corrected; four misthrows end the game."""
    table = server.create(1, dice="entered")
    turns = "713256\n413256\ndice 11 3256\n0\n0\n" + "413256\n0\n0\n" * 3
    person = _join(server, table, "--name", "Anna", typed=turns)
    shown, complaints = person.communicate(timeout=180)
    assert (person.returncode, complaints) == (0, "")
    assert "Anna, the dice (white, white, red, yellow, green, blue)> 713256" in shown
    assert "71-3256: the white die shows 1 to 6, not 7." in shown
    game = parse(server.ask(f"/api/tables/{table}/record").body.decode())
    assert [turn.dice for turn in game.turns] == ["11-3256", *["41-3256"] * 3]  # type: ignore[union-attr]


def test_joining_reports_what_is_wrong(server: Server) -> None:
    table = server.create([None, "greedy"])
    server.join(table, "Anna")
    late = _join(server, table, "--name", "Ben")
    there = f"{server.url}/t/{table}"
    expected = f"rowlock: The game has started already. Open {there} in a browser to watch.\n"
    assert late.communicate(timeout=180)[1] == expected
    assert late.returncode == 1
    nowhere = _join(server, "ZZZZZZ", "--name", "Ben")
    assert nowhere.communicate(timeout=180)[1].startswith("rowlock: There is no such table.")


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("http://h:8000/ABC234", ("http://h:8000", "ABC234")),
        ("http://h:8000/t/ABC234", ("http://h:8000", "ABC234")),
        ("https://h/t/ABC234/replay", ("https://h", "ABC234")),
        ("h:8000/abc-234/", ("http://h:8000", "abc-234")),
        ("http://h/?table=ABC234", ("http://h", "ABC234")),
        ("https://h/games/rowlock/t/ABC234", ("https://h/games/rowlock", "ABC234")),
        ("https://h/games/rowlock/ABC234", ("https://h/games/rowlock", "ABC234")),
        ("https://h/games/?table=ABC234", ("https://h/games", "ABC234")),
    ],
)
def test_addresses_of_tables(address: str, found: tuple[str, str]) -> None:
    assert split_address(address) == found


@pytest.mark.parametrize("address", ["http://h:8000", "h/", "http://h/t/"])
def test_an_address_without_a_table_says_so(address: str) -> None:
    assert split_address("host/\udcff") == ("http://host", "%3F")  # an argument that is no UTF-8 text
    with pytest.raises(ServerError, match="names no table: its code is missing"):
        split_address(address)


def test_a_server_that_restarts_is_tried_again(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Statuses 502 (from a proxy) and 429 are temporary; 403 is final."""
    table = server.create(["greedy"])
    statuses = [502, 429]

    def refusing(*words: Any, **more: Any) -> Any:
        if statuses:
            raise InvalidStatus(Response(statuses.pop(0), "no", Headers()))
        return connect(*words, **more)

    monkeypatch.setattr(client, "connect", refusing)
    assert list(client.Client(server.url, table, [], invite=server.invites[table]).views())[-1].state == "over"
    statuses.append(403)
    with pytest.raises(ServerError, match="is lost"):
        next(client.Client(server.url, table, [], invite=server.invites[table]).views())
    statuses.extend([502] * 9)
    monkeypatch.setattr(client, "RECONNECT_SECONDS", 1.0)
    with pytest.raises(ServerError, match="is lost"):
        next(client.Client(server.url, table, [], invite=server.invites[table]).views())


def test_a_decision_that_came_too_fast_is_sent_again(tmp_path: Path) -> None:
    """The client sends it again with the same id."""
    with Server(tmp_path, messages_per_second=2) as slow:
        table = slow.create(1)
        visitor = client.Client.join(f"{slow.url}/{table}", {"Anna": person("")["secret"]})
        decided = set()
        for view in visitor.views():
            if view.position is None:
                continue  # the game is about to start
            moment = (view.position.turn, view.position.phase)
            if view.own[0].options and moment not in decided:
                decided.add(moment)
                visitor.decide(view, view.own[0].seat, view.own[0].options[0].option)
        assert len(decided) == 8


def test_a_decision_that_could_not_be_stored_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same id, so that it is executed once even if the first one was stored."""
    monkeypatch.setattr("rowlock.server.client.time.sleep", lambda _: None)
    visitor, sent = client.Client("http://h", "ABC234", []), list[Any]()
    monkeypatch.setattr(visitor, "_try_send", sent.append)
    visitor.start()
    (command,) = sent
    assert not visitor._handle_refusal(protocol.Error("storage", {}, command.id))
    assert sent == [command, command]
    assert visitor._handle_refusal(protocol.Error("started", {}, command.id))


@pytest.mark.parametrize("code", ["past", "decided"])
def test_a_decision_that_came_too_late_is_not_reported(code: str) -> None:
    """The next view shows what has happened instead; a bot that joins goes on."""
    visitor = client.Client("http://h", "ABC234", [])
    visitor._submit(protocol.Decide("ABC234", 0, 1, "white", "-", "d1"))
    assert not visitor._handle_refusal(protocol.Error(code, {}, "d1"))
    assert visitor._unanswered == {}


def test_a_hello_refused_by_the_storage_is_sent_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the storage fails; a final refusal is raised."""
    monkeypatch.setattr("rowlock.server.client.time.sleep", lambda _: None)
    visitor, hellos = client.Client("http://h", "ABC234", []), list[str]()

    class Socket:
        def __init__(self, code: str) -> None:
            self.code = code

        def recv(self) -> bytes:
            return protocol.encoder.encode(protocol.Error(self.code, {}))

    def connected() -> Socket:
        hellos.append("storage" if len(hellos) < 2 else "no-table")
        return Socket(hellos[-1])

    monkeypatch.setattr(visitor, "_connect", connected)
    events = visitor.events()
    assert [next(events), next(events)] == [None, None]
    with pytest.raises(ServerError, match="There is no such table"):
        next(events)
    assert hellos == ["storage", "storage", "no-table"]
