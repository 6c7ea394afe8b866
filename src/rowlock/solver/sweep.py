"""The inner loops of the solver: states are numbered, their values computed from the last ones back to the first.

A state's value is the points still to come. For fixed white dice the best of a turn is the largest of independent
terms: what can be had without a colour mark, and per coloured die the best mark with what it shows. So the mean over
all colour rolls needs no walk over them: the terms are sorted, and each counts with the chance that no larger one came.
"""

from typing import Any

import numpy as np

from rowlock.fast.compiled import compile_for, compiled
from rowlock.fast.games import Array
from rowlock.fast.kernel import kernel as k
from rowlock.fast.pointer import INT, pointer, types
from rowlock.rules import kernel as _k

NOTHING = -1e300
MOST = _k.MISTHROWS_TO_END  # values per state and turn of the round: one for each number of misthrows so far
TERMS = MOST * _k.ROWS * _k.SUMS

Ints = Any  # pointers, inside compiled code
Floats = Any
Rows = tuple[Any, Any, Any, Any, Any, int]  # steps, gains, locked, compact, strides, states per row at the most


def _number_states(sizes: Array, locked: Array, progress: Array, orders: Array, compact: Array, levels: Array) -> int:
    """Give every state that can still be played its number; states that symmetry makes one share it.

    `locked` and `progress` are per row and state. Afterwards `levels[p]` is how many states have made progress p.
    """
    count = 0
    strides = np.zeros(4, np.int64)
    strides[3] = 1
    for row in range(2, -1, -1):
        strides[row] = strides[row + 1] * sizes[row + 1]
    for a in range(sizes[0]):
        for b in range(sizes[1]):
            for c in range(sizes[2]):
                if locked[0, a] + locked[1, b] + locked[2, c] > 1:
                    continue
                for d in range(sizes[3]):
                    full = a * strides[0] + b * strides[1] + c * strides[2] + d
                    if locked[0, a] + locked[1, b] + locked[2, c] + locked[3, d] > 1:
                        continue
                    least = full
                    for order in range(orders.shape[0]):
                        moved = (
                            a * strides[orders[order, 0]]
                            + b * strides[orders[order, 1]]
                            + c * strides[orders[order, 2]]
                            + d * strides[orders[order, 3]]
                        )
                        least = min(least, moved)
                    if least == full:
                        compact[full] = count
                        count += 1
                        levels[progress[0, a] + progress[1, b] + progress[2, c] + progress[3, d]] += 1
                    else:
                        compact[full] = compact[least]
    return count


def _order_states(sizes: Array, progress: Array, compact: Array, starts: Array, states: Array) -> None:
    """List the states by progress, each by the full number of its representative."""
    seen = 0
    full = 0
    for a in range(sizes[0]):
        for b in range(sizes[1]):
            for c in range(sizes[2]):
                for d in range(sizes[3]):
                    if compact[full] == seen:
                        level = progress[0, a] + progress[1, b] + progress[2, c] + progress[3, d]
                        states[starts[level]] = full
                        starts[level] += 1
                        seen += 1
                    full += 1


def _mean_of_best(best: Floats, base: float, faces: Ints, low: int, high: int, sorted_: Floats, whose: Ints) -> float:
    """The mean of the largest term over all colour rolls; `best` is per colour and sum, `base` needs no die."""
    count = 0
    for colour in range(k.ROWS):
        for die in range(1, faces[1 + colour] + 1):
            value = max(best[colour * k.SUMS + die + low], best[colour * k.SUMS + die + high])
            if value > base:
                place = count
                while place > 0 and sorted_[place - 1] < value:
                    sorted_[place] = sorted_[place - 1]
                    whose[place] = whose[place - 1]
                    place -= 1
                sorted_[place] = value
                whose[place] = colour
                count += 1
    mean = 0.0
    chance = 1.0
    left0, left1, left2, left3 = faces[1], faces[2], faces[3], faces[4]
    for place in range(count):
        colour = whose[place]
        left = left0 if colour == 0 else left1 if colour == 1 else left2 if colour == 2 else left3
        less = chance * (left - 1) / left
        left0 -= colour == 0
        left1 -= colour == 1
        left2 -= colour == 2
        left3 -= colour == 3
        mean += sorted_[place] * (chance - less)
        chance = less
    return mean + base * chance


def _add_colour_marks(
    tables: Ints, rows: Rows, values: Floats, size: int, looks: Ints, full: int, gain: float, best: Floats
) -> None:
    """Raise `best` to what every colour and sum can add after a white action with this gain."""
    steps, gains, locked, compact, strides, most = rows
    closed = 0
    for row in range(k.ROWS):
        closed += locked[row * most + looks[row]]
    for colour in range(k.ROWS):
        if locked[colour * most + looks[colour]] == 1:
            continue
        for total in range(2, tables[k.T_FACES] + tables[k.T_FACES + 1 + colour] + 1):
            code = tables[k.T_FIRST + colour * k.SUMS + total]
            while code >= 0:
                row = code >> k.CELL_BITS
                here = (row * most + looks[row]) * k.MAX_CELLS + (code & k.CELL_MASK)
                new = steps[here]
                if new >= 0:
                    more = gain + gains[here]
                    over = closed + locked[row * most + new] > 1
                    # After an own turn all the others' turns come.
                    place = 0 if over else (compact[full + (new - looks[row]) * strides[row]] + 1) * size - MOST
                    for misthrows in range(MOST):
                        value = more if over else more + values[place + misthrows]
                        slot = (misthrows * k.ROWS + colour) * k.SUMS + total
                        best[slot] = max(best[slot], value)
                code = tables[k.T_AFTER + code]


def _white_marks(
    tables: Ints, rows: Rows, marks: Ints, nexts: Ints, lucky: Ints, looks: Ints, total: int, found: Ints
) -> int:
    """The cells that can be marked with a white sum, as row * 16 + cell, and how many there are."""
    steps, locked, most = rows[0], rows[2], rows[5]
    count = 0
    fewest = marks[looks[0]]
    for row in range(k.ROWS):
        fewest = min(fewest, marks[row * most + looks[row]])
        cell = tables[k.T_AT + row * k.SUMS + total]
        if cell >= 0 and steps[(row * most + looks[row]) * k.MAX_CELLS + cell] >= 0:
            found[count] = row * k.MAX_CELLS + cell
            count += 1
    if total == lucky[0] or total == lucky[1]:
        for row in range(k.ROWS):
            look = row * most + looks[row]
            cell = nexts[look]
            plain = cell == tables[k.T_AT + row * k.SUMS + total]
            if marks[look] == fewest and locked[look] == 0 and not plain and steps[look * k.MAX_CELLS + cell] >= 0:
                found[count] = row * k.MAX_CELLS + cell
                count += 1
    return count


def _sweep(
    tables_: Array,
    steps_: Array,
    gains_: Any,
    locked_: Array,
    marks_: Array,
    nexts_: Array,
    strides_: Array,
    lucky_: Array,
    compact_: Any,
    states: Array,
    begin: int,
    end: int,
    players: int,
    values_: Any,
) -> None:
    """The values of the states listed from `begin` to `end`, whose successors all have theirs."""
    most = locked_.shape[1]
    tables, marks, nexts, lucky = pointer(tables_), pointer(marks_), pointer(nexts_), pointer(lucky_)
    steps, gains, locked, compact = pointer(steps_), pointer(gains_), pointer(locked_), pointer(compact_)
    strides, values = pointer(strides_), pointer(values_)
    rows = (steps, gains, locked, compact, strides, most)
    looks_, after_, found_ = np.zeros(k.ROWS, np.int64), np.zeros(k.ROWS, np.int64), np.zeros(9, np.int64)
    whose_, sorted_ = np.zeros(k.ROWS * 9, np.int64), np.zeros(k.ROWS * 9)
    # Per white sum: the best of a turn with each colour and sum, without a colour mark, and where white marks lead.
    terms_, bases_ = np.zeros(k.SUMS * TERMS), np.zeros(k.SUMS * MOST)
    counts_, places_, gained_ = np.zeros(k.SUMS, np.int64), np.zeros(k.SUMS * 9, np.int64), np.zeros(k.SUMS * 9)
    plain_ = np.zeros(TERMS)
    looks, after, found, whose = pointer(looks_), pointer(after_), pointer(found_), pointer(whose_)
    ordered = pointer(sorted_)
    white = tables[k.T_FACES]
    size = players * MOST
    for number in range(begin, end):
        full = states[number]
        rest = full
        closed = 0
        for row in range(k.ROWS):
            looks[row] = rest // strides[row]
            rest -= looks[row] * strides[row]
            closed += locked[row * most + looks[row]]
        home = compact[full] * size
        plain_[:] = NOTHING
        _add_colour_marks(tables, rows, values, size, looks, full, 0.0, pointer(plain_))
        for total in range(2, 2 * white + 1):
            terms = terms_[total * TERMS : (total + 1) * TERMS]
            terms[:] = plain_
            bases = bases_[total * MOST : (total + 1) * MOST]
            bases[:] = NOTHING
            counts_[total] = _white_marks(tables, rows, marks, nexts, lucky, looks, total, found)
            for choice in range(counts_[total]):
                row = found[choice] >> k.CELL_BITS
                here = (row * most + looks[row]) * k.MAX_CELLS + (found[choice] & k.CELL_MASK)
                new = steps[here]
                gained_[total * 9 + choice] = gains[here]
                places_[total * 9 + choice] = -1
                if closed + locked[row * most + new] > 1:
                    for misthrows in range(MOST):
                        bases[misthrows] = max(bases[misthrows], gains[here])
                    continue
                moved = full + (new - looks[row]) * strides[row]
                places_[total * 9 + choice] = compact[moved] * size
                for misthrows in range(MOST):
                    value = gains[here] + values[(compact[moved] + 1) * size - MOST + misthrows]
                    bases[misthrows] = max(bases[misthrows], value)
                for other in range(k.ROWS):
                    after[other] = looks[other]
                after[row] = new
                _add_colour_marks(tables, rows, values, size, after, moved, gains[here], pointer(terms))
        for misthrows in range(MOST - 1, -1, -1):
            # A misthrow leads to this very state with one more of them, which has its value already; a fourth ends it.
            missed = -5.0 if misthrows == MOST - 1 else values[home + size - MOST + misthrows + 1] - 5.0
            mean = 0.0
            for total in range(2, 2 * white + 1):
                base = max(missed, bases_[total * MOST + misthrows])
                at = total * TERMS + misthrows * k.ROWS * k.SUMS
                best = pointer(terms_[at : at + k.ROWS * k.SUMS])
                for low in range(max(1, total - white), total // 2 + 1):
                    weight = 1.0 if 2 * low == total else 2.0
                    mean += weight * _mean_of_best(best, base, tables, low, total - low, ordered, whose)
            values[home + misthrows] = mean / (white * white)
            for wait in range(1, players):
                mean = 0.0
                for total in range(2, 2 * white + 1):
                    value = values[home + (wait - 1) * MOST + misthrows]
                    for choice in range(counts_[total]):
                        place = places_[total * 9 + choice]
                        then = 0.0 if place < 0 else values[place + (wait - 1) * MOST + misthrows]
                        value = max(value, gained_[total * 9 + choice] + then)
                    mean += value * (white - abs(total - white - 1))
                values[home + wait * MOST + misthrows] = mean / (white * white)
    # The arrays behind the pointers live until here.
    plain_[0] = looks_[0] + after_[0] + found_[0] + whose_[0] + sorted_[0] + tables_[0] + marks_[0, 0] + nexts_[0, 0]
    plain_[1] = lucky_[0] + steps_[0, 0, 0] + gains_[0, 0, 0] + locked_[0, 0] + compact_[0] + strides_[0] + values_[0]


_FLOATS = types.Array(types.float64, 1, "C")
_LINE, _PLANE, _CUBE = (types.Array(INT, dimensions, "C") for dimensions in (1, 2, 3))
_COMPACT = types.Array(types.int32, 1, "C")
number_states = compile_for(compiled(_number_states), INT(_LINE, _PLANE, _PLANE, _PLANE, _COMPACT, _LINE))
order_states = compile_for(compiled(_order_states), types.void(_LINE, _PLANE, _COMPACT, _LINE, _LINE))
_mean_of_best, _add_colour_marks, _white_marks = map(compiled, (_mean_of_best, _add_colour_marks, _white_marks))
sweep = compile_for(
    compiled(_sweep),
    types.void(
        _LINE,
        _CUBE,
        types.Array(types.float64, 3, "C"),
        _PLANE,
        _PLANE,
        _PLANE,
        _LINE,
        _LINE,
        _COMPACT,
        _LINE,
        INT,
        INT,
        INT,
        _FLOATS,
    ),
)
