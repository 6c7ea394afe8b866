"""kill -9 at random moments: no acknowledged decision is lost, none applied twice, no table stuck."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from tests.server.crashing import CrashTest, check_games, check_log
from tests.server.serving import Server


@pytest.mark.crash
@pytest.mark.parametrize("sync", ["normal", "full"])
def test_kill_9(tmp_path: Path, sync: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if sync == "full":  # the same code with other commits: a few are enough
        monkeypatch.setattr("tests.server.crashing.KILLS", 4)
    with Server(tmp_path, sync=sync) as server:
        crash_test = CrashTest([server], seed=1)
        asyncio.run(crash_test.run())
        check_games(server, crash_test.games)
        assert server.stop() == 0
    with closing(sqlite3.connect(tmp_path / "rowlock.db")) as database:
        rows = database.execute("SELECT table_id, seq, data FROM events ORDER BY table_id, seq").fetchall()
    check_log([(table, seq, json.loads(data)) for table, seq, data in rows])


def test_one_server_per_sqlite_file(tmp_path: Path) -> None:
    with Server(tmp_path), pytest.raises(AssertionError, match=r"rowlock\.db"):
        Server(tmp_path).start()
