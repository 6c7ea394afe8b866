"""Learns to play Classic alone, with a policy gradient (PPO) in NumPy on the vector environment.

    python examples/learn.py [--goal 85] [--minutes 10] [--games 512] [--seed 1]

A round plays some decisions in many games at once, then improves the network with them. The network sees observations,
scaled to at most 1, and gives each legal action a probability and the position a value. It has learnt enough when
the last 2,000 games reached the goal on average.
"""

import argparse
import os
import time
from collections import deque
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # NumPy's threads cost more than they save with small matrices

import numpy as np
from numpy.typing import NDArray

from rowlock.envs.gym import RowlockVectorEnv

Floats = NDArray[np.float32]
DECISIONS, PASSES, PARTS = 32, 3, 4  # decisions per game and round; passes over them; parts of a pass
TRACE, CLIP, ENTROPY, RATE = 0.95, 0.2, 0.01, 1e-3
POINTS = 20  # points per unit of the value


class Network:
    """Two hidden layers; a probability per action and a value. It learns with Adam."""

    def __init__(self, inputs: int, actions: int, rng: np.random.Generator, hidden: int = 128) -> None:
        def weights(rows: int, columns: int, scale: float) -> Floats:
            return np.asarray(scale * rng.standard_normal((rows, columns)) / np.sqrt(rows), np.float32)

        self.layers = [weights(inputs, hidden, 1.4), weights(hidden, hidden, 1.4)]
        self.layers += [weights(hidden, actions, 0.01), weights(hidden, 1, 0.5)]
        self.biases = [np.zeros(layer.shape[1], np.float32) for layer in self.layers]
        self.moments = [(np.zeros_like(part), np.zeros_like(part)) for part in (*self.layers, *self.biases)]
        self.steps = 0

    def run(self, x: Floats, mask: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats, Floats]:
        """Both hidden layers, the probability of each action (0 if it is illegal), and the value."""
        first = np.maximum(x @ self.layers[0] + self.biases[0], 0)
        second = np.maximum(first @ self.layers[1] + self.biases[1], 0)
        scores = np.where(mask, second @ self.layers[2] + self.biases[2], -np.inf)
        shares = np.exp(scores - scores.max(1, keepdims=True))
        value = (second @ self.layers[3] + self.biases[3])[:, 0]
        return first, second, shares / shares.sum(1, keepdims=True), value

    def improve(
        self, x: Floats, mask: NDArray[np.bool_], chosen: NDArray[np.int64], old: Floats, gain: Floats, target: Floats
    ) -> None:
        """A step down the gradient of PPO's clipped loss, an entropy bonus and the squared error of the value."""
        first, second, p, value = self.run(x, mask)
        rows = np.arange(len(x))
        ratio = p[rows, chosen] / old
        clipped = ((ratio > 1 + CLIP) & (gain > 0)) | ((ratio < 1 - CLIP) & (gain < 0))
        d_score = p * np.where(clipped, 0, ratio * gain)[:, None]
        d_score[rows, chosen] -= np.where(clipped, 0, ratio * gain)
        logs = np.log(np.maximum(p, 1e-9))
        d_score += ENTROPY * p * (logs - (p * logs).sum(1, keepdims=True))
        outputs = [d_score / len(x), (value - target)[:, None] / len(x)]
        d_second = (outputs[0] @ self.layers[2].T + outputs[1] @ self.layers[3].T) * (second > 0)
        d_first = (d_second @ self.layers[1].T) * (first > 0)
        deltas = [d_first, d_second, *outputs]
        gradients = [seen.T @ delta for seen, delta in zip((x, first, second, second), deltas, strict=True)]
        gradients += [delta.sum(0) for delta in deltas]
        self.steps += 1
        rate = RATE * np.sqrt(1 - 0.999**self.steps) / (1 - 0.9**self.steps)
        for part, slope, (mean, square) in zip((*self.layers, *self.biases), gradients, self.moments, strict=True):
            mean += 0.1 * (slope - mean)
            square += 0.001 * (slope * slope - square)
            part -= (rate * mean / (np.sqrt(square) + 1e-8)).astype(np.float32)


def learn(games: int = 512, seed: int = 1) -> Iterator[float]:
    """Play and learn round by round; yields the mean points of the last 2,000 games."""
    env, rng = RowlockVectorEnv(games, "classic"), np.random.default_rng(seed)
    actions, scale = len(env.spaces.actions), np.maximum(env.spaces.high, 1).astype(np.float32)
    network = Network(len(scale), actions, rng)
    last_points: deque[float] = deque(maxlen=2000)
    observations, infos = env.reset(seed=seed)
    every = np.arange(games)
    while True:
        xs, masks = np.zeros((DECISIONS, games, len(scale)), np.float32), np.zeros((DECISIONS, games, actions), bool)
        choices, over = np.zeros((DECISIONS, games), np.int64), np.zeros((DECISIONS, games), bool)
        chances, rewards, gains = (np.zeros((DECISIONS, games), np.float32) for _ in range(3))
        values = np.zeros((DECISIONS + 1, games), np.float32)
        for t in range(DECISIONS):
            xs[t], masks[t] = observations / scale, infos["action_mask"]
            *_, p, values[t] = network.run(xs[t], masks[t])
            noise = -np.log(rng.random(p.shape))  # the smallest of noise / p is each action with its probability
            choices[t] = (noise / np.maximum(p, 1e-30)).argmin(1)
            chances[t] = p[every, choices[t]]
            observations, rewards[t], over[t], _, infos = env.step(choices[t])
            if over[t].any():
                last_points.extend(infos["final_info"]["points"][over[t], 0])
        *_, values[DECISIONS] = network.run(observations / scale, infos["action_mask"] == 1)
        gain = np.zeros(games, np.float32)
        for t in reversed(range(DECISIONS)):  # generalized advantage estimation
            gain = rewards[t] / POINTS - values[t] + ~over[t] * (values[t + 1] + TRACE * gain)
            gains[t] = gain
        targets, gains = gains + values[:-1], (gains - gains.mean()) / (gains.std() + 1e-6)
        for _ in range(PASSES):
            for part in np.array_split(rng.permutation(DECISIONS * games), PARTS):
                data: tuple[Any, ...] = (xs, masks, choices, chances, gains, targets)
                network.improve(*(array.reshape(DECISIONS * games, *array.shape[2:])[part] for array in data))
        yield float(np.mean(last_points)) if last_points else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--goal", type=float, default=85, help="mean points to reach")
    parser.add_argument("--minutes", type=float, default=10, help="the longest time")
    parser.add_argument("--games", type=int, default=512, help="games at once")
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    begin = time.monotonic()
    for number, points in enumerate(learn(given.games, given.seed), 1):
        seconds = time.monotonic() - begin
        ended = points >= given.goal or seconds > 60 * given.minutes
        if number % 20 == 0 or ended:
            print(f"round {number}, {seconds:.0f} s: {points:.1f} points", flush=True)
        if ended:
            break


if __name__ == "__main__":
    main()
