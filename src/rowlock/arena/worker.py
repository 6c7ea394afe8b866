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
from rowlock.fast.results import BOTS, PER_BOT, Array
from rowlock.rules.game import REASONS, Game

# Indices into `decision`, which describes the decision in progress; _STARTED is 0 between decisions.
_GAME, _BOT, _STARTED = 0, 1, 2


@dataclass
class BatchResult:
    """The result of a batch: a row of numbers per game, the forfeits, and the records if the config asks for them."""

    results: Array
    forfeits: list[Forfeit] = field(default_factory=list)
    records: list[str] = field(default_factory=list)


def play_games(
    config: MatchConfig, first_game: int, count: int, forfeits: list[Forfeit], decision: MutableSequence[float]
) -> BatchResult:
    """Play a batch of games, except those in `forfeits`, in which a bot hung or ended an earlier process.

    `decision` receives the decision in progress, so that the parent process can see how long it takes.
    """
    results = np.zeros((count, BOTS + PER_BOT * len(config.bots)), np.int64)
    batch = BatchResult(results)
    for row, number in enumerate(range(first_game, first_game + count)):
        game = config.new_game(number)
        forfeit = next((earlier for earlier in forfeits if earlier.game == number), None)
        forfeit = forfeit or _play_game(config, game, decision)
        if forfeit:
            batch.forfeits.append(forfeit)
        if config.with_records:
            batch.records.append(game.record())
        sheets = game.sheets
        results[row, :BOTS] = game.turns_completed, REASONS.index(game.reason), 0  # decisions are not counted
        for seat, bot in enumerate(config.bots_by_seat(number)):
            column, sheet = BOTS + PER_BOT * bot, sheets[seat]
            results[row, column : column + PER_BOT] = sheet.total, sheet.misthrows, len(sheet.locks)
    return batch


def _play_game(config: MatchConfig, game: Game, decision: MutableSequence[float]) -> Forfeit | None:
    bot_indices = config.bots_by_seat(game.number)
    while not game.over:
        if not game.to_act:
            game.chance()
            continue
        player = game.to_act[0]
        view = game.view(player)
        rng = Stream.of(game, view)
        decision[_GAME], decision[_BOT], decision[_STARTED] = game.number, bot_indices[player], time.monotonic()
        try:
            option = config.bots[bot_indices[player]].decide(view, list(view.options), rng)
            if option not in view.options:
                return Forfeit(game.number, bot_indices[player], f"{option!r} is not an option")
        except BaseException as error:  # noqa: BLE001 - any exception, SystemExit too, forfeits this game only
            return Forfeit(game.number, bot_indices[player], f"{type(error).__name__}: {error}")
        finally:
            decision[_STARTED] = 0.0
        game.play(player, option)
    return None


def _work(config: MatchConfig, connection: Connection, decision: MutableSequence[float]) -> None:
    """The main function of a worker process."""
    sys.stdout = sys.stderr  # so that the report does not contain what a bot prints
    try:
        while True:
            first_game, count, forfeits = connection.recv()
            connection.send(play_games(config, first_game, count, forfeits, decision))
    except (EOFError, OSError):
        return  # the parent process is gone


_PROCESS_ENDED = (
    "a worker process exited before it played a game; a script that plays matches with plain Python bots "
    'needs if __name__ == "__main__":'
)


class WorkerEnded(RuntimeError):
    """Raised if a worker process exits outside a bot's decision."""


class _Worker:
    """A worker process that is replaced when a bot hangs or exits; the bot forfeits that game only."""

    def __init__(self, config: MatchConfig) -> None:
        self.config = config
        self.closed = False  # whether the engine has ended the process, which is no bot's fault
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.decision: Any = context.Array("d", 3, lock=False)  # shared memory for three floats
        self.connection, child_connection = context.Pipe()
        self.process = context.Process(target=_work, args=(self.config, child_connection, self.decision), daemon=True)
        if hasattr(signal, "pthread_sigmask"):
            # The child inherits the blocked signal, so that only the parent handles Ctrl-C.
            previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
            self.process.start()
            signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)
        else:  # Windows
            self.process.start()
        child_connection.close()

    def play(self, first_game: int, count: int) -> BatchResult:
        forfeits: list[Forfeit] = []
        while True:
            try:
                self.connection.send((first_game, count, forfeits))
            except OSError:
                raise WorkerEnded(_PROCESS_ENDED) from None
            while not self.connection.poll(0.05):  # seconds
                if self.decision[_STARTED] and time.monotonic() - self.decision[_STARTED] > self.config.move_timeout:
                    break
            why = f"no decision within {self.config.move_timeout:g} s"
            try:
                if self.connection.poll():
                    batch: BatchResult = self.connection.recv()
                    return batch
            except (EOFError, OSError):
                why = "the bot ended its process"
                if self.closed or not self.decision[_STARTED]:
                    raise WorkerEnded(_PROCESS_ENDED) from None
            forfeits.append(Forfeit(int(self.decision[_GAME]), int(self.decision[_BOT]), why))
            self.stop()
            self.start()

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


class ProcessEngine:
    """Plays matches with a plain Python bot through `Game`; each thread has a worker process."""

    path = "plain"
    batch_size = 4

    def __init__(self, config: MatchConfig, threads: int) -> None:
        self.config, self.threads = config, threads
        self._thread = threading.local()
        self._workers: list[_Worker] = []

    def play(self, first_game: int, count: int) -> BatchResult:
        if not hasattr(self._thread, "worker"):
            self._thread.worker = _Worker(self.config)
            self._workers.append(self._thread.worker)
        batch: BatchResult = self._thread.worker.play(first_game, count)
        return batch

    def records(self, first_game: int, batch: BatchResult) -> Iterator[str]:
        return iter(batch.records)

    def close(self) -> None:
        for worker in self._workers:
            worker.closed = True
            worker.process.kill()
