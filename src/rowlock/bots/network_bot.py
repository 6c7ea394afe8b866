"""The base class of bots that decide by a neural network."""

from abc import abstractmethod
from typing import Any, ClassVar

from rowlock.bots.bot import BotError, KernelBot
from rowlock.networks.weights import WeightsError, load_weights, missing_weights
from rowlock.rules.variant import Variant


class NetworkBot(KernelBot):
    """A bot that decides by a network and needs its weights."""

    network: ClassVar[str]  # what the names of its weights files begin with
    effects: ClassVar[frozenset[str]]  # the effects of variants that the network has features for
    heavy = True

    @staticmethod
    @abstractmethod
    def weights_size(variant: Variant) -> int: ...

    @classmethod
    def unsupported(cls, variant: Variant) -> str | None:
        """An error text that lists the effects of a variant without features in the network; None if there are none."""
        missing = sorted(variant.effects - cls.effects)
        return f"{cls.network} has no features for {', '.join(missing)}" if missing else None

    def needs(self, variant: Variant, players: int) -> str | None:
        if unsupported := self.unsupported(variant):
            return unsupported
        try:
            return missing_weights(self.network, variant, players)
        except WeightsError as error:
            raise BotError(str(error)) from None

    @classmethod
    def data(cls, variant: Variant, players: int) -> tuple[Any, Any]:
        try:
            return (), load_weights(cls.network, variant, players, cls.weights_size(variant))
        except WeightsError as error:
            raise BotError(str(error)) from None
