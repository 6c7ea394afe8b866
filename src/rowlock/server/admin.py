"""Administration of a running server on its own machine, over a Unix socket that only its user can open.

A request is a line of JSON, and so is the answer.
"""

import asyncio
import logging
import os
import socket
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

from rowlock.server import forgetting
from rowlock.server.draining import Drain
from rowlock.server.events import Access
from rowlock.server.limits import AddressLimits
from rowlock.server.refusal import CODES, Refused
from rowlock.server.settings import SettingError
from rowlock.server.storage import StorageFailure
from rowlock.server.table_registry import TableRegistry
from rowlock.server.table_session import TableSession
from rowlock.server.workers import worker_paths

MAX_REQUEST = 1 << 20  # bytes

logger = logging.getLogger("rowlock.server")


class AdminError(Exception):
    """The server cannot do this, or cannot be reached; the text is one line."""


class Request(msgspec.Struct):
    """A command and what it is about; each command uses some of the fields."""

    command: str
    tables: list[str] = []
    settings: dict[str, str] = {}
    minutes: float | None = None
    name: str = ""


class Administration:
    """The commands of `rowlock admin`, for one server."""

    def __init__(self, registry: TableRegistry, limits: AddressLimits, drain: Drain) -> None:
        self._registry, self._limits, self._drain = registry, limits, drain
        self._server: asyncio.Server | None = None
        self._path: Path | None = None
        self._commands: Mapping[str, Callable[[Request], Awaitable[Any]]] = {
            "tables": self._tables,
            "close": lambda request: self._set_access(request.tables, open=False),
            "open": lambda request: self._set_access(request.tables, open=True),
            "delete": self._delete,
            "forget": self._forget,
            "limits": self._change_limits,
            "drain": self._begin_drain,
        }

    async def open(self, path: Path | None) -> None:
        """Listen at the socket. If that is impossible the server runs without, and the log says so."""
        if path is None or not hasattr(socket, "AF_UNIX"):
            return
        try:
            listening = _bind(path)
        except OSError as error:
            logger.warning("no administration: %s cannot be opened: %s", path, error.strerror or error)
            return
        self._path = path
        self._server = await asyncio.start_unix_server(self._answer, sock=listening, limit=MAX_REQUEST)

    async def close(self) -> None:
        if self._server and self._path:
            self._server.close()
            self._path.unlink(missing_ok=True)

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError, ValueError):  # ValueError: a line that is too long
            answer = await self._run(await reader.readline())
            writer.write(msgspec.json.encode(answer) + b"\n")
            await writer.drain()
        writer.close()

    async def _run(self, line: bytes) -> dict[str, Any]:
        try:
            request = msgspec.json.decode(line, type=Request)
            if request.command not in self._commands:
                return {"error": f"this server knows no command {request.command!r}"}
            return {"result": await self._commands[request.command](request)}
        except Refused as refused:
            return {"error": CODES[refused.code][1]}
        except (AdminError, SettingError, msgspec.MsgspecError) as error:
            return {"error": str(error)}
        except StorageFailure:
            return {"error": "the database fails; see the log"}

    async def _tables(self, request: Request) -> list[dict[str, object]]:
        summaries = await self._registry.storage.summaries()
        sessions = self._registry.sessions
        return [
            {**summary._asdict(), "connections": len(sessions[summary.table].subscribers) if in_use else 0}
            for summary in summaries
            for in_use in [summary.table in sessions]
        ]

    async def _set_access(self, codes: list[str], *, open: bool) -> list[str]:
        for code in codes:
            session = await self._find(code)
            await session.submit(lambda table, _: [Access(open)] if table.open != open else table.seq)
            logger.info("table %s %s by the administrator", code, "opened" if open else "closed")
        return codes

    async def _find(self, code: str) -> TableSession:
        try:
            return await self._registry.find(code)
        except Refused as refused:
            raise AdminError(f"{code}: {CODES[refused.code][1]}") from None

    async def _delete(self, request: Request) -> list[str]:
        for code in request.tables:
            if not await self._registry.delete(code):
                raise AdminError(f"{code}: there is no such table")
            logger.info("table %s deleted by the administrator", code)
        return request.tables

    async def _forget(self, request: Request) -> list[str]:
        for code in request.tables:
            try:
                await forgetting.forget(await self._find(code), forgetting.with_name(request.name))
            except Refused as refused:
                no_person = refused.code == "secret"
                reason = f"nobody there has the name {request.name!r}" if no_person else CODES[refused.code][1]
                raise AdminError(f"{code}: {reason}") from None
            logger.info("a person at table %s forgotten by the administrator", code)
        return request.tables

    async def _change_limits(self, request: Request) -> dict[str, float]:
        """Change limits, all or none; the answer has all limits."""
        settings = self._registry.settings
        settings.change(request.settings)
        self._limits.update(settings)
        for name, value in request.settings.items():
            logger.info("limit changed by the administrator: %s=%s", name, value)
        return settings.limits

    async def _begin_drain(self, request: Request) -> list[str]:
        self._drain.begin(request.minutes)
        return self._drain.games


def _bind(path: Path) -> socket.socket:
    """A socket that only this user can open; one that a killed server has left is replaced."""
    path.parent.mkdir(parents=True, exist_ok=True)
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    umask = os.umask(0o177)
    try:
        if path.is_socket():
            if _is_used(path):
                raise OSError("another server uses it")
            path.unlink()
        listening.bind(str(path))
        listening.listen()
    except OSError:
        listening.close()
        raise
    finally:
        os.umask(umask)
    return listening


def _is_used(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def ask(path: Path | None, request: Request) -> Any:
    """Send a command to the server with this socket; return its result.

    What is about a process and not about tables goes to all of its workers.
    """
    if path is None or not hasattr(socket, "AF_UNIX"):
        raise AdminError("this needs a Unix socket: the setting admin_socket is off, or the system has none")
    results, failure = [], AdminError("")
    for one in reversed(worker_paths(path)):
        try:
            results.append(_ask_worker(one, request))
        except NoAnswer as error:  # the worker has ended, or has just been started
            failure = error
            continue
        if request.command not in ("tables", "limits", "drain"):
            break
    if not results:
        raise failure
    if request.command == "drain":
        return sorted(set().union(*results))
    if request.command == "tables":
        connections: Counter[str] = Counter()
        for tables in results:
            connections.update({table["table"]: table["connections"] for table in tables})
        return [{**table, "connections": connections[table["table"]]} for table in results[-1]]
    return results[-1]


class NoAnswer(AdminError):
    """There is no server at this socket, or it has just ended."""


def _ask_worker(path: Path, request: Request) -> Any:
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
        try:
            connection.connect(str(path))
            connection.sendall(msgspec.json.encode(request) + b"\n")
            with connection.makefile("rb") as stream:
                answer = stream.read()
        except FileNotFoundError:
            raise NoAnswer(f"no server runs here: there is no {path}") from None
        except OSError as error:
            raise NoAnswer(f"no server answers at {path}: {error.strerror or error}") from None
    if not answer:
        raise NoAnswer(f"the server at {path} has ended without an answer")
    decoded = msgspec.json.decode(answer)
    if "error" in decoded:
        raise AdminError(decoded["error"])
    return decoded["result"]
