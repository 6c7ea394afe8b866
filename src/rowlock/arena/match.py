"""Plays a match, which is a number of games between the same bots, and returns its result."""

import pickle
import secrets
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import count as count_from
from pathlib import Path
from typing import IO

from rowlock.arena.cluster import RayEngine
from rowlock.arena.config import MatchConfig
from rowlock.arena.engine import Engine, engine_for
from rowlock.arena.result import Result, result_of
from rowlock.arena.tally import WIN, Tally, empty_tally, wilson
from rowlock.arena.worker import BatchResult
from rowlock.bots import Bot
from rowlock.bots.bot import MAX_SECONDS, lookahead_bots
from rowlock.bots.loading import load_bots, short_name
from rowlock.paths import name_path_in_errors
from rowlock.rules import kernel
from rowlock.rules.chance import MAX_SEED
from rowlock.rules.game import checked_players, unique_name
from rowlock.rules.variant import Setup, Variant, find_setup

# Called after every batch of games, with the result so far.
Progress = Callable[[Result], None]

MAX_WORKERS = 1024
GAMES = 10_000  # the number of games if neither `games` nor `until` is given


class MatchError(ValueError):
    """Invalid arguments of a match."""


def match(
    bots: Sequence[str | Bot],
    variant: str | Path | Variant = "classic",
    games: int | None = None,
    *,
    seed: int | None = None,
    until: float | None = None,
    workers: int | None = None,
    ray: str | None = None,
    records: str | Path | None = None,
    game: int | None = None,
    move_timeout: float = 10.0,
    think: float | None = None,
    weights: str | Path | None = None,
    prepare: Callable[[MatchConfig], None] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play a match and return its result; after Ctrl-C, the result of the games played so far.

    With `until` the match ends when the 95 % interval of every win rate is narrower than that many percentage points;
    with `game` only the game with this number is played. `think` is the time per decision, in seconds, for bots that
    look ahead, `weights` a file of weights for bots with a network. `prepare` is called before the first game. A seed
    gives the same games with any number of workers.
    """
    config = make_config(bots, variant, seed, records is not None or game is not None, move_timeout, think, weights)
    check_numbers(games, until, workers, game)
    if until is not None and len(config.bots) == 1:
        raise MatchError("--until is about win rates, and a single bot has none; use --games instead")
    if prepare:
        prepare(config)
    engine: Engine = RayEngine(config, ray, workers) if ray else engine_for(config, workers)
    try:
        with _open_records(records) as file:
            if games is None and until is None:
                games = GAMES
            batches = iter([(game, 1)]) if game is not None else batch_ranges(games, engine.batch_size)
            result, record = _play_batches(config, engine, batches, until, file, progress)
            return replace(result, record=record) if game is not None else result
    finally:
        engine.close()


def make_config(
    bots: Sequence[str | Bot],
    variant: str | Path | Variant | Setup,
    seed: int | None,
    with_records: bool = False,
    move_timeout: float = 10.0,
    think: float | None = None,
    weights: str | Path | None = None,
) -> MatchConfig:
    """Check the arguments of a match and return its config; bots with the same name get a number."""
    if isinstance(bots, str):
        raise MatchError(f"bots must be a list, not {bots!r}")
    if not 1 <= len(bots) <= kernel.MAX_PLAYERS:
        raise MatchError(f"1 to {kernel.MAX_PLAYERS} bots can play, not {len(bots)}")
    seed = secrets.randbits(32) if seed is None else seed
    if not 0 <= seed <= MAX_SEED:
        raise MatchError(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed}")
    if not 0 < move_timeout <= MAX_SECONDS:
        raise MatchError(f"a move timeout is more than 0 and at most {MAX_SECONDS:,.0f} seconds, not {move_timeout:g}")
    instances = tuple(load_bots(bots, weights))
    try:
        pickle.dumps(instances)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise MatchError(f"a bot must be picklable to play in other processes: {error}") from None
    names: list[str] = []
    for bot in bots:
        names.append(unique_name(short_name(bot) if isinstance(bot, str) else type(bot).__name__, names))
    if think is not None:
        by_name = dict(zip(names, instances, strict=True))
        instances = tuple({**by_name, **lookahead_bots(by_name, think)}.values())  # same order of keys
    move_timeout += max(bot.think_time for bot in instances)
    instances = tuple(bot.limited(move_timeout) for bot in instances)
    return MatchConfig(find_setup(variant), instances, checked_players(names), seed, with_records, move_timeout)


def check_numbers(games: int | None, until: float | None, workers: int | None, game: int | None) -> None:
    """Raise `MatchError` if one of these arguments of `match` is out of range."""
    if games is not None and not 1 <= games <= MAX_SEED:  # numbers of games have the same limit as seeds
        raise MatchError(f"a match has 1 to {MAX_SEED} games, not {games}")
    if until is not None and not 0 < until < 100:
        raise MatchError(f"--until is a width in percentage points between 0 and 100, not {until:g}")
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise MatchError(f"a match has 1 to {MAX_WORKERS:,} workers, not {workers}")
    if game is not None and not 0 <= game <= MAX_SEED:
        raise MatchError(f"games are numbered from 0 to {MAX_SEED}, there is no game {game}")
    if game is not None and games is not None and game >= games:
        raise MatchError(f"games are numbered from 0: of {games} games the last is --game {games - 1}, not {game}")


def _open_records(records: str | Path | None) -> AbstractContextManager[IO[str] | None]:
    if records is None:
        return nullcontext()
    try:
        return Path(records).open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise MatchError(f"{records}: cannot be written: {error.strerror}") from None


def batch_ranges(games: int | None, size: int) -> Iterator[tuple[int, int]]:
    """The number of the first game and the count of games of every batch; endless if `games` is None."""
    for first_game in count_from(0, size):
        if games is not None and first_game >= games:
            return
        yield first_game, size if games is None else min(size, games - first_game)


def play_in_order(engine: Engine, batches: Iterator[tuple[int, int]]) -> Iterator[tuple[int, BatchResult]]:
    """The first game and the result of every batch, in order; later batches are played ahead in threads."""
    pool = ThreadPoolExecutor(engine.threads)
    pending: deque[tuple[int, Future[BatchResult]]] = deque()
    try:
        for first_game, count in batches:
            pending.append((first_game, pool.submit(engine.play, first_game, count)))
            if len(pending) > 2 * engine.threads:  # enough are ahead: wait for the oldest
                first_pending, future = pending.popleft()
                yield first_pending, future.result()
        while pending:
            first_pending, future = pending.popleft()
            yield first_pending, future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _play_batches(
    config: MatchConfig,
    engine: Engine,
    batches: Iterator[tuple[int, int]],
    until: float | None,
    file: IO[str] | None,
    progress: Progress | None,
) -> tuple[Result, str | None]:
    """Play all batches; return the result, and the last game's record or None."""
    tally = empty_tally(config.variant, len(config.bots))
    last_record: str | None = None
    started = time.perf_counter()

    def result_so_far() -> Result:
        seconds = time.perf_counter() - started
        return result_of(str(config.setup), config.seed, engine.path, config.names, tally, seconds)

    try:
        for first_game, batch in play_in_order(engine, batches):
            tally.add(batch.results, batch.forfeits, first_game, batch.lost)
            if config.with_records:
                for record in engine.records(first_game, batch):
                    last_record = record
                    if file:
                        with name_path_in_errors(Path(file.name)):
                            file.write(record + "\n")
            if progress:
                progress(result_so_far())
            if until is not None and _precise_enough(tally, until):
                break
    except (KeyboardInterrupt, RuntimeError) as error:
        # Ctrl-C while the main thread takes a lock of the pool ends in a RuntimeError about that lock.
        if isinstance(error, RuntimeError) and not isinstance(error.__context__, KeyboardInterrupt):
            raise
        if tally.games == 0:  # there is no result to return
            raise KeyboardInterrupt from None
    return result_so_far(), last_record


def _precise_enough(tally: Tally, until: float) -> bool:
    intervals = (wilson(int(share) / WIN / tally.games, tally.games) for share in tally.shares)
    return all(100 * (high - low) < until for low, high in intervals)
