"""The rules of the family, stated once, over plain integers: who is to act, what is legal, act, let chance act.

CPython runs these functions on lists, Numba compiles the very same source for flat int64 arrays (`rowlock.fast`). So
the code keeps to named offsets into flat sequences: no slices, no objects, computed conditions rather than branches.

This module is how a turn goes, and the one to import: `layout` (offsets and codes), `marking` (one sheet) and
`card_rules` (what only the card game has) are parts of it, with all their names.
"""

from rowlock.rules.card_rules import *
from rowlock.rules.layout import *
from rowlock.rules.marking import *


def start(state: Ints, tables: Ints, players: int) -> None:
    """Lay out empty sheets, with the first pairs of lucky numbers where there are any."""
    for place in range(state_size(players)):
        state[place] = 0
    state[PLAYERS] = players
    deal_lucky(state, tables, 0)


def deal_lucky(state: Ints, tables: Ints, first: int) -> None:
    """Deal pairs of lucky numbers in the variant's order, beginning with this one."""
    if tables[T_LUCKY] > 0:
        for player in range(state[PLAYERS]):
            pair = T_LUCKY_PAIRS + 2 * ((first + player) % tables[T_LUCKY])
            set_lucky(state, player, tables[pair], tables[pair + 1])


def set_lucky(state: Ints, player: int, low: int, high: int) -> None:
    state[sheet_at(player) + LUCKY_LOW] = low
    state[sheet_at(player) + LUCKY_HIGH] = high


# Who is to act


def to_act(state: Ints) -> int:
    """The bit set of players whose decision the game waits for."""
    if state[PHASE] == WHITE:
        return (1 << state[PLAYERS]) - 1
    if state[PHASE] == COLOUR or state[PHASE] == TAKE:
        return 1 << state[ACTIVE]
    return 0


def waits_for_chance(state: Ints) -> bool:
    return (state[PHASE] == ROLL) | (state[PHASE] == DRAW)


def misthrow_due(state: Ints) -> bool:
    """Whether the active player takes a misthrow by marking nothing now."""
    return (state[PHASE] == COLOUR) & (state[MARKED] == 0)


def next_player(player: int, players: int) -> int:
    """Turn order is the seating order."""
    return 0 if player + 1 == players else player + 1


def next_turn(state: Ints) -> None:
    """The turn is over, the next roll is open."""
    state[PHASE] = ROLL
    state[TURN] += 1
    state[ACTIVE] = next_player(state[ACTIVE], state[PLAYERS])


# What is legal


def options(state: Ints, tables: Ints, player: int, found: Ints, spare: Ints) -> int:
    """List every legal action of a player who is to act and return how many there are.

    Passing comes first; whoever must take or play cards finds a choice there that marks nothing.
    """
    sheet = sheet_at(player)
    found[0] = PASS
    if state[PHASE] == WHITE:
        count = white_options(state, tables, sheet, found)
    elif state[PHASE] == TAKE:
        return take_options(state, player, found)
    elif tables[T_CARDS] > 0:
        return play_options(state, tables, player, found, spare)
    else:
        count = colour_options(state, tables, sheet, found)
    if tables[T_GIFT + FEWEST] > 0:
        count = split_by_pick(state, tables, sheet, found, count, spare)
    return count


def white_options(state: Ints, tables: Ints, sheet: int, found: Ints) -> int:
    """The announced number, in one row of the player's choice."""
    total = state[NUMBER]
    count = 1
    for row in range(ROWS):
        cell = tables[T_AT + row * SUMS + total]
        found[count] = CELL + row * MAX_CELLS + cell
        count += can_mark(state, sheet, tables, row, cell)
    if tables[T_LUCKY] != 0 and (total == state[sheet + LUCKY_LOW] or total == state[sheet + LUCKY_HIGH]):
        count = lucky_options(state, tables, sheet, total, found, count)
    for field in range(tables[T_FIELDS]):
        row = ROWS + field
        upper = tables[T_UPPER + field]
        lower = tables[T_LOWER + field]
        cell = tables[T_AT + row * SUMS + total]
        beside = is_marked(state, sheet, upper, tables[T_AT + upper * SUMS + total])
        beside |= is_marked(state, sheet, lower, tables[T_AT + lower * SUMS + total])
        found[count] = FIELD + field * MAX_CELLS + cell
        count += beside & (cell >= state[sheet + NEXT + row])
    return count


def lucky_options(state: Ints, tables: Ints, sheet: int, total: int, found: Ints, count: int) -> int:
    """Instead of a lucky sum, the next cell of the row with the fewest marks; the sum's own cell is a plain mark."""
    rows = fewest_rows(state, sheet)
    for row in range(ROWS):
        plain = tables[T_AT + row * SUMS + total] == state[sheet + NEXT + row]
        found[count] = LUCKY + row
        count += ((rows >> row) & 1 == 1) & (not plain) & can_mark_next(state, sheet, tables, row)
    return count


def colour_options(state: Ints, tables: Ints, sheet: int, found: Ints) -> int:
    """One white die and one coloured die: their sum, in a cell of that colour."""
    count = 1
    ways = 1 + (state[DICE] != state[DICE + 1])
    for colour in range(ROWS):
        die = state[DICE + 2 + colour]
        if die > 0:
            for white in range(ways):
                total = die + state[DICE + white]
                code = tables[T_FIRST + colour * SUMS + total]
                while code >= 0:
                    found[count] = CELL + code
                    count += can_mark(state, sheet, tables, row_of(code), place_in_row(code))
                    code = tables[T_AFTER + code]
    for field in range(tables[T_FIELDS]):
        count = field_options(state, tables, sheet, field, ways, found, count)
    return count


def field_options(state: Ints, tables: Ints, sheet: int, field: int, ways: int, found: Ints, count: int) -> int:
    """A bonus field, with a colour sum whose cell of that colour beside it is marked."""
    row = ROWS + field
    seen = 0
    for side in range(2):
        beside = tables[(T_LOWER if side else T_UPPER) + field]
        for colour in range(ROWS):
            die = state[DICE + 2 + colour]
            for white in range(ways):
                total = die + state[DICE + white]
                cell = tables[T_AT + row * SUMS + total]
                neighbour = tables[T_AT + beside * SUMS + total]
                if (
                    die > 0
                    and cell >= state[sheet + NEXT + row]
                    and is_marked(state, sheet, beside, neighbour)
                    and tables[T_COLOUR + beside * MAX_CELLS + neighbour] == colour
                    and (seen >> cell) & 1 == 0
                ):
                    seen |= 1 << cell
                    found[count] = FIELD + field * MAX_CELLS + cell
                    count += 1
    return count


def split_by_pick(state: Ints, tables: Ints, sheet: int, found: Ints, count: int, spare: Ints) -> int:
    """Where rows tie for the fewest marks a player picks one: an option for every pick with a result of its own."""
    for option in range(count):
        what = found[option]
        if what >= FIELD or what == PASS or gifts(state, sheet, tables, marked_first(state, sheet, what)) == 0:
            continue
        ties = -mark_on_copy(state, sheet, tables, what, spare, 0)
        tried = 0
        for row in range(ROWS):
            if ties > 0 and (ties >> row) & 1 == 1:
                pick = what + PICK * (row + 1)
                mark_on_copy(state, sheet, tables, pick, spare, tried * SHEET_SIZE)
                new = True
                for earlier in range(tried):
                    new = new and not same_marks(spare, earlier * SHEET_SIZE, tried * SHEET_SIZE)
                if new:
                    found[option if tried == 0 else count] = pick
                    count += tried > 0
                    tried += 1
    return count


def mark_on_copy(state: Ints, sheet: int, tables: Ints, action: int, spare: Ints, copy: int) -> int:
    for place in range(SHEET_SIZE):
        spare[copy + place] = state[sheet + place]
    if action >= TAKE_CARDS:
        cells = cells_played(state, tables, (sheet - SHEETS) // SHEET_SIZE, action, spare)
        return mark_cells(spare, copy, tables, cells, spare, SPARE_SHEETS)
    return mark(spare, copy, tables, action, spare, SPARE_SHEETS)


def same_marks(spare: Ints, one: int, other: int) -> bool:
    """Which row was picked is read from the marks: equal marks are one option."""
    for row in range(ROWS):
        if spare[one + MARKS + row] != spare[other + MARKS + row]:
            return False
    return True


# Acting


def roll(state: Ints, dice: Ints) -> None:
    """Chance acts: the dice still in the game are rolled."""
    state[DICE] = dice[0]
    state[DICE + 1] = dice[1]
    state[NUMBER] = dice[0] + dice[1]
    for row in range(ROWS):
        state[DICE + 2 + row] = dice[2 + row] * (1 - ((state[CLOSED] >> row) & 1))
    state[PHASE] = WHITE
    state[MARKED] = 0


def act(state: Ints, tables: Ints, decisions: Ints, spare: Ints) -> None:
    """Carry out the decision of everybody who is to act; `decisions` holds an action per player."""
    player = state[ACTIVE]
    if state[PHASE] == TAKE:
        take_cards(state, tables, player, decisions[player] - TAKE_CARDS)
        state[PHASE] = DRAW
        return
    if state[PHASE] == WHITE:
        for each in range(state[PLAYERS]):
            mark(state, sheet_at(each), tables, decisions[each], spare, SPARE_SHEETS)
        state[MARKED] = int(decisions[player] != PASS)
        state[PHASE] = COLOUR
    else:
        sheet = sheet_at(player)
        due = misthrow_due(state)
        made = mark_own(state, tables, player, decisions[player], spare)
        state[sheet + MISTHROWS] += due & (made == 0)
        state[PHASE] = ROLL
        if misthrows_end_game(state[sheet + MISTHROWS]):
            state[PHASE] = OVER
            state[REASON] = BY_MISTHROWS
    close_rows(state, tables)
    if state[PHASE] == ROLL:
        next_turn(state)
    elif state[PHASE] == OVER:
        state[TURN] += 1


def act_alone(state: Ints, tables: Ints, seat: int, action: int, imagined: Ints, decisions: Ints, spare: Ints) -> None:
    """The state after a player's action, as if all others passed, in `imagined`."""
    copy_state(state, 0, imagined, 0)
    for player in range(state[PLAYERS]):
        decisions[player] = PASS
    decisions[seat] = action
    act(imagined, tables, decisions, spare)


def mark_own(state: Ints, tables: Ints, player: int, action: int, spare: Ints) -> int:
    """The active player's own action, with the dice or with cards; return how many marks were made."""
    if action < PLAY_CARDS:
        return mark(state, sheet_at(player), tables, action, spare, SPARE_SHEETS)
    cells = cells_played(state, tables, player, action, spare)
    discard(state, player, (action - PLAY_CARDS) & HAND_MASK, spare)
    return mark_cells(state, sheet_at(player), tables, cells, spare, SPARE_SHEETS)


def close_rows(state: Ints, tables: Ints) -> None:
    """After the marks of an action: rows that were locked close for everybody, their dice leave, the end is tested."""
    locked = 0
    for player in range(state[PLAYERS]):
        locked |= state[sheet_at(player) + LOCKS]
    if tables[T_CARDS] > 0:
        close_alone(state)
    elif locked != state[CLOSED]:
        state[CLOSED] = locked
        for row in range(ROWS):
            if (locked >> row) & 1 == 1:
                state[DICE + 2 + row] = 0
                for player in range(state[PLAYERS]):
                    state[sheet_at(player) + NEXT + row] = tables[T_CELLS + row]
        end_by_rows(state, locked)


def close_alone(state: Ints) -> None:
    """With cards a row closes for whoever locks it; closed is what everybody has locked, two of one player end it."""
    state[CLOSED] = (1 << ROWS) - 1
    for player in range(state[PLAYERS]):
        locks = state[sheet_at(player) + LOCKS]
        state[CLOSED] &= locks
        end_by_rows(state, locks)


def end_by_rows(state: Ints, rows: int) -> None:
    if rows_end_game(rows):
        state[PHASE] = OVER
        state[REASON] = BY_ROWS


def rows_end_game(rows: int) -> bool:
    """Whether so many rows end the game, given as a bit set."""
    return bits(rows) >= ROWS_TO_END


def misthrows_end_game(count: int) -> bool:
    return count >= MISTHROWS_TO_END


# Who wins


def best_of_others(state: Ints, tables: Ints, seat: int) -> int:
    """The highest total of the other players; alone, one that is below any."""
    best = LOWEST_TOTAL - 1
    for player in range(state[PLAYERS]):
        if player != seat:
            best = max(best, total(state, sheet_at(player), tables))
    return best


def winners(state: Ints, tables: Ints) -> int:
    """The bit set of players with the highest total."""
    best = LOWEST_TOTAL - 1
    found = 0
    for player in range(state[PLAYERS]):
        points = total(state, sheet_at(player), tables)
        found = (found if points <= best else 0) | ((points >= best) << player)
        best = max(best, points)
    return found
