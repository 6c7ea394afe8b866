"""The kernel: interpreted and compiled are the same game, and what can be counted by hand is counted right."""

import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from rowlock import fast, find_variant
from rowlock.bots import greedy
from rowlock.fast.workspace import make_buffers
from rowlock.rules import chance, kernel
from rowlock.rules.variant import BUILT_IN, Setup, Variant, find_setup, game_names, parse_variant
from tests.effort import EFFORT
from tests.test_variant import EXAMPLE

GAMES = {"soak": 20_000, "full": 2_000, "quick": 80}[EFFORT]


def walk(k: ModuleType | Any, c: ModuleType | Any, ints: Any, setup: Setup, number: int) -> Iterator[list[int]]:
    """A random game at kernel level; the state after every event."""
    variant, players = setup.variant, 1 + number % kernel.MAX_PLAYERS
    tables, state = ints(variant.tables), ints([0] * kernel.state_size(players))
    found, scratch = ints([0] * kernel.MAX_OPTIONS), ints([0] * kernel.SCRATCH_SIZE)
    drawn, decisions = ints([0] * kernel.MAX_CARDS), ints([0] * players)
    k.start(state, tables, players)
    state[kernel.JOKERS] = int(setup.jokers)
    key, salt = c.game_key(2026, number), c.game_salt(2026, number)
    while state[kernel.PHASE] != kernel.OVER:
        phase, turn = int(state[kernel.PHASE]), int(state[kernel.TURN])
        if k.waits_for_chance(state):
            c.act(state, tables, key, salt, drawn)
        else:
            for player in (player for player in range(players) if k.to_act(state) >> player & 1):
                count = k.options(state, tables, player, found, scratch)
                word = c.random_word(key, salt, turn, c.decision_slot(phase, player))
                # Every other game prefers marks on the left, so that rows are locked too.
                if number % 2 == 0 or count == 1:
                    option = word * count >> 32
                elif variant.cards:
                    seen, actions = [int(one) for one in state], [int(one) for one in found]
                    option = greedy.choose(seen, variant.tables, player, actions, count, word, make_buffers(), ())
                else:
                    option = 1 + (word * (count - 1) >> 34)
                decisions[player] = found[option]
            k.act(state, tables, decisions, scratch)
        yield [int(one) for one in state]


def array(values: list[int]) -> Any:
    return np.array(values, np.int64)


@pytest.mark.parametrize("setup", [*map(find_setup, game_names()), Setup(parse_variant(EXAMPLE))], ids=str)
def test_compiled_and_interpreted_play_the_same_games(setup: Setup) -> None:
    """Every built-in game, and a custom one with all effects on one sheet."""
    reasons = set()
    for number in range(GAMES // 8 if setup.variant.cards else GAMES):
        interpreted = list(walk(kernel, chance, list, setup, number))
        compiled = list(walk(fast.kernel, fast.chance, array, setup, number))
        assert interpreted == compiled, f"game {number}"
        reasons.add(interpreted[-1][kernel.REASON])
    assert reasons == {kernel.BY_ROWS, kernel.BY_MISTHROWS}


def test_states_of_a_single_classic_row() -> None:
    """The states of a row, counted by hand and found by marking cells in every possible way.

    Any subset of the ten cells before the closing one: 2^10 = 1,024. With the closing cell, at least five of the ten:
    C(10,5) + ... + C(10,10) = 252 + 210 + 120 + 45 + 10 + 1 = 638. Together 1,662.
    What matters for play is less: the place of the rightmost mark i and the count k, 1 <= k <= i <= 10, are 55; the
    empty row is 1; a locked row has 5 to 10 marks before the closing cell and is 6. Together 62.
    """
    tables = find_variant("classic").tables
    seen, waiting = set(), [tuple([0] * kernel.SHEET_SIZE)]
    while waiting:
        sheet = waiting.pop()
        if sheet not in seen:
            seen.add(sheet)
            for cell in range(11):
                ints = list(sheet)
                if kernel.can_mark(ints, 0, tables, 0, cell):
                    kernel.mark_cell(ints, 0, tables, 0, cell)
                    waiting.append(tuple(ints))
    assert len(seen) == 1_662
    assert len({(sheet[kernel.NEXT], sheet[kernel.COUNT]) for sheet in seen}) == 62


def test_a_die_is_a_function_of_seed_game_turn_and_die() -> None:
    """Every face comes up as often as it should, whatever is varied (chi-square, five degrees of freedom)."""
    tables = find_variant("classic").tables
    dice = [0] * 6
    for seeds_vary in (True, False):
        counts = np.zeros((6, 7))
        for i in range(20_000):
            seed, game = (i, 7) if seeds_vary else (7, i)
            chance.throw(chance.game_key(seed, game), chance.game_salt(seed, game), i % 40, tables, dice)
            for die, face in enumerate(dice):
                counts[die, face] += 1
        expected = 20_000 / 6
        assert counts[:, 0].sum() == 0
        assert (((counts[:, 1:] - expected) ** 2 / expected).sum(axis=1) < 25).all()


def test_dice_are_independent_of_each_other() -> None:
    """Pairs of dice of a turn, and a die with itself a turn later, show no pattern (chi-square, 25 degrees)."""
    tables = find_variant("classic").tables
    first, second = [0] * 6, [0] * 6
    counts = np.zeros((6, 6, 6, 6))
    later = np.zeros((6, 6, 6))
    for game in range(30_000):
        key, salt = chance.game_key(1, game), chance.game_salt(1, game)
        chance.throw(key, salt, 5, tables, first)
        chance.throw(key, salt, 6, tables, second)
        for a in range(6):
            later[a, first[a] - 1, second[a] - 1] += 1
            for b in range(a):
                counts[a, b, first[a] - 1, first[b] - 1] += 1
    expected = 30_000 / 36
    pairs = [counts[a, b] for a in range(6) for b in range(a)] + list(later)
    assert all(((pair - expected) ** 2 / expected).sum() < 75 for pair in pairs)


def test_the_longest_chain_of_bonuses_ends() -> None:
    """Every cell uses up a box of the bar and the queue of bonuses is as full as a variant can make it: it ends."""
    text = (BUILT_IN / "bonus-a.toml").read_text(encoding="utf-8")
    cells = [f"{row}{number}" for row in "RYGB" for number in range(2, 13)]
    boxes = ", ".join(f'"{cell}"' for cell in cells)
    text = (
        re.sub(r"boxes = .*", f"boxes = [{boxes}]", text)
        .replace('"bonus-a"', '"long"')
        .replace("RYGBGRBYRYBG", "RYGB" * 8)
    )
    bonuses = [("fewest", "marks = 8"), ("each", ""), ("double", ""), ("points", "points = 9"), ("shield", "")]
    for (gives, amount), low in zip(bonuses, (2, 4, 6, 8, 10), strict=True):
        text += f'[[pairs]]\nname = "{gives}"\nboxes = ["R{low}", "R{low + 1}"]\ngives = "{gives}"\n{amount}\n'
    variant = parse_variant(text)
    for number in range(100):
        assert list(walk(kernel, chance, list, Setup(variant), number)) == list(
            walk(fast.kernel, fast.chance, array, Setup(variant), number)
        )


def test_action_codes_are_as_documented() -> None:
    page = (Path(__file__).parents[1] / "docs/actions.md").read_text(encoding="utf-8")
    for first, last, name in (
        (kernel.CELL, kernel.LUCKY - 1, "CELL"),
        (kernel.LUCKY, kernel.FIELD - 1, "LUCKY"),
        (kernel.FIELD, kernel.FIELD + kernel.MAX_FIELDS * kernel.MAX_CELLS - 1, "FIELD"),
        (kernel.SWAP, kernel.SECOND - 1, "SWAP"),
        (kernel.SECOND, kernel.SECOND + kernel.ROWS - 1, "SECOND"),
        (kernel.TAKE_CARDS, kernel.PLAY_CARDS - 1, "TAKE_CARDS"),
        (kernel.PLAY_CARDS, kernel.ACTIONS - 1, "PLAY_CARDS"),
    ):
        assert f"| {first} to {last} | `{name}` +" in page
    assert f"| + {kernel.PICK} × (row + 1) | `PICK` |" in page
    assert f"`ACTIONS` ({kernel.ACTIONS})" in page
    assert f"`MAX_OPTIONS` ({kernel.MAX_OPTIONS})" in page


def started(variant: Variant, players: int) -> list[int]:
    state = [0] * kernel.state_size(players)
    kernel.start(state, variant.tables, players)
    return state


def test_everybody_decides_in_the_white_action_and_the_active_player_in_the_colour_action() -> None:
    # Section 2, "Turn"; ruling 7: players take turns in the order in which they sit.
    tables, scratch = find_variant("classic").tables, [0] * kernel.SCRATCH_SIZE
    state = started(find_variant("classic"), 3)
    for active in (0b001, 0b010, 0b100, 0b001):
        assert kernel.waits_for_chance(state)
        assert kernel.to_act(state) == 0
        kernel.roll(state, [1, 2, 3, 4, 5, 6])
        assert not kernel.waits_for_chance(state)
        assert kernel.to_act(state) == 0b111
        kernel.act(state, tables, [kernel.PASS] * 3, scratch)
        assert not kernel.waits_for_chance(state)
        assert kernel.to_act(state) == active
        kernel.act(state, tables, [kernel.PASS] * 3, scratch)


def test_with_cards_the_active_player_takes_everybody_marks_and_the_active_player_plays() -> None:
    # Section 7, "Taking", "Announcing" and "Playing".
    variant, scratch = find_variant("cards"), [0] * kernel.SCRATCH_SIZE
    assert variant.cards
    state, deck, actions = started(variant, 2), list(variant.cards.deck(jokers=False)), [0] * kernel.MAX_OPTIONS
    assert kernel.waits_for_chance(state)
    kernel.deal(state, variant.tables, deck)
    assert kernel.to_act(state) == 0b01
    kernel.options(state, variant.tables, 0, actions, scratch)
    kernel.act(state, variant.tables, actions, scratch)
    assert kernel.waits_for_chance(state)  # for the display to be filled up
    assert kernel.to_act(state) == 0
    kernel.draw(state, variant.tables, deck)
    assert kernel.to_act(state) == 0b11
    kernel.act(state, variant.tables, [kernel.PASS] * 2, scratch)
    assert kernel.to_act(state) == 0b01
    kernel.options(state, variant.tables, 0, actions, scratch)
    kernel.act(state, variant.tables, actions, scratch)
    assert kernel.waits_for_chance(state)
    assert state[kernel.ACTIVE] == 1


def test_nobody_is_to_act_after_the_end() -> None:
    # Section 2, "End": the game stops at once when somebody takes their fourth misthrow.
    variant, scratch = find_variant("classic"), [0] * kernel.SCRATCH_SIZE
    state = started(variant, 1)
    for _ in range(4):
        kernel.roll(state, [1, 2, 3, 4, 5, 6])
        kernel.act(state, variant.tables, [kernel.PASS], scratch)
        kernel.act(state, variant.tables, [kernel.PASS], scratch)
    assert state[kernel.REASON] == kernel.BY_MISTHROWS
    assert kernel.to_act(state) == 0
    assert not kernel.waits_for_chance(state)


def test_turns_go_round_the_table() -> None:
    # Ruling 7: four players sit in the order 0, 1, 2, 3; after 3 comes 0.
    assert [kernel.player_after(2, turns, 4) for turns in range(4)] == [2, 3, 0, 1]
    assert [kernel.turns_between(2, other, 4) for other in (2, 3, 0, 1)] == [0, 1, 2, 3]
    assert (kernel.player_after(0, 1, 1), kernel.turns_between(0, 0, 1)) == (0, 0)  # alone


def test_winners_share_equal_totals() -> None:
    # Section 2: the highest total wins; equal totals share the win.
    variant = find_variant("classic")
    state = started(variant, 3)
    assert kernel.winners(state, variant.tables) == 0b111
    state[kernel.sheet_at(1) + kernel.MISTHROWS] = 1
    assert kernel.winners(state, variant.tables) == 0b101
    state[kernel.sheet_at(2) + kernel.COUNT] = 1
    assert kernel.winners(state, variant.tables) == 0b100
    assert kernel.best_of_others(state, variant.tables, 2) == 0
