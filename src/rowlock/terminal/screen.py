"""The terminal as a game's screen: drawn with Rich, read line by line."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from rowlock.locale import n, t
from rowlock.rules.game import Game, View
from rowlock.terminal import draw, words
from rowlock.terminal.errors import one_line
from rowlock.terminal.menu import hand_cards, is_choice_of_cards, marks_nothing, numbered

AROUND_THE_SHEETS = 4  # the turn's line, what was said, the options and the prompt
AROUND_THE_HAND = 2  # the hand itself, and plays take two lines
TALL_DICE = 3


def make_console() -> Console:
    """A console that takes every text as it stands."""
    for stream in (sys.stdout, sys.stdin):
        # A name that the terminal's encoding lacks must not stop a game.
        if reconfigure := getattr(stream, "reconfigure", None):
            reconfigure(errors="replace")
    return Console(markup=False, emoji=False, highlight=False)


class TerminalScreen:
    """A screen that scrolls: nothing is wiped, so that what happened can be read again."""

    def __init__(self, console: Console) -> None:
        self.console = console

    @property
    def look(self) -> draw.Look:
        """What the terminal can show now: its size may change."""
        return draw.Look.of(self.console)

    def rolled(self, view: View) -> None:
        self._print_title(view)
        if view.dice:
            self.console.print(draw.dice(view, self.look, tall=self._fits(view, TALL_DICE)))

    def _print_title(self, view: View) -> None:
        title = Text(t("terminal.turn", turn=view.turn, name=view.players[view.active]), "bold")
        self.console.print(Rule(title, align="left", characters=self.look.sign("─-"), style="dim"))

    def position(self, view: View, menu: Sequence[str]) -> None:
        if view.cards:
            table = draw.cards_on_table(view, self.look)
            self.console.print(table, crop=False)
            above = len(self.console.render_lines(table)) + AROUND_THE_HAND
            self._print_sheets(view, brief=not self._fits(view, above))
            self.console.print(draw.hand(view, self.look), crop=False)
        else:
            if view.phase == "colour":
                self.console.print(draw.dice(view, self.look, tall=False))
            self._print_sheets(view, brief=view.phase == "colour" or not self._fits(view, 1))
        self.options(view, menu)

    def options(self, view: View, menu: Sequence[str]) -> None:
        parts = [Text(_question(view, menu), "bold")]
        for number, option in numbered(menu):
            marks = option.rpartition(" = ")[2]
            note = {"-": f" {t('mark.none')}", "x": f" {t('mark.misthrow')}"}.get(marks, "")
            text = option if is_choice_of_cards(menu) else marks
            parts.append(Text.assemble((str(number), "bold cyan" if self.look.colour else "bold"), f" {text}{note}"))
        parts.append(Text(t("terminal.help-key"), "dim"))
        for line in draw.folded(parts, self.console.width):
            self.console.print(line)

    @contextmanager
    def alone(self, view: View) -> Iterator[None]:
        hides = self._hides and self.console.set_alt_screen(True)
        try:
            if hides:
                self._print_title(view)
            yield
        finally:
            if hides:
                self.console.set_alt_screen(False)

    @property
    def _hides(self) -> bool:
        """Whether somebody sits at a terminal that can take back what it shows."""
        return (
            sys.stdin is not None
            and sys.stdin.isatty()
            and self.console.is_terminal
            and not self.console.is_dumb_terminal
        )

    def sheets(self, view: View) -> None:
        self._print_sheets(view, brief=False)
        if view.cards:
            self.console.print(draw.cards_on_table(view, self.look), crop=False)
        if view.cards and view.seat is not None:
            self.console.print(draw.hand(view, self.look), crop=False)

    def scores(self, game: Game) -> None:
        self._print_sheets(game.view(), brief=False)
        self.console.print()
        self.console.print(draw.scores(game.players, game.sheets, self.look))

    def say(self, text: str, *, unbroken: bool = False) -> None:
        line = Text(text)
        if self.look.colour:
            for name, (_, ground, _) in draw.PAINT.items():
                line.highlight_regex(rf"\b[{name}{name.lower()}][0-9]+#?", f"bold {ground}")
        self.console.print(line, soft_wrap=unbroken or not self.console.is_terminal)

    def prompt(self, text: str) -> None:
        """Begin the line on which something is typed; somebody else reads it."""
        self.console.file.write(text)
        self.console.file.flush()

    def ask(self, prompt: str, *, secret: bool) -> str:
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
        elif secret and self._hides:
            self.console.file.write("\x1b[1A\x1b[2K")
        return typed

    def _print_sheets(self, view: View, *, brief: bool) -> None:
        sheets = draw.sheets_of(view, self.look, brief=brief)
        self.console.print(sheets, crop=False)

    def _fits(self, view: View, above: int) -> bool:
        """Whether all sheets in full find room below the dice or cards."""
        sheets = draw.sheets_of(view, self.look, brief=False)
        lines = len(self.console.render_lines(sheets))
        return above + lines + AROUND_THE_SHEETS <= self.console.height


def _question(view: View, menu: Sequence[str]) -> str:
    """What is to be decided."""
    if view.phase == "take":
        numbers = words.numbers_of(menu[0])
        return n("terminal.take-action", len(numbers), example=",".join(map(str, numbers)))
    if view.phase == "play" and not is_choice_of_cards(menu):
        return t("terminal.mark-action", cards=",".join(hand_cards(menu[0])))
    if view.phase == "play":
        due = menu[0].endswith("x")
        none = "terminal.play-nothing" if marks_nothing(menu) else "terminal.play-due"
        return t(none if due else "terminal.play-action")
    if view.cards:
        return t("terminal.announced-action", number=view.cards.top)
    return t(f"terminal.{view.phase}-action", sum=sum(words.white_dice(view)))
