"""Look-ahead (`--think`): compares the best options by roll-outs until the think time is over.

All options get the same dice or cards, and a roll-out is one round long (two with cards) before the network evaluates.
So samples differ by little but the option, and a few hundred are enough to compare options.
"""

import time
from collections.abc import Sequence

import numpy as np

from rowlock.networks.rollout import Doubles, roll_out, rollout_starts, simulate_actions
from rowlock.networks.weights import Weights
from rowlock.rules.game import View

MAX_CANDIDATES = 4
MARGIN = 0.04  # of the win chance, or of a hundred points: options further behind the best are left out
# The network's evaluation before the roll-outs counts as 16 samples plus 30 % of those taken: it and the evaluation
# after a roll-out both have errors that more samples do not reduce.
PRIOR_SAMPLES, PRIOR_SHARE = 16, 0.3


def best_action(
    view: View,
    actions: Sequence[int],
    weights: Weights,
    seed: int,
    seconds: float,
    samples: int | None = None,
    turns: int | None = None,
) -> int:
    """The index of the best action, by roll-outs of some turns for some seconds or a number of samples."""
    begin = time.perf_counter()
    variant, players = view.variant, len(view.players)
    # The best lengths in docs/experiments.md; with dice each batch has every pair of white dice once.
    rounds, batch = (2, 16 // players) if variant.cards else (1, variant.dice[0] ** 2)
    turns = turns or rounds * players
    after, values = simulate_actions(view, actions, weights)
    starts, codes = rollout_starts(view, after), np.array(actions, np.int64)
    candidates = [int(one) for one in np.argsort(-values, kind="stable")[:MAX_CANDIDATES]]
    candidates = [one for one in candidates if values[one] >= values[candidates[0]] - MARGIN]
    sums, count = np.zeros(len(actions)), 0
    differences, since = np.zeros((2, len(actions))), 0  # to the best option: sums, and sums of squares
    best = candidates[0]
    elapsed = spent = time.perf_counter() - begin
    while len(candidates) > 1 and (count < samples if samples else elapsed < seconds):
        sampled = roll_out(view, starts[candidates], codes[candidates], weights, turns, batch, seed, count)
        count, since = count + batch, since + batch
        sums[candidates] += sampled.sum(axis=0)
        gaps = sampled - sampled[:, [candidates.index(best)]]
        differences[:, candidates] += gaps.sum(axis=0), (gaps**2).sum(axis=0)
        candidates = _drop_worse(candidates, differences, since)
        leader = max(candidates, key=lambda one: sums[one] + (PRIOR_SAMPLES + PRIOR_SHARE * count) * values[one])
        if leader != best:
            best, since = leader, 0
            differences[:] = 0
        now = time.perf_counter() - begin
        elapsed, spent = now + (now - spent) / 2, now  # stop if half of another batch would be too long
    return best


def _drop_worse(candidates: list[int], differences: Doubles, count: int) -> list[int]:
    """The candidates that are not clearly behind the best."""
    mean = differences[0] / count
    error = np.sqrt(np.maximum(differences[1] / count - mean**2, 1e-9) / count)
    return [one for one in candidates if count < 64 or mean[one] > -3 * error[one]]
