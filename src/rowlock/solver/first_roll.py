"""The value of the first roll: the expected final score of perfect play after every roll on the empty sheet."""

import numpy as np
from numpy.typing import NDArray

from rowlock.rules import kernel
from rowlock.solver.solve import Solution

Floats = NDArray[np.float64]


def first_roll_values(solution: Solution) -> dict[int, list[Floats]]:
    """By white sum, for every roll of the white dice with that sum: the values of all rolls of the coloured dice."""
    faces = solution.space.variant.dice
    found: dict[int, list[Floats]] = {}
    for low in range(1, faces[0] + 1):
        for high in range(1, faces[0] + 1):
            found.setdefault(low + high, []).append(_turn_values(solution, low, high))
    return found


def _turn_values(solution: Solution, low: int, high: int) -> Floats:
    """The value of a turn is the maximum of independent terms: one without a colour mark, and one per coloured die."""
    faces = solution.space.variant.dice[1:]
    terms = [np.full(faces[row], -np.inf) for row in range(kernel.ROWS)]
    base = -np.inf
    for state in _successors(solution, _roll_whites(solution, low, high)):
        if state[kernel.PHASE] == kernel.OVER:
            base = max(base, _score(solution, state))
            continue
        base = max(base, _score(solution, _act(solution, state, kernel.PASS)))
        for row in range(kernel.ROWS):
            for face in range(1, faces[row] + 1 if state[kernel.CLOSED] >> row & 1 == 0 else 1):
                rolled = state.copy()
                rolled[kernel.DICE + 2 + row] = face
                best = max(_score(solution, after) for after in _successors(solution, rolled))
                terms[row][face - 1] = max(terms[row][face - 1], best)
    values: Floats = np.maximum(base, terms[0])[:, None, None, None]
    for row in range(1, kernel.ROWS):
        values = np.maximum(values, terms[row][(slice(None),) + (None,) * (kernel.ROWS - 1 - row)])
    return values


def _roll_whites(solution: Solution, low: int, high: int) -> list[int]:
    """The empty sheet with a roll of the white dice; the coloured dice are set one at a time."""
    state = [0] * kernel.state_size(1)
    kernel.start(state, solution.space.variant.tables, 1)
    kernel.set_lucky(state, 0, *(solution.space.lucky or (0, 0)))
    kernel.roll(state, [low, high, 0, 0, 0, 0])
    return state


def _successors(solution: Solution, state: list[int]) -> list[list[int]]:
    found, scratch = [0] * kernel.MAX_OPTIONS, [0] * kernel.SCRATCH_SIZE
    count = kernel.options(state, solution.space.variant.tables, 0, found, scratch)
    return [_act(solution, state, action) for action in found[:count]]


def _act(solution: Solution, state: list[int], action: int) -> list[int]:
    after = state.copy()
    kernel.act(after, solution.space.variant.tables, [action], [0] * kernel.SCRATCH_SIZE)
    return after


def _score(solution: Solution, state: list[int]) -> float:
    sheet = kernel.sheet_at(0)
    points = kernel.total(state, sheet, solution.space.variant.tables)
    if state[kernel.PHASE] == kernel.OVER:
        return points
    return points + solution.value(state[sheet : sheet + kernel.SHEET_SIZE], solution.players - 1)
