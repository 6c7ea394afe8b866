"""Environments of Gymnasium and PettingZoo, and the example that learns in one of them."""

import runpy
from itertools import islice
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import rowlock.envs
from rowlock import Game
from rowlock.bots import BotError, Stream, find_bot
from rowlock.envs import aec
from rowlock.envs.gym import ILLEGAL_REWARD, RowlockEnv, RowlockVectorEnv
from rowlock.envs.rewards import REWARDS, values
from rowlock.envs.table import IllegalAction
from rowlock.rules.variant import game_names
from tests.effort import QUICK
from tests.plain_bots import Last
from tests.test_own_bots import PATIENT, program

EXAMPLE = Path(__file__).parents[1] / "examples" / "learn.py"
NAME = "rowlock/Rowlock-v0"
# Every game with every number of players; in quick tests some of them.
TABLES = [(name, 1 + (i + more) % 5) for i, name in enumerate(game_names()) for more in range(5)]
TABLES = TABLES[:: 20 if QUICK else 1]
CHECKED = [("classic", 1), ("cards+jokers", 2)] if QUICK else TABLES

# PettingZoo warns about dictionaries, although its own games with masks have them.
api = pytest.mark.filterwarnings(
    "ignore:Observation space for each agent probably", "ignore:Observation is not a NumPy array"
)


def random_action(mask: np.ndarray, rng: np.random.Generator) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'rowlock\[envs\]'"):
        runpy.run_path(rowlock.envs.__file__)


# Gymnasium


@pytest.mark.parametrize(("name", "players"), CHECKED)
def test_gymnasium_checks_pass(name: str, players: int) -> None:
    env = gymnasium.make(NAME, variant=name, opponents=["random"] * (players - 1))
    check_env(env.unwrapped)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_an_agent_plays_a_game(name: str, players: int) -> None:
    """Observations are in their space, and rewards add up to the points at the end."""
    env, rng = RowlockEnv(name, ["random"] * (players - 1)), np.random.default_rng(1)
    found, info = env.reset(seed=players)
    total, over = 0.0, False
    while not over:
        assert found in env.observation_space
        assert (env.action_masks() == info["action_mask"]).all()
        found, reward, over, truncated, info = env.step(random_action(info["action_mask"], rng))
        total += reward
        assert not truncated
        assert "illegal" not in info
    assert found in env.observation_space
    assert total == info["points"][0]
    assert len(info["points"]) == players
    with pytest.raises(gymnasium.error.ResetNeeded, match="no game is in progress"):
        env.step(0)


def trajectory(env: Any, seed: int) -> list[Any]:
    rng, seen = np.random.default_rng(0), []
    for first in (seed, None):  # the second game follows from the same seed
        found, info = env.reset(seed=first)
        for _ in range(12):
            found, reward, over, _, info = env.step(random_action(info["action_mask"], rng))
            seen.append((found.tolist(), reward))
            if over:
                break
    return seen


def test_seeds_are_reproducible() -> None:
    first = trajectory(RowlockEnv("classic", ["greedy"]), 5)
    assert first == trajectory(RowlockEnv("classic", ["greedy"]), 5)
    assert first != trajectory(RowlockEnv("classic", ["greedy"]), 6)


def test_an_illegal_action_leaves_the_game_as_it_is() -> None:
    """The reward is -1, and the info says which action it was."""
    env = RowlockEnv("classic", ["greedy"], seat=0, render_mode="ansi")
    before, info = env.reset(seed=1)
    shown = env.render()
    for action in (int(np.flatnonzero(info["action_mask"] == 0)[0]), 45, -1):
        found, reward, over, truncated, after = env.step(action)
        assert (found == before).all()
        assert env.render() == shown
        assert (reward, over, truncated) == (ILLEGAL_REWARD, False, False)
        assert after["illegal"].startswith(f"action {action}")
        assert "is not legal for player 0; legal: 0 (pass)" in after["illegal"]
    *_, after = env.step(0)
    assert "illegal" not in after


def test_a_wrong_environment_is_refused() -> None:
    with pytest.raises(ValueError, match="a reward is one of points, margin, win, not 'fame'"):
        RowlockEnv(reward="fame")
    with pytest.raises(ValueError, match="'win' needs two players"):
        RowlockVectorEnv(2, reward="win")
    for kind in (RowlockEnv, RowlockVectorEnv):
        with pytest.raises(ValueError, match="there is no seat 2: seats are numbered from 0 to 1"):
            kind(opponents=["random"], seat=2)
        with pytest.raises(ValueError, match="opponents are a list of bots, not 'eager'"):
            kind(variant="classic", opponents="eager")
    with pytest.raises(BotError, match="Last has no compiled form; RowlockEnv plays against any bot"):
        RowlockVectorEnv(2, opponents=[Last()])
    RowlockEnv(opponents=[Last()]).reset(seed=1)


def test_opponents_are_named_as_in_commands(tmp_path: Path) -> None:
    """Classes in files, with parameters, and programs; the vector environment needs a compiled form."""
    first = trajectory(RowlockEnv("classic", [f"{PATIENT}:Patient(limit=0)"]), 5)
    second = trajectory(RowlockEnv("classic", [PATIENT]), 5)
    assert first != second
    env = RowlockEnv("classic", [program(tmp_path, "plays")])
    trajectory(env, 5)
    process = env._bots[0]._process  # type: ignore[attr-defined]
    env.close()
    assert not process.close.alive
    (tmp_path / "lasts.py").write_text(
        "from rowlock.bots import KernelBot\n"
        "def choose(state, tables, seat, actions, count, word, buffers, data): return count - 1\n"
        "class Lasts(KernelBot): choose = staticmethod(choose)\n"
    )
    own = RowlockVectorEnv(4, opponents=[f"{tmp_path / 'lasts.py'}:Lasts"])
    assert play_vector(own, 7, 30) != play_vector(RowlockVectorEnv(4, opponents=["random"]), 7, 30)
    for kind in (RowlockEnv, RowlockVectorEnv):
        with pytest.raises(BotError, match=r"patient\.py: has no class Nobody; there is Patient"):
            kind(opponents=[f"{PATIENT}:Nobody"])
        with pytest.raises(BotError, match=r"a bot is a name or an instance of rowlock\.bots\.Bot, not 7"):
            kind(opponents=[cast(Any, 7)])
    with pytest.raises(BotError, match="Patient has no compiled form; RowlockEnv plays against any bot"):
        RowlockVectorEnv(2, opponents=[PATIENT])


def test_a_program_that_fails_loses_the_decision_only(tmp_path: Path) -> None:
    """A warning says which opponent in which turn, and the game goes on."""
    env = RowlockEnv("classic", ["random", program(tmp_path, "talks")], seat=0)
    env.reset(seed=1)
    lost = r"turn \d+, opponents\[1\]: it printed 'I would rather not' instead of .*; - is played"
    with pytest.warns(UserWarning, match=lost):
        steps = [env.step(0) for _ in range(4)]
    assert not any(over for _, _, over, _, _ in steps)
    env.close()


def test_what_is_no_action_is_refused() -> None:
    """Nothing is rounded, and nothing is played before the first reset."""
    env: Any = RowlockEnv(seat=0)
    games: Any = RowlockVectorEnv(2)
    for one, action in ((env, 0), (games, [0, 0])):
        with pytest.raises(gymnasium.error.ResetNeeded, match=r"no game is in progress: call reset\(\) first"):
            one.step(action)
    before, _ = env.reset(seed=1)
    agents = aec.raw_env()
    agents.reset(seed=1)
    for wrong in (2.5, 0.0, "0", None, np.array([0, 1])):
        for step in (env.step, agents.step):
            with pytest.raises(ValueError, match="an action is a whole number, not "):
                step(wrong)
    assert (env._table.observation(0) == before).all()
    many, _ = games.reset(seed=1)
    for actions in ([0], [0, 0, 0], [[0, 0]], 0, [0.0, 2.5], [True, True]):
        with pytest.raises(ValueError, match="actions are 2 whole numbers, one for each game, not "):
            games.step(actions)
    assert (games._observations() == many).all()
    games.step(np.array([0, 255], np.uint8))  # any integers
    for limit in (0, -1):
        with pytest.raises(ValueError, match=f"an episode has 1 step or more, not {limit}"):
            RowlockVectorEnv(2, max_episode_steps=limit)


def test_rewards() -> None:
    """Margins and wins add up to 0; equal totals share the win."""
    totals, winners = np.array([[30, 10, 20], [5, 5, 1]]), np.array([[1, 0, 0], [1, 1, 0]])
    over = np.array([False, True])
    assert values("points", totals, winners, over).tolist() == totals.tolist()
    assert values("margin", totals, winners, over).tolist() == [[15, -15, 0], [2, 2, -4]]
    assert values("win", totals, winners, over).tolist() == [[0, 0, 0], [0.5, 0.5, -1]]
    for reward in REWARDS[1:]:
        env, rng = RowlockEnv("classic", ["random"], reward=reward), np.random.default_rng(1)
        _, info = env.reset(seed=3)
        total, ended = 0.0, False
        while not ended:
            _, gained, ended, _, info = env.step(random_action(info["action_mask"], rng))
            total += gained
        own, other = info["points"]
        assert total == (own - other if reward == "margin" else np.sign(own - other))


# The vector environment


def play_vector(env: Any, seed: int, steps: int) -> tuple[list[Any], list[Any]]:
    """What was seen in some steps with random actions, and the sum of rewards and the points of games that ended."""
    rng, seen, ended = np.random.default_rng(0), [], []
    found, infos = env.reset(seed=seed)
    sums = np.zeros(env.num_envs)
    for _ in range(steps):
        actions = (rng.random(infos["action_mask"].shape) * infos["action_mask"]).argmax(1)
        found, rewards, over, truncated, infos = env.step(actions)
        seen.append((found.tolist(), rewards.tolist(), over.tolist()))
        assert found in env.observation_space
        assert infos["action_mask"].any(1).all()
        assert not truncated.any()
        sums += rewards
        for row in np.flatnonzero(over):
            ended.append((sums[row], infos["final_info"]["points"][row, 0]))
            assert infos["final_obs"][row] in env.single_observation_space
        sums[over] = 0
    return seen, ended


def test_a_vector_environment() -> None:
    """Through Gymnasium's registry, reproducible, and rewards add up to points."""
    env = gymnasium.make_vec(NAME, 16, opponents=["random", "greedy"])
    seen, ended = play_vector(env, 7, 60)
    assert len(ended) > 10
    assert all(total == points for total, points in ended)
    again = RowlockVectorEnv(16, opponents=["random", "greedy"])
    assert play_vector(again, 7, 60)[0] == seen
    assert play_vector(again, 8, 60)[0] != seen
    with pytest.raises(ValueError, match="one seed, not from a list"):
        again.reset(seed=[1] * 16)


@pytest.mark.parametrize("name", ["classic", "cards+jokers"])
def test_vector_games_are_games_against_these_bots(name: str) -> None:
    """The same as through `Game`: agents take their last legal action, bots decide as in the arena."""
    env, bots = RowlockVectorEnv(3, name, ["greedy", "eager"]), [find_bot("greedy"), find_bot("eager")]
    _, infos = env.reset(seed=2)
    points: dict[int, list[int]] = {}
    while len(points) < 3:
        mask = infos["action_mask"]
        numbers = env.batch.numbers.copy()
        _, _, over, _, infos = env.step(mask.shape[1] - 1 - mask[:, ::-1].argmax(1))
        for row in np.flatnonzero(over):
            points.setdefault(int(numbers[row]), infos["final_info"]["points"][row].tolist())
    for number, totals in points.items():
        game, seat = Game(name, 3, seed=env.batch.seed, number=number), number % 3
        while not game.over:
            if not game.to_act:
                game.chance()
                continue
            player = game.to_act[0]
            view = game.view(player)
            options = {env.spaces.index_of[code]: option for option, code in view.options.items()}
            if player == seat:
                game.play(player, options[max(options)])
            else:
                bot = bots[(player - seat - 1) % 3]
                game.play(player, bot.decide(view, [*view.options], Stream.of(game, view)))
        assert [*game.scores[seat:], *game.scores[:seat]] == totals


def test_illegal_actions_in_a_vector_environment() -> None:
    env = RowlockVectorEnv(3, opponents=["random"], seat=1, max_episode_steps=4)
    before, infos = env.reset(seed=1)
    wrong = np.array([int(np.flatnonzero(infos["action_mask"][0] == 0)[0]), 99, 0])
    after, rewards, _, _, infos = env.step(wrong)
    assert infos["illegal"].tolist() == [wrong[0], 99, -1]
    assert infos["_illegal"].tolist() == [True, True, False]
    assert rewards[:2].tolist() == [ILLEGAL_REWARD] * 2
    assert (after[:2] == before[:2]).all()
    assert (after[2] != before[2]).any()
    for _ in range(3):
        after, _, over, truncated, infos = env.step(wrong)
    assert truncated.tolist() == [True, True, True]  # the limit ends the games of who only tries what is illegal
    assert not over.any()
    assert infos["_final_obs"].all()
    assert env.batch.numbers.tolist() == [3, 4, 5]


# PettingZoo


@api
@pytest.mark.parametrize(("name", "players"), CHECKED)
def test_pettingzoo_checks_pass(name: str, players: int) -> None:
    api_test(aec.env(name, players), num_cycles=10 if QUICK else 200)


@api
def test_pettingzoo_seeds() -> None:
    seed_test(lambda: aec.env("classic", 2), num_cycles=10 if QUICK else 500)


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_agents_play_a_game(name: str, players: int) -> None:
    env, rng = aec.env(name, players, reward="points", render_mode="ansi"), np.random.default_rng(1)
    env.reset(seed=players)
    totals = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        found, reward, over, _, _ = env.last()
        assert found in env.observation_space(agent)
        totals[agent] += reward
        env.step(None if over else random_action(found["action_mask"], rng))
    table = env.unwrapped._table
    assert [*totals.values()] == [*table.game.scores]
    assert str(table.game.sheets[0]) in env.render()


def test_white_decisions_are_secret_until_all_have_decided() -> None:
    """Whatever the first player decides, the others observe the same."""
    seen = []
    for last in (False, True):
        env = aec.raw_env("classic", 3)
        env.reset(seed=2)
        mask = env.observe("player_0")["action_mask"]
        assert mask.sum() > 1
        env.step(int(np.flatnonzero(mask)[-1]) if last else 0)
        assert env.agent_selection == "player_1"
        assert not any(env.rewards.values())
        seen.append([{name: part.tolist() for name, part in env.observe(f"player_{seat}").items()} for seat in (1, 2)])
    assert seen[0] == seen[1]


@api
def test_an_illegal_action_ends_the_game_in_pettingzoo() -> None:
    env = aec.env("classic", 2)
    env.reset(seed=1)
    env.last()
    illegal = int(np.flatnonzero(env.observe("player_0")["action_mask"] == 0)[0])
    env.step(illegal)
    assert env.terminations == {"player_0": True, "player_1": True}
    assert env.rewards == {"player_0": ILLEGAL_REWARD, "player_1": 0}
    assert env.infos["player_0"]["illegal"].startswith(f"action {illegal} (R")
    assert "is not legal for player 0; legal: 0 (pass)" in env.infos["player_0"]["illegal"]
    assert env.infos["player_1"] == {}
    for _ in env.agent_iter():
        env.step(None)
    env.reset(seed=1)
    assert env.infos == {"player_0": {}, "player_1": {}}
    with pytest.raises(AssertionError, match="action is not in action space"):
        env.step(2.5)
    raw = aec.raw_env("classic", 2)
    raw.reset(seed=1)
    with pytest.raises(IllegalAction, match=rf"action {illegal} \(R\d+\) is not legal for player 0; legal: 0 \(pass\)"):
        raw.step(illegal)


# The example


def test_the_example_learns() -> None:
    """A few rounds with few games; random actions make about 2 points."""
    assert len(EXAMPLE.read_text(encoding="utf-8").splitlines()) < 150
    learn = runpy.run_path(str(EXAMPLE), run_name="example")["learn"]
    means = list(islice(learn(games=64, seed=1), 12 if QUICK else 30))
    assert means[2] < 8
    assert means[-1] > (9 if QUICK else 20)
