"""`rowlock site`."""

from pathlib import Path
from typing import Annotated

import typer

from rowlock.terminal.errors import as_command_error


def site(
    directory: Annotated[
        Path, typer.Argument(metavar="DIR", help="The directory to write: new, empty, or with an earlier site.")
    ],
    url: Annotated[
        str | None, typer.Option(metavar="URL", help="The address of the site, for the picture of link previews.")
    ] = None,
) -> int:
    """Write a web site that needs no server, for any web host.

    It has everything that works on a device alone: games against bots and of several people at one device, rules,
    replays. It works in any folder of a host. Files of an earlier site in DIR are replaced.

    \b
    rowlock site public
    rowlock site public --url https://example.org/rowlock
    python -m http.server --directory public
    """
    from rowlock.server.site import SiteError, write_site

    with as_command_error(SiteError):
        sizes = write_site(directory, url)
    typer.echo(f"{directory}: a site of {len(sizes)} files, {sum(sizes.values()) / 1e6:.1f} MB")
    return 0
