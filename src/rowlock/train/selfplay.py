"""Games of a network against itself, and the samples to train it on.

One loop plays for the champion, with dice and with cards, and for the scholar; Numba compiles it for each of them apart
and leaves out what one has no use for: `hands` is None with dice, `scholar` is None for the champion.

With dice a network is trained on the moments between two turns. With cards there are two more in a turn: when cards are
taken with their colours still hidden, and before cards are played.
"""

from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.fast import workspace
from rowlock.fast.compiled import compiled, compiled_copy
from rowlock.fast.games import Array
from rowlock.fast.pointer import bot_buffers, game_buffers, keep_alive, pointer
from rowlock.fast.rules import chance, kernel
from rowlock.networks import card_features as _card_features
from rowlock.networks import evaluation as _evaluation
from rowlock.networks import features as _features
from rowlock.networks import gaussian, network
from rowlock.networks.weights import Weights

f: Any = compiled_copy(_features)
h: Any = compiled_copy(_card_features)
e: Any = compiled_copy(_evaluation)
MAX_TURNS = kernel.MAX_PLAYERS * kernel.MAX_TURNS + 1
TURNS = 40  # of a player, usually far fewer
MOMENTS = 3  # of a turn with cards
# Targets of the champion: the share of the win, points in hundreds. Of the scholar: the lead in the end, in hundreds,
# its square, and the share of the win.
CHANCE, POINTS = 0, 1
LEAD, SQUARE, SHARE = 0, 1, 2


@dataclass(frozen=True)
class Samples:
    """States that the network evaluates: features of every sheet, who rolls next, and what each player can expect."""

    features: NDArray[np.int16]  # state x player x feature; FEATURES where there is none
    hands: NDArray[np.int16]  # state x player x (as its own, as another's) x feature; none in games of dice
    active: NDArray[np.int8]
    targets: NDArray[np.float32]  # state x player x (share of the win, points in hundreds)


def _sheet_features(state: Any, tables: Any, order: Array, turned: Any, found: Any, features: Any, at: int) -> None:
    """The features of the sheets, their rows moved to where the sheet looks the same."""
    players = state[kernel.PLAYERS]
    kernel.copy_state(state, 0, turned, 0)
    for seat in range(players):
        sheet = kernel.sheet_at(seat)
        for row in range(kernel.ROWS):
            for part in (kernel.MARKS, kernel.NEXT, kernel.COUNT):
                turned[sheet + part + order[row]] = state[sheet + part + row]
    for seat in range(players):
        count = f.features(turned, tables, kernel.sheet_at(seat), found, 0)
        for place in range(features.shape[2]):
            features[at, seat, place] = found[place] if place < count else f.FEATURES


def _note(
    tables: Any, order: Array, at: int, game: Any, buffers: Any, features: Any, hands: Any, active: Any, targets: Any,
    scholar: Any,
) -> None:  # fmt: skip
    """Write down the features of a state, and what the network expects for each player."""
    state, found, floats, weights = game[0], buffers[2], buffers[4], buffers[5]
    active[at] = state[kernel.ACTIVE]
    if scholar is None:
        sheet_features(state, tables, order, game[1], found, features, at)
        for seat in range(state[kernel.PLAYERS]):
            if hands is not None:
                for role in range(2):
                    count = h.features(state, tables, seat, role == 0, found, 0)
                    for place in range(hands.shape[3]):
                        hands[at, seat, role, place] = h.turned(found[place], order) if place < count else h.FEATURES
            odds = e.network.evaluate(state, tables, seat, network.ODDS, found, weights, floats)
            targets[at, seat, CHANCE] = 1.0 / (1.0 + exp(-odds))
            targets[at, seat, POINTS] = e.network.evaluate(state, tables, seat, network.POINTS, found, weights, floats)
    else:
        for seat in range(state[kernel.PLAYERS]):
            e.gaussian.evaluate(state, tables, seat, weights, floats)
            for place in range(gaussian.INPUTS):
                features[at, seat, place] = floats[gaussian.R_INPUT + place]
            mean = float(floats[gaussian.R_MEAN])
            targets[at, seat, LEAD] = mean
            targets[at, seat, SQUARE] = mean * mean + np.exp(float(floats[gaussian.R_SPREAD]))


def _explore(
    tables: Any, seat: int, key: int, salt: int, threshold: int, game: Any, spare: Any, hands: Any, scholar: Any
) -> int:
    """A random action, for the share of decisions below a threshold; or -1."""
    state, found = game[0], game[3]
    phase, turn = state[kernel.PHASE], state[kernel.TURN]
    if hands is None:
        slot = 16 + seat
        if phase == kernel.COLOUR:
            slot = 24
            if scholar is not None:
                slot += seat
        if chance.draw(key, salt, turn, slot) >= threshold:
            return -1
        option = chance.draw(key, salt, turn, 16 + slot) * kernel.options(state, tables, seat, found, spare) >> 32
    else:
        word = chance.draw(key, salt, turn, chance.decision_slot(phase, seat))
        if word >= threshold:
            return -1
        option = word * kernel.options(state, tables, seat, found, spare) // threshold
    return found[option]  # type: ignore[no-any-return]


def _decide(tables: Any, seat: int, game: Any, buffers: Any, hands: Any, scholar: Any) -> int:
    """The action that the network takes; with dice the champion goes by its plan as if all others passed."""
    state, seen, _, found, _ = game
    decisions = buffers[3]
    action: int = 0
    if scholar is not None:
        count = kernel.options(state, tables, seat, found, buffers[0])
        action = found[e.decide(state, tables, seat, found, count, buffers, scholar)]
    elif hands is not None:
        count = kernel.options(state, tables, seat, found, buffers[0])
        kernel.copy_for_seat(state, seat, seen)
        action = found[e.decide(seen, tables, seat, found, count, buffers, None)]
    elif state[kernel.PHASE] == kernel.WHITE:
        e.plan(state, tables, seat, buffers)
        action = decisions[workspace.PLANS + seat]
    else:
        kernel.copy_state(state, 0, buffers[1], 0)
        e.best_colour(tables, seat, buffers, None)
        action = decisions[workspace.COLOUR_PLAN]
    return action


def _look_back(
    first: float, second: float, seat: int, trace: float, targets: Any, odd: Any, begin: int, end: int
) -> None:
    """From the end of a game back: what a player could expect, from the outcome and from what was expected on the way.

    A turn with a random decision tells nothing about the state before it.
    """
    for one in range(end - 1, begin - 1, -1):
        expected, expected_second = targets[one, seat, 0], targets[one, seat, 1]
        if odd[one - begin]:
            first, second = expected, expected_second
        targets[one, seat, 0], targets[one, seat, 1] = first, second
        first = (1.0 - trace) * expected + trace * first
        second = (1.0 - trace) * expected_second + trace * second


def _outcomes(
    state: Any, tables: Any, trace: float, targets: Any, scholar: Any, odd: Any, begin: int, end: int
) -> None:
    """Make targets of what was expected on the way, and of the outcome."""
    players = state[kernel.PLAYERS]
    winners = kernel.winners(state, tables)
    for seat in range(players):
        own = kernel.total(state, kernel.sheet_at(seat), tables)
        if scholar is None:
            look_back(
                ((winners >> seat) & 1) / kernel.bits(winners), own / 100.0, seat, trace, targets, odd, begin, end
            )
        else:
            points = own
            if players > 1:
                points -= kernel.total(state, kernel.sheet_at(1 - seat), tables)
            lead = points / 100.0
            look_back(lead, lead * lead, seat, trace, targets, odd, begin, end)
            for one in range(begin, end):
                targets[one, seat, SHARE] = 0.5 * (1.0 + (lead > 0) - (lead < 0))


def _play_game(
    tables: Any, orders: Array, jokers: int, seed: int, number: int, explore: float, trace: float, game: Any,
    buffers: Any, odd: Any, features: Any, hands: Any, active: Any, targets: Any, scholar: Any, begin: int,
) -> int:  # fmt: skip
    """Play a game into the arrays and return where it ends; one that they have no room for leaves nothing there."""
    state, _, drawn, _, chosen = game
    players = features.shape[1]
    key, salt = chance.game_key(seed, number), chance.game_salt(seed, number)
    threshold = int(explore * 4294967296.0)
    order = orders[chance.draw(key, salt, 0, 60) % orders.shape[0]]
    at = begin
    before = 0  # the active player's hand before this phase
    kernel.start(state, tables, players)
    kernel.deal_lucky(state, tables, chance.draw(key, salt, 0, 61))
    state[kernel.JOKERS] = jokers
    if hands is not None:
        chance.act(state, tables, key, salt, drawn)  # nothing is to be learnt before cards are dealt
    while state[kernel.PHASE] != kernel.OVER:
        phase, player = state[kernel.PHASE], state[kernel.ACTIVE]
        waits = kernel.waits_for_chance(state)
        if waits or (hands is not None and phase == kernel.COLOUR):
            if at == features.shape[0]:
                return begin
            hand = state[kernel.HAND + player]
            if phase == kernel.DRAW:  # a player who has taken cards has not seen their colours
                state[kernel.HAND + player] = before
            note(tables, order, at, game, buffers, features, hands, active, targets, scholar)
            state[kernel.HAND + player] = hand
            odd[at - begin] = False
            at += 1
        if waits:
            chance.act(state, tables, key, salt, drawn)
            continue
        for seat in range(players):
            if (kernel.to_act(state) >> seat) & 1 == 1:
                chosen[seat] = explored(tables, seat, key, salt, threshold, game, buffers[0], hands, scholar)
                if chosen[seat] < 0:
                    chosen[seat] = decide(tables, seat, game, buffers, hands, scholar)
                elif at > begin:
                    odd[at - 1 - begin] = True
        before = state[kernel.HAND + player]
        kernel.act(state, tables, chosen, buffers[0])
    outcomes(state, tables, trace, targets, scholar, odd, begin, at)
    return at


def _play(
    tables: Array, orders: Array, weights: Weights, games: int, longest: int, seed: int, explore: float, trace: float,
    features: Any, hands: Any, active: Any, targets: Any, scholar: Any,
) -> int:  # fmt: skip
    """Play games of at most so many states into the arrays and return how many states there are."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    game = game_buffers(pointer(ints))
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    odd = np.zeros(longest, np.bool_)
    jokers = seed % 2 if hands is not None else 0
    at = 0
    for number in range(games):
        if at + longest > features.shape[0]:
            break
        at = play_game(
            pointer(tables), orders, jokers, seed, number, explore, trace, game, buffers, odd,
            features, hands, active, targets, scholar, at,
        )  # fmt: skip
    keep_alive((ints, floats, tables, weights))
    return at


sheet_features, note, explored = compiled(_sheet_features), compiled(_note), compiled(_explore)
decide, look_back, outcomes = compiled(_decide), compiled(_look_back), compiled(_outcomes)
play_game, play_into = compiled(_play_game), compiled(_play)


def play(
    tables: Array, orders: Array, weights: Weights, players: int, games: int, seed: int, explore: float, trace: float
) -> Samples:
    """Samples of games of a champion's network against itself."""
    cards = bool(tables[kernel.T_CARDS] > 0)
    moments = MOMENTS if cards else 1
    room = moments * (games * TURNS * players + MAX_TURNS)  # more than such games last; where they do, fewer are played
    features = np.zeros((room, players, feature_count(tables)), np.int16)
    hands = np.zeros((room, players, 2, h.MAX_FEATURES if cards else 0), np.int16)
    active, targets = np.zeros(room, np.int8), np.zeros((room, players, 2), np.float32)
    count = play_into(
        tables, orders, weights, games, moments * MAX_TURNS, seed, explore, trace ** (1 / moments),
        features, hands if cards else None, active, targets, None,
    )  # fmt: skip
    return Samples(features[:count], hands[:count], active[:count], targets[:count])


def feature_count(tables: Array) -> int:
    """How many features a sheet of this variant has at the most."""
    count = kernel.ROWS + int(tables[kernel.T_FIELDS]) + 1
    if tables[kernel.T_CHAINS]:
        count += 6 + int((tables[kernel.T_PAIR : kernel.T_MATE] > 0).sum())
    if tables[kernel.T_FIELDS]:
        count += sum(int(tables[kernel.T_CELLS + row]) for row in range(kernel.ROWS))
    return count + 2 * int(tables[kernel.T_LUCKY] != 0)
