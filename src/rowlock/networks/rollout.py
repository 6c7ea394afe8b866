"""Roll-outs: plays some turns after an option, all seats as the champion, and evaluates the state there.

All options get the same dice or cards. Hidden cards are sampled uniformly from all consistent deals, and every seat
decides only by what it may know.
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

evaluation: Any = compiled_copy(_evaluation)
Doubles = NDArray[np.float64]


def _win_chance(value: float, players: int) -> float:
    """Convert log odds to a probability; alone, points are returned as they are."""
    return value if players == 1 else 1.0 / (1.0 + np.exp(-value))


def _simulate(state_: Array, tables_: Array, seat: int, actions: Array, weights: Any, after: Any, values: Any) -> None:
    """Write the state after this turn and its value for every action."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    state, tables = pointer(state_), pointer(tables_)
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    simulated, players = buffers[1], state[kernel.PLAYERS]
    colour = evaluation.plan_others(state, tables, seat, buffers)
    for option in range(actions.size):
        evaluation.simulate_turn(state, tables, seat, actions[option], colour, buffers)
        values[option] = win_chance(evaluation.state_value(simulated, tables, seat, buffers, None), players)
        for place in range(state_.size):
            after[option, place] = simulated[place]
    keep_alive((ints, floats, state_, tables_, weights))


def _play_decisions(tables: Any, seat: int, action: int, game: Any, buffers: Any) -> None:
    """Play the decisions of all seats that are to act: a given action for one seat, the champion's for the others."""
    state, seen, _, found, chosen = game
    for player in range(state[kernel.PLAYERS]):
        if player == seat:
            chosen[player] = action
        elif (kernel.to_act(state) >> player) & 1 == 1:
            kernel.copy_for_seat(state, player, seen)
            count = kernel.options(seen, tables, player, found, buffers[0])
            chosen[player] = found[evaluation.decide(seen, tables, player, found, count, buffers, None)]
    kernel.act(state, tables, chosen, buffers[0])


def _play_dice_turn(tables: Any, game: Any, buffers: Any) -> None:
    """Play a turn with dice as all players plan it at its beginning."""
    state, decisions = game[0], buffers[3]
    colour = evaluation.plan_others(state, tables, -1, buffers)
    for player in range(state[kernel.PLAYERS]):
        decisions[player] = decisions[workspace.PLANS + player]
    kernel.copy_state(state, 0, buffers[1], 0)
    kernel.act(buffers[1], tables, decisions, buffers[0])
    if buffers[1][kernel.PHASE] == kernel.COLOUR:
        evaluation.play_planned_colour(tables, colour, buffers)
    kernel.copy_state(buffers[1], 0, state, 0)


def _roll_out(
    starts: Array, tables_: Array, seat: int, actions: Array, turns: int, seed: int, first: int, weights: Any,
    values: Any,
) -> None:  # fmt: skip
    """Play on from each start, with cards after a seat's action there; writes a row of values per sample."""
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
                play_decisions(tables, seat, actions[option], game, buffers)
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
                    play_dice_turn(tables, game, buffers)
                elif kernel.waits_for_chance(state):
                    chance.act(state, tables, key, salt, drawn)
                else:
                    play_decisions(tables, -1, kernel.PASS, game, buffers)
            value = evaluation.state_value(state, tables, seat, buffers, None)
            values[sample, option] = win_chance(value, state[kernel.PLAYERS])
    keep_alive((ints, floats, tables_, weights))


win_chance, play_decisions, play_dice_turn = compiled(_win_chance), compiled(_play_decisions), compiled(_play_dice_turn)
# Compiled at import, so that no decision has to wait for it.
_INTS, _STATES = types.Array(INT, 1, "C"), types.Array(INT, 2, "C")
_WEIGHTS, _VALUES, _ROWS = types.float32[::1], types.float64[::1], types.float64[:, ::1]
_simulate_compiled = compile_for(compiled(_simulate), types.void(_INTS, _INTS, INT, _INTS, _WEIGHTS, _STATES, _VALUES))
_roll_out_compiled = compile_for(
    compiled(_roll_out), types.void(_STATES, _INTS, INT, _INTS, INT, INT, INT, _WEIGHTS, _ROWS)
)


def simulate_actions(view: View, actions: Sequence[int], weights: Weights) -> tuple[Array, Doubles]:
    """The state after this turn and its value, for every action of the view's seat.

    With cards the turn is simulated as far as the seat can know it.
    """
    tables, state = np.array(view.variant.tables, np.int64), np.array(view.state, np.int64)
    after, values = np.zeros((len(actions), state.size), np.int64), np.zeros(len(actions))
    _simulate_compiled(state, tables, view.seat, np.array(actions, np.int64), weights, after, values)
    return after, values


def rollout_starts(view: View, after: Array) -> Array:
    """The states from which roll-outs begin: with dice those after this turn, with cards the present one."""
    return np.array([view.state] * len(after), np.int64) if view.variant.cards else after


def roll_out(
    view: View, starts: Array, actions: Array, weights: Weights, turns: int, samples: int, seed: int, first: int = 0
) -> Doubles:
    """The value of each start some turns later, a row per sample; with cards after the action for that start."""
    values = np.zeros((samples, len(starts)))
    tables = np.array(view.variant.tables, np.int64)
    _roll_out_compiled(starts, tables, view.seat, actions, turns, seed, first, weights, values)
    return values
