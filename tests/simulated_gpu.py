"""The GPU's gradient and steps against those of the CPU, in Numba's simulator; `test_champion` runs it in a process."""

from typing import Any

import numpy as np

from rowlock.rules.variant import find_variant
from rowlock.train import gpu, gradient
from rowlock.train.selfplay import Samples
from rowlock.train.training import Training, TrainingConfig

STATES = 3  # of a game; the simulator is slow


class HostStep:
    """Replaces the kernel `adam_step`: the simulator is too slow for a thread per weight."""

    def __init__(self, begin: int) -> None:
        self.begin = begin

    def __getitem__(self, _: Any) -> Any:
        return self.step

    def step(self, *arguments: Any) -> None:
        *arrays, one = (getattr(argument, "_ary", argument) for argument in arguments[:7])
        grad, sums = arrays[4:]
        grad /= sums[one, 0]
        number, (rate, *moments, decay) = self.begin + one + 1, arguments[7:]
        assert moments == [1 - 0.9**number, 1 - 0.999**number]
        gradient.adam_step(*arrays[:5], rate, number, decay)


class WithGames(gpu.GpuTraining):
    """Takes given games, one per step, instead of playing."""

    games: list[Samples]

    def play(self, weights: Any, steps: dict[int, int]) -> None:
        found: dict[int, list[Samples]] = {players: [] for players in steps}
        for samples in self.games:
            found[samples.features.shape[1]].append(samples)
        assert {players: len(games) for players, games in found.items()} == steps
        for players, games in found.items():
            *arrays, counts = self._sample_arrays[players]
            for game, samples in enumerate(games):
                for array, states in zip(arrays, first_states(samples), strict=True):
                    array[game, :STATES] = states
                counts[game] = STATES


def first_states(samples: Samples) -> list[Any]:
    return [array[:STATES] for array in (samples.features, samples.hands, samples.active, samples.targets)]


def check_training(name: str, mode: str, begin: int, steps: int) -> None:
    """A game per step, played on the CPU: both give the same weights."""
    variant, config = find_variant(name), TrainingConfig(mode, steps=6 * gpu.BATCHES, seed=3)
    here, there = Training.begin(variant, config), WithGames.begin(variant, config)
    here.step = there.step = begin
    gpu.adam_step = HostStep(begin)
    counts = [here.players_at(step) for step in range(begin, begin + steps)]
    games = [here.self_play(players, 1, step) for step, players in enumerate(counts)]
    there.games = games
    grad, errors = np.zeros_like(here.weights), np.zeros(2)
    for players, samples in zip(counts, games, strict=True):
        errors += gradient.add_gradient(here.weights, *first_states(samples), grad)
        grad /= STATES * players
        gradient.adam_step(here.weights, here.average, here.first_moment, here.second_moment, grad, *here.schedule)
        here.step += 1
    sums = there.train_steps(None, begin + steps)  # type: ignore[arg-type]
    assert there.step == begin + steps
    np.testing.assert_allclose(sums, [STATES * sum(counts), *errors], rtol=1e-5)
    for array in ("first_moment", "second_moment", "weights", "average"):
        np.testing.assert_allclose(getattr(there, array), getattr(here, array), rtol=1e-3, atol=1e-6, err_msg=array)


def check_adam_step() -> None:
    draw = np.random.default_rng(1)
    arrays = [draw.random(40, np.float32) for _ in range(5)]
    others = [array.copy() for array in arrays]
    others[4] *= 8
    vars(gpu)["adam_weight"] = gradient.adam_weight.py_func
    gpu.adam_step[2, 32](*others, np.array([[0.0, 0, 0], [8, 0, 0]]), 1, 0.002, 1 - 0.9**5, 1 - 0.999**5, 0.75)
    gradient.adam_step(*arrays, 0.002, 5, 0.75)
    for array, other in zip(arrays, others, strict=True):
        np.testing.assert_allclose(other, array, rtol=1e-6)
    assert not others[4].any()


if __name__ == "__main__":
    check_adam_step()
    gpu.GRADIENT_BLOCKS = 2
    gpu.games_per_step = lambda players: 1
    check_training("classic", "several", 5, 6)
    check_training("bonus-a", "solo", 0, 2)
    check_training("cards", "several", 0, 2)
