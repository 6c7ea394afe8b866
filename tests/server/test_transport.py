"""Connections that send too much, too little or nothing at all: they are closed, and nobody else notices."""

import asyncio
import socket
import struct
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import pytest

from rowlock.server.transport import FrameCounter, whole_text
from tests.server.serving import Server


@pytest.fixture(scope="module")
def limited(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with the limits that it has by default."""
    defaults: dict[str, Any] = {"messages_per_second": 20, "connections_per_address": 64}
    with Server(tmp_path_factory.mktemp("limited"), **defaults) as running:
        yield running


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a short deadline; nothing but the end of a connection is expected of it."""
    with Server(tmp_path_factory.mktemp("impatient"), request_seconds=1) as running:
        yield running


def _open(server: Server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def _read(connection: socket.socket) -> bytes:
    """All that is sent until the connection is closed."""
    data = b""
    with suppress(ConnectionError):
        while more := connection.recv(65536):
            data += more
    return data


def _handshake(connection: socket.socket) -> None:
    connection.sendall(
        b"GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
        b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
    )
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(1)
    assert answer.startswith(b"HTTP/1.1 101")


def frame(opcode: int, payload: bytes = b"") -> bytes:
    """A frame as clients send it, masked with zeros."""
    size = len(payload)
    length = bytes([0x80 | size]) if size < 126 else bytes([0x80 | 126]) + struct.pack("!H", size)
    return bytes([0x80 | opcode]) + length + bytes(4) + payload


FLOODS = {
    "pings": frame(0x9),
    "pongs": frame(0xA),
    "texts": frame(0x1),
    "parts": bytes([0x01, 0x80]) + bytes(4) + bytes([0x00, 0x80]) + bytes(4),
    "long texts": frame(0x1, b"x" * 5000),
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of_frames_is_closed_and_holds_nobody_up(limited: Server, kind: str) -> None:
    burst = FLOODS[kind] * (1 + 2_000_000 // len(FLOODS[kind]))
    with _open(limited) as connection:
        _handshake(connection)
        with suppress(ConnectionError):
            connection.sendall(burst)
        assert limited.ask("/health").status == 200
        answer = _read(connection)  # ends only because the server closes the connection
    assert not answer or struct.pack("!H", 1008) in answer  # a reset can come before the answer is read


def test_frames_within_the_limit_are_answered(limited: Server) -> None:
    with _open(limited) as connection:
        _handshake(connection)
        connection.sendall(20 * frame(0x9, b"hi") + frame(0x8, struct.pack("!H", 1000)))
        assert _read(connection).count(b"\x8a\x02hi") >= 1


@pytest.mark.parametrize("step", [1, 2, 3, 7, 1000])
def test_frames_are_counted_however_they_are_cut(step: int) -> None:
    data = frame(0x9) + frame(0x1, b"x" * 100) + frame(0x1, b"y" * 300) + frame(0xA, b"z") + frame(0x8)
    counter = FrameCounter()
    assert sum(counter.feed(data[at : at + step]) for at in range(0, len(data), step)) == 5


@pytest.mark.parametrize("size", [0, 1, 125, 126, 300, 65535])
def test_a_whole_text_is_read_as_it_is(size: int) -> None:
    text = bytes(i % 120 for i in range(size))
    mask = b"\x01\x80\xff\x00"
    data = bytearray(frame(0x1, text))
    data[-size - 4 : len(data) - size] = mask
    data[len(data) - size :] = bytes(byte ^ mask[i % 4] for i, byte in enumerate(text))
    assert whole_text(bytes(data)) == text
    assert whole_text(bytes(data) + b"\x81") is None
    assert whole_text(bytes(data)[:-1]) is None


def test_other_frames_are_no_whole_text() -> None:
    """Control frames, binary ones, parts of a message, frames without a mask, very long ones."""
    others = [frame(0x9), frame(0x2, b"x"), b"\x01" + frame(0x1, b"x")[1:], b"\x81\x04xxxx", b"\x81", b""]
    others.append(b"\x81\xff" + struct.pack("!Q", 3) + bytes(4) + b"xyz")
    assert [whole_text(data) for data in others] == [None] * len(others)


def test_a_head_that_never_ends_is_aborted(impatient: Server) -> None:
    with _open(impatient) as nothing, _open(impatient) as some:
        some.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        assert _read(nothing) == _read(some) == b""


def test_a_body_that_never_comes_is_aborted(impatient: Server) -> None:
    with _open(impatient) as connection:
        head = b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n"
        connection.sendall(head + b"\r\n{")
        assert _read(connection) == b""


@pytest.mark.parametrize(
    "head",
    [
        b"GET /" + b"x" * 5_000_000,
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"y" * 5_000_000,
        b"GET / HTTP/1.1\r\n" + b"A: b\r\n" * 200_000,
        b"GET / HTTP/1.1\r\nHost: x\r\nX-Long: " + b"y" * 20_000 + b"\r\n\r\n",
    ],
    ids=["address", "header", "many headers", "whole"],
)
def test_a_head_that_is_too_long_is_refused(limited: Server, head: bytes) -> None:
    with _open(limited) as connection:
        with suppress(ConnectionError):
            connection.sendall(head)
        answer = _read(connection)
    assert answer[:12] in (b"", b"HTTP/1.1 431", b"HTTP/1.1 400")
    assert limited.ask("/health").status == 200


def test_half_sent_requests_do_not_keep_others_out(tmp_path: Path) -> None:
    """One address holds as many connections as it may; another is served."""
    with Server(tmp_path, connections_per_address=10, request_seconds=600) as server, ExitStack() as stack:
        for _ in range(45):
            one = stack.enter_context(_open(server))
            with suppress(ConnectionError):
                one.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n")
        with _open(server) as refused:
            assert _read(refused).startswith(b"HTTP/1.1 429")
        with socket.create_connection(("127.0.0.1", server.port), 60, source_address=("127.0.0.2", 0)) as other:
            other.sendall(b"GET /health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
            assert _read(other).startswith(b"HTTP/1.1 200")


def test_a_connection_that_ends_makes_room(tmp_path: Path) -> None:
    """Also one that became a socket."""

    async def ask(server: Server) -> None:
        for _ in range(150):
            with _open(server) as connection:
                _handshake(connection)
                connection.sendall(frame(0x8, struct.pack("!H", 1000)))
                await asyncio.to_thread(_read, connection)

    with Server(tmp_path, connections_per_address=25) as server:
        asyncio.run(ask(server))
        assert server.ask("/health").status == 200
