"""`rowlock db`."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer

from rowlock.terminal.errors import BROKEN_RULE, as_command_error

Database = Annotated[str | None, typer.Option(metavar="URL", help="The database, by default that of rowlock serve.")]


def backup(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> int:
    """Copy the database of a server, also while it runs.

    The copy holds all that is stored at that moment. It is an SQLite file, also of a PostgreSQL database.
    Copying an SQLite file itself would leave out what is still in the write-ahead log beside it.

    \b
    rowlock db backup tables.db
    rowlock db backup --force --database sqlite:///games.db /mnt/backup/games.db
    """
    from rowlock.server.backup import back_up
    from rowlock.server.database import DatabaseError
    from rowlock.server.settings import SettingError
    from rowlock.terminal.progress import show_progress

    with as_command_error(SettingError, DatabaseError):
        url = _url(database)
        with show_progress() as display, display.bar("copying the database") as update:
            back_up(url, file, overwrite=force, progress=lambda part: update(completed=part))
    typer.echo(f"{_name(url)} copied to {file}")
    return 0


def restore(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file that rowlock db backup has written.")],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the tables of the database.")] = False,
) -> int:
    """Put a copy in the place of the database of a server.

    Stop the server first. If anything fails, the database stays as it was. An SQLite file that is replaced is
    kept, with .old at the end of its name. A copy of an SQLite database can be restored to PostgreSQL, and back.

    \b
    rowlock db restore tables.db
    rowlock db restore tables.db --force --database postgresql://user@host/rowlock
    """
    from rowlock.server.backup import restore as run
    from rowlock.server.database import DatabaseError
    from rowlock.server.settings import SettingError
    from rowlock.terminal.progress import show_progress

    with as_command_error(SettingError, DatabaseError):
        url = _url(database)
        with show_progress() as display, display.bar("copying the tables") as update:
            kept = run(file, url, overwrite=force, progress=lambda part: update(completed=part))
    typer.echo(f"{file} restored to {_name(url)}")
    if kept:
        typer.echo(f"what was there is kept in {kept}")
    return 0


def check(database: Database = None) -> int:
    """Read every stored event and check that none was changed or lost.

    A server may run meanwhile. The exit status is 1 if something is wrong.

    \b
    rowlock db check
    rowlock db check --database sqlite:///copy.db
    """
    from rowlock.server.database import DatabaseError, run_on
    from rowlock.server.database import check as run
    from rowlock.server.settings import SettingError
    from rowlock.terminal.progress import show_progress

    with as_command_error(SettingError, DatabaseError):
        url = _url(database)
        with show_progress() as display, display.bar("checking the tables") as update:
            found = run_on(url, lambda connection: run(connection, lambda part: update(completed=part)))
    for problem in found.problems:
        typer.echo(problem)
    wrong = len(found.problems)
    result = "nothing is wrong" if not wrong else f"{wrong} problem{'' if wrong == 1 else 's'}"
    typer.echo(f"{_name(url)}: {found.tables} tables, {found.events} events, {result}")
    return BROKEN_RULE if wrong else 0


def stats(
    database: Database = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with times in milliseconds since 1970.")] = False,
) -> int:
    """Count the tables and events of the database of a server.

    \b
    rowlock db stats
    """
    from rowlock.server.database import DatabaseError, run_on
    from rowlock.server.database import stats as run
    from rowlock.server.settings import SettingError

    with as_command_error(SettingError, DatabaseError):
        found = run_on(_url(database), run)
    if json:
        import msgspec

        typer.echo(msgspec.json.encode(found._asdict()))
        return 0
    for state, count in found.tables.items():
        typer.echo(f"{state:12}{count:12,}")
    typer.echo(f"{'events':12}{found.events:12,}")
    typer.echo(f"{'bytes':12}{found.bytes:12,}")
    for name, at in (("first event", found.first_at), ("last event", found.last_at)):
        if at is not None:
            typer.echo(f"{name:12}  {datetime.fromtimestamp(at / 1000, UTC):%Y-%m-%d %H:%M} UTC")
    return 0


COMMANDS = (backup, restore, check, stats)


def _url(database: str | None) -> Any:
    from rowlock.server.settings import read_settings
    from rowlock.server.storage import parse_url

    return parse_url(read_settings(given=[("database", database)] if database else []).database_url)


def _name(url: Any) -> str:
    """The file or the name of a database, without a password."""
    return str(url.database) if url.get_backend_name() == "sqlite" else str(url.render_as_string())
