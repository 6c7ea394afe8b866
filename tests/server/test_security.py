"""Origins, headers, limits, and secrets that are never logged or stored."""

import asyncio
import http.client
import json
import re
import socket
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus
from websockets.sync.client import connect

from tests.server.playing import Device
from tests.server.serving import Server, person

CLIENT = Path(__file__).parents[2] / "web" / "src"


@pytest.mark.parametrize("path", ["/", "/api/bots", "/nothing", "/openapi.json"])
def test_headers(server: Server, path: str) -> None:
    headers = server.ask(path).headers
    policy = headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'self' 'wasm-unsafe-eval'" in policy
    assert "unsafe" not in policy.replace("'wasm-unsafe-eval'", "")
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["X-Frame-Options"] == "DENY"
    assert headers["Referrer-Policy"] == "no-referrer"
    assert headers["Cache-Control"] in ("no-store", "no-cache")
    assert "Set-Cookie" not in headers
    assert "Server" not in headers


def test_scripts_and_styles_have_the_headers_that_concern_them(server: Server) -> None:
    page = server.ask("/").body.decode()
    named = [name for name in re.findall(r'(?:src|href)="\./([^"]+)"', page) if name.endswith((".js", ".css"))]
    assert len(named) > 1
    for name in named:
        headers = server.ask(f"/{name}").headers
        assert "default-src 'none'" in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["Cross-Origin-Resource-Policy"] == "same-origin"


def test_the_page_has_no_inline_script_or_style(server: Server) -> None:
    page = server.ask("/").body.decode()
    assert re.findall(r"<script(?![^>]*src=)|<style|\son\w+=|\sstyle=|javascript:", page) == []
    assert '<base href="/" />' in page
    named = re.findall(r'(?:src|href)="\./([^"]+)"', page)
    assert any(name.endswith(".js") for name in named)
    for name in named:
        assert server.ask(f"/{name}").status == 200, name


def test_names_are_text_never_markup() -> None:
    """The client never inserts text as HTML."""
    sources = [path for path in CLIENT.rglob("*") if path.suffix in (".svelte", ".ts")]
    assert sources
    for path in sources:
        assert re.findall(r"@html|innerHTML|outerHTML|insertAdjacentHTML|document\.write", path.read_text()) == [], path


def _connect(server: Server, **headers: str) -> Any:
    return connect(server.socket_url, compression=None, additional_headers=headers)


def _try(server: Server, **headers: str) -> str:
    """The code with which the socket was refused, empty if it was opened."""
    try:
        with _connect(server, **headers):
            return ""
    except InvalidStatus as refused:
        return str(json.loads(refused.response.body or b"{}")["code"])


def test_origins(server: Server, tmp_path: Path) -> None:
    """Pages of the server and programs may open the socket, other pages may not."""
    assert _try(server) == ""
    assert _try(server, Origin=server.url) == ""
    secure = server.url.replace("http:", "https:")
    for origin in ("http://evil.example", "null", server.url + "0", "https://127.0.0.1", secure, "http://[::1", "//"):
        assert _try(server, Origin=origin) == "origin"
    with socket.create_connection(("127.0.0.1", server.port)) as stranger:
        stranger.sendall(b"\0nonsense\r\n\r\n")
        assert b"400" in stranger.recv(100)
    with _connect(server) as device:
        device.send(b"\xff", text=True)
        with pytest.raises(ConnectionClosedError, match="1007"):
            device.recv()
    log = server.log.read_text()
    assert "ERROR" not in log  # refused connections are not logged
    assert "Invalid" not in log
    (tmp_path / "trusting").mkdir()
    with Server(tmp_path / "trusting", trusted_proxies="127.0.0.1") as trusting:
        assert _try(trusting, Origin=trusting.url.replace("http:", "https:")) == ""
        assert _try(trusting, Origin="https://evil.example") == "origin"
    proxied = Server(tmp_path, base_url="https://play.example", origins="https://other.example")
    with proxied:
        for origin in ("https://play.example", "https://other.example"):
            assert _try(proxied, Origin=origin) == ""
        for origin in ("http://play.example", proxied.url, "http://[::1"):
            assert _try(proxied, Origin=origin) == "origin"
        assert "max-age" in proxied.ask("/").headers["Strict-Transport-Security"]


@pytest.mark.parametrize(
    ("headers", "answer"),
    [
        ({}, (201, None)),
        ({"Content-Type": "Application/JSON; charset=utf-8"}, (201, None)),
        ({"Content-Type": None}, (400, "message")),
        ({"Content-Type": "text/plain"}, (400, "message")),
        ({"Content-Type": "application/json-seq"}, (400, "message")),
        ({"Origin": "http://evil.example"}, (403, "origin")),
        ({"Origin": "null"}, (403, "origin")),
    ],
)
def test_pages_elsewhere_can_write_nothing(
    server: Server, headers: dict[str, str | None], answer: tuple[int, str | None]
) -> None:
    """Without a question a browser sends only plain types for a page of another origin."""
    sent = {"Content-Type": "application/json", "Origin": server.url, **headers}
    request = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
    with closing(request):
        body = b'{"variant": "classic", "seats": [{}]}'
        request.request("POST", "/api/tables", body, {name: value for name, value in sent.items() if value is not None})
        response = request.getresponse()
        assert (response.status, json.loads(response.read()).get("code")) == answer


def test_connections_are_limited(tmp_path: Path) -> None:
    with Server(tmp_path, connections_per_address=3) as server, _connect(server), _connect(server):
        with _connect(server):
            assert _try(server) == "connections"
        began = time.monotonic()
        while _try(server):
            assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    ("trusted", "forwarded", "statuses"),
    [
        ("", "198.51.100.{}", {200, 429}),
        ("127.0.0.1", "198.51.100.{}", {200}),
        ("127.0.0.1,203.0.113.7", "198.51.100.{}, 203.0.113.7", {200}),
        ("127.0.0.1", "198.51.100.{}, 203.0.113.7", {200, 429}),  # the proxy added only the last address
        ("*", "198.51.100.{}", {200}),
        ("*", "198.51.100.{}, 203.0.113.7", {200, 429}),
    ],
)
def test_forwarded_addresses_count_only_from_trusted_proxies(
    tmp_path: Path, trusted: str, forwarded: str, statuses: set[int]
) -> None:
    with Server(tmp_path, requests_per_second=1, trusted_proxies=trusted) as server:
        addresses = [{"X-Forwarded-For": forwarded.format(i)} for i in range(40)]
        with ThreadPoolExecutor(8) as pool:
            answers = pool.map(lambda one: server.ask("/api/bots", headers=one), addresses)
            assert {answer.status for answer in answers} == statuses


def test_secrets_are_not_logged_or_stored(tmp_path: Path) -> None:
    """Secrets and handover codes are in no log, no file and no view; only their hashes are stored."""
    secrets = []

    async def play(server: Server) -> list[Device]:
        table = server.create([None, None, "greedy"])
        secrets.extend(server.join(table, "Anna", "Ben"))
        code = server.ask(f"/api/tables/{table}/handover", {"secret": secrets[0]}).json["handover"]
        secrets.append(code)
        secrets.append(person("")["secret"])
        server.ask(f"/api/tables/{table}/claim", {"handover": code, "secret": secrets[-1]})
        server.ask(f"/api/tables/{table}/claim", b'{"handover": "' + code.encode())  # broken off
        devices = [Device(server, table, secrets[1:2]), Device(server, table, secrets[3:4])]
        await asyncio.gather(*(device.play() for device in devices))
        return devices

    with Server(tmp_path) as server:
        devices = asyncio.run(asyncio.wait_for(play(server), 60))
        with _connect(server) as socket:
            socket.send(f'{{"type": "hello", "secrets": ["{secrets[1]}"')
            assert secrets[1] not in str(socket.recv())
    with closing(sqlite3.connect(tmp_path / "rowlock.db")) as database:
        database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    for file in tmp_path.iterdir():
        for secret in secrets:
            assert secret.encode() not in file.read_bytes(), file
    for device in devices:
        for secret in secrets:
            assert secret not in str(device.frames)
