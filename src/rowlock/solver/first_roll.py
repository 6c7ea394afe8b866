"""The value of the first roll: the expected final score of perfect play after every roll on the empty sheet."""

import numpy as np
from numpy.typing import NDArray

from rowlock.rules import kernel
from rowlock.solver.solve import Solution

Floats = NDArray[np.float64]


def first_roll_values(solution: Solution) -> dict[int, list[Floats]]:
    """For each white sum, the `_turn_values` of every roll of the two white dice that has this sum."""
    white_faces, *_ = solution.space.variant.dice
    values_by_sum: dict[int, list[Floats]] = {}
    for first in range(1, white_faces + 1):
        for second in range(1, white_faces + 1):
            values_by_sum.setdefault(first + second, []).append(_turn_values(solution, first, second))
    return values_by_sum


def _turn_values(solution: Solution, first: int, second: int) -> Floats:
    """The values of a turn with these white dice: an array with one axis per coloured die, indexed by face - 1.

    At most one coloured die is used, so a value is the maximum of the best pass and the best mark with each die.
    """
    _, *faces = solution.space.variant.dice
    best_marks = [np.full(faces[row], -np.inf) for row in range(kernel.ROWS)]
    best_pass = -np.inf
    for state in _successors(solution, _roll_whites(solution, first, second)):
        if state[kernel.PHASE] == kernel.OVER:  # after the white mark
            best_pass = max(best_pass, _expected_score(solution, state))
            continue
        best_pass = max(best_pass, _expected_score(solution, _act(solution, state, kernel.PASS)))
        open_rows = [row for row in range(kernel.ROWS) if state[kernel.CLOSED] >> row & 1 == 0]
        for row in open_rows:
            for face in range(1, faces[row] + 1):
                rolled = state.copy()
                rolled[kernel.DICE + 2 + row] = face  # the first two dice are white
                best = max(_expected_score(solution, after) for after in _successors(solution, rolled))
                best_marks[row][face - 1] = max(best_marks[row][face - 1], best)
    values = np.full(faces, best_pass)
    for row in range(kernel.ROWS):
        later_axes = [1] * (kernel.ROWS - 1 - row)
        values = np.maximum(values, best_marks[row].reshape(-1, *later_axes))  # broadcast along the other axes
    return values


def _roll_whites(solution: Solution, first: int, second: int) -> list[int]:
    """The first state of a game after a roll of the white dice; the coloured dice are 0, which no mark can use."""
    state = [0] * kernel.state_size(1)
    kernel.start(state, solution.space.variant.tables, 1)
    kernel.set_lucky(state, 0, *(solution.space.lucky or (0, 0)))
    kernel.deal_sheets(state, solution.space.variant.tables, solution.space.kind)
    kernel.roll(state, [first, second, 0, 0, 0, 0])
    return state


def _successors(solution: Solution, state: list[int]) -> list[list[int]]:
    actions, scratch = [0] * kernel.MAX_OPTIONS, [0] * kernel.SCRATCH_SIZE
    count = kernel.options(state, solution.space.variant.tables, 0, actions, scratch)
    return [_act(solution, state, action) for action in actions[:count]]


def _act(solution: Solution, state: list[int], action: int) -> list[int]:
    after = state.copy()
    kernel.act(after, solution.space.variant.tables, [action], [0] * kernel.SCRATCH_SIZE)
    return after


def _expected_score(solution: Solution, state: list[int]) -> float:
    sheet = kernel.sheet_at(0)
    points = kernel.total(state, sheet, solution.space.variant.tables)
    if state[kernel.PHASE] == kernel.OVER:
        return points
    wait = solution.players - 1  # after the player's turn come the turns of all others
    return points + solution.value(state[sheet : sheet + kernel.SHEET_SIZE], wait)
