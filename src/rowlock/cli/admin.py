"""`rowlock admin`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from rowlock.terminal.errors import CommandError, as_command_error

Database = Annotated[
    str | None, typer.Option(metavar="URL", help="The database of the server, by default that of rowlock serve.")
]
Socket = Annotated[
    Path | None, typer.Option(metavar="FILE", help="The socket of the server, by default the one beside its database.")
]
Codes = Annotated[list[str], typer.Argument(metavar="CODE", help="The code of a table.")]


def tables(
    state: Annotated[
        str | None, typer.Option(metavar="waiting|running|over", help="Only tables in this state.")
    ] = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, with times in milliseconds since 1970.")] = False,
    database: Database = None,
    socket: Socket = None,
) -> int:
    """List the tables of a server, the last used first.

    \b
    rowlock admin tables
    rowlock admin tables --state running --json
    """
    if state not in (None, "waiting", "running", "over"):
        raise CommandError(f"--state must be waiting, running or over, not {state!r}")
    found = [one for one in _ask("tables", database, socket) if state in (None, one["state"])]
    if json:
        import msgspec

        typer.echo(msgspec.json.encode(found))
        return 0
    from datetime import UTC, datetime

    for one in found:
        last = datetime.fromtimestamp(one["last_at"] / 1000, UTC)
        counts = f"{one['events']:5} events  {one['connections']:3} connected"
        typer.echo(f"{one['table']}  {one['state']:7}  {counts}  {last:%Y-%m-%d %H:%M} UTC")
    return 0


def close(codes: Codes, database: Database = None, socket: Socket = None) -> int:
    """Close tables to spectators and people without a seat.

    Their hosts can do the same. People who have a seat play on.

    \b
    rowlock admin close ABC234
    """
    for code in _ask("close", database, socket, tables=codes):
        typer.echo(f"{code} closed")
    return 0


def open(codes: Codes, database: Database = None, socket: Socket = None) -> int:
    """Open tables that were closed.

    \b
    rowlock admin open ABC234
    """
    for code in _ask("open", database, socket, tables=codes):
        typer.echo(f"{code} opened")
    return 0


def delete(codes: Codes, database: Database = None, socket: Socket = None) -> int:
    """Delete tables for good, also while people play.

    \b
    rowlock admin delete ABC234 XYZ789
    """
    for code in _ask("delete", database, socket, tables=codes):
        typer.echo(f"{code} deleted")
    return 0


def forget(
    code: Annotated[str, typer.Argument(metavar="CODE", help="The code of a table.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of the person.")],
    database: Database = None,
    socket: Socket = None,
) -> int:
    """Erase the name of a person at a table.

    People can do this themselves in the settings of the browser, with the device on which they played.

    \b
    rowlock admin forget ABC234 Anna
    """
    _ask("forget", database, socket, tables=[code], name=name)
    typer.echo(f"{name} forgotten at {code}")
    return 0


def limits(
    changes: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE", help="A limit to change.")] = None,
    database: Database = None,
    socket: Socket = None,
) -> int:
    """Show the limits of a running server, or change some.

    Changes hold until the server is started again.

    \b
    rowlock admin limits
    rowlock admin limits tables_per_hour=10 max_tables=5000
    """
    pairs = [change.partition("=") for change in changes or []]
    if wrong := [name for name, equals, _ in pairs if not equals]:
        raise CommandError(f"{wrong[0]!r} must be NAME=VALUE")
    shown = _ask("limits", database, socket, settings={name: value for name, _, value in pairs})
    for name, value in shown.items():
        typer.echo(f"{name}={value:.15g}")
    return 0


def drain(
    minutes: Annotated[
        float | None, typer.Option(metavar="N", help="Stop after this time at the latest; 0 or more.")
    ] = None,
    database: Database = None,
    socket: Socket = None,
) -> int:
    """Let a server stop as soon as nobody plays.

    It opens no new tables, and games that run go on. The signal SIGUSR1 does the same. The time is by default
    the setting drain_minutes, an hour.

    \b
    rowlock admin drain --minutes 30
    """
    if minutes is not None and not minutes >= 0:
        raise CommandError(f"--minutes must be 0 or more, not {minutes:g}")
    games = len(_ask("drain", database, socket, minutes=minutes))
    typer.echo(f"no new tables; {games} game{'' if games == 1 else 's'} left")
    return 0


COMMANDS = (tables, close, open, delete, forget, limits, drain)


def _ask(command: str, database: str | None, path: Path | None, **values: Any) -> Any:
    from rowlock.server.admin import AdminError, Request, ask
    from rowlock.server.settings import SettingError, read_settings

    with as_command_error(SettingError, AdminError):
        settings = read_settings(given=[("database", database)] if database else [])
        return ask(path or settings.admin_path, Request(command, **values))
