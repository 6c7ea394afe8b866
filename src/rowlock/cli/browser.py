"""`rowlock` without a subcommand: play in the browser."""

import os
import sys

import typer

from rowlock.terminal.errors import as_command_error


def play_in_browser(browser: bool) -> int:
    """Serve to this machine and the local network, and print the addresses."""
    from dataclasses import replace

    from rowlock.server.run import AlreadyRunning, ServeError, serve
    from rowlock.server.settings import SettingError, read_settings
    from rowlock.terminal.welcome import free_port, local_address, open_browser, welcome_text

    with as_command_error(SettingError, ServeError):
        settings = read_settings({"ROWLOCK_HOST": "0.0.0.0", **os.environ})
        settings = replace(settings, port=free_port(settings))

        def ready(address: str, *, already: bool = False) -> None:
            typer.echo(welcome_text(address, settings, already=already))
            sys.stdout.flush()
            if browser:
                open_browser(local_address(address, settings))

        try:
            return serve(settings, ready)
        except AlreadyRunning as other:
            if not other.address:
                raise
            ready(other.address, already=True)  # started a second time: show the server that is running
            return 0
