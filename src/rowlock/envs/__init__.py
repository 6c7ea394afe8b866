"""Environments for agents that learn: Gymnasium, PettingZoo, OpenSpiel. They need the extra `envs`.

Modules: `gym` (one agent, and a vector environment), `aec` (PettingZoo), `openspiel` (the game `python_rowlock`).
"""

from importlib import util

if util.find_spec("gymnasium") is None:
    raise ImportError("environments need the extra envs: pip install 'rowlock[envs]'")
