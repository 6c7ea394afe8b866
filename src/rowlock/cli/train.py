"""`rowlock train`."""

from typing import Annotated

import typer

from rowlock.cli.options import VariantName, read_setup
from rowlock.terminal.errors import INTERRUPTED, CommandError, as_command_error, print_error

MAX_SEED = 2**20  # seeds of 63 bits are derived from it, in which the step takes 40


def train(
    variant_name: VariantName,
    solo: Annotated[bool, typer.Option("--solo", help="Train for solo games instead of games with opponents.")] = False,
    steps: Annotated[
        int, typer.Option(metavar="N", min=1, max=10**9, help="Number of steps; 20,000 take 6 minutes in dice games.")
    ] = 20_000,
    seed: Annotated[
        int,
        typer.Option(metavar="N", min=0, max=MAX_SEED, help="The same seed gives the same weights on a CPU."),
    ] = 1,
    bot: Annotated[str, typer.Option(metavar="BOT", help="The bot to train: champion or scholar.")] = "champion",
    out: Annotated[str | None, typer.Option(metavar="FILE.npz", help="The file to save the weights to.")] = None,
    threads: Annotated[
        int | None, typer.Option(metavar="N", min=1, max=1024, help="Number of threads; by default one per core.")
    ] = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="Train on a GPU (needs rowlock[gpu]).")] = False,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Plot the learning curves to this .png or .svg file.")
    ] = None,
) -> int:
    """Train a bot's network for a variant by self-play.

    The weights for your own variant are saved where the bot finds them; for a built-in variant, --out is required.
    Ctrl-C stops the training; the same command resumes it.

    \b
    rowlock train my.toml --plot curves.png
    rowlock train classic --solo --out solo.npz
    """
    from rowlock.terminal.progress import show_progress
    from rowlock.train.run import open_run, output_path

    if gpu and threads is not None:
        raise CommandError("--threads cannot be used with --gpu: it is for training on the CPU")
    variant = read_setup(variant_name).variant
    with as_command_error(ValueError):
        weights_path = output_path(bot, variant, out, gpu=gpu)
    with as_command_error(ValueError), show_progress() as display:
        from rowlock.arena.plot import check_plot
        from rowlock.terminal.training_progress import run_training
        from rowlock.train.plot import plot_training
        from rowlock.train.training import TrainingConfig

        if plot:
            check_plot(plot)
        run = open_run(bot, variant, TrainingConfig("solo" if solo else "several", steps, seed), weights_path, gpu=gpu)
        if not run_training(run, threads, display):
            print_error("rowlock: stopped; the same command resumes from the last step that was printed")
            return INTERRUPTED
    if plot:
        plot_training(run.training, plot)
    typer.echo(f"trained {variant} for {'solo games' if solo else 'games with opponents'}: {weights_path}")
    return 0
