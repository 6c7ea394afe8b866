"""What a bot is."""

import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.fast import workspace
from rowlock.rules import chance, kernel
from rowlock.rules.game import Game, View
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant


class BotError(ValueError):
    """A bot that is not known, cannot be loaded or cannot be compiled."""


A_DAY = 86_400.0


def check_seconds(seconds: float) -> None:
    if not 0 < seconds <= A_DAY:
        most = ", a day at the most" if A_DAY < seconds < float("inf") else ""
        raise BotError(f"a bot thinks for some seconds{most}, not {seconds:g}")


def thinkers(bots: "Mapping[str, Bot]", seconds: float) -> "dict[str, Bot]":
    """Those of the bots that look ahead, with so much time for a decision; `BotError` where none of them does."""
    check_seconds(seconds)
    found = {name: thinking for name, bot in bots.items() if (thinking := bot.thinking(seconds)) is not bot}
    if not found:
        others = f", not for {', '.join(bots)}" if bots else "; no bot plays here"
        raise BotError(f"time to think is for bots that look ahead, like the champion{others}")
    return found


class Bot(ABC):
    """A player: sees what its seat may know, the legal options and a source of chance, and picks an option."""

    offered = True  # to people, by a server; a yardstick is for the arena

    @abstractmethod
    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str: ...

    def needs(self, variant: Variant, players: int) -> str | None:
        """What stands in the way of such a game, in a line; None where the bot can sit down at once."""
        return None

    def prepare(
        self,
        variant: Variant,
        players: int,
        progress: Callable[[float], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        """Do what is needed before such a game, which may take minutes; `BotError` where that cannot be done."""
        if needs := self.needs(variant, players):
            raise BotError(needs)

    def thinking(self, seconds: float) -> "Bot":
        """The same bot, taking so much time over a decision; most have no use for it."""
        return self


BotBuffers = workspace.BotBuffers  # the buffers of a bot
# The weights or other numbers of a bot, int32 and float32: made once, only read, the same for all bots of a kind.
BotData = Sequence[tuple[Ints, workspace.Floats]]
Arrays = tuple[NDArray[np.int32], NDArray[np.float32]]


@lru_cache(maxsize=16)
def data_of(kind: "type[KernelBot]", variant: Variant, players: int) -> Arrays:
    """The numbers that bots of a kind read, made when they are first needed in this process."""
    ints, floats = kind.memory(variant, players)
    return np.ascontiguousarray(ints, np.int32), np.ascontiguousarray(floats, np.float32)


class KernelBot(Bot):
    """A bot written like the kernel, as one function over integers: interpreted here, compiled where that pays."""

    heavy = False  # compiled before its first decision, not only in the arena

    @staticmethod
    @abstractmethod
    def choose(
        state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: BotBuffers, memory: BotData
    ) -> int:
        """Which of the `count` actions, by its place.

        `word` is 32 random bits, `room` holds its buffers, `memory` its weights or other numbers.
        """

    @staticmethod
    def memory(variant: Variant, players: int) -> tuple[Any, Any]:
        """The int32 and float32 numbers that `choose` reads in a game of so many players.

        Every process makes them for itself: they are never sent to workers.
        """
        return (), ()

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        decide = _compiled(type(self)).decide if self.heavy else self.interpret
        return decide(view, options, rng)

    def interpret(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        """Decide in plain Python, which needs no compiled code to be ready."""

        def choose(actions: list[int], word: int) -> int:
            assert view.seat is not None
            state, tables = list(view.state), view.variant.tables
            memory = data_of(type(self), view.variant, len(view.players))
            return self.choose(
                state, tables, view.seat, actions, len(actions), word, workspace.make_buffers(), (memory,)
            )

        return _decide(choose, view, options, rng)


def _decide(choose: Callable[[list[int], int], int], view: View, options: Sequence[str], rng: random.Random) -> str:
    actions = [action for option, action in view.options.items() if option in options]
    place = choose(actions, rng.getrandbits(32))
    if not 0 <= place < len(actions):
        raise ValueError(f"place {place} is none of {len(actions)} options")
    return next(option for option in options if view.options[option] == actions[place])


class CompiledBot(Bot):
    """A bot that decides through its compiled form; making one compiles, which may take seconds."""

    def __init__(self, bot: Bot) -> None:
        self.form = compiled_form(bot)
        if self.form is None or not isinstance(bot, KernelBot):
            raise BotError(f"{type(bot).__name__} is written in plain Python")
        from rowlock.fast.decision import choose

        self._choose, self._kind = choose, type(bot)

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        memory = data_of(self._kind, view.variant, len(view.players))
        return _decide(lambda actions, word: self._choose(self.form, memory, view, actions, word), view, options, rng)


@cache
def _compiled(kind: type[KernelBot]) -> CompiledBot:
    return CompiledBot(kind())


def compiled_form(bot: Bot) -> Any:
    """A bot as compiled games take it, or None where it is written in plain Python.

    Only a function of a module can be compiled, and with `memory` it must be all there is to the bot: one that decides
    otherwise, or has attributes of its own, plays interpreted.
    """
    if not isinstance(bot, KernelBot) or type(bot).decide is not KernelBot.decide or vars(bot):
        return None
    kind = type(bot)
    module, name = sys.modules[kind.choose.__module__], kind.choose.__name__
    if getattr(module, name, None) is not kind.choose:
        return None
    from numba.core.errors import NumbaError

    from rowlock.fast.compiled import compile_for, compiled_copy, explain_failure
    from rowlock.fast.pointer import CHOOSE

    try:
        return compile_for(getattr(compiled_copy(module), name), CHOOSE.signature)
    except NumbaError as error:
        raise BotError(f"{kind.__name__} cannot be compiled: {explain_failure(error)}") from error


class Stream(random.Random):
    """The draws of one decision: a function of seed, game, turn, phase and seat, and of nothing else."""

    def __new__(cls, *_: int) -> "Stream":
        return super().__new__(cls)

    def __init__(self, seed: int, game: int, turn: int, phase: int, seat: int) -> None:
        key, salt = chance.game_key(seed, game), chance.game_salt(seed, game)
        self._word = chance.draw(key, salt, turn, chance.decision_slot(phase, seat))
        self._drawn = 0

    @classmethod
    def of(cls, game: Game, view: View) -> "Stream":
        """The draws of the decision that a seat is about to make, in a game with a seed."""
        assert view.seat is not None
        return cls(game.seed, game.number, game.turns_completed, view.state[kernel.PHASE], view.seat)

    def seed(self, *_: object) -> None:
        """Where a stream begins is said once, when it is made."""

    def getrandbits(self, bits: int, /) -> int:
        value = 0
        for start in range(0, bits, 32):
            word = self._word if self._drawn == 0 else chance.mix(self._word + self._drawn * 0x9E3779B1 & chance.WORD)
            self._drawn += 1
            value |= (word >> max(0, 32 - (bits - start))) << start
        return value

    def random(self) -> float:
        return self.getrandbits(53) / 2**53
