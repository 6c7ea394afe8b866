"""Compiled games: the same records as games played through `Game`, and batches as arrays."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from rowlock import Game, fast, variant_ids
from rowlock.arena.engine import CompiledEngine
from rowlock.arena.match import make_config
from rowlock.arena.worker import play_games
from rowlock.bots import greedy
from rowlock.fast import link_time
from rowlock.fast.compiled import _directory, compiled, compiled_copy
from rowlock.rules import kernel
from tests.effort import QUICK

BOTS = ("random", "eager", "greedy", "evolved")


VARIANTS = (*variant_ids(), "cards+jokers", "cards-mixx-a+jokers", "cards-mixx-b+jokers")


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("variant", VARIANTS)
def test_a_compiled_match_is_the_match_played_through_game(variant: str, players: int) -> None:
    """The same streams give the same records and the same results, seat orders and all bots included."""
    bots = [BOTS[(players + seat) % len(BOTS)] for seat in range(players)]
    setting = make_config(bots, variant, seed=players, with_records=True)
    engine = CompiledEngine(setting, 1)
    count = 1 if QUICK else 12
    compiled = engine.play(0, count)
    plain = play_games(setting, 0, count, [], [0.0] * 3)
    assert list(engine.records(0, compiled)) == plain.records
    assert not compiled.forfeits
    assert not plain.forfeits
    compiled.results[:, 2] = 0  # plain games do not count decisions
    assert (compiled.results == plain.results).all()


@pytest.mark.parametrize("bot", BOTS)
def test_a_bot_decides_alike_compiled_and_interpreted(bot: str) -> None:
    """Solo games of every variant: any decision that differs makes another record."""
    for variant in VARIANTS:
        setting = make_config([bot], variant, seed=11, with_records=True)
        engine = CompiledEngine(setting, 1)
        count = 1 if QUICK else 5
        assert list(engine.records(40, engine.play(40, count))) == play_games(setting, 40, count, [], [0.0] * 3).records


def test_a_batch_plays_the_games_of_its_seed() -> None:
    """A batch leads to the same totals as `Game`: everybody takes the last option."""
    for variant in VARIANTS:
        batch = fast.Batch(variant, 3, 8, seed=5, first=100)
        while not batch.over:
            batch.chance()
            for _ in range(2):
                decisions = np.zeros((8, 3), np.int64)
                for player in range(3):
                    found, counts = batch.options(player)
                    to_act = counts > 0
                    decisions[to_act, player] = found[np.arange(8), counts - 1][to_act]
                batch.act(decisions)
        for row in range(8):
            game = Game(variant, 3, seed=5, number=100 + row)
            while not game.over:
                if not game.to_act:
                    game.chance()
                player = game.to_act[0]
                game.play(player, list(game.actions(player))[-1])
            assert tuple(batch.totals[row]) == game.scores
            assert batch.states[row, kernel.TURN] == game.turns_completed


def test_a_batch_reports_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="1 to 5 players, not 6"):
        fast.Batch("classic", 6, 1)
    with pytest.raises(ValueError, match="1 game or more, not 0"):
        fast.Batch("classic", 2, 0)
    batch = fast.Batch("classic", 2, 3)
    with pytest.raises(ValueError, match="decisions are 3 x 2, not 2 x 2"):
        batch.act(np.zeros((2, 2), np.int64))
    with pytest.raises(ValueError, match="there is no player 2"):
        batch.options(2)


def test_a_player_who_is_not_to_act_has_no_options() -> None:
    batch = fast.Batch("classic", 2, 1, seed=1)
    assert batch.options(0)[1][0] == 0
    batch.chance()
    assert batch.options(1)[1][0] > 0
    batch.act(np.zeros((1, 2), np.int64))
    assert batch.options(0)[1][0] > 0
    assert batch.options(1)[1][0] == 0
    assert batch.options()[1][0] == batch.options(0)[1][0]


def test_the_cache_notices_an_edit_of_the_sources(tmp_path: Path) -> None:
    """A copy of the package with one more comment in the kernel compiles into another directory."""
    package = Path(fast.__file__).parents[1]
    code = """
import runpy, sys
for _ in sys.stdin:  # run alone: to import the package would compile it
    print(runpy.run_path(sys.argv[1])["_directory"](("rules", "fast")).name, flush=True)
"""
    for path in package.rglob("*"):
        if path.suffix in (".py", ".toml"):
            copy = tmp_path / "rowlock" / path.relative_to(package)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    kernel_file = tmp_path / "rowlock" / "rules" / "kernel.py"
    command = [sys.executable, "-c", code, str(tmp_path / "rowlock" / "fast" / "compiled.py")]
    env = {**os.environ, "PYTHONPATH": str(tmp_path), "ROWLOCK_HOME": str(tmp_path / "home")}
    with subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin
        assert process.stdout
        found = []
        for edit in ("", "", "# edited\n"):
            kernel_file.write_text(kernel_file.read_text() + edit)
            print(file=process.stdin, flush=True)
            found.append(process.stdout.readline())
    first, again, edited = found
    assert first == again != edited


def test_a_batch_refuses_what_is_no_option() -> None:
    batch = fast.Batch("classic", 2, 3, seed=1, first=10)
    batch.chance()
    decisions = np.zeros((3, 2), np.int64)
    for wrong in (-5, 60, kernel.ACTIONS + 7):
        decisions[2, 1] = wrong
        with pytest.raises(ValueError, match=f"game 12, player 1: action {wrong} is not an option"):
            batch.act(decisions)
    with pytest.raises(ValueError, match="whole numbers, not float64"):
        batch.act(decisions.astype(float))
    with pytest.raises(ValueError, match="a seed is a whole number"):
        fast.Batch("classic", 2, 3, seed=-1)


def one_more(number: int) -> int:
    return number + 1


def test_a_full_disk_while_compiling_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setenv("ROWLOCK_HOME", str(tmp_path))
    _directory.cache_clear()
    function = compiled(one_more)
    monkeypatch.setattr("numba.core.caching.IndexDataCacheFile.save", full)
    with pytest.raises(OSError, match="cannot be written: No space left on device") as error:
        function(1)
    _directory.cache_clear()
    assert str(error.value.filename).startswith(str(tmp_path))


def test_choose_can_be_called_by_its_address() -> None:
    """Also if other compiled code has called it before: then it is not only linked into that code."""
    assert compiled_copy(greedy).choose.py_func in link_time.entry_points
