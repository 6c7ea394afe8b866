"""`rowlock train`."""

from typing import Annotated

import typer

from rowlock.cli.options import VariantName, read_setup
from rowlock.terminal.errors import INTERRUPTED, Failure, complain, failures


def train(
    variant: VariantName,
    solo: Annotated[bool, typer.Option("--solo", help="Learn to play alone, for points, not against others.")] = False,
    steps: Annotated[
        int, typer.Option(metavar="N", min=1, max=10**9, help="How many; with dice 20,000 take six minutes.")
    ] = 20_000,
    seed: Annotated[
        int, typer.Option(metavar="N", min=0, max=2**20, help="On cores the same seed gives the same weights.")
    ] = 1,
    bot: Annotated[
        str, typer.Option(metavar="BOT", help="Who learns: the champion, or the yardstick scholar.")
    ] = "champion",
    out: Annotated[str | None, typer.Option(metavar="FILE.npz", help="Where the weights go.")] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=1024, help="As many as there are cores unless told.")
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Learn on a GPU; needs the extra rowlock[gpu].")] = False,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw the learning curves to this .png or .svg file.")
    ] = None,
) -> int:
    """Teach the champion a game, by games against itself.

    For a variant of your own the weights are kept where the champion looks for them; for a built-in game name a file.
    Ctrl-C stops, the same command goes on.

    \b
    rowlock train my.toml --plot curves.png
    rowlock train classic --solo --out solo.npz
    """
    from rowlock.terminal.progress import shown
    from rowlock.train.run import check_output, open_run

    if gpu and threads is not None:
        raise Failure("--threads is for training on the cores; with --gpu there is nothing to do for them")
    found = read_setup(variant).variant
    with failures(ValueError):
        weights = check_output(bot, found, out, gpu=gpu)
    with failures(ValueError), shown() as display:
        from rowlock.arena.plot import check_plot
        from rowlock.terminal.training import train as run
        from rowlock.train.plot import plot_training
        from rowlock.train.training import TrainingConfig

        if plot:
            check_plot(plot)
        opened = open_run(bot, found, TrainingConfig("solo" if solo else "several", steps, seed), weights, gpu=gpu)
        if not run(opened, threads, display):
            complain("rowlock: stopped; the same command goes on from the last point of the curves")
            return INTERRUPTED
    if plot:
        plot_training(opened.training, plot)
    typer.echo(f"learnt {found}, {'alone' if solo else 'against others'}: {opened.weights}")
    return 0
