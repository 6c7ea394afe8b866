"""The game in words, all of them taken from a variant's data or a game's state."""

import re
from collections.abc import Sequence
from itertools import groupby, pairwise

from rowlock.locale import listed, n, own, t
from rowlock.rules import kernel
from rowlock.rules.card_game import CardTurn
from rowlock.rules.cards import HIDDEN
from rowlock.rules.game import Game, Turn, View
from rowlock.rules.option import read_option
from rowlock.rules.sheet import Sheet
from rowlock.rules.variant import ROW_NAMES, Cards, Pair, Setup, Variant

# A variant


def name_of(setup: Setup) -> str:
    name = own(setup.variant.name)
    return t("games.with-jokers", game=name) if setup.jokers else name


def rules_of(setup: Setup) -> list[tuple[str, str]]:
    """What is to be known about a game: headings and sentences."""
    variant = setup.variant
    close = n("rules.close-needs" if variant.needed else "rules.close-any", variant.closing, needed=variant.needed)
    cards = variant.cards
    if cards:
        found = [
            ("rules.cards", _cards(cards, setup.jokers)),
            ("rules.turn", _card_turn(variant)),
            ("rules.gap", [gap_of(cards)]),
        ]
        found.append(("rules.jokers", [t("rules.cards-jokers")]))
    else:
        found = [("rules.dice", [_dice(variant)])]
    found.append(("rules.order", [t("rules.order-text"), *_jumbled(variant)]))
    found.append(("rules.close", [close, t("rules.close-then-own" if cards else "rules.close-then")]))
    if is_mixed(variant):
        found.append(("rules.mixed", [t("rules.mixed-cards" if cards else "rules.mixed-text")]))
    if variant.lucky:
        pairs = ", ".join(f"{low}/{high}" for low, high in variant.lucky)
        found.append(("rules.lucky", [t("rules.lucky-text"), t("rules.lucky-pairs", pairs=pairs)]))
    if variant.bar:
        boxes = listed(variant.bar_boxes)
        found.append(("rules.bar", [t("rules.bar-text"), t("rules.bar-boxes", boxes=boxes)]))
    if variant.pairs:
        found.append(("rules.pairs", [t("rules.pairs-text"), *map(_pair, variant.pairs)]))
    if variant.fields:
        found.append(("rules.fields", [t("rules.fields-text")]))
    end = "rules.end-own" if cards else "rules.end-text"
    found.append(("rules.end", [t(end, rows=kernel.ROWS_TO_END, misthrows=kernel.MISTHROWS_TO_END)]))
    found.append(("rules.points", [*_cap(variant), t("rules.points-misthrow", cost=kernel.MISTHROW_COST)]))
    return [(t(heading), " ".join(sentences)) for heading, sentences in found]


def is_mixed(variant: Variant) -> bool:
    """Whether cells have colours other than their row's."""
    return any(set(row.colours) != {row.name} for row in variant.rows)


def _dice(variant: Variant) -> str:
    white, *coloured = variant.dice
    colours = [t(f"colour.{name}") for name in ROW_NAMES]
    if set(coloured) == {white}:
        return t("rules.dice-same", colours=listed(colours), faces=white)
    each = [t("rules.die-faces", colour=colour, faces=faces) for colour, faces in zip(colours, coloured, strict=True)]
    return t("rules.dice-each", colours=listed(each), faces=white)


def _cards(cards: Cards, jokers: bool) -> list[str]:
    kinds = [t(f"colour.{name}") for name in ROW_NAMES] + [t("rules.as-joker")] * jokers
    count = cards.numbers * len(kinds)
    said = t("rules.cards-text", count=count, low=cards.lowest, high=cards.highest, colours=listed(kinds))
    return [said, t("rules.cards-dealt")]


def _card_turn(variant: Variant) -> list[str]:
    play = t("rules.turn-play-mixed" if is_mixed(variant) else "rules.turn-play")
    misthrow = t("rules.turn-misthrow", cost=kernel.MISTHROW_COST)
    return [t("rules.turn-take"), t("rules.turn-announce"), play, misthrow, t("rules.turn-pile")]


def gap_of(cards: Cards) -> str:
    """How much may be left out between the marks of one play."""
    return n("rules.turn-gap", cards.gap) if cards.gap < kernel.MAX_CELLS else t("rules.gap-free")


def _jumbled(variant: Variant) -> list[str]:
    """For rows whose numbers neither go up nor down."""
    steps = {after - before for row in variant.rows for before, after in pairwise(row.numbers)}
    return [] if steps <= {1, -1} else [t("rules.order-mixed")]


def _pair(pair: Pair) -> str:
    return n(f"gives.long.{pair.gives}", pair.amount, boxes=listed(pair.boxes))


def _cap(variant: Variant) -> list[str]:
    return [t("rules.points-cap", cap=variant.cap)] if max(variant.most_marks) > variant.cap else []


# A decision


def cells_of(option: str) -> tuple[str, ...]:
    """The cells and bonus fields an option marks of itself: `R12` of `R12#`, `R3` and `R8` of `r3,r8 = R3 R8`."""
    if option.startswith(HIDDEN):
        return ()
    return tuple(mark for part in option.rpartition(" = ")[2].split(" ") for mark in read_option(part).marks[:1])


def numbers_of(taken: str) -> tuple[int, ...]:
    """The numbers of cards that are taken from the display."""
    return tuple(sorted(map(int, re.findall("[0-9]+", taken))))


def help_of(view: View) -> str:
    """What the action at hand is about."""
    action = "announced" if view.cards and view.phase == "white" else view.phase
    said = [t(f"terminal.help-{action}")]
    if action == "play" and view.variant.cards:
        said.append(gap_of(view.variant.cards))
        said += [t("terminal.help-jokers")] if view.jokers else []
    return " ".join(said)


def meaning(view: View, option: str) -> str:
    """What an option does, in words."""
    if view.phase == "take":
        return t("terminal.takes", numbers=listed(map(str, numbers_of(option))))
    marks = option.rpartition(" = ")[2]
    if marks == "-":
        return t("mark.none")
    if marks == "x":
        return t("terminal.costs", cost=kernel.MISTHROW_COST)
    if view.phase == "play":
        return _played(view, marks.split(" "))
    read = read_option(option)
    name, *others = read.marks
    parts = [_how(view, name, lucky=read.lucky), *_skipped(view, name)]
    if others:
        parts.append(t("terminal.sets-off", marks=listed(others)))
    if read.locks:
        parts.append(t("terminal.locks", rows=listed(read.locks)))
    return ", ".join(parts)


def _played(view: View, marks: Sequence[str]) -> str:
    """What marks made with cards do, row by row."""
    parts = []
    for row, made in groupby(marks, key=lambda mark: mark[0]):
        cells = [mark.removesuffix("#") for mark in made]
        passed = _given_up(view, cells)
        parts.append(t("terminal.in-row", number=listed(cell[1:] for cell in cells), row=row))
        parts += [t("terminal.gives-up", numbers=listed(passed))] if passed else []
    locks = [mark[0] for mark in marks if mark.endswith("#")]
    return ", ".join([*parts, *([t("terminal.locks", rows=listed(locks))] if locks else [])])


def _how(view: View, name: str, *, lucky: bool) -> str:
    row, number = view.variant.find_cell(name)
    if lucky:
        return t("terminal.by-luck", row=row.name)
    if row in view.variant.fields:
        where = t("terminal.in-fields", number=number, a=name[0], b=name[1])
        sides = [side for side in row.name if number in _own(view).rows[side]]
    else:
        where = t("terminal.in-row", number=number, row=row.name)
        sides = [row.name]
    return where if view.phase == "white" else f"{where}, {listed(_sums(view, sides, number), 'or')}"


def _sums(view: View, sides: Sequence[str], number: int) -> list[str]:
    """Which dice make the number of a cell in the colour it has in these rows, `white 4 + red 1`."""
    whites, coloured = white_dice(view), coloured_dice(view)
    found = []
    for side in sides:
        beside = view.variant.rows[ROW_NAMES.index(side)]
        colour = beside.colours[beside.numbers.index(number)]
        die = coloured[colour]
        found += [
            t("terminal.with-dice", white=white, colour=t(f"colour.{colour}"), die=die)
            for white in sorted(set(whites))
            if white + (die or 99) == number
        ]
    return found


def _skipped(view: View, name: str) -> list[str]:
    passed = _given_up(view, [name])
    return [t("terminal.gives-up", numbers=listed(passed))] if passed else []


def _given_up(view: View, names: Sequence[str]) -> list[str]:
    """The numbers that marks in one row pass over."""
    row, _ = view.variant.find_cell(names[0])
    marked = [view.variant.find_cell(name)[1] for name in names]
    last = max(map(row.numbers.index, marked))
    states = _own(view).cells[row.name][:last]
    passed = (number for number, state in zip(row.numbers, states, strict=False) if state == "open")
    return [str(number) for number in passed if number not in marked]


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


def decisions(players: Sequence[str], turn: Turn | CardTurn, phase: str) -> list[str]:
    """What everybody knows once an action of a turn is done, in sentences."""
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
        taken = listed(map(str, numbers_of(turn.taken or "")))
        renewed = [t("terminal.renewed")] if turn.renewed else []
        return [*renewed, t("terminal.taken", name=name, numbers=taken, number=turn.number)]
    cards, _, marks = (turn.played or "").partition(" = ")
    told = {"-": t("mark.none"), "x": t("terminal.x")}.get(marks, marks)
    return [t("terminal.played", name=name, cards=cards, marks=told)]


def standing(game: Game) -> str:
    """Why a game is over, or what it waits for."""
    active = game.players[game.active]
    if game.reason == "misthrows":
        return t("terminal.over-misthrows", name=active)
    if game.reason == "rows" and not game.variant.cards:
        return t("terminal.over-rows", rows=listed(game.closed))
    if game.reason == "rows":
        enders = [p for p, sheet in enumerate(game.sheets) if sheet.ends_game]
        closed = (t("terminal.has-closed", name=game.players[p], rows=listed(game.sheets[p].locks)) for p in enders)
        return t("terminal.over-own-rows", closed=listed(closed))
    if game.phase == "white" and (cards := game.view().cards):
        return t("terminal.open-announced", turn=game.turn, number=cards.top, name=active)
    return t(f"terminal.open-{game.phase}", turn=game.turn, dice=game.dice, name=active)


def winners(game: Game) -> str:
    """Who won, or who leads."""
    names = [game.players[player] for player in game.leaders]
    title = "terminal.winners" if game.over else "terminal.leaders"
    return n(title, len(names), names=listed(names), points=n("terminal.points", max(game.scores)))


def score_columns(variant: Variant, sheets: Sequence[Sheet]) -> list[tuple[str, list[int]]]:
    """The score table, column by column: rows, bonuses where there are any, misthrows, total."""
    names = [name for name in sheets[0].points if name != "bonus" or variant.pairs]
    heads = [name if name in ROW_NAMES else t(f"end.column.{name}") for name in names]
    columns = [(head, [sheet.points[name] for sheet in sheets]) for head, name in zip(heads, names, strict=True)]
    return [*columns, (t("sheet.total"), [sheet.total for sheet in sheets])]
