"""Engines play batches of games: compiled games in threads, or games of plain Python bots in processes."""

import os
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from rowlock.arena.config import MatchConfig
from rowlock.arena.tally import Forfeit
from rowlock.arena.worker import BatchResult, ProcessEngine
from rowlock.bots import KernelBot, compiled_form, data_of
from rowlock.fast.results import REASON


class Engine(Protocol):
    path: str  # how games are played: "compiled" or "plain"
    batch_size: int  # games per batch; results are tallied after each batch
    threads: int  # number of batches that are played at the same time

    def play(self, first_game: int, count: int) -> BatchResult: ...
    def records(self, first_game: int, batch: BatchResult) -> Iterator[str]: ...
    def close(self) -> None: ...


class CompiledEngine:
    """Plays bots with a compiled form: whole games run in compiled code, in threads."""

    path = "compiled"
    batch_size = 4096

    def __init__(self, config: MatchConfig, threads: int) -> None:
        self.config, self.threads = config, threads
        kernel_bots = [bot for bot in config.bots if isinstance(bot, KernelBot)]  # all bots are of this type
        data = [data_of(type(bot), config.variant, len(kernel_bots)) for bot in kernel_bots]
        # The compiled form of every bot, with its read-only data.
        self.players = list(zip(map(compiled_form, config.bots), data, strict=True))

    def play(self, first_game: int, count: int) -> BatchResult:
        from rowlock.fast.games import play_games  # not above: it imports Numba, which plain workers do not need

        results = play_games(self.config.setup, self.players, self.config.seed, first_game, count)
        forfeits = [  # a reason of -1 - bot says that this bot chose an illegal option
            Forfeit(first_game + int(row), -1 - int(results[row, REASON]), "its choice is not an option")
            for row in np.flatnonzero(results[:, REASON] < 0)
        ]
        results[:, REASON] = np.maximum(results[:, REASON], 0)  # 0: the game did not end by the rules
        return BatchResult(results, forfeits)

    def records(self, first_game: int, batch: BatchResult) -> Iterator[str]:
        for number in range(first_game, first_game + len(batch.results)):
            yield self.record(number)

    def record(self, number: int) -> str:
        """The record of the game with this number, which is played again through `Game`."""
        from rowlock.fast.games import game_actions

        config = self.config
        actions = iter(game_actions(config.setup, self.players, config.seed, number))
        game = config.new_game(number)
        while not game.over:
            if not game.to_act:
                game.chance()
            player, action = game.to_act[0], next(actions, None)
            if action is None:
                break  # a bot chose an illegal option
            game.play(player, next(option for option, code in game.actions(player).items() if code == action))
        return game.record()

    def close(self) -> None:
        """Nothing to close."""


def engine_for(config: MatchConfig, workers: int | None = None) -> Engine:
    """The fastest engine that can play a config, with one worker per core unless `workers` is given."""
    for bot in config.bots:
        bot.prepare(config.variant, len(config.bots))
    threads = workers or os.cpu_count() or 1
    compiled = all(compiled_form(bot) is not None for bot in config.bots)
    return CompiledEngine(config, threads) if compiled else ProcessEngine(config, threads)
