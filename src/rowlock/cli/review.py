"""`rowlock review`."""

from typing import Annotated

import typer

from rowlock.cli.options import Deep, VariantFiles, read_variants
from rowlock.terminal.errors import BROKEN_PIPE, as_command_error


def review(
    files: Annotated[
        list[str], typer.Argument(metavar="FILE", help="Files of records, or folders of them; - for standard input.")
    ],
    deep: Deep = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per game, each on a line.")] = False,
    html: Annotated[str | None, typer.Option(metavar="FILE", help="Write the reviews to one .html page.")] = None,
    plot: Annotated[
        str | None,
        typer.Option(metavar="FILE", help="Plot the curves to this .png or .svg file; needs the extra rowlock[plot]."),
    ] = None,
    variant_file: VariantFiles = None,
) -> int:
    """Review games: what every decision cost, and what was luck.

    Of each game: the players with their luck, the mean loss of their decisions and a rating, the curve of the chance
    to win, and the three most expensive decisions. Several games give totals per player. An unfinished game is
    reviewed as far as it goes. Exit status: 0 if all games are reviewed, 1 if a record has an error, 2 for wrong
    usage, an unreadable file or a game without values.

    \b
    rowlock review game.rlk
    rowlock review --json game.rlk
    rowlock review --html review.html games/
    """
    from pathlib import Path

    from rowlock.locale import t
    from rowlock.terminal.progress import show_progress

    custom = read_variants(variant_file)
    with show_progress() as display:
        from rowlock.arena.plot import check_plot
        from rowlock.arena.review_plot import plot_reviews
        from rowlock.paths import check_writable
        from rowlock.terminal.review import review_files
        from rowlock.terminal.review_page import review_page

        with as_command_error(ValueError):
            if html:
                if Path(html).suffix not in (".html", ".htm"):
                    raise ValueError(f"a page is a .html file, not {html}")
                check_writable(Path(html))
            if plot:
                check_plot(plot)
        try:
            reviews, status = review_files(files, custom, "game" if deep else "round", display, as_json=as_json)
        except BrokenPipeError:
            return BROKEN_PIPE
    if html and reviews:
        Path(html).write_text(review_page(reviews), encoding="utf-8")
    if plot and reviews:
        plot_reviews([found for _, found in reviews], plot)
    for file in filter(None, (html, plot)) if reviews else ():
        typer.echo(t("terminal.review-written", file=file), err=True)
    return status
