"""Whole games over real sockets: every record is legal and agrees with all views."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from rowlock import Game, parse, read, variant_ids
from rowlock.rules.card_game import CardTurn
from rowlock.rules.option import read_option
from rowlock.server import views
from tests.command import run
from tests.effort import QUICK
from tests.server.playing import Device
from tests.server.serving import Server

NAMES = ("Anna", "Ben", "Chloé", "Дмитрий", "<b>Emma</b>")
CARD = re.compile(r"\b(j\d{1,2}(?=[rygb]\b)|[rygbj]\d{1,2}\b)")  # a joker without the colour that it was given
GAMES = [*variant_ids(), "cards-mixx-a+jokers"]
# Per table: the bots (None for a person), and how the people share devices.
TABLES: tuple[tuple[list[str | None], list[int]], ...] = (
    ([None, None], [1, 1]),
    ([None, None, "greedy"], [1, 1]),
    ([None, None, None, "random"], [2, 1]),
    ([None, "eager", None, None, None], [1, 2, 1]),
)


async def _play_table(server: Server, variant: str, bots: list[str | None], shares: list[int]) -> list[Device]:
    table = await asyncio.to_thread(server.create, bots, variant)
    names = iter(NAMES)
    devices: list[Device] = []
    for people in shares:
        secrets = await asyncio.to_thread(server.join, table, *(next(names) for _ in range(people)))
        devices.append(Device(server, table, secrets, seed=len(devices) + 1))
        devices[-1].withdrawals, devices[-1].losses = 0.15, 0.03
    spectator = Device(server, table, [])
    spectator.losses = 0.02
    devices.append(spectator)
    await asyncio.gather(*(device.play() for device in devices))
    return devices


async def _play_all(server: Server, variant: str) -> list[list[Device]]:
    """All kinds of tables, or in quick tests one kind per variant."""
    kind = GAMES.index(variant) % len(TABLES)
    tables = TABLES[kind : kind + 1] if QUICK else TABLES
    return await asyncio.gather(*(_play_table(server, variant, bots, shares) for bots, shares in tables))


@pytest.mark.parametrize("variant", GAMES)
def test_whole_games(server: Server, tmp_path: Path, variant: str) -> None:
    """Two to five players, with bots, shared devices, take-backs, lost connections and a spectator."""
    tables = asyncio.run(_play_all(server, variant))
    records = []
    for devices in tables:
        answer = server.ask(f"/api/tables/{devices[0].table}/record")
        assert answer.status == 200
        records.append(tmp_path / f"{devices[0].table}.rlk")
        records[-1].write_bytes(answer.body)
        moments = moments_of(parse(answer.body.decode()))
        for device in devices:
            check_frames(device, moments)
    replayed = run("replay", "--json", *records)
    assert (replayed.returncode, replayed.stderr) == (0, "")
    for line, devices in zip(replayed.stdout.splitlines(), tables, strict=True):
        outcome = json.loads(line)
        for device in devices:
            last = device.view
            assert last
            assert last["result"]["scores"] == outcome["scores"]
            assert last["result"]["winners"] == outcome["winners"]
            for shown, sheet in zip(last["position"]["sheets"], outcome["sheets"], strict=True):
                shown["sheet"] = shown["letter"]
                for name in {"rows", "sheet", "swaps", "second"} & sheet.keys():
                    assert shown[name] == sheet[name]


class Moment(NamedTuple):
    """A moment of a game with its public view."""

    game: Game
    public: dict[str, Any]
    options: list[list[str]]  # of every seat
    played: set[str]  # cards, with their colours


def moments_of(game: Game) -> dict[tuple[int, str], Moment]:
    moments = {(moment.turn, moment.phase): moment for moment in game.moments()}
    moments[game.turn, "over"] = game
    return {where: _shown(moment) for where, moment in moments.items()}


def _shown(game: Game) -> Moment:
    public = {
        "position": _written(views.position_of(game, reveal_cards=game.over)),
        "log": _written(views.log_of(game)),
        "result": _written(views.result_of(game)),
    }
    played = [turn.played or "-" for turn in game.turns[:-1] if isinstance(turn, CardTurn)]
    cards = {re.sub("[rygb]$", "", card) for option in played for card in read_option(option).cards}
    return Moment(game, public, [sorted(game.view(seat).options) for seat in range(len(game.players))], cards)


def check_frames(device: Device, moments: dict[tuple[int, str], Moment]) -> None:
    """Everything public in a view follows from what had been revealed by then; the rest is the device's own.

    So no frame can hold a decision of another seat before the reveal, in whatever field.
    """
    for frame in device.frames:
        if frame["type"] == "error":
            # A take-back may come too late; nothing else is ever refused.
            assert (device.sent[frame["id"]]["type"], frame["code"]) == ("withdraw", "past"), frame
        if frame["type"] == "view" and frame["position"] is not None:
            moment = moments[frame["position"]["turn"], frame["position"]["phase"]]
            _check_view(frame, moment, device)


def _written(value: object) -> Any:
    return json.loads(msgspec.json.encode(value))


def _check_view(frame: dict[str, Any], shown: Moment, device: Device) -> None:
    moment = shown.game
    assert frame.keys() == {
        *("type", "table", "seq", "now", "state", "variant", "seconds", "seats", "position", "log", "to_act"),
        *("decided", "deadline", "own", "result", "rematch"),
        *("pause", "roll_at", "host", "open", "invite", "hash", "takeback", "votes", "final", "variant_hash"),
        *("hints", "dice", "start", "voided", "entering", "awaited", "since_roll"),
    }
    assert frame["variant_hash"] is None
    assert {name: frame[name] for name in shown.public} == shown.public
    assert all(
        seat.keys() == {"name", "kind", "bot", "connected", "absent", "trouble", "sheet", "shares"}
        for seat in frame["seats"]
    )
    assert [seat["name"] for seat in frame["seats"]] == list(moment.players)
    # The seats of this device, and for these alone what is secret.
    assert len(frame["own"]) == len(device.secrets)
    for own in frame["own"]:
        assert own.keys() == {"seat", "decision", "options", "hand", "takeback"}
        assert own["hand"] == (list(moment.hands[own["seat"]]) if moment.variant.cards else [])
        legal = shown.options[own["seat"]]
        if own["seat"] in frame["to_act"]:
            assert sorted(one["option"] for one in own["options"]) == legal
        if own["decision"]:
            assert own["seat"] in frame["decided"]
            assert own["decision"]["option"] in legal
    if not moment.over:
        # A card with its colour is in a frame only where the device holds it, or where it was played.
        own = {card for one in frame["own"] for card in moment.hands[one["seat"]]}
        # Random tokens can hold anything that looks like a card.
        words = {name: value for name, value in frame.items() if name not in {"table", "invite", "hash", "start"}}
        assert set(CARD.findall(msgspec.json.encode(words).decode())) <= own | shown.played


@pytest.mark.parametrize(
    ("record", "seats"),
    [
        ("classic/fourth-misthrow-after-white-marks", [0]),
        ("classic/two-rows-at-once", []),
        ("cards/two-rows-announced", [0]),
    ],
)
def test_a_result_says_who_ended_the_game(record: str, seats: list[int]) -> None:
    (game,) = read(Path(__file__).parents[2] / "conformance" / f"{record}.rlk")
    result = views.result_of(game)
    assert result
    assert result.ended_by == seats
