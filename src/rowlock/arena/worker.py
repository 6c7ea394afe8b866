"""Plays games with plain Python bots through `Game`, in worker processes that are killed when a bot hangs."""

import multiprocessing
import signal
import sys
import threading
import time
from collections.abc import Iterator, MutableSequence
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

from rowlock.arena.config import MatchConfig
from rowlock.arena.tally import Forfeit
from rowlock.bots import Stream
from rowlock.fast.games import BOTS, PER_BOT, Array
from rowlock.rules.game import REASONS, Game

_GAME, _BOT, _SINCE = 0, 1, 2  # the decision in progress; _SINCE is 0 if there is none


@dataclass
class BatchResult:
    """The result of a batch: a row per game, the forfeits, and the records if they are written."""

    results: Array
    forfeits: list[Forfeit] = field(default_factory=list)
    records: list[str] = field(default_factory=list)


def play_games(
    config: MatchConfig, first: int, count: int, forfeits: list[Forfeit], decision: MutableSequence[float]
) -> BatchResult:
    """Play a batch of games; `forfeits` are those that ended an earlier process in this batch."""
    results = np.zeros((count, BOTS + PER_BOT * len(config.bots)), np.int64)
    batch = BatchResult(results)
    for row in range(count):
        number = first + row
        names = [config.names[bot] for bot in config.seats(number)]
        game = Game(config.setup, names, seed=config.seed, number=number)
        forfeit = next((one for one in forfeits if one.game == number), None)
        forfeit = forfeit or _play_game(config, game, decision)
        if forfeit:
            batch.forfeits.append(forfeit)
        if config.records:
            batch.records.append(game.record())
        sheets = game.sheets
        results[row, :BOTS] = game.turns_completed, REASONS.index(game.reason), 0
        for seat, bot in enumerate(config.seats(number)):
            at = BOTS + PER_BOT * bot
            results[row, at : at + PER_BOT] = sheets[seat].total, sheets[seat].misthrows, len(sheets[seat].locks)
    return batch


def _play_game(config: MatchConfig, game: Game, decision: MutableSequence[float]) -> Forfeit | None:
    seats = config.seats(game.number)
    while not game.over:
        if not game.to_act:
            game.chance()
            continue
        player = game.to_act[0]
        view = game.view(player)
        rng = Stream.of(game, view)
        decision[_GAME], decision[_BOT], decision[_SINCE] = game.number, seats[player], time.monotonic()
        try:
            option = config.bots[seats[player]].decide(view, list(view.options), rng)
            if option not in view.options:
                return Forfeit(game.number, seats[player], f"{option!r} is not an option")
        except BaseException as error:  # noqa: BLE001 - any exception, SystemExit too, forfeits this game only
            return Forfeit(game.number, seats[player], f"{type(error).__name__}: {error}")
        finally:
            decision[_SINCE] = 0.0
        game.play(player, option)
    return None


def _work(config: MatchConfig, connection: Connection, decision: MutableSequence[float]) -> None:
    sys.stdout = sys.stderr  # keeps what a bot prints out of the report
    try:
        while True:
            first, count, forfeits = connection.recv()
            connection.send(play_games(config, first, count, forfeits, decision))
    except (EOFError, OSError):
        return  # the parent process is gone


_ENDED = (
    "a worker process exited before it played a game; a script that plays matches with plain Python bots "
    'needs if __name__ == "__main__":'
)


class WorkerEnded(RuntimeError):
    """A worker process that exited outside a bot's decision."""


class _Worker:
    """A watched worker process: a bot that hangs or exits forfeits its game, and the rest of the batch is played."""

    def __init__(self, config: MatchConfig) -> None:
        self.config, self.closed = config, False
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.decision: Any = context.Array("d", 3, lock=False)
        self.connection, child_connection = context.Pipe()
        self.process = context.Process(target=_work, args=(self.config, child_connection, self.decision), daemon=True)
        # Ctrl-C is handled by the parent only, from the start of the child on.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        self.process.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        child_connection.close()

    def play(self, first: int, count: int) -> BatchResult:
        forfeits: list[Forfeit] = []
        while True:
            try:
                self.connection.send((first, count, forfeits))
            except OSError:
                raise WorkerEnded(_ENDED) from None
            while not self.connection.poll(0.05):
                if self.decision[_SINCE] and time.monotonic() - self.decision[_SINCE] > self.config.move_timeout:
                    break
            why = f"no decision within {self.config.move_timeout:g} s"
            try:
                if self.connection.poll():
                    batch: BatchResult = self.connection.recv()
                    return batch
            except (EOFError, OSError):
                why = "the bot ended its process"
                if self.closed or not self.decision[_SINCE]:
                    raise WorkerEnded(_ENDED) from None
            forfeits.append(Forfeit(int(self.decision[_GAME]), int(self.decision[_BOT]), why))
            self.stop()
            self.start()

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


class ProcessEngine:
    """Plays matches with a plain Python bot: through `Game`, in a worker process per thread."""

    path = "plain"
    batch_size = 4

    def __init__(self, config: MatchConfig, threads: int) -> None:
        self.config, self.threads = config, threads
        self._thread = threading.local()
        self._workers: list[_Worker] = []

    def play(self, first: int, count: int) -> BatchResult:
        if not hasattr(self._thread, "worker"):
            self._thread.worker = _Worker(self.config)
            self._workers.append(self._thread.worker)
        batch: BatchResult = self._thread.worker.play(first, count)
        return batch

    def records(self, first: int, batch: BatchResult) -> Iterator[str]:
        return iter(batch.records)

    def close(self) -> None:
        for worker in self._workers:
            worker.closed = True
            worker.process.kill()
