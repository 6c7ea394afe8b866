"""What is written anew for a GPU, in Numba's simulator of one; `test_champion` runs it in a process of its own."""

from typing import Any

import numpy as np

from rowlock.rules.variant import find_variant
from rowlock.train import gpu, gradient
from rowlock.train.selfplay import Samples
from rowlock.train.training import Training, TrainingConfig
from tests.effort import QUICK

STATES = 1 if QUICK else 3  # of a game; the simulator takes its time


class HostStep:
    """In place of the kernel: the simulator's threads are too slow for every weight."""

    def __init__(self, begin: int) -> None:
        self.begin = begin

    def __getitem__(self, _: Any) -> Any:
        return self.step

    def step(self, *arguments: Any) -> None:
        *arrays, one = (getattr(argument, "_ary", argument) for argument in arguments[:7])
        into, sums = arrays[4:]
        into /= sums[one, 0]
        number, (rate, *moments, keep) = self.begin + one + 1, arguments[7:]
        assert moments == [1 - 0.9**number, 1 - 0.999**number]
        gradient.step(*arrays[:5], rate, number, keep)


class WithGames(gpu.GpuTraining):
    """Its games, one for each step, are given."""

    games: list[Samples]

    def play(self, weights: Any, steps: dict[int, int]) -> None:
        found: dict[int, list[Samples]] = {players: [] for players in steps}
        for samples in self.games:
            found[samples.features.shape[1]].append(samples)
        assert {players: len(games) for players, games in found.items()} == steps
        for players, games in found.items():
            *rooms, counts = self._rooms[players]
            for game, samples in enumerate(games):
                for room, known in zip(rooms, first_states(samples), strict=True):
                    room[game, :STATES] = known
                counts[game] = STATES


def first_states(samples: Samples) -> list[Any]:
    return [array[:STATES] for array in (samples.features, samples.hands, samples.active, samples.targets)]


def learns_as_the_cores_do(name: str, table: str, begin: int, steps: int) -> None:
    """A game for each step, played on cores: both learn the same from it."""
    variant, settings = find_variant(name), TrainingConfig(table, steps=6 * gpu.SHARE, seed=3)
    here, there = Training.begin(variant, settings), WithGames.begin(variant, settings)
    here.step = there.step = begin
    gpu.step = HostStep(begin)
    mix = [here.players_at(step) for step in range(begin, begin + steps)]
    games = [here.self_play(players, 1, step) for step, players in enumerate(mix)]
    there.games = games
    slope, errors = np.zeros_like(here.weights), np.zeros(2)
    for players, samples in zip(mix, games, strict=True):
        errors += gradient.gradient(here.weights, *first_states(samples), slope)
        slope /= STATES * players
        gradient.step(here.weights, here.average, here.first, here.second, slope, *here.pace)
        here.step += 1
    sums = there.learn(None, begin + steps)  # type: ignore[arg-type]
    assert there.step == begin + steps
    np.testing.assert_allclose(sums, [STATES * sum(mix), *errors], rtol=1e-5)
    for array in ("first", "second", "weights", "average"):
        np.testing.assert_allclose(getattr(there, array), getattr(here, array), rtol=1e-3, atol=1e-6, err_msg=array)


def steps_as_the_cores_do() -> None:
    draw = np.random.default_rng(1)
    arrays = [draw.random(40, np.float32) for _ in range(5)]
    others = [array.copy() for array in arrays]
    others[4] *= 8
    vars(gpu)["step_weight"] = gradient.step_weight.py_func
    gpu.step[2, 32](*others, np.array([[0.0, 0, 0], [8, 0, 0]]), 1, 0.002, 1 - 0.9**5, 1 - 0.999**5, 0.75)
    gradient.step(*arrays, 0.002, 5, 0.75)
    for array, other in zip(arrays, others, strict=True):
        np.testing.assert_allclose(other, array, rtol=1e-6)
    assert not others[4].any()


if __name__ == "__main__":
    steps_as_the_cores_do()
    gpu.BLOCKS = 2
    gpu.games_of = lambda players: 1
    learns_as_the_cores_do("classic", "several", 5, 2 if QUICK else 6)
    learns_as_the_cores_do("bonus-a", "solo", 0, 2)
    learns_as_the_cores_do("cards", "several", 0, 2)
