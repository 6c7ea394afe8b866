"""The base classes of bots, and what the arena and the server need to run them."""

import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.fast import workspace
from rowlock.rules.game import View
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant


class BotError(ValueError):
    """An unknown bot, or one that cannot be loaded, compiled or prepared; `details` are the lines of a traceback."""

    def __init__(self, text: str, details: str = "") -> None:
        super().__init__(text)
        self.details = details


class LostDecision(Exception):
    """A bot gave no valid answer: its first option, which marks nothing, is played, and the game goes on."""

    def __init__(self, text: str, details: str = "") -> None:
        super().__init__(text)
        self.details = details


MAX_SECONDS = 86_400.0  # a day: the longest think time and the longest move timeout


def check_think_time(seconds: float) -> None:
    if not 0 < seconds <= MAX_SECONDS:
        raise BotError(f"a think time is more than 0 and at most {MAX_SECONDS:,.0f} seconds, not {seconds:g}")


def lookahead_bots(bots: "Mapping[str, Bot]", seconds: float) -> "dict[str, Bot]":
    """The bots that look ahead, each with this think time per decision; raises `BotError` if there is none."""
    check_think_time(seconds)
    # A bot that does not look ahead returns itself.
    looking_ahead = {name: new for name, bot in bots.items() if (new := bot.thinking(seconds)) is not bot}
    if not looking_ahead:
        instead = f", not {', '.join(bots)}" if bots else "; no bot plays here"
        raise BotError(f"a think time needs a bot that looks ahead, such as champion{instead}")
    return looking_ahead


class Bot(ABC):
    """A player that chooses one of the legal options, given what its seat may know and a source of random numbers."""

    offered = True  # False: not offered to people by a server
    keeps_time = False  # True: `decide` itself ends in time, by `LostDecision`
    think_time = 0.0  # seconds per decision that a bot that looks ahead takes

    @abstractmethod
    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str: ...

    def needs(self, variant: Variant, players: int) -> str | None:
        """One line that says why the bot cannot play a game of this variant and size yet; None if it can."""
        return None

    def prepare(
        self, variant: Variant, players: int, progress: Callable[[float], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        """Prepare for a game of this variant and size, which may take minutes; raises `BotError` if it cannot.

        `progress` receives the share of the work that is done. If `stop()` is true, the work ends with a `BotError`.
        """
        if needs := self.needs(variant, players):
            raise BotError(needs)

    def thinking(self, seconds: float) -> "Bot":
        """The same bot with a think time per decision; a bot that does not look ahead returns itself."""
        return self

    def limited(self, seconds: float) -> "Bot":
        """The same bot with a time limit per decision; only a bot that keeps the time itself needs to know it."""
        return self

    def close(self) -> None:  # noqa: B027  # most bots have nothing to end
        """End what the bot has started, such as a process."""


BotBuffers = workspace.BotBuffers
# A bot's read-only int32 and float32 numbers, such as weights. All bots of a class in a process share one copy. A bot
# receives a pointer to them; the type of the pointer is written as a sequence with one element.
BotData = Sequence[tuple[Ints, workspace.Floats]]
Arrays = tuple[NDArray[np.int32], NDArray[np.float32]]


@lru_cache(maxsize=16)
def data_of(bot_class: "type[KernelBot]", variant: Variant, players: int) -> Arrays:
    """The read-only data of a bot class, created when a process first needs them."""
    ints, floats = bot_class.memory(variant, players)
    return np.ascontiguousarray(ints, np.int32), np.ascontiguousarray(floats, np.float32)


def _data_for(bot_class: "type[KernelBot]", view: View) -> Arrays:
    """The data for a seat's decision."""
    assert view.seat is not None
    variant = view.variant
    if bot_class.data_per_sheet:
        variant = variant.with_sheets(view.sheets[view.seat].letter or "")
    return data_of(bot_class, variant, len(view.players))


class KernelBot(Bot):
    """A bot written like the kernel, as one function over integers: interpreted at a table, compiled in the arena."""

    heavy = False  # True: the bot is compiled at a table too, before its first decision
    data_per_sheet = False  # True: `data` depends on `Variant.sheets_in_game`, the kinds of sheets of the bots

    @staticmethod
    @abstractmethod
    def choose(
        state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers,
        data: BotData, /,
    ) -> int:  # fmt: skip
        """The index of the chosen action, below `count`.

        An action is the integer code of an option, `word` is 32 random bits, `buffers` is work space, and `data` holds
        what the method `data` returns.
        """

    @staticmethod
    def data(variant: Variant, players: int) -> tuple[Any, Any]:
        """The int32 and float32 numbers that `choose` reads, for a number of players.

        Every process creates them once; they are never sent to workers.
        """
        return (), ()

    @classmethod
    def memory(cls, variant: Variant, players: int) -> tuple[Any, Any]:
        """The old name of `data`; a class that defines this one instead still works."""
        return cls.data(variant, players)

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        decide = _compiled_bot(type(self)).decide if self.heavy else self.interpret
        return decide(view, options, rng)

    def interpret(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        """Decide in plain Python, without waiting for compiled code."""

        def choose(actions: list[int], word: int) -> int:
            assert view.seat is not None
            state, tables = list(view.state), view.variant.tables
            data = _data_for(type(self), view)
            return self.choose(state, tables, view.seat, actions, len(actions), word, workspace.make_buffers(), (data,))

        return _decide(choose, view, options, rng)


def _decide(choose: Callable[[list[int], int], int], view: View, options: Sequence[str], rng: random.Random) -> str:
    """The chosen option; `choose` returns the index of one of the options' actions, given these and 32 random bits."""
    actions = [action for option, action in view.options.items() if option in options]
    index = choose(actions, rng.getrandbits(32))
    if not 0 <= index < len(actions):
        raise ValueError(f"index {index} is not one of the {len(actions)} options")
    return next(option for option in options if view.options[option] == actions[index])


class CompiledBot(Bot):
    """A bot that decides by its compiled form; the constructor compiles it, which may take seconds."""

    def __init__(self, bot: Bot) -> None:
        self.form = compiled_form(bot)
        if self.form is None or not isinstance(bot, KernelBot):
            raise BotError(f"{type(bot).__name__} is written in plain Python")
        from rowlock.fast.decision import choose

        self._choose, self._bot_class = choose, type(bot)

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        data = _data_for(self._bot_class, view)
        return _decide(lambda actions, word: self._choose(self.form, data, view, actions, word), view, options, rng)


@cache
def _compiled_bot(bot_class: type[KernelBot]) -> CompiledBot:
    return CompiledBot(bot_class())


def compiled_form(bot: Bot) -> Any:
    """The compiled `choose` of a bot, or None if the bot has to be played in plain Python.

    `choose` must be a function at module level. A bot with its own `decide`, or with attributes, has no compiled form.
    """
    if not isinstance(bot, KernelBot) or type(bot).decide is not KernelBot.decide or vars(bot):
        return None
    choose = type(bot).choose
    module, name = sys.modules[choose.__module__], choose.__name__
    if getattr(module, name, None) is not choose:
        return None
    from numba.core.errors import NumbaError

    from rowlock.fast.compiled import compile_for, compiled_copy, explain_failure
    from rowlock.fast.pointer import CHOOSE

    try:
        return compile_for(getattr(compiled_copy(module), name), CHOOSE.signature)
    except NumbaError as error:
        raise BotError(f"{type(bot).__name__} cannot be compiled: {explain_failure(error)}") from error
