"""A match: bots, a variant, a number of games, and what came of it."""

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
from rowlock.arena.worker import Played
from rowlock.bots import Bot, find_bot
from rowlock.bots.bot import A_DAY, thinkers
from rowlock.paths import writing
from rowlock.rules import kernel
from rowlock.rules.chance import MAX_SEED
from rowlock.rules.game import check_players, unique_name
from rowlock.rules.variant import Setup, Variant, find_setup

# Called after every stretch of games, with the result so far.
Progress = Callable[[Result], None]


MAX_WORKERS = 1024
GAMES = 10_000  # where neither a number of games nor a width is given


class MatchError(ValueError):
    """A match that cannot be played as asked for."""


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
    prepare: Callable[[MatchConfig], None] | None = None,
    progress: Progress | None = None,
) -> Result:
    """Play a match and tell how it went; Ctrl-C ends it early, with what was played so far.

    `until` plays until every win rate is known to within that many percentage points; `think` gives bots that can look
    ahead so many seconds per decision. The same seed gives the same games, whatever the number of workers; `game` plays
    one game of a run alone. `prepare` is called once all is checked, before the first game.
    """
    config = make_config(bots, variant, seed, records is not None or game is not None, move_timeout, think)
    check_numbers(games, until, workers, game)
    if until is not None and len(config.bots) == 1:
        raise MatchError("--until is about win rates, and one bot alone has none; say how many games instead")
    if prepare:
        prepare(config)
    engine: Engine = RayEngine(config, ray, workers) if ray else engine_for(config, workers)
    try:
        with _open(records) as file:
            if games is None and until is None:
                games = GAMES
            parts = iter([(game, 1)]) if game is not None else stretches(games, engine.batch)
            result, record = _run(config, engine, parts, until, file, progress)
            return replace(result, record=record) if game is not None else result
    finally:
        engine.close()


def make_config(
    bots: Sequence[str | Bot],
    variant: str | Path | Variant | Setup,
    seed: int | None,
    records: bool = False,
    move_timeout: float = 10.0,
    think: float | None = None,
) -> MatchConfig:
    """Check who plays what; two bots of a kind are told apart by a number."""
    if isinstance(bots, str):
        raise MatchError(f"bots are a list, not {bots!r}")
    if not 1 <= len(bots) <= kernel.MAX_PLAYERS:
        raise MatchError(f"1 to {kernel.MAX_PLAYERS} bots can play, not {len(bots)}")
    seed = secrets.randbits(32) if seed is None else seed
    if not 0 <= seed <= MAX_SEED:
        raise MatchError(f"a seed is a whole number from 0 to {MAX_SEED}, not {seed}")
    if not 0 < move_timeout <= A_DAY:
        raise MatchError(f"a bot needs some time to decide, a day at the most, not {move_timeout:g} s")
    players = tuple(find_bot(bot) if isinstance(bot, str) else bot for bot in bots)
    for player in players:
        if not isinstance(player, Bot):
            raise MatchError(f"a bot is named or an instance of rowlock.bots.Bot, not {player!r}")
    try:
        pickle.dumps(players)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        raise MatchError(f"a bot must be picklable to play in other processes: {error}") from None
    names: list[str] = []
    for bot in bots:
        names.append(unique_name(bot if isinstance(bot, str) else type(bot).__name__, names))
    if think is not None:
        named = dict(zip(names, players, strict=True))
        players = tuple({**named, **thinkers(named, think)}.values())
        move_timeout += think
    return MatchConfig(find_setup(variant), players, check_players(names), seed, records, move_timeout)


def check_numbers(games: int | None, until: float | None, workers: int | None, game: int | None) -> None:
    if games is not None and not 1 <= games <= MAX_SEED:
        raise MatchError(f"a match has 1 to {MAX_SEED} games, not {games}")
    if until is not None and not 0 < until < 100:
        raise MatchError(f"--until is a width in percentage points between 0 and 100, not {until:g}")
    if workers is not None and not 1 <= workers <= MAX_WORKERS:
        raise MatchError(f"a match has 1 to {MAX_WORKERS:,} workers, not {workers}")
    if game is not None and not 0 <= game <= MAX_SEED:
        raise MatchError(f"games are numbered from 0 to {MAX_SEED}, there is no game {game}")
    if game is not None and games is not None and game >= games:
        raise MatchError(f"games are numbered from 0: of {games} the last one is --game {games - 1}, not {game}")


def _open(records: str | Path | None) -> AbstractContextManager[IO[str] | None]:
    if records is None:
        return nullcontext()
    try:
        return Path(records).open("w", encoding="utf-8", newline="\n")
    except OSError as error:
        raise MatchError(f"{records}: cannot be written: {error.strerror}") from None


def stretches(games: int | None, batch: int) -> Iterator[tuple[int, int]]:
    """The first game and the number of games of every stretch; without end where no number of games is given."""
    for first in count_from(0, batch):
        if games is not None and first >= games:
            return
        yield first, batch if games is None else min(batch, games - first)


def play_in_order(engine: Engine, parts: Iterator[tuple[int, int]]) -> Iterator[tuple[int, Played]]:
    """What engines play, in order, while the next stretches are under way in other threads."""
    pool = ThreadPoolExecutor(engine.threads)
    waiting: deque[tuple[int, Future[Played]]] = deque()
    try:
        for first, count in parts:
            waiting.append((first, pool.submit(engine.play, first, count)))
            if len(waiting) > 2 * engine.threads:
                number, future = waiting.popleft()
                yield number, future.result()
        while waiting:
            number, future = waiting.popleft()
            yield number, future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _run(
    config: MatchConfig,
    engine: Engine,
    parts: Iterator[tuple[int, int]],
    until: float | None,
    file: IO[str] | None,
    progress: Progress | None,
) -> tuple[Result, str | None]:
    """Play all parts; the result, and the last record where records are wanted."""
    tally = empty_tally(config.variant, len(config.bots))
    last: str | None = None
    begin = time.perf_counter()

    def so_far() -> Result:
        seconds = time.perf_counter() - begin
        return result_of(str(config.setup), config.seed, engine.path, config.names, tally, seconds)

    try:
        for first, played in play_in_order(engine, parts):
            tally.add(played.results, played.forfeits, first)
            for record in engine.records(first, played) if config.records else ():
                last = record
                if file:
                    with writing(Path(file.name)):
                        file.write(record + "\n")
            if progress:
                progress(so_far())
            if until is not None and _narrow(tally, until):
                break
    except KeyboardInterrupt:
        if tally.games == 0:
            raise
    return so_far(), last


def _narrow(tally: Tally, until: float) -> bool:
    intervals = (wilson(int(share) / WIN / tally.games, tally.games) for share in tally.shares)
    return all(100 * (high - low) < until for low, high in intervals)
