"""Games of cards of a network against itself: as `selfplay`, where hands are hidden.

There are three moments of a turn to learn from: before cards are taken, when they are taken with their colours still
hidden, and before cards are played.
"""

from math import exp
from pathlib import Path
from typing import Any

import numpy as np

from rowlock.bots import champion as _champion
from rowlock.bots import hands as _hands
from rowlock.bots import network as n
from rowlock.fast.compiled import compiled, twin
from rowlock.fast.games import Array
from rowlock.fast.kernel import chance as c
from rowlock.fast.kernel import kernel as k
from rowlock.fast.pointer import pointer
from rowlock.train.selfplay import MAX_TURNS, TURNS, Samples, Weights, fact_count, look_back, sheet_facts

h: Any = twin(_hands)
b: Any = twin(_champion)
_OWN = (Path(__file__), Path(__file__).with_name("selfplay.py"))
MOMENTS = 3


def _note(
    state: Any, tables: Any, order: Array, at: int, desk: Any, turned: Any, facts: Any, hands: Any, targets: Any
) -> None:
    """Write down what each player sees and expects."""
    found, sums, weights = desk[2], desk[4], desk[5]
    sheet_facts(state, tables, order, turned, found, facts, at)
    for seat in range(state[k.PLAYERS]):
        for role in range(2):
            count = h.facts(state, tables, seat, role == 0, found, 0)
            for place in range(hands.shape[3]):
                hands[at, seat, role, place] = h.turned(found[place], order) if place < count else h.FACTS
        odds = b.n.evaluate(state, tables, seat, n.ODDS, found, weights, sums)
        targets[at, seat, 0] = 1.0 / (1.0 + exp(-odds))
        targets[at, seat, 1] = b.n.evaluate(state, tables, seat, n.POINTS, found, weights, sums)


def _play_game(
    tables: Any,
    orders: Array,
    players: int,
    jokers: int,
    seed: int,
    game: int,
    explore: float,
    trace: float,
    room: Any,
    desk: Any,
    odd: Any,
    facts: Any,
    hands: Any,
    active: Any,
    targets: Any,
    begin: int,
) -> int:
    """Play a game into the arrays and return where it ends; one that they have no room for leaves nothing there."""
    state, turned, seen, drawn, acts, chosen = room
    spare = desk[0]
    key, salt = c.game_key(seed, game), c.game_salt(seed, game)
    threshold = int(explore * 4294967296.0)
    order = orders[c.draw(key, salt, 0, 60) % orders.shape[0]]
    at = begin
    before = 0
    k.start(state, tables, players)
    state[k.JOKERS] = jokers
    c.act(state, tables, key, salt, drawn)
    while state[k.PHASE] != k.OVER:
        phase, player = state[k.PHASE], state[k.ACTIVE]
        if phase != k.TAKE and phase != k.WHITE:
            if at == facts.shape[0]:
                return begin
            hand = state[k.HAND + player]
            if phase == k.DRAW:  # whoever has taken cards has not seen their colours
                state[k.HAND + player] = before
            note(state, tables, order, at, desk, turned, facts, hands, targets)
            state[k.HAND + player] = hand
            active[at] = player
            odd[at - begin] = False
            at += 1
        if k.waits_for_chance(state):
            c.act(state, tables, key, salt, drawn)
            continue
        for seat in range(players):
            if (k.to_act(state) >> seat) & 1 == 1:
                count = k.options(state, tables, seat, acts, spare)
                word = c.draw(key, salt, state[k.TURN], c.decision_slot(phase, seat))
                if word < threshold:
                    chosen[seat] = acts[word * count // threshold]
                    if at > begin:
                        odd[at - 1 - begin] = True
                else:
                    for place in range(k.state_size(players)):
                        seen[place] = state[place]
                    k.hide(seen, seat)
                    chosen[seat] = acts[b.decide(seen, tables, seat, acts, count, desk)]
        before = state[k.HAND + player]
        k.act(state, tables, chosen, spare)
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
    hands: Any,
    active: Any,
    targets: Any,
) -> int:
    """Play games into the arrays and return how many states there are."""
    size = k.state_size(k.MAX_PLAYERS)
    state_, turned_, seen_ = np.zeros(size, np.int64), np.zeros(size, np.int64), np.zeros(size, np.int64)
    spare_, imagined_ = np.zeros(k.SPARE_SIZE, np.int64), np.zeros(2 * size, np.int64)
    found_, decisions_ = np.zeros(k.THOUGHTS, np.int64), np.zeros(k.WISHES, np.int64)
    acts_, chosen_ = np.zeros(k.MAX_OPTIONS, np.int64), np.zeros(k.MAX_PLAYERS, np.int64)
    drawn_, sums_ = np.zeros(k.MAX_CARDS, np.int64), np.zeros(n.FLOATS, np.float32)
    room = (pointer(state_), pointer(turned_), pointer(seen_), pointer(drawn_), pointer(acts_), pointer(chosen_))
    desk = (
        pointer(spare_),
        pointer(imagined_),
        pointer(found_),
        pointer(decisions_),
        pointer(sums_),
        pointer(weights_),
    )
    tables, odd = pointer(tables_), np.zeros(MOMENTS * MAX_TURNS, np.bool_)
    at = 0
    for game in range(games):
        if at + MOMENTS * MAX_TURNS > facts.shape[0]:
            break
        at = play_game(
            tables,
            orders,
            players,
            seed % 2,
            seed,
            game,
            explore,
            trace,
            room,
            desk,
            odd,
            facts,
            hands,
            active,
            targets,
            at,
        )
    # The arrays behind the pointers live until here.
    state_[0] = turned_[0] + seen_[0] + spare_[0] + imagined_[0] + found_[0] + decisions_[0] + acts_[0] + chosen_[0]
    state_[0] += drawn_[0] + tables_[0] + int(sums_[0]) + int(weights_[0])
    return at


note = compiled(_note, *_OWN)
play_game = compiled(_play_game, *_OWN)
_play_compiled = compiled(_play, *_OWN)


def play(
    tables: Array, orders: Array, weights: Weights, players: int, games: int, seed: int, explore: float, trace: float
) -> Samples:
    """Samples of games of a network against itself."""
    room = MOMENTS * (games * TURNS * players + MAX_TURNS)  # more than such games last; where they do, fewer are played
    facts = np.zeros((room, players, fact_count(tables)), np.int16)
    hands = np.zeros((room, players, 2, h.MAX_FACTS), np.int16)
    active, targets = np.zeros(room, np.int8), np.zeros((room, players, 2), np.float32)
    trace = trace ** (1 / MOMENTS)
    count = _play_compiled(tables, orders, weights, players, games, seed, explore, trace, facts, hands, active, targets)
    return Samples(facts[:count], hands[:count], active[:count], targets[:count])
