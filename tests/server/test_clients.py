"""Other ways to sit at a table: the terminal, a bot from elsewhere, the example client."""

import importlib.util
import subprocess
import sys
from pathlib import Path
from typing import Any

from rowlock import parse
from tests.server.serving import Server

EXAMPLE = Path(__file__).parents[2] / "examples" / "client.py"


def _example() -> Any:
    spec = importlib.util.spec_from_file_location("example_client", EXAMPLE)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_example_client_plays_a_whole_game(server: Server) -> None:
    result = _example().play(server.url)
    assert result["reason"] in ("rows", "misthrows")
    assert len(result["scores"]) == 2


def test_the_example_client_is_short() -> None:
    lines = [line for line in EXAMPLE.read_text().splitlines() if line.strip()]
    assert len(lines) <= 50


def _join(server: Server, table: str, *options: str, typed: str = "") -> "subprocess.Popen[str]":
    process = subprocess.Popen(
        [sys.executable, "-m", "rowlock", "join", f"{server.url}/{table}", *options],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdin
    if typed:
        process.stdin.write(typed)
        process.stdin.flush()
    return process


def test_a_person_and_a_bot_join_from_terminals(server: Server) -> None:
    """The bot plays `evolved`; the person passes until four misthrows end the game."""
    table = server.create(2)
    bot = _join(server, table, "--bot", "evolved")
    person = _join(server, table, "--name", "Anna", typed="0\n" * 400)
    shown, complaints = person.communicate(timeout=60)
    assert (person.returncode, complaints) == (0, "")
    assert "White action:" in shown
    assert "Over, Anna marked the fourth misthrow. Winner: evolved" in shown
    assert bot.communicate(timeout=60)[1] == ""
    assert bot.returncode == 0
    game = parse(server.ask(f"/api/tables/{table}/record").body.decode())
    assert set(game.players) == {"Anna", "evolved"}


def test_whoever_joins_learns_what_is_wrong(server: Server) -> None:
    table = server.create([None, "greedy"])
    server.join(table, "Anna")
    late = _join(server, table, "--name", "Ben")
    assert late.communicate(timeout=30)[1] == "rowlock: the server refused: started\n"
    assert late.returncode == 1
    nowhere = _join(server, "ZZZZZZ", "--name", "Ben")
    assert nowhere.communicate(timeout=30)[1] == "rowlock: the server refused: no-table\n"
