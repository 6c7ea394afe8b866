"""Malformed, oversized, replayed, out-of-order and too frequent messages: a code, and no effect on others."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import websockets
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_sync

from rowlock.server.refusal import CODES
from tests.effort import EFFORT
from tests.server.playing import Device
from tests.server.serving import Server


@pytest.fixture
def socket(server: Server) -> Iterator[ClientConnection]:
    with connect_sync(server.socket_url, compression=None) as opened:
        yield opened


def _reply(socket: ClientConnection, message: object) -> dict[str, Any]:
    socket.send(message if isinstance(message, str | bytes) else json.dumps(message))
    reply: dict[str, Any] = json.loads(socket.recv(10))
    return reply


@pytest.mark.parametrize(
    "message",
    [
        "",
        "hello",
        "[]",
        "null",
        "{}",
        '{"type": "nothing"}',
        '{"type": "hello"}',
        '{"type": "hello", "version": "1", "table": "ABC234"}',
        '{"type": "hello", "version": 2, "table": "ABC234", "secrets": ["", 1]}',
        '{"type": "hello", "version": 2, "table": "ABC234", "more": 1}',
        '{"type": "decide", "table": "ABC234", "seat": -1, "turn": 1, "phase": "white", "option": "-", "id": "1"}',
        '{"type": "decide", "table": "ABC234", "seat": 0, "turn": 1e999, "phase": "white", "option": "-", "id": "1"}',
        '{"type": "ping", "id": "\\ud800"}',
        "[" * 4000,
        b'{"type": "ping"}',
    ],
)
def test_messages_that_cannot_be_read(socket: ClientConnection, message: str | bytes) -> None:
    reply = _reply(socket, message)
    assert (reply["type"], reply["code"]) == ("error", "message")
    assert _reply(socket, {"type": "ping", "id": "after"})["type"] == "pong"


@pytest.mark.parametrize(
    ("message", "names"),
    [
        ({"type": "start", "table": "ABC234", "id": "1", "more": 1}, ("1", "ABC234")),
        ({"type": "nothing", "table": "ABC234", "id": 1}, (None, "ABC234")),
        ({"type": "decide", "id": "x" * 65}, (None, None)),
        ({"type": "decide", "id": "x", "table": "x" * 17}, ("x", None)),
        ('{"id": "1", "table"', (None, None)),
    ],
)
def test_errors_name_what_they_answer(
    socket: ClientConnection, message: object, names: tuple[str | None, str | None]
) -> None:
    """Also the error for an unreadable message, if its id and table can be read."""
    reply = _reply(socket, message)
    assert (reply["code"], reply["id"], reply["table"]) == ("message", *names)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"type": "hello", "version": 1, "table": "ABC234"}, "version"),
        ({"type": "hello", "version": 3, "table": "ABC234", "more": 1}, "version"),
        ({"type": "hello", "version": 2, "table": "ABC234", "more": 1}, "message"),
        ({"type": "hello", "version": 2, "table": "ABC234"}, "no-table"),
        ({"type": "hello", "version": 2, "table": "../etc"}, "no-table"),
        ({"type": "start", "table": "ABC234", "id": "1"}, "not-followed"),
        ({"type": "bye", "table": "ABC234"}, "not-followed"),
    ],
)
def test_messages_that_are_refused(socket: ClientConnection, message: object, code: str) -> None:
    assert _reply(socket, message)["code"] == code


KINDS = [
    *("hello", "decide", "roll", "withdraw", "takeback", "agree", "rematch", "start", "leave", "remove", "access"),
    *("replace", "return", "bye", "ping", "x"),
]
FIELDS = [
    *("version", "table", "secrets", "invite", "last_seq", "seat", "turn", "phase", "option", "id", "bot"),
    *("agree", "open", "dice", "corrects"),
]


@given(
    st.recursive(st.none() | st.booleans() | st.integers() | st.text(max_size=20), st.lists, max_leaves=5), st.data()
)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck), derandomize=EFFORT != "soak")
def test_any_message_gets_an_answer(server: Server, value: object, data: st.DataObject) -> None:
    """Messages with any values get an answer with a code of the list, and the socket stays open."""
    kind = data.draw(st.sampled_from(KINDS))
    names = FIELDS
    message = {"type": kind, **dict.fromkeys(data.draw(st.sets(st.sampled_from(names))), value)}
    text = json.dumps(message)
    with connect_sync(server.socket_url, compression=None) as socket:
        reply = _reply(socket, text)
        assert reply["type"] in ("error", "pong")
        assert reply["type"] == "pong" or reply["code"] in CODES
        assert _reply(socket, {"type": "ping"})["type"] == "pong"


def test_oversized_messages(socket: ClientConnection) -> None:
    """A long message is refused; a very long one closes the connection."""
    reply = _reply(socket, json.dumps({"type": "ping", "id": "x" * 5000}))
    assert (reply["code"], reply["values"]) == ("too-large", {"most": 4096})
    assert _reply(socket, {"type": "ping"})["type"] == "pong"
    with pytest.raises(websockets.ConnectionClosed) as closed:
        _reply(socket, "x" * 200_000)
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 1009


def test_replayed_and_out_of_order_commands(server: Server) -> None:
    async def play() -> None:
        table = server.create(2)
        secrets = server.join(table, "Anna", "Ben")
        device = Device(server, table, secrets)
        await device.open()
        view = await device.next_view()
        options = {own["seat"]: own["options"][-1]["option"] for own in view["own"]}
        decide = {"type": "decide", "turn": 1, "phase": "white"}
        first = {**decide, "seat": 0, "option": options[0], "id": "first"}
        early = await device.command(**{**first, "turn": 2, "id": "early"})
        assert (early["code"], early["values"]) == ("early", {"turn": 1, "phase": "white"})
        assert (await device.command(**{**first, "phase": "colour", "id": "early2"}))["code"] == "early"
        assert (await device.command(**{**first, "phase": "nonsense", "id": "early3"}))["code"] == "early"
        illegal = await device.command(**{**first, "option": "R99", "id": "illegal"})
        assert (illegal["code"], illegal["values"]["rule"]) == ("illegal", "cell")
        answers = [await device.command(**first) for _ in range(3)]
        assert answers[0] == answers[1] == answers[2]
        assert answers[0]["type"] == "ack"
        assert (await device.command(**{**first, "option": "-x"}))["code"] == "id-reused"
        second = await device.command(**decide, seat=1, option=options[1], id="second")
        assert second["seq"] == answers[0]["seq"] + 1
        # The reveal is over: the first command is answered as before, a new one comes too late.
        assert await device.command(**first) == answers[0]
        past = await device.command(**{**first, "id": "past"})
        assert (past["code"], past["values"]) == ("past", {"turn": 1, "phase": "colour"})
        waiting = next(seat for seat in (0, 1) if device.view and seat not in device.view["to_act"])
        wrong = await device.command(type="decide", seat=waiting, turn=1, phase="colour", option="-", id="wrong")
        assert wrong["code"] == "not-to-act"
        await device.close()

    asyncio.run(asyncio.wait_for(play(), 30))


def test_too_many_messages_are_refused_then_the_socket_is_closed(tmp_path: Path) -> None:
    """Other tables are not affected."""

    async def flood(server: Server) -> None:
        async with connect(server.socket_url, compression=None) as socket:
            codes = []
            with suppress(websockets.ConnectionClosed):
                while True:
                    for _ in range(10):  # faster than answers come, however slow the machine
                        await socket.send('{"type": "ping", "id": "p"}')
                    for _ in range(10):
                        reply = json.loads(await socket.recv())
                        assert reply["id"] == "p"
                        codes.append(reply.get("code"))
            assert codes[:10] == [None] * 10
            assert "too-fast" in codes
            assert socket.close_code == 1008

    async def both(server: Server) -> None:
        table = server.create([None, "greedy", "random"])
        device = Device(server, table, server.join(table, "Anna"))

        async def calm() -> None:
            await device.open()
            while device.view is None or device.view["position"]["turn"] < 3:
                await device.act()
                await device.receive()
                await asyncio.sleep(0.05)
            await device.close()

        await asyncio.gather(flood(server), flood(server), calm())
        assert not any(frame["type"] == "error" for frame in device.frames)

    with Server(tmp_path, messages_per_second=5) as server:
        asyncio.run(asyncio.wait_for(both(server), 60))
        assert "Traceback" not in server.log.read_text()


def test_slow_devices_do_not_block_others(server: Server) -> None:
    """A device that stops reading gets the newest view when it reads again."""

    async def play() -> None:
        table = server.create([None, None])
        playing = Device(server, table, server.join(table, "Anna", "Ben"))
        async with connect(server.socket_url, compression=None, max_queue=1, close_timeout=1) as sleepy:
            hello = {"type": "hello", "version": 2, "table": table, "invite": server.invites[table]}
            await sleepy.send(json.dumps(hello))
            sleepy.transport.pause_reading()
            await playing.play()
            sleepy.transport.resume_reading()
            async for text in sleepy:
                if json.loads(text).get("state") == "over":
                    break

    asyncio.run(asyncio.wait_for(play(), 60))


def test_why_something_cannot_be_marked(server: Server, socket: ClientConnection) -> None:
    """The holder of a seat is told; nothing is stored; spectators and unknown spots are refused."""
    table = server.create(1)
    (secret,) = server.join(table, "Anna")
    why = {"type": "why", "table": table, "seat": 0, "spot": "R12", "id": "w1"}
    assert _reply(socket, why)["code"] == "not-followed"
    seq = _reply(socket, {"type": "hello", "version": 2, "table": table, "invite": server.invites[table]})["seq"]
    socket.recv(10)
    assert _reply(socket, why)["code"] == "not-yours"
    _reply(socket, {"type": "hello", "version": 2, "table": table, "secrets": [secret]})
    socket.recv(10)
    reply = _reply(socket, why)
    needed = {"obstacle": "needed", "values": {"needed": 5, "marks": 0}}
    assert reply == {"type": "obstacle", "id": "w1", "table": table, **needed}
    assert _reply(socket, {**why, "spot": "R13"})["code"] == "message"
    assert _reply(socket, {**why, "spot": "R5", "swap": "8/5"})["code"] == "message"
    assert _reply(socket, {"type": "bye", "table": table, "id": "end"})["seq"] == seq
