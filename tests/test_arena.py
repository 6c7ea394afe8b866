"""Matches: statistics, the same games from the same seed, and bots that fail."""

import json
import math
import os
import re
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from rowlock import Game, arena
from rowlock.arena.engine import Engine
from rowlock.arena.match import make_config, play_in_order
from rowlock.arena.tally import LOWEST, Forfeit, Tally, empty_tally, mean_and_sd, quantile, wilson
from rowlock.arena.worker import BatchResult
from rowlock.rules import notation
from rowlock.rules.variant import find_variant
from rowlock.terminal import report
from tests.command import run
from tests.effort import QUICK
from tests.plain_bots import Broken, Last, PlainGreedy

ROWLOCK = Path(sys.executable).with_name("rowlock")


def rowlock(*words: str) -> "subprocess.CompletedProcess[str]":
    return run("arena", *words)


# Statistics against closed forms


def test_wilson_interval() -> None:
    """The interval solves |p - rate| = z * sqrt(p(1 - p) / n) for p, also at the ends."""
    for rate, games in ((0.5, 100), (0.0, 10), (1.0, 7), (0.3, 12345)):
        low, high = wilson(rate, games)
        for bound in (low, high):
            if 0 < bound < 1:
                assert abs(bound - rate) == pytest.approx(1.959964 * math.sqrt(bound * (1 - bound) / games), rel=1e-6)
        assert 0 <= low <= rate <= high <= 1


def test_mean_sd_and_quantiles_of_counted_points() -> None:
    rng = np.random.default_rng(3)
    points = rng.integers(-20, 120, 1001)
    counts = np.bincount(points - LOWEST, minlength=400)
    assert list(mean_and_sd(counts)) == pytest.approx([points.mean(), points.std(ddof=1)])
    for q in (0.05, 0.5, 0.95):
        assert quantile(counts, q) == pytest.approx(np.quantile(points, q))
    assert mean_and_sd(np.zeros(5, np.int64)) == (None, None)
    assert mean_and_sd(np.bincount([10 - LOWEST])) == (10.0, None)
    assert quantile(np.zeros(5, np.int64), 0.5) is None


def results_of(*rows: tuple[int, int, int]) -> np.ndarray:
    """Rows of results with these points of three bots."""
    results = np.zeros((len(rows), 12), np.int64)
    results[:, 1] = 1
    for row, points in enumerate(rows):
        results[row, 3::3] = points
    return results


def test_equal_totals_share_the_win() -> None:
    tally = Tally(3, 200)
    tally.add(results_of((10, 10, 5), (7, 7, 7), (1, 2, 3)), [], 0)
    assert list(tally.shares / 60) == [pytest.approx(1 / 2 + 1 / 3), pytest.approx(1 / 2 + 1 / 3), pytest.approx(4 / 3)]
    assert tally.shares.sum() == 3 * 60
    assert tally.ahead[0, 2] == 2 + 1 + 0


def test_a_forfeit_loses_and_its_points_are_left_out() -> None:
    tally = Tally(3, 200)
    tally.add(results_of((50, 10, 5), (7, 8, 9)), [Forfeit(100, 0, "boo")], 100)
    assert list(tally.shares) == [0, 60, 60]
    assert tally.points.sum() == 3
    assert tally.games == 2
    assert tally.reasons.sum() == 1


def test_report_agrees_with_its_records(tmp_path: Path) -> None:
    """Every figure again, by a plain NumPy computation over the written records."""
    file = tmp_path / "games.rlk"
    result = arena.match(["greedy", "evolved", "eager"], "bonus-a", 120, seed=9, records=file)
    games = list(notation.read(file))
    assert len(games) == result.games == 120
    points: dict[str, list[int]] = {bot.name: [] for bot in result.bots}
    wins = dict.fromkeys(points, 0.0)
    locked, misthrows = dict.fromkeys(points, 0), dict.fromkeys(points, 0)
    for game in games:
        assert game.winners is not None
        for player, name in enumerate(game.players):
            points[name].append(game.scores[player])
            wins[name] += (player in game.winners) / len(game.winners)
            locked[name] += len(game.sheets[player].locks)
            misthrows[name] += game.sheets[player].misthrows
    for bot in result.bots:
        sample = np.array(points[bot.name])
        assert bot.win_rate == pytest.approx(wins[bot.name] / 120)
        assert bot.mean == pytest.approx(sample.mean())
        assert bot.sd == pytest.approx(sample.std(ddof=1))
        assert bot.standard_error == pytest.approx(sample.std(ddof=1) / math.sqrt(120))
        assert [bot.p05, bot.median, bot.p95] == pytest.approx(list(np.quantile(sample, [0.05, 0.5, 0.95])))
        assert bot.rows_locked == pytest.approx(locked[bot.name] / 120)
        assert bot.misthrows == pytest.approx(misthrows[bot.name] / 120)
    assert result.turns_mean == pytest.approx(np.mean([game.turns_completed for game in games]))
    assert result.reasons == {reason: sum(game.reason == reason for game in games) for reason in ("rows", "misthrows")}
    # Nobody profits from starting: every seat order comes up equally often.
    assert set(Counter(game.players for game in games).values()) == {20}
    ahead = [[sum(_points(game, a) > _points(game, b) for game in games) for b in points] for a in points]
    equal = [[sum(_points(game, a) == _points(game, b) for game in games) for b in points] for a in points]
    for a, row in enumerate(result.head_to_head):
        for b, share in enumerate(row):
            assert share == (None if a == b else pytest.approx((ahead[a][b] + equal[a][b] / 2) / 120))
    margins = Counter(sorted(game.scores)[-1] - sorted(game.scores)[-2] for game in games)
    assert {at: int(count) for at, count in enumerate(result.tally.margins) if count} == margins


def _points(game: Game, name: str) -> int:
    return game.scores[game.players.index(name)]


# Reproducible games


def without_times(result: arena.Result) -> dict[str, object]:
    return {key: value for key, value in result.as_json().items() if key not in ("seconds", "games_per_second")}


def test_workers_do_not_change_the_report() -> None:
    one = arena.match(["greedy", "random"], "longo", 9_000, seed=4, workers=1)
    assert without_times(one) == without_times(arena.match(["greedy", "random"], "longo", 9_000, seed=4, workers=3))
    assert without_times(one) != without_times(arena.match(["greedy", "random"], "longo", 9_000, seed=5, workers=3))


def test_one_game_of_a_run_alone(tmp_path: Path) -> None:
    file = tmp_path / "games.rlk"
    arena.match(["greedy", "random"], games=8, seed=3, records=file)
    alone = arena.match(["greedy", "random"], game=6, seed=3)
    assert alone.record == list(notation.read(file))[6].record()


def test_until_the_interval_is_narrow() -> None:
    result = arena.match(["greedy", "evolved"], seed=1, until=3)
    for bot in result.bots:
        low, high = bot.win_rate_interval
        assert 100 * (high - low) < 3
    assert result.games % 4096 == 0


def test_paired_comparison_is_sharper_than_two_matches() -> None:
    comparison = arena.compare("evolved", "greedy", ["greedy"], games=8_000, seed=2)
    assert comparison.win_rate.mean == pytest.approx(comparison.win_rates[0] - comparison.win_rates[1])
    low, high = comparison.win_rate.interval
    assert 0.10 < low < high < 0.18
    apart = sum((b - a) ** 2 for a, b in (wilson(rate, 8_000) for rate in comparison.win_rates)) ** 0.5
    assert high - low < apart
    same = arena.compare("greedy", "greedy", ["evolved"], games=500, seed=2)
    assert (same.win_rate.mean, same.points.mean, same.points.interval) == (0, 0, (0, 0))


# Bots in plain Python


def test_a_plain_bot_takes_part() -> None:
    result = arena.match([PlainGreedy(), "random"], "mixx-b", 40, seed=6, workers=2)
    assert result.path == "plain"
    compiled = arena.match(["greedy", "random"], "mixx-b", 40, seed=6)
    assert compiled.path == "compiled"
    assert result.bots[0].mean == compiled.bots[0].mean
    assert result.bots[1].win_rate == compiled.bots[1].win_rate


def test_plain_bots_play_where_signals_cannot_be_blocked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on Windows."""
    monkeypatch.delattr(signal, "pthread_sigmask", raising=False)
    assert arena.match([PlainGreedy()], games=2, workers=1).games == 2


def test_a_bot_that_fails_loses_the_game_and_the_match_continues(tmp_path: Path) -> None:
    file = tmp_path / "games.rlk"
    games, seed = (4, 8) if QUICK else (12, 2)  # in which all four occur
    result = arena.match([Broken(), Last()], games=games, seed=seed, move_timeout=3, workers=2, records=file)
    assert result.games == games
    assert result.bots[0].forfeits == games
    assert result.bots[0].win_rate == 0
    assert result.bots[1].win_rate == 1
    assert result.bots[0].mean is None
    causes = " ".join(result.forfeits)
    for cause in (
        r"turn \d+: RuntimeError: out of ideas",
        r"turn \d+: 'R99' is not an option; there are -, ",
        "no decision within 3 s",
        "ended its process",
    ):
        assert re.search(cause, causes)
    assert all(not game.over for game in notation.read(file))


def test_bots_with_the_same_name_get_a_number() -> None:
    result = arena.match(["greedy", "greedy", "random"], games=10, seed=1)
    assert [bot.name for bot in result.bots] == ["greedy", "greedy 2", "random"]


def test_a_ray_that_does_not_start_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine Ray gives up after a while."""

    def init(**_: object) -> None:
        raise Exception("The current node timed out during startup.")  # Ray raises no other class

    monkeypatch.setitem(sys.modules, "ray", SimpleNamespace(init=init))
    with pytest.raises(ValueError, match="Ray cannot start on this machine: The current node timed out"):
        arena.match(["greedy"], games=1, ray="local")


# Bad input, before any game is played


@pytest.mark.parametrize(
    ("words", "text"),
    [
        (["deepblue"], "there is no bot 'deepblue'"),
        (["greedy", "--variant", "chess"], "there is no variant 'chess'"),
        (["greedy", "--games", "0"], "'--games'"),
        (["greedy"] * 6, "1 to 5 bots can play, not 6"),
        (["greedy", "--records", "/nowhere/games.rlk"], "/nowhere/games.rlk: cannot be written"),
        (["greedy", "--plot", "plot.gif"], "plot.gif: a plot is a .png or .svg file"),
        (["greedy", "--plot", "/nowhere/plot.png"], "there is no folder /nowhere"),
        (["greedy", "--until", "0"], "--until is a width in percentage points"),
        (["greedy", "--workers", "0"], "'--workers'"),
        (["greedy", "--seed", "-1"], "'--seed'"),
        (["greedy", "--game", "-1"], "'--game'"),
        (["greedy", "--move-timeout", "0"], "a move timeout is more than 0"),
        (["greedy", "--ray", "127.0.0.1:1"], "no Ray cluster answers at 127.0.0.1:1"),
    ],
)
def test_bad_input_is_one_clear_line(words: list[str], text: str) -> None:
    done = rowlock(*words)
    assert (done.returncode, done.stdout) == (2, "")
    assert text in done.stderr
    assert done.stderr.count("\n") == 1


def test_json_has_the_documented_keys() -> None:
    command = [str(ROWLOCK), "arena", "greedy", "random", "--games", "500", "--seed", "1", "--json"]
    answer = json.loads(subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout)
    assert {"variant", "games", "seed", "seconds", "games_per_second", "turns_mean", "reasons"} <= answer.keys()
    keys = {"name", "win_rate", "win_rate_interval", "mean", "standard_error", "sd", "p05", "median", "p95"}
    assert all(keys <= bot.keys() for bot in answer["bots"])
    assert (answer["games"], answer["seed"]) == (500, 1)


@pytest.mark.parametrize("name", ["plot.png", "plot.svg"])
def test_plot(tmp_path: Path, name: str) -> None:
    assert rowlock("greedy", "random", "--games", "300", "--plot", str(tmp_path / name)).returncode == 0
    assert (tmp_path / name).read_bytes()[:5] in (b"\x89PNG\r", b"<?xml")


def test_ctrl_c_reports_what_was_played(tmp_path: Path) -> None:
    """Also with a slow plain Python bot: finished games are reported, and nothing hangs."""
    script = tmp_path / "slow.py"
    script.write_text(
        "import json, sys, time\n"
        "from rowlock import arena\n"
        "from rowlock.bots import Bot\n"
        "class Slow(Bot):\n"
        "    def decide(self, view, options, rng):\n"
        "        print('thinking')\n"
        "        time.sleep(0.02)\n"
        "        return options[0]\n"
        "if __name__ == '__main__':\n"
        "    bots = [Slow(), 'random'] if sys.argv[1] == 'plain' else ['evolved', 'evolved']\n"
        "    show = lambda result: print(result.games, file=sys.stderr, flush=True)\n"
        "    result = arena.match(bots, games=10**9, progress=show, workers=1)\n"
        "    print(json.dumps(result.as_json()))\n"
    )
    for path in ("compiled", "plain"):
        process = subprocess.Popen(
            [sys.executable, script, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        assert process.stderr
        while not process.stderr.readline().strip().isdecimal():
            pass
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors
        answer = json.loads(output)
        assert answer["path"] == path
        assert answer["games"] > 0


def test_ctrl_c_while_a_lock_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """CPython then reports that the lock was not taken, which is Ctrl-C all the same."""

    def interrupted(engine: Engine, batches: Iterator[tuple[int, int]]) -> Iterator[tuple[int, BatchResult]]:
        yield next(play_in_order(engine, batches))
        try:
            raise KeyboardInterrupt
        finally:
            threading.Lock().release()

    monkeypatch.setattr(sys.modules["rowlock.arena.match"], "play_in_order", interrupted)
    assert arena.match(["random", "random"], games=10**9, workers=1).games > 0


def test_the_highest_score_fits_the_histogram() -> None:
    """Classic: four rows of 12 marks are 312 points, and no more can be had."""
    tally = empty_tally(find_variant("classic"), 1)
    results = np.zeros((2, 6), np.int64)
    results[:, 3] = -20, 312
    tally.add(results, [], 0)
    assert tally.points.sum() == 2


def test_comparison_checks_its_numbers() -> None:
    with pytest.raises(ValueError, match=r"a match has 1 to \d+ games, not 0"):
        arena.compare("greedy", "random", ["random"], games=0)
    with pytest.raises(ValueError, match="1 to 1,024 workers, not 0"):
        arena.compare("greedy", "random", ["random"], games=5, workers=0)


def test_a_plot_that_cannot_be_written_is_an_error_before_any_game(tmp_path: Path) -> None:
    (tmp_path / "dir.png").mkdir()
    done = rowlock("greedy", "--plot", str(tmp_path / "dir.png"))
    assert (done.returncode, done.stdout) == (2, "")
    assert "cannot be written: Is a directory" in done.stderr


@pytest.mark.cluster
def test_match_in_ray(tmp_path: Path) -> None:
    """A real Ray on this machine: the same report, also when a worker is lost in mid-run."""
    script = tmp_path / "lost.py"
    script.write_text(
        "import json, os, sys\n"
        "from rowlock import arena\n"
        "import rowlock.arena.cluster as cluster\n"
        "plain = cluster._play\n"
        "def lose_one(packed, first, count):\n"
        "    mark = os.environ['LOST']\n"
        "    if first == 4096 and not os.path.exists(mark):\n"
        "        open(mark, 'w').close()\n"
        "        os._exit(1)\n"
        "    return plain(packed, first, count)\n"
        "if __name__ == '__main__':\n"
        "    cluster._play = lose_one\n"
        "    result = arena.match(['greedy', 'random'], games=20_000, seed=7, ray='local')\n"
        "    bot = result.as_json()['bots'][0]\n"
        "    print(json.dumps([result.games, bot['mean'], bot['win_rate']]))\n"
    )
    lost = tmp_path / "lost"
    env = {**os.environ, "LOST": str(lost)}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=240, check=False, env=env)
    assert done.returncode == 0, done.stderr
    assert lost.exists(), "the worker was not lost"
    here = arena.match(["greedy", "random"], games=20_000, seed=7).as_json()["bots"][0]
    assert json.loads(done.stdout.splitlines()[-1]) == [20_000, here["mean"], here["win_rate"]]


def test_the_think_time_is_added_to_the_move_timeout() -> None:
    assert make_config(["champion", "evolved"], "classic", 1, think=2.5).move_timeout == 12.5
    assert make_config(["champion", "evolved"], "classic", 1, move_timeout=3).move_timeout == 3


@pytest.mark.parametrize("seconds", ["-20", "0", "nan", "inf"])
def test_an_invalid_think_time_is_an_error(seconds: str) -> None:
    done = rowlock("champion", "evolved", "--think", seconds)
    assert done.returncode == 2
    assert done.stderr == f"rowlock: a think time is more than 0 and at most 86,400 seconds, not {seconds}\n"


@pytest.mark.parametrize("wrong", [{"game": 10**20}, {"games": 10**20}, {"seed": 10**20}, {"move_timeout": 1e300}])
def test_numbers_that_are_too_large_are_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"not 1|no game 1"):
        arena.match(["random"], **wrong)


def test_a_game_outside_the_run_is_refused() -> None:
    """Games are numbered from 0."""
    with pytest.raises(ValueError, match="of 10 games the last is --game 9, not 10"):
        arena.match(["random"], games=10, game=10)


def test_one_bot_cannot_play_until_its_win_rate_is_known() -> None:
    with pytest.raises(ValueError, match="a single bot has none"):
        arena.match(["random"], until=1)


def test_the_repr_of_a_result_is_short() -> None:
    assert repr(arena.match(["random", "random"], games=2, seed=3)).startswith("<Result classic, games 2: random ")
    assert repr(arena.match(["greedy"], games=1, seed=1)) == "<Result classic, games 1: greedy 61.0>"


def test_one_bot_alone_has_no_win_rate(capsys: pytest.CaptureFixture[str]) -> None:
    result = arena.match(["random"], games=10, seed=1)
    report.show(result)
    out = capsys.readouterr().out
    assert "wins" not in out
    assert "points" in out
    (bot,) = result.as_json()["bots"]
    assert (bot["win_rate"], bot["win_rate_interval"]) == (None, None)
