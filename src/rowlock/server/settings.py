"""What can be set: one list, for the environment, the command line and the documentation."""

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from typing import Any
from urllib.parse import urlsplit

from rowlock.paths import data_directory
from rowlock.rules.error_text import did_you_mean

PREFIX = "ROWLOCK_"
LARGEST = 1e9  # of any number; as many days in milliseconds still fit into a database's integers


class SettingError(ValueError):
    """A setting that is not known, or a value it cannot have."""


def _setting(
    default: Any,
    about: str,
    least: float | None = None,
    choices: tuple[str, ...] = (),
    most: float | None = None,
    check: Callable[[str], str] | None = None,
) -> Any:
    found = {"about": about, "least": least, "choices": choices, "most": most, "check": check}
    return field(default=default, metadata=found)


def _known_database(url: str) -> str:
    kind = url.partition(":")[0].partition("+")[0]
    if url and kind not in ("sqlite", "postgresql", "postgres"):
        # The rest may hold a password.
        raise SettingError(f"database is sqlite:///FILE or postgresql://..., there is no other, not {kind!r}")
    return url


def _public_address(url: str) -> str:
    """As browsers write an origin: without the port that goes without saying, without a slash at the end."""
    if not url:
        return url
    wrong = SettingError(f"base_url is an address such as https://play.example.org, not {url!r}")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise wrong from None
    rest = parts.path.strip("/") or parts.query or parts.fragment or "@" in parts.netloc
    if not host or parts.scheme not in ("http", "https") or rest:
        raise wrong
    host = f"[{host}]" if ":" in host else host
    shown = "" if port in (None, {"http": 80, "https": 443}[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{shown}"


@dataclass(frozen=True)
class Settings:
    """How a server runs."""

    host: str = _setting("127.0.0.1", "The address to listen at; 0.0.0.0 lets others in.")
    port: int = _setting(8000, "The port to listen at; 0 takes a free one.", 0, most=65535)
    database: str = _setting(
        "", "Where tables are kept: a URL, or empty for a SQLite file in the data directory.", check=_known_database
    )
    sync: str = _setting(
        "normal", "What a commit survives: kill -9, or with full a power cut.", None, ("normal", "full")
    )
    base_url: str = _setting(
        "", "The address people use, where a reverse proxy stands in front.", check=_public_address
    )
    origins: str = _setting("", "Other origins whose pages may open the socket, separated by spaces.")
    trusted_proxies: str = _setting(
        "", "Proxies whose X-Forwarded headers are believed, separated by commas; * is all."
    )
    keep_days: float = _setting(90.0, "For how many days a table is kept after its game has ended.", 0)
    keep_unfinished_days: float = _setting(
        365.0, "For how many days a table is kept after its last event where the game has not ended.", 0
    )
    absent_seconds: float = _setting(30.0, "A player without a connection for so long is absent.", 0)
    handover_seconds: float = _setting(120.0, "How long the code that hands a seat to another device is valid.", 0)
    bot_pause: float = _setting(0.8, "How long a bot waits before it decides, in seconds.", 0)
    bot_seconds: float = _setting(10.0, "A bot that has not decided after so long passes.", 0)
    bot_processes: int = _setting(2, "How many processes bots think in.", 1)
    news_seconds: float = _setting(
        10.0, "How often servers that share a database look for what no news of theirs have told.", 0.1
    )
    ping_seconds: float = _setting(20.0, "How often a connection is asked whether it is still there.", 0)
    message_bytes: int = _setting(4096, "The longest message a socket may send.", 256)
    body_bytes: int = _setting(16384, "The longest body an HTTP request may have.", 1024)
    record_bytes: int = _setting(262144, "The longest body of a request that replays a record file.", 1024)
    messages_per_second: float = _setting(20.0, "Messages a connection may send, on average.", 0)
    requests_per_second: float = _setting(20.0, "HTTP requests and new connections an address may make, on average.", 0)
    tables_per_hour: float = _setting(60.0, "Tables an address may create.", 0)
    connections_per_address: int = _setting(64, "Connections an address may hold at a time.", 1)
    connections: int = _setting(10000, "Connections of all addresses together.", 1)
    tables_per_connection: int = _setting(16, "Tables a connection may follow at a time.", 1)

    @property
    def database_url(self) -> str:
        """Where tables are kept, with the driver that reads it."""
        url = self.database or f"sqlite:///{data_directory() / 'rowlock.db'}"
        for short in ("postgresql:", "postgres:"):
            if url.startswith(short):
                return "postgresql+asyncpg:" + url.removeprefix(short)
        return url


def read_settings(environment: Mapping[str, str] = os.environ, given: Iterable[tuple[str, Any]] = ()) -> Settings:
    """The settings of the environment (`ROWLOCK_PORT=80`), overruled by those given."""
    values: dict[str, Any] = {}
    known = {one.name: one for one in fields(Settings)}
    for name in known:
        if (text := environment.get(PREFIX + name.upper())) is not None:
            values[name] = text
    values.update(given)
    unknown = [name for name in values if name not in known]
    if unknown:
        meant = did_you_mean(unknown[0], known) or f"; there are {', '.join(known)}"
        raise SettingError(f"there is no setting {unknown[0]!r}{meant}")
    return Settings(**{name: _read(known[name], value) for name, value in values.items()})


def _read(setting: Any, value: Any) -> Any:
    kind = type(setting.default)
    about = setting.metadata
    try:
        read = kind(value)
    except ValueError:
        wanted = {int: "a whole number", float: "a number"}[kind]
        raise SettingError(f"{setting.name} is {wanted}, not {value!r}") from None
    if about["least"] is not None and not read >= about["least"]:
        raise SettingError(f"{setting.name} is {about['least']} or more, not {value}")
    most = LARGEST if about["most"] is None else about["most"]
    if kind is not str and not read <= most:
        raise SettingError(f"{setting.name} is {most:.0f} or less, not {value}")
    if about["choices"] and read not in about["choices"]:
        raise SettingError(f"{setting.name} is one of {', '.join(about['choices'])}, not {value!r}")
    return about["check"](read) if about["check"] else read


def settings_table() -> str:
    """The settings as the documentation shows them."""
    lines = ["| setting | default | what it is |", "|---|---|---|"]
    for one in fields(Settings):
        assert one.default is not MISSING
        default = f"`{one.default}`" if one.default != "" else ""
        lines.append(f"| `{one.name}` | {default} | {one.metadata['about']} |")
    return "\n".join(lines) + "\n"
