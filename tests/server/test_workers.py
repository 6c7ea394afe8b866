"""Several workers behind one address, and a database that fails while people play over several servers."""

import asyncio
import os
import random
import signal
import socket
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import asyncpg
import pytest

from rowlock.server.admin import Request, ask
from rowlock.server.settings import Settings
from rowlock.server.storage import Storage
from rowlock.server.workers import worker_paths, worker_settings
from tests.command import run
from tests.server.crashing import check_games, check_log
from tests.server.playing import Device
from tests.server.postgres import postgres, read_log, restart
from tests.server.serving import Server
from tests.server.test_operations import read_metrics, wait_for

TERMINATE_OTHERS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
    "WHERE pid <> pg_backend_pid() AND datname = current_database()"
)
TABLES = 4


@pytest.fixture(scope="module")
def database() -> Iterator[str]:
    with postgres() as url:
        yield url


def answers(server: Server) -> bool:
    try:
        return server.ask("/ready").status == 200
    except OSError:
        return False


def first_metrics_port() -> int:
    """A free port with another one behind it, both below those that systems give to connections."""
    while True:
        port = random.randrange(10_000, 32_000)
        with suppress(OSError), ExitStack() as stack:
            for i in range(2):
                stack.enter_context(socket.create_server(("127.0.0.1", port + i)))
            return port


class Persistent(Device):
    """A device that sends again what could not be stored, as the browser does."""

    opened = 0  # how often

    async def open(self) -> None:
        self.opened += 1
        await super().open()

    async def receive(self, seconds: float = 20.0) -> dict[str, Any]:
        frame = await super().receive(seconds)
        if frame["type"] == "error" and frame["code"] == "storage":
            self.answers.pop(frame["id"], None)
            raise EOFError
        return frame


def connections_of(process: int, port: int) -> int:
    """How many connections to this port the process has accepted."""
    accepted = {
        words[9]
        for words in map(str.split, Path("/proc/net/tcp").read_text().splitlines()[1:])
        if int(words[1].rpartition(":")[2], 16) == port and words[3] != "0A"  # listening
    }
    files = [str(path.readlink()) for path in Path(f"/proc/{process}/fd").iterdir()]
    return sum(file.removeprefix("socket:[").removesuffix("]") in accepted for file in files)


Disturb = Callable[[int], Awaitable[None]]
Games = list[list[Persistent]]


async def play_while(servers: list[Server], disturb: Disturb, times: int) -> Games:
    """Games whose players are at different servers, while something happens again and again, each after 20 commands."""
    games: Games = []
    for number in range(TABLES):
        table = servers[number % len(servers)].create([None, None, "greedy"] if number % 2 else 3)
        names = ["Anna", "Ben"] if number % 2 else ["Anna", "Ben", "Carl"]
        homes = [servers[(number + i) % len(servers)] for i in range(len(names))]
        people = [(home, home.join(table, name)) for home, name in zip(homes, names, strict=True)]
        games.append([Persistent(home, table, secrets, (number, i)) for i, (home, secrets) in enumerate(people)])

    async def disturb_all() -> None:
        for one in range(times):
            wanted = sum(len(device.sent) for game in games for device in game) + 20
            while sum(len(device.sent) for game in games for device in game) < wanted:
                if playing.done():
                    return
                await asyncio.sleep(0.01)
            await disturb(one)
            disturbed.append(one)

    disturbed: list[int] = []
    playing = asyncio.gather(*(device.play() for game in games for device in game))
    async with asyncio.timeout(300):
        await asyncio.gather(playing, disturb_all())
    assert disturbed, "the games ended before anything happened"
    return games


async def check(servers: list[Server], games: Games, database: str) -> None:
    for server in servers:
        await asyncio.to_thread(check_games, server, games)
    check_log(await read_log(database))


@pytest.mark.postgres
def test_players_at_several_workers_of_which_some_are_killed(tmp_path: Path, database: str) -> None:
    """Games go on, no decision is lost, and who was connected to another worker notices nothing."""

    async def play(server: Server) -> None:
        async def kill(number: int) -> None:
            worker = server.workers[number % 2]
            os.kill(worker, signal.SIGSTOP)  # it accepts no connection while they are counted
            lost.append(connections_of(worker, server.port))
            os.kill(worker, signal.SIGKILL)
            await asyncio.to_thread(wait_for, lambda: worker not in server.workers and len(server.workers) == 2)

        lost: list[int] = []

        games = await play_while([server], kill, 4)
        await check([server], games, database)
        devices = [device for game in games for device in game]
        assert sum(device.opened for device in devices) <= len(devices) + sum(lost)

    with Server(tmp_path, database, workers=2, admin_socket="off") as server:
        asyncio.run(play(server))
    assert "has ended with signal 9; another one starts" in server.log.read_text()


@pytest.mark.postgres
def test_who_was_connected_to_a_server_that_was_killed_is_absent(tmp_path: Path, database: str) -> None:
    """The others are told, though nothing else happens at the table."""

    async def play(first: Server, second: Server) -> None:
        table = first.create(2)
        anna = Device(first, table, first.join(table, "Anna"))
        ben = Device(second, table, second.join(table, "Ben"))
        for device in (anna, ben):
            await device.open()

        def seat(view: dict[str, Any]) -> dict[str, Any]:
            [found] = [one for one in view["seats"] if one["name"] == "Anna"]
            return dict(found)

        await ben.until_view(lambda view: bool(seat(view)["connected"]))
        first.kill()
        await ben.until_view(lambda view: bool(seat(view)["absent"]))
        await anna.lose()
        await ben.close()

    settings = {"news_seconds": 0.5, "absent_seconds": 1}
    with Server(tmp_path, database, **settings) as first, Server(tmp_path, database, **settings) as second:
        asyncio.run(play(first, second))


@pytest.mark.postgres
def test_all_connections_to_the_database_are_ended_while_people_play(tmp_path: Path, database: str) -> None:
    """Those for notifications, too: they are opened again, and what was missed is read."""

    async def play(servers: list[Server]) -> None:
        async def terminate(_: int) -> None:
            connection = await asyncpg.connect(database)
            await connection.execute(TERMINATE_OTHERS)
            await connection.close()

        await check(servers, await play_while(servers, terminate, 5), database)

    # Nothing but notifications says what happens at the other server.
    with (
        Server(tmp_path, database, news_seconds=1000) as first,
        Server(tmp_path, database, news_seconds=1000) as second,
    ):
        asyncio.run(play([first, second]))
        assert "the connection for notifications broke" in first.log.read_text() + second.log.read_text()


@pytest.mark.postgres
def test_the_database_is_restarted_while_people_play(tmp_path: Path, database: str) -> None:
    async def play(servers: list[Server]) -> None:
        async def restart_database(_: int) -> None:
            await asyncio.to_thread(restart, database)

        await check(servers, await play_while(servers, restart_database, 2), database)

    with (
        Server(tmp_path, database, news_seconds=1000) as first,
        Server(tmp_path, database, news_seconds=1000) as second,
    ):
        asyncio.run(play([first, second]))


@pytest.mark.postgres
def test_each_worker_has_metrics_and_all_are_administrated(tmp_path: Path, database: str) -> None:
    port = first_metrics_port()
    socket_file = tmp_path / "s.admin"
    settings = {"workers": 2, "admin_socket": socket_file, "metrics": f"127.0.0.1:{port}"}

    async def play(server: Server) -> None:
        table = server.create(2)
        devices = [Device(server, table, server.join(table, name)) for name in ("Anna", "Ben")]
        for device in devices:
            await device.open()
            await device.until_view(lambda view: view["state"] == "running")
        [found] = [one for one in await asyncio.to_thread(ask, socket_file, Request("tables")) if one["table"] == table]
        assert found["connections"] == 2  # wherever they are
        assert sum(read_metrics(port + i)["rowlock_connections"] for i in range(2)) == 2
        assert await asyncio.to_thread(ask, socket_file, Request("drain", minutes=60)) == [table]
        assert all(read_metrics(port + i)["rowlock_draining"] == 1 for i in range(2) if is_open(port + i))
        await asyncio.gather(*(device.play() for device in devices))

    def is_open(port: int) -> bool:
        try:
            return bool(read_metrics(port))
        except OSError:  # the worker has drained
            return False

    with Server(tmp_path, database, **settings) as server:
        assert [path.exists() for path in worker_paths(socket_file)] == [True, True]
        ask(socket_file, Request("limits", settings={"max_tables": "4321"}))
        shown = run("admin", "limits", "--socket", socket_file).stdout
        assert "max_tables=4321\n" in shown
        for path in worker_paths(socket_file):
            assert ask(path, Request("limits"))["max_tables"] == 4321
        asyncio.run(play(server))
        assert server.wait() == 0  # all have drained, and nobody starts them again


@pytest.mark.postgres
def test_a_worker_that_is_killed_while_the_server_drains_is_not_started_again(tmp_path: Path, database: str) -> None:
    """Else it would open new tables, and the server would never be empty."""
    port = first_metrics_port()
    socket_file = tmp_path / "s.admin"

    async def play(server: Server) -> None:
        devices: list[Device] = []
        while not all(read_metrics(port + i)["rowlock_connections"] for i in range(2)):
            table = server.create([None, "greedy"])
            devices.append(Device(server, table, server.join(table, "Anna"), len(devices) + 1))
            await devices[-1].open()
            await devices[-1].until_view(lambda view: view["state"] == "running")
        await asyncio.to_thread(ask, socket_file, Request("drain", minutes=30))
        [killed, kept] = server.workers
        os.kill(killed, signal.SIGKILL)
        await asyncio.to_thread(wait_for, lambda: server.workers == [kept])
        await asyncio.gather(*(device.play() for device in devices))

    with Server(tmp_path, database, workers=2, admin_socket=socket_file, metrics=f"127.0.0.1:{port}") as server:
        asyncio.run(play(server))
        assert server.wait() == 0
    log = server.log.read_text()
    assert "another one starts" not in log
    assert "for 60 minutes" not in log[log.rindex("for 30 minutes") :]


@pytest.mark.postgres
def test_games_without_players_go_on_at_other_workers(tmp_path: Path, database: str) -> None:
    """At the start each worker resumes a share of them; one that takes the place of another resumes all."""
    port = first_metrics_port()

    async def begin(server: Server) -> None:
        for name in [f"Player {number}" for number in range(TABLES)]:
            table = server.create([None, "greedy"], seconds=86400)
            device = Device(server, table, server.join(table, name))
            await device.open()
            await device.until_view(lambda view: view["state"] == "running")
            await device.close()

    def running() -> list[float]:
        return [read_metrics(port + number)['rowlock_tables{state="running"}'] for number in range(2)]

    def resumed(wanted: Callable[[list[float]], bool]) -> Callable[[], bool]:
        def look() -> bool:
            with suppress(OSError):  # a worker is starting
                return wanted(running())
            return False

        return look

    async def stored() -> int:
        """How many games are running, with those of earlier tests."""
        storage = Storage(Settings(database=database).database_url)
        codes = await storage.running_tables()
        await storage.close()
        return len(codes)

    server = Server(tmp_path, database, workers=2, metrics=f"127.0.0.1:{port}").start()
    asyncio.run(begin(server))
    assert server.stop() == 0
    total = asyncio.run(stored())
    assert total >= TABLES
    server.port = 0
    with server:
        wait_for(resumed(lambda counts: sum(counts) == total))
        os.kill(server.workers[0], signal.SIGKILL)
        wait_for(resumed(lambda counts: max(counts) == total))


@pytest.mark.postgres
def test_workers_end_with_their_supervisor(tmp_path: Path, database: str) -> None:
    """By a signal to stop, and by kill -9; a worker that is stopped alone is started again."""
    server = Server(tmp_path, database, workers=2).start()
    before = server.workers
    assert len(before) == 2
    os.kill(before[0], signal.SIGTERM)
    wait_for(lambda: len(server.workers) == 2 and server.workers != before)
    workers = server.workers
    server.kill()
    wait_for(lambda: not any(Path(f"/proc/{pid}").exists() for pid in workers))
    server.start()
    workers = server.workers
    assert server.stop() == 0
    assert not any(Path(f"/proc/{pid}").exists() for pid in workers)
    assert not answers(server)


@pytest.mark.postgres
def test_a_worker_that_cannot_start_is_one_line(database: str) -> None:
    done = run("serve", "--workers", "2", "--port", "0", "--database", database.replace("/rowlock", "/missing"))
    assert (done.returncode, done.stderr.count("\n")) == (2, 1), done.stderr
    assert done.stderr.startswith("rowlock: the database cannot be opened: ")


def test_workers_need_postgres(tmp_path: Path) -> None:
    done = run("serve", "--workers", "2", "--port", "0", "--database", f"sqlite:///{tmp_path / 'x.db'}")
    assert done.returncode == 2
    assert done.stderr == (
        "rowlock: several workers need PostgreSQL, --database postgresql://HOST/NAME: "
        "an SQLite file belongs to one process\n"
    )


def test_workers_have_addresses_of_their_own(tmp_path: Path) -> None:
    settings = Settings(workers=3, metrics="[::1]:9464", admin_socket=str(tmp_path / "x.admin"))
    made = [worker_settings(settings, number) for number in range(3)]
    assert [one.metrics for one in made] == ["[::1]:9464", "[::1]:9465", "[::1]:9466"]
    assert [one.admin_path for one in made] == [tmp_path / name for name in ("x.admin", "x.admin.2", "x.admin.3")]
    assert worker_settings(Settings(workers=2, admin_socket="off"), 1).admin_path is None
