"""The terminal as a game's screen: drawn with Rich, read line by line."""

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.rule import Rule
from rich.text import Text

from rowlock.locale import t
from rowlock.rules.game import Game, View
from rowlock.terminal import draw, words
from rowlock.terminal.failure import one_line
from rowlock.terminal.play import numbered

AROUND_THE_SHEETS = 4  # the turn's line, what was said, the options and the prompt
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
        self.console, self.look = console, draw.Look.of(console)

    def rolled(self, view: View) -> None:
        title = Text(t("terminal.turn", turn=view.turn, name=view.players[view.active]), "bold")
        self.console.print(Rule(title, align="left", characters=self.look.sign("─-"), style="dim"))
        self.console.print(draw.dice(view, self.look, tall=self._fits(view, TALL_DICE)))

    def position(self, view: View, menu: Sequence[str]) -> None:
        if view.phase == "colour":
            self.console.print(draw.dice(view, self.look, tall=False))
        self._print_sheets(view, brief=view.phase == "colour" or not self._fits(view, 1))
        line = Text(t(f"terminal.{view.phase}-action", sum=sum(words.white_dice(view))), "bold")
        for number, option in numbered(menu):
            line.append("   ")
            line.append(str(number), "bold cyan" if self.look.colour else "bold")
            note = {"-": f" {t('mark.none')}", "x": f" {t('mark.misthrow')}"}.get(option, "")
            line.append(f" {option}{note}")
        line.append(f"   {t('terminal.help-key')}", "dim")
        self.console.print(line)

    def sheets(self, view: View) -> None:
        self._print_sheets(view, brief=False)

    def scores(self, game: Game) -> None:
        self._print_sheets(game.view(), brief=False)
        self.console.print()
        self.console.print(draw.scores(game.players, game.sheets, self.look))

    def say(self, text: str, *, unbroken: bool = False) -> None:
        line = Text(text)
        if self.look.colour:
            for name, (_, ground, _) in draw.PAINT.items():
                line.highlight_regex(rf"\b{name}[0-9]+#?", f"bold {ground}")
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
        elif secret and self.console.is_terminal and not self.console.is_dumb_terminal:
            self.console.file.write("\x1b[1A\x1b[2K")
        return typed

    def _print_sheets(self, view: View, *, brief: bool) -> None:
        sheets = draw.sheets_of(view, self.look, self.console.width, brief=brief)
        self.console.print(sheets, crop=False)

    def _fits(self, view: View, dice: int) -> bool:
        """Whether all sheets in full find room below the dice."""
        sheets = draw.sheets_of(view, self.look, self.console.width, brief=False)
        lines = len(self.console.render_lines(sheets))
        return dice + lines + AROUND_THE_SHEETS <= self.console.height
