"""Plays on from options, everybody as the champion, and lets the network evaluate some turns later.

All options meet the same dice or cards. Hidden cards are sampled, every way in which they can lie equally likely;
nobody plays by more than their own seat may know.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.fast import workspace
from rowlock.fast.compiled import compile_for, compiled, compiled_copy
from rowlock.fast.games import Array
from rowlock.fast.pointer import INT, bot_buffers, game_buffers, keep_alive, pointer, types
from rowlock.fast.rules import chance, hidden_cards, kernel
from rowlock.networks import evaluation as _evaluation
from rowlock.networks.weights import Weights
from rowlock.rules.game import View

e: Any = compiled_copy(_evaluation)
Doubles = NDArray[np.float64]


def _win_chance(worth: float, players: int) -> float:
    """From log odds to a chance; points stay what they are."""
    return worth if players == 1 else 1.0 / (1.0 + np.exp(-worth))


def _settle(state_: Array, tables_: Array, seat: int, actions: Array, weights: Any, after: Any, values: Any) -> None:
    """For every action the state after this turn, and its value."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    state, tables = pointer(state_), pointer(tables_)
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    imagined = buffers[1]
    colour = e.plan_others(state, tables, seat, buffers)
    for option in range(actions.size):
        e.settle(state, tables, seat, actions[option], colour, buffers)
        values[option] = win_chance(e.value(imagined, tables, seat, buffers, None), state[kernel.PLAYERS])
        for place in range(state_.size):
            after[option, place] = imagined[place]
    keep_alive((ints, floats, state_, tables_, weights))


def _act(tables: Any, seat: int, action: int, game: Any, buffers: Any) -> None:
    """Everybody who is to act does: a seat as it is told, the others as the champion by what their seats may know."""
    state, seen, _, found, chosen = game
    for player in range(state[kernel.PLAYERS]):
        if player == seat:
            chosen[player] = action
        elif (kernel.to_act(state) >> player) & 1 == 1:
            kernel.copy_for_seat(state, player, seen)
            count = kernel.options(seen, tables, player, found, buffers[0])
            chosen[player] = found[e.decide(seen, tables, player, found, count, buffers, None)]
    kernel.act(state, tables, chosen, buffers[0])


def _play_dice(tables: Any, game: Any, buffers: Any) -> None:
    """Everybody's actions of a turn with dice, as they plan them when it begins."""
    state, decisions = game[0], buffers[3]
    colour = e.plan_others(state, tables, -1, buffers)
    for player in range(state[kernel.PLAYERS]):
        decisions[player] = decisions[workspace.PLANS + player]
    kernel.copy_state(state, 0, buffers[1], 0)
    kernel.act(buffers[1], tables, decisions, buffers[0])
    if buffers[1][kernel.PHASE] == kernel.COLOUR:
        e.follow(tables, colour, buffers)
    kernel.copy_state(buffers[1], 0, state, 0)


def _roll_out(
    starts: Array, tables_: Array, seat: int, actions: Array, turns: int, seed: int, first: int, weights: Any,
    values: Any,
) -> None:  # fmt: skip
    """Play on from some states, with cards after an action of a seat in each; a row of values per sample."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    tables, game = pointer(tables_), game_buffers(pointer(ints))
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    state, drawn = game[0], game[2]
    faces, cards = tables[kernel.T_FACES], tables[kernel.T_CARDS] > 0
    for sample in range(values.shape[0]):
        key, salt = chance.game_key(seed, first + sample), chance.game_salt(seed, first + sample)
        for option in range(starts.shape[0]):
            for place in range(starts.shape[1]):
                state[place] = starts[option, place]
            if cards:
                hidden_cards.sample(state, tables, key, salt, drawn)
                act(tables, seat, actions[option], game, buffers)
            begin = starts[option, kernel.TURN] + cards
            while state[kernel.PHASE] != kernel.OVER and (
                state[kernel.PHASE] != kernel.ROLL or state[kernel.TURN] < begin + turns
            ):
                if not cards:
                    turn = state[kernel.TURN] - begin
                    chance.throw(key, salt, turn, tables, drawn)
                    if turn == 0:  # every pair of white dice comes up equally often
                        drawn[0] = 1 + (first + sample) % faces
                        drawn[1] = 1 + (first + sample) // faces % faces
                    kernel.roll(state, drawn)
                    play_dice(tables, game, buffers)
                elif kernel.waits_for_chance(state):
                    chance.act(state, tables, key, salt, drawn)
                else:
                    act(tables, -1, kernel.PASS, game, buffers)
            values[sample, option] = win_chance(e.value(state, tables, seat, buffers, None), state[kernel.PLAYERS])
    keep_alive((ints, floats, tables_, weights))


win_chance, act, play_dice = compiled(_win_chance), compiled(_act), compiled(_play_dice)
# Compiled when this module is imported, not when a decision is due.
_INTS, _STATES = types.Array(INT, 1, "C"), types.Array(INT, 2, "C")
_WEIGHTS, _VALUES, _ROWS = types.float32[::1], types.float64[::1], types.float64[:, ::1]
_settle_compiled = compile_for(compiled(_settle), types.void(_INTS, _INTS, INT, _INTS, _WEIGHTS, _STATES, _VALUES))
_roll_out_compiled = compile_for(
    compiled(_roll_out), types.void(_STATES, _INTS, INT, _INTS, INT, INT, INT, _WEIGHTS, _ROWS)
)


def settle(view: View, actions: Sequence[int], weights: Weights) -> tuple[Array, Doubles]:
    """For every action of the seat that looks the state after this turn, and its value.

    With cards it is as much of the turn as the seat can foresee.
    """
    tables, state = np.array(view.variant.tables, np.int64), np.array(view.state, np.int64)
    after, values = np.zeros((len(actions), state.size), np.int64), np.zeros(len(actions))
    _settle_compiled(state, tables, view.seat, np.array(actions, np.int64), weights, after, values)
    return after, values


def starts_of(view: View, after: Array) -> Array:
    """Where roll-outs begin: with dice after this turn, with cards now."""
    return np.array([view.state] * len(after), np.int64) if view.variant.cards else after


def roll_out(
    view: View, starts: Array, actions: Array, weights: Weights, turns: int, samples: int, seed: int, first: int = 0
) -> Doubles:
    """A row per sample: the value of each start some turns later, with cards after the action there."""
    values = np.zeros((samples, len(starts)))
    tables = np.array(view.variant.tables, np.int64)
    _roll_out_compiled(starts, tables, view.seat, actions, turns, seed, first, weights, values)
    return values
