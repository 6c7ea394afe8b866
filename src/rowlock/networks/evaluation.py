"""Decides by the probability of winning, alone by expected points, as the champion's network evaluates games.

The dice of this turn are known, so the player to act looks at all that can still happen in it: the active player at
every pair of a white and a colour action, with the marks that the others are likely to make; the others at their own
mark after what the active player is likely to do. What ends the game is valued exactly.

With cards, a player who takes some knows their numbers only, and nobody knows what another will play: there the network
evaluates before the turn is over. Others' rows stay open whatever one locks, so their marks are not foreseen.
"""

from math import log

from rowlock.fast.workspace import COLOUR_PLAN, PLANS, SAVED_STATE, WHITE_OPTIONS, NetworkBuffers
from rowlock.networks import gaussian, network
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints

SURE = 50.0  # more than the log odds of anything that is still open
NEVER = -1e9
Scholar = bool | None  # whose network evaluates: None for the champion's, a constant by which code is left out


def outcome(state: Ints, tables: Ints, seat: int) -> float:
    """What a game that is over is worth: the log odds of a share of the win, or points."""
    own = kernel.total(state, kernel.sheet_at(seat), tables)
    if state[kernel.PLAYERS] == 1:
        return own / 100.0
    best = kernel.best_of_others(state, tables, seat)
    if own == best:
        return -log(float(kernel.bits(kernel.winners(state, tables)) - 1))
    return (SURE if own > best else -SURE) + (own - best) / 100.0


def value(state: Ints, tables: Ints, seat: int, buffers: NetworkBuffers, scholar: Scholar) -> float:
    if state[kernel.PHASE] == kernel.OVER:
        return outcome(state, tables, seat)
    if scholar is not None:
        return gaussian.value(state, tables, seat, buffers[5], buffers[4])
    output = network.POINTS if state[kernel.PLAYERS] == 1 else network.ODDS
    return network.evaluate(state, tables, seat, output, buffers[2], buffers[5], buffers[4])


def best_colour(tables: Ints, seat: int, buffers: NetworkBuffers, scholar: Scholar) -> float:
    """The value of the best colour action in the imagined state; the action itself becomes the plan."""
    spare, imagined, found, decisions, _, _ = buffers
    kernel.copy_state(imagined, 0, imagined, SAVED_STATE)
    best = NEVER
    for option in range(kernel.options(imagined, tables, seat, found, spare)):
        decisions[seat] = found[option]
        kernel.act(imagined, tables, decisions, spare)
        worth = value(imagined, tables, seat, buffers, scholar)
        kernel.copy_state(imagined, SAVED_STATE, imagined, 0)
        if worth > best:
            best = worth
            decisions[COLOUR_PLAN] = found[option]
    return best


def worth_of(state: Ints, tables: Ints, seat: int, action: int, buffers: NetworkBuffers, scholar: Scholar) -> float:
    """The value of an action as if all others passed, for the active player with the best colour action after it."""
    spare, imagined, _, decisions, _, _ = buffers
    kernel.act_alone(state, tables, seat, action, imagined, decisions, spare)
    if imagined[kernel.PHASE] == kernel.COLOUR:
        if seat == imagined[kernel.ACTIVE]:
            return best_colour(tables, seat, buffers, scholar)
        kernel.next_turn(imagined)  # as if the active player had nothing left to decide
    return value(imagined, tables, seat, buffers, scholar)


def plan(state: Ints, tables: Ints, seat: int, buffers: NetworkBuffers) -> None:
    """What a player would do in the white action if all others passed; for the active one in the colour action too."""
    spare, _, found, decisions, _, _ = buffers
    count = kernel.options(state, tables, seat, found, spare)
    for option in range(count):
        found[WHITE_OPTIONS + option] = found[option]
    best = NEVER
    colour = kernel.PASS
    for option in range(count):
        decisions[COLOUR_PLAN] = kernel.PASS
        worth = worth_of(state, tables, seat, found[WHITE_OPTIONS + option], buffers, None)
        if worth > best:
            best = worth
            decisions[PLANS + seat] = found[WHITE_OPTIONS + option]
            colour = decisions[COLOUR_PLAN]
    decisions[COLOUR_PLAN] = colour


def follow(tables: Ints, colour: int, buffers: NetworkBuffers) -> None:
    """In the imagined state the active player's colour action as planned, or none where it is no longer an option."""
    spare, imagined, found, decisions, _, _ = buffers
    active = imagined[kernel.ACTIVE]
    decisions[active] = kernel.PASS
    for option in range(kernel.options(imagined, tables, active, found, spare)):
        if found[option] == colour:
            decisions[active] = colour
    kernel.act(imagined, tables, decisions, spare)


def settle(state: Ints, tables: Ints, seat: int, action: int, colour: int, buffers: NetworkBuffers) -> None:
    """Imagine the rest of this turn: a player's action, all others doing as planned."""
    spare, imagined, _, decisions, _, _ = buffers
    kernel.copy_state(state, 0, imagined, 0)
    for player in range(state[kernel.PLAYERS]):
        decisions[player] = decisions[PLANS + player]
    decisions[seat] = action
    kernel.act(imagined, tables, decisions, spare)
    if imagined[kernel.PHASE] == kernel.COLOUR:
        if seat == state[kernel.ACTIVE]:
            best_colour(tables, seat, buffers, None)
            decisions[seat] = decisions[COLOUR_PLAN]
            kernel.act(imagined, tables, decisions, spare)
        elif tables[kernel.T_CARDS] == 0:
            follow(tables, colour, buffers)


def plan_others(state: Ints, tables: Ints, seat: int, buffers: NetworkBuffers) -> int:
    """In a white action, plan for all others; the active player's colour action comes back. With cards they pass."""
    decisions = buffers[3]
    colour = kernel.PASS
    if state[kernel.PHASE] == kernel.WHITE:
        for other in range(state[kernel.PLAYERS]):
            decisions[PLANS + other] = kernel.PASS
            if other != seat and tables[kernel.T_CARDS] == 0:
                plan(state, tables, other, buffers)
                if other == state[kernel.ACTIVE]:
                    colour = decisions[COLOUR_PLAN]
    return colour


def decide(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, buffers: NetworkBuffers, scholar: Scholar
) -> int:
    """Which of the actions, by its place; the scholar decides as if all others passed."""
    if count == 1:
        return 0
    choice = 0
    best = NEVER
    colour = kernel.PASS
    if scholar is None:
        colour = plan_others(state, tables, seat, buffers)
    for option in range(count):
        if scholar is None:
            settle(state, tables, seat, actions[option], colour, buffers)
            worth = value(buffers[1], tables, seat, buffers, scholar)
        else:
            worth = worth_of(state, tables, seat, actions[option], buffers, scholar)
        if worth > best:
            best = worth
            choice = option
    return choice
