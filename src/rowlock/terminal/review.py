"""Reviews in the terminal: a table of the players, the curve of the values, and the most expensive decisions."""

import sys
from collections.abc import Iterator, Sequence
from typing import Any

from rich.cells import cell_len
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from rowlock.analysis.review import JudgedDecision, Review, review
from rowlock.analysis.totals import Total, totals
from rowlock.analysis.values import NoValues
from rowlock.locale import n, t
from rowlock.networks.option_values import GRADES
from rowlock.rules.variant import ROW_NAMES, Variant
from rowlock.terminal import words
from rowlock.terminal.draw import Terminal
from rowlock.terminal.errors import WRONG_USAGE, print_error
from rowlock.terminal.hint import reasons
from rowlock.terminal.progress import ProgressDisplay
from rowlock.terminal.records import ReadGame, Records, read_games, record_files
from rowlock.terminal.replay import game_line, json_line
from rowlock.terminal.screen import make_console

BLOCKS, ASCII_BLOCKS = " ▁▂▃▄▅▆▇█", " ..--==##"  # from none to all
CURVE_HEIGHT, CURVE_WIDTH = 5, 72
WORST = 3  # decisions that are shown


def review_files(
    files: Sequence[str], variants: Sequence[Variant], depth: str, display: ProgressDisplay, *, as_json: bool
) -> tuple[list[tuple[ReadGame, Review]], int]:
    """Review the games of the files and print the reviews; return them, and the exit status."""
    records = Records(record_files(files), variants, read_games, quiet=as_json)
    console = make_console()
    reviews: list[tuple[ReadGame, Review]] = []
    unvalued = 0
    for one in records:
        with display.bar(f"{one.file}, {one.number}") as update:
            try:
                found = review(one.game, depth, progress=lambda share: update(completed=share))
            except NoValues as error:
                print_error(f"{one.file}, game {one.number}: {error}")
                unvalued = WRONG_USAGE
                continue
        reviews.append((one, found))
        if as_json:
            sys.stdout.write(json_line(found.as_json()))
            sys.stdout.flush()
        else:
            show_review(console, one, found)
    if len(reviews) > 1 and not as_json:
        show_totals(console, [found for _, found in reviews])
    return reviews, max(records.status, unvalued)


def show_review(console: Console, read: ReadGame, found: Review) -> None:
    """Print the review of a game."""
    terminal, solo = Terminal.of(console), len(found.game.players) == 1
    wrap = not console.is_terminal
    console.print(Text(game_line(read.game, read.file, read.number), "bold"), soft_wrap=wrap)
    console.print(words.winners_text(read.game), soft_wrap=wrap)
    console.print(_columns(*review_columns(found), terminal))
    console.print(without_luck(found), soft_wrap=wrap)
    console.print(curves(found, terminal))
    worst = found.worst(WORST)
    if worst:
        console.print(Text(t("terminal.review-worst"), "bold"))
    elif any(one.decisions for one in found.summary):
        console.print(t("terminal.review-none-worse"))
    for decision in worst:
        for line in decision_lines(found, decision):
            console.print(line, soft_wrap=wrap)
    console.print(Text(values_note(found, solo), "dim"), soft_wrap=wrap)
    console.print()


def values_note(found: Review, solo: bool) -> str:
    """What the values are, and where they come from."""
    meaning = t("terminal.values-points" if solo else "terminal.values-win")
    return f"{meaning}; {t(f'terminal.values-{found.source}')}."


# The players


def review_columns(found: Review) -> tuple[list[str], list[list[str]]]:
    """The headings and a row per player."""
    solo, game = len(found.game.players) == 1, found.game
    headings = ["", t("terminal.unit-points"), *_headings(solo)]
    rows = []
    for player, total in enumerate(_players(found)):
        rows.append([game.players[player], str(game.scores[player]), *_cells(total, solo)])
    return headings, rows


def _players(found: Review) -> Iterator[Total]:
    """Every player's game as a total of one game."""
    for name, summary in zip(found.game.players, found.summary, strict=True):
        total = Total(name, len(found.game.players) == 1)
        total.add(summary, len(found.game.players), finished=found.game.over)
        yield total


def without_luck(found: Review) -> str:
    """The result of each player less the luck."""
    solo = len(found.game.players) == 1
    results = [words.value(one.result - one.luck, solo) for one in found.summary]
    if solo:
        results = [f"{results[0]} {t('terminal.unit-points')}"]
    else:
        results = [f"{name} {result}" for name, result in zip(found.game.players, results, strict=True)]
    text = t("terminal.review-without-luck", results=", ".join(results))
    outside = not solo and any(not 0 <= round(one.result - one.luck, 3) <= 1 for one in found.summary)
    return f"{text}. {t('terminal.review-range')}" if outside else text


def _headings(solo: bool) -> list[str]:
    unit = t("terminal.unit-points") if solo else "%"
    columns = [t(f"terminal.review-{name}", unit=unit) for name in ("luck", "decisions", "loss")]
    return [*columns, *(t(f"grade.{grade}") for grade in GRADES[1:]), t("terminal.review-rating")]


def _cells(total: Total, solo: bool) -> list[str]:
    luck = words.signed(total.mean_luck if solo else 100 * total.mean_luck, 1)
    loss = "" if total.mean_loss is None else words.decimal(total.mean_loss if solo else 100 * total.mean_loss, 2)
    rating = t(f"rating.{total.rating}") if total.rating else ""
    return [luck, str(total.decisions), loss, *map(str, total.grades.values()), rating]


def total_columns(found: Sequence[Total], players: int) -> tuple[list[str], list[list[str]]]:
    """The headings and a row per player, of totals of one variant and number of players."""
    solo, all_in_all = players == 1, len(found) == players  # everybody has played all games, which the title counts
    result = t("terminal.review-mean" if solo else "terminal.review-wins")
    rows = []
    for one in found:
        result_shown = one.result / one.finished if solo and one.finished else one.result
        score = "" if not one.finished else words.decimal(result_shown, 0 if not solo and one.result % 1 == 0 else 1)
        rows.append([one.name, *([] if all_in_all else [str(one.games)]), score, *_cells(one, solo)])
    return ["", *([] if all_in_all else [t("terminal.review-games")]), result, *_headings(solo)], rows


def unfinished_text(reviews: Sequence[Review]) -> str:
    """A sentence about the games that are not finished, if there are any."""
    unfinished = sum(not one.game.over for one in reviews)
    return n("terminal.review-unfinished", unfinished) if unfinished else ""


def show_totals(console: Console, reviews: Sequence[Review]) -> None:
    """Print what several reviews add up to, per player."""
    console.print(Text(n("terminal.review-total", len(reviews)), "bold"))
    for (variant, players), group in totals(reviews).items():
        console.print(group_title(variant, players, reviews))
        console.print(_columns(*total_columns(group, players), Terminal.of(console)))
    for line in filter(None, (t("terminal.review-per-game"), unfinished_text(reviews))):
        console.print(line, soft_wrap=not console.is_terminal)


def group_title(variant: str, players: int, reviews: Sequence[Review]) -> str:
    """What totals are of: the variant, the number of players and how many games."""
    games = sum((str(one.game.setup), len(one.game.players)) == (variant, players) for one in reviews)
    return n("terminal.review-group", players, game=variant, games=n("terminal.review-total", games))


def _columns(headings: Sequence[str], rows: Sequence[Sequence[str]], terminal: Terminal) -> RenderableType:
    """A table, or in a narrow terminal a list for each player."""
    table = Table.grid(padding=(0, 1))
    for index in range(len(headings)):
        table.add_column(justify="right" if 0 < index < len(headings) - 1 else "left", no_wrap=True)
    table.add_row(*(Text(heading, "bold") for heading in headings))
    for row in rows:
        table.add_row(*map(Text, row))
    widths = [max(map(cell_len, column)) + 1 for column in zip(headings, *rows, strict=True)]
    if sum(widths) <= terminal.width:
        return table
    lines = []
    for name, *cells in rows:
        lines.append(Text(name, "bold"))
        lines += [Text(f"  {heading}: {cell}") for heading, cell in zip(headings[1:], cells, strict=True) if cell]
    return Group(*lines)


# The curve


def curves(found: Review, terminal: Terminal) -> RenderableType:
    """The curve of the first player, or a line for each player if there are more than two."""
    if len(found.curve) < 2:
        return Group()
    return Group(*(curve_lines(found, 0, terminal) if len(found.game.players) <= 2 else short_curves(found, terminal)))


def short_curves(found: Review, terminal: Terminal) -> list[Text]:
    """The chance to win of each player during the game, a line for each, and the turns below."""
    names = found.game.players
    indent = min(max(map(cell_len, names)), terminal.width // 3)
    width = max(2, min(CURVE_WIDTH, terminal.width - indent - 1))
    lines = [Text(t("terminal.review-curves"), "bold")]
    for player, name in enumerate(names):
        heights = (round(8 * value[player]) for value in _sampled(found.curve, width))
        text = Text(name)
        text.truncate(indent, overflow="ellipsis" if terminal.unicode else "crop", pad=True)
        lines.append(text.append(" " + "".join((BLOCKS if terminal.unicode else ASCII_BLOCKS)[one] for one in heights)))
    lines.append(_turns(found, indent + 1, width))
    return lines


def _sampled(values: Sequence[Any], width: int) -> list[Any]:
    """As many of the values as a chart has columns."""
    return [values[column * (len(values) - 1) // (width - 1)] for column in range(width)]


def _turns(found: Review, indent: int, width: int) -> Text:
    """The first and the last turn, below a chart."""
    return Text(f"{'':{indent}}1{found.events[-1].turn:>{width - 1}}")


def curve_lines(found: Review, player: int, terminal: Terminal) -> list[Text]:
    """The values of a player during the game, as a chart of blocks with a scale and the turns."""
    solo = len(found.game.players) == 1
    values = [value[player] for value in found.curve]
    low, high = (10 * int(min(values) // 10), 10 * int(max(values) // 10 + 1)) if solo else (0, 1)
    scale = [f"{one:g}" if solo else f"{100 * one:.0f} %" for one in (low, high)]
    indent = max(map(len, scale))
    width = max(2, min(CURVE_WIDTH, terminal.width - indent - 2))
    levels = [round((value - low) / (high - low) * 8 * CURVE_HEIGHT) for value in _sampled(values, width)]
    title = t("terminal.hint-points" if solo else "terminal.hint-win", name=found.game.players[player])
    lines = [Text(title, "bold")]
    for row in reversed(range(CURVE_HEIGHT)):
        label = {CURVE_HEIGHT - 1: scale[1], 0: scale[0]}.get(row, "")
        filled = (min(max(level - 8 * row, 0), 8) for level in levels)
        blocks = "".join(BLOCKS[eighths] if terminal.unicode else " #"[eighths > 3] for eighths in filled)
        lines.append(Text(f"{label:>{indent}} {terminal.symbol('│|')}{blocks.rstrip()}"))
    return [*lines, _turns(found, indent + 2, width)]


# Decisions


def decision_lines(found: Review, decision: JudgedDecision) -> list[str]:
    """What a decision cost, and what was better and why."""
    solo, best = len(found.game.players) == 1, decision.options[0]
    played = next(one for one in decision.options if one.option == decision.played)
    lines = [
        t(
            "terminal.review-decision",
            turn=decision.turn,
            name=found.game.players[decision.player],
            action=t(f"terminal.action-{action_name(found, decision)}"),
            grade=t(f"grade.{decision.grade}"),
            loss=words.loss(decision.loss, decision.error, solo),
        )
    ]
    compared = (("terminal.review-played", played), ("terminal.review-better", best))
    texts = reasons([found.consequences(decision, option) for _, option in compared])
    left = [found.cells_left(decision, option) for _, option in compared]
    differs = any(texts)
    if not differs and len({tuple(cells for _, cells in one) for one in left}) > 1 and all(left):
        differs = True
        texts = ["; ".join(n("terminal.review-left", cells, row=ROW_NAMES[row]) for row, cells in one) for one in left]
    for (message, option), why in zip(compared, texts, strict=True):
        value = words.value(option.value, solo, exact=found.source == "exact")
        text = t(message, option=words.option_text(option.option), value=value)
        lines.append(f"  {text}{f': {why}' if why else ''}")
    return lines if differs else [*lines, f"  {t('terminal.review-no-reason')}"]


def action_name(found: Review, decision: JudgedDecision) -> str:
    """The word for the action of a decision in `terminal.action-` messages."""
    return "announced" if found.game.variant.cards and decision.phase == "white" else decision.phase
