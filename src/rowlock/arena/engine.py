"""How stretches of games are played: compiled in threads, or plain in processes."""

import os
from collections.abc import Iterator
from typing import Protocol

import numpy as np

from rowlock.arena.plain import PlainEngine, Played
from rowlock.arena.setting import Setting
from rowlock.arena.tally import Forfeit
from rowlock.bots import KernelBot, compiled_form, memory_of
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

    def __init__(self, setting: Setting, threads: int) -> None:
        self.setting, self.threads, self.players = setting, threads, compiled_players(setting)

    def play(self, first: int, count: int) -> Played:
        results = compiled.play(self.setting.setup, self.players, self.setting.seed, first, count)
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
        setting = self.setting
        actions = iter(compiled.actions(setting.setup, self.players, setting.seed, number))
        names = [setting.names[bot] for bot in setting.seats(number)]
        game = Game(setting.setup, names, seed=setting.seed, number=number)
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


def compiled_players(setting: Setting) -> list[compiled.Player]:
    """Every bot with its read-only data; all of them have a compiled form."""
    kinds = [type(bot) for bot in setting.bots if isinstance(bot, KernelBot)]
    memories = [memory_of(kind, setting.variant, len(kinds)) for kind in kinds]
    return list(zip(map(compiled_form, setting.bots), memories, strict=True))


def engine_for(setting: Setting, workers: int | None = None) -> Engine:
    """The fastest way to play a setting, with as many workers as there are cores unless told."""
    for bot in setting.bots:
        bot.prepare(setting.variant, len(setting.bots))
    threads = workers or os.cpu_count() or 1
    compiled = all(compiled_form(bot) is not None for bot in setting.bots)
    return CompiledEngine(setting, threads) if compiled else PlainEngine(setting, threads)
