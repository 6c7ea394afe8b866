"""Running the server in this process."""

import logging
import signal
import socket
import sys
from collections.abc import Callable
from contextlib import suppress

import uvicorn

from rowlock.server.app import make_app
from rowlock.server.settings import Settings

STOP_SECONDS = 5


class Server(uvicorn.Server):
    """Says where it listens once it does."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[str], None], base_url: str) -> None:
        super().__init__(config)
        self._ready, self._base_url = ready, base_url

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and self.servers:
            host, port = self.servers[0].sockets[0].getsockname()[:2]
            host = f"[{host}]" if ":" in host else host
            self._ready(self._base_url or f"http://{host}:{port}/")


def serve(settings: Settings, ready: Callable[[str], None] = lambda address: None) -> int:
    """Serve until Ctrl-C or SIGTERM; 0 where it stopped cleanly."""
    logging.basicConfig(level=logging.INFO, format="%(levelname)s: %(message)s", stream=sys.stderr)
    # Frames hold secrets: the libraries that see them tell nothing below a warning.
    for name in ("websockets", "uvicorn.error", "alembic", "aiosqlite", "sqlalchemy"):
        logging.getLogger(name).setLevel(logging.WARNING)
    config = uvicorn.Config(
        make_app(settings),
        host=settings.host,
        port=settings.port,
        access_log=False,
        log_config=None,
        proxy_headers=bool(settings.trusted_proxies),
        forwarded_allow_ips=settings.trusted_proxies or None,
        server_header=False,
        ws="websockets-sansio",
        ws_max_size=max(65536, 2 * settings.message_bytes),
        ws_ping_interval=settings.ping_seconds or None,
        ws_ping_timeout=settings.ping_seconds or None,
        ws_per_message_deflate=False,  # a view is small, the memory for compressing it is not
        timeout_graceful_shutdown=STOP_SECONDS,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=65536,
    )
    server = Server(config, ready, settings.base_url)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with suppress(KeyboardInterrupt):  # uvicorn passes the signal on after it has stopped cleanly
        server.run()
    return 0 if server.started else 1
