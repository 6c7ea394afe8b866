"""The rules of all variants as functions of integers: who is to act, what is legal, what actions do, and who wins.

CPython runs these functions on lists. Numba compiles the same source for flat int64 arrays (`rowlock.fast`). So the
code uses named offsets into flat sequences: no slices, no objects, and computed conditions rather than branches.

Other modules import this one, not its parts: it defines the course of a turn and exports all names of `layout`
(offsets and codes), `marking` (one sheet) and `card_rules` (card games).
"""

from rowlock.rules.card_rules import *
from rowlock.rules.layout import *
from rowlock.rules.marking import *


def start(state: Ints, tables: Ints, players: int) -> None:
    """Initialize a state with empty sheets; kinds of sheets and lucky numbers are dealt in the variant's order."""
    for index in range(state_size(players)):
        state[index] = 0
    state[PLAYERS] = players
    deal_sheets(state, tables, 0)
    deal_lucky(state, tables, 0)


def deal_sheets(state: Ints, tables: Ints, first_kind: int) -> None:
    """Deal a kind of sheet to each player, in the variant's order from kind `first_kind` (counted from 0)."""
    for player in range(state[PLAYERS]):
        state[sheet_at(player) + KIND] = (first_kind + player) % tables[T_SHEETS]


def deal_lucky(state: Ints, tables: Ints, first_pair: int) -> None:
    """Deal a pair of lucky numbers to each player, in the variant's order from pair `first_pair` (counted from 0)."""
    if tables[T_LUCKY] > 0:
        for player in range(state[PLAYERS]):
            index = T_LUCKY_PAIRS + 2 * ((first_pair + player) % tables[T_LUCKY])
            set_lucky(state, player, tables[index], tables[index + 1])


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


def misthrow_taken(state: Ints, marks_made: int) -> bool:
    """Whether the active player takes a misthrow with an action that makes this number of marks."""
    return misthrow_due(state) & (marks_made == 0)


def player_after(player: int, turns: int, players: int) -> int:
    """The player whose turn comes `turns` turns, at most a round, after that of `player`, in the seating order."""
    later = player + turns
    return later - players * (later >= players)


def turns_between(player: int, other: int, players: int) -> int:
    """How many turns after the turn of `player` the turn of `other` comes; 0 for the same player."""
    turns = other - player
    return turns + players * (turns < 0)


def next_turn(state: Ints) -> None:
    """End the turn; the next one waits for its roll."""
    state[PHASE] = ROLL
    state[TURN] += 1
    state[ACTIVE] = player_after(state[ACTIVE], 1, state[PLAYERS])


# What is legal


def options(state: Ints, tables: Ints, player: int, actions: Ints, scratch: Ints) -> int:
    """Write to `actions` every legal action of a player who is to act; return how many there are.

    The first action is to pass, except where cards must be taken or played; a play may mark nothing.
    """
    sheet = sheet_at(player)
    actions[0] = PASS
    if state[PHASE] == WHITE:
        count = white_options(state, tables, sheet, actions)
    elif state[PHASE] == TAKE:
        return take_options(state, player, actions)
    elif tables[T_CARDS] > 0:
        return play_options(state, tables, player, actions, scratch)
    else:
        count = colour_options(state, tables, sheet, actions)
    if tables[T_BONUS + FEWEST] > 0:  # only for this bonus do players pick rows
        count = split_by_pick(state, tables, sheet, actions, count, scratch)
    return count


def white_options(state: Ints, tables: Ints, sheet: int, actions: Ints) -> int:
    """Add the options of the white action: the announced number in any row. Return how many, PASS included."""
    number = state[NUMBER]
    count = 1
    for row in range(ROWS):
        cell = tables[T_AT + row * SUMS + number]  # -1, which cannot be marked, if the row does not have the number
        actions[count] = CELL + row * MAX_CELLS + cell  # if it is not legal, the next action overwrites it
        count += can_mark(state, sheet, tables, row, cell)
    if tables[T_MORE_OPTIONS] != 0:
        count = more_white_options(state, tables, sheet, number, actions, count)
    return count


def more_white_options(state: Ints, tables: Ints, sheet: int, number: int, actions: Ints, count: int) -> int:
    """Add the options of the white action that effects give."""
    if is_lucky_sum(state, sheet, tables, number):
        count = lucky_options(state, tables, sheet, number, actions, count)
    for field in range(tables[T_FIELDS]):
        row = ROWS + field
        upper = tables[T_UPPER + field]
        lower = tables[T_LOWER + field]
        cell = tables[T_AT + row * SUMS + number]
        beside_mark = is_marked(state, sheet, upper, tables[T_AT + upper * SUMS + number])
        beside_mark |= is_marked(state, sheet, lower, tables[T_AT + lower * SUMS + number])
        actions[count] = FIELD + field * MAX_CELLS + cell
        count += beside_mark & (cell >= state[sheet + NEXT + row])
    if tables[T_SECOND] != 0:
        for row in range(ROWS):
            actions[count] = SECOND + row
            count += can_mark_second(state, sheet, tables, row, tables[T_AT + row * SUMS + number])
    return swap_options(state, tables, sheet, number, actions, count)


def swap_options(state: Ints, tables: Ints, sheet: int, white_sum: int, actions: Ints, count: int) -> int:
    """Add the options of swap fields that show the white sum: the field's other number in any row.

    The fields are used from left to right.
    """
    for field in range(next_swap(state, sheet), tables[T_SWAPS]):
        for side in range(2):
            if tables[T_SWAP + 2 * field + side] == white_sum:
                number = tables[T_SWAP + 2 * field + 1 - side]
                for row in range(ROWS):
                    actions[count] = SWAP + (2 * field + side) * ROWS + row
                    count += can_mark(state, sheet, tables, row, tables[T_AT + row * SUMS + number])
    return count


def is_lucky_sum(state: Ints, sheet: int, tables: Ints, white_sum: int) -> bool:
    """Whether a white sum is one of the lucky numbers of a sheet."""
    is_either = (white_sum == state[sheet + LUCKY_LOW]) | (white_sum == state[sheet + LUCKY_HIGH])
    return (tables[T_LUCKY] != 0) & is_either


def lucky_options(state: Ints, tables: Ints, sheet: int, white_sum: int, actions: Ints, count: int) -> int:
    """Add the options of a lucky white sum: the next cell of each row with the fewest marks.

    A cell whose number is the sum is left out: to mark it is an option without luck.
    """
    rows = fewest_rows(state, sheet)
    for row in range(ROWS):
        is_sum = tables[T_AT + row * SUMS + white_sum] == state[sheet + NEXT + row]
        actions[count] = LUCKY + row
        count += ((rows >> row) & 1 == 1) & (not is_sum) & can_mark_next(state, sheet, tables, row)
    return count


def colour_options(state: Ints, tables: Ints, sheet: int, actions: Ints) -> int:
    """Add the options of the colour action: the sum of one white and one coloured die, in a cell of that colour."""
    count = 1
    whites = 1 + (state[DICE] != state[DICE + 1])  # white dice to use: equal ones make the same sums
    for colour in range(ROWS):
        die = state[DICE + 2 + colour]
        if die > 0:
            for white in range(whites):
                code = tables[T_FIRST + colour * SUMS + die + state[DICE + white]]
                while code >= 0:  # every cell with this colour and sum
                    actions[count] = CELL + code
                    count += can_mark(state, sheet, tables, row_of(code), place_in_row(code))
                    code = tables[T_AFTER + code]
    if tables[T_MORE_OPTIONS] != 0:
        for field in range(tables[T_FIELDS]):
            count = field_options(state, tables, sheet, field, whites, actions, count)
        if tables[T_SECOND] != 0:
            count = second_options(state, tables, sheet, actions, count)
    return count


def second_options(state: Ints, tables: Ints, sheet: int, actions: Ints, count: int) -> int:
    """Add the second boxes of cells with the sum and the colour of one white and one coloured die."""
    for row in range(ROWS):
        cell = state[sheet + NEXT + row] - 1  # the only cell of the row whose box can be marked
        if can_mark_second(state, sheet, tables, row, cell):
            code = row * MAX_CELLS + cell
            actions[count] = SECOND + row
            count += makes_sum(state, tables[T_COLOUR + code], tables[T_NUMBER + code])
    return count


def makes_sum(state: Ints, colour: int, number: int) -> bool:
    """Whether the die of a colour and a white die make a number."""
    die = state[DICE + 2 + colour]
    rest = number - die
    return (die > 0) & ((rest == state[DICE]) | (rest == state[DICE + 1]))


def field_options(state: Ints, tables: Ints, sheet: int, field: int, whites: int, actions: Ints, count: int) -> int:
    """Add the bonus fields with a colour sum; a neighbouring cell of that number and colour must be marked."""
    row = ROWS + field
    added = 0  # bit set of cells: a field can have two neighbours, but is one option
    for side in range(2):
        row_beside = tables[(T_LOWER if side else T_UPPER) + field]
        for colour in range(ROWS):
            die = state[DICE + 2 + colour]
            for white in range(whites):
                colour_sum = die + state[DICE + white]
                cell = tables[T_AT + row * SUMS + colour_sum]
                neighbour = tables[T_AT + row_beside * SUMS + colour_sum]
                if (
                    die > 0
                    and cell >= state[sheet + NEXT + row]
                    and is_marked(state, sheet, row_beside, neighbour)
                    and tables[T_COLOUR + row_beside * MAX_CELLS + neighbour] == colour
                    and (added >> cell) & 1 == 0
                ):
                    added |= 1 << cell
                    actions[count] = FIELD + field * MAX_CELLS + cell
                    count += 1
    return count


def split_by_pick(state: Ints, tables: Ints, sheet: int, actions: Ints, count: int, scratch: Ints) -> int:
    """If rows tie for a bonus of an action, replace the action by one for each row that can be picked.

    Picks with the same marks have the same notation: only the first is kept. Return how many actions there are now.
    """
    for index in range(count):
        action = actions[index]
        code = marked_first(state, sheet, tables, action)
        if action == PASS or is_second(action) or row_of(code) >= ROWS or bonuses_of(state, sheet, tables, code) == 0:
            continue
        ties = -mark_on_copy(state, sheet, tables, action, scratch, 0)  # a bit set of rows, or below 0 without a tie
        kept = 0  # how many picks are kept
        for row in range(ROWS):
            if ties > 0 and (ties >> row) & 1 == 1:
                picked = action + PICK * (row + 1)
                mark_on_copy(state, sheet, tables, picked, scratch, kept * SHEET_SIZE)
                is_new = True
                for earlier in range(kept):
                    is_new = is_new and not same_marks(scratch, earlier * SHEET_SIZE, kept * SHEET_SIZE)
                if is_new:  # the first pick takes the place of the action, the others go to the end
                    actions[index if kept == 0 else count] = picked
                    count += kept > 0
                    kept += 1
    return count


def mark_on_copy(state: Ints, sheet: int, tables: Ints, action: int, scratch: Ints, copy: int) -> int:
    """Copy a sheet to `scratch`, from index `copy` on, and make an action's marks there; return what `mark` returns."""
    for index in range(SHEET_SIZE):
        scratch[copy + index] = state[sheet + index]
    if uses_cards(action):
        player = player_of(sheet)
        cells = cells_played(state, tables, player, action, scratch)
        return mark_cells(scratch, copy, tables, cells, scratch, SCRATCH_TRAIL)
    return mark(scratch, copy, tables, action, scratch, SCRATCH_TRAIL)


def same_marks(sheets: Ints, first: int, second: int) -> bool:
    """Whether the sheets at two indices have the same marks in their rows."""
    for row in range(ROWS):
        if sheets[first + MARKS + row] != sheets[second + MARKS + row]:
            return False
    return True


# Acting


def let_chance_act(state: Ints, tables: Ints, drawn: Ints) -> None:
    """Roll the dice in `drawn`; with cards deal those in `drawn`, or make them the new pile, or begin a turn."""
    if tables[T_CARDS] == 0:
        roll(state, drawn)
    elif state[PHASE] == DRAW:
        renew_pile(state, tables, drawn)
    elif state[TURN] == 0:
        deal(state, tables, drawn)
    else:
        begin_turn(state)


def roll(state: Ints, dice: Ints) -> None:
    """Set the dice to a roll; those that have left the game stay 0."""
    state[DICE] = dice[0]
    state[DICE + 1] = dice[1]
    state[NUMBER] = dice[0] + dice[1]
    for row in range(ROWS):
        state[DICE + 2 + row] = dice[2 + row] * (1 - ((state[CLOSED] >> row) & 1))
    state[PHASE] = WHITE
    state[MARKED] = 0


def act(state: Ints, tables: Ints, decisions: Ints, scratch: Ints) -> None:
    """Carry out the decisions of all players who are to act; `decisions` holds an action per player."""
    active = state[ACTIVE]
    if state[PHASE] == TAKE:
        take_cards(state, tables, active, places_taken(decisions[active]))
        state[PHASE] = DRAW
        return
    if state[PHASE] == WHITE:
        for player in range(state[PLAYERS]):
            mark(state, sheet_at(player), tables, decisions[player], scratch, SCRATCH_TRAIL)
        state[MARKED] = int(decisions[active] != PASS)
        state[PHASE] = COLOUR
    else:
        sheet = sheet_at(active)
        marks_made = colour_action(state, tables, active, decisions[active], scratch)
        state[sheet + MISTHROWS] += misthrow_taken(state, marks_made)
        state[PHASE] = ROLL
        end_by_misthrows(state, tables, sheet)
    close_rows(state, tables)
    if state[PHASE] == ROLL:
        next_turn(state)
    elif state[PHASE] == OVER:
        state[TURN] += 1  # the last turn is completed, too


def act_alone(state: Ints, tables: Ints, seat: int, action: int, after: Ints, decisions: Ints, scratch: Ints) -> None:
    """Write the state after the action of one seat to `after`, as if all other players passed."""
    copy_state(state, 0, after, 0)
    for player in range(state[PLAYERS]):
        decisions[player] = PASS
    decisions[seat] = action
    act(after, tables, decisions, scratch)


def colour_action(state: Ints, tables: Ints, player: int, action: int, scratch: Ints) -> int:
    """Make the marks of the colour action, or play cards; return how many marks were made."""
    if not plays_cards(action):
        return mark(state, sheet_at(player), tables, action, scratch, SCRATCH_TRAIL)
    cells = cells_played(state, tables, player, action, scratch)
    discard(state, player, cards_played(action), scratch)
    return mark_cells(state, sheet_at(player), tables, cells, scratch, SCRATCH_TRAIL)


def close_rows(state: Ints, tables: Ints) -> None:
    """Close locked rows on all sheets, remove their dice, and end the game if enough rows are closed."""
    locked = locked_rows(state)
    if tables[T_CARDS] > 0:
        close_rows_per_player(state, tables)
    elif locked != state[CLOSED]:
        state[CLOSED] = locked
        for row in range(ROWS):
            if (locked >> row) & 1 == 1:
                state[DICE + 2 + row] = 0
                for player in range(state[PLAYERS]):
                    close_row(state, sheet_at(player), tables, row)
        end_by_rows(state, tables, locked)


def locked_rows(state: Ints) -> int:
    """The bit set of rows that one player or more have locked."""
    rows = 0
    for player in range(state[PLAYERS]):
        rows |= state[sheet_at(player) + LOCKS]
    return rows


def close_rows_per_player(state: Ints, tables: Ints) -> None:
    """In card games a row closes only on the sheet where it is locked; `CLOSED` holds the rows locked on all sheets."""
    state[CLOSED] = (1 << ROWS) - 1
    for player in range(state[PLAYERS]):
        locks = state[sheet_at(player) + LOCKS]
        state[CLOSED] &= locks
        end_by_rows(state, tables, locks)


def end_by_rows(state: Ints, tables: Ints, rows: int) -> None:
    """End the game if this bit set of closed rows ends it."""
    if rows_end_game(tables, rows):
        state[PHASE] = OVER
        state[REASON] = BY_ROWS


def end_by_misthrows(state: Ints, tables: Ints, sheet: int) -> None:
    """End the game if the misthrows on a sheet end it."""
    if misthrows_end_game(tables, state[sheet + MISTHROWS]):
        state[PHASE] = OVER
        state[REASON] = BY_MISTHROWS


def rows_end_game(tables: Ints, rows: int) -> bool:
    """Whether the game ends with this bit set of closed rows."""
    return bits(rows) >= tables[T_ROWS_TO_END]


def misthrows_end_game(tables: Ints, count: int) -> bool:
    return count >= tables[T_MISTHROWS_TO_END]


def sheet_ends_game(sheets: Ints, sheet: int, tables: Ints) -> bool:
    """Whether one sheet alone ends the game: by misthrows or, in a card game, by the rows locked on it."""
    by_rows = (tables[T_CARDS] > 0) & rows_end_game(tables, sheets[sheet + LOCKS])
    return by_rows | misthrows_end_game(tables, sheets[sheet + MISTHROWS])


def last_row(state: Ints, tables: Ints) -> bool:
    """Whether one more closed row ends the game; in a card game, one more row that a single player locks."""
    found = (tables[T_CARDS] == 0) & rows_end_game(tables, with_lowest_open(state[CLOSED]))
    for player in range(state[PLAYERS]):
        locks = state[sheet_at(player) + LOCKS]
        found |= (tables[T_CARDS] > 0) & rows_end_game(tables, with_lowest_open(locks))
    return found & (state[PHASE] != OVER)


def with_lowest_open(rows: int) -> int:
    """A bit set of closed rows and one more."""
    return rows | (rows + 1)


def last_misthrow(state: Ints, tables: Ints) -> int:
    """The bit set of players whose next misthrow ends the game."""
    players = 0
    for player in range(state[PLAYERS]):
        ends = misthrows_end_game(tables, state[sheet_at(player) + MISTHROWS] + 1)
        players |= (ends & (state[PHASE] != OVER)) << player
    return players


# Who wins


def best_of_others(state: Ints, tables: Ints, seat: int) -> int:
    """The highest total of the other players; in a solo game, a number below every possible total."""
    best = LOWEST_TOTAL - 1
    for player in range(state[PLAYERS]):
        if player != seat:
            best = max(best, total(state, sheet_at(player), tables))
    return best


def winners(state: Ints, tables: Ints) -> int:
    """The bit set of players with the highest total."""
    best = LOWEST_TOTAL - 1
    best_players = 0
    for player in range(state[PLAYERS]):
        points = total(state, sheet_at(player), tables)
        # A higher total removes the players found so far; an equal one adds the player to them.
        best_players = (best_players if points <= best else 0) | ((points >= best) << player)
        best = max(best, points)
    return best_players
