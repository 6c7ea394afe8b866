"""Seats: secrets, handing over, absence, substitute bots, time limits, rematches and restarts."""

import asyncio
import json
import time
from collections.abc import Coroutine, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.server.playing import Device
from tests.server.serving import Server, person


@pytest.fixture(scope="module")
def brisk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with short times until players are absent and handover codes expire."""
    with Server(tmp_path_factory.mktemp("brisk"), absent_seconds=0.5, handover_seconds=0.5) as running:
        yield running


def run(work: Coroutine[Any, Any, None]) -> None:
    asyncio.run(asyncio.wait_for(work, 180))


async def _open(server: Server, table: str, secrets: list[str]) -> Device:
    device = Device(server, table, secrets)
    await device.open()
    await device.next_view()
    return device


def _decision(view: dict[str, Any], option: str | None = None) -> dict[str, Any]:
    """A decision for the first seat of a device that is to decide."""
    own = next(own for own in view["own"] if own["options"])
    where = {"turn": view["position"]["turn"], "phase": view["position"]["phase"]}
    return {"type": "decide", "seat": own["seat"], "option": option or own["options"][0]["option"], **where}


def test_who_begins_is_drawn_by_lot_and_order_is_the_seating(server: Server) -> None:
    """Rulings, 7: turn order is the seating order; who starts is drawn by lot."""
    seen = set()
    for _ in range(40):
        table = server.create(3)
        server.join(table, "Anna", "Ben", "Chloe")
        names = "".join(seat["name"][0] for seat in server.ask(f"/api/tables/{table}").json["seats"])
        assert names in "ABCABC"
        seen.add(names)
    assert seen == {"ABC", "BCA", "CAB"}


def test_nobody_acts_for_a_seat_without_its_secret(server: Server) -> None:
    async def play() -> None:
        table = server.create(2)
        anna = await _open(server, table, server.join(table, "Anna"))
        ben = await _open(server, table, server.join(table, "Ben"))
        watcher = await _open(server, table, [])
        view = await anna.next_view() if anna.view and anna.view["state"] == "waiting" else anna.view
        assert view
        decision = _decision(view)
        for other in (ben, watcher):
            answer = await other.command(**decision)
            assert (answer["type"], answer["code"]) == ("error", "not-yours")
        for device in (anna, ben, watcher):
            await device.close()
        liar = Device(server, table, ["x" * 43])
        await liar.open()
        assert (await liar.receive())["code"] == "secret"
        await liar.close()

    run(play())


def test_a_device_holds_several_seats(server: Server) -> None:
    async def play() -> None:
        table = server.create(3)
        both = await _open(server, table, server.join(table, "Anna", "Ben"))
        other = Device(server, table, server.join(table, "Chloe"))
        views = await asyncio.gather(both.play(), other.play())
        assert len(views[0]["own"]) == 2

    run(play())


def test_a_seat_is_handed_to_another_device_once(server: Server) -> None:
    async def play() -> None:
        table = server.create([None, "greedy"])
        (secret,) = server.join(table, "Anna")
        old = await _open(server, table, [secret])
        code = server.ask(f"/api/tables/{table}/handover", {"secret": secret}).json["handover"]
        body = {"handover": code.lower(), "secret": person("")["secret"]}
        claimed = server.ask(f"/api/tables/{table}/claim", body).json
        assert claimed["name"] == "Anna"
        # Its answer may have been lost: the same device may ask again, nobody else.
        assert server.ask(f"/api/tables/{table}/claim", body).json == claimed
        again = server.ask(f"/api/tables/{table}/claim", {**body, "secret": person("")["secret"]})
        assert (again.status, again.json["code"]) == (403, "handover")
        view = await old.until(lambda frame: frame["type"] == "view" and not frame["own"])
        assert view["seats"][claimed["seat"]]["name"] == "Anna"
        new = await _open(server, table, [body["secret"]])
        assert new.view
        assert (await old.command(**_decision(new.view)))["code"] == "not-yours"
        assert (await new.command(**_decision(new.view)))["type"] == "ack"
        await old.close()
        await new.close()

    run(play())


def test_start_leave_and_replace_are_done_once(brisk: Server) -> None:
    """Sent again with the same id they are answered as the first time, also on another connection."""

    async def play() -> None:
        table = brisk.create(4)
        (first,), (second,), (third,) = (brisk.join(table, name) for name in ("Anna", "Ben", "Chloe"))
        anna, chloe = await _open(brisk, table, [first]), await _open(brisk, table, [third])
        leave = {"type": "leave", "seat": 2, "id": "leave"}
        left = await chloe.command(**leave)
        assert left["type"] == "ack"
        assert await chloe.command(**leave) == left
        await chloe.close()
        chloe = await _open(brisk, table, [])
        assert await chloe.command(**leave) == left
        assert (await chloe.command(**{**leave, "id": "other"}))["code"] == "not-yours"
        # The next player of the seat may use the same id.
        dora = await _open(brisk, table, brisk.join(table, "Dora"))
        again = await dora.command(**leave)
        assert again["seq"] > left["seq"]
        start = {"type": "start", "id": "start"}
        started = await anna.command(**start)
        assert started["type"] == "ack"
        assert await anna.command(**start) == started
        assert (await anna.command(type="start", id="other"))["code"] == "started"
        view = await anna.until_view(lambda view: any(seat["absent"] for seat in view["seats"]))
        seat = next(number for number, one in enumerate(view["seats"]) if one["name"] == "Ben")
        replace = {"type": "replace", "seat": seat, "bot": "greedy", "id": "replace"}
        replaced = await anna.command(**replace)
        assert replaced["type"] == "ack"
        ben = await _open(brisk, table, [second])
        await ben.until_view(lambda view: view["seats"][seat]["bot"] is None)
        assert await anna.command(**replace) == replaced
        assert (await anna.command(**{**replace, "bot": "random"}))["code"] == "id-reused"
        assert (await ben.command(type="start", id="start")) == started
        for device in (anna, ben, chloe, dora):
            await device.close()

    run(play())


def test_a_seat_without_its_secret_in_a_second_hello_becomes_absent(brisk: Server) -> None:
    """The time until the player is absent counts from the second hello."""

    async def play() -> None:
        table = brisk.create(2)
        secrets = brisk.join(table, "Anna", "Ben")
        device = await _open(brisk, table, secrets)
        await asyncio.sleep(0.7)
        await device.send(type="hello", version=2, table=table, secrets=secrets[:1])
        view = await device.until(lambda frame: frame["type"] == "view" and len(frame["own"]) == 1)
        ben = next(number for number, seat in enumerate(view["seats"]) if seat["name"] == "Ben")
        assert (view["seats"][ben]["connected"], view["seats"][ben]["absent"]) == (False, False)
        await device.until_view(lambda view: view["seats"][ben]["absent"])
        await device.close()

    run(play())


def test_a_handover_code_expires(brisk: Server) -> None:
    table = brisk.create([None, "greedy"])
    (secret,) = brisk.join(table, "Anna")
    code = brisk.ask(f"/api/tables/{table}/handover", {"secret": secret}).json["handover"]
    time.sleep(0.6)
    body = {"handover": code, "secret": person("")["secret"]}
    assert brisk.ask(f"/api/tables/{table}/claim", body).json["code"] == "handover"
    assert brisk.ask(f"/api/tables/{table}/handover", {"secret": "wrong"}).json["code"] == "secret"


def test_a_bot_plays_for_an_absent_player_until_they_return(brisk: Server) -> None:
    async def play() -> None:
        table = brisk.create(2)
        (first,) = brisk.join(table, "Anna")
        (second,) = brisk.join(table, "Ben")
        anna, ben = await _open(brisk, table, [first]), await _open(brisk, table, [second])
        assert ben.view
        seat = ben.view["own"][0]["seat"]
        early = await anna.command(type="replace", seat=seat, bot="greedy")
        assert early["code"] == "not-absent"
        await ben.lose()
        await anna.until_view(lambda view: not view["seats"][seat]["connected"])
        await anna.until_view(lambda view: view["seats"][seat]["absent"])
        watcher = await _open(brisk, table, [])
        assert (await watcher.command(type="replace", seat=seat, bot="greedy"))["code"] == "secret"
        await watcher.close()
        assert (await anna.command(type="replace", seat=seat, bot="nobody"))["code"] == "bot"
        assert (await anna.command(type="replace", seat=seat, bot="greedy"))["type"] == "ack"
        view = await anna.until_view(lambda view: seat in view["decided"])
        assert view["seats"][seat] == {**view["seats"][seat], "kind": "person", "bot": "greedy"}
        await ben.open()
        await anna.until_view(lambda view: view["seats"][seat]["bot"] is None)
        await anna.close()
        await ben.close()

    run(play())


def test_players_who_have_not_decided_at_the_deadline_pass(server: Server) -> None:
    async def play() -> None:
        table = server.create([None, "greedy"], seconds=5)
        began = int(1000 * time.time())
        anna = await _open(server, table, server.join(table, "Anna"))
        assert anna.view
        assert began + 5000 <= anna.view["deadline"] <= anna.view["now"] + 5000
        seat = anna.view["own"][0]["seat"]
        view = await anna.until(lambda frame: frame["type"] == "view" and "white" in frame["log"][0])
        assert view["log"][0]["white"][seat] == {"option": "-", "marks": []}
        await anna.close()

    run(play())


def test_take_back_until_everybody_has_decided(server: Server) -> None:
    async def play() -> None:
        table = server.create(2)
        anna = await _open(server, table, server.join(table, "Anna"))
        ben = await _open(server, table, server.join(table, "Ben"))
        decision = _decision(await anna.until_view(lambda view: view["state"] == "running"))
        where = {key: decision[key] for key in ("seat", "turn", "phase")}
        assert (await anna.command(type="withdraw", **where))["code"] == "not-decided"
        assert (await anna.command(**decision))["type"] == "ack"
        assert (await anna.command(**decision))["code"] == "decided"
        assert (await anna.command(type="withdraw", **where))["type"] == "ack"
        assert (await anna.command(**decision))["type"] == "ack"
        assert ben.view
        assert (await ben.command(**_decision(ben.view)))["type"] == "ack"
        assert (await anna.command(type="withdraw", **where))["code"] == "past"
        await anna.close()
        await ben.close()

    run(play())


def test_start_without_the_free_seats(server: Server) -> None:
    async def play() -> None:
        table = server.create([None, None, None, "random"])
        anna = await _open(server, table, server.join(table, "Anna"))
        ben = await _open(server, table, server.join(table, "Ben"))
        assert ben.view
        assert (await ben.command(type="leave", seat=ben.view["own"][0]["seat"]))["type"] == "ack"
        server.join(table, "Chloe")
        assert (await anna.command(type="start"))["type"] == "ack"
        assert (await anna.command(type="start"))["code"] == "started"
        view = await anna.until_view(lambda view: view["state"] == "running")
        assert {seat["name"] for seat in view["seats"]} == {"Anna", "Chloe", "random"}
        await anna.close()
        await ben.close()

    run(play())


def test_a_rematch_keeps_the_secrets(server: Server) -> None:
    async def play() -> None:
        table = server.create([None, None, "greedy"], "longo")
        (first,) = server.join(table, "Anna")
        (second,) = server.join(table, "Ben")
        anna, ben = [Device(server, table, [secret]) for secret in (first, second)]
        await anna.open()
        refused = await anna.command(type="rematch", seat=(await anna.next_view())["own"][0]["seat"], agree=True)
        assert refused["code"] == "not-over"
        await asyncio.gather(anna.play(), ben.play())
        again = await _rematch(anna, ben)
        devices = [Device(server, again, [secret]) for secret in (first, second)]
        views = await asyncio.gather(*(device.play() for device in devices))
        assert {seat["name"] for seat in views[0]["seats"]} == {"Anna", "Ben", "greedy"}

    run(play())


async def _rematch(*devices: Device) -> str:
    """Open the devices again, agree to a rematch on all of them and return its table."""
    for device in devices:
        await device.open()
        await device.next_view()
    for device in devices:
        answer = await _answer(device, agree=True)
        assert answer["type"] == "ack"
    view = await devices[0].until_view(lambda view: bool(view["rematch"]["table"]))
    for device in devices:
        await device.close()
    table: str = view["rematch"]["table"]
    return table


async def _answer(device: Device, *, agree: bool) -> dict[str, Any]:
    assert device.view
    return await device.command(type="rematch", seat=device.view["own"][0]["seat"], agree=agree)


def test_a_rematch_waits_until_every_player_has_answered(brisk: Server) -> None:
    """Who declines or is absent does not play; who reads the scores loses nothing."""

    async def play() -> None:
        table = brisk.create(4)
        secrets = brisk.join(table, "Anna", "Ben", "Chloe", "Dan")
        devices = [Device(brisk, table, [secret], seed=7) for secret in secrets]
        await asyncio.gather(*(device.play() for device in devices))
        anna, ben, chloe, _ = devices  # Dan has left
        for device in (anna, ben, chloe):
            await device.open()
            await device.next_view()
        await anna.until_view(lambda view: [seat["absent"] for seat in view["seats"]].count(True) == 1)
        await _answer(anna, agree=True)
        await _answer(ben, agree=False)
        view = await anna.until_view(lambda view: bool(view["rematch"]["declined"]))
        assert view["rematch"]["table"] is None  # Chloe has not answered
        await _answer(chloe, agree=True)
        view = await anna.until_view(lambda view: bool(view["rematch"]["table"]))
        playing = {view["seats"][seat]["name"] for seat in view["rematch"]["agreed"]}
        assert playing == {"Anna", "Chloe"}
        again = Device(brisk, view["rematch"]["table"], secrets[:1])
        await again.open()
        assert {seat["name"] for seat in (await again.next_view())["seats"]} == {"Anna", "Chloe"}
        for device in (anna, ben, chloe, again):
            await device.close()

    run(play())


def test_a_rematch_starts_when_the_last_silent_player_is_absent(brisk: Server) -> None:
    """A short disconnection is not enough: `absent_seconds` must have passed."""

    async def play() -> None:
        table = brisk.create(2)
        secrets = brisk.join(table, "Anna", "Ben")
        anna, ben = devices = [Device(brisk, table, [secret], seed=8) for secret in secrets]
        await asyncio.gather(*(device.play() for device in devices))
        for device in devices:
            await device.open()
            await device.next_view()
        await anna.until_view(lambda view: all(seat["connected"] for seat in view["seats"]))
        await _answer(anna, agree=True)
        await ben.close()
        assert await anna.until_view(lambda view: bool(view["rematch"]["table"]))
        await anna.close()

    run(play())


def test_rematches_count_as_tables(tmp_path: Path) -> None:
    """Answering again counts once."""

    async def play(server: Server) -> None:
        table = server.create(1)
        (secret,) = server.join(table, "Anna")
        device = Device(server, table, [secret])
        await device.play()
        again = Device(server, await _rematch(device), [secret])
        await again.play()
        await again.open()
        await again.next_view()
        assert (await _answer(again, agree=True))["code"] == "too-fast"
        await again.close()

    with Server(tmp_path, tables_per_hour=2) as server:
        run(play(server))


async def _play_out(device: Device) -> None:
    await device.play()


def test_a_table_of_bots_plays_by_itself(server: Server) -> None:
    async def play() -> None:
        table = server.create(["random", "eager", "greedy", "evolved"])
        view = await Device(server, table, []).play()
        assert view["result"]["reason"] in ("rows", "misthrows")

    run(play())


def test_bots_and_deadlines_continue_after_a_restart(tmp_path: Path) -> None:
    """Without any connection: a table of bots ends, a deadline passes, a substitute bot stays."""

    async def before(server: Server) -> list[str]:
        timed = server.create([None, "greedy"], seconds=5)
        server.join(timed, "Anna")
        table = server.create(2)
        (first,) = server.join(table, "Anna")
        (second,) = server.join(table, "Ben")
        anna = await _open(server, table, [first])
        assert anna.view
        seat = next(i for i, one in enumerate(anna.view["seats"]) if one["name"] == "Ben")
        await asyncio.sleep(0.4)
        assert (await anna.command(type="replace", seat=seat, bot="greedy"))["type"] == "ack"
        await anna.close()
        bots = server.create(["random", "greedy", "random"])
        return [bots, timed, table, first, second]

    server = Server(tmp_path, absent_seconds=0.3, bot_pause=0.05)
    with server:
        bots, timed, table, first, _ = asyncio.run(before(server))
        server.kill()
        server.start()
        began = time.monotonic()
        while server.ask(f"/api/tables/{bots}").json["state"] != "over":
            assert time.monotonic() - began < 120
            time.sleep(0.1)
        view = server.ask(f"/api/tables/{table}").json
        assert {seat["name"]: seat["bot"] for seat in view["seats"]} == {"Anna": None, "Ben": "greedy"}
        while not server.ask(f"/api/tables/{timed}").json["log"][0].get("white"):
            assert time.monotonic() - began < 120
            time.sleep(0.1)
        asyncio.run(asyncio.wait_for(Device(server, table, [first]).play(), 60))


def test_old_tables_are_deleted(tmp_path: Path) -> None:
    """Only those whose game has ended, not one that waits for players."""
    with Server(tmp_path, keep_days=0) as server:
        table, waiting = server.create(["random"]), server.create(2)
        began = time.monotonic()
        while server.ask(f"/api/tables/{table}").json["state"] != "over":
            assert time.monotonic() - began < 120
            time.sleep(0.05)
        server.stop()
        server.start()
        # A request would keep the table in memory: the log shows when it is deleted.
        began = time.monotonic()
        while "1 old tables deleted" not in server.log.read_text():
            assert time.monotonic() - began < 120
            time.sleep(0.05)
        assert server.ask(f"/api/tables/{table}").json == json.loads('{"code": "no-table", "values": {}}')
        assert server.ask(f"/api/tables/{waiting}").json["state"] == "waiting"
