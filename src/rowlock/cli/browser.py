"""`rowlock` without a subcommand: play in the browser."""

import os
import sys

import typer

from rowlock.terminal.errors import as_command_error


def play_in_browser(opens_browser: bool, local: bool) -> int:
    """Run a server for this machine and, unless `local`, for others, and print its addresses."""
    from dataclasses import replace

    from rowlock.server.run import AlreadyRunning, ServeError, serve
    from rowlock.server.settings import SettingError, read_settings
    from rowlock.terminal.welcome import LOOPBACK, free_port, local_address, open_browser, welcome_text

    with as_command_error(SettingError, ServeError):
        only_here = [("host", LOOPBACK)] if local else []
        settings = read_settings({"ROWLOCK_HOST": "0.0.0.0", **os.environ}, only_here)
        settings = replace(settings, port=free_port(settings))

        def welcome(address: str, *, already_running: bool = False) -> None:
            typer.echo(welcome_text(address, settings, already_running=already_running))
            sys.stdout.flush()
            if opens_browser:
                open_browser(local_address(address, settings))

        try:
            return serve(settings, welcome)
        except AlreadyRunning as running:
            if not running.address:
                raise
            welcome(running.address, already_running=True)
            return 0
