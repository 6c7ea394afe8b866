"""The random numbers of a bot's decision."""

import random

from rowlock.rules import chance, kernel
from rowlock.rules.game import Game, View


class Stream(random.Random):
    """The random numbers of one decision: they depend only on seed, game number, turn, phase and seat."""

    def __new__(cls, *_: int) -> "Stream":
        return super().__new__(cls)  # `random.Random` accepts one argument at most

    def __init__(self, seed: int, game: int, turn: int, phase: int, seat: int) -> None:
        key, salt = chance.game_key(seed, game), chance.game_salt(seed, game)
        self._word = chance.random_word(key, salt, turn, chance.decision_slot(phase, seat))
        self._drawn = 0  # number of words drawn

    @classmethod
    def of(cls, game: Game, view: View) -> "Stream":
        """The random numbers of a seat's next decision, in a game with a seed."""
        assert view.seat is not None
        return cls(game.seed, game.number, game.turns_completed, view.state[kernel.PHASE], view.seat)

    def seed(self, *_: object) -> None:
        """Does nothing: the constructor sets the seed."""

    def getrandbits(self, bits: int, /) -> int:
        value = 0
        for start in range(0, bits, 32):
            word = self._word
            if self._drawn > 0:  # later words are hashes of the first one and a counter
                word = chance.mix((word + self._drawn * 0x9E3779B1) & chance.MASK)
            self._drawn += 1
            value |= (word >> max(0, 32 - (bits - start))) << start  # the last word gives only its highest bits
        return value

    def random(self) -> float:
        return self.getrandbits(53) / 2**53
