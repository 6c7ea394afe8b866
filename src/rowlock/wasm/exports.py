"""The functions of `rowlock.wasm`: rules, chance, bots and values on one block of memory, for the browser client.

Each function receives a pointer to integers, the block with the parts below, and 32-bit arguments. `build` compiles
them to WebAssembly; `web/src/local/kernel.ts` calls them.
"""

from typing import Any

from rowlock.bots import champion, eager, evolved, greedy, random, rush
from rowlock.fast import workspace
from rowlock.fast.pointer import bot_buffers, game_buffers, slice_pointer, tuple_pointer
from rowlock.networks import option_values, playout
from rowlock.rules import chance, consequences, description, free_marks, kernel, obstacles

# The parts of the block, as indices of 64-bit integers.
TABLES = 0
STATE = TABLES + kernel.TABLES_SIZE
DRAWN = STATE + workspace.STATE_SIZE  # the dice, or the pile
ACTIONS = DRAWN + kernel.MAX_CARDS + 1
DECISIONS = ACTIONS + kernel.MAX_OPTIONS + 1  # an action per player
OUT = DECISIONS + kernel.MAX_PLAYERS  # a description
SEEN = OUT + description.DESCRIPTION  # the state without the cards that are hidden from a bot
SCRATCH = SEEN + workspace.STATE_SIZE
BOT = SCRATCH + kernel.SCRATCH_SIZE  # the buffers of a bot
WORK = BOT + workspace.INTS  # the buffer of reviews
SIZE = WORK + workspace.WORK


def start(ints: Any, players: int, jokers: int) -> int:
    """Begin a game of the variant in TABLES."""
    kernel.start(ints_at(ints, STATE), ints_at(ints, TABLES), players)
    ints[STATE + kernel.JOKERS] = jokers
    return kernel.state_size(players)


def ints_at(ints: Any, begin: int) -> Any:
    """A pointer to a part of the block."""
    return slice_pointer(ints, begin, SIZE - begin)


def set_lucky(ints: Any, player: int, low: int, high: int) -> int:
    kernel.set_lucky(ints_at(ints, STATE), player, low, high)
    return 0


def set_sheet(ints: Any, player: int, kind: int) -> int:
    ints[STATE + kernel.sheet_at(player) + kernel.KIND] = kind
    return 0


def draw_chance(ints: Any, high: int, low: int) -> int:
    """Throw the dice or shuffle the cards that come next with a seed of 32 + 32 bits; return how many cards."""
    seed = ((high & 0x7FFFFFFF) << 32) | (low & 0xFFFFFFFF)
    key, salt = chance.game_key(seed, 0), chance.game_salt(seed, 0)
    count: int = chance.draw(ints_at(ints, STATE), ints_at(ints, TABLES), key, salt, ints_at(ints, DRAWN))
    return count


def let_chance_act(ints: Any) -> int:
    """Let chance act with what is in DRAWN: roll, deal, or renew the pile."""
    kernel.let_chance_act(ints_at(ints, STATE), ints_at(ints, TABLES), ints_at(ints, DRAWN))
    return 0


def options(ints: Any, player: int) -> int:
    """Write the legal actions of a player to ACTIONS; return how many."""
    count: int = kernel.options(
        ints_at(ints, STATE), ints_at(ints, TABLES), player, ints_at(ints, ACTIONS), ints_at(ints, SCRATCH)
    )
    return count


def act(ints: Any) -> int:
    """Carry out the actions in DECISIONS; in a card game, then fill the display from the pile in DRAWN."""
    state, tables = ints_at(ints, STATE), ints_at(ints, TABLES)
    kernel.act(state, tables, ints_at(ints, DECISIONS), ints_at(ints, SCRATCH))
    kernel.draw_after_taking(state, tables, ints_at(ints, DRAWN))
    return 0


def describe_state(ints: Any, revealed: int) -> int:
    description.describe_state(ints_at(ints, STATE), ints_at(ints, TABLES), revealed != 0, ints_at(ints, OUT))
    return 0


def describe_option(ints: Any, player: int, action: int) -> int:
    state, tables, scratch = ints_at(ints, STATE), ints_at(ints, TABLES), ints_at(ints, SCRATCH)
    description.describe_option(state, tables, player, action, scratch, ints_at(ints, OUT))
    return 0


def why_not(ints: Any, player: int, spot: int, swap: int, chosen: int, decided: int) -> int:
    """The obstacle for a player who points at `spot`, or -1; its values are in OUT."""
    state, tables, scratch = ints_at(ints, STATE), ints_at(ints, TABLES), ints_at(ints, SCRATCH)
    obstacle: int = obstacles.why_not(state, tables, player, spot, swap, chosen, decided, scratch, ints_at(ints, OUT))
    return obstacle


def choose(ints: Any, floats: Any, data_ints: Any, weights: Any, bot: int, seat: int, count: int, word: int) -> int:
    """The index of the action that a bot, a number in `BOTS`, chooses among those in ACTIONS; `word` is random."""
    state, tables, actions = ints_at(ints, SEEN), ints_at(ints, TABLES), ints_at(ints, ACTIONS)
    kernel.copy_for_seat(ints_at(ints, STATE), seat, state)
    buffers = tuple_pointer((bot_buffers(ints_at(ints, BOT), floats),))
    data = tuple_pointer(((data_ints, weights),))
    word &= 0xFFFFFFFF
    if bot == 0:
        return int(random.choose(state, tables, seat, actions, count, word, buffers, data))
    if bot == 1:
        return int(eager.choose(state, tables, seat, actions, count, word, buffers, data))
    if bot == 2:
        return int(rush.choose(state, tables, seat, actions, count, word, buffers, data))
    if bot == 3:
        return int(greedy.choose(state, tables, seat, actions, count, word, buffers, data))
    if bot == 4:
        return int(evolved.choose(state, tables, seat, actions, count, word, buffers, data))
    return int(champion.choose(state, tables, seat, actions, count, word, buffers, data))


def node_value(ints: Any, floats: Any, weights: Any, decided: int, depth: int, seed: int) -> int:
    """Write the value of the state, after the DECISIONS of a bit set of players, for each player to the floats VALUES.

    The value is that for a spectator, who sees cards as soon as they are played.
    """
    state, tables, work = ints_at(ints, SEEN), ints_at(ints, TABLES), ints_at(ints, WORK)
    game = game_buffers(ints_at(ints, BOT))
    after, _, _, _, _ = game
    kernel.copy_state(ints_at(ints, STATE), 0, after, 0)
    active = after[kernel.ACTIVE]
    if (decided >> active) & 1 == 1 and kernel.plays_cards(ints[DECISIONS + active]):
        kernel.act(after, tables, ints_at(ints, DECISIONS), ints_at(ints, SCRATCH))
        decided = 0
    kernel.copy_for_seat(after, -1, state)
    for player in range(kernel.MAX_PLAYERS):
        work[workspace.GIVEN + player] = ints[DECISIONS + player]
    buffers = (*bot_buffers(ints_at(ints, BOT), floats), weights)
    playout.node_value(state, tables, decided, depth, seed, work, game, buffers)
    return 0


def write_option_values(
    ints: Any, floats: Any, weights: Any, seat: int, count: int, played: int, depth: int, seed: int
) -> int:
    """Write the values of the actions in ACTIONS for a seat to the floats VALUES and ERRORS; return the samples.

    `played` is the index of the action that was played, or -1.
    """
    state, tables, actions = ints_at(ints, SEEN), ints_at(ints, TABLES), ints_at(ints, ACTIONS)
    kernel.copy_for_seat(ints_at(ints, STATE), seat, state)
    buffers = (*bot_buffers(ints_at(ints, BOT), floats), weights)
    game, work = game_buffers(ints_at(ints, BOT)), ints_at(ints, WORK)
    samples: int = option_values.write_values(
        state, tables, seat, actions, count, played, depth, seed, work, game, buffers
    )
    return samples


def write_consequences(ints: Any, seat: int, action: int) -> int:
    """Write the consequences of a seat's action to OUT; return how many."""
    state, scratch, bot = ints_at(ints, SEEN), ints_at(ints, SCRATCH), ints_at(ints, BOT)
    kernel.copy_for_seat(ints_at(ints, STATE), seat, state)
    after, _, _, _, decisions = game_buffers(bot)
    count: int = consequences.write_consequences(
        state, ints_at(ints, TABLES), seat, action, after, decisions, scratch, ints_at(ints, OUT)
    )
    return count


# Sheets without dice


def free_options(ints: Any, player: int, closed: int) -> int:
    """Write what a player can mark, whatever was rolled, to ACTIONS, with a bit set of rows closed; return how many.

    `describe_free_option` then describes these actions.
    """
    state, tables = ints_at(ints, SEEN), ints_at(ints, TABLES)
    kernel.copy_state(ints_at(ints, STATE), 0, state, 0)
    free_marks.close_on_sheet(state, tables, player, closed)
    count: int = free_marks.free_options(state, tables, player, ints_at(ints, ACTIONS), ints_at(ints, SCRATCH))
    return count


def describe_free_option(ints: Any, player: int, action: int) -> int:
    state, tables, scratch = ints_at(ints, SEEN), ints_at(ints, TABLES), ints_at(ints, SCRATCH)
    free_marks.show_swap(state, tables, action)
    description.describe_option(state, tables, player, action, scratch, ints_at(ints, OUT))
    return 0


def locked_by_others(ints: Any, player: int) -> int:
    """The bit set of rows that others have locked since the last roll."""
    rows: int = free_marks.locked_by_others(ints_at(ints, STATE), ints_at(ints, TABLES), player)
    return rows


def doubtful_rows(ints: Any, player: int, action: int) -> int:
    """The bit set of these rows for which it matters to an action whether they are closed already."""
    state, tables, scratch = ints_at(ints, STATE), ints_at(ints, TABLES), ints_at(ints, SCRATCH)
    rows: int = free_marks.doubtful_rows(state, tables, player, action, ints_at(ints, SEEN), scratch)
    return rows


def mark_freely(ints: Any, player: int, action: int, closed: int) -> int:
    state, tables, scratch = ints_at(ints, STATE), ints_at(ints, TABLES), ints_at(ints, SCRATCH)
    free_marks.mark(state, tables, player, action, closed, scratch)
    return 0


def announce_roll(ints: Any) -> int:
    free_marks.new_roll(ints_at(ints, STATE), ints_at(ints, TABLES))
    return 0


def end_game(ints: Any) -> int:
    free_marks.end(ints_at(ints, STATE))
    return 0


def why_no_mark(ints: Any, player: int, spot: int) -> int:
    """The obstacle for a player who points at `spot`, whatever was rolled, or -1; its values are in OUT."""
    state, tables, scratch = ints_at(ints, STATE), ints_at(ints, TABLES), ints_at(ints, SCRATCH)
    obstacle: int = free_marks.why_not(state, tables, player, spot, scratch, ints_at(ints, OUT))
    return obstacle
