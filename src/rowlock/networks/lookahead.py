"""`champion --think`: plays on from each of the best options, as long as there is time.

All options meet the same dice or cards, and play goes on for a round only, with cards for two: then the network
evaluates. So what is compared differs by little but the options themselves, and a few hundred samples tell them apart.
"""

import time
from collections.abc import Sequence

import numpy as np

from rowlock.networks.rollout import Doubles, roll_out, settle, starts_of
from rowlock.networks.weights import Weights
from rowlock.rules.game import View

CANDIDATES = 4
MARGIN = 0.04  # of the chance to win, or of a hundred points: what is further behind is not looked at
# The network's own evaluation counts for so many samples, and for this share of those taken: both it and what is seen a
# round later are wrong by some amount that no number of samples mends.
TRUST, SHARE = 16, 0.3


def best_action(
    view: View,
    actions: Sequence[int],
    weights: Weights,
    seed: int,
    seconds: float,
    samples: int | None = None,
    turns: int | None = None,
) -> int:
    """Which of several actions, by its index, after so many seconds or samples of play for some turns."""
    begin = time.perf_counter()
    variant, players = view.variant, len(view.players)
    # As single decisions judged it, see docs/experiments.md; with dice every pair of white dice once in a step.
    rounds, step = (2, 16 // players) if variant.cards else (1, variant.dice[0] ** 2)
    after, values = settle(view, actions, weights)
    starts, codes = starts_of(view, after), np.array(actions, np.int64)
    kept = [int(one) for one in np.argsort(-values, kind="stable")[:CANDIDATES]]
    kept = [one for one in kept if values[one] >= values[kept[0]] - MARGIN]
    sums, count = np.zeros(len(actions)), 0
    differences, since = np.zeros((2, len(actions))), 0  # sums of differences to the best, and of their squares
    best = kept[0]
    elapsed = spent = time.perf_counter() - begin
    while len(kept) > 1 and (count < samples if samples else elapsed < seconds):
        found = roll_out(view, starts[kept], codes[kept], weights, turns or rounds * players, step, seed, count)
        count, since = count + step, since + step
        sums[kept] += found.sum(axis=0)
        apart = found - found[:, [kept.index(best)]]
        differences[:, kept] += apart.sum(axis=0), (apart**2).sum(axis=0)
        kept = _still_in_it(kept, differences, since)
        leader = max(kept, key=lambda one: sums[one] + (TRUST + SHARE * count) * values[one])
        if leader != best:
            best, since = leader, 0
            differences[:] = 0
        now = time.perf_counter() - begin
        elapsed, spent = now + (now - spent) / 2, now  # another step must have a fair chance to end in time
    return best


def _still_in_it(kept: list[int], differences: Doubles, count: int) -> list[int]:
    """Without those that are clearly behind the best."""
    mean = differences[0] / count
    error = np.sqrt(np.maximum(differences[1] / count - mean**2, 1e-9) / count)
    return [one for one in kept if count < 64 or mean[one] > -3 * error[one]]
