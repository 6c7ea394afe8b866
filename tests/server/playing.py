"""Devices that play over real sockets, lose and reopen them, and keep every frame."""

import asyncio
import random
from collections.abc import Callable
from typing import Any

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from tests.server.serving import Server

Lost = (OSError, websockets.WebSocketException, TimeoutError, EOFError)


class Device:
    """A device with seats at a table, or without secrets a spectator."""

    def __init__(self, server: Server, table: str, secrets: list[str], seed: object = 0) -> None:
        self.server, self.table, self.secrets = server, table, secrets
        self.rng = random.Random(f"{table} {len(secrets)} {seed}" if seed else None)
        self.frames: list[dict[str, Any]] = []
        self.view: dict[str, Any] | None = None
        self.socket: ClientConnection | None = None
        # Every command and its answer, by id.
        self.sent: dict[str, dict[str, Any]] = {}
        self.answers: dict[str, dict[str, Any]] = {}
        self.count = 0
        self.withdrawals = 0.0
        self.losses = 0.0
        self.corrections = 0.0

    # The socket

    async def open(self) -> None:
        self.socket = await connect(self.server.socket_url, open_timeout=30, close_timeout=1, compression=None)
        last = self.view["seq"] if self.view else 0
        invite = {"invite": self.server.invites[self.table]} if self.table in self.server.invites else {}
        await self.send(type="hello", version=2, table=self.table, secrets=self.secrets, last_seq=last, **invite)
        for command in list(self.sent.values()):
            if command["id"] not in self.answers:
                await self.send(**command)

    async def lose(self) -> None:
        """Abort the connection without closing it."""
        if self.socket:
            self.socket.transport.abort()
            await self.socket.wait_closed()
            self.socket = None

    async def close(self) -> None:
        if self.socket:
            await self.socket.close()
            self.socket = None

    async def send(self, **message: Any) -> None:
        assert self.socket
        await self.socket.send(msgspec.json.encode(message).decode())

    async def receive(self, seconds: float = 20.0) -> dict[str, Any]:
        assert self.socket
        frame: dict[str, Any] = msgspec.json.decode(await asyncio.wait_for(self.socket.recv(), seconds))
        self.frames.append(frame)
        if frame["type"] == "view":
            if self.view is None or frame["seq"] >= self.view["seq"]:
                self.view = frame
        elif frame.get("id") is not None:
            self.answers[frame["id"]] = frame
        return frame

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next frame that fulfils a condition."""
        while True:
            frame = await self.receive()
            if wanted(frame):
                return frame

    async def until_view(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The newest view, once it fulfils a condition; it may have been received already."""
        while self.view is None or not wanted(self.view):
            await self.receive()
        return self.view

    async def next_view(self) -> dict[str, Any]:
        return await self.until(lambda frame: frame["type"] == "view")

    async def command(self, **message: Any) -> dict[str, Any]:
        """Send a command and wait for its answer."""
        message = {"table": self.table, "id": self.new_id(), **message}
        self.answers.pop(message["id"], None)
        await self.send(**message)
        while message["id"] not in self.answers:
            await self.receive()
        return self.answers[message["id"]]

    def new_id(self) -> str:
        self.count += 1
        return f"{id(self)}-{self.count}"

    # Playing

    async def play(self, turns: int | None = None) -> dict[str, Any]:
        """Play the game to its end, or so many turns, over lost connections; return the last view."""
        while True:
            try:
                if self.socket is None:
                    await self.open()
                while (view := self.view) is None or not _is_finished(view, turns) or self.open_commands:
                    if self.rng.random() < self.losses:
                        await self.lose()
                        await self.open()
                    await self.act()
                    frame = await self.receive()
                    assert frame["type"] != "error" or frame.get("id") is not None, frame  # this table is refused
                await self.close()
                return view
            except Lost:
                await self.lose()
                await asyncio.sleep(0.05)

    @property
    def open_commands(self) -> list[str]:
        return [one for one in self.sent if one not in self.answers]

    async def act(self) -> None:
        """Decide for every seat that is to act; sometimes take a decision back."""
        view = self.view
        if view is None or view["position"] is None:
            return
        where = {"table": self.table, "turn": view["position"]["turn"], "phase": view["position"]["phase"]}
        if view["dice"] != "rolled":
            await self._enter_dice(view)
            where |= {"dice": view["position"]["dice"]["roll"]} if view["position"]["dice"] else {}
        for own in view["own"]:
            wanted = {"seat": own["seat"], **where}
            here = [
                one
                for one in self.sent.values()
                if all(one.get(name, value) == value for name, value in wanted.items())
            ]
            here = [one for one in here if one["type"] != "roll"]
            if any(command["id"] not in self.answers for command in here):
                continue
            if own["options"] and (not here or here[-1]["type"] == "withdraw"):
                await self._do(type="decide", seat=own["seat"], option=self.pick(own["options"]), **where)
            elif own["decision"] and len(here) == 1 and self.rng.random() < self.withdrawals:
                where.pop("dice", None)
                await self._do(type="withdraw", seat=own["seat"], **where)

    async def _enter_dice(self, view: dict[str, Any]) -> None:
        """Enter real dice if this device may, and sometimes correct them."""
        position, seats = view["position"], {own["seat"] for own in view["own"]} & set(view["entering"])
        before, turn = position["dice"] and position["dice"]["roll"], position["turn"]
        rolls = [one for one in self.sent.values() if one["type"] == "roll" and one["turn"] == turn]
        if not seats or any(one["id"] not in self.answers for one in rolls):
            return
        if before is None or (len(rolls) < 3 and self.rng.random() < self.corrections):
            faces = [self.rng.randint(1, 6) for _ in range(6)]
            gone = set(position["closed"]) if before is None else set("RYGB") - set(position["dice"]["coloured"])
            colours = ("." if row in gone else str(face) for row, face in zip("RYGB", faces[2:], strict=True))
            dice = f"{faces[0]}{faces[1]}-{''.join(colours)}"
            await self._do(type="roll", table=self.table, seat=min(seats), turn=turn, dice=dice, corrects=before)

    async def _do(self, **command: Any) -> None:
        command["id"] = self.new_id()
        self.sent[command["id"]] = command
        await self.send(**command)

    def pick(self, options: list[dict[str, Any]]) -> str:
        """Mostly a mark, so that games come to an end with closed rows as well as with misthrows."""
        marks = [one["option"] for one in options if one["marks"]]
        if marks and self.rng.random() < 0.6:
            return str(self.rng.choice(marks))
        return str(self.rng.choice(options)["option"])


class SheetDevice(Device):
    """A device with a seat at a table without dice, which marks at random."""

    async def act(self) -> None:
        """Mark, take a misthrow, undo or announce a roll, one at a time."""
        view = self.view
        if view is None or view["state"] != "running" or self.open_commands:
            return
        [own] = view["own"]
        chance, marks = self.rng.random(), [one for one in own["options"] if one["marks"]]
        seat, here = own["seat"], {"table": self.table, "turn": view["position"]["turn"]}
        made = [one["mark"]["option"] for one in view["since_roll"]["marks"] if one["seat"] == seat]
        if chance < 0.1 or not own["options"]:
            await self._do(type="newroll", **here)
        elif chance < 0.2 and made:
            await self._do(type="undo", **here, seat=seat, option=made[-1])
        elif chance < 0.21 or not marks:
            await self._do(type="mark", **here, seat=seat, option="x")
        else:
            closest = marks[: 1 + self.rng.randrange(3)]
            await self._do(type="mark", **here, seat=seat, option=self.rng.choice(closest)["option"])


def _is_finished(view: dict[str, Any], turns: int | None) -> bool:
    """Whether the game is over, or so many turns are."""
    position = view["position"]
    return bool(view["state"] == "over" or (turns and position and position["turn"] > turns))
