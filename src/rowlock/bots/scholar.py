"""`scholar`, a yardstick: a network of the published kind, taught by games against itself.

It looks at every sheet that it can have after this turn, as if the other player did nothing, and takes the one that
makes winning likeliest, as the mean and the variance of its lead in the end tell; alone the one with the most points.
What ends the game is valued exactly.
"""

from math import exp
from typing import Any

from rowlock.bots import champion as b
from rowlock.bots import gauss as g
from rowlock.bots import imagining as i
from rowlock.bots.bot import Floats, KernelBot, Memory, Room
from rowlock.bots.weights import load_weights, missing_weights
from rowlock.rules import kernel as k
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant


def value(state: Ints, tables: Ints, seat: int, weights: Floats, notes: Floats) -> float:
    """Orders games as the probability of winning does: the lead over its deviation. Alone: points."""
    if state[k.PHASE] == k.OVER:
        return b.outcome(state, tables, seat)
    g.judge(state, tables, seat, weights, notes)
    mean = float(notes[g.R_MEAN])
    return mean if state[k.PLAYERS] == 1 else mean * exp(-0.5 * float(notes[g.R_SPREAD]))


def best_colour(tables: Ints, seat: int, room: Room, weights: Floats) -> float:
    """The value of the best colour action in the imagined state."""
    spare, imagined, found, decisions, notes = room[0]
    size = k.state_size(imagined[k.PLAYERS])
    for place in range(size):
        imagined[b.BACK + place] = imagined[place]
    best = b.NEVER
    for option in range(k.options(imagined, tables, seat, found, spare)):
        decisions[seat] = found[option]
        k.act(imagined, tables, decisions, spare)
        best = max(best, value(imagined, tables, seat, weights, notes))
        for place in range(size):
            imagined[place] = imagined[b.BACK + place]
    return best


def worth(state: Ints, tables: Ints, seat: int, action: int, room: Room, weights: Floats) -> float:
    """The value of an action and, for the active player in the white action, the best colour action after it."""
    spare, imagined, _, decisions, notes = room[0]
    i.act_alone(state, tables, seat, action, imagined, decisions, spare)
    if imagined[k.PHASE] == k.COLOUR:
        if seat == imagined[k.ACTIVE]:
            return best_colour(tables, seat, room, weights)
        k.next_turn(imagined)  # as if the active player had nothing left to decide
    return value(imagined, tables, seat, weights, notes)


def decide(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, room: Room, weights: Floats) -> int:
    choice = 0
    best = b.NEVER
    for option in range(count):
        found = worth(state, tables, seat, actions[option], room, weights)
        if found > best:
            best = found
            choice = option
    return choice


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    _, weights = memory[0]
    return decide(state, tables, seat, actions, count, room, weights)


class Scholar(KernelBot):
    """Plays to win as a network of the published kind judges it: a yardstick for the champion."""

    choose = staticmethod(choose)
    heavy = True
    offered = False

    def needs(self, variant: Variant, players: int) -> str | None:
        if players > 2:
            return "scholar plays alone or with one other"
        if variant.cards:
            return "scholar sees no cards"
        return missing_weights("scholar", variant, players)

    @staticmethod
    def memory(variant: Variant, players: int) -> tuple[Any, Any]:
        return (), load_weights("scholar", variant, players, g.WEIGHTS)
