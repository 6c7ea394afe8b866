"""The base class of bots that decide by a neural network."""

from abc import abstractmethod
from typing import Any, ClassVar

from rowlock.bots.bot import BotError, KernelBot
from rowlock.networks.weights import WeightsError, load_weights, missing_weights
from rowlock.rules.variant import Variant, find_variant, variant_ids


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
        """An error text if the variant has effects without features in the network; None if it has none."""
        missing = sorted(variant.effects - cls.effects)
        if not missing:
            return None
        supported = [name for name in variant_ids() if find_variant(name).effects <= cls.effects]
        effects = " or ".join("lucky numbers" if effect == "lucky" else effect for effect in missing)
        return f"{cls.network} cannot play games with {effects}; it can play or be trained for {', '.join(supported)}"

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
