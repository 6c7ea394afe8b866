"""Gymnasium: one agent, whose opponents are bots; and many such games at once on the compiled kernel.

An illegal action leaves the game as it is, as in Gymnasium's own environments: the reward is `ILLEGAL_REWARD`, and
`info["illegal"]` says which action it was.
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.spaces import Box, Discrete
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from rowlock.bots import Bot, BotError, KernelBot, LostDecision, Stream, compiled_form, data_of
from rowlock.bots.loading import load_bots
from rowlock.envs.rewards import Floats, check_reward, values
from rowlock.envs.table import AnyVariant, IllegalAction, Table
from rowlock.rules.chance import MAX_SEED
from rowlock.rules.spaces import Spaces

ILLEGAL_REWARD = -1.0
MAX_STEPS = 1000  # longer than any game: it ends those of agents that choose illegal actions only
NO_GAME = "no game is in progress: call reset() first"

Observation = NDArray[np.int16]


def observation_space(spaces: Spaces) -> Any:
    return Box(np.array(spaces.low, np.int16), np.array(spaces.high, np.int16), dtype=np.int16)


def _players(opponents: Sequence[str | Bot], seat: int | None) -> int:
    """How many players there are; raises an error if there is no such seat."""
    if isinstance(opponents, str):
        raise ValueError(f"opponents are a list of bots, not {opponents!r}")
    players = 1 + len(opponents)
    if seat is not None and not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat}: seats are numbered from 0 to {players - 1}")
    return players


def _ready_bots(opponents: Sequence[str | Bot], spaces: Spaces) -> list[Bot]:
    bots = load_bots(opponents)
    for bot in bots:
        bot.prepare(spaces.variant, spaces.players)
    return bots


class RowlockEnv(gymnasium.Env[Observation, np.int64]):
    """A game of one agent, alone or against bots.

    `seat` is the agent's seat; without it, every game draws one. `reward` is `points`, `margin` or `win`. Opponents are
    bots of yours, or bots as commands name them: `greedy`, `my_bot.py:Bot(limit=2)`, `cmd:./bot`. `info["action_mask"]`
    has a 1 for each legal action, and `info["points"]` the points of all players, the agent first.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # declared so by Gymnasium
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self, variant: AnyVariant = "classic", opponents: Sequence[str | Bot] = (), *, seat: int | None = None,
        reward: str = "points", render_mode: str | None = None,
    ) -> None:  # fmt: skip
        self._table = Table(variant, _players(opponents, seat), reward)
        self.spaces = self._table.spaces
        self._bots, self._given_seat, self.seat = _ready_bots(opponents, self.spaces), seat, seat or 0
        self.observation_space = observation_space(self.spaces)
        self.action_space = Discrete(len(self.spaces.actions))
        self.render_mode = render_mode
        self._in_game = False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        super().reset(seed=seed)
        self._in_game = True
        self._table.begin(int(self.np_random.integers(MAX_SEED)))
        drawn = int(self.np_random.integers(self.spaces.players))
        self.seat = drawn if self._given_seat is None else self._given_seat
        self._let_bots_play()
        return self._table.observation(self.seat), self._info()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        if not self._in_game or self._table.game.over:
            raise gymnasium.error.ResetNeeded(NO_GAME)
        illegal = {}
        try:
            self._table.play(self.seat, self._table.option(self.seat, action))
            self._let_bots_play()
            reward = float(self._table.collect()[self.seat])
        except IllegalAction as error:
            illegal, reward = {"illegal": str(error)}, ILLEGAL_REWARD
        over = self._table.game.over
        return self._table.observation(self.seat), reward, over, False, {**self._info(), **illegal}

    def render(self) -> str | None:
        return self._table.text() if self.render_mode == "ansi" else None

    def close(self) -> None:
        """End the processes of opponents."""
        for bot in self._bots:
            bot.close()

    def action_masks(self) -> NDArray[np.bool_]:
        """The legal actions, for libraries that ask for them by this name."""
        return self._table.mask(self.seat).astype(np.bool_)

    def _info(self) -> dict[str, Any]:
        scores = self._table.game.scores
        return {"action_mask": self._table.mask(self.seat), "points": (*scores[self.seat :], *scores[: self.seat])}

    def _let_bots_play(self) -> None:
        """Let the bots decide until the agent is to act or the game is over."""
        game = self._table.game
        while not game.over and self.seat not in game.to_act:
            player = game.to_act[0]
            view = game.view(player)
            index = (player - self.seat - 1) % self.spaces.players
            try:
                option = self._bots[index].decide(view, [*view.options], Stream.of(game, view))
            except LostDecision as error:
                option = next(iter(view.options))
                gymnasium.logger.warn("turn %d, opponents[%d]: %s; %s is played", game.turn, index, error, option)
            self._table.play(player, option)


class RowlockVectorEnv(VectorEnv[Observation, NDArray[np.int64], NDArray[Any]]):
    """Games of one agent each, side by side on the compiled kernel; opponents are bots that have a compiled form.

    A game that is over is replaced in the same step: `infos["final_obs"]` and `infos["final_info"]["points"]` belong to
    the games that ended; of the points those of the agent come first. `infos["action_mask"]` has the legal actions of
    each game. An illegal action leaves its game as it is, gives `ILLEGAL_REWARD`, and is marked in `infos["illegal"]`.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # declared so by Gymnasium
        "render_modes": [],
        "autoreset_mode": AutoresetMode.SAME_STEP,
    }

    def __init__(
        self, num_envs: int = 64, variant: AnyVariant = "classic", opponents: Sequence[str | Bot] = (), *,
        seat: int | None = None, reward: str = "points", max_episode_steps: int | None = None,
    ) -> None:  # fmt: skip
        self.num_envs, self.reward, self._given_seat = num_envs, reward, seat
        self._most_steps = MAX_STEPS if max_episode_steps is None else max_episode_steps
        if self._most_steps < 1:
            raise ValueError(f"an episode has 1 step or more, not {max_episode_steps}")
        self.spaces = Spaces(variant, _players(opponents, seat))
        check_reward(reward, self.spaces.players)
        self._bots = [self._compiled(bot) for bot in _ready_bots(opponents, self.spaces)]
        self.single_observation_space = observation_space(self.spaces)
        self.single_action_space = Discrete(len(self.spaces.actions))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._rows = np.arange(num_envs)
        self._begin(0)
        self._in_game = False

    def _compiled(self, bot: Bot) -> tuple[Any, Any]:
        form = compiled_form(bot)
        if form is None or not isinstance(bot, KernelBot):
            raise BotError(f"{type(bot).__name__} has no compiled form; RowlockEnv plays against any bot")
        return form, data_of(type(bot), self.spaces.variant, self.spaces.players)

    def _begin(self, seed: int) -> None:
        from rowlock.fast import Batch  # not above: it imports Numba

        self.batch = Batch(self.spaces.setup, self.spaces.players, self.num_envs, seed=seed)
        self._steps = np.zeros(self.num_envs, np.int64)  # of the agent in each game
        self._assign_seats()

    def _assign_seats(self) -> None:
        """Seats of the agents and of the bots, which follow from the numbers of the games."""
        players = self.spaces.players
        seats = self.batch.numbers % players if self._given_seat is None else np.full(self.num_envs, self._given_seat)
        self.seats: NDArray[np.int64] = np.ascontiguousarray(seats, np.int64)
        # The bots sit in their order after the agent, who is -1.
        self._bots_in_seats = np.ascontiguousarray((np.arange(players) - self.seats[:, None]) % players - 1)

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        if isinstance(seed, list):
            raise ValueError("all games come from one seed, not from a list of seeds")
        super().reset(seed=seed)
        self._begin(int(self.np_random.integers(MAX_SEED)))
        self._in_game = True
        self._let_bots_play()
        return self._observations(), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Observation, Floats, NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        if not self._in_game:
            raise gymnasium.error.ResetNeeded(NO_GAME)
        actions = self._checked(actions)
        before = self._values()
        in_range = (actions >= 0) & (actions < len(self.spaces.actions))
        legal = in_range & self._masks()[self._rows, np.where(in_range, actions, 0)]
        choices = np.zeros((self.num_envs, self.spaces.players), np.int64)
        choices[self._rows, self.seats] = np.where(legal, actions, -1)  # -1: the game waits
        self._act(choices)
        self._let_bots_play()
        rewards = np.where(legal, self._values() - before, ILLEGAL_REWARD)
        self._steps += 1
        finished = self.batch.finished
        truncated = ~finished & (self._steps >= self._most_steps)
        ended, final = finished | truncated, {}
        if ended.any():
            from_agent = (self.seats[:, None] + np.arange(self.spaces.players)) % self.spaces.players
            final = {
                "final_obs": self._observations(),
                "_final_obs": ended,
                "final_info": {"points": np.take_along_axis(self.batch.totals, from_agent, 1), "_points": ended},
                "_final_info": ended,
            }
            self.batch.reset(ended)
            self._steps[ended] = 0
            self._assign_seats()
            self._let_bots_play()
        infos = {**self._infos(), **final}
        if not legal.all():
            infos["illegal"], infos["_illegal"] = np.where(legal, -1, actions), ~legal
        return self._observations(), rewards, finished, truncated, infos

    def _checked(self, actions: Any) -> NDArray[np.int64]:
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or not np.issubdtype(given.dtype, np.integer):
            found = f"{given.dtype} with the shape {given.shape}"
            raise ValueError(f"actions are {self.num_envs} whole numbers, one for each game, not {found}")
        return given.astype(np.int64)

    def _act(self, choices: NDArray[np.int64]) -> None:
        """Let the bots choose in the games that do not wait, and carry all choices out."""
        if self._bots:
            from rowlock.fast.opponents import ask

            bots = np.where((choices < 0).any(1, keepdims=True), -1, self._bots_in_seats)
            ask(self.batch, self._bots, bots, choices)
        self.batch.step(choices)

    def _let_bots_play(self) -> None:
        """Let the bots play on until every agent is to act or its game is over."""
        self.batch.observe()
        while (waiting := ~(self._masks().any(1) | self.batch.finished)).any():
            self._act(np.where(waiting[:, None], 0, -1) + np.zeros((1, self.spaces.players), np.int64))
            self.batch.observe()

    def _masks(self) -> NDArray[np.bool_]:
        """The legal actions of each agent."""
        masks: NDArray[np.bool_] = self.batch.masks[self._rows, self.seats]
        return masks

    def _observations(self) -> Observation:
        return self.batch.observations[self._rows, self.seats]

    def _values(self) -> Floats:
        found = values(self.reward, self.batch.totals, self.batch.winners, self.batch.finished)
        return found[self._rows, self.seats]

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._masks().astype(np.int8), "_action_mask": np.ones(self.num_envs, np.bool_)}


gymnasium.register(
    "rowlock/Rowlock-v0",
    entry_point="rowlock.envs.gym:RowlockEnv",
    vector_entry_point="rowlock.envs.gym:RowlockVectorEnv",
    max_episode_steps=MAX_STEPS,
)
