"""The inner loops of the solver: they number the states and compute their values from the last level to the first.

A state's value is the expected points to come. For fixed white dice the value of a turn is the maximum of independent
terms: the best without a colour mark, and for each coloured die the best mark with its face. So the mean over all
colour rolls needs no loop over them: the terms are sorted, and each has the probability that no larger one occurs.
"""

from typing import Any, NamedTuple

import numpy as np

from rowlock.fast.compiled import compile_for, compiled
from rowlock.fast.games import Array
from rowlock.fast.pointer import INT, keep_alive, pointer, slice_pointer, types
from rowlock.fast.rules import kernel
from rowlock.rules import kernel as _k

IMPOSSIBLE = -1e300
MISTHROW_STATES = _k.MISTHROWS_TO_END  # values per state and turns to wait: one for each number of misthrows
PARTS = _k.ROWS + 1  # of a state: the state of each row, and the number of boxes of the bar that are used
BAR = _k.ROWS
CODES = _k.ROWS * _k.MAX_CELLS
TERM = _k.ROWS * _k.SUMS  # terms by colour and sum
TERMS = MISTHROW_STATES * TERM
WHITE_MARKS = 2 * _k.ROWS  # the most ways to mark a white sum: its cell in every row, and with luck the next cell
COLOUR_FACES = _k.ROWS * _k.MAX_FACES  # all faces of the coloured dice

Ints = Any  # pointers, inside compiled code
Floats = Any


class SpaceTables(NamedTuple):
    """A space as arrays, or in compiled code as pointers; row states are numbered across all rows."""

    variant: Any  # the kernel's tables
    firsts: Any  # per row, the number of its first state; 0 for the bar
    strides: Any
    lucky: Any
    steps: Any  # row state x cell -> row state, or -1
    gains: Any
    locked: Any
    marks: Any
    next: Any
    boxes: Any


class SweepBuffers(NamedTuple):
    """Buffers for the evaluation of one state."""

    parts: Any  # the state that is evaluated
    after: Any  # the state after a white mark,
    then: Any  # and after a colour mark
    whites: Any  # the cells that can be marked with a white sum
    counts: Any  # their number, by white sum
    indices: Any  # of the values after each of them, or -1 if it ends the game
    gained: Any  # the points of each of them
    plain: Any  # the best value with each colour and sum, without a white mark
    terms: Any  # the same by white sum, with or without a white mark
    bases: Any  # the best value without a colour mark, by white sum
    ordered: Any  # terms, the largest first
    colours: Any  # the colour of each of them
    left: Any  # per colour, the faces of its die that are not among them yet


def _decode(t: SpaceTables, full: int, parts: Ints) -> None:
    """Split the full index of a state into its parts."""
    for place in range(PARTS):
        row_state = full // t.strides[place]
        full -= row_state * t.strides[place]
        parts[place] = t.firsts[place] + row_state


def _encode(t: SpaceTables, parts: Ints) -> int:
    full = 0
    for place in range(PARTS):
        full += (parts[place] - t.firsts[place]) * t.strides[place]
    return full


def _is_over(t: SpaceTables, parts: Ints) -> bool:
    closed = 0
    for row in range(kernel.ROWS):
        closed += t.locked[parts[row]]
    return closed >= kernel.ROWS_TO_END


def _level(t: SpaceTables, parts: Ints) -> int:
    """The level of a state; every mark increases it."""
    level = 0
    for row in range(kernel.ROWS):
        level += t.next[parts[row]] + t.locked[parts[row]]
    return level


def _advance(t: SpaceTables, parts: Ints, code: int, after: Ints) -> float:
    """Mark a cell and its bonuses, write the new state to `after` and return the points, or IMPOSSIBLE."""
    row = kernel.row_of(code)
    here = parts[row] * kernel.MAX_CELLS + kernel.place_in_row(code)
    if t.steps[here] < 0:
        return IMPOSSIBLE
    for place in range(PARTS):
        after[place] = parts[place]
    after[row] = t.steps[here]
    gain: float = t.gains[here]
    bonuses = t.variant[kernel.T_BOX + code]
    while bonuses > 0:
        bonuses -= 1
        box = after[BAR]
        while box < t.variant[kernel.T_BAR_LENGTH] and t.locked[after[t.variant[kernel.T_BAR + box]]] == 1:
            box += 1
        if box == t.variant[kernel.T_BAR_LENGTH]:
            break
        after[BAR] = box + 1
        row = t.variant[kernel.T_BAR + box]
        cell = t.next[after[row]]
        here = after[row] * kernel.MAX_CELLS + cell
        if t.steps[here] >= 0:
            after[row] = t.steps[here]
            gain += t.gains[here]
            bonuses += t.variant[kernel.T_BOX + row * kernel.MAX_CELLS + cell]
    return gain


def _skip_useless_boxes(t: SpaceTables, parts: Ints) -> None:
    """Count boxes of the bar that can have no effect any more as used."""
    ahead = 0
    for row in range(kernel.ROWS):
        ahead += t.boxes[parts[row]]
    while parts[BAR] < t.variant[kernel.T_BAR_LENGTH]:
        if ahead > 0 and t.locked[parts[t.variant[kernel.T_BAR + parts[BAR]]]] == 0:
            return
        parts[BAR] += 1


def _mark_reachable(arrays: SpaceTables, reached: Any) -> None:
    """Mark the states that can be reached in a variant with a bar; without one all states can be."""
    t = pointer(arrays)
    # A depth-first search: each of at most CODES marks on the way adds at most CODES states to the stack.
    buffers = np.zeros(PARTS, np.int64), np.zeros(PARTS, np.int64), np.zeros(1 + CODES * CODES, np.int64)
    parts, after, stack = pointer(buffers)
    reached[0] = 1
    count = 1
    while count > 0:
        count -= 1
        _decode(t, stack[count], parts)
        for code in range(CODES):
            if _advance(t, parts, code, after) > IMPOSSIBLE and not _is_over(t, after):
                _skip_useless_boxes(t, after)
                full = _encode(t, after)
                if reached[full] == 0:
                    reached[full] = 1
                    stack[count] = full
                    count += 1
    keep_alive(arrays)
    keep_alive(buffers)


def _number_states(arrays: SpaceTables, orders: Array, reached: Any, compact: Any, levels: Array) -> None:
    """Number the states before the end of the game; symmetric states have the same number.

    `reached` is empty if all states can be reached. Afterwards `levels[p]` is the number of states on level p.
    """
    t = pointer(arrays)
    parts_ = np.zeros(PARTS, np.int64)
    parts = pointer(parts_)
    count = 0
    for full in range(compact.size):
        _decode(t, full, parts)
        if _is_over(t, parts) or (reached.size > 0 and reached[full] == 0):
            continue
        least = full
        for order in range(orders.shape[0]):
            moved = parts[BAR]
            for row in range(kernel.ROWS):
                moved += (parts[row] - t.firsts[row]) * t.strides[orders[order, row]]
            least = min(least, moved)
        if least == full:
            compact[full] = count
            count += 1
            levels[_level(t, parts)] += 1
        else:
            compact[full] = compact[least]
    for full in range(reached.size):
        if compact[full] < 0:
            _decode(t, full, parts)
            _skip_useless_boxes(t, parts)
            compact[full] = compact[_encode(t, parts)]
    keep_alive(arrays)
    keep_alive((parts_,))


def _order_states(arrays: SpaceTables, compact: Any, starts: Array, states: Array) -> None:
    """List the states by level, each by the full index of its representative."""
    t = pointer(arrays)
    parts_ = np.zeros(PARTS, np.int64)
    parts = pointer(parts_)
    seen = 0
    for full in range(compact.size):
        if compact[full] == seen:
            _decode(t, full, parts)
            level = _level(t, parts)
            states[starts[level]] = full
            starts[level] += 1
            seen += 1
    keep_alive(arrays)
    keep_alive((parts_,))


def _mean_of_best(t: SpaceTables, best: Floats, base: float, low: int, high: int, b: SweepBuffers) -> float:
    """The mean of the maximum of all terms over the colour rolls: `best` by colour and sum, and `base`."""
    ordered, colours, left = b.ordered, b.colours, b.left
    count = 0
    for colour in range(kernel.ROWS):
        for die in range(1, t.variant[kernel.T_FACES + 1 + colour] + 1):
            value = max(best[colour * kernel.SUMS + die + low], best[colour * kernel.SUMS + die + high])
            if value > base:
                place = count
                while place > 0 and ordered[place - 1] < value:
                    ordered[place] = ordered[place - 1]
                    colours[place] = colours[place - 1]
                    place -= 1
                ordered[place] = value
                colours[place] = colour
                count += 1
    for colour in range(kernel.ROWS):
        left[colour] = t.variant[kernel.T_FACES + 1 + colour]
    mean = 0.0
    chance = 1.0
    for place in range(count):
        faces = left[colours[place]]
        left[colours[place]] = faces - 1
        less = chance * (faces - 1) / faces
        mean += ordered[place] * (chance - less)
        chance = less
    return mean + base * chance


def _add_colour_marks(
    t: SpaceTables, compact: Ints, values: Floats, size: int, parts: Ints, gain: float, after: Ints, best: Floats
) -> None:
    """Update `best`, by colour and sum, with the colour marks after a white action that gained these points."""
    for colour in range(kernel.ROWS):
        if t.locked[parts[colour]] == 1:
            continue
        for total in range(2, t.variant[kernel.T_FACES] + t.variant[kernel.T_FACES + 1 + colour] + 1):
            code = t.variant[kernel.T_FIRST + colour * kernel.SUMS + total]
            while code >= 0:
                more = _advance(t, parts, code, after)
                if more > IMPOSSIBLE:
                    more += gain
                    over = _is_over(t, after)
                    # After an own turn come the turns of all others.
                    index = 0 if over else (compact[_encode(t, after)] + 1) * size - MISTHROW_STATES
                    for misthrows in range(MISTHROW_STATES):
                        value = more if over else more + values[index + misthrows]
                        slot = misthrows * TERM + colour * kernel.SUMS + total
                        best[slot] = max(best[slot], value)
                code = t.variant[kernel.T_AFTER + code]


def _white_marks(t: SpaceTables, parts: Ints, total: int, found: Ints) -> int:
    """Write the cells that can be marked with a white sum, as row * 16 + cell; return how many there are."""
    count = 0
    fewest = t.marks[parts[0]]
    for row in range(kernel.ROWS):
        fewest = min(fewest, t.marks[parts[row]])
        cell = t.variant[kernel.T_AT + row * kernel.SUMS + total]
        if cell >= 0 and t.steps[parts[row] * kernel.MAX_CELLS + cell] >= 0:
            found[count] = row * kernel.MAX_CELLS + cell
            count += 1
    if total == t.lucky[0] or total == t.lucky[1]:
        for row in range(kernel.ROWS):
            row_state = parts[row]
            cell = t.next[row_state]
            plain = cell == t.variant[kernel.T_AT + row * kernel.SUMS + total]
            if (
                t.marks[row_state] == fewest
                and t.locked[row_state] == 0
                and not plain
                and t.steps[row_state * kernel.MAX_CELLS + cell] >= 0
            ):
                found[count] = row * kernel.MAX_CELLS + cell
                count += 1
    return count


def _evaluate_options(t: SpaceTables, compact: Ints, values: Floats, size: int, b: SweepBuffers) -> None:
    """Evaluate all marks from the state in the buffers, for all dice."""
    for slot in range(TERMS):
        b.plain[slot] = IMPOSSIBLE
    _add_colour_marks(t, compact, values, size, b.parts, 0.0, b.after, b.plain)
    for total in range(2, 2 * t.variant[kernel.T_FACES] + 1):
        terms = slice_pointer(b.terms, total * TERMS, TERMS)
        bases = slice_pointer(b.bases, total * MISTHROW_STATES, MISTHROW_STATES)
        for slot in range(TERMS):
            terms[slot] = b.plain[slot]
        for misthrows in range(MISTHROW_STATES):
            bases[misthrows] = IMPOSSIBLE
        b.counts[total] = _white_marks(t, b.parts, total, b.whites)
        for choice in range(b.counts[total]):
            gain = _advance(t, b.parts, b.whites[choice], b.after)
            over = _is_over(t, b.after)
            index = -1 if over else compact[_encode(t, b.after)] * size
            b.gained[total * WHITE_MARKS + choice] = gain
            b.indices[total * WHITE_MARKS + choice] = index
            for misthrows in range(MISTHROW_STATES):
                value = gain if over else gain + values[index + size - MISTHROW_STATES + misthrows]
                bases[misthrows] = max(bases[misthrows], value)
            if not over:
                _add_colour_marks(t, compact, values, size, b.after, gain, b.then, terms)


def _own_turn_value(t: SpaceTables, b: SweepBuffers, misthrows: int, missed: float) -> float:
    """The mean over all rolls of the best value in an own turn; `missed` is the value of marking nothing."""
    white: int = t.variant[kernel.T_FACES]
    mean = 0.0
    for total in range(2, 2 * white + 1):
        base = max(missed, b.bases[total * MISTHROW_STATES + misthrows])
        best = slice_pointer(b.terms, total * TERMS + misthrows * TERM, TERM)
        for low in range(max(1, total - white), total // 2 + 1):
            weight = 1.0 if 2 * low == total else 2.0
            mean += weight * _mean_of_best(t, best, base, low, total - low, b)
    return mean / (white * white)


def _others_turn_value(t: SpaceTables, values: Floats, b: SweepBuffers, first: int, offset: int) -> float:
    """The mean over all rolls of the best value in another player's turn; `first + offset`: the value after it."""
    white: int = t.variant[kernel.T_FACES]
    mean = 0.0
    for total in range(2, 2 * white + 1):
        value = values[first + offset]
        for choice in range(b.counts[total]):
            index = b.indices[total * WHITE_MARKS + choice]
            value = max(value, b.gained[total * WHITE_MARKS + choice] + (0.0 if index < 0 else values[index + offset]))
        mean += value * (white - abs(total - white - 1))
    return mean / (white * white)


def _sweep(arrays: SpaceTables, compact_: Any, states: Array, begin: int, end: int, players: int, values_: Any) -> None:
    """Compute the values of `states[begin:end]`; those of all their successors are known."""
    buffers = SweepBuffers(
        np.zeros(PARTS, np.int64), np.zeros(PARTS, np.int64), np.zeros(PARTS, np.int64),
        np.zeros(WHITE_MARKS, np.int64), np.zeros(kernel.SUMS, np.int64), np.zeros(kernel.SUMS * WHITE_MARKS, np.int64),
        np.zeros(kernel.SUMS * WHITE_MARKS), np.zeros(TERMS), np.zeros(kernel.SUMS * TERMS),
        np.zeros(kernel.SUMS * MISTHROW_STATES), np.zeros(COLOUR_FACES), np.zeros(COLOUR_FACES, np.int64),
        np.zeros(kernel.ROWS, np.int64),
    )  # fmt: skip
    t, compact, values, b = pointer(arrays), pointer(compact_), pointer(values_), pointer(buffers)
    size = players * MISTHROW_STATES
    for number in range(begin, end):
        first = compact[states[number]] * size
        _decode(t, states[number], b.parts)
        _evaluate_options(t, compact, values, size, b)
        for misthrows in range(MISTHROW_STATES - 1, -1, -1):
            # A misthrow leads to the same sheet with one more, whose value is known; the fourth one ends the game.
            missed = -float(kernel.MISTHROW_COST)
            if misthrows < MISTHROW_STATES - 1:
                missed += values[first + size - MISTHROW_STATES + misthrows + 1]
            values[first + misthrows] = _own_turn_value(t, b, misthrows, missed)
            for offset in range(misthrows, size - MISTHROW_STATES, MISTHROW_STATES):
                values[first + offset + MISTHROW_STATES] = _others_turn_value(t, values, b, first, offset)
    keep_alive(arrays)
    keep_alive(buffers)
    keep_alive((compact_, values_))


_decode, _encode, _is_over, _level, _advance = map(compiled, (_decode, _encode, _is_over, _level, _advance))
_skip_useless_boxes, _mean_of_best, _white_marks = map(compiled, (_skip_useless_boxes, _mean_of_best, _white_marks))
_add_colour_marks, _evaluate_options = map(compiled, (_add_colour_marks, _evaluate_options))
_own_turn_value, _others_turn_value = map(compiled, (_own_turn_value, _others_turn_value))
_INTS, _FLOATS = types.Array(INT, 1, "C"), types.Array(types.float64, 1, "C")
_COMPACT, _REACHED = types.Array(types.int32, 1, "C"), types.Array(types.uint8, 1, "C")
_TABLES = types.NamedTuple([_FLOATS if name == "gains" else _INTS for name in SpaceTables._fields], SpaceTables)
mark_reachable = compile_for(compiled(_mark_reachable), types.void(_TABLES, _REACHED))
number_states = compile_for(
    compiled(_number_states), types.void(_TABLES, types.Array(INT, 2, "C"), _REACHED, _COMPACT, _INTS)
)
order_states = compile_for(compiled(_order_states), types.void(_TABLES, _COMPACT, _INTS, _INTS))
sweep = compile_for(compiled(_sweep), types.void(_TABLES, _COMPACT, _INTS, INT, INT, INT, _FLOATS))
