"""The inner loops of the solver: states are numbered, their values computed from the last ones back to the first.

A state's value is the points still to come. For fixed white dice the best of a turn is the largest of independent
terms: what can be had without a colour mark, and per coloured die the best mark with what it shows. So the mean over
all colour rolls needs no walk over them: the terms are sorted, and each counts with the chance that no larger one came.
"""

from typing import Any, NamedTuple

import numpy as np

from rowlock.fast.compiled import compile_for, compiled
from rowlock.fast.games import Array
from rowlock.fast.pointer import INT, keep_alive, pointer, section, types
from rowlock.fast.rules import kernel
from rowlock.rules import kernel as _k

NOTHING = -1e300
MOST = _k.MISTHROWS_TO_END  # values per state and turn of the round: one for each number of misthrows so far
LOOKS = _k.ROWS + 1  # how the rows look, and how many boxes of the bar are used
BAR = _k.ROWS
CODES = _k.ROWS * _k.MAX_CELLS
TERM = _k.ROWS * _k.SUMS  # by colour and sum
TERMS = MOST * TERM
WHITES = 2 * _k.ROWS  # ways to mark a white sum: its cell in every row, and where it is lucky the row's next cell
SHOWN = _k.ROWS * _k.MAX_FACES  # what coloured dice can show

Ints = Any  # pointers, inside compiled code
Floats = Any


class Tables(NamedTuple):
    """A space as compiled code reads it, as arrays or as pointers; looks are numbered through all rows."""

    variant: Any  # the kernel's tables
    firsts: Any  # per row, the number of its first look; 0 for the bar
    strides: Any
    lucky: Any
    steps: Any  # look x cell -> look, or -1
    gains: Any
    locked: Any
    marks: Any
    next: Any
    boxes: Any


class Buffers(NamedTuple):
    """What is worked out of a state, by white sum."""

    looks: Any
    after: Any  # the looks after a white mark,
    then: Any  # and after a colour mark
    whites: Any  # cells that can be marked with a sum
    counts: Any  # how many, by sum
    places: Any  # where the values after each of them lie, or -1 where it ends the game
    gained: Any  # what each of them brings
    plain: Any  # the best with each colour and sum without a white mark,
    terms: Any  # and with it or without
    bases: Any  # the best without a colour mark
    ordered: Any  # terms, the largest first
    whose: Any  # and of which colour each one is
    left: Any  # per colour, the faces of its die that are not among them yet


def _decode(t: Tables, full: int, looks: Ints) -> None:
    for place in range(LOOKS):
        look = full // t.strides[place]
        full -= look * t.strides[place]
        looks[place] = t.firsts[place] + look


def _full(t: Tables, looks: Ints) -> int:
    full = 0
    for place in range(LOOKS):
        full += (looks[place] - t.firsts[place]) * t.strides[place]
    return full


def _is_over(t: Tables, looks: Ints) -> bool:
    closed = 0
    for row in range(kernel.ROWS):
        closed += t.locked[looks[row]]
    return closed >= kernel.ROWS_TO_END


def _progress(t: Tables, looks: Ints) -> int:
    """Every mark makes more of it."""
    progress = 0
    for row in range(kernel.ROWS):
        progress += t.next[looks[row]] + t.locked[looks[row]]
    return progress


def _advance(t: Tables, looks: Ints, code: int, after: Ints) -> float:
    """Mark a cell and all that it sets off; how rows and bar look then lies in `after`. The gain, or NOTHING."""
    row = kernel.row_of(code)
    here = looks[row] * kernel.MAX_CELLS + kernel.place_in_row(code)
    if t.steps[here] < 0:
        return NOTHING
    for place in range(LOOKS):
        after[place] = looks[place]
    after[row] = t.steps[here]
    gain: float = t.gains[here]
    waiting = t.variant[kernel.T_BOX + code]
    while waiting > 0:
        waiting -= 1
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
            waiting += t.variant[kernel.T_BOX + row * kernel.MAX_CELLS + cell]
    return gain


def _settle(t: Tables, looks: Ints) -> None:
    """Boxes of the bar that nothing can use any more are as good as used."""
    ahead = 0
    for row in range(kernel.ROWS):
        ahead += t.boxes[looks[row]]
    while looks[BAR] < t.variant[kernel.T_BAR_LENGTH]:
        if ahead > 0 and t.locked[looks[t.variant[kernel.T_BAR + looks[BAR]]]] == 0:
            return
        looks[BAR] += 1


def _reach(arrays: Tables, reached: Any) -> None:
    """Find the settled states that play can come to where there is a bar; elsewhere it can come to all of them."""
    t = pointer(arrays)
    # The last ones first; every mark made so far has left CODES of them at the most.
    buffers = np.zeros(LOOKS, np.int64), np.zeros(LOOKS, np.int64), np.zeros(1 + CODES * CODES, np.int64)
    looks, after, waiting = pointer(buffers)
    reached[0] = 1
    count = 1
    while count > 0:
        count -= 1
        _decode(t, waiting[count], looks)
        for code in range(CODES):
            if _advance(t, looks, code, after) > NOTHING and not _is_over(t, after):
                _settle(t, after)
                full = _full(t, after)
                if reached[full] == 0:
                    reached[full] = 1
                    waiting[count] = full
                    count += 1
    keep_alive(arrays)
    keep_alive(buffers)


def _number_states(arrays: Tables, orders: Array, reached: Any, compact: Any, levels: Array) -> None:
    """Give every state that can still be played its number; states that symmetry makes one share it.

    `reached` is empty where play can come to all states. Afterwards `levels[p]` is how many states made progress p.
    """
    t = pointer(arrays)
    looks_ = np.zeros(LOOKS, np.int64)
    looks = pointer(looks_)
    count = 0
    for full in range(compact.size):
        _decode(t, full, looks)
        if _is_over(t, looks) or (reached.size > 0 and reached[full] == 0):
            continue
        least = full
        for order in range(orders.shape[0]):
            moved = looks[BAR]
            for row in range(kernel.ROWS):
                moved += (looks[row] - t.firsts[row]) * t.strides[orders[order, row]]
            least = min(least, moved)
        if least == full:
            compact[full] = count
            count += 1
            levels[_progress(t, looks)] += 1
        else:
            compact[full] = compact[least]
    for full in range(reached.size):
        if compact[full] < 0:
            _decode(t, full, looks)
            _settle(t, looks)
            compact[full] = compact[_full(t, looks)]
    keep_alive(arrays)
    keep_alive((looks_,))


def _order_states(arrays: Tables, compact: Any, starts: Array, states: Array) -> None:
    """List the states by progress, each by the full number of its representative."""
    t = pointer(arrays)
    looks_ = np.zeros(LOOKS, np.int64)
    looks = pointer(looks_)
    seen = 0
    for full in range(compact.size):
        if compact[full] == seen:
            _decode(t, full, looks)
            level = _progress(t, looks)
            states[starts[level]] = full
            starts[level] += 1
            seen += 1
    keep_alive(arrays)
    keep_alive((looks_,))


def _mean_of_best(t: Tables, best: Floats, base: float, low: int, high: int, b: Buffers) -> float:
    """The mean of the largest term over all colour rolls; `best` is per colour and sum, `base` needs no die."""
    ordered, whose, left = b.ordered, b.whose, b.left
    count = 0
    for colour in range(kernel.ROWS):
        for die in range(1, t.variant[kernel.T_FACES + 1 + colour] + 1):
            value = max(best[colour * kernel.SUMS + die + low], best[colour * kernel.SUMS + die + high])
            if value > base:
                place = count
                while place > 0 and ordered[place - 1] < value:
                    ordered[place] = ordered[place - 1]
                    whose[place] = whose[place - 1]
                    place -= 1
                ordered[place] = value
                whose[place] = colour
                count += 1
    for colour in range(kernel.ROWS):
        left[colour] = t.variant[kernel.T_FACES + 1 + colour]
    mean = 0.0
    chance = 1.0
    for place in range(count):
        faces = left[whose[place]]
        left[whose[place]] = faces - 1
        less = chance * (faces - 1) / faces
        mean += ordered[place] * (chance - less)
        chance = less
    return mean + base * chance


def _add_colour_marks(
    t: Tables, compact: Ints, values: Floats, size: int, looks: Ints, gain: float, after: Ints, best: Floats
) -> None:
    """Raise `best` to what every colour and sum can add after a white action with this gain."""
    for colour in range(kernel.ROWS):
        if t.locked[looks[colour]] == 1:
            continue
        for total in range(2, t.variant[kernel.T_FACES] + t.variant[kernel.T_FACES + 1 + colour] + 1):
            code = t.variant[kernel.T_FIRST + colour * kernel.SUMS + total]
            while code >= 0:
                more = _advance(t, looks, code, after)
                if more > NOTHING:
                    more += gain
                    over = _is_over(t, after)
                    # After an own turn all the others' turns come.
                    place = 0 if over else (compact[_full(t, after)] + 1) * size - MOST
                    for misthrows in range(MOST):
                        value = more if over else more + values[place + misthrows]
                        slot = misthrows * TERM + colour * kernel.SUMS + total
                        best[slot] = max(best[slot], value)
                code = t.variant[kernel.T_AFTER + code]


def _white_marks(t: Tables, looks: Ints, total: int, found: Ints) -> int:
    """The cells that can be marked with a white sum, as row * 16 + cell, and how many there are."""
    count = 0
    fewest = t.marks[looks[0]]
    for row in range(kernel.ROWS):
        fewest = min(fewest, t.marks[looks[row]])
        cell = t.variant[kernel.T_AT + row * kernel.SUMS + total]
        if cell >= 0 and t.steps[looks[row] * kernel.MAX_CELLS + cell] >= 0:
            found[count] = row * kernel.MAX_CELLS + cell
            count += 1
    if total == t.lucky[0] or total == t.lucky[1]:
        for row in range(kernel.ROWS):
            look = looks[row]
            cell = t.next[look]
            plain = cell == t.variant[kernel.T_AT + row * kernel.SUMS + total]
            if (
                t.marks[look] == fewest
                and t.locked[look] == 0
                and not plain
                and t.steps[look * kernel.MAX_CELLS + cell] >= 0
            ):
                found[count] = row * kernel.MAX_CELLS + cell
                count += 1
    return count


def _look_ahead(t: Tables, compact: Ints, values: Floats, size: int, b: Buffers) -> None:
    """What a turn can bring from the looks in the buffers, whatever the dice show."""
    for slot in range(TERMS):
        b.plain[slot] = NOTHING
    _add_colour_marks(t, compact, values, size, b.looks, 0.0, b.after, b.plain)
    for total in range(2, 2 * t.variant[kernel.T_FACES] + 1):
        terms, bases = section(b.terms, total * TERMS, TERMS), section(b.bases, total * MOST, MOST)
        for slot in range(TERMS):
            terms[slot] = b.plain[slot]
        for misthrows in range(MOST):
            bases[misthrows] = NOTHING
        b.counts[total] = _white_marks(t, b.looks, total, b.whites)
        for choice in range(b.counts[total]):
            gain = _advance(t, b.looks, b.whites[choice], b.after)
            over = _is_over(t, b.after)
            place = -1 if over else compact[_full(t, b.after)] * size
            b.gained[total * WHITES + choice] = gain
            b.places[total * WHITES + choice] = place
            for misthrows in range(MOST):
                value = gain if over else gain + values[place + size - MOST + misthrows]
                bases[misthrows] = max(bases[misthrows], value)
            if not over:
                _add_colour_marks(t, compact, values, size, b.after, gain, b.then, terms)


def _own_turn(t: Tables, b: Buffers, misthrows: int, missed: float) -> float:
    """The mean of the best of an own turn over all rolls; `missed` is what marking nothing is worth."""
    white: int = t.variant[kernel.T_FACES]
    mean = 0.0
    for total in range(2, 2 * white + 1):
        base = max(missed, b.bases[total * MOST + misthrows])
        best = section(b.terms, total * TERMS + misthrows * TERM, TERM)
        for low in range(max(1, total - white), total // 2 + 1):
            weight = 1.0 if 2 * low == total else 2.0
            mean += weight * _mean_of_best(t, best, base, low, total - low, b)
    return mean / (white * white)


def _others_turn(t: Tables, values: Floats, b: Buffers, home: int, later: int) -> float:
    """The mean of the best white action in another's turn; `later` is where a state's values after it begin."""
    white: int = t.variant[kernel.T_FACES]
    mean = 0.0
    for total in range(2, 2 * white + 1):
        value = values[home + later]
        for choice in range(b.counts[total]):
            place = b.places[total * WHITES + choice]
            value = max(value, b.gained[total * WHITES + choice] + (0.0 if place < 0 else values[place + later]))
        mean += value * (white - abs(total - white - 1))
    return mean / (white * white)


def _sweep(arrays: Tables, compact_: Any, states: Array, begin: int, end: int, players: int, values_: Any) -> None:
    """The values of the states listed from `begin` to `end`, whose successors all have theirs."""
    buffers = Buffers(
        np.zeros(LOOKS, np.int64), np.zeros(LOOKS, np.int64), np.zeros(LOOKS, np.int64),
        np.zeros(WHITES, np.int64), np.zeros(kernel.SUMS, np.int64), np.zeros(kernel.SUMS * WHITES, np.int64),
        np.zeros(kernel.SUMS * WHITES), np.zeros(TERMS), np.zeros(kernel.SUMS * TERMS), np.zeros(kernel.SUMS * MOST),
        np.zeros(SHOWN), np.zeros(SHOWN, np.int64), np.zeros(kernel.ROWS, np.int64),
    )  # fmt: skip
    t, compact, values, b = pointer(arrays), pointer(compact_), pointer(values_), pointer(buffers)
    size = players * MOST
    for number in range(begin, end):
        home = compact[states[number]] * size
        _decode(t, states[number], b.looks)
        _look_ahead(t, compact, values, size, b)
        for misthrows in range(MOST - 1, -1, -1):
            # A misthrow leads to this very state with one more of them, which has its value already; a fourth ends it.
            missed = -float(kernel.MISTHROW_COST)
            if misthrows < MOST - 1:
                missed += values[home + size - MOST + misthrows + 1]
            values[home + misthrows] = _own_turn(t, b, misthrows, missed)
            for later in range(misthrows, size - MOST, MOST):
                values[home + later + MOST] = _others_turn(t, values, b, home, later)
    keep_alive(arrays)
    keep_alive(buffers)
    keep_alive((compact_, values_))


_decode, _full, _is_over, _progress, _advance = map(compiled, (_decode, _full, _is_over, _progress, _advance))
_settle, _mean_of_best, _add_colour_marks = map(compiled, (_settle, _mean_of_best, _add_colour_marks))
_white_marks, _look_ahead, _own_turn, _others_turn = map(compiled, (_white_marks, _look_ahead, _own_turn, _others_turn))
_INTS, _FLOATS = types.Array(INT, 1, "C"), types.Array(types.float64, 1, "C")
_COMPACT, _REACHED = types.Array(types.int32, 1, "C"), types.Array(types.uint8, 1, "C")
_TABLES = types.NamedTuple([_FLOATS if name == "gains" else _INTS for name in Tables._fields], Tables)
reach = compile_for(compiled(_reach), types.void(_TABLES, _REACHED))
number_states = compile_for(
    compiled(_number_states), types.void(_TABLES, types.Array(INT, 2, "C"), _REACHED, _COMPACT, _INTS)
)
order_states = compile_for(compiled(_order_states), types.void(_TABLES, _COMPACT, _INTS, _INTS))
sweep = compile_for(compiled(_sweep), types.void(_TABLES, _COMPACT, _INTS, INT, INT, INT, _FLOATS))
