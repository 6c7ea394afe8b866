"""Exact values: against brute force over every roll on small games, and against what is published."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rowlock import Sheet, fast, find_variant
from rowlock.fast.compiled import compiled
from rowlock.rules import kernel
from rowlock.rules.variant import Variant, parse_variant
from rowlock.solver.solution_file import read_header
from rowlock.solver.solve import solve
from rowlock.solver.space import NotSolvable, Space
from tests.effort import QUICK

SMALL = """
format = 1
id = "small"
closing = {closing}
needed = {needed}
cap = 9
{lucky}
[dice]
white = {white}
R = {red}
Y = 2
G = 2
B = {blue}
[rows.R]
numbers = {R}
colours = "{colours}"
[rows.Y]
numbers = {Y}
[rows.G]
numbers = {G}
[rows.B]
numbers = {B}
{bar}
[name]
en = "s"
de = "s"
nl = "s"
[about]
en = "s"
de = "s"
nl = "s"
"""


def small_text(**changes: object) -> str:
    usual: dict[str, object] = {
        "closing": 1, "needed": 1, "lucky": "", "bar": "", "white": 2, "red": 2, "blue": 2, "colours": "RRR",
        "R": [2, 3, 4], "Y": [2, 3, 4], "G": [4, 3, 2], "B": [4, 3, 2],
    }  # fmt: skip
    return SMALL.format(**{**usual, **changes})


def small(**changes: object) -> Variant:
    return parse_variant(small_text(**changes))


def _outcomes(state: Any, tables: Any, outcomes: Any) -> int:
    """Fill in the states after an own turn with these dice, one for every way to decide; return their number."""
    white, colour = np.zeros(kernel.MAX_OPTIONS, np.int64), np.zeros(kernel.MAX_OPTIONS, np.int64)
    scratch, decision = np.zeros(kernel.SCRATCH_SIZE, np.int64), np.zeros(1, np.int64)
    count = 0
    for first in range(compiled_options(state, tables, 0, white, scratch)):
        between = state.copy()
        decision[0] = white[first]
        compiled_act(between, tables, decision, scratch)
        choices = compiled_options(between, tables, 0, colour, scratch) if between[PHASE] == COLOUR else 0
        for second in range(max(1, choices)):
            if count == len(outcomes):
                raise IndexError
            outcomes[count] = between
            if choices:
                decision[0] = colour[second]
                compiled_act(outcomes[count], tables, decision, scratch)
            count += 1
    return count


compiled_options, compiled_act, PHASE, COLOUR = fast.kernel.options, fast.kernel.act, kernel.PHASE, kernel.COLOUR
outcomes = compiled(_outcomes, Path(__file__))


def brute_force(
    variant: Variant, players: int, lucky: tuple[int, int] | None, misthrows: int, letter: str = ""
) -> Callable[[int], float]:
    """The expected score of perfect play, by how many turns of others come first.

    Tries every roll and every option with the kernel, which is compiled for own turns; the only shortcut is that the
    white dice are alike.
    """
    tables = variant.tables
    faces = [range(1, variant.dice[max(0, die - 1)] + 1) for die in range(6)]
    scratch = [0] * kernel.SCRATCH_SIZE
    sheet = kernel.sheet_at(0)
    numbers, after_own = np.array(tables), np.zeros((kernel.MAX_OPTIONS, kernel.state_size(1)), np.int64)

    @cache
    def rolls(closed: int) -> "Counter[tuple[int, ...]]":
        alive = [faces[die] if die < 2 or not closed >> (die - 2) & 1 else range(1) for die in range(6)]
        return Counter((*sorted(dice[:2]), *dice[2:]) for dice in product(*alive))

    def options(state: list[int]) -> list[int]:
        found = [0] * kernel.MAX_OPTIONS
        return found[: kernel.options(state, tables, 0, found, scratch)]

    def worth(state: list[int], turns: int) -> float:
        """The value after a turn; so many turns of others come next."""
        if state[kernel.PHASE] == kernel.OVER:
            return kernel.total(state, sheet, tables)
        # Clear what no longer matters, so that equal states are evaluated once.
        state[kernel.TURN] = state[kernel.MARKED] = 0
        state[kernel.DICE : kernel.DICE + 6] = [0] * 6
        return value(tuple(state), turns)

    @cache
    def value(state: tuple[int, ...], turns: int) -> float:
        """The value before a roll, with so many turns of others before the next own one."""
        mean, all_rolls = 0.0, rolls(state[kernel.CLOSED])
        for dice, often in all_rolls.items():
            now = list(state)
            kernel.roll(now, list(dice))
            if turns == 0:
                count = outcomes(np.array(now), numbers, after_own)
                mean += often * max(worth(after, players - 1) for after in after_own[:count].tolist())
                continue
            best = -99.0
            for action in options(now):
                after = now.copy()
                kernel.mark(after, sheet, tables, action, scratch, kernel.SCRATCH_TRAIL)
                after[kernel.PHASE] = kernel.ROLL
                kernel.close_rows(after, tables)
                best = max(best, worth(after, turns - 1))
            mean += often * best
        return mean / all_rolls.total()

    state = [0] * kernel.state_size(1)
    kernel.start(state, tables, 1)
    state[sheet + kernel.MISTHROWS] = misthrows
    state[sheet + kernel.KIND] = variant.sheet_letters.index(letter)
    if lucky:
        state[sheet + kernel.LUCKY_LOW], state[sheet + kernel.LUCKY_HIGH] = lucky
    return lambda wait: value(tuple(state), wait)


# Misthrows that are left until the game ends: one in quick test runs, else two.
LATE = 3 if QUICK else 2
LESS = {"Y": [2, 3], "G": [4, 3]}


def brief(**changes: object) -> Variant:
    """A small variant; an even smaller one for quick test runs."""
    return small(**({"G": [4, 3], "B": [3, 2]} if QUICK else {}) | changes)


LUCKY = "lucky = [[2, 3], [2, 4], [3, 4], [3, 5], [4, 5]]"
OTHER_RULES = "points = [1, 1, 5, 6, 6, 9, 9, 9, 30]\nmisthrow_cost = 3\nrows_to_end = 3"
SWAPS = "swaps = [[3, 2], [4, 3], [2, 4]]"
BAR = '[bar]\nrows = "GRYBRGY"\nboxes = ["R3", "Y2", "G5", "G3", "B2", "B4"]'
WIDE = {"white": 3, "red": 3, "R": [2, 3, 4, 5, 6], "G": [6, 5, 4, 3, 2], "colours": "RRRRR"}


@pytest.mark.parametrize(
    ("variant", "lucky", "misthrows"),
    [
        (brief(), None, LATE),
        (brief(Y=[2, 3], G=[4, 3]), None, 2),
        (brief(R=[3, 2, 4], Y=[4, 2, 3], B=[2, 3], needed=0), None, LATE),
        (brief(colours="BYR", Y=[4, 2], red=3), None, LATE),
        (small(closing=2, Y=[2, 4, 3], G=[4, 2, 3]), None, 2),
        (brief(lucky=LUCKY, white=3, **(LESS if QUICK else {})), (3, 4), 3),
        (brief(bar='[bar]\nrows = "GRYBR"\nboxes = ["R3", "Y2", "Y3", "G3", "B2"]'), None, LATE),
        (brief(lucky=SWAPS, **LESS), None, 3),
        (brief(lucky=OTHER_RULES, Y=[2, 3], G=[4, 3]), None, 3),
    ],
    ids=[
        "plain",
        "two misthrows",
        "mixed numbers",
        "mixed colours and dice",
        "two closing cells",
        "lucky",
        "bonus bar",
        "swap fields",
        "other points and ends",
    ],
)
def test_solver_agrees_with_brute_force(variant: Variant, lucky: tuple[int, int] | None, misthrows: int) -> None:
    """Late in a game, so that few sheets are still to come: with all but one or two of the misthrows that end it."""
    solved = solve(Space(variant, lucky))
    sheet = Sheet.parse(f"R- Y- G- B- x{misthrows}", variant)
    value = solved.value(sheet.ints) - variant.misthrow_cost * misthrows
    assert value == pytest.approx(brute_force(variant, 1, lucky, misthrows)(0), abs=1e-9)


# A joined mark can lie right of all marks, left of one, in a locked row (R2 with Y3) or in the same row (B3 with B4).
STEPS = '[sheets.A]\nsteps = ["R2", "R4", "Y2", "Y3", "G3", "B4"]\n[sheets.B]\nsteps = ["B4", "G4", "G3", "R3"]'
JOINED = '[sheets.A]\njoined = [["R2", "Y3"], ["R3", "G4"], ["B4", "B3"]]\n[sheets.B]\njoined = [["R3", "B4"]]'


@pytest.mark.slow
@pytest.mark.parametrize(
    ("variant", "letter", "lucky"),
    [
        (small(bar=STEPS), "A", None),
        (small(bar=STEPS), "B", None),
        (small(bar=JOINED), "A", None),
        (small(bar=JOINED), "B", None),
        (small(bar=JOINED, needed=2, R=[2, 5, 3, 4], colours="RRRR", red=3), "A", None),
        (small(bar=JOINED, lucky=LUCKY, white=3), "A", (3, 4)),
        (small(bar=JOINED, lucky=SWAPS), "A", None),
    ],
    ids=[
        "steps of A",
        "steps of B",
        "joined cells of A",
        "joined cells of B",
        "joined cells of a longer row",
        "joined cells and lucky",
        "joined cells and swap fields",
    ],
)
def test_solver_agrees_with_brute_force_on_each_kind_of_sheet(
    variant: Variant, letter: str, lucky: tuple[int, int] | None
) -> None:
    space = Space(variant, lucky, letter)
    sheet = space.empty_sheet()
    sheet[kernel.MISTHROWS] = variant.misthrows_to_end - 1
    value = solve(space).value(sheet) + kernel.misthrow_points(sheet, 0, variant.tables)
    brute = brute_force(variant, 1, lucky, sheet[kernel.MISTHROWS], letter)
    assert value == pytest.approx(brute(0), abs=1e-9)


def test_solver_agrees_with_brute_force_at_a_friendly_table() -> None:
    variant = brief(Y=[2, 3], G=[4, 3])
    solved = solve(Space(variant, None), players=3)
    misthrows = variant.misthrows_to_end - 1
    sheet = Sheet.parse(f"R- Y- G- B- x{misthrows}", variant)
    brute = brute_force(variant, 3, None, misthrows)
    for wait in (0, 1, 2):
        value = solved.value(sheet.ints, wait) - variant.misthrow_cost * misthrows
        assert value == pytest.approx(brute(wait), abs=1e-9)


OLD = Path(__file__).parent / "fixtures" / "v0.1"


@pytest.mark.parametrize("players", [1, 2])
def test_every_value_is_that_of_version_0_1(players: int) -> None:
    path = OLD / f"pocket-{players}.solution"
    header = read_header(path)
    assert header
    solved = solve(Space(find_variant(OLD / "pocket.toml"), None), players)
    assert list(solved.empty) == header.fields["value"]
    values = header.values(path, np.float32)
    assert values is not None
    np.testing.assert_array_equal(solved.values.astype(np.float32), values, strict=True)


def test_symmetries_are_derived_from_the_sheet() -> None:
    """Classic: R and Y change places, G and B too, and both pairs with all dice turned over."""
    counts = {
        name: len(Space(find_variant(name), None).symmetries) for name in ("classic", "longo", "mixx-a", "mixx-b")
    }
    assert counts == {"classic": 8, "longo": 8, "mixx-a": 2, "mixx-b": 1}
    assert len(Space(find_variant("longo"), (5, 8)).symmetries) == 4
    assert len(Space(small(red=3), None).symmetries) == 2


@pytest.mark.parametrize("name", ["bonus-b", "big-points"])
def test_a_game_that_is_not_solvable_is_refused_with_the_reason(name: str) -> None:
    with pytest.raises(NotSolvable, match="is not solvable exactly: with"):
        Space(find_variant(name), None)
    with pytest.raises(NotSolvable, match="is not solvable exactly: with cards"):
        Space(find_variant("cards"), None)
    with pytest.raises(NotSolvable, match="classic has no lucky numbers"):
        Space(find_variant("classic"), (5, 8))


def test_a_space_is_for_one_kind_of_sheet() -> None:
    with pytest.raises(NotSolvable, match="connected-a has the sheets A, B, C, D, E, not ''"):
        Space(find_variant("connected-a"), None)
    with pytest.raises(NotSolvable, match="classic has one kind of sheet only, not 'A'"):
        Space(find_variant("classic"), None, "A")
    with pytest.raises(NotSolvable, match="small is not solvable: the solver does not know steps with swaps"):
        Space(small(bar=STEPS, lucky="swaps = [[3, 2]]"), None, "A")
    with pytest.raises(NotSolvable, match="small is not solvable: the solver does not know joined with steps"):
        Space(small(bar='[sheets.A]\nsteps = ["R2"]\njoined = [["R2", "Y3"]]'), None)


def test_only_possible_numbers_of_steps_are_counted() -> None:
    """R3 and B2 are steps: every set of marks in a row, with any set in the others, gives a number of marked steps."""
    variant = small(bar='[sheets.A]\nsteps = ["R3", "B2"]')
    found = set()
    rows = [[marks for marks in range(8) if marks < 4 or marks > 4] for _ in range(kernel.ROWS)]  # a lock needs a mark
    for marks in product(*rows):
        sheet = [0] * kernel.SHEET_SIZE
        for row, cells in enumerate(marks):
            for cell in (cell for cell in range(3) if cells >> cell & 1):
                kernel.mark_cell(sheet, 0, variant.tables, row, cell)
        if not kernel.rows_end_game(variant.tables, sheet[kernel.LOCKS]):
            found.add(Space(variant, None).index(sheet))
    assert solve(Space(variant, None)).states == len(found) * variant.misthrows_to_end


def test_an_unsupported_effect_is_refused() -> None:
    @dataclass(frozen=True)
    class Later(Variant):
        ladders: tuple[str, ...] = ()

    classic = find_variant("classic")
    later = Later(**{one.name: getattr(classic, one.name) for one in fields(classic)}, ladders=("R5",))
    with pytest.raises(NotSolvable, match="classic is not solvable exactly: the solver does not know its ladders"):
        Space(later, None)
