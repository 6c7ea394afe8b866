"""Plays games with plain Python bots through `Game`, in worker processes that are killed when a bot hangs."""

import multiprocessing
import os
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
from rowlock.bots import LostDecision, Stream
from rowlock.bots.loading import describe, own_traceback
from rowlock.fast.results import BOTS, PER_BOT, Array
from rowlock.rules.error_text import quote
from rowlock.rules.game import REASONS, Game

# Indices into `decision`, which describes the decision in progress; _STARTED is 0 between decisions.
_GAME, _BOT, _STARTED = 0, 1, 2
MOST_LOST = 3  # decisions that a bot may lose in a game before it forfeits the game
END_SECONDS = 1.0  # a worker process may take so long to end the processes of its bots


@dataclass
class BatchResult:
    """The result of a batch: a row of numbers per game, forfeits and lost decisions, and records if asked for."""

    results: Array
    forfeits: list[Forfeit] = field(default_factory=list)
    lost: list[Forfeit] = field(default_factory=list)  # single decisions, after which the games went on
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
        forfeit = forfeit or _play_game(config, game, decision, batch.lost)
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


def _play_game(
    config: MatchConfig, game: Game, decision: MutableSequence[float], lost: list[Forfeit]
) -> Forfeit | None:
    """Play a game to its end or to a forfeit; decisions that bots lose are appended to `lost`."""
    bot_indices = config.bots_by_seat(game.number)
    while not game.over:
        if not game.to_act:
            game.chance()
            continue
        player = game.to_act[0]
        view = game.view(player)
        rng = Stream.of(game, view)
        index = bot_indices[player]
        bot = config.bots[index]
        if not bot.keeps_time:
            decision[_GAME], decision[_BOT], decision[_STARTED] = game.number, index, time.monotonic()
        try:
            option = bot.decide(view, list(view.options), rng)
            if option not in view.options:
                legal = ", ".join(view.options)
                why = f"turn {game.turn}: {quote(repr(option))} is not an option; there are {quote(legal)}"
                return Forfeit(game.number, index, why)
        except LostDecision as error:
            lost.append(Forfeit(game.number, index, f"turn {game.turn}: {error}", error.details))
            if sum((one.game, one.bot) == (game.number, index) for one in lost) == MOST_LOST:
                return Forfeit(
                    game.number, index, f"{MOST_LOST} decisions lost, the last one in turn {game.turn}: {error}"
                )
            option = next(iter(view.options))
        except BaseException as error:  # noqa: BLE001 - any exception, SystemExit too, forfeits this game only
            return Forfeit(game.number, index, f"turn {game.turn}: {describe(error)}", own_traceback(error))
        finally:
            decision[_STARTED] = 0.0
        game.play(player, option)
    return None


def _work(config: MatchConfig, connection: Connection, decision: MutableSequence[float]) -> None:
    """The main function of a worker process."""
    sys.stdout = sys.stderr  # so that the report does not contain what a bot prints

    def end(*_: object) -> None:
        for bot in config.bots:
            bot.close()
        os._exit(0)

    signal.signal(signal.SIGTERM, end)
    try:
        while True:
            first_game, count, forfeits = connection.recv()
            connection.send(play_games(config, first_game, count, forfeits, decision))
    except (EOFError, OSError):
        end()  # the parent process is gone


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
        self.end()
        self.connection.close()

    def end(self) -> None:
        """End the process: by a signal upon which it ends those of its bots, or at once if it does not react."""
        self.process.terminate()
        self.process.join(END_SECONDS)
        self.process.kill()
        self.process.join()


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
            worker.process.terminate()  # all of them before the first is waited for
        for worker in self._workers:
            worker.end()
