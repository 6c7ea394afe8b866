"""Whole games between compiled bots, without Python in the loop."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from rowlock.fast import results as _results
from rowlock.fast import workspace
from rowlock.fast.compiled import compile_for, compiled
from rowlock.fast.pointer import (
    BOT_DATA_ARRAYS,
    CHOOSE,
    INT,
    bot_buffers,
    game_buffers,
    keep_alive,
    pointer,
    pointer_offset,
    tuple_pointer,
    types,
)
from rowlock.fast.results import BOTS, DECISIONS, LOCKED, MISTHROWS, PER_BOT, POINTS, REASON, TURNS, Array, seat_orders
from rowlock.fast.rules import chance, kernel
from rowlock.rules.variant import Setup

# The most decisions of a game. MAX_TURNS is for one player; in a turn the active player decides up to three times, the
# others once.
MAX_DECISIONS = kernel.MAX_PLAYERS * kernel.MAX_TURNS * (kernel.MAX_PLAYERS + 2)

order_index = compiled(_results.order_index)


def _play_games(
    tables_: Array, jokers: int, functions: Any, bot_data_: Any, orders: Array, seed: int, first: int, results: Array,
    log: Array,
) -> None:  # fmt: skip
    """Play games `first`, `first + 1`, ..., write a row of results for each, and log actions if `log` is not empty.

    `functions` and `bot_data_` are those of each bot; `orders[order, seat]` is the bot in a seat.
    """
    players = orders.shape[1]
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    tables = pointer(tables_)
    state, state_for_seat, drawn, actions, decisions = game_buffers(pointer(ints))
    bot_tuple = bot_buffers(pointer(ints), pointer(floats))
    scratch, _states, _options, _decisions, _floats = bot_tuple
    buffers = tuple_pointer((bot_tuple,))
    view = state_for_seat if tables[kernel.T_CARDS] > 0 else state  # in dice games nothing is hidden
    bot_data = tuple_pointer(pointer(bot_data_))
    logging = log.size > 0
    for row in range(results.shape[0]):
        game = first + row
        order = order_index(game, orders.shape[0])  # orders[order, seat] is the bot in that seat
        key, salt = chance.game_key(seed, game), chance.game_salt(seed, game)
        decision_count = 0
        illegal_bot = -1  # the bot whose choice is not an option, which ends the game; -1: none
        kernel.start(state, tables, players)
        state[kernel.JOKERS] = jokers
        while state[kernel.PHASE] != kernel.OVER:
            turn = state[kernel.TURN]
            chance.act(state, tables, key, salt, drawn)
            to_act = kernel.to_act(state)
            while to_act != 0:
                phase = state[kernel.PHASE]
                for seat in range(players):
                    if (to_act >> seat) & 1 == 0:
                        continue
                    count = kernel.options(state, tables, seat, actions, scratch)
                    bot = orders[order, seat]
                    choice = 0
                    if count > 1:  # the bot is not asked about a single option
                        if tables[kernel.T_CARDS] > 0:
                            kernel.copy_for_seat(state, seat, state_for_seat)
                        word = chance.random_word(key, salt, turn, chance.decision_slot(phase, seat))
                        data = pointer_offset(bot_data, bot)
                        choice = functions[bot](view, tables, seat, actions, count, word, buffers, data)
                    if choice < 0 or choice >= count:
                        illegal_bot = bot
                        state[kernel.PHASE] = kernel.OVER
                        break
                    decisions[seat] = actions[choice]
                    if logging:
                        log[decision_count] = decisions[seat]
                    decision_count += 1
                if illegal_bot < 0:
                    kernel.act(state, tables, decisions, scratch)
                to_act = kernel.to_act(state)
        results[row, TURNS] = state[kernel.TURN]
        results[row, REASON] = state[kernel.REASON] if illegal_bot < 0 else -1 - illegal_bot
        results[row, DECISIONS] = decision_count
        for seat in range(players):
            sheet = kernel.sheet_at(seat)
            column = BOTS + PER_BOT * orders[order, seat]
            results[row, column + POINTS] = kernel.total(state, sheet, tables)
            results[row, column + MISTHROWS] = state[sheet + kernel.MISTHROWS]
            results[row, column + LOCKED] = kernel.bits(state[sheet + kernel.LOCKS])
    keep_alive((ints, floats, tables_))  # the caller keeps the bots' data alive


ARRAY, ARRAY_2D = types.Array(INT, 1, "C"), types.Array(INT, 2, "C")
# The functions and the read-only data of the bots of a game.
FUNCTIONS = types.UniTuple(CHOOSE, kernel.MAX_PLAYERS)
BOT_DATA = types.UniTuple(BOT_DATA_ARRAYS, kernel.MAX_PLAYERS)
_play_games_compiled = compile_for(
    compiled(_play_games), types.void(ARRAY, INT, FUNCTIONS, BOT_DATA, ARRAY_2D, INT, INT, ARRAY_2D, ARRAY)
)


# A bot in compiled games: its function and its read-only data.
Player = tuple[Any, Any]


def functions_and_data(bots: Sequence[Player]) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """The functions and the data of bots, with fillers: tuples of compiled code have a fixed length."""
    functions, data = zip(*bots, *[bots[0]] * (kernel.MAX_PLAYERS - len(bots)), strict=True)
    return functions, data


def play_games(setup: Setup, bots: Sequence[Player], seed: int, first: int, count: int) -> Array:
    """Play `count` games from game `first` on, and return a row of results for each."""
    return _run(setup, bots, seed, first, count, np.zeros(0, np.int64))


def game_actions(setup: Setup, bots: Sequence[Player], seed: int, game: int) -> list[int]:
    """Play one game, and return the action codes of all decisions in their order."""
    log = np.zeros(MAX_DECISIONS, np.int64)
    results = _run(setup, bots, seed, game, 1, log)
    return [int(action) for action in log[: results[0, DECISIONS]]]


def _run(setup: Setup, bots: Sequence[Player], seed: int, first: int, count: int, log: Array) -> Array:
    results = np.zeros((count, BOTS + PER_BOT * len(bots)), np.int64)
    functions, bot_data = functions_and_data(bots)
    tables = np.array(setup.variant.tables, np.int64)
    orders = np.array(seat_orders(len(bots)), np.int64)
    _play_games_compiled(tables, int(setup.jokers), functions, bot_data, orders, seed, first, results, log)
    return results
