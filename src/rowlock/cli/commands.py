"""The subcommands of `rowlock`, and the command without a subcommand.

To add a subcommand, write a function with Typer's annotations in a new module and add it to `COMMANDS`. Import slow
modules inside the function, so that other commands start quickly.
"""

import os
import re
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup
from typer.exceptions import TyperException

from rowlock import __version__
from rowlock.cli import (
    admin,
    arena,
    bots,
    browser,
    db,
    export,
    games,
    hint,
    join,
    play,
    printing,
    replay,
    review,
    serve,
    show,
    site,
    solve,
    stats,
    tournament,
    train,
    variants,
    verify,
    warm,
)
from rowlock.locale import detect_language, set_language
from rowlock.rules.error_text import did_you_mean
from rowlock.rules.variant import game_names
from rowlock.terminal.errors import as_command_error

COMMANDS = (
    play.play,
    variants.variants,
    show.show,
    printing.print,
    replay.replay,
    review.review,
    hint.hint,
    verify.verify,
    games.games,
    stats.stats,
    export.export,
    bots.bots,
    arena.arena,
    tournament.tournament,
    serve.serve,
    site.site,
    join.join,
    solve.solve,
    train.train,
)


class Group(TyperGroup):
    """Suggests the most similar command after a wrong name, or `play` with the most similar variant."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except TyperException as error:
            play_suggestion = did_you_mean(args[0], game_names()).replace("mean ", "mean rowlock play ")
            error.message = error.message.rstrip(".") + (did_you_mean(args[0], self.commands) or play_suggestion)
            raise


class Command(TyperCommand):
    """A command whose help does not show Python types, and shows ranges as `1 to 5` instead of `1<=x<=5`."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        for title, kind in (("Arguments", "argument"), ("Options", "option")):
            records = [option.get_help_record(ctx) for option in self.get_params(ctx) if option.param_type_name == kind]
            if records:
                with formatter.section(title):
                    formatter.write_dl([_plain_help(*record) for record in records if record])


def _plain_help(names: str, text: str) -> tuple[str, str]:
    text = re.sub(r"(\d+)<=x<=\d{10,}", r"\1 or more", text)  # limits such as MAX_SEED say nothing to a user
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
db_app = typer.Typer(rich_markup_mode=None)
for db_command in db.COMMANDS:
    db_app.command(cls=Command)(db_command)


@db_app.callback()
def _db() -> None:
    """Look after the database of a server."""


app.add_typer(db_app, name="db")
admin_app = typer.Typer(rich_markup_mode=None)
for admin_command in admin.COMMANDS:
    admin_app.command(cls=Command)(admin_command)


@admin_app.callback()
def _admin() -> None:
    """Look after a server that runs on this machine."""


app.add_typer(admin_app, name="admin")


def _print_version(requested: bool) -> None:
    if requested:
        typer.echo(f"rowlock {__version__}")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def rowlock(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version and exit.")
    ] = False,
    open_browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the browser.")] = True,
    local: Annotated[
        bool, typer.Option("--local", help="Accept only this machine, not others on its networks.")
    ] = False,
    language: Annotated[
        str | None, typer.Option(metavar="en|de|nl", help="The language; by default that of the environment.")
    ] = None,
) -> None:
    """Play the Qwixx family of dice and card games, run matches between bots, solve games and train networks.

    Examples:

    \b
    rowlock                    play in the browser, with friends on their phones
    rowlock --local            play in the browser, for this machine only
    rowlock play               play against a bot in this terminal
    rowlock variants           list the variants
    rowlock show longo         show the sheet and the rules of a variant
    rowlock print longo --out longo.pdf    print sheets for a game with real dice
    rowlock replay game.rlk    check the record of a game and print its outcome
    rowlock review game.rlk    tell what every decision cost, and what was luck
    rowlock hint game.rlk      list the options of a game that waits, best first
    rowlock stats games/       statistics of many games
    rowlock arena greedy rush  play a match between bots
    """
    with as_command_error(ValueError):
        set_language(language or detect_language(os.environ))
    if context.invoked_subcommand is None:
        raise typer.Exit(browser.play_in_browser(open_browser, local))
