"""Malformed and hostile messages, frames and requests: nobody else notices, and the server stays as it was."""

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from rowlock.server import protocol
from tests.effort import EFFORT
from tests.server.playing import Device
from tests.server.serving import Server
from tests.server.test_socket import FIELDS, KINDS
from tests.server.test_transport import frame

ATTACKS = {"soak": 1_000_000, "full": 3_000, "quick": 400}[EFFORT]
ATTACKERS = 4
HEALTH_SECONDS = 1.0  # checked in the soak, since other tests may keep the cores busy
MAX_GROWTH = 40  # MB, after the first tenth
HANDSHAKE = (
    b"GET /api/socket HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n"
)
VALUES: list[object] = [
    *(None, True, 0, 1, 2, -1, 2**31, 2**70, 1e300, "", "white", "colour", "R5", "-", "x", "greedy", "\0", "\u202e"),
    *("41-3256", "71-3256", "11-1.11"),
    *([], {}, [""], ["a" * 64] * 5, "a" * 64, "a" * 5000, {"bot": "greedy"}, [{}], [[[[]]]], "é" * 100, "0" * 16),
]
PATHS = [
    *("/health", "/api/tables", "/api/tables/{code}", "/api/tables/{code}/seats", "/api/tables/{code}/record"),
    *("/api/tables/{code}/replay", "/api/tables/{code}/handover", "/api/tables/{code}/claim", "/api/replay"),
    *(
        "/api/links",
        "/api/bots",
        "/api/variants",
        "/openapi.json",
        "/",
        "/t/{code}",
        "/%00",
        "/../../etc/passwd",
        "/api",
    ),
]


class Attack:
    """Sends random messages, frames and requests over many connections; the same seed sends the same."""

    def __init__(self, server: Server, code: str, secret: str, seed: int) -> None:
        """The attacker holds the seat with this secret, so that commands reach the table."""
        self.server, self.code, self.secret, self.rng = server, code, secret, random.Random(seed)
        self.sent = 0
        self.statuses: Counter[int] = Counter()

    async def run(self, wanted: int) -> None:
        kinds: list[Callable[[], list[bytes]]] = [self._messages, self._frames, self._garbage, self._requests]
        while self.sent < wanted:
            parts = self.rng.choice(kinds)()
            # The server may close the connection at any time, and it does.
            with suppress(OSError, asyncio.IncompleteReadError, TimeoutError):
                await self._send(parts)
            self.sent += len(parts)

    async def _send(self, parts: list[bytes]) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.server.port)
        try:
            for part in parts:
                writer.write(part)
            with suppress(RuntimeError):  # what was sent is not always the end of a request
                writer.write_eof()
            await writer.drain()
            async with asyncio.timeout(30):
                answer = await reader.read()
            for line in answer.split(b"\r\n"):
                if line.startswith(b"HTTP/1.1 ") and line[9:12].isdigit():
                    self.statuses[int(line[9:12])] += 1
        finally:
            writer.close()

    def _value(self) -> object:
        value = self.rng.choice([*VALUES, self.code])
        return [value] * self.rng.randrange(4) if self.rng.random() < 0.1 else value

    def _message(self) -> bytes:
        if self.rng.random() < 0.5:
            message = self._well_formed()
        else:
            fields = self.rng.sample(FIELDS, self.rng.randrange(len(FIELDS)))
            message = {"type": self.rng.choice(KINDS), "table": self.code} | {name: self._value() for name in fields}
        data = json.dumps(message).encode()
        if self.rng.random() < 0.2:  # damaged
            at = self.rng.randrange(len(data))
            data = data[:at] + self.rng.randbytes(self.rng.randrange(4)) + data[at + self.rng.randrange(9) :]
        return data

    def _well_formed(self) -> dict[str, object]:
        """A message that can be read, mostly at a wrong moment."""
        kind: Any = self.rng.choice(get_args(protocol.Command))
        values: dict[str, object] = {
            "table": self.code,
            "seat": self.rng.randrange(3),
            "asker": self.rng.randrange(3),
            "turn": self.rng.randrange(4),
            "phase": self.rng.choice(["white", "colour", "take", "roll"]),
            "option": self.rng.choice(["-", "x", "R5", "G9", "B12#"]),
            "bot": self.rng.choice(["random", "nobody"]),
            "agree": self.rng.random() < 0.5,
            "open": self.rng.random() < 0.9,
            "variant": self.rng.choice(["classic", "longo", "nothing"]),
            "seats": [{"bot": self.rng.choice([None, "random", "nobody"])} for _ in range(self.rng.randrange(1, 5))],
            "seconds": self.rng.choice([None, 5]),
            "pause": self.rng.randrange(6),
            "hints": self.rng.random() < 0.5,
            "dice": self.rng.choice(["41-3256", "11-1111", "77-0", "rolled", "entered", "none", None]),
            "corrects": self.rng.choice([None, "41-3256"]),
            "closed": self.rng.choice(["", "R", "RY", "B"]),
            "commitment": self.rng.choice(["0" * 64, "f" * 64, "f" * 63]),
            "share": self.rng.choice(["0" * 64, "f" * 64, ""]),
            "id": str(self.rng.randrange(10**6)),
        }
        names = [field.name for field in msgspec.structs.fields(kind)]
        return {"type": kind.__name__.lower(), **{name: values[name] for name in names}}

    def _messages(self) -> list[bytes]:
        count = self.rng.randrange(1, 60)
        hello = {"type": "hello", "version": protocol.VERSION, "table": self.code, "secrets": [self.secret]}
        frames = [frame(self.rng.choice([1, 1, 1, 2]), self._message()[:60000]) for _ in range(count)]
        return [HANDSHAKE, frame(1, json.dumps(hello).encode()), *frames]

    def _frames(self) -> list[bytes]:
        """Any opcode, reserved bits, fragments, wrong lengths, no mask."""
        parts = [HANDSHAKE]
        for _ in range(self.rng.randrange(1, 60)):
            data = bytearray(frame(self.rng.randrange(16), self.rng.randbytes(self.rng.randrange(126))))
            if self.rng.random() < 0.5:
                data[self.rng.randrange(2)] ^= 1 << self.rng.randrange(8)
            parts.append(bytes(data))
        return parts

    def _garbage(self) -> list[bytes]:
        return [self.rng.randbytes(self.rng.randrange(1, 200)) for _ in range(self.rng.randrange(1, 10))]

    def _requests(self) -> list[bytes]:
        requests = []
        for _ in range(self.rng.randrange(1, 8)):
            path = self.rng.choice(PATHS).format(code=self.code)
            names = self.rng.sample(["variant", "seats", "people", "secret", "record", "path", "handover", "id"], 3)
            body = json.dumps({name: self._value() for name in names}).encode()
            method = self.rng.choice(["GET", "GET", "POST", "POST", "PUT", "HEAD", "DELETE", "OPTIONS", "X"])
            headers = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Content-Length: {len(body)}"]
            if self.rng.random() < 0.8:
                headers.append("Content-Type: application/json")
            if self.rng.random() < 0.2:
                headers.append(f"{self.rng.choice(['Authorization', 'Origin', 'Upgrade', 'X'])}: {self._value()!r}")
            requests.append("\r\n".join(headers).encode("utf-8", "replace") + b"\r\n\r\n" + body)
        return requests


async def watch_health(server: Server, done: asyncio.Event) -> float:
    """The longest time that `/health` took."""
    longest = 0.0
    while not done.is_set():
        begin = time.monotonic()
        answer = await asyncio.to_thread(server.ask, "/health")
        longest = max(longest, time.monotonic() - begin)
        assert answer.status == 200
        with suppress(TimeoutError):
            await asyncio.wait_for(done.wait(), 0.25)
    return longest


def memory(server: Server) -> int:
    """The resident memory of the server in MB."""
    status = Path(f"/proc/{server.pid}/status").read_text()
    return next(int(line.split()[1]) // 1024 for line in status.splitlines() if line.startswith("VmRSS"))


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
@pytest.mark.hostile
@pytest.mark.parametrize("limited", [False, True], ids=["without limits", "with limits"])
def test_nobody_notices_hostile_clients(tmp_path: Path, limited: bool) -> None:
    """A game is played meanwhile: it ends, no answer is an internal error, and the memory does not grow."""
    defaults: dict[str, Any] = {"messages_per_second": 20, "connections_per_address": 64, "requests_per_second": 20}

    async def play(server: Server) -> None:
        table = server.create(2)
        devices = [Device(server, table, [secret], seed=3) for secret in server.join(table, "Anna", "Ben")]
        attacked = server.create(
            2, dice="entered" if limited else "rolled"
        )  # the game of an attacker and somebody who only watches
        attacker, *_ = server.join(attacked, "Mallory", "Victor")
        attacks = [Attack(server, attacked, attacker, seed) for seed in range(ATTACKERS)]
        done = asyncio.Event()
        health = asyncio.create_task(watch_health(server, done))
        tenth, rest = ATTACKS // (20 * ATTACKERS), ATTACKS // (2 * ATTACKERS)
        await asyncio.gather(*(attack.run(tenth) for attack in attacks))
        before = memory(server)
        await asyncio.gather(*(attack.run(rest) for attack in attacks), *(device.play() for device in devices))
        growth = memory(server) - before
        done.set()
        longest = await health
        statuses = sum((attack.statuses for attack in attacks), Counter[int]())
        print(f"{sum(attack.sent for attack in attacks):,} sent, {statuses}, {longest:.3f} s, {growth:+} MB")
        assert not [status for status in statuses if status >= 500]
        if EFFORT == "soak":
            assert longest < HEALTH_SECONDS
            assert growth < MAX_GROWTH

    with Server(tmp_path, **(defaults if limited else {})) as server:
        server.ask("/health")
        asyncio.run(play(server))
        assert "Traceback" not in server.log.read_text()
