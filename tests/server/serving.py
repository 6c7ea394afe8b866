"""Servers as processes of their own, on loopback, with real files and real signals."""

import json
import os
import secrets
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

# A test is one address that does a lot.
UNLIMITED = {
    "messages_per_second": 10_000,
    "requests_per_second": 10_000,
    "tables_per_hour": 100_000,
    "connections_per_address": 5_000,
    "bot_pause": 0,
}


class Answer:
    """What an HTTP request got."""

    def __init__(self, status: int, headers: Any, body: bytes) -> None:
        self.status, self.headers, self.body = status, headers, body

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """A server that can be killed and started again at the same address, on the same database."""

    def __init__(self, directory: Path, database: str | None = None, **settings: object) -> None:
        self.directory = directory
        self.database = database or f"sqlite:///{directory / 'rowlock.db'}"
        self.settings = {**UNLIMITED, **settings}
        self.port = 0
        self.process: subprocess.Popen[str] | None = None
        self.log = directory / f"server-{id(self)}.log"
        self.environment: dict[str, str] = {}

    def start(self) -> "Server":
        options = [word for name, value in self.settings.items() for word in ("--setting", f"{name}={value}")]
        command = [sys.executable, "-m", "rowlock", "serve", "--port", str(self.port), "--database", self.database]
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [*command, *options],
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1", **self.environment},
            )
        assert self.process.stdout
        line = self.process.stdout.readline()
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
        status = self.process.wait(60)
        assert self.process.stdout
        self.process.stdout.close()
        self.process = None
        return status

    def ask(self, path: str, body: object = None, **more: Any) -> Answer:
        """An HTTP request: POST where it has a body."""
        data = None if body is None else body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", **more.pop("headers", {})}
        request = urllib.request.Request(self.url + path, data, headers, **more)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return Answer(answer.status, answer.headers, answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return Answer(error.code, error.headers, error.read())

    def create(self, seats: int | list[str | None], variant: str = "classic", **more: object) -> str:
        """A table for so many people, or with these bots (None for a person)."""
        wishes = [{"bot": bot} for bot in ([None] * seats if isinstance(seats, int) else seats)]
        answer = self.ask("/api/tables", {"variant": variant, "seats": wishes, **more})
        assert answer.status == 201, answer.body
        code: str = answer.json["table"]
        return code

    def join(self, table: str, *names: str) -> list[str]:
        """Sit down; the secrets."""
        people = [person(name) for name in names]
        answer = self.ask(f"/api/tables/{table}/seats", {"people": people})
        assert answer.status == 201, answer.body
        return [one["secret"] for one in people]


def person(name: str) -> dict[str, str]:
    """Somebody who sits down, with a secret of their own."""
    return {"name": name, "secret": secrets.token_hex(32)}
