"""One decision of a compiled bot in a game that is played in Python."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from rowlock.fast import workspace
from rowlock.fast.compiled import compile_for, compiled
from rowlock.fast.pointer import BOT_DATA_ARRAYS, CHOOSE, INT, bot_buffers, keep_alive, pointer, tuple_pointer, types
from rowlock.fast.results import Array
from rowlock.rules.game import View
from rowlock.rules.variant import Variant


def _choose(function: Any, state: Array, tables: Array, seat: int, actions: Array, word: int, bot_data: Any) -> int:
    """Call a compiled bot with new buffers."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    buffers = tuple_pointer((bot_buffers(pointer(ints), pointer(floats)),))
    data = tuple_pointer((pointer(bot_data),))
    chosen: int = function(pointer(state), pointer(tables), seat, pointer(actions), actions.size, word, buffers, data)
    data_ints, data_floats = bot_data
    keep_alive((ints, floats, state, tables, actions, data_ints, data_floats))
    return chosen


_ARRAY = types.Array(INT, 1, "C")
_choose_compiled = compile_for(compiled(_choose), INT(CHOOSE, _ARRAY, _ARRAY, INT, _ARRAY, INT, BOT_DATA_ARRAYS))


def choose(function: Any, bot_data: Any, view: View, actions: Sequence[int], word: int) -> int:
    """The index of the action that a compiled bot chooses, given its read-only data and a random word of 32 bits."""
    state, codes = np.array(view.state, np.int64), np.array(actions, np.int64)
    return int(_choose_compiled(function, state, _tables(view.variant), view.seat, codes, word, bot_data))


@lru_cache(maxsize=64)
def _tables(variant: Variant) -> Array:
    return np.array(variant.tables, np.int64)
