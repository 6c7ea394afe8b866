"""Bots that fail, hang, cheat or crash: they pass, it is reported, and the table goes on."""

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event

import pytest

from rowlock import Game
from rowlock.bots import Bot, CompiledBot, KernelBot
from rowlock.server import bot_process
from tests.effort import QUICK
from tests.server.playing import Device
from tests.server.serving import Server

BOTS = """
import os, time
from rowlock.bots import Bot

class Failing(Bot):
    def decide(self, view, options, rng):
        raise RuntimeError("no\\nidea")

class Hanging(Bot):
    def decide(self, view, options, rng):
        time.sleep(3600)

class Cheating(Bot):
    def decide(self, view, options, rng):
        print("noise on standard output", flush=True)
        return "R12#"

class Crashing(Bot):
    def decide(self, view, options, rng):
        os._exit(1)
"""
TROUBLE = {"failing": "error", "hanging": "slow", "cheating": "illegal", "crashing": "error"}
LOGGED = {
    "failing": r"error: RuntimeError in bad_bots.py, line 7: no\nidea",
    "hanging": "slow: no decision in 0.3 s",
    "cheating": "illegal: 'R12#' is no option",
    "crashing": "error: its process has died",
}


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with these bots as an installed package."""
    packages = tmp_path_factory.mktemp("packages")
    (packages / "bad_bots.py").write_text(BOTS)
    info = packages / "bad_bots-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bad-bots\nVersion: 1\n")
    names = "\n".join(f"{name} = bad_bots:{name.capitalize()}" for name in TROUBLE)
    (info / "entry_points.txt").write_text(f"[rowlock.bots]\n{names}\n")
    return packages


def _server(directory: Path, packages: Path, bot_seconds: float) -> Server:
    server = Server(directory, bot_seconds=bot_seconds)
    server.environment = {"PYTHONPATH": os.pathsep.join([str(packages), os.environ.get("PYTHONPATH", "")])}
    return server


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Iterator[Server]:
    """A server whose time limit for bots is long enough on a busy machine."""
    with _server(tmp_path_factory.mktemp("patient"), packages, 60) as server:
        yield server


@pytest.fixture(scope="module")
def hasty(tmp_path_factory: pytest.TempPathFactory, packages: Path) -> Iterator[Server]:
    with _server(tmp_path_factory.mktemp("hasty"), packages, 0.3) as server:
        yield server


@pytest.mark.parametrize("bot", TROUBLE)
def test_bots_in_trouble(patient: Server, hasty: Server, bot: str) -> None:
    """A game against one continues to its end, at the latest with the bot's fourth misthrow."""
    server = hasty if bot == "hanging" else patient
    assert bot in server.ask("/api/bots").json["bots"]
    table = server.create([None, bot])
    device = Device(server, table, server.join(table, "Anna"))
    view = asyncio.run(asyncio.wait_for(device.play(2 if QUICK else None), 180))
    seat = next(seat for seat in view["seats"] if seat["name"] == bot)
    assert seat["trouble"] == TROUBLE[bot]
    assert QUICK or view["result"]["reason"] is not None
    assert f"the bot {bot} passes: {LOGGED[bot]}\n" in server.log.read_text()


def test_bots_are_interpreted_until_they_are_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """The interpreted bot decides until its compiled copy is ready."""
    compile_now = Event()

    class Slowly(CompiledBot):
        def __init__(self, bot: Bot) -> None:
            assert compile_now.wait(60)
            super().__init__(bot)

    monkeypatch.setattr(bot_process, "CompiledBot", Slowly)
    game = Game("classic", 2, seed=1)
    game.roll("11-3456")
    request = bot_process.BotRequest("greedy", bot_process.write_view(game.view(0)), 10)
    bots = bot_process.LoadedBots()
    for _ in range(2 * bot_process.COMPILE_AFTER):
        assert bot_process.handle(request, bots) == bot_process.BotReply("R2")
    assert isinstance(bots["greedy"], KernelBot)
    compile_now.set()
    until = time.monotonic() + 180
    while not isinstance(bots["greedy"], CompiledBot) and time.monotonic() < until:
        time.sleep(0.05)
    assert isinstance(bots["greedy"], CompiledBot)
    assert bot_process.handle(request, bots) == bot_process.BotReply("R2")


def test_the_champion_begins_without_compiled_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Compiling it takes longer than a decision may."""
    monkeypatch.setattr("rowlock.bots.bot._compiled_bot", None)
    game = Game("classic", 2, seed=1)
    game.roll("34-5511")
    request = bot_process.BotRequest("champion", bot_process.write_view(game.view(0)), 10)
    assert bot_process.handle(request, bot_process.LoadedBots()) == bot_process.BotReply("R7")


@pytest.mark.parametrize("game", [Game("longo", 1, seed=1, lucky=[(3, 10)]), Game("cards+jokers", 2, seed=1)])
def test_a_bot_process_receives_the_view_of_the_seat(game: Game) -> None:
    """With the lucky numbers and the jokers of the game."""
    game.chance()
    assert bot_process.read_view(bot_process.write_view(game.view(0))) == game.view(0)


def test_bots_do_not_block_the_server(patient: Server) -> None:
    """While bots hang, the server answers others long before the time limit of a bot.

    The last test of this module: the bots of this server hang until it ends.
    """

    async def play(server: Server) -> None:
        table = server.create(["hanging"] * 5)
        watcher = Device(server, table, [])
        await watcher.open()
        await watcher.next_view()
        loop = asyncio.get_running_loop()
        for _ in range(20):
            began = loop.time()
            await watcher.send(type="ping", id="x")
            await watcher.until(lambda frame: frame["type"] == "pong")
            assert loop.time() - began < 20
            await asyncio.sleep(0.02)
        await watcher.close()

    asyncio.run(asyncio.wait_for(play(patient), 50))
