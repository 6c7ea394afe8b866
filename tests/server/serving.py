"""Servers as separate processes, on loopback, with real files and signals."""

import contextlib
import json
import multiprocessing
import os
import secrets
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any, ClassVar

from tests.effort import EFFORT

# All requests of a test come from one address.
UNLIMITED = {
    "messages_per_second": 10_000,
    "requests_per_second": 10_000,
    "tables_per_hour": 100_000,
    "connections_per_address": 5_000,
    "bot_pause": 0,
    "busy_seconds": 1000,  # the machine may be slow
    "failed_tries_per_hour": 100_000,
}


PRELOAD = [
    *("tests.server.serving", "rowlock.cli.commands", "rowlock.cli.join", "rowlock.server.run"),
    *("alembic.command", "alembic.config", "encodings.idna", "pygments.formatters.html", "pygments.lexers.web"),
    *("sqlalchemy.dialects.sqlite.aiosqlite", "sqlite3", "typer._adapters", "uvicorn.loops.uvloop"),
    "tests.server.preload",
]


class Forked:
    """The command as a fork of a process with all imports done, since these take most of the time to start."""

    def __init__(self, words: list[str], environment: Mapping[str, str], stdin: int, stdout: int, stderr: int) -> None:
        forks = multiprocessing.get_context("forkserver")
        forks.set_forkserver_preload(PRELOAD)
        streams = [Connection(os.dup(one)) for one in (stdin, stdout, stderr)]
        self._process: ForkServerProcess = forks.Process(
            target=_command, args=(words, dict(environment), streams), daemon=True
        )
        self._process.start()
        for one in streams:
            one.close()

    @property
    def pid(self) -> int:
        assert self._process.pid
        return self._process.pid

    def send_signal(self, sign: signal.Signals) -> None:
        with contextlib.suppress(ProcessLookupError):  # it has ended by itself
            os.kill(self.pid, sign)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)

    def wait(self, seconds: float | None = None) -> int:
        self._process.join(seconds)
        assert self._process.exitcode is not None
        return self._process.exitcode


def _command(words: list[str], environment: dict[str, str], streams: list[Connection]) -> None:
    from rowlock import cli

    os.environ.clear()
    os.environ.update(environment)
    os.setsid()
    for number, one in enumerate(streams):
        os.dup2(one.fileno(), number)
        one.close()
    sys.stdin = os.fdopen(0, closefd=False)
    sys.stdout = os.fdopen(1, "w", buffering=1, closefd=False)
    sys.stderr = os.fdopen(2, "w", buffering=1, closefd=False)
    sys.argv = ["rowlock", *words]
    cli.main()


Process = subprocess.Popen[bytes] | Forked


def start(words: list[str], stdin: int, stdout: int, stderr: int, changes: Mapping[str, str], *, fork: bool) -> Process:
    """Start the command with these streams; `fork` needs an environment that does not change the imports."""
    if fork and EFFORT != "soak":
        return Forked(words, {**os.environ, **changes}, stdin, stdout, stderr)
    return subprocess.Popen(
        [sys.executable, "-m", "rowlock", *words],
        stdin=stdin,
        stdout=stdout,
        stderr=stderr,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **changes},
        start_new_session=True,
    )


class Answer:
    """The response to an HTTP request."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """A server that can be killed and restarted with the same address and database."""

    invites: ClassVar[dict[str, str]] = {}  # by table; of all servers, since some share a database

    def __init__(self, directory: Path, database: str | None = None, **settings: object) -> None:
        self.directory = directory
        self.database = database or f"sqlite:///{directory / 'rowlock.db'}"
        self.settings = {**UNLIMITED, **settings}
        self.port = 0
        self.process: Process | None = None
        self.log = directory / f"server-{id(self)}.log"
        self.environment: dict[str, str] = {}

    def start(self) -> "Server":
        options = [word for name, value in self.settings.items() for word in ("--setting", f"{name}={value}")]
        words = ["serve", "--port", str(self.port), "--database", self.database, *options]
        reader, writer = os.pipe()
        with self.log.open("a") as log, Path(os.devnull).open() as nothing:
            changes = self.environment
            self.process = start(words, nothing.fileno(), writer, log.fileno(), changes, fork=not changes)
        os.close(writer)
        self._output = os.fdopen(reader)
        line = self._output.readline()
        if "rowlock serves at" not in line:
            self._end(signal.SIGKILL)
            raise AssertionError(self.log.read_text())
        self.url = line.split()[3].rstrip("/,")
        self.port = int(self.url.rpartition(":")[2])
        return self

    def __enter__(self) -> "Server":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        assert self.process
        return self.process.pid

    @property
    def workers(self) -> list[int]:
        """The process ids of the workers."""
        done = subprocess.run(["ps", "-o", "pid=", "--ppid", str(self.pid)], capture_output=True, text=True)
        return sorted(map(int, done.stdout.split()))

    @property
    def socket_url(self) -> str:
        return self.url.replace("http", "ws", 1) + "/api/socket"

    def kill(self) -> None:
        """kill -9."""
        self._end(signal.SIGKILL)

    def stop(self) -> int:
        return self._end(signal.SIGTERM)

    def _end(self, sign: signal.Signals) -> int:
        if self.process is None:
            return 0
        self.process.send_signal(sign)
        return self.wait()

    def wait(self) -> int:
        """Wait until the server has ended; return its exit status."""
        assert self.process
        status = self.process.wait(60)
        self._output.close()
        self.process = None
        return status

    def ask(self, path: str, body: object = None, **more: Any) -> Answer:
        """Send an HTTP request, POST if it has a body."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **more.pop("headers", {})}
        if (invite := self.invites.get(path.removeprefix("/api/tables/").partition("/")[0])) and body is None:
            headers.setdefault("Authorization", f"Bearer {invite}")
        request = urllib.request.Request(self.url + path, data, headers, **more)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())

    def create(self, seats: int | list[str | None], variant: str = "classic", **more: object) -> str:
        """A table for so many people, or with these bots (None for a person)."""
        bots = [{"bot": bot} for bot in ([None] * seats if isinstance(seats, int) else seats)]
        answer = self.ask("/api/tables", {"variant": variant, "seats": bots, "pause": 0, **more})
        assert answer.status == 201, answer.body
        code: str = answer.json["table"]
        self.invites[code] = answer.json["invite"]
        return code

    def join(self, table: str, *names: str) -> list[str]:
        """Take seats; return their secrets."""
        people = [person(name) for name in names]
        answer = self.ask(f"/api/tables/{table}/seats", {"people": people})
        assert answer.status == 201, answer.body
        return [one["secret"] for one in people]


def person(name: str) -> dict[str, str]:
    """A person with a new secret, as the request to take a seat has them."""
    return {"name": name, "secret": secrets.token_hex(32)}
