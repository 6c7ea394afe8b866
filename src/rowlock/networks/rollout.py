"""Roll-outs: play some turns after an action, with the champion in every seat, and evaluate the state reached.

All actions get the same dice or cards. Hidden cards are sampled uniformly from all deals consistent with the view, and
every seat decides only by what it may know.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.fast import workspace
from rowlock.fast.compiled import compile_for, compiled, compiled_copy
from rowlock.fast.pointer import INT, bot_buffers, game_buffers, keep_alive, pointer, types
from rowlock.fast.results import Array
from rowlock.fast.rules import chance, hidden_cards, kernel
from rowlock.networks import evaluation as _evaluation
from rowlock.networks import playout as _playout
from rowlock.networks.weights import Weights
from rowlock.rules.game import View

evaluation: Any = compiled_copy(_evaluation)
playout: Any = compiled_copy(_playout)


def _win_chance_or_points(value: float, players: int) -> float:
    """The win chance for a value in log odds; the value of a solo game, points in hundreds, is returned unchanged."""
    return value if players == 1 else 1.0 / (1.0 + np.exp(-value))


def _simulate(
    state_array: Array, tables_array: Array, seat: int, actions: Array, weights: Any, after: Any, values: Any
) -> None:
    """Write, for every action, the state after this turn to `after` and the value of that state to `values`."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    state, tables = pointer(state_array), pointer(tables_array)
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    _, simulated, _, _, _, _ = buffers
    planned_colour = evaluation.plan_others(state, tables, seat, buffers)
    for i in range(actions.size):
        evaluation.simulate_turn(state, tables, seat, actions[i], planned_colour, buffers)
        value = evaluation.state_value(simulated, tables, seat, buffers, None)
        values[i] = win_chance_or_points(value, state[kernel.PLAYERS])
        for k in range(state_array.size):
            after[i, k] = simulated[k]
    keep_alive((ints, floats, state_array, tables_array, weights))


def _roll_out(
    starts: Array, tables_array: Array, seat: int, actions: Array, turns: int, seed: int, first_sample: int,
    weights: Any, values: Any,
) -> None:  # fmt: skip
    """Play on from each start (in card games the seat first plays its action) and write a row of values per sample."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    tables, game_arrays = pointer(tables_array), game_buffers(pointer(ints))
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    state, _, drawn, _, chosen = game_arrays
    has_cards = tables[kernel.T_CARDS] > 0
    for index in range(values.shape[0]):
        sample = first_sample + index
        for i in range(starts.shape[0]):
            for k in range(starts.shape[1]):
                state[k] = starts[i, k]
            if has_cards:
                hidden_cards.sample(state, tables, chance.game_key(seed, sample), chance.game_salt(seed, sample), drawn)
                chosen[seat] = actions[i]
                playout.play_decisions(tables, 1 << seat, game_arrays, buffers)
            first_turn = starts[i, kernel.TURN] + has_cards  # in card games the rest of the present turn does not count
            playout.play_turns(tables, first_turn + turns, seed, sample, game_arrays, buffers)
            value = evaluation.state_value(state, tables, seat, buffers, None)
            values[index, i] = win_chance_or_points(value, state[kernel.PLAYERS])
    keep_alive((ints, floats, tables_array, weights))


win_chance_or_points = compiled(_win_chance_or_points)
# These are compiled when the module is imported, so that no decision has to wait for the compiler.
_INTS, _STATES = types.Array(INT, 1, "C"), types.Array(INT, 2, "C")
_WEIGHTS, _VALUES, _VALUE_ROWS = types.float32[::1], types.float64[::1], types.float64[:, ::1]
_simulate_compiled = compile_for(compiled(_simulate), types.void(_INTS, _INTS, INT, _INTS, _WEIGHTS, _STATES, _VALUES))
_roll_out_compiled = compile_for(
    compiled(_roll_out), types.void(_STATES, _INTS, INT, _INTS, INT, INT, INT, _WEIGHTS, _VALUE_ROWS)
)


def simulate_actions(view: View, actions: Sequence[int], weights: Weights) -> tuple[Array, NDArray[np.float64]]:
    """For every action, the state after this turn, in card games as far as the seat can know it, and its value."""
    tables, state = np.array(view.variant.tables, np.int64), np.array(view.state, np.int64)
    after, values = np.zeros((len(actions), state.size), np.int64), np.zeros(len(actions))
    _simulate_compiled(state, tables, view.seat, np.array(actions, np.int64), weights, after, values)
    return after, values


def rollout_starts(view: View, after: Array) -> Array:
    """The start of roll-outs per action: in dice games the state after this turn, in card games the present state."""
    return np.array([view.state] * len(after), np.int64) if view.variant.cards else after


def roll_out(
    view: View, starts: Array, actions: Array, weights: Weights, turns: int, samples: int, seed: int,
    first_sample: int = 0,
) -> NDArray[np.float64]:  # fmt: skip
    """The value of each start some turns later, a row per sample; in card games the seat first plays its action."""
    tables, values = np.array(view.variant.tables, np.int64), np.zeros((samples, len(starts)))
    _roll_out_compiled(starts, tables, view.seat, actions, turns, seed, first_sample, weights, values)
    return values
