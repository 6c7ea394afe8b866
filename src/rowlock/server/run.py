"""Runs the server in this process."""

import errno
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import uvicorn
from sqlalchemy.exc import SQLAlchemyError

from rowlock.server.app import make_app
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

    def __init__(self, config: uvicorn.Config, registry: TableRegistry, ready: Callable[[str], None]) -> None:
        super().__init__(config)
        self.registry, self._ready = registry, ready
        self._listening: list[socket.socket] = []

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await self.registry.open()
        try:
            self._listening = _listen(self.config.host, self.config.port)
        except (OSError, UnicodeError) as error:  # UnicodeError: a host name that cannot be encoded
            await self.registry.close()
            reason = getattr(error, "strerror", None) or error
            raise ServeError(f"cannot listen at {self.config.host}, port {self.config.port}: {reason}") from None
        await super().startup(self._listening)
        _configure_garbage_collection()
        if self.started and self.servers:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            host = f"[{host}]" if ":" in host else host
            self.registry.storage.write_address(f"http://{host}:{port}/")
            self._ready(f"http://{host}:{port}/")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await super().shutdown(self._listening)
        await self.registry.close()


class _NoiseFilter(logging.Filter):
    """Drops messages with which strangers could fill the log: refused WebSockets, invalid requests and frames."""

    TEXTS = ("without completing handshake", "Invalid HTTP request", "Invalid UTF-8 sequence")

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        # uvloop raises this when an answer is written to a client that has just disconnected.
        disconnected = isinstance(error, RuntimeError) and "the handler is closed" in str(error)
        return not disconnected and not any(text in record.getMessage() for text in self.TEXTS)


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
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s", stream=sys.stderr)
    # At lower levels these libraries log frames, and frames hold secrets.
    for name in ("websockets", "uvicorn.error", "alembic", "asyncio", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("uvicorn.error").addFilter(_NoiseFilter())
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # raises KeyboardInterrupt, as Ctrl-C does
    try:
        registry = TableRegistry(settings)
        server = Server(_config(settings, registry), registry, ready)
        with suppress(KeyboardInterrupt):  # uvicorn raises the signal again after a clean stop
            server.run()
    except DatabaseInUse as error:
        raise AlreadyRunning(error) from None
    except ImportError as error:
        raise ServeError(f"the database needs a driver: {error}; run pip install 'rowlock[postgres]'") from None
    except (SQLAlchemyError, OSError, UnicodeError, UnknownVersion) as error:
        raise ServeError(f"the database cannot be opened: {str(error).splitlines()[0]}") from None
    return 0 if server.started else 1


def _config(settings: Settings, registry: TableRegistry) -> uvicorn.Config:
    http, ws = make_protocols(settings)
    app: Any = make_app(registry)
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
