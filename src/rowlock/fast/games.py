"""Whole games between compiled bots, without Python in the loop."""

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
from numpy.typing import NDArray

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
from rowlock.fast.rules import chance, kernel
from rowlock.rules.variant import Setup

Array = NDArray[np.int64]

# A row of results: turns, reason (or -1 - bot if that bot's choice was not an option), decisions, then per bot: points,
# misthrows, rows locked.
TURNS, REASON, DECISIONS, BOTS = 0, 1, 2, 3
POINTS, MISTHROWS, LOCKED, PER_BOT = 0, 1, 2, 3
# The most decisions of a game: in every turn all players decide, the active one up to three times.
MAX_DECISIONS = kernel.MAX_PLAYERS * kernel.MAX_TURNS * (kernel.MAX_PLAYERS + 2)


def _play_games(
    tables_: Array, jokers: int, bots: Any, data_: Any, orders: Array, seed: int, first: int, results: Array,
    log: Array,
) -> None:  # fmt: skip
    """Play games `first`, `first + 1`, ... and write a row of results for each; log actions if `log` is not empty."""
    players = orders.shape[1]
    ints, floats = np.zeros(workspace.INTS, np.int64), np.zeros(workspace.FLOATS, np.float32)
    tables = pointer(tables_)
    state, seen, drawn, found, decisions = game_buffers(pointer(ints))
    bot_tuple = bot_buffers(pointer(ints), pointer(floats))
    scratch, buffers = bot_tuple[0], tuple_pointer((bot_tuple,))
    view = seen if tables[kernel.T_CARDS] > 0 else state  # with dice nothing is hidden
    bot_data = tuple_pointer(
        (
            (pointer(data_[0][0]), pointer(data_[0][1])),
            (pointer(data_[1][0]), pointer(data_[1][1])),
            (pointer(data_[2][0]), pointer(data_[2][1])),
            (pointer(data_[3][0]), pointer(data_[3][1])),
            (pointer(data_[4][0]), pointer(data_[4][1])),
        )
    )
    logging = log.size > 0
    for row in range(results.shape[0]):
        game = first + row
        order = game % orders.shape[0]
        key = chance.game_key(seed, game)
        salt = chance.game_salt(seed, game)
        made = 0
        broken = -1  # the bot whose choice is not an option: that ends the game
        kernel.start(state, tables, players)
        state[kernel.JOKERS] = jokers
        while state[kernel.PHASE] != kernel.OVER:
            turn = state[kernel.TURN]
            chance.act(state, tables, key, salt, drawn)
            waiting = kernel.to_act(state)
            while waiting != 0:
                phase = state[kernel.PHASE]
                for seat in range(players):
                    if (waiting >> seat) & 1 == 0:
                        continue
                    count = kernel.options(state, tables, seat, found, scratch)
                    bot = orders[order, seat]
                    option = 0
                    if count > 1:  # a single option needs no decision
                        if tables[kernel.T_CARDS] > 0:
                            kernel.copy_for_seat(state, seat, seen)
                        word = chance.draw(key, salt, turn, chance.decision_slot(phase, seat))
                        data = pointer_offset(bot_data, bot)
                        option = bots[bot](view, tables, seat, found, count, word, buffers, data)
                    if option < 0 or option >= count:
                        broken = bot
                        state[kernel.PHASE] = kernel.OVER
                        break
                    decisions[seat] = found[option]
                    if logging:
                        log[made] = decisions[seat]
                    made += 1
                if broken < 0:
                    kernel.act(state, tables, decisions, scratch)
                waiting = kernel.to_act(state)
        results[row, TURNS] = state[kernel.TURN]
        results[row, REASON] = state[kernel.REASON] if broken < 0 else -1 - broken
        results[row, DECISIONS] = made
        for seat in range(players):
            sheet = kernel.sheet_at(seat)
            at = BOTS + PER_BOT * orders[order, seat]
            results[row, at + POINTS] = kernel.total(state, sheet, tables)
            results[row, at + MISTHROWS] = state[sheet + kernel.MISTHROWS]
            results[row, at + LOCKED] = kernel.bits(state[sheet + kernel.LOCKS])
    keep_alive((ints, floats, tables_))  # the caller keeps the bots' data alive


_ARRAY, _TABLE = types.Array(INT, 1, "C"), types.Array(INT, 2, "C")
_BOTS = types.UniTuple(CHOOSE, kernel.MAX_PLAYERS)
_BOT_DATA = types.UniTuple(BOT_DATA_ARRAYS, kernel.MAX_PLAYERS)
_play_games_compiled = compile_for(
    compiled(_play_games), types.void(_ARRAY, INT, _BOTS, _BOT_DATA, _TABLE, INT, INT, _TABLE, _ARRAY)
)


def seat_orders(players: int) -> list[tuple[int, ...]]:
    """All orders of players in the seats; game g uses order g mod n!, so that starting favours nobody."""
    return list(permutations(range(players)))


# A bot in compiled games: its function and its read-only data.
Player = tuple[Any, Any]


def play_games(setup: Setup, bots: Sequence[Player], seed: int, first: int, count: int) -> Array:
    """The results of `count` games, from game `first` on."""
    return _run(setup, bots, seed, first, count, np.zeros(0, np.int64))


def game_actions(setup: Setup, bots: Sequence[Player], seed: int, game: int) -> list[int]:
    """The actions of one game in the order of decisions."""
    log = np.zeros(MAX_DECISIONS, np.int64)
    results = _run(setup, bots, seed, game, 1, log)
    return [int(action) for action in log[: results[0, DECISIONS]]]


def _run(setup: Setup, bots: Sequence[Player], seed: int, first: int, count: int, log: Array) -> Array:
    results = np.zeros((count, BOTS + PER_BOT * len(bots)), np.int64)
    padding = [bots[0]] * (kernel.MAX_PLAYERS - len(bots))
    functions, bot_data = zip(*bots, *padding, strict=True)
    tables = np.array(setup.variant.tables, np.int64)
    orders = np.array(seat_orders(len(bots)), np.int64)
    _play_games_compiled(tables, int(setup.jokers), functions, bot_data, orders, seed, first, results, log)
    return results
