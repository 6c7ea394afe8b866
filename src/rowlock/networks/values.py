"""The values of nodes and options in compiled code, for Python: what reviews and hints are made of."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rowlock.fast import workspace
from rowlock.fast.compiled import compile_for, compiled, compiled_copy
from rowlock.fast.pointer import INT, bot_buffers, game_buffers, keep_alive, pointer, types
from rowlock.fast.results import Array
from rowlock.networks import option_values as _option_values
from rowlock.networks import playout as _playout
from rowlock.networks.weights import Weights
from rowlock.rules import kernel
from rowlock.rules.variant import Variant

playout: Any = compiled_copy(_playout)
option_values: Any = compiled_copy(_option_values)


def _node_value(state: Array, tables: Array, decided: int, depth: int, seed: int, work: Array, weights: Any) -> Any:
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    game = game_buffers(pointer(ints))
    playout.node_value(pointer(state), pointer(tables), decided, depth, seed, pointer(work), game, buffers)
    keep_alive((ints, floats, state, tables, work, weights))
    return floats


def _write_option_values(
    state: Array, tables: Array, seat: int, actions: Array, played: int, depth: int, seed: int, work: Array,
    weights: Any, floats: Any,
) -> int:  # fmt: skip
    ints = np.zeros(workspace.INTS, np.int64)
    buffers = (*bot_buffers(pointer(ints), pointer(floats)), pointer(weights))
    game = game_buffers(pointer(ints))
    samples: int = option_values.write_values(
        pointer(state), pointer(tables), seat, pointer(actions), actions.size, played, depth, seed, pointer(work), game,
        buffers,
    )  # fmt: skip
    keep_alive((ints, floats, state, tables, actions, work, weights))
    return samples


_INTS, _FLOATS = types.Array(INT, 1, "C"), types.float32[::1]
_node_value_compiled = compile_for(compiled(_node_value), _FLOATS(_INTS, _INTS, INT, INT, INT, _INTS, _FLOATS))
_option_values_compiled = compile_for(
    compiled(_write_option_values), INT(_INTS, _INTS, INT, _INTS, INT, INT, INT, _INTS, _FLOATS, _FLOATS)
)


class OptionValues(NamedTuple):
    """The value of each option for the player, and how far off its difference to the best one may be."""

    values: NDArray[np.float32]
    errors: NDArray[np.float32]  # standard errors; 0 for options that were not rolled out
    samples: int  # roll-outs of each candidate


def node_value(
    variant: Variant, state: Sequence[int], decisions: Mapping[int, int], weights: Weights, depth: int, seed: int
) -> list[float]:
    """The value of a state for each player, after the actions that some players have decided on."""
    work = np.zeros(workspace.WORK, np.int64)
    for player, action in decisions.items():
        work[workspace.GIVEN + player] = action
    decided = sum(1 << player for player in decisions)
    tables = np.array(variant.tables, np.int64)
    floats = _node_value_compiled(np.array(state, np.int64), tables, decided, depth, seed, work, weights)
    players = state[kernel.PLAYERS]
    return [float(value) for value in floats[workspace.VALUES : workspace.VALUES + players]]


def values_of_options(
    variant: Variant, state: Sequence[int], seat: int, actions: Sequence[int], weights: Weights, depth: int, seed: int,
    played: int = -1,
) -> OptionValues:  # fmt: skip
    """The values of a seat's actions, from what the seat knows of the state; `played` is an index of `actions`."""
    work, floats = np.zeros(workspace.WORK, np.int64), np.zeros(workspace.FLOATS, np.float32)
    tables, codes = np.array(variant.tables, np.int64), np.array(actions, np.int64)
    samples = _option_values_compiled(
        np.array(state, np.int64), tables, seat, codes, played, depth, seed, work, weights, floats
    )
    begin, end = workspace.VALUES, workspace.VALUES + len(actions)
    errors = floats[workspace.ERRORS : workspace.ERRORS + len(actions)]
    return OptionValues(floats[begin:end], errors, samples)
