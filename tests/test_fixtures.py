"""Files of earlier versions: tables are found as they were left and go on, solutions and weights are read."""

import asyncio
import gzip
import hashlib
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from rowlock import arena, find_variant, parse
from rowlock.networks.weights import load_weights, weights_path
from rowlock.rules.notation import read
from rowlock.solver.exact_values import option_values
from rowlock.solver.solution_cache import load
from rowlock.solver.solution_file import solution_path
from rowlock.solver.space import Space
from tests.fixtures.make import NAMES, owned, seen
from tests.server.playing import Device
from tests.server.serving import Server

OLD = Path(__file__).parent / "fixtures" / "v0.1"
TABLES: list[dict[str, Any]] = json.loads((OLD / "tables.json").read_text(encoding="utf-8"))
EXPECTED: dict[str, Any] = json.loads((OLD / "learnt.json").read_text())
# A server deletes tables as old as these will be.
FOREVER: dict[str, Any] = {"keep_days": 100_000, "keep_unfinished_days": 100_000}


def named(table: dict[str, Any]) -> str:
    return f"{table['variant']}-{table['what'].replace(' ', '-')}"


def those(state: str) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("table", [one for one in TABLES if one["state"] == state], ids=named)


# Tables


def old_server(directory: Path) -> Server:
    (directory / "rowlock.db").write_bytes(gzip.decompress((OLD / "rowlock.db.gz").read_bytes()))
    return Server(directory, **FOREVER)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with old_server(tmp_path_factory.mktemp("old")) as running:
        yield running


def test_every_game_was_left_in_every_phase() -> None:
    for variant in {table["variant"] for table in TABLES}:
        phases = ("take", "white", "play") if variant.startswith("cards") else ("white", "colour")
        left = {table["what"] for table in TABLES if table["variant"] == variant}
        assert left >= {"waiting", *phases, "hidden", "over"}


def check(server: Server, table: dict[str, Any]) -> None:
    """What everybody sees is what everybody saw."""
    shown = seen(server.ask(f"/api/tables/{table['code']}").json)
    if table["seconds"] is None:
        assert shown == {name: table[name] for name in shown}
    else:  # the clock goes on
        assert shown["seconds"] == table["seconds"]
        assert shown["position"]["turn"] >= table["position"]["turn"]
    record = server.ask(f"/api/tables/{table['code']}/record")
    if table["record"] is None:
        assert record.json["code"] in ("not-started", "not-over")
    elif table["seconds"] is None:
        assert record.body.decode() == table["record"]


@those("over")
def test_a_game_that_was_over_is_shown_as_it_ended(server: Server, table: dict[str, Any]) -> None:
    check(server, table)
    assert list(parse(table["record"]).scores) == table["result"]["scores"]


@those("waiting")
def test_a_lobby_is_joined_and_its_game_begins(server: Server, table: dict[str, Any]) -> None:
    check(server, table)
    free = sum(seat["name"] is None for seat in table["seats"])
    secrets = table["secrets"] + server.join(table["code"], *NAMES[-free:])
    asyncio.run(play_to_the_end(server, table, secrets))


@those("running")
def test_a_game_goes_on_from_where_it_was_left(server: Server, table: dict[str, Any], tmp_path: Path) -> None:
    # With a clock it would go on, and end, during the tests before this one.
    with old_server(tmp_path) if table["seconds"] else nullcontext(server) as serving:
        check(serving, table)
        asyncio.run(play_to_the_end(serving, table, table["secrets"]))


class Passer(Device):
    """Marks once, then passes, so that misthrows end the game soon."""

    def pick(self, options: list[dict[str, Any]]) -> str:
        marks = [one for one in options if one["marks"]]
        if marks and not self.answers:
            return str(marks[0]["option"])
        passes = [one for one in options if not one["marks"]]
        return str((passes or options)[0]["option"])


async def play_to_the_end(server: Server, table: dict[str, Any], secrets: list[str]) -> None:
    """The holders of the seats have the options, decisions and hands they had; decisions are accepted."""
    device = Passer(server, table["code"], secrets)
    await device.open()
    view = await device.next_view()
    if table["seconds"] is None and len(table.get("own", ())) == len(secrets):
        assert owned(view) == table["own"]
    async with asyncio.timeout(240):
        view = await device.play()
    assert device.answers
    assert {answer["type"] for answer in device.answers.values()} == {"ack"}
    record = server.ask(f"/api/tables/{table['code']}/record").body.decode()
    assert list(parse(record).scores) == view["result"]["scores"]
    # Nothing that was revealed has changed.
    lines = (table["record"] or "").partition("\n1. ")[2].splitlines()
    assert all(line in record for line in lines[:-1])


# Solutions and weights


def keep(name: str, path: Path) -> None:
    """A copy of a file where this version looks for its kind."""
    path.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(OLD / name, path)


@pytest.mark.parametrize("name", EXPECTED["solutions"])
def test_a_solution_is_read(home: Path, name: str) -> None:
    expected, space = EXPECTED["solutions"][name], Space(find_variant(OLD / "pocket.toml"), None)
    keep(name, solution_path(space, expected["players"]))
    solution = load(space, expected["players"])
    assert solution
    assert (solution.value(wait=0), solution.states) == (expected["value"], expected["states"])
    if expected["players"] == 1:
        (game,) = read(OLD / "pocket.rlk", variants=[space.variant])
        assert option_values(game, solution) == [(one["option"], one["value"]) for one in EXPECTED["hint"]["options"]]


@pytest.mark.parametrize("name", EXPECTED["weights"])
def test_weights_are_read(home: Path, name: str) -> None:
    expected, variant, (bot, table) = EXPECTED["weights"][name], find_variant(OLD / "pocket.toml"), name.split(" ")
    keep(expected["file"], weights_path(bot, variant))
    weights = load_weights(bot, variant, 1 if table == "solo" else 2, expected["size"])
    assert hashlib.sha256(weights.tobytes()).hexdigest() == expected["sha256"]


def test_old_weights_play_as_they_did(home: Path) -> None:
    """The features that the weights belong to are still the same."""
    keep("champion-pocket.npz", weights_path("champion", find_variant(OLD / "pocket.toml")))
    records = home / "games.rlk"
    arena.match(["champion", "greedy"], str(OLD / "pocket.toml"), 4, seed=1, records=str(records))
    # Since then records of own variants have one more tag.
    written = re.sub(r'\[VariantHash "[0-9a-f]{64}"\]\n', "", records.read_text())
    assert written == (OLD / "arena.rlk").read_text()
