"""The HTTP interface, tested against its OpenAPI document."""

import asyncio
import gzip
import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from rowlock import __version__, parse, variant_ids
from rowlock.bots import bot_names
from rowlock.server.openapi import document
from rowlock.server.refusal import CODES
from tests.effort import EFFORT, QUICK
from tests.server.playing import Device
from tests.server.serving import Server, person

# A body that is too large (413) is refused before anybody looks at it.
REFUSED = [400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429]
CHECKS = schemathesis.Config.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": REFUSED}}})
api = schemathesis.openapi.from_dict(document(), config=CHECKS)


def make_test(path: str, method: str) -> Any:
    @api.include(path=path, method=method).parametrize()
    @settings(
        max_examples=5 if QUICK else 25,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=EFFORT != "soak",
    )
    def follows_the_openapi_document(case: Any, server: Server) -> None:
        """Any request, valid or not, gets a documented status and body, never 5xx."""
        # Whether a variant is known, or a record legal, no schema can say.
        response = case.call_and_validate(base_url=server.url, excluded_checks=[positive_data_acceptance])
        assert response.status_code < 500
        if response.status_code >= 400:
            assert response.json()["code"] in CODES

    return follows_the_openapi_document


# A function per operation: pytest 9.2 gives items of one function the same id, and xdist then runs only one of them.
for path, operations in document()["paths"].items():
    for method in operations:
        globals()[f"test_{method} {path} follows the OpenAPI document"] = make_test(path, method.upper())


def test_health(server: Server) -> None:
    assert server.ask("/health").json == {"status": "ok", "version": __version__, "protocol": 2}


def test_what_can_be_played(server: Server) -> None:
    compressed = server.ask("/api/variants", headers={"Accept-Encoding": "gzip"})
    variants = server.ask("/api/variants").json["variants"]
    assert json.loads(gzip.decompress(compressed.body))["variants"] == variants
    assert [one["id"] for one in variants] == list(variant_ids())
    assert variants[0]["rows"][0] == {"name": "R", "numbers": list(range(2, 13)), "colours": "R" * 11}
    bots = server.ask("/api/bots").json
    assert bots["bots"] == [name for name in bot_names() if name not in ("optimal", "scholar")]
    assert bots["levels"] == {"eager": 1, "rush": 2, "greedy": 3, "evolved": 4, "champion": 5}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"", "message"),
        (b"{", "message"),
        (b"[" * 10_000, "message"),
        ({"variant": "classic"}, "message"),
        ({"variant": "classic", "seats": []}, "message"),
        ({"variant": "classic", "seats": [{}] * 6}, "message"),
        ({"variant": "classic", "seats": [{}], "seconds": 1}, "message"),
        ({"variant": "classic", "seats": [{}], "more": 1}, "message"),
        ({"variant": "chess", "seats": [{}]}, "variant"),
        ({"variant": "../classic.toml", "seats": [{}]}, "variant"),
        ({"variant": "classic", "seats": [{"bot": "nobody"}]}, "bot"),
        ({"variant": "classic", "seats": [{"lucky": [5, 8]}]}, "lucky"),
        (b"x" * 20_000, "too-large"),
    ],
)
def test_tables_that_cannot_be_created(server: Server, body: object, code: str) -> None:
    answer = server.ask("/api/tables", body)
    assert answer.status == CODES[code][0]
    assert answer.json["code"] == code


def test_wrong_addresses(server: Server) -> None:
    assert server.ask("/nothing").json == {"code": "not-found", "values": {}}
    answer = server.ask("/api/tables", method="DELETE")
    assert (answer.status, answer.json["code"]) == (405, "method")
    assert server.ask("/api/tables/abc234/record").json["code"] == "no-table"


def test_codes_in_any_spelling(server: Server) -> None:
    table = server.create(2)
    typed = f"{table[:3].lower()}-{table[3:]}"
    assert server.ask(f"/api/tables/{typed}").json["table"] == table


def test_joining(server: Server) -> None:
    table = server.create(2)
    assert server.ask(f"/api/tables/{table}/record").json["code"] == "not-started"
    anna = person("Anna")
    answer = server.ask(f"/api/tables/{table}/seats", {"people": [anna]})
    assert answer.json == {"table": table, "seats": [{"seat": 0, "name": "Anna"}], "seq": 2}
    for names, code in ((["Anna"], "name-taken"), (["A", "B"], "full"), ([" B"], "name")):
        people = [person(name) for name in names]
        assert server.ask(f"/api/tables/{table}/seats", {"people": people}).json["code"] == code
    short = {"name": "Ben", "secret": "0123456789"}
    assert server.ask(f"/api/tables/{table}/seats", {"people": [short]}).json["code"] == "message"
    server.join(table, "Ben")
    assert server.ask(f"/api/tables/{table}/seats", {"people": [person("Chloe")]}).json["code"] == "started"


def test_a_repeated_join_is_executed_once(server: Server) -> None:
    """The same request again is answered with the same seat, also after the game has started."""
    table = server.create(2)
    anna, ben = person("Anna"), person("Ben")
    path = f"/api/tables/{table}/seats"
    first = server.ask(path, {"people": [anna]})
    assert server.ask(path, {"people": [anna]}).json == first.json
    assert [seat["name"] for seat in server.ask(f"/api/tables/{table}").json["seats"]] == ["Anna", None]
    for people in ([{**anna, "name": "Other"}], [anna, ben], [ben, {**ben, "name": "Other"}]):
        assert server.ask(path, {"people": people}).json["code"] == "secret"
    assert server.ask(path, {"people": [ben]}).status == 201
    answer = server.ask(path, {"people": [anna]})
    assert answer.status == 201
    names = [seat["name"] for seat in server.ask(f"/api/tables/{table}").json["seats"]]
    assert names[answer.json["seats"][0]["seat"]] == "Anna"


def test_a_repeated_request_creates_one_table(tmp_path: Path) -> None:
    """Also after a restart; the same id with another body is refused."""
    body = {"variant": "longo", "seats": [{}, {"bot": "greedy"}], "id": "0123456789abcdef"}
    with Server(tmp_path) as server:
        table = server.ask("/api/tables", body).json["table"]
        assert server.ask("/api/tables", body).json["table"] == table
        assert server.ask("/api/tables", {**body, "id": "fedcba9876543210"}).json["table"] != table
        server.kill()
        server.start()
        assert server.ask("/api/tables", body).json["table"] == table
        other = server.ask("/api/tables", {**body, "variant": "classic"})
        assert (other.status, other.json["code"]) == (409, "id-reused")
        assert server.ask(f"/api/tables/{table}").json["variant"] == "longo"


def test_concurrent_requests_with_one_id_create_one_table(server: Server) -> None:
    body = {"variant": "classic", "seats": [{}], "id": "asked at the same time"}
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(lambda _: server.ask("/api/tables", body).json["table"], range(24)))
    assert len(set(made)) == 1
    with ThreadPoolExecutor(8) as pool:
        anna = {"people": [person("Anna")]}
        answers = list(pool.map(lambda _: server.ask(f"/api/tables/{made[0]}/seats", anna).status, range(24)))
    assert set(answers) == {201}


def test_record_and_replay_of_a_running_game(server: Server) -> None:
    """What has been revealed, and nothing else."""
    table = server.create(2)
    device = Device(server, table, server.join(table, "Anna", "Ben"))

    async def decide() -> None:
        await device.open()
        view = await device.next_view()
        own = view["own"][0]
        option = own["options"][-1]["option"]
        answer = await device.command(type="decide", seat=own["seat"], turn=1, phase="white", option=option)
        assert answer["type"] == "ack"
        await device.close()

    asyncio.run(asyncio.wait_for(decide(), 20))
    assert len(server.ask(f"/api/tables/{table}").json["decided"]) == 1
    answer = server.ask(f"/api/tables/{table}/record")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{table}.rlk"'
    game = parse(answer.body.decode())
    assert (game.turn, game.phase) == (1, "white")
    assert len(game.to_act) == 2
    replay = server.ask(f"/api/tables/{table}/replay").json
    assert [{**turn, "dice": turn["dice"]["roll"]} for turn in replay["log"]] == [{"active": 0, "dice": game.dice}]
    assert [position["phase"] for position in replay["positions"]] == ["white"]


def test_replay_of_a_whole_game(server: Server) -> None:
    table = server.create(["greedy", "random"])
    while server.ask(f"/api/tables/{table}").json["state"] != "over":
        pass
    replay = server.ask(f"/api/tables/{table}/replay").json
    game = parse(server.ask(f"/api/tables/{table}/record").body.decode())
    assert len(replay["positions"]) == len(list(game.moments())) + 1
    assert replay["positions"][-1]["scores"] == list(game.scores) == replay["result"]["scores"]


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path, requests_per_second=1, tables_per_hour=3) as running:
        yield running


def test_requests_and_tables_are_limited(strict: Server) -> None:
    body = {"variant": "classic", "seats": [{}]}
    answers = [strict.ask("/api/tables", body) for _ in range(4)]
    assert [answer.status for answer in answers] == [201, 201, 201, 429]
    assert answers[-1].json["code"] == "too-fast"
    assert int(answers[-1].headers["Retry-After"]) > 60
    for path in ("/api/bots", "/openapi.json", "/", "/index.css"):
        with ThreadPoolExecutor(8) as pool:
            assert 429 in set(pool.map(lambda _, path=path: strict.ask(path).status, range(40))), path
        assert strict.ask("/health").status == 200


def test_tables_in_all_are_limited(tmp_path: Path) -> None:
    """Also those that an earlier start has created count."""
    body = {"variant": "classic", "seats": [{}]}
    with Server(tmp_path, max_tables=2) as server:
        assert server.ask("/api/tables", body).status == 201
        server.kill()
        server.start()
        answers = [server.ask("/api/tables", body) for _ in range(100)]  # the server counts meanwhile
        assert answers[0].status == 201
        assert answers[-1].json == {"code": "server-full", "values": {"most": 2}}


def test_a_full_server_still_answers_a_repeated_request(tmp_path: Path) -> None:
    body = {"variant": "classic", "seats": [{}], "id": "0123456789abcdef"}
    with Server(tmp_path, max_tables=1) as server:
        table = server.ask("/api/tables", body).json["table"]
        assert server.ask("/api/tables", body).json["table"] == table
        assert server.ask("/api/tables", {**body, "id": "fedcba9876543210"}).json["code"] == "server-full"
        assert server.ask("/api/tables", {**body, "variant": "longo"}).json["code"] == "id-reused"


def test_every_code_is_in_the_openapi_document(server: Server) -> None:
    page = json.dumps(server.ask("/openapi.json").json)
    assert json.loads(page) == document()
    for code in ("no-table", "name-taken", "handover", "not-over", "too-large"):
        assert f"{code}: {CODES[code][1]}" in page
