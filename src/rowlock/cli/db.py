"""`rowlock db`."""

from pathlib import Path
from typing import Annotated

import typer

from rowlock.terminal.errors import CommandError, as_command_error


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="The database, by default that of rowlock serve.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> int:
    """Copy the SQLite database of a server, also while it runs.

    The copy holds all that is stored at that moment. Copying the file itself would leave out what is still in
    the write-ahead log beside it.

    \b
    rowlock db backup tables.db
    rowlock db backup --force --database sqlite:///games.db /mnt/backup/games.db
    """
    from sqlalchemy.engine import make_url

    from rowlock.server.backup import BackupError, back_up
    from rowlock.server.settings import SettingError, read_settings
    from rowlock.terminal.progress import show_progress

    with as_command_error(SettingError, BackupError):
        settings = read_settings(given=[("database", database)] if database else [])
        url = make_url(settings.database_url)
        if url.get_backend_name() != "sqlite" or not url.database:
            raise CommandError("only an SQLite file can be copied; for PostgreSQL use pg_dump")
        with show_progress() as display, display.bar("copying the database") as update:
            back_up(Path(url.database), file, overwrite=force, progress=lambda part: update(completed=part))
    typer.echo(f"{url.database} copied to {file}")
    return 0
