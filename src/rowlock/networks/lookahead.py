"""Look-ahead (`--think`): compares the best actions by roll-outs until the think time is over.

All actions get the same dice or cards, and the network evaluates the state after one round (in card games after two).
So samples differ by little but the action, and a few hundred are enough to compare actions.
"""

import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rowlock.fast.workspace import MAX_BEST
from rowlock.networks.option_values import CLEAR, MARGIN, PRIOR_SAMPLES, PRIOR_SHARE
from rowlock.networks.playout import CARD_BATCH, CARD_ROUNDS
from rowlock.networks.rollout import roll_out, rollout_starts, simulate_actions
from rowlock.networks.weights import Weights
from rowlock.rules.game import View


def best_action(
    view: View, actions: Sequence[int], weights: Weights, seed: int, seconds: float, samples: int | None = None,
    turns: int | None = None,
) -> int:  # fmt: skip
    """The index of the best action, by roll-outs of `turns` turns, until `seconds` or `samples` are used up."""
    begin = time.perf_counter()
    variant, players = view.variant, len(view.players)
    # Roll-outs of this many rounds were the best in docs/experiments.md. In dice games a batch of samples has each pair
    # of white dice once, in card games about 32 turns for any number of players.
    rounds, batch = (CARD_ROUNDS, CARD_BATCH // players) if variant.cards else (1, variant.dice[0] ** 2)
    turns = turns or rounds * players
    after, values = simulate_actions(view, actions, weights)
    starts, action_array = rollout_starts(view, after), np.array(actions, np.int64)
    candidates = [int(i) for i in np.argsort(-values, kind="stable")[:MAX_BEST]]  # indices of actions
    candidates = [i for i in candidates if values[i] >= values[candidates[0]] - MARGIN]  # in a solo game 4 points
    sums, count = np.zeros(len(actions)), 0
    # Differences to the best action, since it became the best: their sums, the sums of their squares, their number.
    differences, compared = np.zeros((2, len(actions))), 0
    best = candidates[0]
    expected = spent = time.perf_counter() - begin
    while len(candidates) > 1 and (count < samples if samples else expected < seconds):
        sampled = roll_out(view, starts[candidates], action_array[candidates], weights, turns, batch, seed, count)
        count, compared = count + batch, compared + batch
        sums[candidates] += sampled.sum(axis=0)
        gaps = sampled - sampled[:, [candidates.index(best)]]
        differences[:, candidates] += gaps.sum(axis=0), (gaps**2).sum(axis=0)
        candidates = _drop_worse(candidates, differences, compared)
        leader = max(candidates, key=lambda i: sums[i] + (PRIOR_SAMPLES + PRIOR_SHARE * count) * values[i])
        if leader != best:
            best, compared = leader, 0
            differences[:] = 0
        now = time.perf_counter() - begin
        expected, spent = now + (now - spent) / 2, now  # `expected`: when half of another batch is done
    return best


def _drop_worse(candidates: list[int], differences: NDArray[np.float64], count: int) -> list[int]:
    """The candidates that are not clearly worse than the best: by three standard errors, after 64 samples."""
    sums, squares = differences
    mean = sums / count
    error = np.sqrt(np.maximum(squares / count - mean**2, 1e-9) / count)  # above 0, so that the best itself stays
    return [i for i in candidates if count < 64 or mean[i] > -CLEAR * error[i]]
