"""`rowlock serve`."""

from typing import Annotated

import typer

from rowlock.terminal.errors import failures


def serve(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="Where to listen; 0.0.0.0 lets others in.")
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="N", help="The port to listen at; 0 takes a free one.")] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="Where tables are kept: sqlite:///FILE or postgresql://HOST/NAME.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The address people use, behind a reverse proxy.")
    ] = None,
    sync: Annotated[
        str | None, typer.Option(metavar="normal|full", help="normal survives kill -9, full also a power cut.")
    ] = None,
    setting: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Any other setting; repeatable.")
    ] = None,
) -> int:
    """Serve tables to browsers, terminals and bots.

    Settings can also stand in the environment: ROWLOCK_PORT=80. The documentation lists them all.

    \b
    rowlock serve
    rowlock serve --host 0.0.0.0 --port 80
    rowlock serve --database postgresql://user@host/rowlock --setting keep_days=30
    """
    from rowlock.server.run import ServeError
    from rowlock.server.run import serve as run
    from rowlock.server.settings import SettingError, read_settings

    named = {"host": host, "port": port, "database": database, "base_url": base_url, "sync": sync}
    given = [(name, value) for name, value in named.items() if value is not None]
    given += [(name, value) for name, _, value in (one.partition("=") for one in setting or [])]
    with failures(SettingError, ServeError):
        settings = read_settings(given=given)
        known = f", known as {settings.base_url}" if settings.base_url else ""
        return run(settings, ready=lambda address: typer.echo(f"rowlock serves at {address}{known}"))
