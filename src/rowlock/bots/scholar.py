"""`scholar`, a yardstick: a network of the published kind, taught by games against itself.

It looks at every sheet that it can have after this turn, as if the other player did nothing, and takes the one that
makes winning likeliest, as the mean and the variance of its lead in the end tell; alone the one with the most points.
What ends the game is valued exactly.
"""

from rowlock.bots.bot import BotBuffers, BotData
from rowlock.bots.network_bot import NetworkBot
from rowlock.networks import evaluation, gaussian
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: BotBuffers, memory: BotData
) -> int:
    return evaluation.decide(state, tables, seat, actions, count, (*room[0], memory[0][1]), True)


class Scholar(NetworkBot):
    """Plays to win as a network of the published kind evaluates it: a yardstick for the champion."""

    network, effects = "scholar", gaussian.KNOWN
    choose = staticmethod(choose)
    offered = False

    @staticmethod
    def weights_size(variant: Variant) -> int:
        return gaussian.WEIGHTS

    def needs(self, variant: Variant, players: int) -> str | None:
        if players > 2:
            return "scholar plays alone or with one other"
        return super().needs(variant, players)
