"""Chooses the action with the highest probability of winning, or the most expected points in a solo game.

In dice games the dice of this turn are known: a network evaluates the states after the turn. The active player compares
all pairs of a white and a colour action, after the likely marks of the others. Another player compares all of its
marks, after the likely actions of all others. Finished games have exact values.

In card games a player knows only the numbers of the cards to take, and nobody knows what another will play: the network
evaluates states before the turn is over. Others' marks are not predicted: in card games they close no row of this
player. Actions are integer codes of the kernel; the buffer `options` contains actions.
"""

from math import log

from rowlock.fast.workspace import COLOUR_PLAN, PLANS, SAVED_STATE, WHITE_OPTIONS, NetworkBuffers
from rowlock.networks import gaussian, network
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

CERTAIN = 50.0  # larger than the log odds of any state in which the game goes on
WORST = -1e9  # below every value
NO_SEAT = -1
Flag = bool | None  # None instead of False: Numba then leaves out the code that the flag switches on


def final_value(state: Ints, tables: Ints, seat: int) -> float:
    """The value of a finished game: the log odds of the share of the win, or points in hundreds in a solo game.

    The scholar's values of other states have another scale, but 0 is an even game on both.
    """
    own = kernel.total(state, kernel.sheet_at(seat), tables)
    if state[kernel.PLAYERS] == 1:
        return own / 100.0
    best = kernel.best_of_others(state, tables, seat)
    if own == best:
        return -log(float(kernel.bits(kernel.winners(state, tables)) - 1))  # a share of 1/n has the odds 1 : n - 1
    return (CERTAIN if own > best else -CERTAIN) + (own - best) / 100.0


def state_value(state: Ints, tables: Ints, seat: int, buffers: NetworkBuffers, scholar: Flag) -> float:
    """The value of a state for a seat, by the network of the champion, or of the scholar if that flag is set."""
    if state[kernel.PHASE] == kernel.OVER:
        return final_value(state, tables, seat)
    _, _, options, _, floats, weights = buffers
    if scholar is not None:
        return gaussian.value(state, tables, seat, weights, floats)
    output = network.POINTS if state[kernel.PLAYERS] == 1 else network.ODDS
    return network.evaluate(state, tables, seat, output, options, weights, floats)


def best_colour(tables: Ints, seat: int, buffers: NetworkBuffers, scholar: Flag) -> float:
    """The value of the best colour action in the simulated state; the action is written to COLOUR_PLAN."""
    scratch, simulated, options, decisions, _, _ = buffers
    kernel.copy_state(simulated, 0, simulated, SAVED_STATE)
    best = WORST
    for i in range(kernel.options(simulated, tables, seat, options, scratch)):
        decisions[seat] = options[i]
        kernel.act(simulated, tables, decisions, scratch)
        value = state_value(simulated, tables, seat, buffers, scholar)
        kernel.copy_state(simulated, SAVED_STATE, simulated, 0)
        if value > best:
            best = value
            decisions[COLOUR_PLAN] = options[i]
    return best


def action_value(state: Ints, tables: Ints, seat: int, action: int, buffers: NetworkBuffers, scholar: Flag) -> float:
    """The value of an action if all others pass; the active player takes the best colour action after it."""
    scratch, simulated, _, decisions, _, _ = buffers
    kernel.act_alone(state, tables, seat, action, simulated, decisions, scratch)
    if simulated[kernel.PHASE] == kernel.COLOUR:
        if seat == simulated[kernel.ACTIVE]:
            return best_colour(tables, seat, buffers, scholar)
        kernel.next_turn(simulated)  # the active player passes the colour action
    return state_value(simulated, tables, seat, buffers, scholar)


def plan_seat(state: Ints, tables: Ints, seat: int, buffers: NetworkBuffers) -> None:
    """Plan a player's white action as if all others passed; for the active player, plan the colour action too."""
    scratch, _, options, decisions, _, _ = buffers
    count = kernel.options(state, tables, seat, options, scratch)
    for i in range(count):
        options[WHITE_OPTIONS + i] = options[i]
    best, planned_colour = WORST, kernel.PASS
    for i in range(count):
        decisions[COLOUR_PLAN] = kernel.PASS
        value = action_value(state, tables, seat, options[WHITE_OPTIONS + i], buffers, None)
        if value > best:
            best = value
            decisions[PLANS + seat] = options[WHITE_OPTIONS + i]
            planned_colour = decisions[COLOUR_PLAN]
    decisions[COLOUR_PLAN] = planned_colour


def play_planned_colour(tables: Ints, planned_colour: int, buffers: NetworkBuffers) -> None:
    """Play the active player's planned colour action in the simulated state, or pass if it is no longer legal."""
    scratch, simulated, options, decisions, _, _ = buffers
    active = simulated[kernel.ACTIVE]
    decisions[active] = kernel.PASS
    for i in range(kernel.options(simulated, tables, active, options, scratch)):
        if options[i] == planned_colour:
            decisions[active] = planned_colour
    kernel.act(simulated, tables, decisions, scratch)


def simulate_turn(
    state: Ints, tables: Ints, seat: int, action: int, planned_colour: int, buffers: NetworkBuffers
) -> None:
    """Simulate the rest of this turn: `seat` takes `action`, all others act as planned; with NO_SEAT all players do."""
    scratch, simulated, _, decisions, _, _ = buffers
    kernel.copy_state(state, 0, simulated, 0)
    for player in range(state[kernel.PLAYERS]):
        decisions[player] = action if player == seat else decisions[PLANS + player]
    kernel.act(simulated, tables, decisions, scratch)
    if simulated[kernel.PHASE] == kernel.COLOUR:
        if seat == state[kernel.ACTIVE]:
            best_colour(tables, seat, buffers, None)
            decisions[seat] = decisions[COLOUR_PLAN]
            kernel.act(simulated, tables, decisions, scratch)
        elif tables[kernel.T_CARDS] == 0:  # in card games the simulation ends before another player plays cards
            play_planned_colour(tables, planned_colour, buffers)


def plan_others(state: Ints, tables: Ints, seat: int, buffers: NetworkBuffers) -> int:
    """Plan all others' white actions (in card games: pass); returns the active player's planned colour action."""
    _, _, _, decisions, _, _ = buffers
    planned_colour = kernel.PASS
    if state[kernel.PHASE] == kernel.WHITE:  # in all other phases only the active player acts
        for other in range(state[kernel.PLAYERS]):
            decisions[PLANS + other] = kernel.PASS
            if other != seat and tables[kernel.T_CARDS] == 0:
                plan_seat(state, tables, other, buffers)
                if other == state[kernel.ACTIVE]:
                    planned_colour = decisions[COLOUR_PLAN]
    return planned_colour


def decide(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, buffers: NetworkBuffers, scholar: Flag
) -> int:
    """The index of the best action; the scholar assumes that all others pass."""
    if count == 1:
        return 0
    _, simulated, _, _, _, _ = buffers
    choice, best, planned_colour = 0, WORST, kernel.PASS
    if scholar is None:
        planned_colour = plan_others(state, tables, seat, buffers)
    for i in range(count):
        if scholar is None:
            simulate_turn(state, tables, seat, actions[i], planned_colour, buffers)
            value = state_value(simulated, tables, seat, buffers, scholar)
        else:
            value = action_value(state, tables, seat, actions[i], buffers, scholar)
        if value > best:
            best = value
            choice = i
    return choice
