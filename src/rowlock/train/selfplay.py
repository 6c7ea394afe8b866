"""Self-play: games of a network against itself, and the training samples that they give.

The same functions play for the champion, in dice games and in card games, and for the scholar. Numba compiles them for
each of the three without unused code: `hands` is None in dice games, `scholar` is None for the champion.

In dice games a network is trained on the states between two turns. In card games there are two more states per turn:
after cards are taken, with their colours still hidden, and before cards are played.
"""

from dataclasses import dataclass
from math import exp
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.fast import workspace
from rowlock.fast.compiled import compiled, compiled_copy
from rowlock.fast.pointer import bot_buffers, game_buffers, keep_alive, pointer
from rowlock.fast.results import Array
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
TURNS = 40  # turns of each player for which arrays are large enough; usually there are far fewer
ROW_ORDER_SLOT, LUCKY_SLOT = 60, 61  # of the random words of the first turn; nothing else uses them
CARD_STATES = 3  # sampled states in a turn of a card game
# Indices of targets. The champion has two: share of the win, points in hundreds. The scholar has three: final lead in
# hundreds, the square of the lead, share of the win.
WIN, POINTS = 0, 1
LEAD, SQUARE, SHARE = 0, 1, 2


@dataclass(frozen=True)
class Samples:
    """States with their targets: features of every sheet and hand, who rolls next, and each player's TD(λ) targets."""

    features: NDArray[np.int16]  # state x player x feature; unused entries are `features.ALL_FEATURES`
    hands: NDArray[np.int16]  # state x player x (seen by the player, by others) x feature; empty in dice games
    active: NDArray[np.int8]
    targets: NDArray[np.float32]  # state x player x (share of the win, points in hundreds)


def _sheet_features(state: Any, tables: Any, row_order: Array, copy: Any, buffer: Any, features: Any, at: int) -> None:
    """Write the features of all sheets, with the rows in an equivalent order, to `features[at]`."""
    players = state[kernel.PLAYERS]
    kernel.copy_state(state, 0, copy, 0)
    for seat in range(players):
        sheet = kernel.sheet_at(seat)
        for row in range(kernel.ROWS):
            for part in (kernel.MARKS, kernel.NEXT, kernel.COUNT):
                copy[sheet + part + row_order[row]] = state[sheet + part + row]
    for seat in range(players):
        count = compiled_features.features(copy, tables, kernel.sheet_at(seat), buffer, 0)
        for i in range(features.shape[2]):
            features[at, seat, i] = buffer[i] if i < count else compiled_features.ALL_FEATURES


def _add_sample(
    tables: Any, row_order: Array, at: int, game_arrays: Any, buffers: Any, features: Any, hands: Any, active: Any,
    targets: Any, scholar: Any,
) -> None:  # fmt: skip
    """Write the sample at index `at`: the features of a state, and the network's predictions as preliminary targets."""
    state, copy, _, _, _ = game_arrays  # `copy` is the buffer that `decide` uses for a seat's view of the state
    _, _, buffer, _, floats, weights = buffers
    active[at] = state[kernel.ACTIVE]
    if scholar is None:
        sheet_features(state, tables, row_order, copy, buffer, features, at)
        for seat in range(state[kernel.PLAYERS]):
            if hands is not None:
                for observer in range(2):  # the player, the others
                    count = card_features.features(state, tables, seat, observer == 0, buffer, 0)
                    for i in range(hands.shape[3]):
                        feature = card_features.swap_rows(buffer[i], row_order) if i < count else card_features.FEATURES
                        hands[at, seat, observer, i] = feature
            log_odds = evaluation.network.evaluate(state, tables, seat, network.ODDS, buffer, weights, floats)
            points = evaluation.network.evaluate(state, tables, seat, network.POINTS, buffer, weights, floats)
            targets[at, seat, WIN] = 1.0 / (1.0 + exp(-log_odds))
            targets[at, seat, POINTS] = points
    else:
        for seat in range(state[kernel.PLAYERS]):
            evaluation.gaussian.evaluate(state, tables, seat, weights, floats)
            for i in range(gaussian.INPUTS):
                features[at, seat, i] = floats[gaussian.A_INPUT + i]
            mean = float(floats[gaussian.A_MEAN])
            targets[at, seat, LEAD] = mean
            targets[at, seat, SQUARE] = mean * mean + np.exp(float(floats[gaussian.A_LOG_VARIANCE]))


def _random_action(
    tables: Any, seat: int, key: int, salt: int, threshold: int, game_arrays: Any, scratch: Any, hands: Any,
    scholar: Any,
) -> int:  # fmt: skip
    """A random action with probability threshold / 2**32, else -1."""
    state, _, _, options, _ = game_arrays
    phase, turn = state[kernel.PHASE], state[kernel.TURN]
    if hands is None:
        # One word says whether the action is random. The word 16 slots later says which action it is.
        slot = 16 + seat
        if phase == kernel.COLOUR:
            slot = 24 if scholar is None else 24 + seat  # other slots would change the weights that a seed gives
        if chance.random_word(key, salt, turn, slot) >= threshold:
            return -1
        word = chance.random_word(key, salt, turn, 16 + slot)
        index = word * kernel.options(state, tables, seat, options, scratch) >> 32
    else:
        word = chance.random_word(key, salt, turn, chance.decision_slot(phase, seat))
        if word >= threshold:
            return -1
        index = word * kernel.options(state, tables, seat, options, scratch) // threshold
    return options[index]  # type: ignore[no-any-return]


def _decide(tables: Any, seat: int, game_arrays: Any, buffers: Any, hands: Any, scholar: Any) -> int:
    """The network's action; in dice games the champion decides as if all others passed."""
    state, state_for_seat, _, options, _ = game_arrays
    scratch, simulated, _, decisions, _, _ = buffers
    action: int = 0
    if scholar is not None:
        count = kernel.options(state, tables, seat, options, scratch)
        action = options[evaluation.decide(state, tables, seat, options, count, buffers, scholar)]
    elif hands is not None:
        count = kernel.options(state, tables, seat, options, scratch)
        kernel.copy_for_seat(state, seat, state_for_seat)
        action = options[evaluation.decide(state_for_seat, tables, seat, options, count, buffers, None)]
    elif state[kernel.PHASE] == kernel.WHITE:
        evaluation.plan_seat(state, tables, seat, buffers)
        action = decisions[workspace.PLANS + seat]
    else:
        kernel.copy_state(state, 0, simulated, 0)
        evaluation.best_colour(tables, seat, buffers, None)
        action = decisions[workspace.COLOUR_PLAN]
    return action


def _td_targets(
    target0: float, target1: float, seat: int, trace: float, targets: Any, explored: Any, begin: int, end: int
) -> None:
    """Replace a player's predictions by TD(λ) targets, from the outcome (`target0`, `target1`) back; λ is `trace`.

    A state followed by a random decision keeps its prediction, because the outcome tells nothing about it.
    """
    for i in range(end - 1, begin - 1, -1):
        predicted0, predicted1 = targets[i, seat, 0], targets[i, seat, 1]
        if explored[i - begin]:
            target0, target1 = predicted0, predicted1
        targets[i, seat, 0], targets[i, seat, 1] = target0, target1
        target0 = (1.0 - trace) * predicted0 + trace * target0
        target1 = (1.0 - trace) * predicted1 + trace * target1


def _set_targets(
    state: Any, tables: Any, trace: float, targets: Any, scholar: Any, explored: Any, begin: int, end: int
) -> None:
    """Set the targets of all states of a finished game: those at indices from `begin` to before `end`."""
    players = state[kernel.PLAYERS]
    winners = kernel.winners(state, tables)
    for seat in range(players):
        own = kernel.total(state, kernel.sheet_at(seat), tables)
        share = ((winners >> seat) & 1) / kernel.bits(winners)
        if scholar is None:
            td_targets(share, own / 100.0, seat, trace, targets, explored, begin, end)
        else:
            lead_points = own
            if players > 1:
                lead_points -= kernel.total(state, kernel.sheet_at(1 - seat), tables)
            lead = lead_points / 100.0
            td_targets(lead, lead * lead, seat, trace, targets, explored, begin, end)
            for i in range(begin, end):
                targets[i, seat, SHARE] = share


def _play_game(
    tables: Any, row_orders: Array, jokers: int, seed: int, number: int, explore: float, trace: float,
    game_arrays: Any, buffers: Any, explored: Any, features: Any, hands: Any, active: Any, targets: Any, scholar: Any,
    begin: int,
) -> int:  # fmt: skip
    """Write the samples of a game from index `begin` on; returns the end index.

    Returns `begin` if the arrays are too short for the game. That happens only on a GPU, where each game has its own.
    """
    state, _, drawn, _, chosen = game_arrays
    scratch, _, _, _, _, _ = buffers
    players = features.shape[1]
    key, salt = chance.game_key(seed, number), chance.game_salt(seed, number)
    threshold = int(explore * 4294967296.0)  # 2**32
    row_order = row_orders[chance.random_word(key, salt, 0, ROW_ORDER_SLOT) % row_orders.shape[0]]
    at = begin
    previous_hand = 0  # the active player's hand before this phase
    kernel.start(state, tables, players)
    kernel.deal_lucky(state, tables, chance.random_word(key, salt, 0, LUCKY_SLOT))
    kernel.deal_sheets(state, tables, chance.random_word(key, salt, 0, LUCKY_SLOT))
    state[kernel.JOKERS] = jokers
    if hands is not None:
        chance.act(state, tables, key, salt, drawn)  # there is no sample before the cards are dealt
    while state[kernel.PHASE] != kernel.OVER:
        phase, player = state[kernel.PHASE], state[kernel.ACTIVE]
        chance_next = kernel.waits_for_chance(state)
        if chance_next or (hands is not None and phase == kernel.COLOUR):
            if at == features.shape[0]:
                return begin
            hand = state[kernel.HAND + player]
            if phase == kernel.DRAW:  # the player has taken cards and has not seen their colours
                state[kernel.HAND + player] = previous_hand
            add_sample(tables, row_order, at, game_arrays, buffers, features, hands, active, targets, scholar)
            state[kernel.HAND + player] = hand
            explored[at - begin] = False
            at += 1
        if chance_next:
            chance.act(state, tables, key, salt, drawn)
            continue
        for seat in range(players):
            if (kernel.to_act(state) >> seat) & 1 == 1:
                chosen[seat] = random_action(tables, seat, key, salt, threshold, game_arrays, scratch, hands, scholar)
                if chosen[seat] < 0:
                    chosen[seat] = decide(tables, seat, game_arrays, buffers, hands, scholar)
                elif at > begin:
                    explored[at - 1 - begin] = True
        previous_hand = state[kernel.HAND + player]
        kernel.act(state, tables, chosen, scratch)
    set_targets(state, tables, trace, targets, scholar, explored, begin, at)
    return at


def _play_games(
    tables: Array, row_orders: Array, weights: Weights, games: int, max_states: int, seed: int, explore: float,
    trace: float, features: Any, hands: Any, active: Any, targets: Any, scholar: Any,
) -> int:  # fmt: skip
    """Write the samples of some games, each of at most `max_states` states; returns the number of states."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    game_arrays = game_buffers(pointer(ints))
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    explored = np.zeros(max_states, np.bool_)
    jokers = seed % 2 if hands is not None else 0  # half of all seeds train card games with jokers
    at = 0
    for number in range(games):
        if at + max_states > features.shape[0]:
            break
        at = play_game(
            pointer(tables), row_orders, jokers, seed, number, explore, trace, game_arrays, buffers, explored,
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
    turn_states = CARD_STATES if cards else 1
    # Usually the games have fewer states than this; if they have more, fewer games are played.
    capacity = turn_states * (games * TURNS * players + MAX_GAME_TURNS)
    features = np.zeros((capacity, players, feature_count(tables)), np.int16)
    hands = np.zeros((capacity, players, 2, card_features.MAX_FEATURES if cards else 0), np.int16)
    active, targets = np.zeros(capacity, np.int8), np.zeros((capacity, players, 2), np.float32)
    state_trace = trace ** (1 / turn_states)  # `trace` is the decay per turn, TD(λ) goes back state by state
    count = play_games(
        tables, row_orders, weights, games, turn_states * MAX_GAME_TURNS, seed, explore, state_trace,
        features, hands if cards else None, active, targets, None,
    )  # fmt: skip
    return Samples(features[:count], hands[:count], active[:count], targets[:count])


def feature_count(tables: Array) -> int:
    """The largest number of features that a sheet of this variant can have."""
    count = kernel.ROWS + int(tables[kernel.T_FIELDS]) + 1
    if tables[kernel.T_CHAINS]:
        # The bonus bar, a feature per bonus of a pair, and the cells of pairs.
        count += 1 + (kernel.BAR - 1) + int((tables[kernel.T_PAIR : kernel.T_MATE] > 0).sum())
    if tables[kernel.T_FIELDS]:
        count += sum(int(tables[kernel.T_CELLS + row]) for row in range(kernel.ROWS))
    steps, swaps = tables[kernel.T_STEPPED] != 0, tables[kernel.T_SWAPS] > 0
    joined = (tables[kernel.T_JOINED : kernel.T_SWAP].reshape(kernel.MAX_SHEETS, -1) >= 0).sum(axis=1).max()
    return count + 2 * int(tables[kernel.T_LUCKY] != 0) + (1 + kernel.ROWS) * int(steps) + int(joined) + int(swaps)
