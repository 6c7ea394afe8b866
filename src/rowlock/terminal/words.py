"""The game in words, all of them taken from a variant's data or a game's state."""

from collections.abc import Iterable, Iterator, Sequence

from rowlock.rules import kernel as k
from rowlock.rules.explain import COLOURS
from rowlock.rules.game import Game, View
from rowlock.rules.option import read_option
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import ROW_NAMES, Pair, Row, Variant

LANGUAGE = "en"
SMALL_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


def listed(words: Iterable[str], last: str = "and") -> str:
    """`R, Y and G`."""
    *first, end = words
    return f"{', '.join(first)} {last} {end}" if first else end


def counted(number: int, one: str, many: str = "") -> str:
    """`one mark`, `two marks`."""
    word = SMALL_NUMBERS[number] if number < len(SMALL_NUMBERS) else str(number)
    return f"{word} {one}" if number == 1 else f"{word} {many or one + 's'}"


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


# A variant


def rules_of(variant: Variant) -> list[tuple[str, str]]:
    """What is to be known about a variant: headings and sentences."""
    found = [("Dice", _dice(variant)), *_rows(variant), ("Locks", _locks(variant))]
    if is_mixed(variant):
        found.append(
            (
                "Colours",
                "The cells have colours of their own: a coloured die marks a cell of its colour, in whichever row "
                "it stands. The row counts, not the colour, when it comes to locks and points.",
            )
        )
    if variant.lucky:
        found.append(("Lucky numbers", _lucky(variant)))
    if variant.bar:
        found.append(("Bonus bar", _bar(variant)))
    found += [(f"Pair: {pair.name}", _pair(pair)) for pair in variant.pairs]
    if variant.fields:
        found.append(("Bonus fields", _fields(variant)))
    found.append(("Points", _points(variant)))
    return found


def is_mixed(variant: Variant) -> bool:
    """Whether cells have colours other than their row's."""
    return any(set(row.colours) != {row.name} for row in variant.rows)


def _dice(variant: Variant) -> str:
    white, *coloured = variant.dice
    if set(coloured) == {white}:
        return f"Two white ones, one each of {listed(COLOURS.values())}; they show 1 to {white}."
    each = [f"{COLOURS[name]} (1 to {faces})" for name, faces in zip(ROW_NAMES, coloured, strict=True)]
    return f"Two white ones (1 to {white}), one each of {listed(each)}."


def _rows(variant: Variant) -> Iterator[tuple[str, str]]:
    runs: dict[str, list[str]] = {}
    for row in variant.rows:
        runs.setdefault(run_of(row), []).append(row.name)
    yield "Rows", "; ".join(f"{listed(names)}: {run}" for run, names in runs.items()) + ". Mark from left to right."


def run_of(row: Row) -> str:
    """How the numbers of a row run: `2 to 12`, or all of them where they are mixed."""
    steps = {after - before for before, after in zip(row.numbers, row.numbers[1:], strict=False)}
    if steps in ({1}, {-1}):
        return f"{row.numbers[0]} to {row.numbers[-1]}"
    return " ".join(map(str, row.numbers))


def _locks(variant: Variant) -> str:
    if variant.closing == 1:
        cells = "The last cell of a row locks it"
    elif variant.closing == 2:
        cells = "Either of the last two cells of a row locks it"
    else:
        cells = f"Any of the last {counted(variant.closing, 'cell')} of a row locks it"
    needs = f" and needs {counted(variant.needed, 'mark')} in the row before it" if variant.needed else ""
    return (
        f"{cells}{needs}; the lock is a mark, too. A locked row is closed for everybody and its die leaves the game. "
        f"The game ends with {counted(k.ROWS_TO_END, 'closed row')} or with somebody's "
        f"{counted(k.MISTHROWS_TO_END, 'misthrow')}."
    )


def _lucky(variant: Variant) -> str:
    pairs = ", ".join(f"{low}/{high}" for low, high in variant.lucky)
    return (
        f"Every player has a pair ({pairs}). When the white sum is one of yours you may mark, instead of the sum, the "
        "next cell of the row in which you have the fewest marks."
    )


def _bar(variant: Variant) -> str:
    boxes = ", ".join(f"{row.name} {' '.join(numbers)}" for row in variant.rows if (numbers := _boxes_in(variant, row)))
    return (
        f"{capital(counted(len(variant.bar_boxes), 'bonus box', 'bonus boxes'))}: {boxes}. Marking one uses up "
        f"the next box of the bar ({' '.join(variant.bar)}), and that gives a mark at once: the next cell of the row "
        "it names, which may be a bonus box again. Boxes of closed rows are skipped."
    )


def _boxes_in(variant: Variant, row: Row) -> list[str]:
    return [str(number) for number in row.numbers if f"{row.name}{number}" in variant.bar_boxes]


def _pair(pair: Pair) -> str:
    return f"{listed(pair.boxes)}: {gift_of(pair)}."


def gift_of(pair: Pair) -> str:
    """What a complete pair gives."""
    if pair.gives == "fewest":
        return f"at once {counted(pair.amount, 'mark')} in the row with the fewest, chosen by you where rows tie"
    if pair.gives == "each":
        return "at once a mark in each row, on its next cell"
    if pair.gives == "double":
        return "at the end the points of the row with the fewest marks count twice"
    if pair.gives == "points":
        return f"{counted(pair.amount, 'point')} at the end"
    return "misthrows cost nothing at the end"


def _fields(variant: Variant) -> str:
    fields = listed(f"{field.name} between {listed(field.name)} ({run_of(field)})" for field in variant.fields)
    return (
        f"{fields}, also from left to right. Instead of a cell you may mark a field: with the white sum where that "
        "number is marked in a row beside it, with a colour sum where it is marked there in that colour. The mark "
        "counts for both rows beside it, but not towards their locks."
    )


def _points(variant: Variant) -> str:
    cost = f"a misthrow, no mark at all in a turn of your own, costs {k.MISTHROW_COST}"
    if most_marks(variant, capped=False) > variant.cap:
        return f"By the table above, {counted(variant.cap, 'mark')} a row at the most; {cost}."
    return f"By the table above; {cost}."


def most_marks(variant: Variant, *, capped: bool = True) -> int:
    """The most marks a row can get, its lock and the bonus fields beside it included."""
    rows = [
        len(row) - variant.closing + 2 + sum(len(field) for field in variant.fields if row.name in field.name)
        for row in variant.rows
    ]
    return min(max(rows), variant.cap) if capped else max(rows)


def points_for(variant: Variant, marks: int) -> int:
    """What a row with so many marks is worth."""
    sheet = [0] * k.SHEET_SIZE
    sheet[k.COUNT] = marks
    return k.row_points(sheet, 0, variant.tables, 0)


# A decision


def cell_of(option: str) -> str | None:
    """The cell or bonus field an option marks first: `R12` of `R12#`, `G16` of `!G16`; None where it marks nothing."""
    return next(iter(read_option(option).marks), None)


def meaning(view: View, option: str) -> str:
    """What an option does, in words."""
    if option == "-":
        return "no mark"
    if option == "x":
        return f"no mark in this turn of yours: a misthrow, {k.MISTHROW_COST} points off"
    read = read_option(option)
    name, *others = read.marks
    parts = [_how(view, name, lucky=read.lucky), *_skipped(view, name)]
    if others:
        parts.append(f"its bonus marks {listed(others)} at once")
    if read.locks:
        parts.append(f"locks row {listed(read.locks)}")
    return ", ".join(parts)


def _how(view: View, name: str, *, lucky: bool) -> str:
    row, cell = divmod(view.variant.codes[name], k.MAX_CELLS)
    if lucky:
        return f"luck: the next cell of row {ROW_NAMES[row]}, one with your fewest marks"
    where = f"row {name[0]}" if row < k.ROWS else f"the bonus fields between {name[0]} and {name[1]}"
    number = (view.variant.rows + view.variant.fields)[row].numbers[cell]
    if view.phase == "white":
        return f"{number} in {where}"
    return f"{number} in {where}, {listed(_sums(view, row, number), 'or')}"


def _sums(view: View, row: int, number: int) -> list[str]:
    """Which dice make the number of a cell in its colour, `white 4 + red 1`."""
    whites, coloured = white_dice(view), coloured_dice(view)
    if row < k.ROWS:
        sides = [ROW_NAMES[row]]
    else:
        sides = [name for name in view.variant.fields[row - k.ROWS].name if number in _own(view).rows[name]]
    found = []
    for side in sides:
        beside = view.variant.rows[ROW_NAMES.index(side)]
        colour = beside.colours[beside.numbers.index(number)]
        die = coloured[colour]
        found += [
            f"white {white} + {COLOURS[colour]} {die}" for white in sorted(set(whites)) if white + (die or 99) == number
        ]
    return found


def _skipped(view: View, name: str) -> list[str]:
    row, cell = divmod(view.variant.codes[name], k.MAX_CELLS)
    numbers = (view.variant.rows + view.variant.fields)[row].numbers[_own(view).ints[k.NEXT + row] : cell]
    return [f"gives up {listed(map(str, numbers))}"] if numbers else []


def _own(view: View) -> Sheet:
    assert view.seat is not None
    return view.sheets[view.seat]


def white_dice(view: View) -> tuple[int, int]:
    assert view.dice
    return int(view.dice[0]), int(view.dice[1])


def coloured_dice(view: View) -> dict[str, int | None]:
    """The coloured dice by name, None for one that has left the game."""
    assert view.dice
    return {name: None if digit == "." else int(digit) for name, digit in zip(ROW_NAMES, view.dice[3:], strict=True)}


# A game


def standing(game: Game) -> str:
    """Why a game is over, or what it waits for."""
    if game.reason == "rows":
        return f"over, rows {listed(game.closed)} are closed"
    active = game.players[game.active]
    if game.reason == "misthrows":
        return f"over, {active} marked the fourth misthrow"
    if game.phase == "white":
        return f"not over, the white action of turn {game.turn} ({game.dice}, {active}) is open"
    if game.phase == "colour":
        return f"not over, the colour action of turn {game.turn} ({game.dice}, {active}) is open"
    return f"not over, {active} is to roll in turn {game.turn}"


def winners(game: Game) -> str:
    """Who won, or who leads."""
    best = max(game.scores)
    names = [name for name, score in zip(game.players, game.scores, strict=True) if score == best]
    title = ("Winner" if game.over else "Leader") + ("s" if len(names) > 1 else "")
    return f"{title}: {listed(names)}, {best} point{'' if best == 1 else 's'}"


def score_columns(variant: Variant, sheets: Sequence[Sheet]) -> list[tuple[str, list[int]]]:
    """The score table, column by column: rows, bonuses where there are any, misthrows, total."""
    names = [name for name in sheets[0].points if name != "bonus" or variant.pairs]
    columns = [(name, [sheet.points[name] for sheet in sheets]) for name in names]
    return [*columns, ("total", [sheet.total for sheet in sheets])]
