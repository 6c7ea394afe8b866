"""`optimal` plays the exact solution: optimal in a solo game, in other games as if nobody else could end the game.

Its data are a solution from disk. The value of an action is the points on the sheet after it plus the expected points
still to come; the active player evaluates both actions together. A row that another player has closed counts as locked.
In games with lucky numbers or joined cells the number of marks matters too: the row then counts as locked with the
possible number of marks nearest to the player's own.
"""

from collections.abc import Callable
from functools import lru_cache
from itertools import product
from math import prod
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rowlock.bots.bot import BotBuffers, BotData, BotError, KernelBot
from rowlock.rules import kernel
from rowlock.rules.kernel import Ints
from rowlock.rules.variant import Variant
from rowlock.solver import MISTHROW_STATES

if TYPE_CHECKING:
    from rowlock.solver.solve import Solution
    from rowlock.solver.space import Space

# The ints of the bot's data have three sections: the index of a row's state, by row, next cell and marks; from PARTS_AT
# a part for every pair of lucky numbers and kind of sheet; from INDICES_AT the compact index of a sheet's state, by its
# full index. Compact indices number only the states that have values, see `solver.solve`.
NEXTS, COUNTS = kernel.MAX_CELLS + 1, kernel.MAX_CELLS + 2  # how many next cells and numbers of marks a row can have
PARTS_AT = kernel.ROWS * NEXTS * COUNTS
# Offsets in a part: lucky numbers, kind of sheet, strides of rows, start of its compact indices, number of states in
# earlier parts.
LOW, HIGH, KIND, STRIDES = 0, 1, 2, 3
INDICES_START, FIRST_STATE, PART_SIZE = STRIDES + kernel.ROWS, STRIDES + kernel.ROWS + 1, STRIDES + kernel.ROWS + 2
MAX_PARTS = kernel.MAX_PLAYERS * kernel.MAX_PLAYERS  # with lucky numbers and kinds of sheets
INDICES_AT = PARTS_AT + PART_SIZE * MAX_PARTS

OVER = -1  # instead of a state index: the game is over
WORST = -1e9  # below every value


def part_index(state: Ints, sheet: int, ints: Ints) -> int:
    """The index at which the part for a sheet's lucky numbers and kind begins; the last part if no earlier one fits."""
    part = PARTS_AT
    while part < INDICES_AT - PART_SIZE and (
        ints[part + LOW] != state[sheet + kernel.LUCKY_LOW]
        or ints[part + HIGH] != state[sheet + kernel.LUCKY_HIGH]
        or ints[part + KIND] != state[sheet + kernel.KIND]
    ):
        part += PART_SIZE
    return part


def state_index(scratch: Ints, tables: Ints, closed: int, ints: Ints, part: int) -> int:
    """The index of the state of the sheet in `scratch`, times MISTHROW_STATES, plus its misthrows; or OVER."""
    closed |= scratch[kernel.LOCKS]
    if kernel.rows_end_game(tables, closed) or kernel.misthrows_end_game(tables, scratch[kernel.MISTHROWS]):
        return OVER
    index = scratch[kernel.BAR_USED] + kernel.next_swap(scratch, 0)  # as `solver.space.boxes_used`
    if tables[kernel.T_STEPPED] != 0:
        index += kernel.marked_steps(scratch, 0, tables)
    for row in range(kernel.ROWS):
        row_state = ints[(row * NEXTS + scratch[kernel.NEXT + row]) * COUNTS + scratch[kernel.COUNT + row]]
        index += row_state * ints[part + STRIDES + row]
    return index * MISTHROW_STATES + scratch[kernel.MISTHROWS]


def best_last_action(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, buffers: BotBuffers, data: BotData, wait: int
) -> float:
    """The expected final score after the best last action of this turn; its index is written to `decisions[0]`.

    `wait` is the number of other turns before the player's next one. All sheets are made before any value is read, so
    that the slow reads from a large array overlap.
    """
    scratch, _, indices, decisions, points = buffers[0]
    ints, floats = data[0]
    sheet = kernel.sheet_at(seat)
    part = part_index(state, sheet, ints)
    for i in range(count):
        marks_made = kernel.mark_on_copy(state, sheet, tables, actions[i], scratch, 0)
        scratch[kernel.MISTHROWS] += kernel.misthrow_taken(state, marks_made)
        points[i] = kernel.total(scratch, 0, tables)
        indices[i] = state_index(scratch, tables, state[kernel.CLOSED], ints, part)
    best = WORST
    for i in range(count):
        value = float(points[i])
        index = indices[i] // MISTHROW_STATES
        compact = -1 if indices[i] == OVER else ints[INDICES_AT + ints[part + INDICES_START] + index]
        if compact >= 0:
            compact += int(ints[part + FIRST_STATE])
            misthrows = indices[i] % MISTHROW_STATES
            value += float(floats[(compact * state[kernel.PLAYERS] + wait) * MISTHROW_STATES + misthrows])
        if value > best:
            best = value
            decisions[0] = i
    return best


def pair_value(state: Ints, tables: Ints, seat: int, action: int, buffers: BotBuffers, data: BotData) -> float:
    """The expected final score after a white action and the best colour action that can follow."""
    scratch, simulated, options, decisions, _ = buffers[0]
    kernel.act_alone(state, tables, seat, action, simulated, decisions, scratch)
    if simulated[kernel.PHASE] == kernel.OVER:
        return float(kernel.total(simulated, kernel.sheet_at(seat), tables))
    count = kernel.options(simulated, tables, seat, options, scratch)
    return best_last_action(simulated, tables, seat, options, count, buffers, data, state[kernel.PLAYERS] - 1)


def choose(
    state: Ints, tables: Ints, seat: int, actions: Ints, count: int, word: int, buffers: BotBuffers, data: BotData
) -> int:
    active, players = state[kernel.ACTIVE], state[kernel.PLAYERS]
    if seat != active or state[kernel.PHASE] == kernel.COLOUR:
        wait = kernel.turns_between(kernel.player_after(active, 1, players), seat, players)
        best_last_action(state, tables, seat, actions, count, buffers, data, wait)
        _, _, _, decisions, _ = buffers[0]
        return decisions[0]
    choice, best = 0, WORST
    for i in range(count):
        value = pair_value(state, tables, seat, actions[i], buffers, data)
        if value > best:
            best = value
            choice = i
    return choice


@lru_cache(maxsize=128)  # a server asks for every game and number of players, again and again
def spaces_for(variant: Variant, players: int) -> "list[Space]":
    """The state spaces whose solutions a game needs: one for each pair of lucky numbers and each kind of sheet."""
    from rowlock.solver.space import NotSolvable, Space

    try:
        pairs, letters = variant.lucky_pairs[:players] or [None], variant.sheets_in_game(players) or [""]
        return [Space(variant, pair, letter) for pair, letter in product(pairs, letters)]
    except NotSolvable as error:
        raise BotError(str(error)) from None


def compact_indices(solution: "Solution") -> NDArray[np.int32]:
    """The compact index of every state, by its full index.

    A state that is reachable only through others' locks gets the index of the same rows with the nearest bonus bar, or
    number of steps.
    """
    indices = solution.compact.reshape(-1, solution.space.sizes[-1]).copy()
    bars = indices.shape[1]
    # Gaps are filled from the lower neighbour first, then those that remain from the higher one.
    for bar, neighbour in [(bar, bar - 1) for bar in range(1, bars)] + [
        (bar, bar + 1) for bar in range(bars - 2, -1, -1)
    ]:
        indices[:, bar] = np.where(indices[:, bar] < 0, indices[:, neighbour], indices[:, bar])
    return indices.ravel()


def solution_bytes(spaces: "list[Space]", players: int) -> float:
    """An upper bound of the size of the solutions of these spaces, in bytes."""
    states = sum(prod(space.sizes) / len(space.symmetries) for space in spaces)
    return np.float32().itemsize * states * players * MISTHROW_STATES


def row_state_indices(space: "Space") -> NDArray[np.int32]:
    """The index of a row's state, by row, next cell and marks."""
    table = np.zeros((kernel.ROWS, NEXTS, COUNTS), np.int32)
    for r, row in enumerate(space.rows):
        locked = {}  # the numbers of the locked states, by marks
        for (lock, cell, marks), number in row.numbers.items():
            table[r, cell, marks] = number
            if lock:
                locked[marks] = number
        if locked:
            for marks in range(COUNTS):
                nearest = min(locked, key=lambda possible: abs(possible - marks))
                table[r, len(space.variant.rows[r]), marks] = locked[nearest]
    return table


class Optimal(KernelBot):
    """Plays the exact solution; at a table, as if nobody else could end the game."""

    choose = staticmethod(choose)
    heavy = True
    data_per_sheet = True

    def needs(self, variant: Variant, players: int) -> str | None:
        from rowlock.solver.solution_file import is_solved
        from rowlock.solver.space import LIMIT

        try:
            spaces = spaces_for(variant, players)
        except BotError as error:
            return str(error)
        if len(spaces) > 1 and (size := solution_bytes(spaces, players)) > LIMIT:
            return f"optimal would need {size / 2**30:.0f} GB of memory for {players} players of {variant}"
        for space in spaces:
            if not is_solved(space, players):
                lucky = " --lucky {}/{}".format(*space.lucky) if space.lucky else ""
                sheet = f" --sheet {space.sheet}" if space.sheet else ""
                return f"optimal needs a solution: rowlock solve {variant} --players {players}{lucky}{sheet}"
        return None

    def prepare(
        self, variant: Variant, players: int, progress: Callable[[float], None] = lambda _: None,
        stop: Callable[[], bool] = lambda: False,
    ) -> None:  # fmt: skip
        from rowlock.solver.solution_cache import Interrupted, solve_cached
        from rowlock.solver.space import LIMIT, NotSolvable

        spaces = spaces_for(variant, players)
        if len(spaces) > 1 and solution_bytes(spaces, players) > LIMIT:
            raise BotError(self.needs(variant, players) or "")
        try:
            for space in spaces:
                solve_cached(space, players, progress, stop)
        except (NotSolvable, Interrupted) as error:
            raise BotError(str(error)) from None

    @staticmethod
    def data(variant: Variant, players: int) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        from rowlock.solver.solution_cache import load

        if needs := Optimal().needs(variant, players):
            raise BotError(needs)
        solutions = []
        for space in spaces_for(variant, players):
            solution = load(space, players)
            if solution is None:
                raise BotError(f"the solution of {variant} is damaged: rowlock solve {variant} makes it again")
            solutions.append(solution)
        parts = np.zeros((MAX_PARTS, PART_SIZE), np.int32)
        # Compact indices, by symmetries and sheet: equal ones are shared.
        compacts: dict[object, NDArray[np.int32]] = {}
        starts: dict[object, int] = {}
        sheet_states = 0  # states of earlier solutions, without the turns to wait and the misthrows
        for i, solution in enumerate(solutions):
            space, key = solution.space, (solution.space.symmetries, solution.space.sheet)
            if key not in compacts:
                starts[key] = sum(map(len, compacts.values()))
                compacts[key] = compact_indices(solution)
            # Later solutions overwrite the parts after this one; the last solution fills the rest.
            parts[i:, :] = (
                *(space.lucky or (0, 0)),
                space.kind,
                *space.strides[: kernel.ROWS],
                starts[key],
                sheet_states,
            )
            sheet_states += solution.states // (players * MISTHROW_STATES)
        ints = np.concatenate([row_state_indices(solutions[0].space).ravel(), parts.ravel(), *compacts.values()])
        values = [np.asarray(solution.values, np.float32) for solution in solutions]
        return ints, values[0] if len(values) == 1 else np.concatenate(values)
