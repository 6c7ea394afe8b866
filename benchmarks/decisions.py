"""Processor time of the server per decision, from the message to the views of four seats, in one process.

Four connections with fake sockets play whole games at a table, one decision after the other, on a temporary SQLite
file. Dice and decisions are the same in every run. `benchmarks.server` measures real sockets, which double the cost.

    python -m benchmarks.decisions [VARIANT ...]
"""

import asyncio
import random
import secrets
import sys
import tempfile
import time
from collections.abc import Coroutine
from typing import Any, cast

import msgspec
from starlette.websockets import WebSocket
from uvicorn.loops.auto import auto_loop_factory

from rowlock.server import commands, protocol
from rowlock.server.connection import Connection
from rowlock.server.limits import AddressLimits
from rowlock.server.run import configure_garbage_collection
from rowlock.server.secret import hash_of
from rowlock.server.settings import Settings
from rowlock.server.table_registry import TableRegistry

VARIANTS = ("classic", "bonus-b", "cards")
SEATS, GAMES, WARM_UP = 4, 12, 2


class Own(msgspec.Struct):
    seat: int
    options: list[dict[str, Any]]


class Position(msgspec.Struct):
    turn: int
    phase: str


class Head(msgspec.Struct):
    """The fields of every message that a player reads."""

    type: str
    seq: int = 0


class View(msgspec.Struct):
    """The fields of a view that a player needs to decide."""

    state: str
    position: Position | None
    own: list[Own]


class Player:
    """A client with one seat, which is its own socket: keeps the last view and the last acknowledged event."""

    client = None  # no address

    read_head, read_view = msgspec.json.Decoder(Head).decode, msgspec.json.Decoder(View).decode

    def __init__(self) -> None:
        self.messages: asyncio.Queue[str] = asyncio.Queue()
        self.sent = asyncio.Event()
        self.text, self.seen, self.seq = "", 0, 0

    def send(self, **message: object) -> None:
        self.messages.put_nowait(msgspec.json.encode(message).decode())

    async def receive(self) -> dict[str, str]:
        return {"type": "websocket.receive", "text": await self.messages.get()}

    async def send_text(self, text: str) -> None:
        head = self.read_head(text)
        if head.type == "view":
            self.text, self.seen = text, head.seq
        elif head.type == "ack":
            self.seq = head.seq
        else:
            raise ValueError(text)
        self.sent.set()


async def wait_for_reply(player: Player, all_players: list[Player]) -> None:
    """Wait until a player's command is acknowledged and all views show it."""
    before = player.seq
    for one in all_players:
        while player.seq == before or one.seen < player.seq:
            waiting = player if player.seq == before else one
            waiting.sent.clear()
            await waiting.sent.wait()


async def play(registry: TableRegistry, variant: str, rng: random.Random) -> tuple[int, float]:
    """Play a game; returns the number of decisions and the processor time in seconds."""
    session = await registry.create(protocol.TableRequest(variant, [protocol.SeatRequest()] * SEATS, pause=0))
    players = {f"{rng.getrandbits(256):064x}": Player() for _ in range(SEATS)}
    names, hashes = [f"Player {i}" for i in range(SEATS)], [hash_of(secret) for secret in players]
    await session.submit(lambda table, _: commands.join(table, names, hashes))
    all_players, limits = list(players.values()), AddressLimits(registry.settings)
    tasks = [asyncio.create_task(Connection(cast("WebSocket", one), registry, limits).run()) for one in all_players]
    for secret, player in players.items():
        player.send(type="hello", version=2, table=session.table.code, secrets=[secret])
        await wait_for_reply(player, [player])
    count, seconds = 0, 0.0
    while (views := {one: one.read_view(one.text) for one in all_players})[all_players[0]].state != "over":
        player = rng.choice([one for one, view in views.items() if view.own[0].options])
        own, position = views[player].own[0], views[player].position
        assert position
        count += 1
        decision = {"seat": own.seat, "turn": position.turn, "phase": position.phase}
        decision |= {"option": rng.choice(own.options)["option"], "id": f"c{count}"}
        begin = time.process_time()
        player.send(type="decide", table=session.table.code, **decision)
        await wait_for_reply(player, all_players)
        seconds += time.process_time() - begin
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return count, seconds


async def measure(variant: str) -> float:
    """Milliseconds per decision."""
    rng = random.Random(1)
    with tempfile.TemporaryDirectory() as directory:
        registry = TableRegistry(Settings(database=f"sqlite:///{directory}/rowlock.db", messages_per_second=1e6))
        await registry.open()
        games = [await play(registry, variant, rng) for _ in range(WARM_UP + GAMES)][WARM_UP:]
        await registry.close()
    return 1000 * sum(seconds for _, seconds in games) / sum(count for count, _ in games)


def run(work: Coroutine[Any, Any, float]) -> float:
    """Run in the same event loop as the server."""
    with asyncio.Runner(loop_factory=auto_loop_factory(use_subprocess=False)) as runner:
        return runner.run(work)


def main() -> None:
    # Dice depend on a seed, the turn and the die, so one seed for all games makes runs comparable.
    vars(secrets).update(randbits=lambda _: 1, randbelow=lambda _: 0)
    configure_garbage_collection()
    for variant in sys.argv[1:] or VARIANTS:
        print(f"{variant:10} {run(measure(variant)):.3f} ms of processor time per decision", flush=True)


if __name__ == "__main__":
    main()
