"""`rowlock games`."""

import shlex
from pathlib import Path
from typing import Annotated

import typer

from rowlock.cli.options import VariantFiles, read_variants
from rowlock.terminal.errors import CommandError


def games(
    folder: Annotated[
        str | None, typer.Argument(metavar="DIR", help="A folder of records; by default where rowlock play saves.")
    ] = None,
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Only games that can be resumed.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per game, each on a line.")] = False,
    variant_file: VariantFiles = None,
) -> int:
    """List saved games, the newest first.

    An unfinished game comes with the command that resumes it, any other with its file.
    Exit status: 0, 1 if a record has an error, 2 if a file cannot be read.

    \b
    rowlock games
    rowlock games --unfinished
    rowlock games --json records/
    """
    from rowlock.locale import capitalize, t
    from rowlock.rules.game import Game
    from rowlock.rules.notation import outcome
    from rowlock.rules.score_notation import read_records
    from rowlock.rules.score_sheets import ScoreSheets
    from rowlock.terminal import words
    from rowlock.terminal.records import Records, games_only, saved_games
    from rowlock.terminal.replay import json_line

    place = Path(folder) if folder else saved_games()
    if folder and not place.is_dir():
        raise CommandError(f"{folder}: there is no such folder")
    files = sorted(place.rglob("*.rlk"), key=lambda file: (-file.lstat().st_mtime, file))
    records: Records[Game | ScoreSheets] = Records(
        [str(file) for file in files], read_variants(variant_file), read_records, quiet=True
    )
    listed = some_over = False
    for file, number, game in games_only(records):
        some_over |= game.over
        if unfinished and game.over:
            continue
        listed = True
        if as_json:
            where = {"file": file, "number": number, "date": game.tags.get("Date")}
            typer.echo(json_line({**where, **outcome(game)}), nl=False)
            continue
        players = ", ".join(f"{name} {score}" for name, score in zip(game.players, game.scores, strict=True))
        date = game.tags.get("Date", " " * len("2000-01-01"))
        typer.echo(f"{date}  {game.setup}: {players}. {capitalize(words.game_status(game))}.")
        typer.echo(f"            {file if game.over else shlex.join(['rowlock', 'play', file])}")
    if not listed and not as_json:
        typer.echo(t("terminal.all-games-over" if some_over else "terminal.no-saved-game", folder=place))
    return records.status
