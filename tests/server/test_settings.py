"""Settings, and the pages that document them and the protocol."""

import asyncio
import re
import socket
import sqlite3
from contextlib import closing
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from sqlalchemy.exc import DatabaseError

from rowlock.rules.obstacles import OBSTACLES
from rowlock.server import protocol
from rowlock.server.migration import newest
from rowlock.server.refusal import CODES, codes_table
from rowlock.server.settings import SettingError, Settings, read_settings, settings_table
from rowlock.server.storage import Storage
from rowlock.server.table_registry import TableRegistry
from tests.command import run

DOCS = Path(__file__).parents[2] / "docs"


def test_options_override_the_environment() -> None:
    settings = read_settings({"ROWLOCK_PORT": "81", "ROWLOCK_BOT_PAUSE": "0.5", "PATH": "/"}, [("port", 82)])
    assert (settings.port, settings.bot_pause, settings.host) == (82, 0.5, "127.0.0.1")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (("port", "x"), "port must be a whole number, not 'x'"),
        (("keep_days", "long"), "keep_days must be a number, not 'long'"),
        (("port", -1), "port must be 0 or more, not -1"),
        (("port", 99999), "port must be 65535 or less, not 99999"),
        (
            ("database", "mysql://u:p@h/d"),
            "database must be sqlite:///FILE or postgresql://..., not 'mysql'",
        ),
        (
            ("base_url", "play.example"),
            "base_url must be an address such as https://play.example.org, not 'play.example'",
        ),
        (
            ("base_url", "http://[::1"),
            "base_url must be an address such as https://play.example.org, not 'http://[::1'",
        ),
        (("base_url", "ftp://x"), "base_url must be an address such as https://play.example.org, not 'ftp://x'"),
        (
            ("base_url", "http://x/?y"),
            "base_url must be an address such as https://play.example.org, not 'http://x/?y'",
        ),
        (
            ("base_url", 'http://x/"y'),
            "base_url must be an address such as https://play.example.org, not 'http://x/\"y'",
        ),
        (("metrics", "9464"), "metrics must be an address such as 127.0.0.1:9464, not '9464'"),
        (("metrics", "h:99999"), "metrics must be an address such as 127.0.0.1:9464, not 'h:99999'"),
        (("log", "xml"), "log must be plain or json, not 'xml'"),
        (
            ("base_url", "http://x:99999"),
            "base_url must be an address such as https://play.example.org, not 'http://x:99999'",
        ),
        (("host", "h\udcff"), "host must be printable text, not 'h\\udcff'"),
        (("base_url", "http://h\udcff"), "base_url must be printable text, not 'http://h\\udcff'"),
        (("origins", "a\nb"), "origins must be printable text, not 'a\\nb'"),
        (("sync", "off"), "sync must be normal or full, not 'off'"),
    ],
)
def test_wrong_settings_say_what_would_be_right(given: tuple[str, object], error: str) -> None:
    with pytest.raises(SettingError) as raised:
        read_settings({}, [given])
    assert str(raised.value) == error


@pytest.mark.parametrize(
    ("given", "base_url"),
    [
        ("", ""),
        ("https://Play.Example:443/", "https://play.example"),
        ("http://play.example:80", "http://play.example"),
        ("http://play.example:8080/", "http://play.example:8080"),
        ("https://[2001:DB8::1]:443", "https://[2001:db8::1]"),
        ("https://play.example/games//rowlock/", "https://play.example/games/rowlock"),
    ],
)
def test_the_public_address_is_written_as_browsers_do(given: str, base_url: str) -> None:
    assert read_settings({}, [("base_url", given)]).base_url == base_url


@pytest.mark.parametrize("host", ["127.0.0.1", "no.such.host.invalid", "192.0.2.1", "a..b"])
def test_an_address_that_cannot_be_listened_at_is_one_line(tmp_path: Path, host: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = str(busy.getsockname()[1])
        ended = run("serve", "--host", host, "--port", port, "--database", f"sqlite:///{tmp_path / 'x.db'}")
    assert ended.returncode == 2
    assert ended.stderr.startswith(f"rowlock: cannot listen at {host}, port {port}: ")
    assert ended.stderr.count("\n") == 1


def test_a_database_that_cannot_be_opened_is_unlocked(tmp_path: Path) -> None:
    """The lock and the connections of a server that could not start are free again."""
    file = tmp_path / "x.db"
    file.write_bytes(b"no database" * 100)

    async def fail() -> None:
        with pytest.raises(DatabaseError):
            await TableRegistry(Settings(database=f"sqlite:///{file}")).open()

    async def succeed() -> None:
        registry = TableRegistry(Settings(database=f"sqlite:///{file}"))
        await registry.open()
        await registry.close()

    asyncio.run(fail())
    file.unlink()
    asyncio.run(succeed())


def test_a_database_of_a_newer_version_is_one_line(tmp_path: Path) -> None:
    file = tmp_path / "x.db"
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        database.execute("INSERT INTO alembic_version VALUES ('0099')")
    ended = run("serve", "--port", "0", "--database", f"sqlite:///{file}")
    assert ended.returncode == 2
    assert ended.stderr == (
        "rowlock: the database cannot be opened: it has version '0099', "
        f"this Rowlock knows versions up to {newest()}; a newer Rowlock can open it\n"
    )


@pytest.mark.postgres  # for its driver
def test_a_database_host_that_is_no_text_is_one_line() -> None:
    ended = run("serve", "--port", "0", "--database", "postgresql://h\udcff/x")
    assert ended.returncode == 2
    assert ended.stderr.startswith("rowlock: the database cannot be opened: ")
    assert ended.stderr.count("\n") == 1


def test_unknown_settings() -> None:
    with pytest.raises(SettingError, match="there is no setting 'colour'; the settings are host, port"):
        read_settings({}, [("colour", "red")])


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("sqlite:///x.db", "sqlite:///x.db"),
        ("postgresql://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgres://h/d", "postgresql+asyncpg://h/d"),
    ],
)
def test_database_urls(given: str, url: str) -> None:
    assert Settings(database=given).database_url == url


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ({"database": "sqlite:////x/y.db?timeout=5"}, "/x/y.db.admin"),
        ({"database": "sqlite://"}, None),
        ({"database": "sqlite:///:memory:"}, None),
        ({"database": "sqlite:///x.db", "admin_socket": "off"}, None),
        ({"database": "sqlite:///x.db", "admin_socket": "/run/admin"}, "/run/admin"),
        ({"database": "postgresql://h/d", "port": 81}, "{home}/rowlock-81.admin"),
    ],
)
def test_the_socket_of_administration(home: Path, given: dict[str, Any], path: str | None) -> None:
    found = read_settings({}, given.items()).admin_path
    assert (found and str(found)) == (path and path.format(home=home))


@pytest.mark.parametrize(("sync", "level"), [("normal", 1), ("full", 2)])
def test_durability_of_commits(tmp_path: Path, sync: str, level: int) -> None:
    """WAL always; NORMAL survives kill -9, FULL a power cut."""
    import sqlalchemy as sa

    async def pragmas() -> tuple[str, int]:
        storage = Storage(f"sqlite:///{tmp_path / 'x.db'}", full_sync=sync == "full")
        await storage.open()
        names = ("journal_mode", "synchronous")
        mode, synchronous = await storage.run_in_transaction(
            lambda connection: [connection.execute(sa.text(f"PRAGMA {name}")).scalar_one() for name in names]
        )
        await storage.close()
        return mode, synchronous

    assert asyncio.run(pragmas()) == ("wal", level)


def test_the_settings_are_documented() -> None:
    assert settings_table() in (DOCS / "reference/settings.md").read_text()
    assert len(fields(Settings)) > 10


def test_the_list_of_codes_is_closed() -> None:
    """Every code of the list is used, and no other one is."""
    folder = Path(protocol.__file__).parent
    source = "".join(path.read_text() for path in folder.glob("*.py"))
    used = set(re.findall(r'Refused\(\s*"([a-z-]+)"', source)) | {"past", "early", "method", "not-found", "message"}
    assert used == set(CODES)


def test_the_protocol_is_documented() -> None:
    """Every code with its values, every message and every field of it, as they are."""
    text = (DOCS / "protocol.md").read_text()
    assert codes_table() in text
    obstacles = text.partition("**`obstacle`**")[2].partition("**`view`**")[0].splitlines()
    for name, values in OBSTACLES:
        (line,) = (one for one in obstacles if one.startswith("| `") and f"`{name}`" in one.split("|")[1])
        assert all(f"`{value}`" in line.split("|")[3] for value in values), name
    assert f"version is **{protocol.VERSION}**" in text
    messages = get_args(protocol.AnyMessage)
    shown = (
        protocol.View,
        protocol.Ack,
        protocol.Error,
        protocol.Pong,
        protocol.Obstacle,
        protocol.Position,
        protocol.Sheet,
        protocol.Turn,
        protocol.Seat,
        protocol.Choice,
        protocol.Own,
        protocol.Result,
    )
    for kind in (*messages, *shown):
        assert kind.__name__.lower() in text.lower()
        for field in msgspec.structs.fields(kind):
            assert f"`{field.encode_name}`" in text, (kind, field.encode_name)
