"""What operators use: metrics, logs, readiness, draining, and the commands of `rowlock admin`."""

import asyncio
import json
import re
import secrets
import signal
import socket
import time
import traceback
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import sqlalchemy as sa

from rowlock.rules.explain import Illegal
from rowlock.server import draining
from rowlock.server.admin import Request, ask
from rowlock.server.client import Client
from rowlock.server.limits import AddressLimits
from rowlock.server.load import MEASUREMENTS, TURNS, Load
from rowlock.server.refusal import Refused
from rowlock.server.settings import SettingError, Settings
from rowlock.server.storage import Storage, StorageFailure, events
from rowlock.server.table_session import refusing_unreadable
from tests.command import run
from tests.server.playing import Device, Lost
from tests.server.serving import Server, person
from tests.server.test_dishonest_operator import play as play_to_the_end

# The lines of Prometheus' text format.
SAMPLE = re.compile(r'[a-z_]+(\{[a-z]+="[^"\\\n]*"\})? [0-9.e+-]+(?:\n|$)')
COMMENT = re.compile(r"# (HELP [a-z_]+ .+|TYPE [a-z_]+ (counter|gauge|histogram))")


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path) as server:
        yield server


def free_port() -> int:
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port: int = probe.getsockname()[1]
        return port


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def play(server: Server, *bots: str | None) -> tuple[str, list[str]]:
    """The code of a table where a person has played against bots to the end, and the person's secrets."""

    async def person_plays(secrets: list[str]) -> None:
        await Device(server, table, secrets, 1).play()

    table = server.create([None, *bots])
    asyncio.run(person_plays(secrets := server.join(table, "Anna")))
    return table, secrets


# Metrics


def read_metrics(port: int) -> dict[str, float]:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=30) as answer:
        assert answer.headers["Content-Type"].startswith("text/plain; version=0.0.4")
        lines = answer.read().decode().splitlines()
    assert all(COMMENT.fullmatch(line) if line.startswith("#") else SAMPLE.fullmatch(line) for line in lines)
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if line[0] != "#")}


def test_metrics_count_a_game(tmp_path: Path) -> None:
    port = free_port()
    with Server(tmp_path, metrics=f"127.0.0.1:{port}") as server:
        before = read_metrics(port)
        assert before['rowlock_tables{state="running"}'] == before["rowlock_stored_events_total"] == 0
        play(server, "greedy")
        assert server.ask("/api/tables/ABC234").status == 404
        after = read_metrics(port)
        assert server.ask("/metrics").status == 404  # only at its own address
    assert after['rowlock_tables{state="over"}'] == after["rowlock_stored_tables"] == 1
    assert after['rowlock_refusals_total{code="no-table"}'] == 1
    decisions = after['rowlock_decisions_total{by="player"}'] + after['rowlock_decisions_total{by="bot"}']
    assert decisions > 4
    assert after["rowlock_decision_seconds_count"] == after['rowlock_decision_seconds_bucket{le="+Inf"}'] == decisions
    assert 0 < after['rowlock_commits_total{result="ok"}'] <= after["rowlock_stored_events_total"]
    assert after["process_resident_memory_bytes"] > 10_000_000
    buckets = [value for name, value in after.items() if name.startswith("rowlock_decision_seconds_bucket")]
    assert buckets == sorted(buckets)


def test_metrics_answer_nothing_else(tmp_path: Path) -> None:
    port = free_port()
    with Server(tmp_path, metrics=f"127.0.0.1:{port}"):
        for request in (b"GET / HTTP/1.1\r\n\r\n", b"POST /metrics HTTP/1.1\r\n\r\n"):
            with closing(socket.create_connection(("127.0.0.1", port), 30)) as connection:
                connection.sendall(request)
                assert connection.makefile("rb").read().startswith(b"HTTP/1.1 404 ")
        with closing(socket.create_connection(("127.0.0.1", port), 30)) as connection:
            connection.sendall(b"nonsense\r\n\r\n")
            assert connection.makefile("rb").read() == b""
        assert read_metrics(port)


def test_an_address_of_metrics_that_is_taken_is_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        address = f"127.0.0.1:{busy.getsockname()[1]}"
        ended = run("serve", "--port", "0", "--metrics", address, "--database", f"sqlite:///{tmp_path / 'x.db'}")
    assert (ended.returncode, ended.stderr.count("\n")) == (2, 1)
    assert ended.stderr.startswith(f"rowlock: cannot listen at 127.0.0.1, port {address.rpartition(':')[2]}: ")


# Logs


@pytest.mark.parametrize("style", ["plain", "json"])
def test_no_secret_is_logged(tmp_path: Path, style: str) -> None:
    """A whole game, with refusals, a hand-over, a table that cannot be read and administration."""
    with Server(tmp_path, log=style) as server:
        table, seats = play(server, "greedy")
        shared = server.create(1)
        cem = Client.join(f"{server.url}/{shared}", {"Cem": person("")["secret"]})  # gives a share of the dice
        play_to_the_end(cem)
        record = server.ask(f"/api/tables/{shared}/record", headers={"Authorization": f"Bearer {cem.secrets[0]}"}).body
        chance = re.findall("[0-9a-f]{64}", record.decode())
        assert len(chance) == 2
        waiting = server.create(2)
        first, second, claimed = person("Anna"), person("Ben"), secrets.token_hex(32)
        server.ask(f"/api/tables/{waiting}/seats", {"people": [first]})
        code = server.ask(f"/api/tables/{waiting}/handover", {"secret": first["secret"]}).json["handover"]
        assert server.ask(f"/api/tables/{waiting}/claim", {"handover": code, "secret": claimed}).status == 201
        assert server.ask(f"/api/tables/{waiting}/handover", {"secret": second["secret"]}).status == 403
        assert (
            server.ask(f"/api/tables/{waiting}", headers={"Authorization": f"Bearer {second['secret']}"}).status == 200
        )
        assert run("admin", "close", waiting, "--database", server.database).returncode == 0
        assert run("admin", "delete", table, "--database", server.database).returncode == 0
        server.kill()
        text = server.log.read_text()
    assert f"table {table} deleted by the administrator" in text
    assert not any(name in text for name in ("Anna", "Cem"))
    given = [*seats, *cem.secrets, *chance, first["secret"], second["secret"], claimed, code]
    for secret in (*given, server.invites[table], server.invites[waiting]):
        assert secret not in text
    if style == "json":
        lines = [json.loads(line) for line in text.splitlines()]
        assert {"time", "level", "logger", "message"} == set(lines[0])
        assert lines[-1]["message"] == f"table {table} deleted by the administrator"
        assert lines[-1]["level"] == "info"


def test_errors_show_no_names_and_no_events(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Neither those of the database, which a traceback in the log would show, nor those of a table."""

    async def fail(name: str) -> None:
        storage = Storage(f"sqlite:///{tmp_path / 'rowlock.db'}")
        await storage.open()
        try:
            await storage._execute(sa.insert(events).values(table_id="ABC234", seq=1, data=name, at=1))
        finally:
            await storage.close()

    with pytest.raises(StorageFailure) as failure:
        asyncio.run(fail("zaphod".title()))  # a traceback shows this line
    shown = "".join(traceback.format_exception(failure.value))
    assert "IntegrityError" in shown
    with pytest.raises(Refused, match="storage"), refusing_unreadable("ABC234"):
        raise Illegal("order", "G9 is left of G7", 6, "Zaphod")
    assert "table ABC234 cannot be read: Illegal: G9 is left of G7" in caplog.text
    assert "Zaphod" not in shown + caplog.text


# Readiness and draining


def test_draining_lets_games_go_on(running: Server) -> None:
    """No new tables; the game goes on; then the server stops by itself."""

    async def drain() -> None:
        table = running.create([None, None])
        anna, ben = running.join(table, "Anna"), running.join(table, "Ben")
        devices = [Device(running, table, anna, 1), Device(running, table, ben, 2)]
        for device in devices:
            await device.open()
            await device.next_view()
        assert running.ask("/ready").status == 200
        running.process.send_signal(signal.SIGUSR1)  # type: ignore[union-attr]
        await asyncio.to_thread(wait_for, lambda: running.ask("/ready").status == 503)
        assert running.ask("/ready").json["code"] == "draining"
        assert running.ask("/health").status == 200
        answer = running.ask("/api/tables", {"variant": "classic", "seats": [{}]})
        assert (answer.status, answer.json["code"]) == (503, "draining")
        views = await asyncio.gather(*(device.play() for device in devices))
        assert [view["state"] for view in views] == ["over", "over"]

    asyncio.run(drain())
    assert running.wait() == 0
    log = running.log.read_text()
    assert "draining: no new tables; 1 games go on, for 60 minutes at most" in log
    assert "drained: 0 games are left; stopping" in log


@pytest.mark.parametrize(("minutes", "ends"), [(60, 13), (0.1, 6)])
def test_draining_leaves_time_to_check_the_dice(monkeypatch: pytest.MonkeyPatch, minutes: float, ends: float) -> None:
    """Ten seconds after the last game, but never longer than was said; a server without games stops at once."""
    time, later, stops = 0.0, list[Callable[[], None]](), list[float]()
    session = SimpleNamespace(subscribers=["device"], table=SimpleNamespace(state="running"))
    sessions = {"ABC234": session}
    registry: Any = SimpleNamespace(sessions=sessions, draining=False, settings=Settings())
    loop = SimpleNamespace(time=lambda: time, call_later=lambda _, check: later.append(check))
    monkeypatch.setattr(asyncio, "get_running_loop", lambda: loop)
    drain = draining.Drain(registry, lambda: stops.append(time))
    drain.begin(minutes)
    drain.begin_once()  # a second signal sets no other time
    while later:
        time += draining.CHECK_SECONDS
        session.table.state = "running" if time <= 3 else "over"
        later.pop()()
    sessions.clear()
    registry.draining = False
    draining.Drain(registry, lambda: stops.append(0)).begin()
    assert stops == [ends, 0]


def test_draining_ends_after_a_time(running: Server) -> None:
    async def drain() -> None:
        table = running.create([None, "greedy"])
        device = Device(running, table, running.join(table, "Anna"))
        await device.open()
        await device.next_view()
        socket_file = running.directory / "rowlock.db.admin"
        assert await asyncio.to_thread(ask, socket_file, Request("drain", minutes=0)) == [table]
        with pytest.raises(Lost):
            await device.until(lambda _: False)
        await device.lose()

    asyncio.run(drain())
    assert running.wait() == 0


# Administration


def test_tables_are_listed_closed_and_deleted(running: Server) -> None:
    where = ("--database", running.database)
    socket_file = running.directory / "rowlock.db.admin"
    assert socket_file.stat().st_mode & 0o777 == 0o600
    (over, _), waiting, other = play(running, "greedy"), running.create(2), running.create(3)
    listed = run("admin", "tables", *where).stdout.splitlines()
    assert sorted((line.split()[0], line.split()[1]) for line in listed) == sorted(
        [(over, "over"), (waiting, "waiting"), (other, "waiting")]
    )
    [found] = json.loads(run("admin", "tables", "--state", "over", "--json", *where).stdout)
    assert (found["table"], found["state"], found["connections"]) == (over, "over", 0)

    done = run("admin", "close", waiting, *where)
    assert (done.returncode, done.stdout) == (0, f"{waiting} closed\n")
    answer = running.ask(f"/api/tables/{waiting}/seats", {"people": [person("Anna")]})
    assert (answer.status, answer.json["code"]) == (403, "closed")
    assert run("admin", "open", waiting, *where).returncode == 0
    running.join(waiting, "Anna")

    done = run("admin", "delete", over, waiting, *where)
    assert (done.returncode, done.stdout) == (0, f"{over} deleted\n{waiting} deleted\n")
    assert {running.ask(f"/api/tables/{code}").status for code in (over, waiting)} == {404}
    assert running.ask(f"/api/tables/{other}").status == 200
    done = run("admin", "delete", over, *where)
    assert (done.returncode, done.stderr) == (2, f"rowlock: {over}: there is no such table\n")


def test_devices_at_a_deleted_table_are_told(running: Server) -> None:
    async def play_on() -> None:
        table = running.create([None, "greedy"])
        device = Device(running, table, running.join(table, "Anna"))
        await device.open()
        await device.next_view()
        socket_file = running.directory / "rowlock.db.admin"
        assert await asyncio.to_thread(ask, socket_file, Request("delete", [table])) == [table]
        error = await device.until(lambda frame: frame["type"] == "error")
        assert (error["code"], error["table"]) == ("no-table", table)
        answer = await device.command(type="start")
        assert answer["code"] == "not-followed"
        await device.close()

    asyncio.run(play_on())
    assert running.ask("/health").status == 200
    assert run("admin", "tables", "--database", running.database).stdout == ""


def test_limits_change_while_the_server_runs(running: Server) -> None:
    where = ("--database", running.database)
    assert "max_tables=100000\n" in run("admin", "limits", *where).stdout
    running.create(2)
    done = run("admin", "limits", "max_tables=1", "connections=0", *where)
    assert (done.returncode, done.stderr) == (2, "rowlock: connections must be 1 or more, not 0\n")
    running.create(2)  # none of them was changed
    assert "max_tables=1\n" in run("admin", "limits", "max_tables=1", *where).stdout
    answer = running.ask("/api/tables", {"variant": "classic", "seats": [{}]})
    assert (answer.status, answer.json["code"]) == (429, "server-full")
    assert run("admin", "limits", "max_tables=9", "tables_per_hour=1", *where).returncode == 0
    answer = running.ask("/api/tables", {"variant": "classic", "seats": [{}]})
    answer = running.ask("/api/tables", {"variant": "classic", "seats": [{}]})
    assert (answer.status, answer.json["code"]) == (429, "too-fast")
    done = run("admin", "limits", "port=1", *where)
    assert done.stderr.startswith("rowlock: 'port' cannot be changed while the server runs; the limits are keep_days, ")


def test_changed_limits_keep_what_was_counted() -> None:
    limits = AddressLimits(Settings(tables_per_hour=2))
    limits._tables.count("address", 2)
    limits.update(Settings(tables_per_hour=1))
    with pytest.raises(Refused):
        limits._tables.count("address")
    limits.update(Settings(tables_per_hour=1e9))
    wait_for(lambda: limits._tables._tokens("address", time.monotonic()) >= 1)


def test_only_limits_can_be_changed() -> None:
    settings = Settings()
    settings.change({"keep_days": "30"})
    assert (settings.keep_days, settings.limits["keep_days"]) == (30, 30)
    with pytest.raises(SettingError, match="'host' cannot be changed"):
        settings.change({"keep_days": "31", "host": "x"})
    assert settings.keep_days == 30


def test_no_server_is_one_line(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'x.db'}"
    done = run("admin", "tables", "--database", database)
    assert (done.returncode, done.stderr) == (
        2,
        f"rowlock: no server runs here: there is no {tmp_path / 'x.db.admin'}\n",
    )
    left = tmp_path / "x.db.admin"
    with socket.socket(socket.AF_UNIX) as killed:
        killed.bind(str(left))
    done = run("admin", "tables", "--database", database)
    assert done.stderr == f"rowlock: no server answers at {left}: Connection refused\n"
    with Server(tmp_path, database):  # takes the place of the one that a killed server has left
        assert run("admin", "tables", "--database", database).returncode == 0
    assert not left.exists()


# Too much to do


def test_a_server_is_busy_above_the_limit_and_until_half_of_it(caplog: pytest.LogCaptureFixture) -> None:
    """The median counts: one long pause does not make it busy."""
    load = Load(Settings(busy_seconds=0.4))

    def add(lag: float, times: int = MEASUREMENTS) -> bool:
        for _ in range(times):
            load.add(lag)
        return load.busy

    assert not add(9.0, MEASUREMENTS // 2)  # too few are known
    assert not add(0.01)
    assert not add(30.0, 1)
    assert not add(0.39)
    assert add(0.41)
    with pytest.raises(Refused, match="busy"):
        load.check()
    assert add(0.21)  # less than the limit, but not half of it
    assert not add(0.19)
    load.check()
    assert [record.getMessage() for record in caplog.records] == [
        "the server is late by 410 ms and busy: no new tables until it is less",
        "the server is late by 190 ms and less busy: new tables are opened again",
    ]


def test_a_server_is_as_late_as_its_decisions(monkeypatch: pytest.MonkeyPatch) -> None:
    """They wait for all that the event loop has to do not once, but in each of their steps."""
    monkeypatch.setattr("rowlock.server.load.INTERVAL", 0.001)
    load, seconds = Load(Settings()), 0.004

    def work() -> None:
        time.sleep(seconds)

    async def work_meanwhile() -> None:
        watching = asyncio.create_task(load.watch())
        while not load.lag:
            work()
            await asyncio.sleep(0)
        watching.cancel()

    asyncio.run(work_meanwhile())
    assert load.lag > (TURNS - 1) * seconds


def test_a_busy_server_opens_no_tables_and_games_go_on(tmp_path: Path) -> None:
    """With a limit of 0 it is busy always; rematches are opened, as their players are here already."""

    async def play(server: Server) -> None:
        table = server.create([None, "greedy"])
        device = Device(server, table, server.join(table, "Anna"), 1)
        await device.open()
        socket_file = server.directory / "rowlock.db.admin"
        limits = Request("limits", settings={"busy_seconds": "0"})
        await asyncio.to_thread(ask, socket_file, limits)
        await asyncio.to_thread(wait_for, lambda: server.ask("/ready").status == 503)
        assert server.ask("/ready").json["code"] == "busy"
        assert server.ask("/health").status == 200
        for _ in range(5):  # a table that is not opened does not count against the limit of the address
            answer = server.ask("/api/tables", {"variant": "classic", "seats": [{}]})
            assert (answer.status, answer.json["code"]) == (503, "busy")
        assert (await device.play())["state"] == "over"
        await device.open()
        await device.next_view()
        seat = device.view["own"][0]["seat"] if device.view else 0
        await device.command(type="rematch", seat=seat, agree=True)
        await device.until_view(lambda view: view["rematch"]["table"] is not None)
        await device.close()
        await asyncio.to_thread(ask, socket_file, Request("limits", settings={"busy_seconds": "1000"}))
        await asyncio.to_thread(wait_for, lambda: server.ask("/ready").status == 200)
        server.create(2)

    with Server(tmp_path, tables_per_hour=3) as server:
        asyncio.run(play(server))
