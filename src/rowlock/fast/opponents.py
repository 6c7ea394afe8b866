"""Choices of compiled bots in a batch."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rowlock.fast import workspace
from rowlock.fast.batch import Batch
from rowlock.fast.compiled import compile_for, compiled
from rowlock.fast.games import ARRAY, ARRAY_2D, BOT_DATA, FUNCTIONS, Player, functions_and_data
from rowlock.fast.pointer import INT, bot_buffers, keep_alive, pointer, pointer_offset, tuple_pointer, types
from rowlock.fast.results import Array
from rowlock.fast.rules import chance, kernel


def _ask(
    states: Array, tables_: Array, index_of: Array, functions: Any, bot_data_: Any, bots: Array, seed: int,
    numbers: Array, choices: Array,
) -> None:  # fmt: skip
    """Write the choices of bots: `bots[game, player]` is the bot in a seat, -1 if another chooses for this seat."""
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    actions_, view_ = np.zeros(kernel.MAX_OPTIONS, np.int64), np.zeros(states.shape[1], np.int64)
    tables, actions, view = pointer(tables_), pointer(actions_), pointer(view_)
    bot_tuple = bot_buffers(pointer(ints), pointer(floats))
    scratch, _states, _options, _decisions, _floats = bot_tuple
    buffers = tuple_pointer((bot_tuple,))
    bot_data = tuple_pointer(pointer(bot_data_))
    for game in range(states.shape[0]):
        state = pointer(states[game])
        to_act = kernel.to_act(state)
        key, salt = chance.game_key(seed, numbers[game]), chance.game_salt(seed, numbers[game])
        for player in range(choices.shape[1]):
            bot = bots[game, player]
            if bot < 0 or (to_act >> player) & 1 == 0:
                continue
            count = kernel.options(state, tables, player, actions, scratch)
            choice = 0
            if count > 1:  # the bot is not asked about a single option
                kernel.copy_for_seat(state, player, view)
                slot = chance.decision_slot(state[kernel.PHASE], player)
                word = chance.random_word(key, salt, state[kernel.TURN], slot)
                data = pointer_offset(bot_data, bot)
                choice = functions[bot](view, tables, player, actions, count, word, buffers, data)
            choices[game, player] = index_of[actions[choice]] if 0 <= choice < count else index_of.size
    keep_alive((states, tables_, ints, floats, actions_, view_))  # the caller keeps the bots' data alive


_ask_compiled = compile_for(
    compiled(_ask), types.void(ARRAY_2D, ARRAY, ARRAY, FUNCTIONS, BOT_DATA, ARRAY_2D, INT, ARRAY, ARRAY_2D)
)


def ask(batch: Batch, players: Sequence[Player], bots: Array, choices: Array) -> None:
    """Write the choices of bots: `bots[game, player]` is an index into `players`, -1 for a seat that is no bot's."""
    functions, bot_data = functions_and_data(players)
    _ask_compiled(
        batch.states, batch.tables, batch.index_of, functions, bot_data, bots, batch.seed, batch.numbers, choices
    )
