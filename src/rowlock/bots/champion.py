"""`champion` decides by the probability of winning, alone by expected points, as a network judges games between turns.

The dice of this turn are known, so whoever is to act looks at all that can still happen in it: the active player at
every pair of a white and a colour action, with the marks that the others are likely to make; the others at their own
mark after what the active player is likely to do. What ends the game is valued exactly.

With cards, whoever takes some knows their numbers only, and nobody knows what another will play: there the network
judges before the turn is over. Others' rows stay open whatever one locks, so their marks are not foreseen.
"""

from math import log
from typing import Any

from rowlock.bots import imagining as i
from rowlock.bots import network as n
from rowlock.bots.bot import Bot, Floats, KernelBot, Memory, Room
from rowlock.bots.weights import load_weights, missing_weights
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant

SURE = 50.0  # more than the log odds of anything that is still open
NEVER = -1e9

# Behind a bot's usual room: options of the white action, a state to go back to, and what everybody is likely to do,
# the active player's colour action last.
WHITES = k.MAX_OPTIONS
BACK = k.state_size(k.MAX_PLAYERS)
PLANS = k.MAX_PLAYERS
COLOUR_PLAN = PLANS + k.MAX_PLAYERS
# The kernel's spare room, an imagined state, options, decisions, float32 numbers; and weights.
Desk = tuple[Ints, Ints, Ints, Ints, Floats, Floats]


def outcome(state: Ints, tables: Ints, seat: int) -> float:
    """What a game that is over is worth: the log odds of a share of the win, or points."""
    own = k.total(state, k.sheet_at(seat), tables)
    if state[k.PLAYERS] == 1:
        return own / 100.0
    best = k.best_of_others(state, tables, seat)
    if own == best:
        return -log(float(k.bits(k.winners(state, tables)) - 1))
    return (SURE if own > best else -SURE) + (own - best) / 100.0


def value(state: Ints, tables: Ints, seat: int, desk: Desk) -> float:
    if state[k.PHASE] == k.OVER:
        return outcome(state, tables, seat)
    output = n.POINTS if state[k.PLAYERS] == 1 else n.ODDS
    return n.evaluate(state, tables, seat, output, desk[2], desk[5], desk[4])


def imagine(state: Ints, desk: Desk) -> None:
    for place in range(k.state_size(state[k.PLAYERS])):
        desk[1][place] = state[place]


def best_colour(tables: Ints, seat: int, desk: Desk) -> float:
    """The value of the best colour action in the imagined state; the action itself becomes the plan."""
    spare, imagined, found, decisions, _, _ = desk
    size = k.state_size(imagined[k.PLAYERS])
    for place in range(size):
        imagined[BACK + place] = imagined[place]
    best = NEVER
    for option in range(k.options(imagined, tables, seat, found, spare)):
        decisions[seat] = found[option]
        k.act(imagined, tables, decisions, spare)
        worth = value(imagined, tables, seat, desk)
        for place in range(size):
            imagined[place] = imagined[BACK + place]
        if worth > best:
            best = worth
            decisions[COLOUR_PLAN] = found[option]
    return best


def plan(state: Ints, tables: Ints, seat: int, desk: Desk) -> None:
    """What a player would do in the white action if all others passed; for the active one in the colour action too."""
    spare, imagined, found, decisions, _, _ = desk
    count = k.options(state, tables, seat, found, spare)
    for option in range(count):
        found[WHITES + option] = found[option]
    best = NEVER
    colour = k.PASS
    for option in range(count):
        i.act_alone(state, tables, seat, found[WHITES + option], imagined, decisions, spare)
        decisions[COLOUR_PLAN] = k.PASS
        if imagined[k.PHASE] == k.OVER:
            worth = value(imagined, tables, seat, desk)
        elif seat == state[k.ACTIVE]:
            worth = best_colour(tables, seat, desk)
        else:
            k.next_turn(imagined)  # as if the active player had nothing left to decide
            worth = value(imagined, tables, seat, desk)
        if worth > best:
            best = worth
            decisions[PLANS + seat] = found[WHITES + option]
            colour = decisions[COLOUR_PLAN]
    decisions[COLOUR_PLAN] = colour


def follow(tables: Ints, colour: int, desk: Desk) -> None:
    """In the imagined state the active player's colour action as planned, or none where it is no longer an option."""
    spare, imagined, found, decisions, _, _ = desk
    active = imagined[k.ACTIVE]
    decisions[active] = k.PASS
    for option in range(k.options(imagined, tables, active, found, spare)):
        if found[option] == colour:
            decisions[active] = colour
    k.act(imagined, tables, decisions, spare)


def settle(state: Ints, tables: Ints, seat: int, action: int, colour: int, desk: Desk) -> None:
    """Imagine the rest of this turn: a player's action, all others doing as planned."""
    spare, imagined, _, decisions, _, _ = desk
    imagine(state, desk)
    for player in range(state[k.PLAYERS]):
        decisions[player] = decisions[PLANS + player]
    decisions[seat] = action
    k.act(imagined, tables, decisions, spare)
    if imagined[k.PHASE] == k.COLOUR:
        if seat == state[k.ACTIVE]:
            best_colour(tables, seat, desk)
            decisions[seat] = decisions[COLOUR_PLAN]
            k.act(imagined, tables, decisions, spare)
        elif tables[k.T_CARDS] == 0:
            follow(tables, colour, desk)


def plan_others(state: Ints, tables: Ints, seat: int, desk: Desk) -> int:
    """In a white action, plan for all others; the active player's colour action comes back. With cards they pass."""
    decisions = desk[3]
    colour = k.PASS
    if state[k.PHASE] == k.WHITE:
        for other in range(state[k.PLAYERS]):
            decisions[PLANS + other] = k.PASS
            if other != seat and tables[k.T_CARDS] == 0:
                plan(state, tables, other, desk)
                if other == state[k.ACTIVE]:
                    colour = decisions[COLOUR_PLAN]
    return colour


def decide(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, desk: Desk) -> int:
    if count == 1:
        return 0
    choice = 0
    best = NEVER
    colour = plan_others(state, tables, seat, desk)
    for option in range(count):
        settle(state, tables, seat, actions[option], colour, desk)
        worth = value(desk[1], tables, seat, desk)
        if worth > best:
            best = worth
            choice = option
    return choice


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    spare, imagined, found, decisions, notes = room[0]
    _, weights = memory[0]
    return decide(state, tables, seat, actions, count, (spare, imagined, found, decisions, notes, weights))


class Champion(KernelBot):
    """Takes whatever makes winning likeliest, as a network judges it that has learnt from millions of games."""

    choose = staticmethod(choose)
    heavy = True

    def needs(self, variant: Variant, players: int) -> str | None:
        return missing_weights("champion", variant, players)

    def thinking(self, seconds: float) -> Bot:
        from rowlock.bots.thinking import Thinking

        return Thinking(seconds)

    @staticmethod
    def memory(variant: Variant, players: int) -> tuple[Any, Any]:
        return (), load_weights("champion", variant, players, n.weights_size(variant.tables))
