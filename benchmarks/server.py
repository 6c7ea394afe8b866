"""The server under load: bot clients over real sockets against one process or several, storage included.

Every table has four seats on four sockets. Decisions are sent at a fixed rate, whether the server keeps up or not. The
latency of a decision is the time from sending the command until the views of all four seats show it. Memory is the
server's resident set.

Machines are noisy: during every run another process sleeps for a millisecond again and again and measures how late it
wakes up. Its 99th percentile is due to the machine, not to the server; runs are repeated and the quietest is kept.

    python -m benchmarks.server [--quick] [--before NAME=PYTHON] [one] [two] [workers] [killed] [overload]

`one` process with SQLite; `two` servers that share a PostgreSQL database, with the seats of each table split over
them; one server with two `workers`; the same with one of them `killed` in the middle: players connect again; and one
process that gets more to do than it can (`overload`).

`--before` names an earlier version, and the Python of an environment that has it: runs of both versions alternate.
"""

import argparse
import asyncio
import gc
import itertools
import os
import random
import secrets
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import msgspec
import websockets
from websockets.asyncio.client import ClientConnection, connect

from rowlock.server.settings import Settings
from tests.server.postgres import postgres

RESULTS = Path(__file__).parents[1] / "docs/results" / "server.md"
KINDS = ("one", "two", "workers", "killed")
NEW = ("workers", "killed")  # the version before has no workers
OVERLOAD = "overload"
NOW = "now"


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--before", default="", metavar="NAME=PYTHON")
    parser.add_argument("kinds", nargs="*", choices=[*KINDS, OVERLOAD, []])
    return parser.parse_args()


ARGUMENTS = _arguments()
QUICK = ARGUMENTS.quick
BEFORE, _, PYTHON_BEFORE = ARGUMENTS.before.partition("=")
PYTHONS = {**({BEFORE: PYTHON_BEFORE} if BEFORE else {}), NOW: sys.executable}  # by version
SECONDS = 10 if QUICK else 30
WARM_UP = 5
REPEATS, QUIET = 1 if QUICK else 2, 2.0  # a run with wake-up delays below 2 ms is not repeated
PLANS_RUN = 1 if QUICK else None  # of each kind
SEATS = 4
LIMITS = {
    "messages_per_second": 100_000,
    "requests_per_second": 100_000,
    "tables_per_hour": 1_000_000,
    "connections_per_address": 100_000,
    "connections": 100_000,
    "busy_seconds": 1000,
}


NUMBERS = itertools.count()


class Server:
    """A server with a new SQLite file or another database."""

    def __init__(self, python: str, directory: str, sync: str, database: str = "", **settings: object) -> None:
        database = database or f"sqlite:///{directory}/rowlock.db"
        # In the environment, where an earlier version ignores settings that it does not know.
        changes = {f"ROWLOCK_{name.upper()}": str(value) for name, value in {**LIMITS, **settings}.items()}
        self.process = subprocess.Popen(
            [python, "-m", "rowlock", "serve", "--port", "0", "--database", database, "--sync", sync],
            stdout=subprocess.PIPE,
            text=True,
            cwd=directory,  # not where the source of this version would be imported
            env={**os.environ, "PYTHONUNBUFFERED": "1", "ROWLOCK_ADMIN_SOCKET": "off", **changes},
        )
        self.ended_cpu = 0.0  # of workers that were killed
        assert self.process.stdout
        self.url = self.process.stdout.readline().split()[-1].rstrip("/")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    def post(self, path: str, body: object) -> Any:
        request = urllib.request.Request(
            self.url + path, msgspec.json.encode(body), {"Content-Type": "application/json"}
        )
        with urllib.request.urlopen(request) as answer:
            return msgspec.json.decode(answer.read())

    def get(self, path: str, secret: str) -> bool:
        """Whether the server answers."""
        request = urllib.request.Request(self.url + path, headers={"Authorization": f"Bearer {secret}"})
        with suppress(urllib.error.HTTPError), urllib.request.urlopen(request) as answer:
            return bool(answer.read())
        return False

    def kill_worker(self) -> None:
        worker = self._processes()[-1]
        self.ended_cpu += _cpu(worker)
        os.kill(worker, signal.SIGKILL)

    def memory(self) -> int:
        """Kilobytes, of all processes."""
        return sum(map(_memory, self._processes()))

    def cpu(self) -> float:
        """Seconds of processor time, of all processes."""
        return self.ended_cpu + sum(map(_cpu, self._processes()))

    def _processes(self) -> list[int]:
        pid = self.process.pid
        return [pid, *map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())]


def _memory(process: int) -> int:
    status = Path(f"/proc/{process}/status").read_text()
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith("VmRSS:")), 0)


def _cpu(process: int) -> float:
    words = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(words[11]) + int(words[12])) / os.sysconf("SC_CLK_TCK")


class WakeUpProbe:
    """Measures how late a sleeping process wakes up."""

    CODE = """
import signal, time
late, go = [], True
def stop(*_):
    global go
    go = False
signal.signal(signal.SIGTERM, stop)
while go:
    begin = time.perf_counter()
    time.sleep(0.001)
    late.append(time.perf_counter() - begin - 0.001)
print(1000 * sorted(late)[int(0.99 * len(late))])
"""

    def __init__(self) -> None:
        self.process = subprocess.Popen([sys.executable, "-c", self.CODE], stdout=subprocess.PIPE, text=True)

    def stop(self) -> float:
        """Milliseconds, the 99th percentile."""
        self.process.terminate()
        return float(self.process.communicate()[0] or "nan")


class Own(msgspec.Struct):
    seat: int
    options: list[dict[str, Any]]


class Position(msgspec.Struct):
    turn: int
    phase: str


class Rematch(msgspec.Struct):
    table: str | None


class Frame(msgspec.Struct):
    """The fields of a message that a client needs."""

    type: str
    table: str = ""
    seq: int = 0
    state: str = ""
    id: str | None = None
    code: str = ""
    position: Position | None = None
    own: list[Own] = []
    rematch: Rematch | None = None


decode = msgspec.json.Decoder(Frame).decode


@dataclass
class Seat:
    """A client that holds one seat."""

    server: Server
    secret: str
    socket: ClientConnection | None = None
    view: Frame | None = None


@dataclass
class TableClients:
    """Four clients at one table, and the decision in progress."""

    code: str
    seats: list[Seat]
    sent_at: float = 0.0
    command: str = ""
    seq: int = 0
    waiting: bool = False
    latencies: list[float] = field(default_factory=list)
    refused: int = 0
    agreed: bool = False  # to a rematch
    message: tuple[Seat, dict[str, Any]] | None = None  # the last decision, and who sent it
    reconnections: int = 0
    closed: bool = False

    async def open(self) -> None:
        for seat in self.seats:
            await self._connect(seat)

    async def _connect(self, seat: Seat) -> None:
        url = seat.server.url.replace("http", "ws", 1) + "/api/socket"
        seat.socket = await connect(url, compression=None, ping_interval=None, open_timeout=60)
        await self._hello(seat)

    async def close(self) -> None:
        self.closed = True
        await asyncio.gather(*(seat.socket.close() for seat in self.seats if seat.socket))

    async def _hello(self, seat: Seat) -> None:
        await self._send(seat, {"type": "hello", "version": 2, "table": self.code, "secrets": [seat.secret]})

    async def listen(self, seat: Seat) -> None:
        """Read what comes until the end; a connection that is lost is opened again, and what it had sent sent again."""
        while True:
            await self._read(seat)
            if self.closed:
                return
            self.reconnections += 1
            with suppress(OSError, websockets.WebSocketException):
                await self._connect(seat)
                if self.waiting and self.message and self.message[0] is seat:
                    await self._send(*self.message)

    async def _read(self, seat: Seat) -> None:
        assert seat.socket
        with suppress(websockets.ConnectionClosed):
            async for text in seat.socket:
                frame = decode(text)
                if frame.type == "view" and frame.table == self.code:
                    seat.view = frame
                elif frame.type == "ack" and frame.id is not None and frame.id == self.command:
                    self.seq = frame.seq
                elif frame.type == "error":
                    self.refused += 1
                    print(text)
                    self.waiting = False
                if self.waiting and self.seq and all(one.view and one.view.seq >= self.seq for one in self.seats):
                    self.latencies.append(time.perf_counter() - self.sent_at)
                    self.waiting = False

    async def decide(self, rng: random.Random) -> bool:
        """Send a decision of a seat that is to act; starts a rematch after the end of a game."""
        if self.waiting or any(seat.view is None for seat in self.seats):
            return False
        for seat in rng.sample(self.seats, SEATS):
            view = seat.view
            if view and view.state == "over":
                await self.start_rematch()
                return False
            if view and view.own and view.own[0].options and view.position and seat.socket:
                self.command, self.seq, self.waiting = f"c{next(NUMBERS)}", 0, True
                message = {
                    "type": "decide",
                    "table": self.code,
                    "seat": view.own[0].seat,
                    "turn": view.position.turn,
                    "phase": view.position.phase,
                    "option": rng.choice(view.own[0].options)["option"],
                    "id": self.command,
                }
                self.sent_at, self.message = time.perf_counter(), (seat, message)
                with suppress(websockets.ConnectionClosed):  # it is sent again on the next connection
                    await self._send(seat, message)
                return True
        return False

    async def start_rematch(self) -> None:
        """Agree to a rematch on all seats, and follow its table once there is one."""
        view = self.seats[0].view
        again = view.rematch.table if view and view.rematch else None
        if not self.agreed:
            self.agreed = True
            for seat in self.seats:
                assert seat.view
                answer = {"seat": seat.view.own[0].seat, "agree": True, "id": f"r{next(NUMBERS)}"}
                await self._send(seat, {"type": "rematch", "table": self.code, **answer})
        elif again is not None:
            old, self.code, self.agreed = self.code, again, False
            for seat in self.seats:
                await self._send(seat, {"type": "bye", "table": old})
                seat.view = None
                await self._hello(seat)

    @staticmethod
    async def _send(seat: Seat, message: dict[str, Any]) -> None:
        assert seat.socket
        await seat.socket.send(msgspec.json.encode(message).decode())


def open_table(servers: list[Server]) -> TableClients:
    """A table whose seats are split over the servers."""
    body = {"variant": "classic", "seats": [{}] * SEATS, "pause": 0}
    code = servers[0].post("/api/tables", body)["table"]
    people = [{"name": f"Player {i}", "secret": secrets.token_hex(32)} for i in range(SEATS)]
    servers[0].post(f"/api/tables/{code}/seats", {"people": people})
    return TableClients(code, [Seat(servers[i % len(servers)], one["secret"]) for i, one in enumerate(people)])


@dataclass
class RunResult:
    """The measurements of a run."""

    version: str
    kind: str
    tables: int
    rate: int
    sync: str
    done: float = 0.0
    late: int = 0
    refused: int = 0
    latencies: list[float] = field(default_factory=list)
    cpu: float = 0.0
    idle: float = 0.0
    connected: float = 0.0
    active: float = 0.0
    machine: float = 0.0
    reconnections: int = 0

    def milliseconds(self, share: float) -> float:
        times = sorted(self.latencies)
        return 1000 * times[min(len(times) - 1, int(share * len(times)))] if times else float("nan")

    def row(self) -> str:
        return (
            f"| {self.version} | {self.kind} | {self.tables} | {self.rate} | {self.sync} | {self.done:.0f} | "
            f"{self.milliseconds(0.5):.1f} | "
            f"{self.milliseconds(0.95):.1f} | **{self.milliseconds(0.99):.1f}** | {self.milliseconds(1):.0f} | "
            f"{self.machine:.1f} | "
            f"{self.cpu:.0%} | {1000 * self.cpu / max(1, self.done):.2f} | "
            f"{self.idle:.0f} | {self.connected:.0f} | {self.active:.0f} | {self.reconnections} |"
        )


@contextmanager
def start_servers(version: str, kind: str, sync: str, **settings: object) -> Iterator[list[Server]]:
    """The servers of a kind of run."""
    python, settings["workers"] = PYTHONS[version], 2 if kind in ("workers", "killed") else 1
    with ExitStack() as stack:
        directory = stack.enter_context(tempfile.TemporaryDirectory())
        database = stack.enter_context(postgres()) if kind != "one" else ""
        servers = [Server(python, directory, sync, database, **settings) for _ in range(2 if kind == "two" else 1)]
        try:
            yield servers
        finally:
            for server in servers:
                server.stop()


async def connect_all(tables: list[TableClients]) -> list[asyncio.Task[None]]:
    """Connect all seats; return the tasks that read what they receive."""
    for start in range(0, len(tables), 20):
        await asyncio.gather(*(table.open() for table in tables[start : start + 20]))
    listening = [asyncio.create_task(table.listen(seat)) for table in tables for seat in table.seats]
    await asyncio.sleep(1)
    return listening


async def disconnect_all(tables: list[TableClients], listening: list[asyncio.Task[None]], figures: RunResult) -> None:
    figures.refused = sum(table.refused for table in tables)
    figures.reconnections = sum(table.reconnections for table in tables)
    await asyncio.gather(*(table.close() for table in tables))
    await asyncio.gather(*listening)


async def run(version: str, kind: str, count: int, rate: int, sync: str = "normal") -> RunResult:
    """Measure a number of tables at a total rate of decisions per second."""
    figures = RunResult(version, kind, count, rate, sync)
    with start_servers(version, kind, sync) as servers:

        def memory() -> float:
            return sum(server.memory() for server in servers) / count

        def cpu() -> float:
            return sum(server.cpu() for server in servers)

        async def kill_in_the_middle() -> None:
            await asyncio.sleep(SECONDS / 2)
            servers[0].kill_worker()

        empty = memory()
        tables = [await asyncio.to_thread(open_table, servers) for _ in range(count)]
        figures.idle = memory() - empty
        listening = await connect_all(tables)
        figures.connected = memory() - empty
        await _send_decisions(tables, rate, WARM_UP, figures)
        figures.late, figures.latencies = 0, []
        for table in tables:
            table.latencies.clear()
        probe = WakeUpProbe()
        before, begin = cpu(), time.perf_counter()
        others = [asyncio.create_task(kill_in_the_middle())] if kind == "killed" else []
        await _send_decisions(tables, rate, SECONDS, figures)
        await asyncio.gather(*others)
        figures.machine = probe.stop()
        seconds = time.perf_counter() - begin
        figures.cpu = (cpu() - before) / seconds
        figures.active = memory() - empty
        figures.latencies = [one for table in tables for one in table.latencies]
        figures.done = len(figures.latencies) / seconds
        await disconnect_all(tables, listening, figures)
    return figures


async def _send_decisions(tables: list[TableClients], rate: int, seconds: float, figures: RunResult) -> None:
    """Send a decision every 1/rate seconds, table after table; the clock does not wait for the server."""
    rng = random.Random(1)
    begin, sent = time.perf_counter(), 0
    while (passed := time.perf_counter() - begin) < seconds:
        for _ in range(min(50, int(passed * rate) - sent)):
            sent += 1
            if not await tables[sent % len(tables)].decide(rng):
                figures.late += 1
        await asyncio.sleep(0.001)


@dataclass
class Overload:
    """What happened to a server that had more to do than it could."""

    figures: RunResult
    refused_after: float = float("nan")  # seconds until it refused the first new table
    opened_after: float = float("nan")  # seconds, after the load has ended, until it opened one again
    opened: int = 0
    refused: int = 0
    lost: int = 0  # tables that did not answer afterwards, or whose last decision never came

    async def try_to_open(self, server: Server, loading: asyncio.Task[None]) -> None:
        """Try to open a table every half second until the load ends."""
        begin = time.perf_counter()
        while not loading.done():
            if await asyncio.to_thread(opens_table, server):
                self.opened += 1
            elif self.refused == 0:
                self.refused, self.refused_after = 1, time.perf_counter() - begin
            else:
                self.refused += 1
            await asyncio.wait([loading], timeout=0.5)

    async def wait_until_open(self, server: Server) -> None:
        for _ in range(600):
            if await asyncio.to_thread(opens_table, server):
                return
            await asyncio.sleep(0.1)
        raise TimeoutError("the server opens no tables again")

    def text(self) -> str:
        one = self.figures
        return (
            f"{one.tables} tables at {one.rate} decisions/s wanted, on {SEATS * one.tables} connections: "
            f"{one.done:.0f} done/s, 50 % within {one.milliseconds(0.5):.0f} ms and 99 % within "
            f"{one.milliseconds(0.99):.0f} ms (`machine` {one.machine:.1f}). The first new table was refused as `busy` "
            f"after {self.refused_after:.1f} s; of those that were tried every half second {self.opened} were opened "
            f"and {self.refused} refused. {self.opened_after:.1f} s after the load had ended one was opened again. "
            f"Tables lost: {self.lost}; decisions refused: {one.refused}; connections lost: {one.reconnections}."
        )


async def overload(count: int, rate: int) -> Overload:
    """More decisions than a server can do, while others try to open new tables."""
    figures = RunResult(NOW, OVERLOAD, count, rate, "normal")
    result = Overload(figures)
    with start_servers(NOW, "one", "normal", busy_seconds=Settings.busy_seconds) as [server]:
        tables = [await asyncio.to_thread(open_table, [server]) for _ in range(count)]
        listening = await connect_all(tables)
        probe, begin = WakeUpProbe(), time.perf_counter()
        loading = asyncio.create_task(_send_decisions(tables, rate, SECONDS, figures))
        await result.try_to_open(server, loading)
        figures.latencies = [one for table in tables for one in table.latencies]
        figures.done = len(figures.latencies) / (time.perf_counter() - begin)
        figures.machine, ended = probe.stop(), time.perf_counter()
        await result.wait_until_open(server)
        result.opened_after = time.perf_counter() - ended
        answers = [
            await asyncio.to_thread(server.get, f"/api/tables/{one.code}", one.seats[0].secret) for one in tables
        ]
        result.lost = sum(table.waiting or not answer for table, answer in zip(tables, answers, strict=True))
        await disconnect_all(tables, listening, figures)
    return result


def opens_table(server: Server) -> bool:
    """Whether the server opens a new table; anything but that it is busy is an error."""
    try:
        server.post("/api/tables", {"variant": "classic", "seats": [{}] * SEATS})
    except urllib.error.HTTPError as error:
        with error:
            if error.code != 503 or msgspec.json.decode(error.read())["code"] != "busy":
                raise
        return False
    return True


def write(runs: Iterable[RunResult], overloaded: Overload) -> str:
    now, command = datetime.now(UTC), "python -m benchmarks.server"
    if BEFORE:
        command += f" --before {BEFORE}=PYTHON"
    lines = [
        "# The server under load",
        "",
        f"`{command}`, {now:%Y-%m-%d}, {os.cpu_count()} cores shared by servers and clients, "
        f"Python {sys.version.split()[0]}, {SECONDS} s a run; load average "
        f"{' '.join(f'{load:.1f}' for load in os.getloadavg())} at the end.",
        "",
        "`one` process with SQLite; `two` servers with PostgreSQL, the seats of each table split over them; a server "
        "with two `workers`, of which one is `killed` in the middle.",
        "",
        "Times are milliseconds, from a command to the views of all four seats, or of the servers' CPU; memory is kB "
        "per table: created and seated; with four sockets open; and after the run. `machine` is how late a sleeping "
        "process woke up meanwhile, `lost` the connections that players had to open again, of four per table.",
        "",
        "| version | servers | tables | decisions/s wanted | sync | done/s | median | 95 % | 99 % | worst "
        "| machine 99 % | server CPU | CPU per decision | idle | connected | active | lost |",
        f"|{'---|' * 17}",
        *(figures.row() for figures in runs),
        "",
        "## Too much to do",
        "",
        overloaded.text(),
    ]
    return "\n".join(lines) + "\n"


PLANS = {
    "one": [(250, 250), (500, 500), (1000, 500), (1000, 1000)],
    "two": [(300, 300)],
    "workers": [(300, 300)],
    "killed": [(300, 300)],
}
OVERLOAD_PLAN = (3000, 4000)  # a table has one decision at a time: fewer tables cannot make a fast server late


def main() -> None:
    gc.set_threshold(2_000, 10, 10_000)  # a pause of the clients would count as latency of the server
    kinds = ARGUMENTS.kinds or [*KINDS, OVERLOAD]
    runs_wanted = [(kind, *plan, "normal") for kind in KINDS if kind in kinds for plan in PLANS[kind][:PLANS_RUN]]
    if "one" in kinds and not QUICK:
        runs_wanted.insert(1, ("one", 250, 250, "full"))
    runs = []
    for wanted in runs_wanted:
        tried: dict[str, list[RunResult]] = {
            version: [] for version in PYTHONS if version == NOW or wanted[0] not in NEW
        }
        for _ in range(REPEATS):
            for version, results in tried.items():
                if not any(one.machine < QUIET for one in results):
                    results.append(asyncio.run(run(version, *wanted)))
                    print(results[-1].row(), f"late {results[-1].late}, refused {results[-1].refused}", flush=True)
        runs += [min(results, key=lambda figures: figures.machine) for results in tried.values()]
    if OVERLOAD in kinds:
        overloaded = asyncio.run(overload(*OVERLOAD_PLAN))
        print(overloaded.text())
    if not QUICK and len(kinds) > len(KINDS):
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text(write(runs, overloaded))


if __name__ == "__main__":
    main()
