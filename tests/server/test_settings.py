"""Settings, and the pages that document them and the protocol."""

import re
from dataclasses import fields
from pathlib import Path

import msgspec
import pytest

from rowlock.server import protocol
from rowlock.server import protocol as p
from rowlock.server.refusal import CODES, codes_table
from rowlock.server.settings import SettingError, Settings, read_settings, settings_table
from rowlock.server.storage import Storage

DOCS = Path(__file__).parents[2] / "docs"


def test_settings_come_from_the_environment_and_are_overruled() -> None:
    settings = read_settings({"ROWLOCK_PORT": "81", "ROWLOCK_BOT_PAUSE": "0.5", "PATH": "/"}, [("port", 82)])
    assert (settings.port, settings.bot_pause, settings.host) == (82, 0.5, "127.0.0.1")


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (("port", "x"), "port is a whole number, not 'x'"),
        (("keep_days", "long"), "keep_days is a number, not 'long'"),
        (("port", -1), "port is 0 or more, not -1"),
        (("sync", "off"), "sync is one of normal, full, not 'off'"),
    ],
)
def test_wrong_settings_say_what_would_be_right(given: tuple[str, object], error: str) -> None:
    with pytest.raises(SettingError) as raised:
        read_settings({}, [given])
    assert str(raised.value) == error


def test_unknown_settings() -> None:
    with pytest.raises(SettingError, match="there is no setting 'colour'; there are host, port"):
        read_settings({}, [("colour", "red")])


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("sqlite:///x.db", "sqlite+aiosqlite:///x.db"),
        ("postgresql://u:p@h/d", "postgresql+asyncpg://u:p@h/d"),
        ("postgres://h/d", "postgresql+asyncpg://h/d"),
    ],
)
def test_database_urls(given: str, url: str) -> None:
    assert Settings(database=given).database_url == url


@pytest.mark.parametrize(("sync", "level"), [("normal", 1), ("full", 2)])
def test_what_a_commit_survives(tmp_path: Path, sync: str, level: int) -> None:
    """WAL always; NORMAL survives kill -9, FULL a power cut."""
    import asyncio

    import sqlalchemy as sa

    async def pragmas() -> tuple[str, int]:
        storage = Storage(f"sqlite+aiosqlite:///{tmp_path / 'x.db'}", full=sync == "full")
        await storage.open()
        async with storage.engine.connect() as connection:
            mode = (await connection.execute(sa.text("PRAGMA journal_mode"))).scalar_one()
            synchronous = (await connection.execute(sa.text("PRAGMA synchronous"))).scalar_one()
        await storage.close()
        return mode, synchronous

    assert asyncio.run(pragmas()) == ("wal", level)


def test_the_settings_are_documented() -> None:
    assert settings_table() in (DOCS / "server.md").read_text()
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
    assert f"version is **{p.VERSION}**" in text
    messages = (p.Hello, p.Decide, p.Withdraw, p.Start, p.Leave, p.Replace, p.Bye, p.Ping)
    shown = (p.View, p.Ack, p.Error, p.Pong, p.Position, p.Sheet, p.Turn, p.Seat, p.Choice, p.Own, p.Result)
    for kind in (*messages, *shown):
        assert kind.__name__.lower() in text.lower()
        for field in msgspec.structs.fields(kind):
            assert f"`{field.encode_name}`" in text, (kind, field.encode_name)
