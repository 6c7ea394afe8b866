"""`rowlock print`."""

from pathlib import Path
from typing import Annotated

import typer

from rowlock.cli.options import VariantName, read_setup
from rowlock.terminal.errors import as_command_error


def print(
    variant: VariantName,
    out: Annotated[Path, typer.Option(metavar="FILE.pdf", help="The file to write.")],
    paper: Annotated[str, typer.Option(metavar="a4|letter", help="The size of the paper.")] = "a4",
    per_page: Annotated[
        int | None, typer.Option(metavar="N", help="Sheets on a page; by default 2, or 1 if they are large.")
    ] = None,
    copies: Annotated[
        int | None,
        typer.Option(metavar="N", help="Copies of each sheet; by default a full page, or one of each kind."),
    ] = None,
    sheets: Annotated[
        str, typer.Option(metavar="A,B,C", help="Kinds of sheets, if the game has several; by default all.")
    ] = "",
    language: Annotated[
        str | None, typer.Option(metavar="en|de|nl", help="The language; by default that of the environment.")
    ] = None,
    black: Annotated[bool, typer.Option("--black", help="Draw in black and white.")] = False,
) -> None:
    """Print sheets for a game with real dice: write a PDF file.

    \b
    rowlock print classic --out classic.pdf
    rowlock print connected-b --sheets A,C --copies 4 --out sheets.pdf
    rowlock print my.toml --paper letter --black --out mine.pdf
    """
    from rowlock.sheets import PrintError, make_pdf

    setup = read_setup(variant)
    with as_command_error(PrintError):
        pdf = make_pdf(
            setup.variant,
            paper=paper,
            per_page=per_page,
            copies=copies,
            sheets=[letter.strip() for letter in sheets.split(",") if letter.strip()],
            language=language,
            black=black,
        )
    out.write_bytes(pdf)
    typer.echo(f"{out}: {len(pdf) / 1000:.0f} kB")
