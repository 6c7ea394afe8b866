"""`rowlock serve`."""

from typing import Annotated

import typer

from rowlock.terminal.errors import as_command_error


def serve(
    host: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="The address to listen on; 0.0.0.0 accepts other machines.")
    ] = None,
    port: Annotated[int | None, typer.Option(metavar="N", help="The port to listen on; 0 for any free one.")] = None,
    database: Annotated[
        str | None, typer.Option(metavar="URL", help="The database: sqlite:///FILE or postgresql://HOST/NAME.")
    ] = None,
    base_url: Annotated[
        str | None, typer.Option(metavar="URL", help="The public address, behind a reverse proxy.")
    ] = None,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Processes that serve the address; PostgreSQL if more than one.")
    ] = None,
    sync: Annotated[
        str | None, typer.Option(metavar="normal|full", help="Commits survive kill -9 (normal), or a power cut (full).")
    ] = None,
    variants: Annotated[
        str | None, typer.Option(metavar="DIR", help="A directory with own variants (.toml) that tables can play.")
    ] = None,
    metrics: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="The address of metrics for Prometheus; none by default.")
    ] = None,
    log: Annotated[str | None, typer.Option(metavar="plain|json", help="How the log is written.")] = None,
    setting: Annotated[
        list[str] | None, typer.Option(metavar="NAME=VALUE", help="Any other setting; repeatable.")
    ] = None,
) -> int:
    """Run the server for browsers, terminals and bots.

    Settings can also be environment variables: ROWLOCK_PORT=80. The documentation lists all of them.

    \b
    rowlock serve
    rowlock serve --host 0.0.0.0 --port 80
    rowlock serve --database postgresql://user@host/rowlock --workers 4
    rowlock serve --setting keep_days=30
    """
    from rowlock.server.run import ServeError
    from rowlock.server.run import serve as run
    from rowlock.server.settings import SettingError, read_settings

    options = {
        "host": host,
        "port": port,
        "database": database,
        "base_url": base_url,
        "workers": workers,
        "sync": sync,
        "variants": variants,
        "metrics": metrics,
        "log": log,
    }
    given = [(name, value) for name, value in options.items() if value is not None]
    given += [(name, value) for name, _, value in (pair.partition("=") for pair in setting or [])]
    with as_command_error(SettingError, ServeError):
        settings = read_settings(given=given)
        known = f", known as {settings.base_url}" if settings.base_url else ""
        return run(settings, ready=lambda address: typer.echo(f"rowlock serves at {address}{known}"))
