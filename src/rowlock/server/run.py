"""Runs the server, in this process or in several workers."""

import asyncio
import errno
import gc
import os
import signal
import socket
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from rowlock.server.admin import Administration
from rowlock.server.app import make_app
from rowlock.server.draining import Drain
from rowlock.server.limits import AddressLimits
from rowlock.server.logs import set_up_log
from rowlock.server.metrics import metrics_text, serve_metrics
from rowlock.server.migration import UnknownVersion
from rowlock.server.settings import SettingError, Settings
from rowlock.server.storage import DatabaseInUse
from rowlock.server.table_registry import TableRegistry
from rowlock.server.transport import make_protocols, trust_proxies
from rowlock.server.workers import DRAINED, STOPPED, Supervisor, WorkerFailed

STOP_SECONDS = 5  # how long open requests and connections may continue when the server stops


class ServeError(Exception):
    """The server cannot run; the text is one line."""


class AlreadyRunning(ServeError):
    """Another server uses the database; `address` is that of the server, or empty if it is not known."""

    def __init__(self, error: DatabaseInUse) -> None:
        user = f"the server at {error.address}" if error.address else "another server"
        super().__init__(f"{error.database} is used by {user}; several servers can share a PostgreSQL database")
        self.address = error.address


def _cannot_listen(host: str, port: int, error: Exception) -> ServeError:
    return ServeError(f"cannot listen at {host}, port {port}: {getattr(error, 'strerror', None) or error}")


class Server(uvicorn.Server):
    """Opens the registry before it listens, reports its address when ready, and closes the registry last."""

    def __init__(
        self,
        config: uvicorn.Config,
        registry: TableRegistry,
        limits: AddressLimits,
        ready: Callable[[str], None],
        sockets: Sequence[socket.socket] = (),
        supervisor: int | None = None,
    ) -> None:
        """`sockets` listen already. The process ends with the supervisor, which `supervisor` can be read for."""
        super().__init__(config)
        self.registry, self._ready, self._supervisor = registry, ready, supervisor
        self._listening: list[socket.socket] = list(sockets)
        self._parent = os.getppid()
        self._drain = Drain(registry, self._stop, self._announce_draining)
        self._administration = Administration(registry, limits, self._drain)
        self._metrics: asyncio.Server | None = None

    def _stop(self) -> None:
        self.should_exit = True

    def _announce_draining(self) -> None:
        """Let the supervisor know: it then has all workers drain, and starts none in the place of one that ends."""
        if self._supervisor is not None and os.getppid() == self._parent:
            os.kill(self._parent, signal.SIGUSR1)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.registry.open()
        host, port = self.config.host, self.config.port
        try:
            self._listening = self._listening or _listen(host, port)
            if address := self.registry.settings.metrics:
                name, _, number = address.rpartition(":")
                host, port = name.strip("[]"), int(number)
                self._metrics = await serve_metrics(host, port, self._metrics_text)
        except (OSError, UnicodeError) as error:  # UnicodeError: a host name that cannot be encoded
            await self.registry.close()
            for opened in self._listening:
                opened.close()
            raise _cannot_listen(host, port, error) from None
        await super().startup(self._listening)
        await self._administration.open(self.registry.settings.admin_path)
        if hasattr(signal, "SIGUSR1"):
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, self._drain.begin_once)
        if self._supervisor is not None:
            asyncio.get_running_loop().add_reader(self._supervisor, os._exit, 1)  # as if both were killed
        configure_garbage_collection()
        if self.started and self.servers:
            address = _address(self._listening[0])
            self.registry.storage.write_address(address)
            self._ready(address)

    def _metrics_text(self) -> str:
        registry = self.registry
        states = Counter(session.table.state for session in registry.sessions.values())
        tables = {state: states[state] for state in ("waiting", "running", "over")}
        return metrics_text(
            {
                "tables": ("Tables in memory, by the state of their game.", "state", tables),
                "stored_tables": ("Tables in the database.", "", {"": registry.storage.table_count}),
                "connections": ("Open WebSockets.", "", {"": registry.connections.open}),
                "busy": (
                    "Whether it opens no new tables, because it has too much to do.",
                    "",
                    {"": int(registry.load.busy)},
                ),
                "lag_seconds": ("How late it does what is due, over some seconds.", "", {"": registry.load.lag}),
                "draining": ("Whether the server is about to stop.", "", {"": int(registry.draining)}),
            }
        )

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._administration.close()
        if self._metrics:
            self._metrics.close()
        await super().shutdown(self._listening)
        await self.registry.close()


def _address(listening: socket.socket) -> str:
    host, port = listening.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def _listen(host: str, port: int) -> list[socket.socket]:
    """A listening socket for every address of the host; addresses that this machine lacks are skipped."""
    sockets: list[socket.socket] = []
    failure: OSError | None = None
    addresses = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    for family, _, _, _, address in dict.fromkeys(addresses):
        try:
            sockets.append(socket.create_server(address, family=family))
        except OSError as error:
            failure = error
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                break
    else:
        if sockets:
            return sockets
    for opened in sockets:
        opened.close()
    raise failure or OSError("the host has no address")


def configure_garbage_collection() -> None:
    """Collect young objects in small portions, and go through all tables seldom: both block the event loop."""
    gc.collect()
    gc.freeze()  # objects that exist now are never examined again
    # With 2,000 young objects pauses took up to 110 ms; all are examined after two million new ones at the earliest.
    gc.set_threshold(500, 5, 800)


def serve(settings: Settings, ready: Callable[[str], None] = lambda address: None) -> int:
    """Serve until Ctrl-C or SIGTERM; return 0 after a clean stop."""
    set_up_log(settings.log)
    if settings.workers > 1:
        _serve_with_workers(settings, ready)
        return 0
    return 0 if _serve(settings, ready).started else 1


def _serve_with_workers(settings: Settings, ready: Callable[[str], None]) -> None:
    if settings.database_url.startswith("sqlite"):
        raise ServeError(
            "several workers need PostgreSQL, --database postgresql://HOST/NAME: an SQLite file belongs to one process"
        )
    if not hasattr(os, "fork"):
        raise ServeError("this system has no workers; several servers can share a PostgreSQL database")
    try:
        sockets = _listen(settings.host, settings.port)
    except (OSError, UnicodeError) as error:
        raise _cannot_listen(settings.host, settings.port, error) from None
    try:
        Supervisor(settings, sockets, _serve_as_worker).run(lambda: ready(_address(sockets[0])))
    except WorkerFailed as failed:
        raise ServeError(str(failed)) from None
    finally:
        for one in sockets:
            one.close()


def _serve_as_worker(
    settings: Settings, sockets: Sequence[socket.socket], share: int | None, supervisor: int, ready: Callable[[], None]
) -> int:
    try:
        server = _serve(settings, lambda _: ready(), sockets, share, supervisor)
    except ServeError as error:
        raise WorkerFailed(str(error)) from None
    return DRAINED if server.registry.draining else STOPPED


def _serve(
    settings: Settings,
    ready: Callable[[str], None],
    sockets: Sequence[socket.socket] = (),
    share: int | None = None,
    supervisor: int | None = None,
) -> Server:
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # raises KeyboardInterrupt, as Ctrl-C does
    try:
        registry = TableRegistry(settings, share)
        app = make_app(registry)
        server = Server(_config(settings, app), registry, app.state.context.limits, ready, sockets, supervisor)
        with suppress(KeyboardInterrupt):  # uvicorn raises the signal again after a clean stop
            server.run()
    except DatabaseInUse as error:
        raise AlreadyRunning(error) from None
    except SettingError as error:
        raise ServeError(str(error)) from None
    except ImportError as error:
        raise ServeError(f"the database needs a driver: {error}; run pip install 'rowlock[postgres]'") from None
    except (SQLAlchemyError, OSError, UnicodeError, UnknownVersion) as error:
        raise ServeError(f"the database cannot be opened: {str(error).splitlines()[0]}") from None
    return server


def _config(settings: Settings, app: Any) -> uvicorn.Config:
    http, ws = make_protocols(settings)
    return uvicorn.Config(
        trust_proxies(app, settings) if settings.trusted_proxies else app,
        host=settings.host,
        port=settings.port,
        lifespan="off",
        access_log=False,
        log_config=None,
        proxy_headers=False,
        server_header=False,
        http=http,
        ws=ws,
        # Above this size the connection is closed; above `message_bytes` the message is refused.
        ws_max_size=max(65536, 2 * settings.message_bytes),
        ws_ping_interval=settings.ping_seconds or None,
        ws_ping_timeout=settings.ping_seconds or None,
        ws_per_message_deflate=False,  # views are small, the memory per connection would be large
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=30,  # seconds between two requests on one connection
    )
