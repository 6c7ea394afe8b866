"""Games of a network against itself, and what can be learnt from them."""

from dataclasses import dataclass
from math import exp
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.bots import champion as _champion
from rowlock.bots import features as _features
from rowlock.bots import network as n
from rowlock.fast.compiled import compiled, twin
from rowlock.fast.games import Array
from rowlock.fast.kernel import chance as c
from rowlock.fast.kernel import kernel as k
from rowlock.fast.pointer import pointer

f: Any = twin(_features)
b: Any = twin(_champion)
_OWN = Path(__file__)
MAX_TURNS = k.MAX_PLAYERS * ((k.ROWS + k.MAX_FIELDS) * k.MAX_CELLS + k.MISTHROWS_TO_END) + 1
TURNS = 40  # of a player, usually far fewer
Weights = NDArray[np.float32]


@dataclass(frozen=True)
class Samples:
    """States that the network judges: facts of every sheet, who rolls next, and what each player can expect."""

    facts: NDArray[np.int16]  # state x player x fact; FACTS where there is none
    hands: NDArray[np.int16]  # state x player x (as its own, as another's) x fact; none in games of dice
    active: NDArray[np.int8]
    targets: NDArray[np.float32]  # state x player x (share of the win, points in hundreds)


def _look_back(state: Any, tables: Any, seat: int, trace: float, targets: Any, odd: Any, begin: int, end: int) -> None:
    """From the end of a game back: what a player could expect, from the outcome and from what was expected on the way.

    A turn with a random decision tells nothing about the state before it.
    """
    own = k.total(state, k.sheet_at(seat), tables)
    winners = k.winners(state, tables)
    share = ((winners >> seat) & 1) / k.bits(winners)
    points = own / 100.0
    for one in range(end - 1, begin - 1, -1):
        expected, expected_points = targets[one, seat, 0], targets[one, seat, 1]
        if odd[one - begin]:
            share, points = expected, expected_points
        targets[one, seat, 0], targets[one, seat, 1] = share, points
        share = (1.0 - trace) * expected + trace * share
        points = (1.0 - trace) * expected_points + trace * points


def _sheet_facts(state: Any, tables: Any, order: Array, turned: Any, found: Any, facts: Any, at: int) -> None:
    """What is seen of the sheets, their rows moved to where the sheet looks the same."""
    players = state[k.PLAYERS]
    for place in range(k.state_size(players)):
        turned[place] = state[place]
    for seat in range(players):
        sheet = k.sheet_at(seat)
        for row in range(k.ROWS):
            for part in (k.MARKS, k.NEXT, k.COUNT):
                turned[sheet + part + order[row]] = state[sheet + part + row]
    for seat in range(players):
        count = f.facts(turned, tables, k.sheet_at(seat), found, 0)
        for fact in range(facts.shape[2]):
            facts[at, seat, fact] = found[fact] if fact < count else f.FACTS


def _play_game(
    tables: Any,
    orders: Array,
    players: int,
    seed: int,
    game: int,
    explore: float,
    trace: float,
    room: Any,
    desk: Any,
    odd: Any,
    facts: Any,
    active: Any,
    targets: Any,
    begin: int,
) -> int:
    """Play a game into the arrays and return where it ends; one that they have no room for leaves nothing there."""
    state, turned, dice, acts, chosen = room
    spare, _, found, decisions, sums, weights = desk
    key, salt = c.game_key(seed, game), c.game_salt(seed, game)
    threshold = int(explore * 4294967296.0)
    order = orders[c.draw(key, salt, 0, 60) % orders.shape[0]]
    at = begin
    k.start(state, tables, players)
    k.deal_lucky(state, tables, c.draw(key, salt, 0, 61))
    while state[k.PHASE] != k.OVER:
        if at == facts.shape[0]:
            return begin
        sheet_facts(state, tables, order, turned, found, facts, at)
        active[at] = state[k.ACTIVE]
        for seat in range(players):
            odds = b.n.evaluate(state, tables, seat, n.ODDS, found, weights, sums)
            targets[at, seat, 0] = 1.0 / (1.0 + exp(-odds))
            targets[at, seat, 1] = b.n.evaluate(state, tables, seat, n.POINTS, found, weights, sums)
        odd[at - begin] = False
        turn = state[k.TURN]
        c.throw(key, salt, turn, tables, dice)
        k.roll(state, dice)
        for seat in range(players):
            b.plan(state, tables, seat, desk)
            chosen[seat] = decisions[b.PLANS + seat]
            if c.draw(key, salt, turn, 16 + seat) < threshold:
                count = k.options(state, tables, seat, acts, spare)
                chosen[seat] = acts[c.draw(key, salt, turn, 32 + seat) * count >> 32]
                odd[at - begin] = True
        for seat in range(players):
            decisions[seat] = chosen[seat]
        k.act(state, tables, decisions, spare)
        if state[k.PHASE] == k.COLOUR:
            seat = state[k.ACTIVE]
            b.imagine(state, desk)
            b.best_colour(tables, seat, desk)
            decisions[seat] = decisions[b.COLOUR_PLAN]
            if c.draw(key, salt, turn, 24) < threshold:
                count = k.options(state, tables, seat, found, spare)
                decisions[seat] = found[c.draw(key, salt, turn, 40) * count >> 32]
                odd[at - begin] = True
            k.act(state, tables, decisions, spare)
        at += 1
    for seat in range(players):
        look_back(state, tables, seat, trace, targets, odd, begin, at)
    return at


def _play(
    tables_: Array,
    orders: Array,
    weights_: Weights,
    players: int,
    games: int,
    seed: int,
    explore: float,
    trace: float,
    facts: Any,
    active: Any,
    targets: Any,
) -> int:
    """Play games into the arrays and return how many states there are."""
    size = k.state_size(k.MAX_PLAYERS)
    state_, turned_, imagined_ = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(2 * size, np.int64)
    spare_, found_ = np.zeros(k.SPARE_SIZE, np.int64), np.zeros(4 * k.MAX_OPTIONS, np.int64)
    decisions_, dice_, sums_ = np.zeros(16, np.int64), np.zeros(6, np.int64), np.zeros(n.FLOATS, np.float32)
    acts_, chosen_ = np.zeros(k.MAX_OPTIONS, np.int64), np.zeros(k.MAX_PLAYERS, np.int64)
    room = (pointer(state_), pointer(turned_), pointer(dice_), pointer(acts_), pointer(chosen_))
    desk = (
        pointer(spare_),
        pointer(imagined_),
        pointer(found_),
        pointer(decisions_),
        pointer(sums_),
        pointer(weights_),
    )
    tables, odd = pointer(tables_), np.zeros(MAX_TURNS, np.bool_)
    at = 0
    for game in range(games):
        if at + MAX_TURNS > facts.shape[0]:
            break
        at = play_game(tables, orders, players, seed, game, explore, trace, room, desk, odd, facts, active, targets, at)
    # The arrays behind the pointers live until here.
    state_[0] = turned_[0] + imagined_[0] + spare_[0] + found_[0] + decisions_[0] + dice_[0] + tables_[0]
    state_[0] += acts_[0] + chosen_[0] + int(sums_[0]) + int(weights_[0])
    return at


look_back, sheet_facts = compiled(_look_back, _OWN), compiled(_sheet_facts, _OWN)
play_game = compiled(_play_game, _OWN)
_play_compiled = compiled(_play, _OWN)


def play(
    tables: Array,
    orders: Array,
    weights: Weights,
    players: int,
    games: int,
    seed: int,
    explore: float,
    trace: float,
) -> Samples:
    """Samples of games of a network against itself."""
    room = games * TURNS * players + MAX_TURNS  # more than such games last; where they do, fewer are played
    facts = np.zeros((room, players, fact_count(tables)), np.int16)
    active, targets = np.zeros(room, np.int8), np.zeros((room, players, 2), np.float32)
    count = _play_compiled(tables, orders, weights, players, games, seed, explore, trace, facts, active, targets)
    hands = np.zeros((count, players, 2, 0), np.int16)
    return Samples(facts[:count], hands, active[:count], targets[:count])


def fact_count(tables: Array) -> int:
    """How many facts a sheet of this variant has at the most."""
    count = k.ROWS + int(tables[k.T_FIELDS]) + 1
    if tables[k.T_CHAINS]:
        count += 6 + int((tables[k.T_PAIR : k.T_MATE] > 0).sum())
    if tables[k.T_FIELDS]:
        count += sum(int(tables[k.T_CELLS + row]) for row in range(k.ROWS))
    return count + 2 * int(tables[k.T_LUCKY] != 0)
