"""Memory of compiled code: arrays live as long as their pointers, and no index leaves its buffer."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from rowlock.fast import workspace
from rowlock.fast.pointer import keep_alive, pointer
from rowlock.networks import features, gaussian, network
from rowlock.rules import kernel as k


def _sum_of_a_buffer(size: int) -> int:
    """The buffer's last use as an array comes before the loop, which allocates and frees arrays of the same size."""
    buffer = np.ones(size, np.int64)
    numbers = pointer(buffer)
    total = 0
    for one in range(size):
        other = np.full(size, 7, np.int64)
        total += numbers[one] + 0 * other[one]
    keep_alive((buffer,))
    return total


def test_an_array_that_is_kept_alive_is_freed_after_its_pointer_is_used() -> None:
    sum_of_a_buffer: Any = numba.njit(_sum_of_a_buffer)  # not from a cache, which keeps no source
    assert sum_of_a_buffer(1000) == 1000
    code = next(iter(sum_of_a_buffer.inspect_llvm().values()))
    assert 'asm sideeffect "", "r,~{memory}' in code


def test_a_workspace_has_room_for_what_networks_keep_there() -> None:
    assert workspace.DECISIONS_SIZE > workspace.COLOUR_PLAN >= workspace.PLANS + k.MAX_PLAYERS
    assert workspace.OPTIONS_SIZE >= workspace.FEATURES_AT + features.MAX_FEATURES
    assert workspace.FEATURES_AT >= workspace.WHITES + k.MAX_OPTIONS
    assert max(network.FLOATS, gaussian.R_SPREAD + 1) <= workspace.FLOATS


@pytest.mark.bounds
def test_no_index_leaves_its_buffer(tmp_path: Path) -> None:
    """Whole games of every variant with every bot, steps of training and roll-outs, with all indices checked."""
    env = {**os.environ, "ROWLOCK_BOUNDS": "1", "NUMBA_OPT": "1", "ROWLOCK_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "tests.checked_bounds"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=env, check=False)
    assert done.returncode == 0, done.stderr
