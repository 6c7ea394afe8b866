"""Looking ahead where hands are hidden: cards that could lie there are laid, then everybody plays on as the champion.

Nobody plays by more than its own seat may know, and the network judges when a turn begins. All options meet the same
cards.
"""

from typing import Any

import numpy as np

from rowlock.bots import champion as _champion
from rowlock.bots.bot import memory_of
from rowlock.bots.thinking import Doubles, likely
from rowlock.fast.compiled import compile_for, compiled, twin
from rowlock.fast.games import Array
from rowlock.fast.kernel import chance as c
from rowlock.fast.kernel import kernel as k
from rowlock.fast.pointer import INT, pointer, types
from rowlock.rules import hidden as _hidden
from rowlock.rules.game import View

b: Any = twin(_champion)
hidden: Any = twin(_hidden)


def _act(state: Any, tables: Any, seat: int, action: int, desk: Any, table: Any) -> None:
    """Everybody who is to act does: a seat as it is told, the others as the champion by what their seats may know."""
    seen, found, chosen = table
    for player in range(state[k.PLAYERS]):
        if player == seat:
            chosen[player] = action
        elif (k.to_act(state) >> player) & 1 == 1:
            for place in range(k.state_size(state[k.PLAYERS])):
                seen[place] = state[place]
            k.hide(seen, player)
            count = k.options(seen, tables, player, found, desk[0])
            chosen[player] = found[b.decide(seen, tables, player, found, count, desk)]
    k.act(state, tables, chosen, desk[0])


act = compiled(_act)


def _roll_out(
    before: Array,
    tables_: Array,
    seat: int,
    actions: Array,
    turns: int,
    seed: int,
    first: int,
    weights_: Any,
    values: Any,
) -> None:
    """Play on after each of a seat's actions, all with the same cards; a row of values per sample."""
    spare_, imagined_ = np.zeros(k.SPARE_SIZE, np.int64), np.zeros(2 * k.state_size(k.MAX_PLAYERS), np.int64)
    found_, decisions_ = np.zeros(k.THOUGHTS, np.int64), np.zeros(k.WISHES, np.int64)
    notes_, pile_ = np.zeros(k.SCRATCH, np.float32), np.zeros(k.MAX_CARDS, np.int64)
    state_, seen_ = np.zeros(before.size, np.int64), np.zeros(before.size, np.int64)
    options_, chosen_ = np.zeros(k.MAX_OPTIONS, np.int64), np.zeros(k.MAX_PLAYERS, np.int64)
    state, tables, pile, spare = pointer(state_), pointer(tables_), pointer(pile_), pointer(spare_)
    desk = (spare, pointer(imagined_), pointer(found_), pointer(decisions_), pointer(notes_), pointer(weights_))
    table = (pointer(seen_), pointer(options_), pointer(chosen_))
    end = before[k.TURN] + 1 + turns
    for sample in range(values.shape[0]):
        key, salt = c.game_key(seed, first + sample), c.game_salt(seed, first + sample)
        for option in range(actions.size):
            state_[:] = before
            hidden.lay(state, tables, key, salt, pile)
            act(state, tables, seat, actions[option], desk, table)
            while state[k.PHASE] != k.OVER and (state[k.PHASE] != k.ROLL or state[k.TURN] < end):
                if k.waits_for_chance(state):
                    c.act(state, tables, key, salt, pile)
                else:
                    act(state, tables, -1, k.PASS, desk, table)
            values[sample, option] = likely(b.value(state, tables, seat, desk), state[k.PLAYERS])
    # The arrays behind the pointers live until here.
    spare_[0] = imagined_[0] + found_[0] + decisions_[0] + pile_[0] + state_[0] + seen_[0] + options_[0] + chosen_[0]
    notes_[0] = tables_[0] + int(weights_[0])


# Compiled when this module is imported, not when a decision is due.
_INTS, _WEIGHTS, _ROWS = types.Array(INT, 1, "C"), types.float32[::1], types.float64[:, ::1]
_roll_out_compiled = compile_for(
    compiled(_roll_out), types.void(_INTS, _INTS, INT, _INTS, INT, INT, INT, _WEIGHTS, _ROWS)
)


def roll_out(view: View, actions: Array, turns: int, samples: int, seed: int, first: int = 0) -> Doubles:
    """A row per sample: what each action is worth when some turns after this one are over, all with the same cards."""
    _, weights = memory_of(_champion.Champion, view.variant, len(view.players))
    values = np.zeros((samples, len(actions)))
    tables, state = np.array(view.variant.tables, np.int64), np.array(view.state, np.int64)
    _roll_out_compiled(state, tables, view.seat, actions, turns, seed, first, weights, values)
    return values
