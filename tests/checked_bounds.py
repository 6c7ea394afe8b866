"""Compiled code with every index checked; `test_memory` runs it in a process of its own with ROWLOCK_BOUNDS=1."""

import random

import numpy as np
import pytest

from rowlock import Game, find_variant, review
from rowlock.arena.engine import CompiledEngine
from rowlock.arena.match import make_config
from rowlock.bots import find_bot
from rowlock.bots.champion import LookaheadChampion
from rowlock.envs.gym import RowlockVectorEnv
from rowlock.fast.batch import Batch
from rowlock.fast.compiled import BOUNDS, compiled
from rowlock.fast.pointer import OUT_OF_BOUNDS, keep_alive, pointer, slice_pointer
from rowlock.rules.variant import game_names
from rowlock.train.scholar import ScholarTraining
from rowlock.train.training import Training, TrainingConfig
from tests.test_solver import BAR, JOINED, LUCKY, STEPS, SWAPS, WIDE, small

BOTS = ("random", "eager", "rush", "greedy", "evolved", "champion")


def _read(numbers: np.ndarray, index: int) -> int:
    found: int = pointer(numbers)[index]
    keep_alive((numbers,))
    return found


def _last_of(numbers: np.ndarray, begin: int, size: int) -> int:
    found: int = slice_pointer(pointer(numbers), begin, size)[size - 1]
    keep_alive((numbers,))
    return found


def checks_indices() -> None:
    read, last_of = compiled(_read), compiled(_last_of)
    assert read(np.arange(4), 3) == last_of(np.arange(4), 1, 3) == 3
    for index in (-1, 4):
        with pytest.raises(IndexError, match=OUT_OF_BOUNDS):
            read(np.arange(4), index)
    for begin, size in ((2, 3), (-1, 2), (3, 0), (3, -1)):
        with pytest.raises(IndexError, match=OUT_OF_BOUNDS):
            last_of(np.arange(4), begin, size)


def plays_games() -> None:
    """Every bot in every game, with one to five players."""
    for name in game_names():
        for players in range(1, 6):
            bots = [BOTS[(players + seat) % len(BOTS)] for seat in range(players)]
            engine = CompiledEngine(make_config(bots, name, seed=players), 1)
            assert len(engine.play(0, 6).results) == 6
    for players in (1, 2):
        CompiledEngine(make_config(["scholar"] * players, "classic", seed=1), 1).play(0, 4)


def trains() -> None:
    for name, table in (("longo", "several"), ("big-points", "solo"), ("cards", "several")):
        training = Training.begin(find_variant(name), TrainingConfig(table, steps=2, explore=0.1))
        training.strength = lambda count=0: ()  # type: ignore[method-assign]
        list(training.run(2, threads=1))
    scholar = ScholarTraining.begin(find_variant("classic"), TrainingConfig(steps=1))
    scholar.strength = lambda count=0: ()  # type: ignore[method-assign]
    list(scholar.run(1, threads=1))


def looks_ahead() -> None:
    for name, players in (("classic", 2), ("bonus-b", 3), ("cards+jokers", 2)):
        game, greedy, thinking = Game(name, players, seed=4), find_bot("greedy"), LookaheadChampion(9, samples=8)
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


def values_options() -> None:
    """The values of hints and reviews: of nodes and options, with roll-outs of one round and of whole games."""
    cases = (
        ("classic", 1, "game"),
        ("big-points", 3, "round"),
        ("double-a", 5, "network"),
        ("cards+jokers", 2, "round"),
    )
    for name, players, depth in cases:
        game, rng = Game(name, players, seed=6), random.Random(6)
        while not game.turns_completed:
            if not game.to_act:
                game.chance()
            for seat in game.to_act:
                game.play(seat, rng.choice(game.options(seat)))
        assert review(game, depth).decisions


def plays_batches() -> None:
    """Play whole games of every variant in batches, with random decisions."""
    for number, name in enumerate(game_names()):
        batch, rng = Batch(name, 1 + number % 5, 8, seed=number), np.random.default_rng(number)
        while not batch.over:
            batch.chance()
            decisions = np.zeros((len(batch), batch.players), np.int64)
            for player in range(batch.players):
                found, counts = batch.options(player)
                decisions[:, player] = found[np.arange(len(batch)), rng.integers(0, np.maximum(counts, 1))]
            batch.act(decisions)
        assert batch.totals.max() > 0
        batch.reset()
        while not batch.finished.all():
            batch.observe()
            batch.step(batch.random_choices())
        batch.observe()
        assert batch.views(0).shape == batch.states.shape


def asks_opponents() -> None:
    """Bots as opponents in batches, as the vector environment asks them."""
    for name in ("bonus-b", "cards+jokers"):
        env = RowlockVectorEnv(4, name, ["greedy", "champion"])
        _, infos = env.reset(seed=1)
        for _ in range(40):
            *_, infos = env.step(infos["action_mask"].argmax(axis=1))


def solves() -> None:
    """Games with every effect that the solver knows, then whole games of `optimal`, alone and at a table."""
    optimal = find_bot("optimal")
    effects = ({"bar": BAR}, {"lucky": LUCKY}, {"lucky": SWAPS}, {"bar": STEPS}, {"bar": JOINED})
    for more in ({}, *effects, {"closing": 2}):
        variant = small(**{**WIDE, **more})
        for players in (1, 3):
            optimal.prepare(variant, players)
            engine = CompiledEngine(make_config(["optimal"] * players, variant, seed=players), 1)
            assert len(engine.play(0, 50).results) == 50


if __name__ == "__main__":
    assert BOUNDS
    checks_indices()
    plays_games()
    trains()
    looks_ahead()
    values_options()
    plays_batches()
    asks_opponents()
    solves()
