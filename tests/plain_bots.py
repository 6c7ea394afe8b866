"""Bots of test_arena, apart from it: each process that plays with one imports its module."""

import os
import sys
import time
from collections.abc import Sequence
from random import Random

from rowlock import View
from rowlock.bots import Bot, find_bot


class Last(Bot):
    """The last option."""

    def decide(self, view: View, options: Sequence[str], rng: Random) -> str:
        return options[-1]


class Broken(Bot):
    """Fails in one of four ways, by the sum of the dice."""

    def decide(self, view: View, options: Sequence[str], rng: Random) -> str:
        if view.turn == 3:
            kind = sum(map(int, (view.dice or "0").replace("-", "").replace(".", "0"))) % 4
            if kind == 0:
                raise RuntimeError("out of ideas")
            if kind == 1:
                return "R99"
            if kind == 2:
                time.sleep(60)
            os._exit(1)
        return options[0]


class PlainGreedy(Bot):
    """The interpreted greedy, with no compiled form."""

    def decide(self, view: View, options: Sequence[str], rng: Random) -> str:
        assert "numba" not in sys.modules, "a process for plain bots starts without the compiler"
        return find_bot("greedy").decide(view, options, rng)
