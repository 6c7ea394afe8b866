"""Self-play: games of a network against itself, and the training samples that they give.

One loop plays for the champion, with dice and with cards, and for the scholar. Numba compiles it separately for each,
without unused code: `hands` is None with dice, `scholar` is None for the champion.

With dice a network is trained on the states between two turns. With cards there are two more states in a turn: after
cards are taken, with their colours still hidden, and before cards are played.
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

compiled_features: Any = compiled_copy(_features)
card_features: Any = compiled_copy(_card_features)
evaluation: Any = compiled_copy(_evaluation)
MAX_GAME_TURNS = kernel.MAX_PLAYERS * kernel.MAX_TURNS + 1
TURNS = 40  # of a player in a game; usually far fewer
MOMENTS = 3  # states in a turn with cards
# Targets of the champion: share of the win, points in hundreds. Of the scholar: final lead in hundreds, its square,
# share of the win.
CHANCE, POINTS = 0, 1
LEAD, SQUARE, SHARE = 0, 1, 2


@dataclass(frozen=True)
class Samples:
    """States with their targets: features of every sheet and hand, who rolls next, and each player's TD(λ) targets."""

    features: NDArray[np.int16]  # state x player x feature; filled up with FEATURES
    hands: NDArray[np.int16]  # state x player x (as seen by the player, by others) x feature; empty with dice
    active: NDArray[np.int8]
    targets: NDArray[np.float32]  # state x player x (share of the win, points in hundreds)


def _sheet_features(state: Any, tables: Any, row_order: Array, copy: Any, found: Any, features: Any, at: int) -> None:
    """Write the features of all sheets with their rows in another, equivalent order."""
    players = state[kernel.PLAYERS]
    kernel.copy_state(state, 0, copy, 0)
    for seat in range(players):
        sheet = kernel.sheet_at(seat)
        for row in range(kernel.ROWS):
            for part in (kernel.MARKS, kernel.NEXT, kernel.COUNT):
                copy[sheet + part + row_order[row]] = state[sheet + part + row]
    for seat in range(players):
        count = compiled_features.features(copy, tables, kernel.sheet_at(seat), found, 0)
        for place in range(features.shape[2]):
            features[at, seat, place] = found[place] if place < count else compiled_features.FEATURES


def _add_sample(
    tables: Any, row_order: Array, at: int, game: Any, buffers: Any, features: Any, hands: Any, active: Any,
    targets: Any, scholar: Any,
) -> None:  # fmt: skip
    """Write the features of a state, and the network's predictions for each player as preliminary targets."""
    state, found, floats, weights = game[0], buffers[2], buffers[4], buffers[5]
    active[at] = state[kernel.ACTIVE]
    if scholar is None:
        sheet_features(state, tables, row_order, game[1], found, features, at)
        for seat in range(state[kernel.PLAYERS]):
            if hands is not None:
                for role in range(2):
                    count = card_features.features(state, tables, seat, role == 0, found, 0)
                    for i in range(hands.shape[3]):
                        feature = card_features.swap_rows(found[i], row_order) if i < count else card_features.FEATURES
                        hands[at, seat, role, i] = feature
            odds = evaluation.network.evaluate(state, tables, seat, network.ODDS, found, weights, floats)
            points = evaluation.network.evaluate(state, tables, seat, network.POINTS, found, weights, floats)
            targets[at, seat, CHANCE] = 1.0 / (1.0 + exp(-odds))
            targets[at, seat, POINTS] = points
    else:
        for seat in range(state[kernel.PLAYERS]):
            evaluation.gaussian.evaluate(state, tables, seat, weights, floats)
            for place in range(gaussian.INPUTS):
                features[at, seat, place] = floats[gaussian.A_INPUT + place]
            mean = float(floats[gaussian.A_MEAN])
            targets[at, seat, LEAD] = mean
            targets[at, seat, SQUARE] = mean * mean + np.exp(float(floats[gaussian.A_LOG_VARIANCE]))


def _random_action(
    tables: Any, seat: int, key: int, salt: int, threshold: int, game: Any, scratch: Any, hands: Any, scholar: Any
) -> int:
    """A random action with probability threshold / 2**32, else -1."""
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
        option = chance.draw(key, salt, turn, 16 + slot) * kernel.options(state, tables, seat, found, scratch) >> 32
    else:
        word = chance.draw(key, salt, turn, chance.decision_slot(phase, seat))
        if word >= threshold:
            return -1
        option = word * kernel.options(state, tables, seat, found, scratch) // threshold
    return found[option]  # type: ignore[no-any-return]


def _decide(tables: Any, seat: int, game: Any, buffers: Any, hands: Any, scholar: Any) -> int:
    """The network's action; with dice the champion decides as if all others passed."""
    state, seen, _, found, _ = game
    decisions = buffers[3]
    action: int = 0
    if scholar is not None:
        count = kernel.options(state, tables, seat, found, buffers[0])
        action = found[evaluation.decide(state, tables, seat, found, count, buffers, scholar)]
    elif hands is not None:
        count = kernel.options(state, tables, seat, found, buffers[0])
        kernel.copy_for_seat(state, seat, seen)
        action = found[evaluation.decide(seen, tables, seat, found, count, buffers, None)]
    elif state[kernel.PHASE] == kernel.WHITE:
        evaluation.plan_seat(state, tables, seat, buffers)
        action = decisions[workspace.PLANS + seat]
    else:
        kernel.copy_state(state, 0, buffers[1], 0)
        evaluation.best_colour(tables, seat, buffers, None)
        action = decisions[workspace.COLOUR_PLAN]
    return action


def _td_targets(
    first: float, second: float, seat: int, trace: float, targets: Any, explored: Any, begin: int, end: int
) -> None:
    """Replace a player's predictions by TD(λ) targets, from the last state back; λ is `trace`.

    A state followed by a random decision keeps its prediction, because the outcome tells nothing about it.
    """
    for i in range(end - 1, begin - 1, -1):
        predicted, predicted_second = targets[i, seat, 0], targets[i, seat, 1]
        if explored[i - begin]:
            first, second = predicted, predicted_second
        targets[i, seat, 0], targets[i, seat, 1] = first, second
        first = (1.0 - trace) * predicted + trace * first
        second = (1.0 - trace) * predicted_second + trace * second


def _set_targets(
    state: Any, tables: Any, trace: float, targets: Any, scholar: Any, explored: Any, begin: int, end: int
) -> None:
    """Set the targets of all states of a finished game."""
    players = state[kernel.PLAYERS]
    winners = kernel.winners(state, tables)
    for seat in range(players):
        own = kernel.total(state, kernel.sheet_at(seat), tables)
        if scholar is None:
            share = ((winners >> seat) & 1) / kernel.bits(winners)
            td_targets(share, own / 100.0, seat, trace, targets, explored, begin, end)
        else:
            points = own
            if players > 1:
                points -= kernel.total(state, kernel.sheet_at(1 - seat), tables)
            lead = points / 100.0
            td_targets(lead, lead * lead, seat, trace, targets, explored, begin, end)
            for i in range(begin, end):
                targets[i, seat, SHARE] = 0.5 * (1.0 + (lead > 0) - (lead < 0))


def _play_game(
    tables: Any, row_orders: Array, jokers: int, seed: int, number: int, explore: float, trace: float, game: Any,
    buffers: Any, explored: Any, features: Any, hands: Any, active: Any, targets: Any, scholar: Any, begin: int,
) -> int:  # fmt: skip
    """Write the samples of a game from index `begin` on; returns the end index, or `begin` if they do not fit."""
    state, _, drawn, _, chosen = game
    players = features.shape[1]
    key, salt = chance.game_key(seed, number), chance.game_salt(seed, number)
    threshold = int(explore * 4294967296.0)
    row_order = row_orders[chance.draw(key, salt, 0, 60) % row_orders.shape[0]]
    at = begin
    before = 0  # the active player's hand before this phase
    kernel.start(state, tables, players)
    kernel.deal_lucky(state, tables, chance.draw(key, salt, 0, 61))
    state[kernel.JOKERS] = jokers
    if hands is not None:
        chance.act(state, tables, key, salt, drawn)  # no sample before cards are dealt
    while state[kernel.PHASE] != kernel.OVER:
        phase, player = state[kernel.PHASE], state[kernel.ACTIVE]
        waits = kernel.waits_for_chance(state)
        if waits or (hands is not None and phase == kernel.COLOUR):
            if at == features.shape[0]:
                return begin
            hand = state[kernel.HAND + player]
            if phase == kernel.DRAW:  # the player has taken cards and has not seen their colours
                state[kernel.HAND + player] = before
            add_sample(tables, row_order, at, game, buffers, features, hands, active, targets, scholar)
            state[kernel.HAND + player] = hand
            explored[at - begin] = False
            at += 1
        if waits:
            chance.act(state, tables, key, salt, drawn)
            continue
        for seat in range(players):
            if (kernel.to_act(state) >> seat) & 1 == 1:
                chosen[seat] = random_action(tables, seat, key, salt, threshold, game, buffers[0], hands, scholar)
                if chosen[seat] < 0:
                    chosen[seat] = decide(tables, seat, game, buffers, hands, scholar)
                elif at > begin:
                    explored[at - 1 - begin] = True
        before = state[kernel.HAND + player]
        kernel.act(state, tables, chosen, buffers[0])
    set_targets(state, tables, trace, targets, scholar, explored, begin, at)
    return at


def _play_games(
    tables: Array, row_orders: Array, weights: Weights, games: int, max_states: int, seed: int, explore: float,
    trace: float, features: Any, hands: Any, active: Any, targets: Any, scholar: Any,
) -> int:  # fmt: skip
    """Write the samples of games of at most `max_states` states; returns the number of states."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    game = game_buffers(pointer(ints))
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    explored = np.zeros(max_states, np.bool_)
    jokers = seed % 2 if hands is not None else 0
    at = 0
    for number in range(games):
        if at + max_states > features.shape[0]:
            break
        at = play_game(
            pointer(tables), row_orders, jokers, seed, number, explore, trace, game, buffers, explored,
            features, hands, active, targets, scholar, at,
        )  # fmt: skip
    keep_alive((ints, floats, tables, weights))
    return at


sheet_features, add_sample, random_action = compiled(_sheet_features), compiled(_add_sample), compiled(_random_action)
decide, td_targets, set_targets = compiled(_decide), compiled(_td_targets), compiled(_set_targets)
play_game, play_games = compiled(_play_game), compiled(_play_games)


def play_samples(
    tables: Array, row_orders: Array, weights: Weights, players: int, games: int, seed: int, explore: float,
    trace: float,
) -> Samples:  # fmt: skip
    """The samples of some games of the champion's network against itself."""
    cards = bool(tables[kernel.T_CARDS] > 0)
    moments = MOMENTS if cards else 1
    # More states than such games have as a rule; if they have more, fewer games are played.
    capacity = moments * (games * TURNS * players + MAX_GAME_TURNS)
    features = np.zeros((capacity, players, feature_count(tables)), np.int16)
    hands = np.zeros((capacity, players, 2, card_features.MAX_FEATURES if cards else 0), np.int16)
    active, targets = np.zeros(capacity, np.int8), np.zeros((capacity, players, 2), np.float32)
    count = play_games(
        tables, row_orders, weights, games, moments * MAX_GAME_TURNS, seed, explore, trace ** (1 / moments),
        features, hands if cards else None, active, targets, None,
    )  # fmt: skip
    return Samples(features[:count], hands[:count], active[:count], targets[:count])


def feature_count(tables: Array) -> int:
    """The largest number of features that a sheet of this variant can have."""
    count = kernel.ROWS + int(tables[kernel.T_FIELDS]) + 1
    if tables[kernel.T_CHAINS]:
        count += 6 + int((tables[kernel.T_PAIR : kernel.T_MATE] > 0).sum())
    if tables[kernel.T_FIELDS]:
        count += sum(int(tables[kernel.T_CELLS + row]) for row in range(kernel.ROWS))
    return count + 2 * int(tables[kernel.T_LUCKY] != 0)
