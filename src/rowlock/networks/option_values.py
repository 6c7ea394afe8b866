"""The values of a player's options, from what the player knows: hints, and the losses and grades of a review.

The network evaluates every option. Roll-outs compare the best ones and, in a review, the one that was played, with the
same dice or cards for all of them, until the differences are known well enough or the most samples are taken.
"""

from math import sqrt

from rowlock.fast.workspace import (
    CANDIDATES,
    COMBINED,
    ERRORS,
    GAP_SQUARES,
    GIVEN,
    MAX_BEST,
    MAX_CANDIDATES,
    SAMPLED,
    SHARES,
    STARTS,
    STATE_SIZE,
    SUMS,
    VALUES,
    GameBuffers,
    NetworkBuffers,
)
from rowlock.networks import playout
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

# An option this much worse than the best is rolled out only if it was played: 4 % of the win, in a solo game 4 points.
MARGIN, SOLO_MARGIN = 0.04, 4.0
# A difference is known well enough if its standard error is below this, or if it is so many times as large as the
# error: that of the option that was played, which is the loss, and that of another, which is not the best.
ENOUGH, SOLO_ENOUGH = 0.003, 0.3
CLEAR_LOSS, CLEAR = 10.0, 3.0
# The weight of the network's evaluation of an option, in samples: 16, plus 30 % of the samples taken. It grows because
# the network also evaluates the roll-outs, so more samples do not reduce its errors.
PRIOR_SAMPLES, PRIOR_SHARE = 16.0, 0.3
# The loss that is sure is smaller than the loss by so many standard errors.
SURE = 2.0
# The sure loss from which a decision has each grade: shares of the win, in a solo game points.
GRADES = ("fine", "doubtful", "mistake", "blunder")
LIMITS, SOLO_LIMITS = (0.0, 0.005, 0.02, 0.05), (0.0, 0.5, 1.5, 4.0)
# What is at stake by the number of players, compared with two: 4 p (1 - p), where p is the share of the win of each in
# an even game. Limits of grades and ratings are multiplied by it. Measured: docs/results/review.md.
STAKES = (1.0, 1.0, 1.0, 0.89, 0.75, 0.64)


def write_values(
    node: Ints, tables: Ints, seat: int, actions: Ints, count: int, played: int, depth: int, seed: int, work: Ints,
    game: GameBuffers, buffers: NetworkBuffers,
) -> int:  # fmt: skip
    """Write the value of each action for the seat to the floats VALUES; return how many samples were rolled out.

    `played` is the index of the action that was played, or -1. ERRORS receives the standard errors of the differences
    between the best action and each other that was rolled out.
    """
    _, _, _, _, floats, _ = buffers
    if tables[kernel.T_CARDS] == 0:
        playout.write_replies(node, tables, seat, work, game, buffers)
    for i in range(count):
        floats[ERRORS + i] = 0.0
        first = first_like(node, actions, i)
        floats[VALUES + i] = floats[VALUES + first]
        if first == i:
            floats[VALUES + i] = network_value(node, tables, seat, actions[i], seed, work, game, buffers)
    candidates = 1
    if depth != playout.NETWORK:
        candidates = choose_candidates(node, actions, count, played, work, buffers)
    if candidates == 1:
        return 0
    for slot in range(candidates):
        work[GIVEN + seat] = actions[work[CANDIDATES + slot]]
        playout.prepare_start(node, tables, 1 << seat, seat, work, STARTS + slot * STATE_SIZE, game, buffers)
    samples = compare(node, tables, seat, actions, candidates, played, depth, seed, work, game, buffers)
    combine(count, candidates, depth, samples, work, buffers)
    for i in range(count):
        first = first_like(node, actions, i)
        floats[VALUES + i] = floats[VALUES + first]
        floats[ERRORS + i] = floats[ERRORS + first]
    return samples


def first_like(node: Ints, actions: Ints, index: int) -> int:
    """The first action that takes cards with the same numbers as the one at `index`, as these look alike."""
    if kernel.takes_cards(actions[index]):
        for other in range(index):
            if numbers_taken(node, actions[other]) == numbers_taken(node, actions[index]):
                return other
    return index


def numbers_taken(node: Ints, action: int) -> int:
    """The numbers on the cards that an action takes, packed like the backs of a hand."""
    numbers = 0
    for place in range(kernel.DISPLAYED):
        if (kernel.places_taken(action) >> place) & 1 == 1:
            numbers += kernel.one_back(node[kernel.DISPLAY_NUMBERS + place])
    return numbers


def network_value(
    node: Ints, tables: Ints, seat: int, action: int, seed: int, work: Ints, game: GameBuffers, buffers: NetworkBuffers
) -> float:
    """The value of an action without roll-outs."""
    _, _, _, _, floats, _ = buffers
    work[GIVEN + seat] = action
    playout.prepare_start(node, tables, 1 << seat, seat, work, STARTS, game, buffers)
    samples = playout.network_samples(node, tables, seat)
    value = 0.0
    for sample in range(samples):
        playout.play_sample(tables, 1 << seat, seat, playout.NETWORK, seed, sample, work, STARTS, game, buffers)
        value += floats[SHARES + seat]
    return value / samples


def choose_candidates(node: Ints, actions: Ints, count: int, played: int, work: Ints, buffers: NetworkBuffers) -> int:
    """List the best options, worse by the margin at most, and the one that was played; return how many there are."""
    _, _, _, _, floats, _ = buffers
    margin = MARGIN if node[kernel.PLAYERS] > 1 else SOLO_MARGIN
    chosen = 0
    while chosen < min(MAX_BEST, count):
        best = -1
        for i in range(count):
            listed = first_like(node, actions, i) != i or is_candidate(i, chosen, work)
            if not listed and (best < 0 or floats[VALUES + i] > floats[VALUES + best]):
                best = i
        if best < 0:
            break
        if chosen > 0 and floats[VALUES + best] < floats[VALUES + work[CANDIDATES]] - margin:
            break
        work[CANDIDATES + chosen] = best
        chosen += 1
    if played >= 0 and not is_candidate(first_like(node, actions, played), chosen, work):
        work[CANDIDATES + chosen] = first_like(node, actions, played)
        chosen += 1
    return chosen


def is_candidate(index: int, candidates: int, work: Ints) -> bool:
    found = False
    for slot in range(candidates):
        found |= work[CANDIDATES + slot] == index
    return found


def compare(
    node: Ints, tables: Ints, seat: int, actions: Ints, candidates: int, played: int, depth: int, seed: int, work: Ints,
    game: GameBuffers, buffers: NetworkBuffers,
) -> int:  # fmt: skip
    """Roll out the candidates and add up their values and the squares of the differences; return how many samples."""
    _, _, _, _, floats, _ = buffers
    for i in range(MAX_CANDIDATES):
        floats[SUMS + i] = 0.0
    for i in range(MAX_CANDIDATES * MAX_CANDIDATES):
        floats[GAP_SQUARES + i] = 0.0
    batch = playout.samples_per_batch(tables)
    most = batch * playout.most_batches(tables, depth, node[kernel.PLAYERS], played < 0)
    enough = ENOUGH if node[kernel.PLAYERS] > 1 else SOLO_ENOUGH
    judged = -1  # the place of the option that was played in the list of candidates
    for slot in range(candidates):
        if played >= 0 and work[CANDIDATES + slot] == first_like(node, actions, played):
            judged = slot
    samples = 0
    while samples < most:
        for sample in range(samples, samples + batch):
            for slot in range(candidates):
                work[GIVEN + seat] = actions[work[CANDIDATES + slot]]
                begin = STARTS + slot * STATE_SIZE
                playout.play_sample(tables, 1 << seat, seat, depth, seed, sample, work, begin, game, buffers)
                floats[SAMPLED + slot] = floats[SHARES + seat]
                floats[SUMS + slot] += floats[SHARES + seat]
            for slot in range(candidates):
                for other in range(candidates):
                    gap = floats[SAMPLED + slot] - floats[SAMPLED + other]
                    floats[GAP_SQUARES + slot * MAX_CANDIDATES + other] += gap * gap
        samples += batch
        if is_enough(candidates, judged, samples, enough, buffers):
            break
    return samples


def leader(candidates: int, buffers: NetworkBuffers) -> int:
    """The place in the list of the candidate with the highest value in the roll-outs."""
    _, _, _, _, floats, _ = buffers
    best = 0
    for slot in range(1, candidates):
        if floats[SUMS + slot] > floats[SUMS + best]:
            best = slot
    return best


def standard_error(slot: int, other: int, samples: int, buffers: NetworkBuffers) -> float:
    """The standard error of the difference between the values of two candidates in the roll-outs."""
    _, _, _, _, floats, _ = buffers
    gap = (floats[SUMS + slot] - floats[SUMS + other]) / samples
    variance = floats[GAP_SQUARES + slot * MAX_CANDIDATES + other] / samples - gap * gap
    return sqrt(max(variance, 0.0) / samples)


def is_enough(candidates: int, judged: int, samples: int, enough: float, buffers: NetworkBuffers) -> bool:
    """Whether all differences to the best candidate are known well enough."""
    _, _, _, _, floats, _ = buffers
    best = leader(candidates, buffers)
    for slot in range(candidates):
        error = standard_error(slot, best, samples, buffers)
        gap = (floats[SUMS + best] - floats[SUMS + slot]) / samples
        if error > enough and gap < (CLEAR_LOSS if slot == judged else CLEAR) * error:
            return False
    return True


def combine(count: int, candidates: int, depth: int, samples: int, work: Ints, buffers: NetworkBuffers) -> None:
    """Combine the roll-outs with the values of the network; options without roll-outs move with the best candidate."""
    _, _, _, _, floats, _ = buffers
    prior = 0.0 if depth == playout.GAME else PRIOR_SAMPLES + PRIOR_SHARE * samples
    best = 0
    for slot in range(candidates):
        value = floats[VALUES + work[CANDIDATES + slot]]
        floats[COMBINED + slot] = (floats[SUMS + slot] + prior * value) / (samples + prior)
        if floats[COMBINED + slot] > floats[COMBINED + best]:
            best = slot
    shift = floats[COMBINED + best] - floats[VALUES + work[CANDIDATES + best]]
    for i in range(count):
        floats[VALUES + i] = min(floats[VALUES + i] + shift, floats[COMBINED + best])
    for slot in range(candidates):
        floats[VALUES + work[CANDIDATES + slot]] = floats[COMBINED + slot]
        floats[ERRORS + work[CANDIDATES + slot]] = standard_error(slot, best, samples, buffers)
