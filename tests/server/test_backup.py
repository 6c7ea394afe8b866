"""`rowlock db`: copies of the database, also while the server runs, and what is in it."""

import json
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import sqlalchemy as sa

from rowlock.server.backup import restore
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


def test_a_copy_that_a_server_has_used_is_replaced_with_its_log(running: Server, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    copy = tmp_path / "copy" / "rowlock.db"
    words = ("db", "backup", copy, "--database", running.database, "--force")
    assert run(*words).returncode == 0
    with Server(copy.parent) as other:
        other.create(2)
        other.kill()  # leaves a write-ahead log
    assert copy.with_name("rowlock.db-wal").stat().st_size
    running.create(3)
    assert run(*words).returncode == 0
    assert seats(copy) == [3]


@pytest.mark.parametrize(
    ("database", "error"),
    [
        ("sqlite://", "a database in memory ends with its server"),
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


# Restoring


@pytest.fixture
def copy(running: Server, tmp_path: Path) -> Path:
    """A copy of a database with a table; the server has stopped, and has another table."""
    running.create(2)
    assert run("db", "backup", tmp_path / "copy.db", "--database", running.database).returncode == 0
    running.create(3)
    running.kill()  # leaves a write-ahead log
    return tmp_path / "copy.db"


def seats(database: Path) -> list[int]:
    """The numbers of seats of the tables in a database, all events checked."""
    done = run("db", "check", "--database", f"sqlite:///{database}")
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    with closing(sqlite3.connect(database)) as opened:
        rows = opened.execute("SELECT data FROM events WHERE seq = 1").fetchall()
    return sorted(len(json.loads(data)["seats"]) for (data,) in rows)


def test_restoring_keeps_what_was_there(running: Server, copy: Path) -> None:
    database = running.directory / "rowlock.db"
    done = run("db", "restore", copy, "--database", running.database)
    assert (done.returncode, done.stderr) == (
        2,
        f"rowlock: {database} exists already; --force replaces it, and keeps it as rowlock.db.old\n",
    )
    assert seats(database) == [2, 3]
    done = run("db", "restore", copy, "--database", running.database, "--force")
    assert done.stdout == f"{copy} restored to {database}\nwhat was there is kept in {database}.old\n"
    assert seats(database) == [2]
    assert seats(Path(f"{database}.old")) == [2, 3]  # with what was in its log
    assert database.stat().st_mode & 0o777 == 0o600
    with running:
        assert running.create(4)


def test_restoring_to_a_new_place(copy: Path, tmp_path: Path) -> None:
    new = tmp_path / "new" / "rowlock.db"
    assert run("db", "restore", copy, "--database", f"sqlite:///{new}").stdout == f"{copy} restored to {new}\n"
    assert seats(new) == [2]


def test_what_root_restores_belongs_to_the_user_of_the_folder(
    copy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a server with a user of its own could not open it."""
    given: list[tuple[str, int, int]] = []
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setattr(os, "chown", lambda file, user, group: given.append((Path(file).name, user, group)))
    (tmp_path / "new").mkdir()
    owner = (tmp_path / "new").stat()
    restore(copy, sa.make_url(f"sqlite:///{tmp_path / 'new' / 'rowlock.db'}"), progress=lambda _: None)
    assert given == [(name, owner.st_uid, owner.st_gid) for name in ("rowlock.db.part", "rowlock.db.lock")]


def test_restoring_beside_the_log_of_a_lost_file(running: Server, copy: Path) -> None:
    database = running.directory / "rowlock.db"
    log = database.with_name("rowlock.db-wal")
    assert log.stat().st_size
    database.unlink()
    assert run("db", "restore", copy, "--database", running.database).returncode == 0
    assert not log.exists()
    assert seats(database) == [2]


def test_restoring_fails_while_a_server_runs(running: Server, copy: Path) -> None:
    with running:
        done = run("db", "restore", copy, "--database", running.database, "--force")
        database = running.directory / "rowlock.db"
        assert (done.returncode, done.stderr) == (2, f"rowlock: {database} is used by a server; stop it first\n")
        assert running.ask("/health").status == 200
    assert seats(database) == [2, 3]


def test_restoring_that_fails_leaves_the_database_as_it_was(running: Server, copy: Path, tmp_path: Path) -> None:
    """Whatever is wrong with the copy, and if the last step fails."""
    database = running.directory / "rowlock.db"
    no_copy, other, newer, damaged = (tmp_path / name for name in ("text.db", "other.db", "newer.db", "damaged.db"))
    no_copy.write_text("no database" * 100)
    with closing(sqlite3.connect(other)) as opened:
        opened.execute("CREATE TABLE other (x)")
    for file in (newer, damaged):
        shutil.copy(copy, file)
    with closing(sqlite3.connect(newer)) as opened, opened:
        opened.execute("UPDATE alembic_version SET version_num = '0099'")
    with damaged.open("r+b") as opened_file:
        opened_file.seek(-4096, 2)
        opened_file.write(b"x" * 4096)
    errors = {
        tmp_path / "nothing.db": f"there is no database {tmp_path / 'nothing.db'}",
        no_copy: f"{no_copy} is no copy of a database: file is not a database",
        other: f"{other} is no copy of a database of Rowlock",
        newer: f"{newer} is of a newer version of Rowlock",
        damaged: f"{damaged} is damaged: ",
        database: f"{database} is the database itself",
    }
    for file, error in errors.items():
        done = run("db", "restore", file, "--database", running.database, "--force")
        assert done.returncode == 2
        assert done.stderr.startswith(f"rowlock: {error}")
    with pytest.MonkeyPatch.context() as patch:
        replace = Path.replace

        def fail(path: Path, target: Path) -> Path:
            if path.suffix == ".part":
                raise OSError(28, "No space left on device")
            return replace(path, target)

        patch.setattr(Path, "replace", fail)
        done = run("db", "restore", copy, "--database", running.database, "--force")
        assert done.stderr == f"rowlock: {database} cannot be written: No space left on device\n"
    assert seats(database) == [2, 3]
    assert not [file for file in running.directory.iterdir() if file.suffix in (".part", ".old")]


# Checking and counting


def test_what_was_changed_is_found(running: Server) -> None:
    codes = sorted(running.create(2) for _ in range(3))
    running.join(codes[1], "Anna")
    done = run("db", "check", "--database", running.database)  # while the server runs
    database = running.directory / "rowlock.db"
    assert (done.returncode, done.stdout) == (0, f"{database}: 3 tables, 4 events, nothing is wrong\n")
    with closing(sqlite3.connect(database)) as opened, opened:
        opened.execute("UPDATE events SET data = replace(data, 'classic', 'longo') WHERE table_id = ?", (codes[1],))
        opened.execute("UPDATE events SET seq = 2 WHERE table_id = ?", (codes[2],))
    done = run("db", "check", "--database", running.database)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        f"table {codes[1]}: ChangedHistory: event 2 does not follow from the one before",
        f"table {codes[2]}: ChangedHistory: event 1 does not follow from the one before",
        f"{database}: 3 tables, 4 events, 2 problems",
    ]


def test_stats(running: Server) -> None:
    running.create(2)
    running.join(running.create(1), "Anna")
    with closing(sqlite3.connect(running.directory / "rowlock.db")) as opened:
        [(events,)] = opened.execute("SELECT count(*) FROM events")
    done = run("db", "stats", "--database", running.database)
    assert [line.split()[:2] for line in done.stdout.splitlines()[:4]] == [
        ["waiting", "1"],
        ["running", "1"],
        ["over", "0"],
        ["events", str(events)],
    ]
    found = json.loads(run("db", "stats", "--json", "--database", running.database).stdout)
    assert found["tables"] == {"waiting": 1, "running": 1, "over": 0}
    assert found["first_at"] <= found["last_at"]
    assert found["bytes"] > 4096


def test_a_database_that_no_server_has_opened(tmp_path: Path) -> None:
    empty = tmp_path / "x.db"
    empty.touch()
    for command in ("check", "stats"):
        done = run("db", command, "--database", f"sqlite:///{empty}")
        assert (done.returncode, done.stderr) == (
            2,
            "rowlock: the database is empty, or belongs to another program\n",
        )
        assert (
            run("db", command, "--database", "sqlite:///nothing.db").stderr
            == "rowlock: there is no database nothing.db\n"
        )
    assert not Path("nothing.db").exists()


@pytest.mark.parametrize("url", ["sqlite:x.db", "postgresql://anna:zaphod@localhost:port/rowlock"])
def test_an_address_that_cannot_be_read_is_one_line(url: str) -> None:
    """Without the address, which may hold a password."""
    for words in (("db", "stats"), ("db", "backup", "copy.db"), ("serve", "--port", "0")):
        done = run(*words, "--database", url)
        assert (done.returncode, done.stderr) == (
            2,
            "rowlock: database must be sqlite:///FILE or postgresql://USER@HOST:PORT/NAME\n",
        )
