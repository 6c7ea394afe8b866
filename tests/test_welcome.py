"""`rowlock` without a subcommand: a server for this machine and the local network, and its addresses."""

import os
import re
import signal
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from rowlock.server.settings import Settings
from rowlock.terminal import welcome
from tests.command import run


def test_rowlock_alone_serves_the_game(tmp_path: Path) -> None:
    """Started a second time it prints the address of the first."""
    environment = {
        **os.environ,
        "LANGUAGE": "en",
        "ROWLOCK_HOME": str(tmp_path),
        "ROWLOCK_HOST": "127.0.0.1",
        "ROWLOCK_PORT": "0",
        "PYTHONUNBUFFERED": "1",
        "PYTHONIOENCODING": "utf-8",
    }
    alone = [sys.executable, "-m", "rowlock", "--no-browser"]
    with subprocess.Popen(alone, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout
            assert process.stdout.readline() == "Rowlock is open.\n"
            process.stdout.readline()
            line = process.stdout.readline()
            found = re.search(r"this machine +(http://\S+/)", line)
            assert found, line
            with urllib.request.urlopen(found[1] + "health") as answer:
                assert answer.status == 200
            second = subprocess.run(alone, capture_output=True, text=True, env=environment, timeout=120)
            assert second.returncode == 0, second.stderr
            assert second.stdout.startswith("Rowlock is open already.\n")
            assert found[1] in second.stdout
        finally:
            process.send_signal(signal.SIGINT)
        assert process.wait(60) == 0


def test_phones_nearby_get_an_address_and_a_qr_code(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(welcome, "local_network_address", lambda: "192.168.7.5")
    monkeypatch.setattr(welcome, "qr_code", lambda text: f"<{text}>")
    text = welcome.welcome_text("http://0.0.0.0:8000/", Settings(host="0.0.0.0"))
    assert "http://127.0.0.1:8000/" in text
    assert "<http://192.168.7.5:8000/>" in text
    assert "It accepts everybody who can reach this machine" in text


def test_a_server_for_this_machine_only_shows_no_other_address() -> None:
    """Also if another process runs it, whatever this one would do."""
    for settings in (Settings(), Settings(host="0.0.0.0")):
        text = welcome.welcome_text("http://127.0.0.1:8000/", settings)
        assert "local network" not in text
        assert "It accepts this machine only." in text


def test_local_goes_before_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROWLOCK_HOST", "0.0.0.0")
    hosts = []

    def serve(settings: Settings, _: object) -> int:
        hosts.append(settings.host)
        return 0

    monkeypatch.setattr("rowlock.server.run.serve", serve)
    for options in (["--local"], []):
        assert run("--no-browser", *options).returncode == 0
    assert hosts == ["127.0.0.1", "0.0.0.0"]


def test_a_port_in_use_is_left_alone() -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert welcome.free_port(Settings(port=port)) == 0
    assert welcome.free_port(Settings(port=port)) == port
