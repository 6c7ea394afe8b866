"""Plays batches of games as Ray tasks on many machines; a task whose worker is lost is run again."""

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
from rowlock.arena.worker import BatchResult

LOOPBACK = "127.0.0.1"


@lru_cache(maxsize=4)
def _engine(pickled_config: bytes) -> Engine:
    """The engine for a pickled config, cached by a worker between its tasks."""
    return engine_for(pickle.loads(pickled_config))


def _play(pickled_config: bytes, first_game: int, count: int) -> BatchResult:
    return _engine(pickled_config).play(first_game, count)


def _connect(address: str) -> Any:
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        ray: Any = import_module("ray")
    except ImportError:
        raise ValueError("--ray needs Ray: install the extra rowlock[cluster]") from None
    options = {"log_to_driver": False, "logging_level": logging.CRITICAL}
    if address == "local":
        try:
            ray.init(_node_ip_address=LOOPBACK, include_dashboard=False, **options)
        except Exception as error:
            raise ValueError(f"Ray cannot start on this machine: {error}") from error
        return ray
    host, _, port = address.rpartition(":")
    try:
        # Try the address first: Ray itself would try to connect for minutes.
        socket.create_connection((host, int(port)), timeout=3).close()
        # By default Ray uses the machine's external address, also for a head node on the loopback.
        ray.init(address=address, _node_ip_address=LOOPBACK if host == LOOPBACK else None, **options)
    except (OSError, ValueError, RuntimeError):
        raise ValueError(f"no Ray cluster answers at {address}; an address is written host:port") from None
    return ray


class RayEngine:
    """Plays on the Ray cluster at an address; for the address `local` it starts a temporary one on this machine."""

    def __init__(self, config: MatchConfig, address: str, workers: int | None = None) -> None:
        self.ray = ray = _connect(address)
        self._local = engine_for(config)
        self.path, self.batch_size = self._local.path, self._local.batch_size
        self.task = ray.remote(max_retries=-1)(_play)  # retried without a limit
        self._config_reference = ray.put(pickle.dumps(config))  # Ray passes the bytes behind it to `_play`
        # By default two batches per core: one is played while the next one waits.
        self.threads = workers or 2 * max(1, int(ray.cluster_resources().get("CPU", 1)))

    def play(self, first_game: int, count: int) -> BatchResult:
        batch: BatchResult = self.ray.get(self.task.remote(self._config_reference, first_game, count))
        return batch

    def records(self, first_game: int, batch: BatchResult) -> Iterator[str]:
        return self._local.records(first_game, batch)

    def close(self) -> None:
        self._local.close()
        self.ray.shutdown()
