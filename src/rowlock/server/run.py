"""Runs the server in this process."""

import asyncio
import errno
import gc
import signal
import socket
from collections import Counter
from collections.abc import Callable
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
from rowlock.server.settings import Settings
from rowlock.server.storage import DatabaseInUse
from rowlock.server.table_registry import TableRegistry
from rowlock.server.transport import make_protocols, trust_proxies

STOP_SECONDS = 5  # how long open requests and connections may continue when the server stops


class ServeError(Exception):
    """The server cannot run; the text is one line."""


class AlreadyRunning(ServeError):
    """Another server uses the database; `address` is that of the server, or empty if it is not known."""

    def __init__(self, error: DatabaseInUse) -> None:
        user = f"the server at {error.address}" if error.address else "another server"
        super().__init__(f"{error.database} is used by {user}; several servers can share a PostgreSQL database")
        self.address = error.address


class Server(uvicorn.Server):
    """Opens the registry before it listens, reports its address when ready, and closes the registry last."""

    def __init__(
        self, config: uvicorn.Config, registry: TableRegistry, limits: AddressLimits, ready: Callable[[str], None]
    ) -> None:
        super().__init__(config)
        self.registry, self._ready = registry, ready
        self._listening: list[socket.socket] = []
        self._drain = Drain(registry, self._stop)
        self._administration = Administration(registry, limits, self._drain)
        self._metrics: asyncio.Server | None = None

    def _stop(self) -> None:
        self.should_exit = True

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.registry.open()
        host, port = self.config.host, self.config.port
        try:
            self._listening = _listen(host, port)
            if address := self.registry.settings.metrics:
                name, _, number = address.rpartition(":")
                host, port = name.strip("[]"), int(number)
                self._metrics = await serve_metrics(host, port, self._metrics_text)
        except (OSError, UnicodeError) as error:  # UnicodeError: a host name that cannot be encoded
            await self.registry.close()
            for opened in self._listening:
                opened.close()
            reason = getattr(error, "strerror", None) or error
            raise ServeError(f"cannot listen at {host}, port {port}: {reason}") from None
        await super().startup(self._listening)
        await self._administration.open(self.registry.settings.admin_path)
        if hasattr(signal, "SIGUSR1"):
            asyncio.get_running_loop().add_signal_handler(signal.SIGUSR1, self._drain.begin)
        _configure_garbage_collection()
        if self.started and self.servers:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            host = f"[{host}]" if ":" in host else host
            self.registry.storage.write_address(f"http://{host}:{port}/")
            self._ready(f"http://{host}:{port}/")

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


def _configure_garbage_collection() -> None:
    """Collect garbage less often: going through all tables blocks the event loop for a moment."""
    gc.collect()
    gc.freeze()  # objects that exist now are never examined again
    gc.set_threshold(20_000, 10, 10)  # new objects between two collections; by default 2000 or fewer


def serve(settings: Settings, ready: Callable[[str], None] = lambda address: None) -> int:
    """Serve until Ctrl-C or SIGTERM; return 0 after a clean stop."""
    set_up_log(settings.log)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # raises KeyboardInterrupt, as Ctrl-C does
    try:
        registry = TableRegistry(settings)
        app = make_app(registry)
        server = Server(_config(settings, app), registry, app.state.context.limits, ready)
        with suppress(KeyboardInterrupt):  # uvicorn raises the signal again after a clean stop
            server.run()
    except DatabaseInUse as error:
        raise AlreadyRunning(error) from None
    except ImportError as error:
        raise ServeError(f"the database needs a driver: {error}; run pip install 'rowlock[postgres]'") from None
    except (SQLAlchemyError, OSError, UnicodeError, UnknownVersion) as error:
        raise ServeError(f"the database cannot be opened: {str(error).splitlines()[0]}") from None
    return 0 if server.started else 1


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
