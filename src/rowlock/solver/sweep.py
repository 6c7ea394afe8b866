"""The inner loops of the solver: they number the states and compute their values from the highest level to the lowest.

A state has parts: the state of each row, and the number of used boxes of the bar (with swap fields, of those used or
skipped; with steps, of those marked). Its full index is computed from them
by `Space.index`. Its compact index counts only states before the end of the game that can be reached; symmetric states
share one. Its level grows with every mark, so the values of higher levels are known when a state is evaluated.

A value is the expected points to come. For fixed white dice the value of a turn is the maximum of independent terms:
the best without a colour mark, and for each coloured die the best mark with its face. So the mean over all colour rolls
needs no loop over them: the terms are sorted, and each is weighted with the probability that it is the maximum.
"""

from typing import Any, NamedTuple

import numpy as np

from rowlock.fast.compiled import compile_for, compiled
from rowlock.fast.pointer import INT, keep_alive, pointer, slice_pointer, types
from rowlock.fast.results import Array
from rowlock.fast.rules import kernel
from rowlock.solver import MISTHROW_STATES

IMPOSSIBLE = -1e300  # the points of a mark that is not allowed: less than every value
PARTS = kernel.ROWS + 1  # the rows, and the bar, the swap fields or the steps
BAR = kernel.ROWS  # the index of the bar, of the next swap field, or of the number of marked steps among the parts
CODES = kernel.ROWS * kernel.MAX_CELLS  # a cell has the code row * MAX_CELLS + cell
COLOUR_TERMS = kernel.ROWS * kernel.SUMS  # a term for each colour and sum
TERMS = MISTHROW_STATES * COLOUR_TERMS  # those for each number of misthrows
# The most ways to mark a white sum: in each row its cell, if it is lucky the next one, and one for each swap field.
WHITE_MARKS = (2 + kernel.MAX_SWAPS) * kernel.ROWS
COLOUR_FACES = kernel.ROWS * kernel.MAX_FACES  # the number of faces of all coloured dice

Ints = Any  # pointers, inside compiled code
Floats = Any


class SpaceTables(NamedTuple):
    """The arrays of a `Space`, or pointers to them in compiled code; the states of all rows have one numbering."""

    variant: Any  # the kernel's tables
    first_states: Any  # the number of each row's first state; 0 for the bar
    strides: Any
    lucky: Any
    is_step: Any  # by code: 1 if the cell is a step
    joined: Any  # by code: the code of the cell joined to it, or -1
    steps: Any  # this and the following: the fields of `RowStates`, for all rows
    gains: Any
    joined_steps: Any
    joined_gains: Any
    locked: Any
    marks: Any
    next: Any
    boxes: Any
    least_steps: Any
    most_steps: Any


class SweepBuffers(NamedTuple):
    """Buffers for the evaluation of one state."""

    parts: Any  # the state that is evaluated
    after_white: Any  # the state after a white mark
    after_colour: Any  # the state after a colour mark
    white_marks: Any  # the marks that can be made with a white sum: code + CODES * (swap field + 1, or 0 without one)
    counts: Any  # the number of white marks, by white sum
    indices: Any  # for each white mark, the index of the first value of the state after it; -1 if it ends the game
    gained: Any  # the points of each white mark
    colour_terms: Any  # the best value of a colour mark without a white mark, by misthrows, colour and sum
    terms: Any  # the best value of a colour mark with or without a white mark, also by white sum
    bases: Any  # the best value of a white mark without a colour mark, by white sum and misthrows
    sorted_terms: Any  # terms, the largest first
    colours: Any  # the colour of each sorted term
    faces_left: Any  # for each colour, the number of faces that are not among the sorted terms so far


def _decode(t: SpaceTables, full: int, parts: Ints) -> None:
    """Split the full index of a state into its parts."""
    for part in range(PARTS):
        number = full // t.strides[part]
        full -= number * t.strides[part]
        parts[part] = t.first_states[part] + number


def _encode(t: SpaceTables, parts: Ints) -> int:
    """The full index of a state."""
    full = 0
    for part in range(PARTS):
        full += (parts[part] - t.first_states[part]) * t.strides[part]
    return full


def _is_over(t: SpaceTables, parts: Ints) -> bool:
    locked = 0
    for row in range(kernel.ROWS):
        locked |= t.locked[parts[row]] << row
    return kernel.rows_end_game(t.variant, locked)


def _steps_are_possible(t: SpaceTables, parts: Ints) -> bool:
    """Whether rows in these states can have the number of marked steps; every number between the limits is possible."""
    least = 0
    most = 0
    for row in range(kernel.ROWS):
        least += t.least_steps[parts[row]]
        most += t.most_steps[parts[row]]
    possible: bool = t.variant[kernel.T_STEPPED] == 0 or least <= parts[BAR] <= most
    return possible


def _level(t: SpaceTables, parts: Ints) -> int:
    """The sum over all rows of the next cell, plus 1 for a locked row."""
    level = 0
    for row in range(kernel.ROWS):
        level += t.next[parts[row]] + t.locked[parts[row]]
    return level


def _count_step(t: SpaceTables, code: int, after: Ints) -> float:
    """Count a marked cell as a step, if it is one, and return the points for it."""
    if t.is_step[code] == 0:
        return 0.0
    after[BAR] += 1
    points: float = kernel.step_points(t.variant, after[BAR]) - kernel.step_points(t.variant, after[BAR] - 1)
    return points


def _advance(t: SpaceTables, parts: Ints, mark: int, after: Ints) -> float:
    """Mark a cell, the joined one and its bonuses: write the new state to `after`; return the points or IMPOSSIBLE.

    A mark is the code of the cell, plus CODES * (field + 1) if a swap field is used for it.
    """
    code = mark % CODES
    row = kernel.row_of(code)
    step = parts[row] * kernel.MAX_CELLS + kernel.place_in_row(code)
    if t.steps[step] < 0:
        return IMPOSSIBLE
    for part in range(PARTS):
        after[part] = parts[part]
    after[row] = t.steps[step]
    if mark >= CODES:
        after[BAR] = mark // CODES
    gain: float = t.gains[step] + _count_step(t, code, after)
    joined = t.joined[code]
    if joined >= 0:
        row = kernel.row_of(joined)
        step = after[row] * kernel.MAX_CELLS + kernel.place_in_row(joined)
        if t.joined_steps[step] >= 0:  # else the state cannot be reached: all cells of the row would be marked
            after[row] = t.joined_steps[step]
            gain += t.joined_gains[step]
    bonuses = t.variant[kernel.T_BOX + code]
    while bonuses > 0:  # each uses the next box of the bar: a mark in the next cell of its row
        bonuses -= 1
        box = after[BAR]
        while box < t.variant[kernel.T_BAR_LENGTH] and t.locked[after[t.variant[kernel.T_BAR + box]]] == 1:
            box += 1
        if box == t.variant[kernel.T_BAR_LENGTH]:
            break
        after[BAR] = box + 1
        row = t.variant[kernel.T_BAR + box]
        cell = t.next[after[row]]
        step = after[row] * kernel.MAX_CELLS + cell
        if t.steps[step] >= 0:
            after[row] = t.steps[step]
            gain += t.gains[step]
            bonuses += t.variant[kernel.T_BOX + row * kernel.MAX_CELLS + cell]
    return gain


def _skip_useless_boxes(t: SpaceTables, parts: Ints) -> None:
    """Count boxes of the bar as used if they can have no effect any more."""
    bonuses_left = 0
    for row in range(kernel.ROWS):
        bonuses_left += t.boxes[parts[row]]
    while parts[BAR] < t.variant[kernel.T_BAR_LENGTH]:
        if bonuses_left > 0 and t.locked[parts[t.variant[kernel.T_BAR + parts[BAR]]]] == 0:
            return
        parts[BAR] += 1


def _mark_reachable(arrays: SpaceTables, reached: Any) -> None:
    """Set `reached` to 1 for the states that can be reached in a variant with a bar."""
    t = pointer(arrays)
    # In this depth-first search each of at most CODES marks in succession adds at most CODES states to the stack.
    buffers = np.zeros(PARTS, np.int64), np.zeros(PARTS, np.int64), np.zeros(1 + CODES * CODES, np.int64)
    parts, after, stack = pointer(buffers)
    reached[0] = 1
    stack_size = 1  # the stack holds full indices, at first that of the empty sheet, 0
    while stack_size > 0:
        stack_size -= 1
        _decode(t, stack[stack_size], parts)
        for code in range(CODES):
            if _advance(t, parts, code, after) > IMPOSSIBLE and not _is_over(t, after):
                _skip_useless_boxes(t, after)
                full = _encode(t, after)
                if reached[full] == 0:
                    reached[full] = 1
                    stack[stack_size] = full
                    stack_size += 1
    keep_alive(arrays)
    keep_alive(buffers)


def _number_states(arrays: SpaceTables, symmetries: Array, reached: Any, compact: Any, level_sizes: Array) -> None:
    """Write compact indices by full index, and the size of every level; `reached` is empty in variants without a bar.

    Without a bar all states that have a possible number of steps are numbered. With joined cells some of them cannot be
    reached; their values do no harm.
    """
    t = pointer(arrays)
    parts_ = np.zeros(PARTS, np.int64)
    parts = pointer(parts_)
    count = 0
    for full in range(compact.size):
        _decode(t, full, parts)
        if _is_over(t, parts) or not _steps_are_possible(t, parts) or (reached.size > 0 and reached[full] == 0):
            continue
        representative = full  # the smallest full index of a symmetric state
        for symmetry in range(symmetries.shape[0]):
            symmetric = parts[BAR]  # the full index of the symmetric state; the stride of the bar is 1
            for row in range(kernel.ROWS):
                symmetric += (parts[row] - t.first_states[row]) * t.strides[symmetries[symmetry, row]]
            representative = min(representative, symmetric)
        if representative == full:
            compact[full] = count
            count += 1
            level_sizes[_level(t, parts)] += 1
        else:
            compact[full] = compact[representative]
    for full in range(reached.size):  # a state with useless boxes shares the index of the one without them
        if compact[full] < 0:
            _decode(t, full, parts)
            _skip_useless_boxes(t, parts)
            compact[full] = compact[_encode(t, parts)]
    keep_alive(arrays)
    keep_alive((parts_,))


def _order_states(arrays: SpaceTables, compact: Any, next_indices: Array, states: Array) -> None:
    """Write the full index of each representative to `states[next_indices[level]]`, and increase that index."""
    t = pointer(arrays)
    parts_ = np.zeros(PARTS, np.int64)
    parts = pointer(parts_)
    count = 0
    for full in range(compact.size):
        if compact[full] == count:  # the first state with this compact index is the representative
            _decode(t, full, parts)
            level = _level(t, parts)
            states[next_indices[level]] = full
            next_indices[level] += 1
            count += 1
    keep_alive(arrays)
    keep_alive((parts_,))


def _mean_of_best(t: SpaceTables, best: Floats, base: float, low: int, high: int, b: SweepBuffers) -> float:
    """The mean over all colour rolls of the largest of `base` and the terms in `best`, which are by colour and sum.

    `low` and `high` are the white dice.
    """
    terms, colours, faces_left = b.sorted_terms, b.colours, b.faces_left
    count = 0
    for colour in range(kernel.ROWS):
        for face in range(1, t.variant[kernel.T_FACES + 1 + colour] + 1):
            value = max(best[colour * kernel.SUMS + face + low], best[colour * kernel.SUMS + face + high])
            if value > base:  # insert it into the sorted terms
                i = count
                while i > 0 and terms[i - 1] < value:
                    terms[i] = terms[i - 1]
                    colours[i] = colours[i - 1]
                    i -= 1
                terms[i] = value
                colours[i] = colour
                count += 1
    for colour in range(kernel.ROWS):
        faces_left[colour] = t.variant[kernel.T_FACES + 1 + colour]
    mean = 0.0
    probability = 1.0  # that none of the terms so far occurs
    for i in range(count):
        faces = faces_left[colours[i]]
        faces_left[colours[i]] = faces - 1
        smaller = probability * (faces - 1) / faces  # that this term does not occur either
        mean += terms[i] * (probability - smaller)
        probability = smaller
    return mean + base * probability


def _add_colour_marks(
    t: SpaceTables, compact: Ints, values: Floats, size: int, parts: Ints, gain: float, after: Ints, best: Floats
) -> None:
    """Update `best`, by misthrows, colour and sum, with the colour marks after a white action that gained `gain`.

    `parts` is the state after the white action, `size` the number of values of a state, `after` a buffer.
    """
    for colour in range(kernel.ROWS):
        if t.locked[parts[colour]] == 1:
            continue
        for dice_sum in range(2, t.variant[kernel.T_FACES] + t.variant[kernel.T_FACES + 1 + colour] + 1):
            code = t.variant[kernel.T_FIRST + colour * kernel.SUMS + dice_sum]
            while code >= 0:  # for each cell of this colour and number
                points = _advance(t, parts, code, after)
                if points > IMPOSSIBLE:
                    points += gain
                    over = _is_over(t, after)
                    # After the player's own turn come the turns of all others: the last values of a state.
                    index = 0 if over else (compact[_encode(t, after)] + 1) * size - MISTHROW_STATES
                    for misthrows in range(MISTHROW_STATES):
                        value = points if over else points + values[index + misthrows]
                        term = misthrows * COLOUR_TERMS + colour * kernel.SUMS + dice_sum
                        best[term] = max(best[term], value)
                code = t.variant[kernel.T_AFTER + code]


def _white_marks(t: SpaceTables, parts: Ints, dice_sum: int, codes: Ints) -> int:
    """Write the marks that can be made with a white sum; return how many there are."""
    count = 0
    fewest = t.marks[parts[0]]
    for row in range(kernel.ROWS):
        fewest = min(fewest, t.marks[parts[row]])
        cell = t.variant[kernel.T_AT + row * kernel.SUMS + dice_sum]
        if cell >= 0 and t.steps[parts[row] * kernel.MAX_CELLS + cell] >= 0:
            codes[count] = row * kernel.MAX_CELLS + cell
            count += 1
    if dice_sum == t.lucky[0] or dice_sum == t.lucky[1]:  # adds the next cell of each row with the fewest marks
        for row in range(kernel.ROWS):
            row_state = parts[row]
            cell = t.next[row_state]
            has_sum = cell == t.variant[kernel.T_AT + row * kernel.SUMS + dice_sum]  # then it is listed already
            is_lucky_cell = t.marks[row_state] == fewest and t.locked[row_state] == 0 and not has_sum
            if is_lucky_cell and t.steps[row_state * kernel.MAX_CELLS + cell] >= 0:
                codes[count] = row * kernel.MAX_CELLS + cell
                count += 1
    for field in range(parts[BAR], t.variant[kernel.T_SWAPS]):
        for side in range(2):
            if t.variant[kernel.T_SWAP + 2 * field + side] == dice_sum:
                number = t.variant[kernel.T_SWAP + 2 * field + 1 - side]
                for row in range(kernel.ROWS):
                    cell = t.variant[kernel.T_AT + row * kernel.SUMS + number]
                    if cell >= 0 and t.steps[parts[row] * kernel.MAX_CELLS + cell] >= 0:
                        codes[count] = row * kernel.MAX_CELLS + cell + CODES * (field + 1)
                        count += 1
    return count


def _evaluate_options(t: SpaceTables, compact: Ints, values: Floats, size: int, b: SweepBuffers) -> None:
    """Write the values of all marks in the state `b.parts`, for all dice, to `b`; a state has `size` values."""
    for term in range(TERMS):
        b.colour_terms[term] = IMPOSSIBLE
    _add_colour_marks(t, compact, values, size, b.parts, 0.0, b.after_colour, b.colour_terms)
    for white_sum in range(2, 2 * t.variant[kernel.T_FACES] + 1):
        terms = slice_pointer(b.terms, white_sum * TERMS, TERMS)
        bases = slice_pointer(b.bases, white_sum * MISTHROW_STATES, MISTHROW_STATES)
        for term in range(TERMS):
            terms[term] = b.colour_terms[term]
        for misthrows in range(MISTHROW_STATES):
            bases[misthrows] = IMPOSSIBLE
        b.counts[white_sum] = _white_marks(t, b.parts, white_sum, b.white_marks)
        for mark in range(b.counts[white_sum]):
            gain = _advance(t, b.parts, b.white_marks[mark], b.after_white)
            over = _is_over(t, b.after_white)
            index = -1 if over else compact[_encode(t, b.after_white)] * size
            b.gained[white_sum * WHITE_MARKS + mark] = gain
            b.indices[white_sum * WHITE_MARKS + mark] = index
            for misthrows in range(MISTHROW_STATES):
                value = gain if over else gain + values[index + size - MISTHROW_STATES + misthrows]
                bases[misthrows] = max(bases[misthrows], value)
            if not over:
                _add_colour_marks(t, compact, values, size, b.after_white, gain, b.after_colour, terms)


def _own_turn_value(t: SpaceTables, b: SweepBuffers, misthrows: int, misthrow_value: float) -> float:
    """The mean over all rolls of the best value in the player's own turn, with this value for a misthrow."""
    faces: int = t.variant[kernel.T_FACES]
    weighted_sum = 0.0
    for white_sum in range(2, 2 * faces + 1):
        base = max(misthrow_value, b.bases[white_sum * MISTHROW_STATES + misthrows])
        best = slice_pointer(b.terms, white_sum * TERMS + misthrows * COLOUR_TERMS, COLOUR_TERMS)
        for low in range(max(1, white_sum - faces), white_sum // 2 + 1):
            weight = 1.0 if 2 * low == white_sum else 2.0  # the number of such rolls of the white dice
            weighted_sum += weight * _mean_of_best(t, best, base, low, white_sum - low, b)
    return weighted_sum / (faces * faces)


def _others_turn_value(t: SpaceTables, values: Floats, b: SweepBuffers, first_value: int, offset: int) -> float:
    """The mean over all rolls of the best value in another's turn.

    `first_value` is the index of the state's first value; `offset` is that of the turns to wait after this turn and of
    the misthrows, the same for every state.
    """
    faces: int = t.variant[kernel.T_FACES]
    weighted_sum = 0.0
    for white_sum in range(2, 2 * faces + 1):
        value = values[first_value + offset]  # of a pass
        for mark in range(white_sum * WHITE_MARKS, white_sum * WHITE_MARKS + b.counts[white_sum]):
            index = b.indices[mark]
            value = max(value, b.gained[mark] + (0.0 if index < 0 else values[index + offset]))
        weighted_sum += value * (faces - abs(white_sum - faces - 1))  # the number of rolls with this sum
    return weighted_sum / (faces * faces)


def _sweep(arrays: SpaceTables, compact_: Any, states: Array, begin: int, end: int, players: int, values_: Any) -> None:
    """Compute the values of `states[begin:end]`, given the values of all their successors."""
    buffers = SweepBuffers(
        np.zeros(PARTS, np.int64), np.zeros(PARTS, np.int64), np.zeros(PARTS, np.int64),
        np.zeros(WHITE_MARKS, np.int64), np.zeros(kernel.SUMS, np.int64), np.zeros(kernel.SUMS * WHITE_MARKS, np.int64),
        np.zeros(kernel.SUMS * WHITE_MARKS), np.zeros(TERMS), np.zeros(kernel.SUMS * TERMS),
        np.zeros(kernel.SUMS * MISTHROW_STATES), np.zeros(COLOUR_FACES), np.zeros(COLOUR_FACES, np.int64),
        np.zeros(kernel.ROWS, np.int64),
    )  # fmt: skip
    t, compact, values, b = pointer(arrays), pointer(compact_), pointer(values_), pointer(buffers)
    # The number of values of a state, by turns to wait and misthrows. After an own turn the last MISTHROW_STATES apply.
    size = players * MISTHROW_STATES
    for i in range(begin, end):
        first_value = compact[states[i]] * size
        _decode(t, states[i], b.parts)
        _evaluate_options(t, compact, values, size, b)
        for misthrows in range(MISTHROW_STATES - 1, -1, -1):
            # The value with one more misthrow on the same sheet is known; the last misthrow ends the game.
            misthrow_value = -float(t.variant[kernel.T_MISTHROW_COST])
            if misthrows < MISTHROW_STATES - 1:
                misthrow_value += values[first_value + size - MISTHROW_STATES + misthrows + 1]
            values[first_value + misthrows] = _own_turn_value(t, b, misthrows, misthrow_value)
            for offset in range(misthrows, size - MISTHROW_STATES, MISTHROW_STATES):
                values[first_value + offset + MISTHROW_STATES] = _others_turn_value(t, values, b, first_value, offset)
    keep_alive(arrays)
    keep_alive(buffers)
    keep_alive((compact_, values_))


# From here on these names are those of compiled functions.
_decode, _encode, _is_over, _level = map(compiled, (_decode, _encode, _is_over, _level))
_steps_are_possible, _count_step, _advance = map(compiled, (_steps_are_possible, _count_step, _advance))
_skip_useless_boxes, _mean_of_best, _white_marks = map(compiled, (_skip_useless_boxes, _mean_of_best, _white_marks))
_add_colour_marks, _evaluate_options = map(compiled, (_add_colour_marks, _evaluate_options))
_own_turn_value, _others_turn_value = map(compiled, (_own_turn_value, _others_turn_value))
_INTS, _FLOATS = types.Array(INT, 1, "C"), types.Array(types.float64, 1, "C")
_COMPACT, _REACHED = types.Array(types.int32, 1, "C"), types.Array(types.uint8, 1, "C")
_TABLES = types.NamedTuple(
    [_FLOATS if name in ("gains", "joined_gains") else _INTS for name in SpaceTables._fields], SpaceTables
)
mark_reachable = compile_for(compiled(_mark_reachable), types.void(_TABLES, _REACHED))
number_states = compile_for(
    compiled(_number_states), types.void(_TABLES, types.Array(INT, 2, "C"), _REACHED, _COMPACT, _INTS)
)
order_states = compile_for(compiled(_order_states), types.void(_TABLES, _COMPACT, _INTS, _INTS))
sweep = compile_for(compiled(_sweep), types.void(_TABLES, _COMPACT, _INTS, INT, INT, INT, _FLOATS))
