"""Kills servers again and again during games, and checks that nothing was lost or done twice."""

import asyncio
import random
import secrets
import time
from collections.abc import Callable, Sequence
from http.client import HTTPException
from typing import Any

from rowlock import Game, Turn, parse
from rowlock.rules.score_notation import read_records
from rowlock.rules.score_sheets import ScoreSheets
from tests.effort import EFFORT
from tests.server.playing import Device, SheetDevice
from tests.server.serving import Server, person

KILLS = 500 if EFFORT == "soak" else 20
TABLES = 6
STUCK_SECONDS = 300


class CrashTest:
    """Plays games of people and bots while servers are killed at random moments, `KILLS` times."""

    def __init__(self, servers: Sequence[Server], seed: int) -> None:
        self.servers, self.rng = servers, random.Random(seed)
        self.kills = 0
        self.games: list[list[Device]] = []
        self.running: dict[int, list[Device]] = {}  # the last of `games` of each of the `TABLES`

    async def run(self) -> None:
        begin = time.monotonic()
        try:
            await asyncio.gather(self._kill(), *(self._keep_playing(number) for number in range(TABLES)))
        finally:  # also when a soak takes too long
            seconds = time.monotonic() - begin
            print(f"{self.kills} kills, {len(self.games)} tables, {self.answers:,} commands answered, {seconds:.0f} s")

    async def _kill(self) -> None:
        while self.kills < KILLS:
            await asyncio.sleep(self.rng.uniform(0.02, 0.7))
            # Else a slow machine would answer nothing between two kills, and start no bot.
            if self.kills % 2:
                await self._wait_for_answers()
            if self.kills % 10 == 0:
                await self._wait_for_every_table()
            await asyncio.to_thread(self.kill_one)

    async def _wait_for_answers(self) -> None:
        wanted = self.answers + TABLES
        await _wait_until(lambda: self.answers >= wanted)

    async def _wait_for_every_table(self) -> None:
        """Wait until a command of every game is answered, or the game is over."""
        before = [(number, devices, _answers(devices)) for number, devices in self.running.items()]
        await _wait_until(
            lambda: all(self.running[i] is not devices or _answers(devices) > count for i, devices, count in before)
        )

    @property
    def answers(self) -> int:
        return sum(map(_answers, self.games))

    def kill_one(self) -> None:
        server = self.rng.choice(self.servers)
        server.kill()
        self.kills += 1
        server.start()

    async def _keep_playing(self, number: int) -> None:
        first = True
        while first or self.kills < KILLS:
            first = False
            bots: list[str | None] = [None, None, "greedy"] if number % 2 else [None, None, None]
            kind, dice = (Device, "rolled" if number < 3 else "entered") if number else (SheetDevice, "none")
            table, secrets = await self._open_table(bots, dice)
            devices = [
                kind(self.rng.choice(self.servers), table, [secret], seed=(number, i))
                for i, secret in enumerate(secrets)
            ]
            for device in devices:
                device.withdrawals, device.losses, device.corrections = 0.1, 0.01, 0.2
            self.games.append(devices)
            self.running[number] = devices
            await self._play(devices)

    @staticmethod
    async def _play(devices: Sequence[Device]) -> None:
        """Play a game to its end. However long that takes on a slow machine, something is always answered meanwhile."""
        playing = asyncio.gather(*(device.play() for device in devices))
        answered = -1
        while not playing.done():
            before, answered = answered, _answers(devices)
            assert answered > before, f"table {devices[0].table} is stuck after {answered} answers"
            await asyncio.wait([playing], timeout=STUCK_SECONDS)
        await playing

    async def _open_table(self, bots: list[str | None], dice: str) -> tuple[str, list[str]]:
        people = [person(f"Person {i}") for i in range(bots.count(None))]
        seats = [{"bot": bot} for bot in bots]
        body = {"variant": "classic", "seats": seats, "id": secrets.token_hex(16), "pause": 0, "dice": dice}
        table: str = (await self._ask("/api/tables", body))["table"]
        await self._ask(f"/api/tables/{table}/seats", {"people": people})
        return table, [one["secret"] for one in people]

    async def _ask(self, path: str, body: object) -> Any:
        """Send a request until it is answered; the server executes it once."""
        while True:
            try:
                answer = await asyncio.to_thread(self.rng.choice(self.servers).ask, path, body)
            except (OSError, HTTPException):
                await asyncio.sleep(0.1)  # the server has just been killed
            else:
                assert answer.status == 201, answer.body
                return answer.json


async def _wait_until(condition: Callable[[], bool]) -> None:
    """Wait for a condition, but not for ever: the last games may be over."""
    for _ in range(400):
        if condition():
            return
        await asyncio.sleep(0.05)


def _answers(devices: Sequence[Device]) -> int:
    return sum(len(device.answers) for device in devices)


def check_games(server: Server, games: Sequence[Sequence[Device]]) -> None:
    """Every record holds each acknowledged decision once."""
    for devices in games:
        headers = {"Authorization": f"Bearer {devices[0].secrets[0]}"}
        answer = server.ask(f"/api/tables/{devices[0].table}/record", headers=headers)
        if isinstance(devices[0], SheetDevice):
            _check_marks(devices, answer.body)
            continue
        game = parse(answer.body.decode())
        assert game.over
        for device in devices:
            _check_decisions(device, game)
        _check_dice(devices, game)


def _check_marks(devices: Sequence[Device], record: bytes) -> None:
    """The marks of every seat are those that were acknowledged, in order, without those that were undone."""
    [sheets] = read_records(record.splitlines(True), "record", [])
    assert isinstance(sheets, ScoreSheets)
    assert sheets.over
    for device in devices:
        made: list[str] = []
        for command in device.sent.values():
            answer = device.answers[command["id"]]
            if answer["type"] == "error":
                # Too late, nothing to undo, or somebody else has announced a roll meanwhile.
                assert answer["code"] in ("past", "no-takeback", "illegal"), (command, answer)
            elif command["type"] == "mark":
                made.append(command["option"])
            elif command["type"] == "undo":
                made.pop()
        assert device.view
        seat = device.view["own"][0]["seat"]
        assert made == [mark.option for roll in sheets.rolls for mark in roll if mark.player == seat]


def _check_decisions(device: Device, game: Game) -> None:
    """The last acknowledged decision of every seat and phase is the one in the record."""
    last: dict[tuple[int, int, str], str | None] = {}
    for command in device.sent.values():
        answer = device.answers[command["id"]]
        if command["type"] == "roll" or answer.get("code") == "dice-changed":
            continue
        where = (command["seat"], command["turn"], command["phase"])
        if command["type"] == "decide":
            dice = game.turns[command["turn"] - 1].dice
            if answer.get("code") == "past" and command.get("dice") not in (None, dice):
                continue  # it was for dice that were corrected, and came again when the turn was over
            assert answer["type"] == "ack", (command, answer, dice)
            last[where] = command["option"]
        elif answer["type"] == "ack":
            last[where] = None
        else:
            assert answer["code"] in ("past", "not-decided"), (command, answer)
    assert len(last) >= len(game.turns)
    for (seat, turn, phase), option in last.items():
        made = game.turns[turn - 1]
        assert isinstance(made, Turn)  # these tables play with dice
        marks = made.white if phase == "white" else (made.colour,) * len(game.players)
        assert marks is not None
        assert marks[seat] == option, (seat, turn, phase)


def _check_dice(devices: Sequence[Device], game: Game) -> None:
    """Where people enter them, the dice of every turn are those that were acknowledged last."""
    entered: dict[int, tuple[int, str]] = {}  # by turn: the number of the event, the dice
    for device in devices:
        for command in device.sent.values():
            answer, turn = device.answers[command["id"]], command["turn"]
            if command["type"] == "roll" and answer["type"] == "ack":
                entered[turn] = max(entered.get(turn, (0, "")), (answer["seq"], command["dice"]))
    if "Dice" in game.tags:
        made = [turn.dice for turn in game.turns if isinstance(turn, Turn)]
        assert [dice for _, (_, dice) in sorted(entered.items())] == made


def check_log(rows: Sequence[tuple[str, int, dict[str, Any]]]) -> None:
    """No command has caused two events or two tables, and no number is missing."""
    commands: set[tuple[str, int | None, str]] = set()
    expected: dict[str, int] = {}
    for table, seq, data in rows:
        expected[table] = expected.get(table, 0) + 1
        assert seq == expected[table]
        if data.get("command") is not None:
            key = ("" if data["kind"] == "created" else table, data.get("seat"), data["command"])
            assert key not in commands
            commands.add(key)
