"""Games with bots in plain Python: played through `Game` in processes of their own that can be ended when one hangs."""

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

_GAME, _BOT, _SINCE = 0, 1, 2  # what a worker is busy with; 0 since when: with nothing


@dataclass
class Played:
    """A stretch of games: a row of results each, who broke down in which, and their records where wanted."""

    results: Array
    forfeits: list[Forfeit] = field(default_factory=list)
    records: list[str] = field(default_factory=list)


def play_games(
    config: MatchConfig, first: int, count: int, known: list[Forfeit], busy: MutableSequence[float]
) -> Played:
    """Play games one after the other; `known` are breakdowns that ended a process before."""
    results = np.zeros((count, BOTS + PER_BOT * len(config.bots)), np.int64)
    played = Played(results)
    for row in range(count):
        number = first + row
        names = [config.names[bot] for bot in config.seats(number)]
        game = Game(config.setup, names, seed=config.seed, number=number)
        forfeit = next((one for one in known if one.game == number), None)
        forfeit = forfeit or _play_game(config, game, busy)
        if forfeit:
            played.forfeits.append(forfeit)
        if config.records:
            played.records.append(game.record())
        sheets = game.sheets
        results[row, :BOTS] = game.turns_completed, REASONS.index(game.reason), 0
        for seat, bot in enumerate(config.seats(number)):
            at = BOTS + PER_BOT * bot
            results[row, at : at + PER_BOT] = sheets[seat].total, sheets[seat].misthrows, len(sheets[seat].locks)
    return played


def _play_game(config: MatchConfig, game: Game, busy: MutableSequence[float]) -> Forfeit | None:
    seats = config.seats(game.number)
    while not game.over:
        if not game.to_act:
            game.chance()
            continue
        player = game.to_act[0]
        view = game.view(player)
        rng = Stream.of(game, view)
        busy[_GAME], busy[_BOT], busy[_SINCE] = game.number, seats[player], time.monotonic()
        try:
            option = config.bots[seats[player]].decide(view, list(view.options), rng)
            if option not in view.options:
                return Forfeit(game.number, seats[player], f"{option!r} is not an option")
        except BaseException as error:  # noqa: BLE001 - whatever a bot raises, an exit too, loses it this game only
            return Forfeit(game.number, seats[player], f"{type(error).__name__}: {error}")
        finally:
            busy[_SINCE] = 0.0
        game.play(player, option)
    return None


def _work(config: MatchConfig, connection: Connection, busy: MutableSequence[float]) -> None:
    sys.stdout = sys.stderr  # what a bot prints is not the report
    try:
        while True:
            first, count, known = connection.recv()
            connection.send(play_games(config, first, count, known, busy))
    except (EOFError, OSError):
        return  # nobody waits for results any more


_ENDED = (
    "a worker process ended before it had played; a script that lets a bot in plain Python play "
    'needs if __name__ == "__main__":'
)


class WorkerEnded(RuntimeError):
    """A worker is gone, and no bot is to blame."""


class _Worker:
    """A process that plays, watched: a bot that hangs or ends the process loses its game, the others are played on."""

    def __init__(self, config: MatchConfig) -> None:
        self.config, self.closed = config, False
        self.start()

    def start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.busy: Any = context.Array("d", 3, lock=False)
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_work, args=(self.config, theirs, self.busy), daemon=True)
        # Ctrl-C is for whoever waits for the results, from the child's very first moment on.
        blocked = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
        self.process.start()
        signal.pthread_sigmask(signal.SIG_SETMASK, blocked)
        theirs.close()

    def play(self, first: int, count: int) -> Played:
        known: list[Forfeit] = []
        while True:
            try:
                self.connection.send((first, count, known))
            except OSError:
                raise WorkerEnded(_ENDED) from None
            while not self.connection.poll(0.05):
                if self.busy[_SINCE] and time.monotonic() - self.busy[_SINCE] > self.config.move_timeout:
                    break
            why = f"no decision within {self.config.move_timeout:g} s"
            try:
                if self.connection.poll():
                    played: Played = self.connection.recv()
                    return played
            except (EOFError, OSError):
                why = "the process was ended"
                if self.closed or not self.busy[_SINCE]:
                    raise WorkerEnded(_ENDED) from None
            known.append(Forfeit(int(self.busy[_GAME]), int(self.busy[_BOT]), why))
            self.stop()
            self.start()

    def stop(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


class ProcessEngine:
    """A bot in plain Python takes part: games are played through `Game`, every thread has a process for it."""

    path = "plain"
    batch = 4

    def __init__(self, config: MatchConfig, threads: int) -> None:
        self.config, self.threads = config, threads
        self._own = threading.local()
        self._all: list[_Worker] = []

    def play(self, first: int, count: int) -> Played:
        if not hasattr(self._own, "worker"):
            self._own.worker = _Worker(self.config)
            self._all.append(self._own.worker)
        played: Played = self._own.worker.play(first, count)
        return played

    def records(self, first: int, played: Played) -> Iterator[str]:
        return iter(played.records)

    def close(self) -> None:
        for worker in self._all:
            worker.closed = True
            worker.process.kill()
