"""The subcommands of `rowlock`, and what `rowlock` does without one.

A new subcommand is a function with Typer's annotations in a module of its own, named in `COMMANDS`. What takes long to
import is imported inside the function, so that no command waits for what another one needs.
"""

import os
import re
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from rowlock import __version__
from rowlock.cli import arena, bots, browser, hint, join, play, replay, serve, show, solve, train, variants, warm
from rowlock.locale import language_of, speak
from rowlock.rules.error_text import did_you_mean
from rowlock.rules.variant import game_names
from rowlock.terminal.errors import failures

COMMANDS = (
    play.play,
    variants.variants,
    show.show,
    replay.replay,
    bots.bots,
    arena.arena,
    serve.serve,
    join.join,
    solve.solve,
    hint.hint,
    train.train,
)


class Group(TyperGroup):
    """Suggests the nearest command, or `play` for what looks like the name of a game."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except TyperException as error:
            game = did_you_mean(args[0], game_names()).replace("mean ", "mean rowlock play ")
            error.message = error.message.rstrip(".") + (did_you_mean(args[0], self.commands) or game)
            raise


class Command(TyperCommand):
    """Its help says what values mean, not which types they have in Python."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            records = [one.get_help_record(ctx) for one in self.get_params(ctx) if one.param_type_name == kind]
            if records:
                with formatter.section(title):
                    formatter.write_dl([_plain(*record) for record in records if record])


def _plain(names: str, text: str) -> tuple[str, str]:
    text = re.sub(r"(\d+)<=x<=\d{10,}", r"\1 or more", text)
    return re.sub(" <.*>", "", names), re.sub(r"(\d+)<=x<=(\d+)", r"\1 to \2", text)


app = typer.Typer(
    cls=Group,
    suggest_commands=False,
    add_completion=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in COMMANDS:
    app.command(cls=Command)(command)
app.command(cls=Command, hidden=True)(warm.warm)


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"rowlock {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def rowlock(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    open_browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    language: Annotated[
        str | None, typer.Option(metavar="en|de|nl", help="What games are told in; else what your environment says.")
    ] = None,
) -> None:
    """The Qwixx family of dice and card games: play them, look at their sheets, check and replay game records.

    To begin with:

    \b
    rowlock                    play in the browser, with friends on their phones
    rowlock play               you against a bot, in this terminal
    rowlock variants           which games there are
    rowlock show longo         the sheet of one, and what is special about it
    rowlock replay game.rlk    check a game's record and tell its outcome
    rowlock arena greedy rush  let bots play each other
    """
    with failures(ValueError):
        speak(language or language_of(os.environ))
    if context.invoked_subcommand is None:
        raise typer.Exit(browser.play_in_browser(open_browser))
