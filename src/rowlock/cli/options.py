"""Arguments and options that several commands share."""

from collections.abc import Sequence
from typing import Annotated

import typer

from rowlock.rules.variant import Setup, Variant, VariantError, find_setup, game_names
from rowlock.terminal.errors import CommandError, as_command_error


def read_setup(name: str) -> Setup:
    with as_command_error(VariantError):
        return find_setup(name)


def read_variants(files: Sequence[str] | None) -> list[Variant]:
    """Read the users' own variants from files; their ids must be different."""
    variants: dict[str, Variant] = {}
    for file in files or ():
        variant = read_setup(file).variant
        if variant.id in variants:
            raise CommandError(f"{file}: the id {variant.id} is already used by another file")
        variants[variant.id] = variant
    return list(variants.values())


def complete_variants() -> list[str]:
    return list(game_names())


def complete_bots(incomplete: str) -> list[str]:
    from rowlock.bots import bot_names

    earlier_bots = incomplete.rpartition(",")[0]
    return [f"{earlier_bots},{name}" if earlier_bots else name for name in bot_names()]


VariantName = Annotated[
    str,
    typer.Argument(metavar="VARIANT", help="A variant, or your own .toml file.", autocompletion=complete_variants),
]
VariantFiles = Annotated[
    list[str] | None,
    typer.Option("--variant-file", metavar="FILE.toml", help="Your own variant that a record uses; repeatable."),
]
RecordFiles = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[FILE|DIR]",
        show_default=False,
        help="Files of records, or folders of them; - for standard input; by default the saved games.",
    ),
]
Think = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Time per decision for bots that can look ahead, such as champion."),
]
Weights = Annotated[
    str | None,
    typer.Option(metavar="FILE.npz", help="Weights for bots with a network, such as champion, instead of their own."),
]
Workers = Annotated[
    int | None,
    typer.Option(metavar="N", min=1, max=1024, help="Number of threads or processes; by default one per core."),
]
Ray = Annotated[
    str | None, typer.Option(metavar="ADDRESS|local", help="Play on a Ray cluster (needs rowlock[cluster]).")
]
MoveTimeout = Annotated[
    float,
    typer.Option(metavar="SECONDS", help="Time limit per move for bots that are not compiled; think times are added."),
]
Deep = Annotated[
    bool,
    typer.Option(
        "--deep",
        help="Play roll-outs to the end of the game, without the network's evaluation: slower, larger standard errors.",
    ),
]
