"""The results of games as rows of numbers. This module does not import Numba, which takes a second."""

from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.int64]

# The columns of results: turns, reason for the end (-1 - bot if that bot's choice was not an option), number of
# decisions; and from column BOTS on, PER_BOT columns for each bot: points, misthrows, number of locked rows.
TURNS, REASON, DECISIONS, BOTS = 0, 1, 2, 3
POINTS, MISTHROWS, LOCKED, PER_BOT = 0, 1, 2, 3


def seat_orders(players: int) -> list[tuple[int, ...]]:
    """All orders of players in the seats."""
    return list(permutations(range(players)))


def order_index(game: int, orders: int) -> int:
    """Which of the seat orders a game has: successive games have successive ones, so that all start equally often."""
    return game % orders
