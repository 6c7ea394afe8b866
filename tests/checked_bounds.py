"""Compiled code with every index checked; `test_memory` runs it in a process of its own with ROWLOCK_BOUNDS=1."""

import random

import numpy as np
import pytest

from rowlock import Game, find_variant, variant_ids
from rowlock.arena.engine import CompiledEngine
from rowlock.arena.match import make_setting
from rowlock.bots import find_bot
from rowlock.bots.champion import Thinking
from rowlock.fast.compiled import BOUNDS, compiled
from rowlock.fast.pointer import OUT_OF_BOUNDS, keep_alive, pointer
from rowlock.rules.variant import JOKERS
from rowlock.train.scholar import ScholarTraining
from rowlock.train.training import Settings, Training

BOTS = ("random", "eager", "rush", "greedy", "evolved", "champion")


def _read(numbers: np.ndarray, index: int) -> int:
    found: int = pointer(numbers)[index]
    keep_alive((numbers,))
    return found


def checks_indices() -> None:
    read = compiled(_read)
    assert read(np.arange(4), 3) == 3
    for index in (-1, 4):
        with pytest.raises(IndexError, match=OUT_OF_BOUNDS):
            read(np.arange(4), index)


def plays_games() -> None:
    """Every bot in every game, with one to five players."""
    games = list(variant_ids())
    games += [name + JOKERS for name in games if find_variant(name).cards]
    for name in games:
        for players in range(1, 6):
            bots = [BOTS[(players + seat) % len(BOTS)] for seat in range(players)]
            engine = CompiledEngine(make_setting(bots, name, seed=players), 1)
            assert len(engine.play(0, 6).results) == 6
    for players in (1, 2):
        CompiledEngine(make_setting(["scholar"] * players, "classic", seed=1), 1).play(0, 4)


def trains() -> None:
    for name, table in (("longo", "several"), ("big-points", "solo"), ("cards", "several")):
        training = Training.begin(find_variant(name), Settings(table, steps=2, explore=0.1))
        training.strength = lambda count=0: ()  # type: ignore[method-assign]
        list(training.run(2, threads=1))
    scholar = ScholarTraining.begin(find_variant("classic"), Settings(steps=1))
    scholar.strength = lambda count=0: ()  # type: ignore[method-assign]
    list(scholar.run(1, threads=1))


def looks_ahead() -> None:
    for name, players in (("classic", 2), ("bonus-b", 3), ("cards" + JOKERS, 2)):
        game, greedy, thinking = Game(name, players, seed=4), find_bot("greedy"), Thinking(9, samples=8)
        decided = 0
        while not game.over and decided < 12:
            if not game.to_act:
                game.chance()
            for seat in game.to_act:
                view = game.view(seat)
                options = list(view.options)
                decided += len(options) > 1
                thinking.decide(view, options, random.Random(1))
                game.play(seat, greedy.decide(view, options, random.Random(1)))


if __name__ == "__main__":
    assert BOUNDS
    checks_indices()
    plays_games()
    trains()
    looks_ahead()
