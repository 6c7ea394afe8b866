"""`scholar`, a yardstick: a network of the published kind, taught by games against itself.

It looks at every sheet that it can have after this turn, as if the other player did nothing, and takes the one that
makes winning likeliest, as the mean and the variance of its lead in the end tell; alone the one with the most points.
What ends the game is valued exactly.
"""

from math import exp

from rowlock.bots.bot import Memory, Room
from rowlock.bots.network_bot import NetworkBot
from rowlock.fast.workspace import BACK, NetworkBuffers
from rowlock.networks import evaluation as e
from rowlock.networks import gaussian as g
from rowlock.rules import kernel as k
from rowlock.rules import trial
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant


def value(state: Ints, tables: Ints, seat: int, buffers: NetworkBuffers) -> float:
    """Orders games as the probability of winning does: the lead over its deviation. Alone: points."""
    if state[k.PHASE] == k.OVER:
        return e.outcome(state, tables, seat)
    notes = buffers[4]
    g.evaluate(state, tables, seat, buffers[5], notes)
    mean = float(notes[g.R_MEAN])
    return mean if state[k.PLAYERS] == 1 else mean * exp(-0.5 * float(notes[g.R_SPREAD]))


def best_colour(tables: Ints, seat: int, buffers: NetworkBuffers) -> float:
    """The value of the best colour action in the imagined state."""
    spare, imagined, found, decisions, _, _ = buffers
    size = k.state_size(imagined[k.PLAYERS])
    for place in range(size):
        imagined[BACK + place] = imagined[place]
    best = e.NEVER
    for option in range(k.options(imagined, tables, seat, found, spare)):
        decisions[seat] = found[option]
        k.act(imagined, tables, decisions, spare)
        best = max(best, value(imagined, tables, seat, buffers))
        for place in range(size):
            imagined[place] = imagined[BACK + place]
    return best


def worth(state: Ints, tables: Ints, seat: int, action: int, buffers: NetworkBuffers) -> float:
    """The value of an action and, for the active player in the white action, the best colour action after it."""
    spare, imagined, _, decisions, _, _ = buffers
    trial.act_alone(state, tables, seat, action, imagined, decisions, spare)
    if imagined[k.PHASE] == k.COLOUR:
        if seat == imagined[k.ACTIVE]:
            return best_colour(tables, seat, buffers)
        k.next_turn(imagined)  # as if the active player had nothing left to decide
    return value(imagined, tables, seat, buffers)


def decide(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, buffers: NetworkBuffers) -> int:
    choice = 0
    best = e.NEVER
    for option in range(count):
        found = worth(state, tables, seat, actions[option], buffers)
        if found > best:
            best = found
            choice = option
    return choice


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room, memory: Memory
) -> int:
    spare, imagined, found, decisions, notes = room[0]
    _, weights = memory[0]
    return decide(state, tables, seat, actions, count, (spare, imagined, found, decisions, notes, weights))


class Scholar(NetworkBot):
    """Plays to win as a network of the published kind evaluates it: a yardstick for the champion."""

    network, effects = "scholar", g.KNOWN
    choose = staticmethod(choose)
    offered = False

    @staticmethod
    def weights_size(variant: Variant) -> int:
        return g.WEIGHTS

    def needs(self, variant: Variant, players: int) -> str | None:
        if players > 2:
            return "scholar plays alone or with one other"
        return super().needs(variant, players)
