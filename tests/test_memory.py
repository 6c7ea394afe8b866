"""Memory of compiled code: arrays live as long as their pointers, and no index leaves its buffer."""

import os
import random
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from rowlock import Game, find_variant, testing
from rowlock.bots import Stream, data_of, find_bot
from rowlock.bots.champion import Champion
from rowlock.fast import workspace
from rowlock.fast.pointer import keep_alive, pointer
from rowlock.networks import card_features, features, gaussian, network
from rowlock.networks.weights import save_weights, trained_path
from rowlock.rules import card_rules, kernel, layout
from rowlock.rules.variant import game_names


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


def test_buffers_are_large_enough_for_networks() -> None:
    assert workspace.DECISIONS_SIZE > workspace.COLOUR_PLAN >= workspace.PLANS + kernel.MAX_PLAYERS
    assert workspace.OPTIONS_SIZE >= workspace.FEATURES_AT + features.MAX_FEATURES
    assert workspace.FEATURES_AT >= workspace.WHITE_OPTIONS + kernel.MAX_OPTIONS
    assert max(network.FLOATS, gaussian.A_LOG_VARIANCE + 1) <= workspace.FLOATS
    page = Path(__file__).parents[1] / "docs" / "bots.md"
    assert f"{workspace.FLOATS:,} float32 numbers" in page.read_text(encoding="utf-8")


def test_variants_of_one_name_have_weights_of_their_own(home: Path) -> None:
    """Two variants with the same name in one process: each uses its own weights."""
    harder, easier = (replace(find_variant("classic"), id="alike", needed=needed) for needed in (6, 3))
    rng, trained = np.random.default_rng(1), []
    for variant in (harder, easier):
        trained.append(rng.normal(size=Champion.weights_size(variant)).astype(np.float16))
        save_weights(trained_path("champion", variant), "several", trained[-1].astype(np.float32))
    for variant, weights in zip((harder, easier), trained, strict=True):
        assert np.array_equal(data_of(Champion, variant, 2)[1], weights)


def test_bit_sets_leave_the_sign_free() -> None:
    """The highest card, and the highest cell that a card marks."""
    assert kernel.MAX_CARDS - 1 < 63
    assert (kernel.ROWS - 1) * kernel.MAX_CELLS + kernel.MAX_NUMBERS - 1 < 63


@pytest.mark.parametrize("name", game_names())
def test_bits_are_never_counted_of_negative_numbers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interpreted code would loop forever, and compiled code would count the sign bit."""

    def count(number: int) -> int:
        assert number >= 0
        return number.bit_count()

    for module in (layout, card_rules, kernel):
        monkeypatch.setattr(module, "bits", count)
    found = [0] * card_features.MAX_FEATURES
    game, eager = Game(name, 2, seed=1), find_bot("eager")
    while not game.over:
        for player in game.to_act:
            view = game.view(player)
            eager.decide(view, list(view.options), Stream.of(game, view))
            for seat in range(2 if game.variant.cards else 0):
                card_features.features(list(view.state), game.variant.tables, seat, seat == player, found, 0)
        testing.step(game, random.Random(game.turn))


@pytest.mark.bounds
def test_no_index_leaves_its_buffer(tmp_path: Path) -> None:
    """Whole games of every variant with every bot and in batches, training, roll-outs and the solver."""
    env = {**os.environ, "ROWLOCK_BOUNDS": "1", "NUMBA_OPT": "1", "ROWLOCK_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "tests.checked_bounds"]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=env, check=False)
    assert done.returncode == 0, done.stderr
