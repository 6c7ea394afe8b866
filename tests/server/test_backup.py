"""`rowlock db backup`: a copy of the database while the server runs."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.command import run
from tests.server.serving import Server


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Server]:
    (tmp_path / "server").mkdir()
    with Server(tmp_path / "server") as server:
        yield server


def test_a_copy_of_a_running_server_holds_every_table(running: Server, tmp_path: Path) -> None:
    """Also what is in the write-ahead log only, which a copy of the file alone leaves out."""
    codes = [running.create(["greedy", None]) for _ in range(3)]
    running.join(codes[0], "Anna")
    shutil.copy(running.directory / "rowlock.db", tmp_path / "alone.db")
    (tmp_path / "copy").mkdir()
    copy = tmp_path / "copy" / "rowlock.db"
    done = run("db", "backup", copy, "--database", running.database)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"{running.directory / 'rowlock.db'} copied to {copy}\n"
    assert [file.name for file in copy.parent.iterdir()] == ["rowlock.db"]
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(tmp_path / "alone.db")) as alone, pytest.raises(sqlite3.OperationalError):
        alone.execute("SELECT * FROM events")
    running.kill()
    with Server(copy.parent) as restored:
        for code in codes:
            assert restored.ask(f"/api/tables/{code}").status == 200
        assert [seat["name"] for seat in restored.ask(f"/api/tables/{codes[0]}").json["seats"]].count("Anna") == 1


def test_a_file_is_replaced_only_if_asked_for(running: Server, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    copy.write_text("something else")
    done = run("db", "backup", copy, "--database", running.database)
    assert (done.returncode, done.stderr) == (2, f"rowlock: {copy} exists already; --force replaces it\n")
    assert copy.read_text() == "something else"
    assert run("db", "backup", copy, "--database", running.database, "--force").returncode == 0
    assert copy.read_bytes().startswith(b"SQLite format 3")


@pytest.mark.parametrize(
    ("database", "error"),
    [
        ("postgresql://host/rowlock", "only an SQLite file can be copied; for PostgreSQL use pg_dump"),
        ("sqlite://", "only an SQLite file can be copied; for PostgreSQL use pg_dump"),
        ("sqlite:///nothing.db", "there is no database nothing.db"),
        ("sqlite:///text.db", "text.db cannot be copied: file is not a database"),
    ],
)
def test_what_cannot_be_copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, database: str, error: str) -> None:
    monkeypatch.chdir(tmp_path)
    Path("text.db").write_text("no database" * 100)
    done = run("db", "backup", "copy.db", "--database", database)
    assert (done.returncode, done.stderr) == (2, f"rowlock: {error}\n")
    assert [file.name for file in tmp_path.iterdir()] == ["text.db"]


def test_a_copy_that_fails_leaves_the_file_as_it_was(running: Server, tmp_path: Path) -> None:
    done = run("db", "backup", tmp_path / "no" / "copy.db", "--database", running.database)
    assert (done.returncode, done.stderr) == (
        2,
        f"rowlock: {tmp_path / 'no' / 'copy.db'} cannot be written: No such file or directory\n",
    )
    file = running.directory / "rowlock.db"
    done = run("db", "backup", file, "--database", running.database, "--force")
    assert (done.returncode, done.stderr) == (2, f"rowlock: {file} is the database itself\n")
