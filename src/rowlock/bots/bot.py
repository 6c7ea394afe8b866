"""What a bot is."""

import random
import sys
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from typing import Any

from rowlock.rules import chance
from rowlock.rules import kernel as k
from rowlock.rules.game import View
from rowlock.rules.kernel import Ints


class BotError(ValueError):
    """A bot that is not known, cannot be loaded or cannot be compiled."""


class Bot(ABC):
    """A player: sees what its seat may know, the legal options and a source of chance, and picks an option."""

    @abstractmethod
    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str: ...


# Where a bot may try things: the kernel's spare room, a state to imagine, its options, and decisions.
Room = tuple[Ints, Ints, Ints, Ints]
ROOM_SIZES = (k.SPARE_SIZE, k.state_size(k.MAX_PLAYERS), k.MAX_OPTIONS, k.MAX_PLAYERS)


def make_room() -> Room:
    spare, state, options, decisions = ([0] * size for size in ROOM_SIZES)
    return spare, state, options, decisions


class KernelBot(Bot):
    """A bot written like the kernel, as one function over integers: interpreted here, compiled where that pays."""

    @staticmethod
    @abstractmethod
    def choose(state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: Room) -> int:
        """Which of the `count` actions, by its place; `word` is 32 random bits, `room` is where it may try things."""

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        def choose(actions: list[int], word: int) -> int:
            assert view.seat is not None
            state, tables = list(view.state), view.variant.tables
            return self.choose(state, tables, view.seat, actions, len(actions), word, make_room())

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
        if self.form is None:
            raise BotError(f"{type(bot).__name__} is written in plain Python")
        from rowlock.fast.deciding import choose

        self._choose = choose

    def decide(self, view: View, options: Sequence[str], rng: random.Random) -> str:
        return _decide(lambda actions, word: self._choose(self.form, view, actions, word), view, options, rng)


def compiled_form(bot: Bot) -> Any:
    """A bot as compiled games take it, or None where it is written in plain Python.

    Only a function of a module can be compiled, and it must be all there is to the bot: one that decides otherwise, or
    has a memory of its own, plays interpreted.
    """
    if not isinstance(bot, KernelBot) or type(bot).decide is not KernelBot.decide or vars(bot):
        return None
    kind = type(bot)
    module, name = sys.modules[kind.choose.__module__], kind.choose.__name__
    if getattr(module, name, None) is not kind.choose:
        return None
    from numba.core.errors import NumbaError

    from rowlock.fast.compiled import compile_for, twin
    from rowlock.fast.pointer import CHOOSE

    try:
        return compile_for(getattr(twin(module), name), CHOOSE.signature)
    except NumbaError as error:
        told = [line.strip() for line in str(error).splitlines() if line.strip()]
        raise BotError(f"{kind.__name__} cannot be compiled: {told[1] if len(told) > 1 else told[0]}") from error


class Stream(random.Random):
    """The draws of one decision: a function of seed, game, turn, phase and seat, and of nothing else."""

    def __new__(cls, *_: int) -> "Stream":
        return super().__new__(cls)

    def __init__(self, seed: int, game: int, turn: int, phase: int, seat: int) -> None:
        key, salt = chance.game_key(seed, game), chance.game_salt(seed, game)
        self._word = chance.draw(key, salt, turn, chance.decision_slot(phase, seat))
        self._drawn = 0

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
