"""PostgreSQL: several servers share one database, and any of them may be killed."""

import asyncio
import json
import os
import signal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import asyncpg
import pytest
from sqlalchemy.engine import make_url

from rowlock.server import events, notifications
from rowlock.server.admin import Request, ask
from rowlock.server.history import History
from rowlock.server.settings import Settings
from rowlock.server.storage import Conflict, Storage
from tests.command import run
from tests.server.crashing import CrashTest, check_games, check_log
from tests.server.playing import Device
from tests.server.postgres import postgres, read_log
from tests.server.serving import Server
from tests.server.test_operations import wait_for

pytestmark = pytest.mark.postgres

TERMINATE_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
)


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


def test_players_at_different_servers(tmp_path: Path, database: str) -> None:
    """Each server shows the events and connections of the other."""

    async def play(first: Server, second: Server) -> None:
        table = first.create([None, None, "greedy"])
        anna, ben = first.join(table, "Anna"), second.join(table, "Ben")
        devices = [Device(first, table, anna, 1), Device(second, table, ben, 2), Device(second, table, [])]
        watching = Device(first, table, [])
        await watching.open()
        for device in devices:
            await device.open()
        await watching.until(
            lambda frame: (
                frame["type"] == "view"
                and {seat["name"] for seat in frame["seats"] if seat["connected"]} == {"Anna", "Ben"}
            )
        )
        await watching.close()
        views = await asyncio.gather(*(device.play() for device in devices))
        assert views[0]["result"] == views[1]["result"] == views[2]["result"]

    with Server(tmp_path, database) as first, Server(tmp_path, database) as second:
        asyncio.run(play(first, second))


def test_events_without_a_notification_are_found(tmp_path: Path, database: str) -> None:
    """A server polls for events that other servers have stored."""

    async def play(server: Server) -> None:
        table = server.create(2)
        anna, ben = server.join(table, "Anna"), server.join(table, "Ben")
        device = Device(server, table, anna)
        await device.open()
        view = await device.until(lambda frame: frame["type"] == "view" and frame["state"] == "running")
        assert ben
        seat = 1 - view["own"][0]["seat"]
        event = {"kind": "decided", "seat": seat, "turn": 1, "phase": "white", "option": "-", "command": "lost"}
        connection = await asyncpg.connect(database)
        await connection.execute(
            "INSERT INTO events VALUES ($1, $2, 'decided', $3, $4, $5)",
            *(table, view["seq"] + 1, json.dumps(event), view["now"], view["hash"]),
        )
        await connection.close()
        await asyncio.wait_for(device.until(lambda frame: seat in frame.get("decided", [])), 15)
        await device.close()

    with Server(tmp_path, database, news_seconds=0.5) as server:
        asyncio.run(play(server))


def test_notifications_are_sent_with_the_commit(database: str) -> None:
    """The storage alone notifies other servers: a server may die right after a commit."""

    async def play() -> None:
        received: asyncio.Queue[str] = asyncio.Queue()
        connection = await asyncpg.connect(database)
        await connection.add_listener("rowlock", lambda *words: received.put_nowait(words[3]))
        storage = Storage(Settings(database=database).database_url)
        await storage.open()
        history = History("NEWS22")
        await storage.append([history.append(events.Rolled("11-1111"), 1) for _ in range(2)])
        item = json.loads(await asyncio.wait_for(received.get(), 10))
        assert (item["about"], item["table"], item["seq"]) == ("events", "NEWS22", 2)
        await storage.close()
        await connection.execute("DELETE FROM events WHERE table_id = 'NEWS22'")
        await connection.close()

    asyncio.run(play())


def test_kill_9(tmp_path: Path, database: str) -> None:
    with Server(tmp_path, database) as first, Server(tmp_path, database) as second:
        crash_test = CrashTest([first, second], seed=2)
        asyncio.run(crash_test.run())
        check_games(first, crash_test.games)
        check_games(second, crash_test.games)
    check_log(asyncio.run(read_log(database)))


class WorkerCrashTest(CrashTest):
    """Workers are killed, and their server starts others."""

    def kill_one(self) -> None:
        [server] = self.servers
        worker = self.rng.choice(server.workers)
        os.kill(worker, signal.SIGKILL)
        self.kills += 1
        wait_for(lambda: worker not in server.workers and len(server.workers) == 2)


def test_kill_9_of_workers(tmp_path: Path, database: str) -> None:
    with Server(tmp_path, database, workers=2) as server:
        crash_test = WorkerCrashTest([server], seed=3)
        asyncio.run(crash_test.run())
        check_games(server, crash_test.games)
    check_log(asyncio.run(read_log(database)))


def test_servers_that_write_the_same_tables_do_not_deadlock(database: str) -> None:
    """In any order of appends each event is written by one server, and the other gets a conflict."""

    async def play() -> None:
        storages = [Storage(Settings(database=database).database_url) for _ in range(2)]
        for storage in storages:
            await storage.open()
        entries = [History(f"D{number:05}").append(events.Rolled("11-1111"), 1) for number in range(40)]
        other = await asyncpg.connect(database)
        writing = other.transaction()
        await writing.start()
        await other.execute("INSERT INTO events VALUES ('D00020', 1, 'rolled', '{}', 1)")
        appends = [asyncio.create_task(storages[0].append([one])) for one in entries]
        appends += [asyncio.create_task(storages[1].append([one])) for one in reversed(entries)]
        while await other.fetchval("SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'") < 2:  # noqa: ASYNC110
            await asyncio.sleep(0.05)  # both are in the midst of it
        await writing.rollback()
        outcomes = await asyncio.gather(*appends, return_exceptions=True)
        assert Counter(map(type, outcomes)) == {type(None): 40, Conflict: 40}
        for storage in storages:
            await storage.close()
        await other.execute("DELETE FROM events WHERE table_id LIKE 'D0%'")
        await other.close()

    asyncio.run(asyncio.wait_for(play(), 60))


def test_notifications_survive_a_broken_connection(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also with a full queue; a notification that cannot be handled does not stop the next one."""
    monkeypatch.setattr(notifications, "RETRY_SECONDS", 0.05)

    async def play() -> None:
        received: asyncio.Queue[str] = asyncio.Queue()

        async def receive(item: notifications.Notification) -> None:
            received.put_nowait(item.table)
            if item.table == "BAD":
                raise ValueError

        async def until(table: str) -> None:
            while await asyncio.wait_for(received.get(), 10) != table:
                pass

        async def ignore(_: notifications.Notification) -> None:
            pass

        first, second = (
            notifications.PostgresNotifications(Storage(Settings(database=database).database_url).url) for _ in range(2)
        )
        await first.open(receive)
        await second.open(ignore)
        admin = await asyncpg.connect(database)
        second.send(notifications.Notification("who", "BAD"))
        await until("BAD")
        for turn in range(6):
            for number in range(200 * (turn % 3)):
                second.send(notifications.Notification("who", f"Q{number}"))
            await admin.execute(TERMINATE_OTHERS)
            await until(notifications.EVERY_TABLE)  # the first has connected again
            for attempt in range(100):  # notifications sent while it breaks may be lost
                second.send(notifications.Notification("who", f"T{turn}"))
                try:
                    await asyncio.wait_for(until(f"T{turn}"), 0.1)
                    break
                except TimeoutError:
                    assert attempt < 99, "notifications have stopped"
        connections = await admin.fetch("SELECT pid FROM pg_stat_activity WHERE query LIKE '%LISTEN%'")
        await asyncio.sleep(0.5)
        assert await admin.fetch("SELECT pid FROM pg_stat_activity WHERE query LIKE '%LISTEN%'") == connections
        for one in (first, second):
            await one.close()
        await admin.close()

    asyncio.run(asyncio.wait_for(play(), 60))


def test_notifications_that_wait_for_a_connection() -> None:
    """However long the database is away, only the newest of a kind waits for each table, and none is lost."""
    sent: asyncio.Queue[list[str]] = asyncio.Queue()

    async def fail(*_: object) -> None:
        raise OSError

    async def take(_: str, items: list[str]) -> None:
        if not replaced.is_set():
            replaced.set()
            waiting.send(notifications.Notification("present", "ABC234", present=["newer"]))
        sent.put_nowait(items)

    waiting = notifications.PostgresNotifications(make_url("postgresql://nobody@nowhere/rowlock"))
    replaced = asyncio.Event()

    async def play() -> None:
        for number in range(1000):
            waiting.send(notifications.Notification("present", "ABC234", present=[str(number)]))
        waiting.send(notifications.Notification("deleted", "ABC234"))
        with pytest.raises(OSError):  # noqa: PT011
            await waiting._send_outgoing(SimpleNamespace(execute=fail))
        sending = asyncio.create_task(waiting._send_outgoing(SimpleNamespace(execute=take)))
        first = [json.loads(item) for item in await asyncio.wait_for(sent.get(), 10)]
        assert [(one["about"], one.get("present")) for one in first] == [("present", ["999"]), ("deleted", None)]
        second = [json.loads(item) for item in await asyncio.wait_for(sent.get(), 10)]
        assert [one["present"] for one in second] == [["newer"]]  # it came while the first was being sent
        waiting.send(notifications.Notification("who", "ABC234"))
        assert [json.loads(item)["about"] for item in await asyncio.wait_for(sent.get(), 10)] == ["who"]
        sending.cancel()

    asyncio.run(play())


def test_copies(tmp_path: Path, database: str) -> None:
    """A copy is an SQLite file, which can be restored to either kind of database, all of it or nothing."""
    where, copy = ("--database", database), tmp_path / "copy.db"
    with Server(tmp_path, database) as server:
        table = server.create([None, None])
        server.join(table, "Anna")
        assert run("db", "backup", copy, *where).returncode == 0  # while the server runs
        later = server.create(2)
        done = run("db", "restore", copy, "--force", *where)
        assert (done.returncode, done.stderr) == (
            2,
            "rowlock: other programs use the database; stop the servers first\n",
        )
    done = run("db", "check", *where)
    assert (done.returncode, done.stderr) == (0, "")
    done = run("db", "restore", copy, *where)
    assert "tables already; --force replaces them" in done.stderr
    assert run("db", "restore", copy, "--force", *where).returncode == 0
    found = json.loads(run("db", "stats", "--json", *where).stdout)
    with Server(tmp_path, database) as server:
        assert server.ask(f"/api/tables/{table}").json["seats"][0]["name"] == "Anna"
        assert server.ask(f"/api/tables/{later}").status == 404
    (tmp_path / "sqlite").mkdir()
    with Server(tmp_path / "sqlite") as server:
        file = server.database
    assert run("db", "restore", copy, "--force", "--database", file).returncode == 0
    assert json.loads(run("db", "stats", "--json", "--database", file).stdout)["tables"] == found["tables"]
    with Server(tmp_path / "sqlite") as server:
        assert server.ask(f"/api/tables/{table}").json["seats"][0]["name"] == "Anna"


def test_a_table_deleted_at_one_server_ends_at_the_other(tmp_path: Path, database: str) -> None:
    async def delete(first: Server, second: Server) -> None:
        table = first.create(2)
        device = Device(second, table, first.join(table, "Anna"))
        await device.open()
        await device.next_view()
        await asyncio.to_thread(ask, tmp_path / "first.admin", Request("delete", [table]))
        error = await device.until(lambda frame: frame["type"] == "error")
        assert (error["code"], error["table"]) == ("no-table", table)
        await device.close()

    first = Server(tmp_path, database, admin_socket=tmp_path / "first.admin")
    with first, Server(tmp_path, database, admin_socket=tmp_path / "second.admin") as second:
        asyncio.run(delete(first, second))


def test_a_person_is_forgotten_at_all_servers(tmp_path: Path, database: str) -> None:
    async def play(first: Server, second: Server) -> str:
        table = first.create(2)
        [anna], [zaphod] = first.join(table, "Anna"), first.join(table, "Zaphod")
        device = Device(second, table, [anna], 1)
        await device.open()
        await device.until_view(lambda view: view["state"] == "running")
        answer = await asyncio.to_thread(first.ask, f"/api/tables/{table}/forget", {"secret": zaphod})
        assert answer.status == 200
        await device.until_view(lambda view: "Zaphod" not in [seat["name"] for seat in view["seats"]])
        await device.act()  # the history goes on at the other server
        await device.until(lambda frame: frame["type"] == "ack" and frame["id"] in device.sent)
        await device.close()
        return table

    with Server(tmp_path, database) as first, Server(tmp_path, database) as second:
        table = asyncio.run(play(first, second))
        stored = asyncio.run(_stored(database, table))
    assert "Zaphod" not in stored
    assert run("db", "check", "--database", database).returncode == 0


async def _stored(database: str, table: str) -> str:
    connection = await asyncpg.connect(database)
    rows = await connection.fetch("SELECT data FROM events WHERE table_id = $1", table)
    await connection.close()
    return "".join(row["data"] for row in rows)
