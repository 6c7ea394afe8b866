"""What bots that decide by a network have in common: they need its weights."""

from abc import abstractmethod
from typing import Any, ClassVar

from rowlock.bots.bot import BotError, KernelBot
from rowlock.networks.weights import WeightsError, load_weights, missing_weights
from rowlock.rules.variant import Variant


class NetworkBot(KernelBot):
    """A bot that decides by the weights of a network."""

    network: ClassVar[str]  # as its files of weights are named
    effects: ClassVar[frozenset[str]]  # those that its network has features for
    heavy = True

    @staticmethod
    @abstractmethod
    def weights_size(variant: Variant) -> int: ...

    @classmethod
    def unknown(cls, variant: Variant) -> str | None:
        """What the network knows nothing of in a game, in a line."""
        unknown = sorted(variant.effects - cls.effects)
        return f"{cls.network} has no features for {', '.join(unknown)}" if unknown else None

    def needs(self, variant: Variant, players: int) -> str | None:
        if unknown := self.unknown(variant):
            return unknown
        try:
            return missing_weights(self.network, variant, players)
        except WeightsError as error:
            raise BotError(str(error)) from None

    @classmethod
    def memory(cls, variant: Variant, players: int) -> tuple[Any, Any]:
        try:
            return (), load_weights(cls.network, variant, players, cls.weights_size(variant))
        except WeightsError as error:
            raise BotError(str(error)) from None
