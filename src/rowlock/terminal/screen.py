"""The screen of a game in a terminal: draws with Rich and reads lines."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from rowlock.locale import n, t
from rowlock.rules.game import Game, View
from rowlock.terminal import draw, words
from rowlock.terminal.errors import one_line
from rowlock.terminal.hint import hints_shown
from rowlock.terminal.menu import hand_cards, is_choice_of_cards, marks_nothing, numbered

if TYPE_CHECKING:
    from rowlock.analysis.hint import Hints

OTHER_LINES = 4  # lines for the turn's title, messages, the options and the prompt
HAND_LINES = 2  # lines for the hand, and for more options of a play
TALL_DICE_LINES = 3


def make_console() -> Console:
    """A console that prints text unchanged, without markup."""
    for stream in (sys.stdout, sys.stdin):
        # A name that the terminal cannot encode must not stop a game.
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    return Console(markup=False, emoji=False, highlight=False)


class TerminalScreen:
    """A scrolling screen: nothing is cleared, so earlier output can be read again."""

    def __init__(self, console: Console, *, hints: bool = False) -> None:
        """`hints` says whether a question mark shows hints; otherwise it shows the help."""
        self.console, self._hints = console, hints

    @property
    def terminal(self) -> draw.Terminal:
        """What the terminal can show, computed at every call because its size may change."""
        return draw.Terminal.of(self.console)

    def show_turn(self, view: View) -> None:
        self._print_title(view)
        if view.dice:
            self.console.print(draw.dice(view, self.terminal, tall=self._fits(view, TALL_DICE_LINES)))

    def _print_title(self, view: View) -> None:
        title = Text(t("terminal.turn", turn=view.turn, name=view.players[view.active]), "bold")
        self.console.print(Rule(title, align="left", characters=self.terminal.symbol("─-"), style="dim"))

    def show_position(self, view: View, menu: Sequence[str]) -> None:
        if view.cards:
            cards = draw.cards_on_table(view, self.terminal)
            self.console.print(cards, crop=False)
            card_lines = len(self.console.render_lines(cards)) + HAND_LINES
            self._print_sheets(view, brief=not self._fits(view, card_lines))
            self.console.print(draw.hand(view, self.terminal), crop=False)
        else:
            if view.phase == "colour":
                self.console.print(draw.dice(view, self.terminal, tall=False))
            dice_lines = 1  # `show_turn` has printed the dice, in one line if there is little space
            self._print_sheets(view, brief=view.phase == "colour" or not self._fits(view, dice_lines))
        self.show_options(view, menu)

    def show_options(self, view: View, menu: Sequence[str]) -> None:
        style = "bold cyan" if self.terminal.colour else "bold"
        parts = [Text(_prompt_text(view, menu), "bold")]
        for number, option in numbered(menu):
            marks = option.rpartition(" = ")[2]
            note = {"-": f" {t('mark.none')}", "x": f" {t('mark.misthrow')}"}.get(marks, "")
            text = option if is_choice_of_cards(menu) else marks
            parts.append(Text.assemble((str(number), style), f" {text}{note}"))
        parts.append(Text(t("terminal.hint-keys" if self._hints else "terminal.help-key"), "dim"))
        for line in draw.wrap_parts(parts, self.console.width):
            self.console.print(line)

    def show_hints(self, game: Game, hints: "Hints", menu: Sequence[str] = ()) -> None:
        numbers = numbered(menu) if menu else []
        self.console.print(hints_shown(game, hints, self.terminal, numbers), soft_wrap=not self.console.is_terminal)

    @contextmanager
    def private(self, view: View) -> Iterator[None]:
        on_other_screen = self._can_hide and self.console.set_alt_screen(True)
        try:
            if on_other_screen:
                self._print_title(view)
            yield
        finally:
            if on_other_screen:
                self.console.set_alt_screen(False)

    @property
    def _can_hide(self) -> bool:
        """Whether input and output are a terminal that can erase lines."""
        return (
            sys.stdin is not None
            and sys.stdin.isatty()
            and self.console.is_terminal
            and not self.console.is_dumb_terminal
        )

    def show_sheets(self, view: View) -> None:
        self._print_sheets(view, brief=False)
        if view.cards:
            self.console.print(draw.cards_on_table(view, self.terminal), crop=False)
        if view.cards and view.seat is not None:
            self.console.print(draw.hand(view, self.terminal), crop=False)

    def show_scores(self, game: Game) -> None:
        self._print_sheets(game.view(), brief=False)
        self.console.print()
        self.console.print(draw.scores(game.players, game.sheets, self.terminal))

    def print_line(self, text: str, *, soft_wrap: bool = False) -> None:
        line = Text(text)
        if self.terminal.colour:
            # Cells (R5, R12#, R5*) and cards (r5) are shown in their colour.
            for name, (_, background, _) in draw.ROW_COLOURS.items():
                line.highlight_regex(rf"\b[{name}{name.lower()}][0-9]+[#*]?", f"bold {background}")
        self.console.print(line, soft_wrap=soft_wrap or not self.console.is_terminal)

    def prompt(self, text: str) -> None:
        """Print a prompt without reading the input."""
        self.console.file.write(text)
        self.console.file.flush()

    def read_line(self, prompt: str, *, secret: bool) -> str:
        self.console.file.flush()
        if sys.stdin is None:
            raise EOFError
        try:
            typed = one_line(input(prompt))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise
        if not sys.stdin.isatty():
            self.console.print(Text(typed), soft_wrap=True)
        elif secret and self._can_hide:
            self.console.file.write("\x1b[1A\x1b[2K")  # go up one line and erase it
        return typed

    def _print_sheets(self, view: View, *, brief: bool) -> None:
        self.console.print(draw.sheets(view, self.terminal, brief=brief), crop=False)

    def _fits(self, view: View, lines_above: int) -> bool:
        """Whether all complete sheets fit on the screen, below so many lines of dice or cards."""
        lines = len(self.console.render_lines(draw.sheets(view, self.terminal, brief=False)))
        return lines_above + lines + OTHER_LINES <= self.console.height


def _prompt_text(view: View, menu: Sequence[str]) -> str:
    """The question before the options."""
    if view.phase == "take":
        numbers = words.numbers_of(menu[0])
        return n("terminal.take-action", len(numbers), example=",".join(map(str, numbers)))
    if view.phase == "play" and not is_choice_of_cards(menu):
        return t("terminal.mark-action", cards=",".join(hand_cards(menu[0])))
    if view.phase == "play":
        if not menu[0].endswith("x"):
            return t("terminal.play-action")
        return t("terminal.play-nothing" if marks_nothing(menu) else "terminal.play-due")
    if view.cards:
        return t("terminal.announced-action", number=view.cards.top)
    return t(f"terminal.{view.phase}-action", sum=sum(words.white_dice(view)))
