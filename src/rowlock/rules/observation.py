"""What a seat observes, as a fixed number of small integers, and which actions it has, as a mask.

Written like the kernel, so that environments of one game and compiled batches share it. `rowlock.rules.spaces` names
every number. Only what the seat may know is read, and players are counted from the observing seat on.
"""

from rowlock.rules import kernel
from rowlock.rules.kernel import Ints


def observe(state: Ints, tables: Ints, seat: int, out: Ints) -> int:
    """Write the observation of a seat to `out`; return how many numbers it has."""
    players = state[kernel.PLAYERS]
    end = observe_turn(state, tables, seat, out)
    if tables[kernel.T_CARDS] > 0:
        end = observe_cards(state, tables, seat, out, end)
    for distance in range(players):
        sheet = kernel.sheet_at(kernel.player_after(seat, distance, players))
        end = observe_sheet(state, tables, sheet, out, end)
    return end


def observe_turn(state: Ints, tables: Ints, seat: int, out: Ints) -> int:
    """Write phase, active player, whether this one has marked, number, dice; return where the next part begins."""
    phase = state[kernel.PHASE]
    out[0] = int(phase == kernel.WHITE)
    out[1] = int(phase == kernel.COLOUR)
    end = 2
    for distance in range(state[kernel.PLAYERS]):
        out[end + distance] = 0
    out[end + kernel.turns_between(seat, state[kernel.ACTIVE], state[kernel.PLAYERS])] = 1
    end += state[kernel.PLAYERS]
    out[end] = state[kernel.MARKED] * int(phase == kernel.COLOUR)
    if tables[kernel.T_CARDS] > 0:
        out[end + 1] = state[kernel.NUMBER]
        out[end + 2] = int(phase == kernel.TAKE)
        return end + 3
    rolled = int((phase == kernel.WHITE) | (phase == kernel.COLOUR))
    out[end + 1] = state[kernel.NUMBER] * rolled
    for die in range(kernel.DICE_COUNT):
        out[end + 2 + die] = state[kernel.DICE + die] * rolled
    return end + 2 + kernel.DICE_COUNT


def observe_cards(state: Ints, tables: Ints, seat: int, out: Ints, begin: int) -> int:
    """Write pile, display, own hand, discards and the backs of all hands; return where the next part begins."""
    out[begin] = state[kernel.PILE]
    end = begin + 1
    for place in range(kernel.DISPLAYED):
        out[end + place] = state[kernel.DISPLAY_NUMBERS + place]
    end += kernel.DISPLAYED
    numbers = tables[kernel.T_NUMBERS]
    cards = (kernel.ROWS + state[kernel.JOKERS]) * numbers
    for index in range(cards):
        card = index // numbers * kernel.MAX_NUMBERS + index % numbers
        out[end + index] = (state[kernel.HAND + seat] >> card) & 1
        out[end + cards + index] = (state[kernel.DISCARDS] >> card) & 1
    end += 2 * cards
    for distance in range(state[kernel.PLAYERS]):
        player = kernel.player_after(seat, distance, state[kernel.PLAYERS])
        for number in range(numbers):
            out[end + number] = kernel.cards_with(state, player, number)
        end += numbers
    return end


def observe_sheet(state: Ints, tables: Ints, sheet: int, out: Ints, begin: int) -> int:
    """Write a sheet; return where the next part begins."""
    end = begin
    rows = kernel.ROWS + tables[kernel.T_FIELDS]
    for row in range(rows):
        marks = state[sheet + kernel.MARKS + row]
        for cell in range(tables[kernel.T_CELLS + row]):
            out[end + cell] = (marks >> cell) & 1
        end += tables[kernel.T_CELLS + row]
    for row in range(rows):
        out[end + row] = state[sheet + kernel.NEXT + row]
        out[end + rows + row] = state[sheet + kernel.COUNT + row]
    end += 2 * rows
    for row in range(kernel.ROWS):
        out[end + row] = (state[sheet + kernel.LOCKS] >> row) & 1
    end += kernel.ROWS
    out[end] = state[sheet + kernel.MISTHROWS]
    out[end + 1] = kernel.total(state, sheet, tables)
    end += 2
    if tables[kernel.T_MORE_OPTIONS] + tables[kernel.T_MORE_MARKS] + tables[kernel.T_SHEETS] > 1:
        end = observe_effects(state, tables, sheet, out, end)
    return end


def observe_effects(state: Ints, tables: Ints, sheet: int, out: Ints, begin: int) -> int:
    """Write what only effects put on a sheet; return where the next part begins."""
    end = begin
    if tables[kernel.T_CHAINS] != 0:
        out[end] = state[sheet + kernel.BAR_USED]
        for bonus in range(kernel.FEWEST, kernel.BAR):
            out[end + bonus] = (state[sheet + kernel.PAIRS] >> bonus) & 1
        end += kernel.BAR
    if tables[kernel.T_LUCKY] > 0:
        out[end] = state[sheet + kernel.LUCKY_LOW]
        out[end + 1] = state[sheet + kernel.LUCKY_HIGH]
        end += 2
    if tables[kernel.T_SHEETS] > 1:
        for kind in range(tables[kernel.T_SHEETS]):
            out[end + kind] = int(state[sheet + kernel.KIND] == kind)
        end += tables[kernel.T_SHEETS]
    for field in range(tables[kernel.T_SWAPS]):
        out[end + field] = (state[sheet + kernel.SWAPS] >> field) & 1
    end += tables[kernel.T_SWAPS]
    if tables[kernel.T_SECOND] != 0:
        for row in range(kernel.ROWS):
            for cell in range(tables[kernel.T_CELLS + row]):
                code = row * kernel.MAX_CELLS + cell
                out[end + cell] = int(kernel.second_is_marked(state, sheet, code))
            end += tables[kernel.T_CELLS + row]
    return end


def write_mask(mask: Ints, size: int, index_of: Ints, actions: Ints, count: int) -> None:
    """Write 1 for each of `count` actions to a mask of this size, and 0 elsewhere; `index_of` is by action code."""
    for index in range(size):
        mask[index] = 0
    for option in range(count):
        mask[index_of[actions[option]]] = 1
