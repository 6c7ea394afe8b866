"""`rowlock verify`."""

from typing import Annotated

import typer

from rowlock.cli.options import VariantFiles, read_variants


def verify(
    files: Annotated[list[str], typer.Argument(metavar="FILE", help="Files of records; - for standard input.")],
    variant_file: VariantFiles = None,
) -> int:
    """Check the dice of games by the secrets of all players.

    Records of games at a server have these secrets in their tags; cards are checked in the same way. The command prints
    the commitments too: compare them with those that your device was shown before the game.
    Exit status: 0 if all chance follows, 1 if it does not or a record is cut short or has no secrets, 2 for an
    unreadable file.

    \b
    rowlock verify game.rlk
    rowlock verify *.rlk
    """
    from rowlock.terminal.verify import verify as verify_files

    return verify_files(files, read_variants(variant_file))
