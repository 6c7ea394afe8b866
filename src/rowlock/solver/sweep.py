"""The inner loops of the solver: states are numbered, their values computed from the last ones back to the first.

A state's value is the points still to come. For fixed white dice the best of a turn is the largest of independent
terms: what can be had without a colour mark, and per coloured die the best mark with what it shows. So the mean over
all colour rolls needs no walk over them: the terms are sorted, and each counts with the chance that no larger one came.
"""

from typing import Any

import numpy as np

from rowlock.fast.compiled import compile_for, compiled
from rowlock.fast.games import Array
from rowlock.fast.pointer import INT, keep_alive, pointer, types
from rowlock.fast.rules import kernel as k
from rowlock.rules import kernel as _k

NOTHING = -1e300
MOST = _k.MISTHROWS_TO_END  # values per state and turn of the round: one for each number of misthrows so far
TERMS = MOST * _k.ROWS * _k.SUMS
LOOKS = _k.ROWS + 1  # how the rows look, and how many boxes of the bar are used
BAR = _k.ROWS

Ints = Any  # pointers, inside compiled code
Floats = Any
Known = tuple[Any, Any, Any]  # strides, compact, values
Rows = tuple[Any, Any, Any, Any, Any, int]  # steps, gains, locked, nexts, boxes ahead, states per row at the most


def _advance(tables: Ints, rows: Rows, looks: Ints, code: int, after: Ints) -> float:
    """Mark a cell and all that it sets off; how rows and bar look then lies in `after`. The gain, or NOTHING."""
    steps, gains, locked, nexts, _, most = rows
    row = k.row_of(code)
    here = (row * most + looks[row]) * k.MAX_CELLS + k.place_in_row(code)
    if steps[here] < 0:
        return NOTHING
    for place in range(LOOKS):
        after[place] = looks[place]
    after[row] = steps[here]
    gain: float = gains[here]
    waiting = tables[k.T_BOX + code]
    while waiting > 0:
        waiting -= 1
        box = after[BAR]
        while box < tables[k.T_BAR_LENGTH] and locked[tables[k.T_BAR + box] * most + after[tables[k.T_BAR + box]]] == 1:
            box += 1
        if box == tables[k.T_BAR_LENGTH]:
            break
        after[BAR] = box + 1
        row = tables[k.T_BAR + box]
        cell = nexts[row * most + after[row]]
        here = (row * most + after[row]) * k.MAX_CELLS + cell
        if steps[here] >= 0:
            after[row] = steps[here]
            gain += gains[here]
            waiting += tables[k.T_BOX + row * k.MAX_CELLS + cell]
    return gain


def _settle(tables: Ints, rows: Rows, looks: Ints) -> None:
    """Boxes of the bar that nothing can use any more are as good as used."""
    locked, boxes, most = rows[2], rows[4], rows[5]
    ahead = 0
    for row in range(k.ROWS):
        ahead += boxes[row * most + looks[row]]
    while looks[BAR] < tables[k.T_BAR_LENGTH]:
        row = tables[k.T_BAR + looks[BAR]]
        if ahead > 0 and locked[row * most + looks[row]] == 0:
            return
        looks[BAR] += 1


def _full(looks: Ints, strides: Ints) -> int:
    full = 0
    for place in range(LOOKS):
        full += looks[place] * strides[place]
    return full


def _closed(rows: Rows, looks: Ints) -> int:
    closed = 0
    for row in range(k.ROWS):
        closed += rows[2][row * rows[5] + looks[row]]
    return closed


def _reach(
    tables_: Array,
    steps_: Array,
    gains_: Any,
    locked_: Array,
    nexts_: Array,
    boxes_: Array,
    strides_: Array,
    sizes: Array,
    progress: Array,
    reached: Any,
) -> None:
    """Find the settled states that play can come to where there is a bar; elsewhere it can come to all of them."""
    tables, strides = pointer(tables_), pointer(strides_)
    most = locked_.shape[1]
    rows = (pointer(steps_), pointer(gains_), pointer(locked_), pointer(nexts_), pointer(boxes_), most)
    looks_, after_ = np.zeros(LOOKS, np.int64), np.zeros(LOOKS, np.int64)
    looks, after = pointer(looks_), pointer(after_)
    reached[0] = 1
    last = 0
    for row in range(k.ROWS):
        last += progress[row].max()
    for level in range(last + 1):
        for a in range(sizes[0]):
            for b in range(sizes[1]):
                for c in range(sizes[2]):
                    so_far = progress[0, a] + progress[1, b] + progress[2, c]
                    for d in range(sizes[3]):
                        if so_far + progress[3, d] != level:
                            continue
                        first = a * strides[0] + b * strides[1] + c * strides[2] + d * strides[3]
                        for bar in range(sizes[4]):
                            if reached[first + bar] == 0:
                                continue
                            looks[0], looks[1], looks[2], looks[3], looks[BAR] = a, b, c, d, bar
                            for code in range(k.ROWS * k.MAX_CELLS):
                                if (
                                    _advance(tables, rows, looks, code, after) > NOTHING
                                    and _closed(rows, after) < k.ROWS_TO_END
                                ):
                                    _settle(tables, rows, after)
                                    reached[_full(after, strides)] = 1
    keep_alive((looks_, after_, tables_, strides_, steps_, gains_, locked_, nexts_, boxes_))


def _number_states(
    tables_: Array, locked_: Array, boxes_: Array, progress: Array, strides_: Array, orders: Array,
    reached: Any, compact: Any, levels: Array,
) -> int:  # fmt: skip
    """Give every state that can still be played its number; states that symmetry makes one share it.

    `locked`, `boxes` and `progress` are per row and look; `reached` is empty where play can come to all states.
    Afterwards `levels[p]` is how many states have made progress p.
    """
    count = 0
    tables, locked, boxes, strides = pointer(tables_), pointer(locked_), pointer(boxes_), pointer(strides_)
    rows = (strides, strides, locked, strides, boxes, locked_.shape[1])
    looks_ = np.zeros(LOOKS, np.int64)
    looks = pointer(looks_)
    for full in range(compact.size):
        rest = full
        for place in range(LOOKS):
            looks[place] = rest // strides[place]
            rest -= looks[place] * strides[place]
        if _closed(rows, looks) >= k.ROWS_TO_END or (reached.size > 0 and reached[full] == 0):
            continue
        least = full
        for order in range(orders.shape[0]):
            moved = looks[BAR]
            for row in range(k.ROWS):
                moved += looks[row] * strides[orders[order, row]]
            least = min(least, moved)
        if least == full:
            compact[full] = count
            count += 1
            level = 0
            for row in range(k.ROWS):
                level += progress[row, looks[row]]
            levels[level] += 1
        else:
            compact[full] = compact[least]
    for full in range(reached.size):
        if compact[full] < 0:
            rest = full
            for place in range(LOOKS):
                looks[place] = rest // strides[place]
                rest -= looks[place] * strides[place]
            _settle(tables, rows, looks)
            compact[full] = compact[_full(looks, strides)]
    keep_alive((looks_, tables_, locked_, boxes_, strides_))
    return count


def _order_states(strides: Array, progress: Array, compact: Any, starts: Array, states: Array) -> None:
    """List the states by progress, each by the full number of its representative."""
    seen = 0
    for full in range(compact.size):
        if compact[full] == seen:
            rest = full
            level = 0
            for row in range(k.ROWS):
                look = rest // strides[row]
                rest -= look * strides[row]
                level += progress[row, look]
            states[starts[level]] = full
            starts[level] += 1
            seen += 1


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
    tables: Ints, rows: Rows, known: Known, size: int, looks: Ints, gain: float, after: Ints, best: Floats
) -> None:
    """Raise `best` to what every colour and sum can add after a white action with this gain."""
    strides, compact, values = known
    locked, most = rows[2], rows[5]
    for colour in range(k.ROWS):
        if locked[colour * most + looks[colour]] == 1:
            continue
        for total in range(2, tables[k.T_FACES] + tables[k.T_FACES + 1 + colour] + 1):
            code = tables[k.T_FIRST + colour * k.SUMS + total]
            while code >= 0:
                more = _advance(tables, rows, looks, code, after)
                if more > NOTHING:
                    more += gain
                    over = _closed(rows, after) >= k.ROWS_TO_END
                    # After an own turn all the others' turns come.
                    place = 0 if over else (compact[_full(after, strides)] + 1) * size - MOST
                    for misthrows in range(MOST):
                        value = more if over else more + values[place + misthrows]
                        slot = (misthrows * k.ROWS + colour) * k.SUMS + total
                        best[slot] = max(best[slot], value)
                code = tables[k.T_AFTER + code]


def _white_marks(tables: Ints, rows: Rows, marks: Ints, lucky: Ints, looks: Ints, total: int, found: Ints) -> int:
    """The cells that can be marked with a white sum, as row * 16 + cell, and how many there are."""
    steps, locked, nexts, most = rows[0], rows[2], rows[3], rows[5]
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
    nexts_: Array,
    boxes_: Array,
    marks_: Array,
    strides_: Array,
    lucky_: Array,
    compact_: Any,
    states: Array,
    begin: int,
    end: int,
    players: int,
    values_: Any,
) -> None:
    """The values of the states listed from `begin` to `end`, whose successors all have theirs.

    In one piece: half of it makes the buffers that all of the rest works on.
    """
    most = locked_.shape[1]
    tables, marks, lucky = pointer(tables_), pointer(marks_), pointer(lucky_)
    strides, compact, values = pointer(strides_), pointer(compact_), pointer(values_)
    rows = (pointer(steps_), pointer(gains_), pointer(locked_), pointer(nexts_), pointer(boxes_), most)
    known = (strides, compact, values)
    looks_, after_, found_ = np.zeros(LOOKS, np.int64), np.zeros(2 * LOOKS, np.int64), np.zeros(9, np.int64)
    whose_, sorted_ = np.zeros(k.ROWS * 9, np.int64), np.zeros(k.ROWS * 9)
    # Per white sum: the best of a turn with each colour and sum, without a colour mark, and where white marks lead.
    terms_, bases_ = np.zeros(k.SUMS * TERMS), np.zeros(k.SUMS * MOST)
    counts_, places_, gained_ = np.zeros(k.SUMS, np.int64), np.zeros(k.SUMS * 9, np.int64), np.zeros(k.SUMS * 9)
    plain_ = np.zeros(TERMS)
    looks, after, then, found = pointer(looks_), pointer(after_), pointer(after_[LOOKS:]), pointer(found_)
    whose, ordered = pointer(whose_), pointer(sorted_)
    white = tables[k.T_FACES]
    size = players * MOST
    for number in range(begin, end):
        rest = states[number]
        home = compact[rest] * size
        for place in range(LOOKS):
            looks[place] = rest // strides[place]
            rest -= looks[place] * strides[place]
        plain_[:] = NOTHING
        _add_colour_marks(tables, rows, known, size, looks, 0.0, after, pointer(plain_))
        for total in range(2, 2 * white + 1):
            terms = terms_[total * TERMS : (total + 1) * TERMS]
            terms[:] = plain_
            bases = bases_[total * MOST : (total + 1) * MOST]
            bases[:] = NOTHING
            counts_[total] = _white_marks(tables, rows, marks, lucky, looks, total, found)
            for choice in range(counts_[total]):
                gain = _advance(tables, rows, looks, found[choice], after)
                gained_[total * 9 + choice] = gain
                places_[total * 9 + choice] = -1
                if _closed(rows, after) >= k.ROWS_TO_END:
                    for misthrows in range(MOST):
                        bases[misthrows] = max(bases[misthrows], gain)
                    continue
                place = compact[_full(after, strides)] * size
                places_[total * 9 + choice] = place
                for misthrows in range(MOST):
                    bases[misthrows] = max(bases[misthrows], gain + values[place + size - MOST + misthrows])
                _add_colour_marks(tables, rows, known, size, after, gain, then, pointer(terms))
        for misthrows in range(MOST - 1, -1, -1):
            # A misthrow leads to this very state with one more of them, which has its value already; a fourth ends it.
            missed = -float(k.MISTHROW_COST)
            if misthrows < MOST - 1:
                missed += values[home + size - MOST + misthrows + 1]
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
                        later = 0.0 if place < 0 else values[place + (wait - 1) * MOST + misthrows]
                        value = max(value, gained_[total * 9 + choice] + later)
                    mean += value * (white - abs(total - white - 1))
                values[home + wait * MOST + misthrows] = mean / (white * white)
    keep_alive((tables_, steps_, gains_, locked_, nexts_, boxes_, marks_, strides_, lucky_, compact_, values_))
    keep_alive((looks_, after_, found_, whose_, sorted_, terms_, plain_))


_advance, _settle, _full, _closed = map(compiled, (_advance, _settle, _full, _closed))
_mean_of_best, _add_colour_marks, _white_marks = map(compiled, (_mean_of_best, _add_colour_marks, _white_marks))
_LINE, _PLANE, _CUBE = (types.Array(INT, dimensions, "C") for dimensions in (1, 2, 3))
_GAINS, _FLOATS = types.Array(types.float64, 3, "C"), types.Array(types.float64, 1, "C")
_COMPACT, _REACHED = types.Array(types.int32, 1, "C"), types.Array(types.uint8, 1, "C")
_ROWS = (_CUBE, _GAINS, _PLANE, _PLANE, _PLANE)  # steps, gains, locked, nexts, boxes
reach = compile_for(compiled(_reach), types.void(_LINE, *_ROWS, _LINE, _LINE, _PLANE, _REACHED))
number_states = compile_for(
    compiled(_number_states),
    INT(_LINE, _PLANE, _PLANE, _PLANE, _LINE, _PLANE, _REACHED, _COMPACT, _LINE),
)
order_states = compile_for(compiled(_order_states), types.void(_LINE, _PLANE, _COMPACT, _LINE, _LINE))
sweep = compile_for(
    compiled(_sweep),
    types.void(_LINE, *_ROWS, _PLANE, _LINE, _LINE, _COMPACT, _LINE, INT, INT, INT, _FLOATS),
)
