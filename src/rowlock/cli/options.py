"""Arguments and options that several commands have in common, and the variants they name."""

from collections.abc import Sequence
from typing import Annotated

import typer

from rowlock.rules.variant import Setup, Variant, VariantError, find_setup, game_names
from rowlock.terminal.errors import Failure, failures


def read_setup(name: str) -> Setup:
    with failures(VariantError):
        return find_setup(name)


def read_variants(files: Sequence[str] | None) -> list[Variant]:
    """Users' own variants, each under a name of its own."""
    found: dict[str, Variant] = {}
    for file in files or ():
        variant = read_setup(file).variant
        if variant.id in found:
            raise Failure(f"{file}: id must be one of its own, {variant.id} has been read from another file")
        found[variant.id] = variant
    return list(found.values())


def complete_variants() -> list[str]:
    return list(game_names())


def complete_bots(incomplete: str) -> list[str]:
    from rowlock.bots import bot_names

    first = incomplete.rpartition(",")[0]
    return [f"{first},{name}" if first else name for name in bot_names()]


VariantName = Annotated[
    str,
    typer.Argument(metavar="VARIANT", help="A game's name, or your own .toml file.", autocompletion=complete_variants),
]
VariantFiles = Annotated[
    list[str] | None,
    typer.Option(
        "--variant-file", metavar="FILE.toml", help="A variant of your own that records may name; repeatable."
    ),
]
Think = Annotated[
    float | None,
    typer.Option(metavar="SECONDS", help="Let bots that can (the champion) look ahead for so long."),
]
