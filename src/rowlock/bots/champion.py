"""`champion` maximizes the probability of winning, or in a solo game the points, as its network predicts them."""

import random
from collections.abc import Sequence
from typing import Any

from rowlock.bots.bot import Bot, BotBuffers, BotData, check_think_time, data_of
from rowlock.bots.network_bot import NetworkBot
from rowlock.networks import evaluation, features, network
from rowlock.rules.game import View
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    _, weights = data[0]
    return evaluation.decide(state, tables, seat, actions, count, (*buffers[0], weights), None)


class Champion(NetworkBot):
    """Maximizes its probability of winning, evaluated by a network that was trained on millions of games."""

    network, effects = "champion", features.EFFECTS
    choose = staticmethod(choose)

    @staticmethod
    def weights_size(variant: Variant) -> int:
        return network.weights_size(variant.tables)

    def thinking(self, seconds: float) -> Bot:
        return LookaheadChampion(seconds, champion=self)


class LookaheadChampion(Bot):
    """The champion with a think time: it looks ahead before every decision in which several options are close.

    For experiments, `samples` replaces the think time by a number of roll-outs, and `turns` sets their length.
    """

    def __init__(
        self, seconds: float, *, samples: int | None = None, turns: int | None = None, champion: Champion | None = None
    ) -> None:
        check_think_time(seconds)
        self.think_time, self.samples, self.turns = seconds, samples, turns
        self.champion = champion or Champion()
        self.weights_file = self.champion.weights_file

    def needs(self, variant: Variant, players: int) -> str | None:
        return self.champion.needs(variant, players)

    def prepare(self, *game: Any, **callbacks: Any) -> None:
        super().prepare(*game, **callbacks)
        from rowlock.networks import lookahead  # noqa: F401  # the import compiles the module

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        from rowlock.networks.lookahead import best_action

        if len(options) == 1:
            return options[0]
        _, weights = data_of(type(self.champion), view.variant, len(view.players))
        actions = [view.options[option] for option in options]
        seed = rng.getrandbits(62)  # fits into an int64
        return options[best_action(view, actions, weights, seed, self.think_time, self.samples, self.turns)]
