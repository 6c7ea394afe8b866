"""`scholar`, a baseline for the champion: a network like that of the best published player, trained by self-play.

The file docs/experiments.md compares them.
It evaluates every sheet that it can have after this turn, as if the other player did nothing. It maximizes the
probability of winning, which follows from the predicted mean and variance of its final lead; in a solo game, points.
States in which the game is over have exact values.
"""

from rowlock.bots.bot import BotBuffers, BotData
from rowlock.bots.network_bot import NetworkBot
from rowlock.networks import evaluation, gaussian
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    _, weights = data[0]
    return evaluation.decide(state, tables, seat, actions, count, (*buffers[0], weights), True)


class Scholar(NetworkBot):
    """A baseline for the champion: decides by a network like that of the best published player."""

    network, effects = "scholar", gaussian.EFFECTS
    choose = staticmethod(choose)
    offered = False

    @staticmethod
    def weights_size(variant: Variant) -> int:
        return gaussian.WEIGHTS

    def needs(self, variant: Variant, players: int) -> str | None:
        if players > 2:
            return "scholar plays alone or with one other player"
        return super().needs(variant, players)
