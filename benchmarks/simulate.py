"""Games and decisions per second: every variant, 2 and 4 players, `random`, `greedy` and `evolved`.

Machines are noisy: every figure is the best of several short runs, and a fixed calibration loop is timed between
them, so that figures of different runs and machines can be compared as ratios.

    python -m benchmarks.simulate [--quick]
    python -m benchmarks.simulate --compared    only the games beside Classic, which a busy machine disturbs little
    python -m benchmarks.simulate --observed    only batches that write observations and masks
"""

import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from rowlock.arena import match
from rowlock.arena.engine import CompiledEngine
from rowlock.arena.match import make_config
from rowlock.arena.worker import play_games
from rowlock.fast import Batch
from rowlock.fast.compiled import compiled
from rowlock.fast.results import DECISIONS
from rowlock.rules.kernel import WHITE
from rowlock.rules.variant import find_variant, game_names, variant_ids

RESULTS = Path(__file__).parents[1] / "docs/results" / "simulate.md"
BOTS = ("random", "greedy", "evolved")
REPEATS = 3 if "--quick" in sys.argv else 15
COMPARED_REPEATS = 3 if "--quick" in sys.argv else 11


def _loop(steps: int) -> int:
    """The calibration loop: integer work like the kernel's, without allocation or waiting."""
    word = 1
    for step in range(steps):
        word = ((word ^ (word >> 15)) * 0x2C1B3C6D + step) & 0xFFFFFFFF
    return word


loop = compiled(_loop)
STEPS = 10_000_000


def best(run: Callable[[], object], repeats: int = REPEATS) -> float:
    """The shortest of several run times, in seconds."""
    seconds = 1e9
    for _ in range(repeats):
        begin = time.perf_counter()
        run()
        seconds = min(seconds, time.perf_counter() - begin)
    return seconds


def on_threads(run: Callable[[], object], threads: int) -> float:
    """The shortest time in which every thread runs it once."""
    with ThreadPoolExecutor(threads) as pool:
        return best(lambda: [one.result() for one in [pool.submit(run) for _ in range(threads)]])


def interpreted(variant: str, players: int, bot: str) -> float:
    config = make_config([bot] * players, variant, seed=1)
    games = 4 if bot == "evolved" else 20
    return games / best(lambda: play_games(config, 0, games, [], [0.0] * 3), 2)


def row(variant: str, players: int, bot: str, threads: int, loop_seconds: float) -> list[str]:
    engine = CompiledEngine(make_config([bot] * players, variant, seed=1), 1)
    games = 500 if bot == "evolved" else 3_000
    decisions = engine.play(0, games).results[:, DECISIONS].mean()
    one = games / best(lambda: engine.play(0, games))
    many = threads * games / on_threads(lambda: engine.play(0, games), threads)
    slow = interpreted(variant, players, bot)
    # Games in the time of a million steps of the calibration loop.
    relative = one * loop_seconds / (STEPS / 1e6)
    cells = [f"{one:,.0f}", f"{one * decisions:,.0f}", f"{many:,.0f}", f"{one / slow:,.0f}", f"{relative:,.0f}"]
    return [variant, str(players), bot, *cells]


def table(header: list[str], rows: list[list[str]]) -> str:
    widths = [max(len(line[i]) for line in [header, *rows]) for i in range(len(header))]
    lines = ["| " + " | ".join(f"{cell:>{w}}" for cell, w in zip(line, widths, strict=True)) + " |" for line in rows]
    head = "| " + " | ".join(f"{cell:>{w}}" for cell, w in zip(header, widths, strict=True)) + " |"
    return "\n".join([head, "|" + "|".join("-" * (w + 1) + ":" for w in widths) + "|", *lines])


def ten_million() -> tuple[float, float]:
    """Seconds for ten million games, and the peak memory of this process in MB."""
    begin = time.perf_counter()
    match(["greedy", "greedy"], games=10_000_000, seed=1)
    seconds = time.perf_counter() - begin
    return seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def warm_start() -> float:
    """Seconds from the shell to the first result, with cached compiled code."""
    command = [str(Path(sys.executable).with_name("rowlock")), "arena", "greedy", "greedy", "--games", "1", "--json"]
    return best(lambda: subprocess.run(command, check=True, capture_output=True), 5)


def compared() -> list[str]:
    """A section about the dice games beside Classic: runs of all of them by turns, in processor time."""
    variants = [name for name in variant_ids() if not find_variant(name).cards]
    rows = []
    for players in (2, 4):
        for bot in BOTS:
            engines = [CompiledEngine(make_config([bot] * players, name, seed=1), 1) for name in variants]
            games = 500 if bot == "evolved" else 3_000
            times: list[list[float]] = [[] for _ in variants]
            for _ in range(COMPARED_REPEATS + 1):  # the first one warms up
                for engine, taken in zip(engines, times, strict=True):
                    begin = time.process_time()
                    engine.play(0, games)
                    taken.append(time.process_time() - begin)
            speeds = [games / statistics.median(taken[1:]) for taken in times]
            rows += [
                [name, str(players), bot, f"{speed:,.0f}", f"{speed / speeds[0]:.2f}"]
                for name, speed in zip(variants, speeds, strict=True)
            ]
    rows.sort(key=lambda row: variants.index(row[0]))
    return [
        "## Beside Classic",
        "",
        f"`python -m benchmarks.simulate --compared`, {datetime.now(UTC):%Y-%m-%d}: medians of {COMPARED_REPEATS} runs "
        "of each game by turns, in processor time of one thread.",
        "",
        table(["variant", "players", "bot", "games/s", "times Classic"], rows),
    ]


GAMES_AT_ONCE, OBSERVED_STEPS = 1_024, 400


def play_at_random(batch: Batch) -> tuple[int, int]:
    """Write observations and masks, and let compiled code choose; return how many games and decisions there were."""
    games = decisions = 0
    for _ in range(OBSERVED_STEPS):
        batch.observe()
        decisions += int(np.where(batch.phases == WHITE, batch.players, 1).sum())
        batch.step(batch.random_choices())
        finished = batch.finished
        games += int(finished.sum())
        batch.reset(finished)
    return games, decisions


def play_with_numpy(batch: Batch, rng: np.random.Generator) -> tuple[int, int]:
    """The same, but Python chooses at random with NumPy."""
    games = decisions = 0
    rows, actions = batch.masks.shape[0] * batch.masks.shape[1], batch.masks.shape[2]
    for _ in range(OBSERVED_STEPS):
        batch.observe()
        row, legal = np.divmod(np.flatnonzero(batch.masks), actions)
        counts = np.bincount(row, minlength=rows)
        begins = np.minimum(counts.cumsum() - counts, len(legal) - 1)  # of players who are not to act, any
        choices = legal[begins + (rng.random(rows) * counts).astype(np.int64)]
        decisions += int((counts > 0).sum())
        batch.step(choices.reshape(len(batch), -1))
        finished = batch.finished
        games += int(finished.sum())
        batch.reset(finished)
    return games, decisions


def observed() -> list[str]:
    """A section about batches with observations and masks: best of several runs, in processor time of one thread."""
    rng, rows = np.random.default_rng(1), []
    for players in (1, 2, 4):
        engine = CompiledEngine(make_config(["random"] * players, "classic", seed=1), 1)
        arena = 3_000 / _least_time(lambda engine=engine: engine.play(0, 3_000))[0]  # type: ignore[misc]
        batch = Batch("classic", players, GAMES_AT_ONCE, seed=1)
        seconds, (games, decisions) = _least_time(lambda batch=batch: play_at_random(batch))  # type: ignore[misc]
        speeds = [arena, games / seconds, decisions / seconds]
        seconds, (_, decisions) = _least_time(lambda batch=batch: play_with_numpy(batch, rng))  # type: ignore[misc]
        speeds.append(decisions / seconds)
        rows.append([str(players), *(f"{speed:,.0f}" for speed in speeds), f"{speeds[1] / arena:.2f}"])
    header = ["players", "games/s without", "games/s", "decisions/s", "decisions/s chosen with NumPy", "times without"]
    return [
        "## With observations",
        "",
        f"`python -m benchmarks.simulate --observed`, {datetime.now(UTC):%Y-%m-%d}: Classic, {GAMES_AT_ONCE:,} games "
        "at once with observations and masks written for every decision, beside games of `random` without them. Random "
        "actions are chosen in compiled code or with NumPy. "
        f"Best of {REPEATS} runs, in processor time of one thread.",
        "",
        table(header, rows),
    ]


def _least_time(run: Callable[[], Any]) -> tuple[float, Any]:
    """The shortest processor time of several runs, and what that run returned."""
    run()
    best_run = (1e9, None)
    for _ in range(REPEATS):
        begin = time.process_time()
        found = run()
        seconds = time.process_time() - begin
        best_run = min(best_run, (seconds, found), key=lambda one: one[0])
    return best_run


def main() -> None:
    loop(1)
    if "--observed" in sys.argv:
        print("\n".join(observed()))
        return
    if "--compared" in sys.argv:
        print("\n".join(compared()))
        return
    threads = os.cpu_count() or 1
    print("ten million games ...", file=sys.stderr)
    seconds, memory = ten_million() if "--quick" not in sys.argv else (0.0, 0.0)
    one_loop = best(lambda: loop(STEPS))
    all_loops = on_threads(lambda: loop(STEPS), threads)
    header = ["variant", "players", "bot", "games/s", "decisions/s", f"games/s on {threads} threads"]
    header += ["times played through Game", "games per million loop steps"]
    rows = []
    for variant in game_names():
        for players in (2, 4):
            for bot in BOTS:
                rows.append(row(variant, players, bot, threads, best(lambda: loop(STEPS), 3)))
                print(" ".join(rows[-1]), file=sys.stderr)
    engine = CompiledEngine(make_config(["greedy"] * 2, "classic", seed=1), 1)
    ours = threads * best(lambda: engine.play(0, 3_000)) / on_threads(lambda: engine.play(0, 3_000), threads)
    loops = threads * one_loop / all_loops
    text = [
        "# Games a second",
        "",
        f"`python -m benchmarks.simulate`, {datetime.now(UTC):%Y-%m-%d}, {threads} cores, NumPy {np.__version__}, "
        f"Python {sys.version.split()[0]}. Best of {REPEATS} short runs each.",
        "",
        table(header, rows),
        "",
        f"Calibration loop: {STEPS / one_loop / 1e6:,.0f} million steps a second on one thread. On {threads} threads "
        f"games run {ours:.2f} times as fast as on one, the loop {loops:.2f} times: a ratio of {ours / loops:.2f}.",
        "",
        f"10,000,000 games of classic, two `greedy`: {seconds:.0f} s, {memory:.0f} MB at the most. "
        f"From the shell to the first result: {warm_start():.1f} s.",
        "",
        *compared(),
        "",
        *observed(),
    ]
    print("\n".join(text))
    if "--quick" not in sys.argv:
        RESULTS.parent.mkdir(exist_ok=True)
        RESULTS.write_text("\n".join(text) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
