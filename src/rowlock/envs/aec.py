"""PettingZoo (AEC): every seat is an agent. In the white action, decisions are secret until all have decided.

An illegal action follows PettingZoo's convention: `env` ends the game, and who made it gets `ILLEGAL_REWARD` and
`info["illegal"]`, which says which action it was; `raw_env` raises `IllegalAction`, which says so too.
"""

from typing import Any, ClassVar

import numpy as np
from gymnasium.spaces import Box, Dict, Discrete
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from rowlock.envs.gym import ILLEGAL_REWARD, observation_space
from rowlock.envs.table import AnyVariant, IllegalAction, Table
from rowlock.rules.chance import MAX_SEED


def env(
    variant: AnyVariant = "classic", players: int = 2, *, reward: str = "points", render_mode: str | None = None
) -> AECEnv:
    """The environment with PettingZoo's usual wrappers, which notice illegal actions and calls in a wrong order."""
    wrapped: Any = raw_env(variant, players, reward=reward, render_mode=render_mode)
    wrapped = NameIllegalWrapper(wrapped, illegal_reward=ILLEGAL_REWARD)
    wrapped = wrappers.AssertOutOfBoundsWrapper(wrapped)
    return wrappers.OrderEnforcingWrapper(wrapped)


class NameIllegalWrapper(wrappers.TerminateIllegalWrapper):  # type: ignore[misc]
    """PettingZoo's wrapper, which ends the game after an illegal action; the agent's info says which one it was."""

    def step(self, action: Any) -> None:
        agent, table = self.agent_selection, self.unwrapped._table
        try:
            if not self.terminations[agent]:
                table.option(self.possible_agents.index(agent), action)
        except IllegalAction as error:
            super().step(action)
            self.infos[agent]["illegal"] = str(error)
        else:
            super().step(action)


class raw_env(AECEnv):  # type: ignore[misc]  # noqa: N801  # PettingZoo's name for it
    """A game with an agent in every seat: `player_0` to `player_4`.

    An observation is a dictionary: `observation`, and `action_mask` with a 1 for each legal action.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "rowlock_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self, variant: AnyVariant = "classic", players: int = 2, *, reward: str = "points",
        render_mode: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self._table = Table(variant, players, reward)
        self.spaces, self.render_mode = self._table.spaces, render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self.agents: list[str] = []
        count = len(self.spaces.actions)
        self.observation_spaces = {
            agent: Dict({"observation": observation_space(self.spaces), "action_mask": Box(0, 1, (count,), np.int8)})
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: Discrete(count) for agent in self.possible_agents}
        self._random = np.random.default_rng()

    def observation_space(self, agent: str) -> Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random = np.random.default_rng(seed)
        self._table.begin(int(self._random.integers(MAX_SEED)))
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _select(self) -> None:
        """Select the next agent to decide; after the game, the first one."""
        self.agent_selection = self.agents[self._table.game.to_act[0] if self._table.game.to_act else 0]

    def observe(self, agent: str) -> dict[str, Any]:
        seat = self.possible_agents.index(agent)
        return {"observation": self._table.observation(seat), "action_mask": self._table.mask(seat)}

    def step(self, action: Any) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        seat = self.possible_agents.index(agent)
        self._table.play(seat, self._table.option(seat, action))
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict(zip(self.agents, map(float, self._table.collect()), strict=True))
        self.terminations = dict.fromkeys(self.agents, self._table.game.over)
        self._select()
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self._table.text() if self.render_mode == "ansi" else None
