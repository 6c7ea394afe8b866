"""`optimal` plays the exact solution: alone nobody can do better, at a table as if nobody else could end the game.

Its memory is a solution from disk. An option is worth the points on the sheet after it and those still to come; the
active player looks at both actions together. A row that somebody else has closed is as good as locked; with lucky
numbers, where its marks matter, it counts as locked with about as many marks as it has.
"""

from collections.abc import Callable
from functools import lru_cache
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rowlock.bots.bot import BotBuffers, BotData, BotError, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant

if TYPE_CHECKING:
    from rowlock.solver.solve import Solution
    from rowlock.solver.space import Space

# The ints: where the number of a row's look is found, by row, next cell and marks; then a part for every player's lucky
# numbers; then the numbers of the states.
NEXTS, COUNTS = kernel.MAX_CELLS + 1, kernel.MAX_CELLS + 2
PARTS = kernel.ROWS * NEXTS * COUNTS
LOW, HIGH, STRIDES, COMPACT = 0, 1, 2, 2 + kernel.ROWS
VALUES, PART = COMPACT + 1, COMPACT + 2  # VALUES counts states, each with all its values
STATES = PARTS + PART * kernel.MAX_PLAYERS

OVER = -1
NEVER = -1e9


def part_of(state: Ints, sheet: int, ints: Ints) -> int:
    """Where the part of the memory for a sheet's lucky numbers begins."""
    part = PARTS
    while part < STATES - PART and (
        ints[part + LOW] != state[sheet + kernel.LUCKY_LOW] or ints[part + HIGH] != state[sheet + kernel.LUCKY_HIGH]
    ):
        part += PART
    return part


def place_of(spare: Ints, closed: int, ints: Ints, part: int) -> int:
    """The full number of the state that a sheet stands for, or OVER."""
    closed |= spare[kernel.LOCKS]
    if kernel.rows_end_game(closed) or kernel.misthrows_end_game(spare[kernel.MISTHROWS]):
        return OVER
    full = spare[kernel.BAR_USED]
    for row in range(kernel.ROWS):
        look = ints[(row * NEXTS + spare[kernel.NEXT + row]) * COUNTS + spare[kernel.COUNT + row]]
        full += look * ints[part + STRIDES + row]
    return full


def best_of(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, room: BotBuffers, memory: BotData, wait: int
) -> float:
    """The expected final score after the best last action of this turn; which one it is lies in `decisions[0]`.

    First all sheets are made, then all are looked up, so that the slow reads from a large memory overlap.
    """
    spare, _, places, decisions, points = room[0]
    ints, floats = memory[0]
    sheet = kernel.sheet_at(seat)
    part = part_of(state, sheet, ints)
    missed = kernel.misthrow_due(state)
    for option in range(count):
        action = actions[option]
        kernel.mark_on_copy(state, sheet, tables, action, spare, 0)
        spare[kernel.MISTHROWS] += missed and action == kernel.PASS
        points[option] = kernel.total(spare, 0, tables)
        places[option] = place_of(spare, state[kernel.CLOSED], ints, part)
    best = NEVER
    for option in range(count):
        value = float(points[option])
        number = -1 if places[option] == OVER else ints[STATES + ints[part + COMPACT] + places[option]]
        if number >= 0:
            number += int(ints[part + VALUES])
            misthrows = state[sheet + kernel.MISTHROWS] + (missed and option == 0)  # passing comes first
            value += float(floats[(number * state[kernel.PLAYERS] + wait) * kernel.MISTHROWS_TO_END + misthrows])
        if value > best:
            best = value
            decisions[0] = option
    return best


def pair_worth(state: Ints, tables: Ints, seat: int, action: int, room: BotBuffers, memory: BotData) -> float:
    """The expected final score after a white action and the best colour action that can follow."""
    spare, imagined, found, decisions, _ = room[0]
    kernel.act_alone(state, tables, seat, action, imagined, decisions, spare)
    if imagined[kernel.PHASE] == kernel.OVER:
        return float(kernel.total(imagined, kernel.sheet_at(seat), tables))
    count = kernel.options(imagined, tables, seat, found, spare)
    return best_of(imagined, tables, seat, found, count, room, memory, state[kernel.PLAYERS] - 1)


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, room: BotBuffers, memory: BotData
) -> int:
    turns = (seat - state[kernel.ACTIVE]) % state[
        kernel.PLAYERS
    ]  # of others, this one included, before the next own one
    if turns > 0 or state[kernel.PHASE] == kernel.COLOUR:
        best_of(state, tables, seat, actions, count, room, memory, (turns - 1) % state[kernel.PLAYERS])
        return room[0][3][0]
    choice = 0
    best = NEVER
    for option in range(count):
        value = pair_worth(state, tables, seat, actions[option], room, memory)
        if value > best:
            best = value
            choice = option
    return choice


@lru_cache(maxsize=16)
def spaces_of(variant: Variant, players: int) -> "list[Space]":
    """The games whose solutions are needed at a table: one, or one for the lucky numbers of every seat."""
    from rowlock.solver.space import NotSolvable, Space

    try:
        return [Space(variant, pair) for pair in variant.lucky_pairs[:players] or [None]]
    except NotSolvable as error:
        raise BotError(str(error)) from None


def numbers_of(solution: "Solution") -> NDArray[np.int32]:
    """The numbers of all states; what only rows closed by others lead to is taken for the nearest bar with a number."""
    numbers = solution.compact.reshape(-1, solution.space.sizes[-1]).copy()
    last = numbers.shape[1]
    for bar, beside in [(bar, bar - 1) for bar in range(1, last)] + [(bar, bar + 1) for bar in range(last - 2, -1, -1)]:
        numbers[:, bar] = np.where(numbers[:, bar] < 0, numbers[:, beside], numbers[:, bar])
    return numbers.ravel()


def size_of(spaces: "list[Space]", players: int) -> float:
    """How many bytes several solutions take together, at the most."""
    states = sum(prod(space.sizes) / len(space.symmetries) for space in spaces)
    return 4 * states * players * kernel.MISTHROWS_TO_END


def look_table(space: "Space") -> NDArray[np.int32]:
    table = np.zeros((kernel.ROWS, NEXTS, COUNTS), np.int32)
    for r, row in enumerate(space.rows):
        locked = {}
        for (lock, cell, marks), number in row.numbers.items():
            table[r, cell, marks] = number
            if lock:
                locked[marks] = number
        for marks in range(COUNTS) if locked else ():
            nearest = min(locked, key=lambda one: abs(one - marks))
            table[r, len(space.variant.rows[r]), marks] = locked[nearest]
    return table


class Optimal(KernelBot):
    """Plays the exact solution; at a table as if nobody else could end the game."""

    choose = staticmethod(choose)
    heavy = True

    def needs(self, variant: Variant, players: int) -> str | None:
        from rowlock.solver.solution_file import is_solved
        from rowlock.solver.space import LIMIT

        try:
            spaces = spaces_of(variant, players)
        except BotError as error:
            return str(error)
        if len(spaces) > 1 and (size := size_of(spaces, players)) > LIMIT:
            return f"optimal would keep {size / 2**30:.0f} GB in mind for {players} players of {variant}"
        for space in spaces:
            if not is_solved(space, players):
                lucky = " --lucky {}/{}".format(*space.lucky) if space.lucky else ""
                return f"optimal plays from a solution: rowlock solve {variant} --players {players}{lucky}"
        return None

    def prepare(
        self,
        variant: Variant,
        players: int,
        progress: Callable[[float], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:
        from rowlock.solver.solution_cache import Interrupted, solve_cached
        from rowlock.solver.space import LIMIT, NotSolvable

        spaces = spaces_of(variant, players)
        if len(spaces) > 1 and size_of(spaces, players) > LIMIT:
            raise BotError(self.needs(variant, players))
        try:
            for space in spaces:
                solve_cached(space, players, progress, stop)
        except (NotSolvable, Interrupted) as error:
            raise BotError(str(error)) from None

    @staticmethod
    def memory(variant: Variant, players: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        from rowlock.solver.solution_cache import load

        needs = Optimal().needs(variant, players)
        if needs:
            raise BotError(needs)
        solutions = []
        for space in spaces_of(variant, players):
            solution = load(space, players)
            if solution is None:
                raise BotError(f"the solution of {variant} is damaged: rowlock solve {variant} makes it again")
            solutions.append(solution)
        parts = np.zeros((kernel.MAX_PLAYERS, PART), np.int32)
        compacts: dict[object, NDArray[np.int32]] = {}
        starts: dict[object, int] = {}
        states = 0
        for number, solution in enumerate(solutions):
            space = solution.space
            kind = space.symmetries
            if kind not in compacts:
                starts[kind] = sum(map(len, compacts.values()))
                compacts[kind] = numbers_of(solution)
            parts[number:, :] = *(space.lucky or (0, 0)), *space.strides[: kernel.ROWS], starts[kind], states
            states += solution.states // (players * kernel.MISTHROWS_TO_END)
        ints = np.concatenate([look_table(solutions[0].space).ravel(), parts.ravel(), *compacts.values()])
        values = [np.asarray(solution.values, np.float32) for solution in solutions]
        return ints, values[0] if len(values) == 1 else np.concatenate(values)
