"""What is stored about people: for how long, and how a person is forgotten."""

import asyncio
import json
import secrets
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from rowlock.server import commands, forgetting, protocol
from rowlock.server.events import AnyEvent, Ended, Handed, Offered, Seated, Starting
from rowlock.server.refusal import Refused
from rowlock.server.secret import hash_of
from rowlock.server.settings import Settings
from rowlock.server.storage import StorageFailure
from rowlock.server.table import Table
from rowlock.server.table_registry import TableRegistry
from tests.command import run
from tests.server.playing import Device
from tests.server.serving import Answer, Server, person
from tests.server.test_clock import DAY, Clocks
from tests.server.test_fairness import played


def stored_bytes(directory: Path) -> bytes:
    """All bytes of the database, with its log and with what was deleted."""
    return b"".join(file.read_bytes() for file in sorted(directory.glob("rowlock.db*")) if not file.is_socket())


def forget(server: Server, table: str, secret: str) -> Answer:
    return server.ask(f"/api/tables/{table}/forget", {"secret": secret})


# For how long


@pytest.mark.parametrize(("ended", "days"), [(True, 90), (False, 365)])
def test_tables_are_kept_for_so_many_days(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ended: bool, days: int
) -> None:
    """`keep_days` after the end of the game, `keep_unfinished_days` after the last event; then nothing is left."""
    clocks = Clocks(monkeypatch)
    settings = Settings(database=f"sqlite:///{tmp_path / 'rowlock.db'}", news_seconds=1000)
    assert {True: settings.keep_days, False: settings.keep_unfinished_days}[ended] == days

    async def create(registry: TableRegistry, name: str) -> str:
        session = await registry.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2))
        await session.submit(lambda table, _: commands.join(table, [name, "Ben"], ["1" * 64, "2" * 64]))
        if ended:
            await registry.storage.append([session.history.append(Ended((0, 0)), session.table.created_at)])
        return session.table.code

    async def tables_after(more_days: float) -> int:
        clocks.pass_by(int(more_days * DAY))
        registry = TableRegistry(settings)
        await registry.storage.open()
        await registry._delete_old_tables()
        count = await registry.storage.count_tables()
        await registry.storage.close()
        return count

    async def work() -> None:
        registry = TableRegistry(settings)
        await registry.open()
        await create(registry, "Zaphod")
        clocks.pass_by(DAY)
        await create(registry, "Trillian")
        await registry.close()
        assert await tables_after(days - 1.1) == 2
        assert await tables_after(0.2) == 1
        stored = stored_bytes(tmp_path)
        assert b"Zaphod" not in stored
        assert b"Trillian" in stored

    asyncio.run(work())


# Forgetting


def test_a_person_is_forgotten_after_a_game(tmp_path: Path) -> None:
    """Name and secrets are gone from every byte of the database; the others notice no change of the history."""

    async def play(server: Server, table: str, people: list[str]) -> dict[str, Any]:
        devices = [Device(server, table, [secret], number) for number, secret in enumerate(people, 1)]
        await asyncio.gather(*(device.play() for device in devices))
        ben = devices[1]
        await ben.open()
        await ben.next_view()
        assert (await asyncio.to_thread(forget, server, table, people[0])).status == 200
        view = await ben.until(lambda frame: "Zaphod" not in [seat["name"] for seat in frame.get("seats", [])])
        await ben.close()
        # With the hash of an event before: its answer is the same as ever.
        earlier = next(frame for frame in ben.frames if frame["type"] == "view" and frame["seq"] < view["seq"])
        ben.view = earlier
        await ben.open()
        ack = await ben.until(lambda frame: frame["type"] == "ack" and "hash" in frame)
        assert ack["hash"] == earlier["hash"]
        await ben.close()
        return view

    with Server(tmp_path) as server:
        table = server.create(2)
        first, other = person("Zaphod"), person("Ben")
        server.ask(f"/api/tables/{table}/seats", {"people": [first]})
        # Handed to another device, whose secret counts from then on.
        code = server.ask(f"/api/tables/{table}/handover", {"secret": first["secret"]}).json["handover"]
        secret = secrets.token_hex(32)
        server.ask(f"/api/tables/{table}/claim", {"handover": code, "secret": secret})
        server.ask(f"/api/tables/{table}/seats", {"people": [other]})
        view = asyncio.run(play(server, table, [secret, other["secret"]]))
        [name] = [seat["name"] for seat in view["seats"] if seat["name"] != "Ben"]
        assert name in ("Player 1", "Player 2")
        stored = stored_bytes(tmp_path)
        for gone in ("Zaphod", hash_of(first["secret"]), hash_of(secret), hash_of(code)):
            assert gone.encode() not in stored
        assert hash_of(other["secret"]).encode() in stored
        assert forget(server, table, secret).json["code"] == "secret"
        assert b"Zaphod" not in server.ask(f"/api/tables/{table}/record").body
        assert b"Zaphod" not in server.ask(f"/api/tables/{table}/replay").body
    assert run("db", "check", "--database", server.database).returncode == 0
    with server:
        again = server.ask(f"/api/tables/{table}").json
        assert [seat["name"] for seat in again["seats"]] == [seat["name"] for seat in view["seats"]]
        assert (again["hash"], again["result"]) == (view["hash"], view["result"])


def test_a_person_is_forgotten_in_a_running_game(tmp_path: Path) -> None:
    """The seat belongs to nobody; the others see somebody absent, and may let a bot play."""

    async def play(server: Server) -> None:
        table = server.create(2)
        zaphod, ben = server.join(table, "Zaphod"), server.join(table, "Ben")
        devices = [Device(server, table, zaphod, 1), Device(server, table, ben, 2)]
        await asyncio.gather(*(device.play(turns=2) for device in devices))
        assert (await asyncio.to_thread(forget, server, table, zaphod[0])).status == 200
        device = devices[1]
        await device.open()
        view = await device.until_view(lambda view: "Zaphod" not in [seat["name"] for seat in view["seats"]])
        [gone] = [number for number, seat in enumerate(view["seats"]) if seat["name"] != "Ben"]
        await device.until_view(lambda view: bool(view["seats"][gone]["absent"]))
        assert (await device.command(type="replace", seat=gone, bot="greedy"))["type"] == "ack"
        assert (await device.play())["state"] == "over"
        late = Device(server, table, zaphod)
        await late.open()
        assert (await late.until(lambda frame: frame["type"] == "error"))["code"] == "secret"
        await late.close()

    with Server(tmp_path, absent_seconds=0.1) as server:
        asyncio.run(play(server))
        assert b"Zaphod" not in stored_bytes(tmp_path)


def test_a_person_is_forgotten_in_rematches(tmp_path: Path) -> None:
    """Their device may have been switched off when a rematch began."""

    async def play(server: Server, table: str, secret: str) -> str:
        device = Device(server, table, [secret], 1)
        await device.play()
        await device.open()
        view = await device.next_view()
        await device.command(type="rematch", seat=view["own"][0]["seat"], agree=True)
        view = await device.until_view(lambda view: bool(view["rematch"]["table"]))
        await device.close()
        return str(view["rematch"]["table"])

    with Server(tmp_path) as server:
        first = server.create([None, "greedy"])
        [secret] = server.join(first, "Zaphod")
        second = asyncio.run(play(server, first, secret))
        third = asyncio.run(play(server, second, secret))
        assert forget(server, first, secret).status == 200
        assert b"Zaphod" not in stored_bytes(tmp_path)
        assert [forget(server, table, secret).json["code"] for table in (first, second, third)] == ["secret"] * 3


def test_a_person_is_forgotten_before_the_game(tmp_path: Path) -> None:
    """Also where the person sat there before, under the same name; the seat is free."""
    with Server(tmp_path) as server:
        table = server.create(3)
        for _ in range(2):
            [secret] = server.join(table, "Zaphod")
            assert forget(server, table, secret).status == 200
            assert [seat["name"] for seat in server.ask(f"/api/tables/{table}").json["seats"]] == [None] * 3
        assert b"Zaphod" not in stored_bytes(tmp_path)
        server.join(table, "Anna", "Ben", "Cem")
        assert server.ask(f"/api/tables/{table}").json["state"] == "running"
        assert forget(server, table, secret).json["code"] == "secret"
        assert forget(server, "ZZZZZZ", secret).json["code"] == "no-table"


def test_who_leaves_before_the_game_is_forgotten(tmp_path: Path) -> None:
    """Also who is removed by the host, and who has handed the seat over before; the game goes on as ever."""

    async def leave(server: Server, table: str) -> list[str]:
        host = Device(server, table, server.join(table, "Anna"))
        await host.open()
        [secret] = server.join(table, "Zaphod")
        code = server.ask(f"/api/tables/{table}/handover", {"secret": secret}).json["handover"]
        other = secrets.token_hex(32)
        server.ask(f"/api/tables/{table}/claim", {"handover": code, "secret": other})
        device = Device(server, table, [other])
        await device.open()
        left = protocol.Leave(table, 1, "left")
        for _ in range(2):  # the answer was lost
            assert (await device.command(**msgspec.to_builtins(left)))["type"] == "ack"
        server.join(table, "Trillian")
        assert (await host.command(type="remove", seat=1))["type"] == "ack"
        for one in (host, device):
            await one.close()
        return [secret, code, other]

    with Server(tmp_path) as server:
        table = server.create(3)
        given = asyncio.run(leave(server, table))
        stored = stored_bytes(tmp_path)
        assert b"Anna" in stored
        assert all(gone.encode() not in stored for gone in ("Zaphod", "Trillian", *map(hash_of, given)))
        seats = server.ask(f"/api/tables/{table}").json["seats"]
        assert [seat["name"] for seat in seats] == ["Anna", None, None]
        server.kill()
    assert run("db", "check", "--database", server.database).returncode == 0
    with server:
        assert server.ask(f"/api/tables/{table}").json["seats"] == [{**seat, "connected": False} for seat in seats]
        server.join(table, "Zaphod", "Trillian")
        assert server.ask(f"/api/tables/{table}").json["state"] == "running"


def test_a_person_is_forgotten_while_the_game_starts() -> None:
    """The start goes on: it fails in time without this person's share, or the game begins with an empty seat."""
    table = Table("ABC234")
    seats = [protocol.SeatRequest()] * 2
    commands.apply_events(table, commands.create(protocol.TableRequest("classic", seats)), 1)
    commands.apply_events(table, [Seated(0, "Zaphod", "1" * 64, shares=True), Seated(1, "Ben", "2" * 64)], 1)
    commands.apply_events(table, [Starting((0, 1), "seed")], 1)
    commands.apply_events(table, [forgetting.forgotten(table, 0)], 1)
    assert [seat.name for seat in table.seats] == ["Player 1", "Ben"]
    assert not any(seat.free for seat in table.seats)
    commands.apply_events(table, commands.void_start(table, 10**9), 10**9)
    assert (table.voided, table.void_starts) == ((), 1)
    assert [seat.free for seat in table.seats] == [True, False]
    commands.apply_events(table, [Seated(0, "Trillian", "3" * 64)], 1)
    assert table.complete


def test_dice_can_be_checked_after_a_person_is_forgotten() -> None:
    """The share of the chance stays, under the other name."""
    _, givers, table = played()
    event = forgetting.forgotten(table, table.seat_number_of(hash_of("Anna")))
    commands.apply_events(table, [event], 1)
    assert table.game
    record = table.game.record()
    assert "Anna" not in record
    assert givers["Ben"].verify(record) == "checked"
    assert givers["Anna"].verify(record) == "wrong"  # to oneself this would be another person's share
    exchanged = record.replace("Ben", "somebody").replace(event.name, "Ben").replace("somebody", event.name)
    assert givers["Ben"].verify(exchanged) == "wrong"


def test_an_administrator_can_forget_a_person(tmp_path: Path) -> None:
    """For people who have lost the device on which they played."""
    with Server(tmp_path) as server:
        table = server.create([None, "greedy"])
        server.join(table, "Zaphod")
        where = ("--database", server.database)
        done = run("admin", "forget", table, "Zaphod", *where)
        assert (done.returncode, done.stdout) == (0, f"Zaphod forgotten at {table}\n")
        assert b"Zaphod" not in stored_bytes(tmp_path)
        for name in ("Zaphod", "greedy", "Player 1", "Player 2"):
            done = run("admin", "forget", table, name, *where)
            assert (done.returncode, done.stderr) == (2, f"rowlock: {table}: nobody there has the name {name!r}\n")
        assert "Zaphod" not in server.log.read_text()


def test_names_of_forgotten_people_are_unique() -> None:
    table = _table(["Player 2", "Ben"])
    assert forgetting.forgotten(table, 1).name == "Player 2 2"


def _table(names: list[str]) -> Table:
    table = Table("ABC234")
    commands.apply_events(
        table, commands.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * len(names))), 1
    )
    hashes = [str(number) * 64 for number in range(1, len(names) + 1)]
    outcome = commands.join(table, names, hashes)
    assert isinstance(outcome, list)
    commands.apply_events(table, outcome, 1)
    table.seats.sort(key=lambda seat: seat.joined)  # the first player was drawn by lot
    return table


def test_a_crash_while_a_person_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The event is stored and the names are not erased yet: the same request again completes it."""

    async def work() -> None:
        registry = TableRegistry(Settings(database=f"sqlite:///{tmp_path / 'rowlock.db'}"))
        await registry.open()
        session = await registry.create(protocol.TableRequest("classic", [protocol.SeatRequest()] * 2))
        await session.submit(lambda table, _: commands.join(table, ["Zaphod", "Ben"], ["1" * 64, "2" * 64]))

        zaphod = forgetting.with_secret("1" * 64)

        async def fail(*_: object) -> None:
            raise StorageFailure

        with monkeypatch.context() as patch:
            patch.setattr(registry.storage, "replace", fail)
            with pytest.raises(Refused, match="storage"):
                await forgetting.forget(session, zaphod)
        assert b"Zaphod" in stored_bytes(tmp_path)
        assert await forgetting.forget(session, zaphod) == session.table.seq
        assert b"Zaphod" not in stored_bytes(tmp_path)
        with pytest.raises(Refused, match="secret"):
            await forgetting.forget(session, zaphod)
        await registry.close()

    asyncio.run(work())


def test_only_personal_events_can_be_erased(tmp_path: Path) -> None:
    """A changed decision cannot be passed off as erased: its format has no such field."""
    with Server(tmp_path) as server:
        table = server.create([None, "greedy"])
        [secret] = server.join(table, "Zaphod")
        assert forget(server, table, secret).status == 200
    with closing(sqlite3.connect(tmp_path / "rowlock.db")) as database:
        rows = database.execute("SELECT kind, data FROM events WHERE data LIKE '%erased%'").fetchall()
    assert [kind for kind, _ in rows] == ["seated"]
    assert set(json.loads(rows[0][1])) == {"kind", "seat", "name", "secret_hash", "erased"}
    assert {kind for kind in get_args(AnyEvent) if "erased" in kind.__struct_fields__} == {Seated, Offered, Handed}


def test_the_page_names_the_defaults() -> None:
    page = (Path(__file__).parents[2] / "docs" / "privacy.md").read_text(encoding="utf-8")
    for name in ("keep_days", "keep_unfinished_days"):
        assert f"`{name}` ({getattr(Settings(), name):g})" in page
