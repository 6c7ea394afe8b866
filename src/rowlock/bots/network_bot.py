"""The base class of bots that decide by a neural network."""

from abc import abstractmethod
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Self

from rowlock.bots.bot import BotError, KernelBot
from rowlock.networks.weights import WeightsError, load_weights, missing_weights, weights_of_file
from rowlock.rules.variant import Variant, find_variant, variant_ids


class NetworkBot(KernelBot):
    """A bot that decides by a network and needs its weights: those of its variant, or those in the file `weights`."""

    network: ClassVar[str]  # what the names of its weights files begin with
    effects: ClassVar[frozenset[str]]  # the effects of variants that the network has features for
    weights_file: ClassVar[Path | None] = None
    heavy = True

    def __new__(cls, weights: str | Path | None = None) -> Self:
        bot_class: type[Self] = cls if weights is None else _with_weights(cls, Path(weights).resolve())
        return super().__new__(bot_class)

    def __init__(self, weights: str | Path | None = None) -> None:
        """No attribute is set: the file belongs to the class, as the data of compiled bots do."""

    def __reduce__(self) -> tuple[Any, ...]:
        bot_class = type(self)
        return (bot_class, ()) if self.weights_file is None else (bot_class.__bases__[0], (self.weights_file,))

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
            if self.weights_file is None:
                return missing_weights(self.network, variant, players)
            self.data(variant, players)  # raises an error if they do not fit
        except WeightsError as error:
            raise BotError(str(error)) from None
        return None

    @classmethod
    def data(cls, variant: Variant, players: int) -> tuple[Any, Any]:
        size = cls.weights_size(variant)
        try:
            if cls.weights_file is not None:
                return (), weights_of_file(cls.weights_file, variant, players, size)
            return (), load_weights(cls.network, variant, players, size)
        except WeightsError as error:
            raise BotError(str(error)) from None


@cache
def _with_weights(bot_class: type[NetworkBot], file: Path) -> Any:
    """The class of the same bot with the weights of a file."""
    return type(bot_class.__name__, (bot_class,), {"weights_file": file, "__doc__": bot_class.__doc__})
