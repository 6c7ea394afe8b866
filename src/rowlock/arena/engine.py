"""How stretches of games are played: compiled in threads, or plain in processes."""

import os
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from rowlock.arena.config import MatchConfig
from rowlock.arena.tally import Forfeit
from rowlock.arena.worker import Played, ProcessEngine
from rowlock.bots import KernelBot, compiled_form, data_of
from rowlock.fast import games as compiled
from rowlock.rules.game import Game


class Engine(Protocol):
    path: str
    batch: int  # games per stretch; results are looked at after each
    threads: int  # how many stretches are played at a time

    def play(self, first: int, count: int) -> Played: ...
    def records(self, first: int, played: Played) -> Iterator[str]: ...
    def close(self) -> None: ...


class CompiledEngine:
    """Every bot has a compiled form: whole games run without Python, threads share the work."""

    path = "compiled"
    batch = 4096

    def __init__(self, config: MatchConfig, threads: int) -> None:
        self.config, self.threads, self.players = config, threads, compiled_players(config)

    def play(self, first: int, count: int) -> Played:
        results = compiled.play_games(self.config.setup, self.players, self.config.seed, first, count)
        forfeits = [
            Forfeit(first + int(row), -1 - int(results[row, compiled.REASON]), "its choice is not an option")
            for row in np.flatnonzero(results[:, compiled.REASON] < 0)
        ]
        results[:, compiled.REASON] = np.maximum(results[:, compiled.REASON], 0)
        return Played(results, forfeits)

    def records(self, first: int, played: Played) -> Iterator[str]:
        for number in range(first, first + len(played.results)):
            yield self.record(number)

    def record(self, number: int) -> str:
        """The game again, every action played through `Game`."""
        config = self.config
        actions = iter(compiled.game_actions(config.setup, self.players, config.seed, number))
        names = [config.names[bot] for bot in config.seats(number)]
        game = Game(config.setup, names, seed=config.seed, number=number)
        while not game.over:
            if not game.to_act:
                game.chance()
            player, action = game.to_act[0], next(actions, None)
            if action is None:
                break  # somebody's choice was no option
            game.play(player, next(option for option, one in game.actions(player).items() if one == action))
        return game.record()

    def close(self) -> None:
        """Threads hold nothing."""


def compiled_players(config: MatchConfig) -> list[compiled.Player]:
    """Every bot with its read-only data; all of them have a compiled form."""
    kinds = [type(bot) for bot in config.bots if isinstance(bot, KernelBot)]
    memories = [data_of(kind, config.variant, len(kinds)) for kind in kinds]
    return list(zip(map(compiled_form, config.bots), memories, strict=True))


def engine_for(config: MatchConfig, workers: int | None = None) -> Engine:
    """The fastest way to play a config, with as many workers as there are cores unless told."""
    for bot in config.bots:
        bot.prepare(config.variant, len(config.bots))
    threads = workers or os.cpu_count() or 1
    compiled = all(compiled_form(bot) is not None for bot in config.bots)
    return CompiledEngine(config, threads) if compiled else ProcessEngine(config, threads)
