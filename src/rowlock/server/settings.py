"""The settings of the server: one list for the environment, the command line and the documentation."""

import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import MISSING, dataclass, field, fields
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rowlock.paths import data_directory
from rowlock.rules.error_text import did_you_mean

PREFIX = "ROWLOCK_"
LARGEST_NUMBER = 1e9  # this number of days, in milliseconds, fits into a 64-bit integer


class SettingError(ValueError):
    """An unknown setting or an invalid value."""


def _setting(
    default: Any,
    about: str,
    minimum: float | None = None,
    choices: tuple[str, ...] = (),
    maximum: float | None = None,
    parse: Callable[[str], str] | None = None,
) -> Any:
    metadata = {"about": about, "minimum": minimum, "choices": choices, "maximum": maximum, "parse": parse}
    return field(default=default, metadata=metadata)


def _limit(default: Any, about: str, minimum: float | None = None) -> Any:
    """A setting that `rowlock admin limits` can change while the server runs."""
    made = _setting(default, about, minimum)
    return field(default=default, metadata={**made.metadata, "limit": True})


def _parse_database(url: str) -> str:
    kind = url.partition(":")[0].partition("+")[0]
    if url and kind not in ("sqlite", "postgresql", "postgres"):
        # The error does not show the whole URL, which may hold a password.
        raise SettingError(f"database must be sqlite:///FILE or postgresql://..., not {kind!r}")
    return url


def _normalize_base_url(url: str) -> str:
    """The URL as browsers write it: without a default port and without a trailing slash."""
    if not url:
        return url
    error = SettingError(f"base_url must be an address such as https://play.example.org, not {url!r}")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise error from None
    has_more = parts.query or parts.fragment or "@" in parts.netloc
    path = "".join(f"/{part}" for part in parts.path.split("/") if part)
    if not host or parts.scheme not in ("http", "https") or has_more or not re.fullmatch(r"[\w./~-]*", path, re.ASCII):
        raise error
    host = f"[{host}]" if ":" in host else host
    suffix = "" if port in (None, {"http": 80, "https": 443}[parts.scheme]) else f":{port}"
    return f"{parts.scheme}://{host}{suffix}{path}"


def _parse_address(text: str) -> str:
    host, _, port = text.rpartition(":")
    if text and not (host and port.isascii() and port.isdigit() and int(port) <= 65535):
        raise SettingError(f"metrics must be an address such as 127.0.0.1:9464, not {text!r}")
    return text


@dataclass(frozen=True)
class Settings:
    """The settings of one server."""

    host: str = _setting("127.0.0.1", "The address to listen at; 0.0.0.0 accepts other machines.")
    port: int = _setting(8000, "The port to listen at; 0 takes a free one.", 0, maximum=65535)
    database: str = _setting(
        "", "Where tables are kept: a URL, or empty for a SQLite file in the data directory.", parse=_parse_database
    )
    workers: int = _setting(1, "Processes that serve the address; more than one need PostgreSQL.", 1, maximum=64)
    sync: str = _setting(
        "normal", "Durability of commits: normal survives kill -9, full also a power cut.", None, ("normal", "full")
    )
    base_url: str = _setting(
        "",
        "The public address of the server behind a reverse proxy, with the path at which the proxy has it.",
        parse=_normalize_base_url,
    )
    origins: str = _setting("", "Other origins whose pages may use the server, separated by spaces.")
    trusted_proxies: str = _setting(
        "",
        "Addresses of proxies whose X-Forwarded headers are trusted, separated by commas; * trusts any, but only the"
        " last address in X-Forwarded-For.",
    )
    metrics: str = _setting(
        "", "The address, such as 127.0.0.1:9464, of metrics for Prometheus; empty for none.", parse=_parse_address
    )
    log: str = _setting("plain", "How the log is written: plain text, or a line of JSON each.", None, ("plain", "json"))
    admin_socket: str = _setting(
        "", "The Unix socket of `rowlock admin`; empty for one beside the database, off for none."
    )
    drain_minutes: float = _setting(60.0, "Minutes after which a server that drains stops although games run.", 0)
    keep_days: float = _limit(90.0, "Days for which a table is kept after the end of its game.", 0)
    keep_unfinished_days: float = _limit(
        365.0, "Days for which a table with an unfinished game is kept after its last event.", 0
    )
    absent_seconds: float = _setting(30.0, "Seconds without a connection after which a player is absent.", 0)
    undecided_seconds: float = _setting(
        60.0, "Seconds without a decision after which the others may let a bot play for a connected player.", 0
    )
    handover_seconds: float = _setting(120.0, "Seconds for which a handover code is valid.", 0)
    bot_pause: float = _setting(0.8, "Seconds that a bot waits before it decides, on average.", 0)
    bot_seconds: float = _setting(10.0, "Seconds after which a bot that has not decided passes.", 0)
    bot_processes: int = _setting(2, "Processes that run bots.", 1)
    news_seconds: float = _setting(
        10.0, "Seconds between reports of connections, and checks for events, among servers that share a database.", 0.1
    )
    ping_seconds: float = _setting(20.0, "Seconds between WebSocket pings; 0 sends none.", 0)
    message_bytes: int = _setting(4096, "The largest message on a WebSocket, in bytes.", 256)
    variants: str = _setting("", "A directory with files of own variants (.toml) that tables can play.")
    body_bytes: int = _setting(16384, "The largest body of an HTTP request, in bytes.", 1024)
    head_bytes: int = _setting(16384, "The largest head of an HTTP request, URL and headers together, in bytes.", 1024)
    request_seconds: float = _setting(
        15.0, "Seconds within which the head of a request must arrive, and then its body.", 0.1
    )
    record_bytes: int = _setting(65536, "The largest body of a request that replays a record file, in bytes.", 1024)
    replay_bytes: int = _setting(
        4194304, "The largest answer with the replays of several games, in bytes; one game is always answered.", 1024
    )
    messages_per_second: float = _limit(20.0, "Messages per second from a connection, on average.", 0)
    requests_per_second: float = _limit(
        20.0, "HTTP requests and connections per second from an address, on average.", 0
    )
    tables_per_hour: float = _limit(60.0, "New tables per hour from an address.", 0)
    failed_tries_per_hour: float = _limit(
        120.0, "Wrong table codes, secrets and invite links per hour from an address.", 0
    )
    busy_seconds: float = _limit(
        0.2, "Seconds by which the server may be late for some seconds; then it opens no new tables for a while.", 0
    )
    max_tables: int = _limit(100_000, "Tables that are kept at the same time; more are refused.", 1)
    connections_per_address: int = _limit(64, "Connections per address at the same time.", 1)
    connections: int = _limit(10000, "Connections of all addresses at the same time.", 1)
    tables_per_connection: int = _limit(16, "Tables that a connection may follow at the same time.", 1)

    @property
    def database_url(self) -> str:
        """The URL of the database, with the driver."""
        url = self.database or f"sqlite:///{data_directory() / 'rowlock.db'}"
        for scheme in ("postgresql:", "postgres:"):
            if url.startswith(scheme):
                return "postgresql+asyncpg:" + url.removeprefix(scheme)
        return url

    @property
    def admin_path(self) -> Path | None:
        """The Unix socket of `rowlock admin`; None for none."""
        if self.admin_socket:
            return None if self.admin_socket == "off" else Path(self.admin_socket)
        if self.database_url.startswith("sqlite"):
            file = self.database_url.partition(":///")[2].partition("?")[0]
            return None if file in ("", ":memory:") else Path(f"{file}.admin")
        return data_directory() / f"rowlock-{self.port}.admin"  # several servers may share the database

    @property
    def base_path(self) -> str:
        """The path of the site, which begins and ends with a slash."""
        return f"{urlsplit(self.base_url).path}/"

    @property
    def limits(self) -> dict[str, float]:
        """The settings that can be changed while the server runs."""
        return {setting.name: getattr(self, setting.name) for setting in fields(self) if "limit" in setting.metadata}

    def change(self, changes: Mapping[str, Any]) -> None:
        """Change limits while the server runs, all or none; nothing else of the settings ever changes."""
        known = {setting.name: setting for setting in fields(self)}
        for name in changes:
            if name not in self.limits:
                hint = did_you_mean(name, self.limits) or f"; the limits are {', '.join(self.limits)}"
                raise SettingError(f"{name!r} cannot be changed while the server runs{hint}")
        for name, value in [(name, _parse(known[name], value)) for name, value in changes.items()]:
            object.__setattr__(self, name, value)


def read_settings(environment: Mapping[str, str] = os.environ, given: Iterable[tuple[str, Any]] = ()) -> Settings:
    """The settings of the environment (`ROWLOCK_PORT=80`), overridden by those in `given`."""
    values: dict[str, Any] = {}
    known = {setting.name: setting for setting in fields(Settings)}
    for name in known:
        if (text := environment.get(PREFIX + name.upper())) is not None:
            values[name] = text
    values.update(given)
    unknown = [name for name in values if name not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known) or f"; the settings are {', '.join(known)}"
        raise SettingError(f"there is no setting {unknown[0]!r}{hint}")
    return Settings(**{name: _parse(known[name], value) for name, value in values.items()})


def _parse(setting: Any, value: Any) -> Any:
    """The value of a setting, from text or from a value of its type; raise an error if it is not allowed."""
    kind = type(setting.default)
    limits = setting.metadata
    try:
        parsed = kind(value)
    except ValueError:
        wanted = {int: "a whole number", float: "a number"}[kind]
        raise SettingError(f"{setting.name} must be {wanted}, not {value!r}") from None
    # `not >=` and `not <=` also refuse NaN.
    if limits["minimum"] is not None and not parsed >= limits["minimum"]:
        raise SettingError(f"{setting.name} must be {limits['minimum']} or more, not {value}")
    maximum = LARGEST_NUMBER if limits["maximum"] is None else limits["maximum"]
    if kind is not str and not parsed <= maximum:
        raise SettingError(f"{setting.name} must be {maximum:.0f} or less, not {value}")
    if kind is str and setting.name != "database" and not parsed.isprintable():  # the name of a file may be any bytes
        raise SettingError(f"{setting.name} must be printable text, not {value!r}")
    if limits["choices"] and parsed not in limits["choices"]:
        raise SettingError(f"{setting.name} must be {' or '.join(limits['choices'])}, not {value!r}")
    return limits["parse"](parsed) if limits["parse"] else parsed


def settings_table() -> str:
    """The settings as a Markdown table."""
    lines = ["| setting | default | what it is |", "|---|---|---|"]
    for setting in fields(Settings):
        assert setting.default is not MISSING
        default = f"`{setting.default}`" if setting.default != "" else ""
        lines.append(f"| `{setting.name}` | {default} | {setting.metadata['about']} |")
    return "\n".join(lines) + "\n"
