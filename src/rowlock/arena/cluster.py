"""Many machines: stretches of games as Ray tasks. A task whose worker is lost is played again by another."""

import logging
import os
import pickle
import socket
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import Any

from rowlock.arena.config import MatchConfig
from rowlock.arena.engine import Engine, engine_for
from rowlock.arena.worker import Played

LOOPBACK = "127.0.0.1"


@lru_cache(maxsize=4)
def _engine(packed: bytes) -> Engine:
    """The engine of a config, kept by a worker between its tasks."""
    return engine_for(pickle.loads(packed))


def _play(packed: bytes, first: int, count: int) -> Played:
    return _engine(packed).play(first, count)


def _connect(address: str) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise ValueError("many machines need Ray: install the extra rowlock[cluster]") from None
    quiet = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    if address == "local":
        ray.init(_node_ip_address=LOOPBACK, include_dashboard=False, **quiet)
        return ray
    host, _, port = address.rpartition(":")
    try:
        # Ray itself tries for minutes.
        socket.create_connection((host, int(port)), timeout=3).close()
        # Without this it would take this machine's outside address for a head node on the loopback.
        ray.init(address=address, _node_ip_address=LOOPBACK if host == LOOPBACK else None, **quiet)
    except (OSError, ValueError, RuntimeError):
        raise ValueError(f"no Ray cluster answers at {address}; an address is written host:port") from None
    return ray


class RayEngine:
    """Plays on a Ray cluster, or on one started here for the occasion (`local`)."""

    def __init__(self, config: MatchConfig, address: str, workers: int | None = None) -> None:
        self.ray = ray = _connect(address)
        self._local = engine_for(config)
        self.path, self.batch = self._local.path, self._local.batch
        self.task = ray.remote(max_retries=-1)(_play)
        self.config = ray.put(pickle.dumps(config))
        self.threads = workers or 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def play(self, first: int, count: int) -> Played:
        played: Played = self.ray.get(self.task.remote(self.config, first, count))
        return played

    def records(self, first: int, played: Played) -> Iterator[str]:
        return self._local.records(first, played)

    def close(self) -> None:
        self._local.close()
        self.ray.shutdown()
