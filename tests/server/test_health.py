"""The database fails: the server says so in /health and in the log, and continues when the database works again."""

import random
import resource
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.serving import Server

PAGE = 4096


@pytest.mark.skipif(not hasattr(resource, "prlimit"), reason="needs the prlimit of Linux")
def test_a_full_disk(tmp_path: Path) -> None:
    """Nothing can be stored, also not by /health; the log says why, in few lines; then there is room again."""
    with Server(tmp_path) as server:
        kept = server.create(2)
        assert server.ask("/health").status == 200
        size = (tmp_path / "rowlock.db-wal").stat().st_size
        _, hard = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (size, hard))  # no file grows any more
        body = {"variant": "classic", "seats": [{}]}
        for _ in range(20):
            answer = server.ask("/api/tables", body)
            assert (answer.status, answer.json["code"]) == (503, "storage")
            answer = server.ask("/health")
            assert (answer.status, answer.json["code"]) == (503, "storage")
        lines = [line for line in server.log.read_text().splitlines() if "the database fails" in line]
        assert len(lines) == 1
        assert "disk" in lines[0]
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (hard, hard))
        assert server.ask("/health").status == 200
        assert server.ask("/api/tables", body).status == 201
        assert server.ask(f"/api/tables/{kept}").status == 200


def test_overwritten_pages(tmp_path: Path) -> None:
    """/health reads the tables in turn, so that it finds pages which no player has asked for."""
    with Server(tmp_path) as server:
        for _ in range(60):
            server.create(2)
    file = tmp_path / "rowlock.db"
    with closing(sqlite3.connect(file)) as database:
        [(count,)] = database.execute("PRAGMA page_count")
        roots = {page for (page,) in database.execute("SELECT rootpage FROM sqlite_master")}
    broken = {*range(2, count + 1)} - roots  # the server still finds its tables, and starts
    assert broken
    with file.open("r+b") as opened:
        for page in broken:
            opened.seek(PAGE * (page - 1))
            opened.write(random.Random(page).randbytes(PAGE))
    with Server(tmp_path) as server:
        assert server.ask("/health").status == 503
        assert server.ask("/health").status == 503
        assert "the database fails: " in server.log.read_text()
        assert "malformed" in server.log.read_text()
