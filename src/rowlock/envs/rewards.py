"""What an agent is rewarded for. A reward is the change of a value, so rewards add up to the value at the end."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

# Points: the own points. Margin: these less the mean of the other players' points. Win: the share of the win times the
# number of players, less 1, at the end (two players: 1, 0 or -1). The last two add up to 0 over all players.
REWARDS = ("points", "margin", "win")

Floats = NDArray[np.float64]


def check_reward(reward: str, players: int) -> None:
    if reward not in REWARDS:
        raise ValueError(f"a reward is one of {', '.join(REWARDS)}, not {reward!r}")
    if reward != "points" and players == 1:
        raise ValueError(f"the reward {reward!r} needs two players or more")


def values(reward: str, totals: Any, winners: Any, over: Any) -> Floats:
    """The value of each player so far, given points, who has the most, and whether the game is over.

    Players are the last axis of arrays; the axes before, which `over` has too, are games.
    """
    points = np.asarray(totals, np.float64)
    players = points.shape[-1]
    if reward == "points":
        return points
    if reward == "margin":
        margins: Floats = (players * points - points.sum(-1, keepdims=True)) / (players - 1)
        return margins
    best = np.asarray(winners, np.float64)
    shares = players * best / best.sum(-1, keepdims=True) - 1
    return np.where(np.asarray(over)[..., None], shares, 0.0)
