"""One game as environments play it: actions by index, observations as arrays, rewards."""

import operator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.envs.rewards import Floats, check_reward, values
from rowlock.rules.game import Game
from rowlock.rules.spaces import Spaces
from rowlock.rules.variant import Setup, Variant

AnyVariant = str | Path | Variant | Setup


class IllegalAction(ValueError):
    """An action that is not an option of the player; the message names it and the legal ones."""


class Table:
    """A game, the spaces of its players, and the rewards since they were last collected."""

    def __init__(self, variant: AnyVariant, players: int, reward: str) -> None:
        self.spaces = Spaces(variant, players)
        check_reward(reward, players)
        self.reward = reward
        self.begin(0)

    def begin(self, seed: int) -> None:
        """Begin the game with this seed."""
        self.game = Game(self.spaces.setup, self.spaces.players, seed=seed)
        self._collected: Floats = np.zeros(self.spaces.players)
        self._let_chance_act()

    def _let_chance_act(self) -> None:
        while not self.game.to_act and not self.game.over:
            self.game.chance()

    def observation(self, seat: int) -> NDArray[np.int16]:
        return np.array(self.spaces.observe(self.game.full_state()[0], seat), np.int16)

    def mask(self, seat: int) -> NDArray[np.int8]:
        """1 for each legal action of a seat; only zeros if it is not to act."""
        return np.array(self.spaces.mask([*self.game.actions(seat).values()]), np.int8)

    def option(self, seat: int, given: Any) -> str:
        """The option, in notation, that an action stands for; raises `IllegalAction`."""
        try:
            action = operator.index(given)
        except TypeError:
            raise ValueError(f"an action is a whole number, not {given!r}") from None
        legal = {self.spaces.index_of[code]: option for option, code in self.game.actions(seat).items()}
        if action not in legal:
            known = 0 <= action < len(self.spaces.actions)
            name = f" ({self.spaces.action_name(action)})" if known else ""
            names = ", ".join(f"{index} ({self.spaces.action_name(index)})" for index in sorted(legal)) or "none"
            raise IllegalAction(f"action {action}{name} is not legal for player {seat}; legal: {names}")
        return legal[action]

    def play(self, seat: int, option: str) -> None:
        """Make a decision; when all have decided, it is carried out, and chance acts."""
        self.game.play(seat, option)
        self._let_chance_act()

    def collect(self) -> Floats:
        """The reward of each player since the last call."""
        leaders = [seat in self.game.leaders for seat in range(self.spaces.players)]
        now = values(self.reward, self.game.scores, leaders, self.game.over)
        rewards = now - self._collected
        self._collected = now
        return rewards

    def text(self) -> str:
        """The game for people: dice or phase, then a line per sheet."""
        game = self.game
        return "\n".join([f"turn {game.turn}, {game.phase} {game.dice or ''}".rstrip(), *map(str, game.sheets)])
