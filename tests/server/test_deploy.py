"""The samples in docs/deploy/: a game through nginx with TLS, and a unit that systemd accepts."""

import asyncio
import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.playing import Device
from tests.server.serving import Server

DEPLOY = Path(__file__).parents[2] / "docs" / "deploy"
NGINX = shutil.which("nginx") or shutil.which("/usr/sbin/nginx")
OPENSSL = shutil.which("openssl")
# What the sample leaves to the rest of nginx's configuration; one process, which needs no rights.
AROUND = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{sample}
}}
"""


def free_ports(count: int) -> list[int]:
    with contextlib.ExitStack() as stack:
        probes = [stack.enter_context(socket.create_server(("127.0.0.1", 0))) for _ in range(count)]
        return [probe.getsockname()[1] for probe in probes]


def make_certificate(folder: Path) -> tuple[Path, Path]:
    """A certificate for localhost that is signed by itself, and its key."""
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    words = [
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"),
        *("-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"),
        *("-keyout", str(key), "-out", str(certificate)),
    ]
    assert OPENSSL
    subprocess.run([OPENSSL, *words], check=True, capture_output=True)
    return certificate, key


@contextlib.contextmanager
def nginx(folder: Path, server_port: int, ports: list[int], path: str) -> Iterator[Path]:
    """nginx with the sample, changed only where a site would change it; yields the certificate."""
    certificate, key = make_certificate(folder)
    sample = (DEPLOY / "nginx.conf").read_text(encoding="utf-8")
    changes = {
        "127.0.0.1:8000": f"127.0.0.1:{server_port}",
        "    listen 80;\n    listen [::]:80;\n": f"    listen 127.0.0.1:{ports[0]};\n",
        "    listen 443 ssl http2;\n    listen [::]:443 ssl http2;\n": f"    listen 127.0.0.1:{ports[1]} ssl http2;\n",
        "play.example.org;": "localhost;",
        "/etc/letsencrypt/live/play.example.org/fullchain.pem": str(certificate),
        "/etc/letsencrypt/live/play.example.org/privkey.pem": str(key),
        "location / {": f"location {path} {{",
    }
    for before, after in changes.items():
        assert before in sample, before
        sample = sample.replace(before, after)
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder, sample=sample), encoding="utf-8")
    assert NGINX
    words = [NGINX, "-p", str(folder), "-e", str(folder / "error.log"), "-c", str(folder / "nginx.conf")]
    running = subprocess.Popen(words, stderr=subprocess.PIPE)
    try:
        end = time.monotonic() + 30
        while True:
            with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", ports[1]), 1):
                break
            assert running.poll() is None, running.stderr and running.stderr.read()
            assert time.monotonic() < end
            time.sleep(0.02)
        yield certificate
    finally:
        running.terminate()
        running.communicate(timeout=30)


@pytest.mark.skipif(not NGINX or not OPENSSL, reason="needs nginx and openssl (apt install nginx-light openssl)")
@pytest.mark.parametrize("path", ["/", "/games/rowlock/"])
def test_a_game_through_nginx(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    """Pages, requests and WebSockets over TLS, at the root and at a path of a site."""
    http_port, https_port = free_ports(2)
    site = f"https://localhost:{https_port}{path}"

    async def play(server: Server) -> None:
        table = server.create([None, None])
        people = [server.join(table, name) for name in ("Anna", "Ben")]
        devices = [Device(server, table, secrets, number) for number, secrets in enumerate(people, 1)]
        views = await asyncio.gather(*(device.play() for device in devices))
        assert [view["state"] for view in views] == ["over", "over"]
        assert server.ask(f"/api/tables/{table}/record").body.startswith(b'[Variant "classic"]')

    with (
        Server(tmp_path, base_url=site, trusted_proxies="127.0.0.1") as server,
        nginx(tmp_path, server.port, [http_port, https_port], path) as certificate,
    ):
        monkeypatch.setenv("SSL_CERT_FILE", str(certificate))
        server.url = site.rstrip("/")
        page = server.ask("/t/ABC234", headers={"Accept": "text/html"}).body.decode()
        assert f'<base href="{path}" />' in page
        script = page.partition('src="')[2].partition('"')[0].removeprefix("./")
        assert server.ask(f"/{script}").headers["Content-Type"].startswith("text/javascript")
        assert server.ask("/api/links", {"path": "/t/ABC234"}).json["address"] == f"{site}t/ABC234"
        foreign = server.ask("/api/links", {"path": "/"}, headers={"Origin": "https://elsewhere.example"})
        assert foreign.json["code"] == "origin"
        own = server.ask("/api/links", {"path": "/"}, headers={"Origin": f"https://localhost:{https_port}"})
        assert own.status == 200
        asyncio.run(play(server))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="needs systemd")
def test_the_unit_is_valid(tmp_path: Path) -> None:
    """With the command of this environment in the place of the installed one."""
    command = Path(sys.executable).with_name("rowlock")
    unit = (DEPLOY / "rowlock.service").read_text(encoding="utf-8").replace("/opt/rowlock/bin/rowlock", str(command))
    file = tmp_path / "rowlock.service"

    def problems(text: str) -> list[str]:
        file.write_text(text, encoding="utf-8")
        words = ["systemd-analyze", "verify", str(file)]
        environment = {**os.environ, "SYSTEMD_LOG_LEVEL": "warning"}
        done = subprocess.run(words, capture_output=True, text=True, env=environment)
        return [line for line in done.stderr.splitlines() if "rowlock.service" in line]

    if not problems(f"{unit}\nNonsense=yes\n"):
        pytest.skip("systemd-analyze cannot check units on this machine")
    assert problems(unit) == []
