"""Engines play batches of games: compiled games in threads, or games of plain Python bots in processes."""

import os
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from rowlock.arena.config import MatchConfig
from rowlock.arena.tally import Forfeit
from rowlock.arena.worker import BatchResult, ProcessEngine
from rowlock.bots import KernelBot, compiled_form, data_of
from rowlock.fast import games as compiled_games
from rowlock.rules.game import Game


class Engine(Protocol):
    path: str
    batch_size: int  # games per batch; results are tallied after each batch
    threads: int  # how many batches are played at a time

    def play(self, first: int, count: int) -> BatchResult: ...
    def records(self, first: int, batch: BatchResult) -> Iterator[str]: ...
    def close(self) -> None: ...


class CompiledEngine:
    """Plays bots with a compiled form: whole games run in compiled code, in threads."""

    path = "compiled"
    batch_size = 4096

    def __init__(self, config: MatchConfig, threads: int) -> None:
        self.config, self.threads, self.players = config, threads, compiled_players(config)

    def play(self, first: int, count: int) -> BatchResult:
        results = compiled_games.play_games(self.config.setup, self.players, self.config.seed, first, count)
        forfeits = [
            Forfeit(first + int(row), -1 - int(results[row, compiled_games.REASON]), "its choice is not an option")
            for row in np.flatnonzero(results[:, compiled_games.REASON] < 0)
        ]
        results[:, compiled_games.REASON] = np.maximum(results[:, compiled_games.REASON], 0)
        return BatchResult(results, forfeits)

    def records(self, first: int, batch: BatchResult) -> Iterator[str]:
        for number in range(first, first + len(batch.results)):
            yield self.record(number)

    def record(self, number: int) -> str:
        """The record of a game; plays it again through `Game`."""
        config = self.config
        actions = iter(compiled_games.game_actions(config.setup, self.players, config.seed, number))
        names = [config.names[bot] for bot in config.seats(number)]
        game = Game(config.setup, names, seed=config.seed, number=number)
        while not game.over:
            if not game.to_act:
                game.chance()
            player, action = game.to_act[0], next(actions, None)
            if action is None:
                break  # a bot chose an illegal option
            game.play(player, next(option for option, one in game.actions(player).items() if one == action))
        return game.record()

    def close(self) -> None:
        """Nothing to close."""


def compiled_players(config: MatchConfig) -> list[compiled_games.Player]:
    """The compiled form of every bot, with its read-only data."""
    kinds = [type(bot) for bot in config.bots if isinstance(bot, KernelBot)]
    data = [data_of(kind, config.variant, len(kinds)) for kind in kinds]
    return list(zip(map(compiled_form, config.bots), data, strict=True))


def engine_for(config: MatchConfig, workers: int | None = None) -> Engine:
    """The fastest engine for a config; by default with a worker per core."""
    for bot in config.bots:
        bot.prepare(config.variant, len(config.bots))
    threads = workers or os.cpu_count() or 1
    compiled = all(compiled_form(bot) is not None for bot in config.bots)
    return CompiledEngine(config, threads) if compiled else ProcessEngine(config, threads)
