"""Texts about variants, options, decisions and results, made from a variant's data or a game's state."""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, pairwise

from rowlock.locale import format_list, localized, n, t
from rowlock.rules.card_game import CardTurn
from rowlock.rules.cards import HIDDEN
from rowlock.rules.game import Game, Turn, View, read_dice
from rowlock.rules.option import Option, read_option
from rowlock.rules.score_sheets import ScoreSheets
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import ROW_NAMES, Cards, Pair, Setup, Variant

# A variant


def setup_name(setup: Setup) -> str:
    name = localized(setup.variant.name)
    return t("games.with-jokers", game=name) if setup.jokers else name


def rule_texts(setup: Setup) -> list[tuple[str, str]]:
    """The rules of a game: headings, each with its sentences."""
    variant = setup.variant
    cards = variant.cards
    if cards:
        rules = [
            ("rules.cards", _card_texts(cards, setup.jokers)),
            ("rules.turn", _card_turn_texts(variant)),
            ("rules.gap", [gap_text(cards)]),
            ("rules.jokers", [t("rules.cards-jokers")]),
        ]
    else:
        rules = [("rules.dice", [_dice_text(variant)]), ("rules.turn", _dice_turn_texts(variant))]
    rules.append(("rules.order", [t("rules.order-text"), *_order_texts(variant)]))
    closed = t("rules.close-then-own" if cards else "rules.close-then")
    rules.append(("rules.close", [_closing_text(variant), closed]))
    if is_mixed(variant):
        rules.append(("rules.mixed", [t("rules.mixed-cards" if cards else "rules.mixed-text")]))
    if variant.sheet_letters:
        rules.append(("rules.sheets", [t("rules.sheets-text", letters=format_list(variant.sheet_letters))]))
    for effect, (heading, texts) in EFFECT_RULES.items():
        if effect in variant.effects:
            rules.append((heading, texts(variant)))
    end = "rules.end-own" if cards else "rules.end-text"
    ends = n(end, variant.rows_to_end, rows=variant.rows_to_end, misthrows=variant.misthrows_to_end)
    rules.append(("rules.end", [ends]))
    rules.append(("rules.points", [*_cap_texts(variant), t("rules.points-misthrow", cost=variant.misthrow_cost)]))
    return [(t(heading), " ".join(sentences)) for heading, sentences in rules]


def _lucky_texts(variant: Variant) -> list[str]:
    pairs = ", ".join(f"{low}/{high}" for low, high in variant.lucky)
    return [t("rules.lucky-text"), t("rules.lucky-pairs", pairs=pairs)]


def _bar_texts(variant: Variant) -> list[str]:
    return [t("rules.bar-text"), t("rules.bar-boxes", boxes=format_list(variant.bar_boxes))]


def _pairs_texts(variant: Variant) -> list[str]:
    return [t("rules.pairs-text"), *map(_pair_text, variant.pairs)]


def _swaps_texts(variant: Variant) -> list[str]:
    return [t("rules.swaps-text"), t("rules.swaps-fields", fields=", ".join(variant.swap_names))]


# By effect, in the order of the rules: the heading of its rule, and its sentences.
EFFECT_RULES: dict[str, tuple[str, Callable[[Variant], list[str]]]] = {
    "lucky": ("rules.lucky", _lucky_texts),
    "bar": ("rules.bar", _bar_texts),
    "pairs": ("rules.pairs", _pairs_texts),
    "fields": ("rules.fields", lambda _: [t("rules.fields-text")]),
    "steps": ("rules.steps", lambda _: [t("rules.steps-text")]),
    "joined": ("rules.joined", lambda _: [t("rules.joined-text")]),
    "swaps": ("rules.swaps", _swaps_texts),
    "second": ("rules.second", lambda _: [t("rules.second-text")]),
}
# By effect: a text about its notation, and the actions in which it is used.
EFFECT_HELP = {
    "joined": ("terminal.help-joined", ("white", "colour")),
    "swaps": ("terminal.help-swaps", ("white",)),
    "second": ("terminal.help-second", ("white", "colour")),
}
BONUS_EFFECTS = frozenset({"pairs", "steps"})  # their points are in the column "bonus"


def is_mixed(variant: Variant) -> bool:
    """Whether some cells have another colour than their row."""
    return any(set(row.colours) != {row.name} for row in variant.rows)


def _closing_text(variant: Variant) -> str:
    """How many marks a row needs before it is closed."""
    needed = [variant.needed_in(row) for row in range(len(variant.rows))]
    if len(set(needed)) > 1:
        by_row = ", ".join(f"{row.name} {count}" for row, count in zip(variant.rows, needed, strict=True))
        return t("rules.close-needs-rows", needed=by_row)
    return n("rules.close-needs" if needed[0] else "rules.close-any", variant.closing, needed=needed[0])


def _dice_text(variant: Variant) -> str:
    white, *coloured = variant.dice
    colours = [t(f"colour.{name}") for name in ROW_NAMES]
    if set(coloured) == {white}:
        return t("rules.dice-same", colours=format_list(colours), faces=white)
    dice = [t("rules.die-faces", colour=colour, faces=faces) for colour, faces in zip(colours, coloured, strict=True)]
    return t("rules.dice-each", colours=format_list(dice), faces=white)


def _dice_turn_texts(variant: Variant) -> list[str]:
    colour = t("rules.turn-colour-mixed" if is_mixed(variant) else "rules.turn-colour")
    misthrow = n("rules.turn-misthrow", variant.misthrow_cost, cost=variant.misthrow_cost)
    return [t("rules.turn-roll"), t("rules.turn-white"), colour, misthrow]


def _card_texts(cards: Cards, jokers: bool) -> list[str]:
    kinds = [*(t(f"colour.{name}") for name in ROW_NAMES), *([t("rules.as-joker")] if jokers else [])]
    count = cards.numbers * len(kinds)
    deck = t("rules.cards-text", count=count, low=cards.lowest, high=cards.highest, colours=format_list(kinds))
    return [deck, t("rules.cards-dealt")]


def _card_turn_texts(variant: Variant) -> list[str]:
    play = t("rules.turn-play-mixed" if is_mixed(variant) else "rules.turn-play")
    misthrow = n("rules.turn-misthrow", variant.misthrow_cost, cost=variant.misthrow_cost)
    return [t("rules.turn-take"), t("rules.turn-announce"), play, misthrow, t("rules.turn-pile")]


def gap_text(cards: Cards) -> str:
    """How many numbers may be left out between the marks of one play."""
    return t("rules.gap-free") if cards.largest_gap is None else n("rules.turn-gap", cards.largest_gap)


def _order_texts(variant: Variant) -> list[str]:
    """A sentence about rows whose numbers are in no order, if the variant has such rows."""
    steps = {after - before for row in variant.rows for before, after in pairwise(row.numbers)}
    return [] if steps <= {1, -1} else [t("rules.order-mixed")]


def _pair_text(pair: Pair) -> str:
    return n(f"gives.long.{pair.gives}", pair.amount, boxes=format_list(pair.boxes))


def _cap_texts(variant: Variant) -> list[str]:
    return [t("rules.points-cap", cap=variant.cap)] if max(variant.most_marks) > variant.cap else []


# A decision


def cells_of(option: str) -> tuple[str, ...]:
    """The cells that an option marks, without forced marks: `R12` for `R12#`, `R3` and `R8` for `r3,r8 = R3 R8`."""
    if option.startswith(HIDDEN):
        return ()
    return tuple(mark for part in option.rpartition(" = ")[2].split(" ") for mark in read_option(part).marks[:1])


def numbers_of(take: str) -> tuple[int, ...]:
    """The numbers of the cards that are taken: 3 and 5 for `?3,?5`."""
    return tuple(sorted(map(int, re.findall("[0-9]+", take))))


def action_help(view: View) -> str:
    """A text about what a player may do in the current action."""
    action = "announced" if view.cards and view.phase == "white" else view.phase
    sentences = [t(f"terminal.help-{action}")]
    sentences += [
        t(text) for effect, (text, phases) in EFFECT_HELP.items() if effect in view.variant.effects and action in phases
    ]
    if action == "play" and view.variant.cards:
        sentences.append(gap_text(view.variant.cards))
        sentences += [t("terminal.help-jokers")] if view.jokers else []
    return " ".join(sentences)


def describe_option(view: View, option: str) -> str:
    """A text about what an option does."""
    if view.phase == "take":
        return t("terminal.takes", numbers=format_list(map(str, numbers_of(option))))
    marks = option.rpartition(" = ")[2]
    if marks == "-":
        return t("mark.none")
    if marks == "x":
        return n("terminal.costs", view.variant.misthrow_cost, cost=view.variant.misthrow_cost)
    if view.phase == "play":
        return _play_text(view, marks.split(" "))
    parsed = read_option(option)
    name, *forced = parsed.marks
    parts = [_mark_text(view, name, parsed)]
    if name in _own_sheet(view).steps:
        parts.append(t("terminal.is-step"))
    parts += [*_skipped_texts(view, [name]), *_given_up_texts(view, name, parsed)]
    if forced and view.variant.joined:
        parts += [t("terminal.marks-joined", cell=forced[0]), *_skipped_texts(view, forced)]
    elif forced:
        parts.append(t("terminal.sets-off", marks=format_list(forced)))
    if parsed.locks:
        parts.append(t("terminal.locks", rows=format_list(parsed.locks)))
    return ", ".join(parts)


def _play_text(view: View, marks: Sequence[str]) -> str:
    """A text about what the marks of a play do, row by row."""
    parts = []
    for row, marks_in_row in groupby(marks, key=lambda mark: mark[0]):
        cells = [mark.removesuffix("#") for mark in marks_in_row]
        parts.append(t("terminal.in-row", number=format_list(cell[1:] for cell in cells), row=row))
        parts += _skipped_texts(view, cells)
    locks = [mark[0] for mark in marks if mark.endswith("#")]
    return ", ".join([*parts, *([t("terminal.locks", rows=format_list(locks))] if locks else [])])


def _mark_text(view: View, name: str, option: Option) -> str:
    row, number = view.variant.find_cell(name)
    if option.lucky:
        return t("terminal.by-luck", row=row.name)
    if row in view.variant.fields:
        where = t("terminal.in-fields", number=number, a=name[0], b=name[1])
        rows = [side for side in row.name if number in _own_sheet(view).rows[side]]
    else:
        where = t("terminal.second-box" if option.second else "terminal.in-row", number=number, row=row.name)
        rows = [row.name]
    if field := option.swap_field(view.variant.swaps):
        return t("terminal.by-swap", sum=option.swapped, number=number, field=field, where=where)
    return where if view.phase == "white" else f"{where}, {format_list(_sums(view, rows, number), 'or')}"


def places_of(variant: Variant, option: str) -> Iterator[str]:
    """The cells that an option marks, without forced marks, and the swap field that it uses."""
    yield from cells_of(option)
    if field := read_option(option).swap_field(variant.swaps):
        yield field


def _given_up_texts(view: View, name: str, option: Option) -> list[str]:
    """Texts about swap fields and a second box that an option gives up."""
    texts, sheet = [], _own_sheet(view)
    row, _ = view.variant.find_cell(name)
    if field := option.swap_field(view.variant.swaps):
        free = [printed for printed, state in sheet.swap_fields if state == "free"]
        skipped = free[: free.index(field)]
        texts += [n("terminal.gives-up-swaps", len(skipped), fields=format_list(skipped))] if skipped else []
    if not option.second and row.name in sheet.second_free:
        texts.append(t("terminal.gives-up-box", number=sheet.second_free[row.name]))
    return texts


def _sums(view: View, rows: Sequence[str], number: int) -> list[str]:
    """The sums of dice with which this number can be marked in one of these rows: `white 4 + red 1`."""
    whites, coloured = white_dice(view), coloured_dice(view)
    sums = []
    for name in rows:
        row = view.variant.rows[ROW_NAMES.index(name)]
        colour = row.colours[row.numbers.index(number)]
        die = coloured[colour]
        sums += [
            t("terminal.with-dice", white=white, colour=t(f"colour.{colour}"), die=die)
            for white in sorted(set(whites))
            if die is not None and white + die == number
        ]
    return sums


def _skipped_texts(view: View, names: Sequence[str]) -> list[str]:
    """A text about the open cells that are lost when these cells of one row are marked, if there are any."""
    row, _ = view.variant.find_cell(names[0])
    marked = [view.variant.find_cell(name)[1] for name in names]
    rightmost = max(map(row.numbers.index, marked))
    states = _own_sheet(view).cells[row.name][:rightmost]
    open_numbers = (number for number, state in zip(row.numbers, states, strict=False) if state == "open")
    skipped = [str(number) for number in open_numbers if number not in marked]
    return [t("terminal.gives-up", numbers=format_list(skipped))] if skipped else []


def _own_sheet(view: View) -> Sheet:
    assert view.seat is not None
    return view.sheets[view.seat]


def white_dice(view: View) -> tuple[int, int]:
    assert view.dice
    return read_dice(view.dice)[0]


def coloured_dice(view: View) -> dict[str, int | None]:
    """The coloured dice by name; a die that is out of the game is None."""
    assert view.dice
    _, faces = read_dice(view.dice)
    return {name: faces.get(name) for name in ROW_NAMES}


# Values


def decimal(value: float, digits: int) -> str:
    """A number with the decimal point of the language."""
    return f"{round(value, digits) + 0.0:.{digits}f}".replace(".", t("terminal.decimal-point"))  # + 0.0: no -0.0


def signed(value: float, digits: int) -> str:
    """A change, with its sign."""
    text = decimal(abs(value), digits)
    return text if not float(f"{value:.{digits}f}") else f"{'+' if value > 0 else '-'}{text}"


def value(number: float, solo: bool, *, exact: bool = False) -> str:
    """A share of the win in per cent, in a solo game the points."""
    return decimal(number, 2 if exact else 1) if solo else f"{decimal(100 * number, 1)} %"


def loss(number: float, error: float, solo: bool) -> str:
    """How much worse an option is than the best one, and the standard error of that."""
    scale, digits = (1, 2) if solo else (100, 1)
    uncertain = f" ± {decimal(scale * error, digits)}" if error else ""
    return f"{signed(-scale * number, digits)}{uncertain}"


def option_text(option: str) -> str:
    """An option in notation, or in words if nothing is marked or cards are taken."""
    if option.startswith(HIDDEN):
        return t("terminal.takes-cards", numbers=format_list(map(str, numbers_of(option))))
    cards, equals, marks = option.rpartition(" = ")
    return cards + equals + {"-": t("mark.none"), "x": t("mark.misthrow")}.get(marks, marks)


def chance_text(what: str) -> str:
    """A roll, a display of cards or an announced number in words."""
    if what.endswith(":"):
        return t("log.number", number=what[:-1])
    if "-" not in what:
        return t("review.display", cards=what.replace(HIDDEN, "").replace("'", "").replace(" ", ", "))
    (first, second), faces = read_dice(what)
    coloured = ", ".join(f"{t(f'colour.{row}')} {face}" for row, face in faces.items())
    return t("log.dice", a=first, b=second, coloured=coloured)


# A game


def describe_decisions(players: Sequence[str], turn: Turn | CardTurn, phase: str) -> list[str]:
    """The revealed decisions of one action of a turn, as sentences."""
    name = players[turn.active]
    if phase == "white":
        marks = ", ".join(f"{player} {mark}" for player, mark in zip(players, turn.white or (), strict=True))
        if isinstance(turn, Turn):
            return [t("terminal.decided-all", marks=marks)]
        return [t("terminal.announced-all", number=turn.number, marks=marks)]
    if isinstance(turn, Turn):
        mark = turn.colour or ""
        return [t("terminal.decided-active", name=name, mark=t("terminal.x") if mark == "x" else mark)]
    if phase == "take":
        taken = format_list(map(str, numbers_of(turn.taken or "")))
        renewed = [t("terminal.renewed")] if turn.renewed else []
        return [*renewed, t("terminal.taken", name=name, numbers=taken, number=turn.number)]
    cards, _, marks = (turn.played or "").partition(" = ")
    marked = {"-": t("mark.none"), "x": t("terminal.x")}.get(marks, marks)
    return [t("terminal.played", name=name, cards=cards, marks=marked)]


def game_status(game: Game) -> str:
    """A text that says why a game is over, or what happens next."""
    active = game.players[game.active]
    if game.reason == "misthrows":
        return t("terminal.over-misthrows", name=active)
    if game.reason == "rows" and not game.variant.cards:
        return n("terminal.over-rows", len(game.closed), rows=format_list(game.closed))
    if game.reason == "rows":
        enders = [(name, sheet) for name, sheet in zip(game.players, game.sheets, strict=True) if sheet.ends_game]
        closed = (
            n("terminal.has-closed", len(sheet.locks), name=name, rows=format_list(sheet.locks))
            for name, sheet in enders
        )
        return t("terminal.over-own-rows", closed=format_list(closed))
    if game.phase == "white" and (cards := game.view().cards):
        return t("terminal.open-announced", turn=game.turn, number=cards.top, name=active)
    return t(f"terminal.open-{game.phase}", turn=game.turn, dice=game.dice, name=active)


def winners_text(game: Game | ScoreSheets) -> str:
    """A text that says who won, or who leads before the end."""
    names = [game.players[player] for player in game.leaders]
    if len(game.players) == 1:
        return t("terminal.solo-points", name=names[0], points=n("terminal.points", max(game.scores)))
    message = "terminal.winners" if game.over else "terminal.leaders"
    return n(message, len(names), names=format_list(names), points=n("terminal.points", max(game.scores)))


def score_columns(variant: Variant, sheets: Sequence[Sheet]) -> list[tuple[str, list[int]]]:
    """The columns of the score table, as headings with the points of each sheet; the last column is the total."""
    names = [name for name in sheets[0].points if name != "bonus" or variant.effects & BONUS_EFFECTS]
    texts = {name: t(f"end.column.{name}") for name in names if name not in ROW_NAMES}
    if variant.effects & BONUS_EFFECTS == {"steps"}:
        texts["bonus"] = t("rules.steps")
    headings = [texts.get(name, name) for name in names]
    columns = [(text, [sheet.points[name] for sheet in sheets]) for text, name in zip(headings, names, strict=True)]
    return [*columns, (t("sheet.total"), [sheet.total for sheet in sheets])]
