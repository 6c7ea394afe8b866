"""The values of a player's options, from what the player knows: hints, and the losses and grades of a review.

The network evaluates every option. Roll-outs compare the best ones, with the same dice or cards for all of them, until
the differences are known well enough or the most samples are taken.
"""

from math import sqrt

from rowlock.fast.workspace import (
    CANDIDATES,
    ERRORS,
    GAP_SQUARES,
    GIVEN,
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

# An option this much worse than the best is not rolled out: 4 % of the win, in a solo game 4 points.
MARGIN, SOLO_MARGIN = 0.04, 4.0
# A difference is known well enough if its standard error is below this, or if it is three times as large as the error.
ENOUGH, SOLO_ENOUGH = 0.003, 0.3
CLEAR = 3.0
# The weight of the network's evaluation of an option, in samples: 16, plus 30 % of the samples taken. It grows because
# the network also evaluates the roll-outs, so more samples do not reduce its errors.
PRIOR_SAMPLES, PRIOR_SHARE = 16.0, 0.3
# The loss from which a decision has each grade: shares of the win, in a solo game points.
GRADES = ("fine", "doubtful", "mistake", "blunder")
LIMITS, SOLO_LIMITS = (0.0, 0.005, 0.02, 0.05), (0.0, 0.5, 1.5, 4.0)


def write_values(
    node: Ints, tables: Ints, seat: int, actions: Ints, count: int, depth: int, seed: int, work: Ints,
    game: GameBuffers, buffers: NetworkBuffers,
) -> int:  # fmt: skip
    """Write the value of each action for the seat to the floats VALUES; return how many samples were rolled out.

    ERRORS receives the standard errors of the differences between the best action and each other that was rolled out.
    """
    _, _, _, _, floats, _ = buffers
    for i in range(count):
        floats[ERRORS + i] = 0.0
        first = first_like(node, actions, i)
        floats[VALUES + i] = floats[VALUES + first]
        if first == i:
            floats[VALUES + i] = network_value(node, tables, seat, actions[i], seed, work, game, buffers)
    candidates = 1
    if depth != playout.NETWORK:
        candidates = choose_candidates(node, actions, count, work, buffers)
    if candidates == 1:
        return 0
    for slot in range(candidates):
        work[GIVEN + seat] = actions[work[CANDIDATES + slot]]
        playout.prepare_start(node, tables, 1 << seat, work, STARTS + slot * STATE_SIZE, game, buffers)
    samples = compare(node, tables, seat, actions, candidates, depth, seed, work, game, buffers)
    combine(count, candidates, depth, samples, work, buffers)
    for i in range(count):
        first = first_like(node, actions, i)
        floats[VALUES + i] = floats[VALUES + first]
        floats[ERRORS + i] = floats[ERRORS + first]
    return samples


def first_like(node: Ints, actions: Ints, index: int) -> int:
    """The first action that takes cards with the same numbers as the one at `index`, as these look alike."""
    if kernel.TAKE_CARDS <= actions[index] < kernel.PLAY_CARDS:
        for other in range(index):
            if numbers_taken(node, actions[other]) == numbers_taken(node, actions[index]):
                return other
    return index


def numbers_taken(node: Ints, action: int) -> int:
    """The numbers on the cards that an action takes, as an integer: three bits count the cards of each number."""
    numbers = 0
    for place in range(kernel.DISPLAYED):
        if (kernel.places_taken(action) >> place) & 1 == 1:
            numbers += 1 << (3 * node[kernel.DISPLAY_NUMBERS + place])
    return numbers


def network_value(
    node: Ints, tables: Ints, seat: int, action: int, seed: int, work: Ints, game: GameBuffers, buffers: NetworkBuffers
) -> float:
    """The value of an action without roll-outs."""
    _, _, _, _, floats, _ = buffers
    work[GIVEN + seat] = action
    playout.prepare_start(node, tables, 1 << seat, work, STARTS, game, buffers)
    samples = playout.network_samples(tables)
    value = 0.0
    for sample in range(samples):
        playout.play_sample(tables, 1 << seat, playout.NETWORK, seed, sample, work, STARTS, game, buffers)
        value += floats[SHARES + seat]
    return value / samples


def choose_candidates(node: Ints, actions: Ints, count: int, work: Ints, buffers: NetworkBuffers) -> int:
    """List the best options, and those that are worse by the margin at most; return how many there are."""
    _, _, _, _, floats, _ = buffers
    margin = MARGIN if node[kernel.PLAYERS] > 1 else SOLO_MARGIN
    chosen = 0
    while chosen < min(MAX_CANDIDATES, count):
        best = -1
        for i in range(count):
            listed = first_like(node, actions, i) != i
            for slot in range(chosen):
                listed |= work[CANDIDATES + slot] == i
            if not listed and (best < 0 or floats[VALUES + i] > floats[VALUES + best]):
                best = i
        if best < 0:
            break
        if chosen > 0 and floats[VALUES + best] < floats[VALUES + work[CANDIDATES]] - margin:
            break
        work[CANDIDATES + chosen] = best
        chosen += 1
    return chosen


def compare(
    node: Ints, tables: Ints, seat: int, actions: Ints, candidates: int, depth: int, seed: int, work: Ints,
    game: GameBuffers, buffers: NetworkBuffers,
) -> int:  # fmt: skip
    """Roll out the candidates and add up their values and the squares of the differences; return how many samples."""
    _, _, _, _, floats, _ = buffers
    for i in range(MAX_CANDIDATES):
        floats[SUMS + i] = 0.0
    for i in range(MAX_CANDIDATES * MAX_CANDIDATES):
        floats[GAP_SQUARES + i] = 0.0
    batch = playout.samples_per_batch(tables)
    most = batch * playout.most_batches(tables, depth)
    enough = ENOUGH if node[kernel.PLAYERS] > 1 else SOLO_ENOUGH
    samples = 0
    while samples < most:
        for sample in range(samples, samples + batch):
            for slot in range(candidates):
                work[GIVEN + seat] = actions[work[CANDIDATES + slot]]
                begin = STARTS + slot * STATE_SIZE
                playout.play_sample(tables, 1 << seat, depth, seed, sample, work, begin, game, buffers)
                floats[SAMPLED + slot] = floats[SHARES + seat]
                floats[SUMS + slot] += floats[SHARES + seat]
            for slot in range(candidates):
                for other in range(candidates):
                    gap = floats[SAMPLED + slot] - floats[SAMPLED + other]
                    floats[GAP_SQUARES + slot * MAX_CANDIDATES + other] += gap * gap
        samples += batch
        if is_enough(candidates, samples, enough, buffers):
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


def is_enough(candidates: int, samples: int, enough: float, buffers: NetworkBuffers) -> bool:
    """Whether all differences to the best candidate are known well enough."""
    _, _, _, _, floats, _ = buffers
    best = leader(candidates, buffers)
    for slot in range(candidates):
        error = standard_error(slot, best, samples, buffers)
        gap = (floats[SUMS + best] - floats[SUMS + slot]) / samples
        if error > enough and gap < CLEAR * error:
            return False
    return True


def combine(count: int, candidates: int, depth: int, samples: int, work: Ints, buffers: NetworkBuffers) -> None:
    """Combine the roll-outs with the values of the network; options without roll-outs move with the best candidate."""
    _, _, _, _, floats, _ = buffers
    prior = 0.0 if depth == playout.GAME else PRIOR_SAMPLES + PRIOR_SHARE * samples
    rolled = leader(candidates, buffers)
    for slot in range(candidates):
        floats[ERRORS + work[CANDIDATES + slot]] = standard_error(slot, rolled, samples, buffers)
    for slot in range(candidates):
        index = work[CANDIDATES + slot]
        floats[SUMS + slot] = (floats[SUMS + slot] + prior * floats[VALUES + index]) / (samples + prior)
    best = leader(candidates, buffers)
    shift = floats[SUMS + best] - floats[VALUES + work[CANDIDATES + best]]
    for i in range(count):
        floats[VALUES + i] = min(floats[VALUES + i] + shift, floats[SUMS + best])
    for slot in range(candidates):
        floats[VALUES + work[CANDIDATES + slot]] = floats[SUMS + slot]
