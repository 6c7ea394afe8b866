"""Hints in words: the best options of a player, with their values and with reasons."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rowlock.locale import format_list, n, t
from rowlock.rules.game import Game
from rowlock.rules.notation import read
from rowlock.rules.variant import ROW_NAMES, Variant
from rowlock.terminal import words
from rowlock.terminal.draw import NARROW, Terminal
from rowlock.terminal.errors import CommandError

if TYPE_CHECKING:
    from rowlock.analysis.hint import Hint, Hints

SHOWN = 8  # options in a list of hints; card games have up to 520
WITH_ROW = ("locks", "lock-near", "lock-open")  # consequences whose first value is a row


def read_decision(file: str, variants: Sequence[Variant]) -> Game:
    """The last game of a record file, which must wait for decisions."""
    try:
        games = list(read(Path(file) if file != "-" else sys.stdin.buffer, variants=variants))
    except OSError as error:
        raise CommandError(f"{file}: cannot be read: {error.strerror}") from None
    if not games:
        raise CommandError(f"{file}: the file contains no game")
    game = games[-1]
    if game.over:
        raise CommandError(f"{file}: the game is over")
    if game.phase == "deal":
        game.deal()  # nothing is left to chance: the record has the deck
    if not game.to_act:
        after = "the white mark" if len(game.players) == 1 else "the white marks"
        chance = "the cards" if game.variant.cards else f"the dice; end its record after the dice or after {after}"
        raise CommandError(f"{file}: the game waits for {chance}")
    return game


def reason(name: str, first: int, second: int) -> str:
    """A consequence of an option in words."""
    if name in WITH_ROW:
        return n(f"consequence.{name}", second, row=ROW_NAMES[first])
    if name == "open":
        numbers = [str(number) for number in range(first.bit_length()) if first >> number & 1]
        return n("consequence.open", second, numbers=format_list(numbers))
    if name == "card-open":
        return n("consequence.card-open", second, number=first)
    return n(f"consequence.{name}", first)


def reasons(options: Sequence[Sequence[tuple[str, int, int]]]) -> list[str]:
    """The consequences of each option in words, without those that all of them have."""
    common = set(options[0]).intersection(*options[1:]) if len(options) > 1 else set()
    return [_in_words([one for one in consequences if one not in common]) for consequences in options]


def reasons_of_hints(options: Sequence[Sequence[tuple[str, int, int]]]) -> list[str]:
    """The reasons for each option; one without any of its own has those that all of them have."""
    return [own or _in_words(consequences) for own, consequences in zip(reasons(options), options, strict=True)]


def _in_words(consequences: Iterable[tuple[str, int, int]]) -> str:
    return "; ".join(reason(*one) for one in consequences)


def hints_shown(game: Game, hints: "Hints", terminal: Terminal, menu: Sequence[tuple[int, str]] = ()) -> RenderableType:
    """The best options of a player, each with its number in the menu if it has one."""
    solo, best = len(game.players) == 1, hints.options[0].option
    title = t("terminal.hint-points" if solo else "terminal.hint-win", name=game.players[hints.player])
    heading = Text(f"{title} ({t(f'terminal.values-{hints.source}')}):", "bold")
    options = _distinct(game, hints.options)
    rows = []
    numbers = {option: str(number) for number, option in menu}
    shown = options if len(options) == SHOWN + 1 else options[:SHOWN]  # no line about a single option
    for hint, why in zip(shown, reasons_of_hints([hint.consequences for hint in shown]), strict=True):
        one = hint.option
        value = words.value(one.value, solo, exact=hints.source == "exact")
        loss = "" if one is best else words.loss(best.value - one.value, one.error, solo)
        rows.append((numbers.get(one.option, ""), value, loss, words.option_text(one.option), why))
    more = len(options) - len(shown)
    rest = [Text(n("terminal.hint-more", more))] if more > 0 else []
    return Group(heading, _narrow(rows) if terminal.width < NARROW else _table(rows), *rest)


def _distinct(game: Game, hints: "Sequence[Hint]") -> "list[Hint]":
    """The options without those that take cards with the same numbers as a better one."""
    if game.phase != "take":
        return list(hints)
    return list({words.numbers_of(hint.option.option): hint for hint in reversed(hints)}.values())[::-1]


def _table(rows: Sequence[tuple[str, ...]]) -> RenderableType:
    table = Table.grid(padding=(0, 1))
    for justify in ("right", "right", "right", "left"):
        table.add_column(justify=justify, no_wrap=True)
    table.add_column()
    for number, value, loss, option, text in rows:
        table.add_row(Text(number, "bold"), Text(f" {value}"), Text(loss, "dim"), Text(option, "bold"), Text(text))
    return table


def _narrow(rows: Sequence[tuple[str, ...]]) -> RenderableType:
    lines = []
    for number, value, loss, option, text in rows:
        words_shown = [word for word in (number, option, value, loss) if word]
        lines += [Text(" ".join(words_shown), "bold"), *([Text(f"  {text}")] if text else [])]
    return Group(*lines)
