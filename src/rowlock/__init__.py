"""Rowlock: the Qwixx family of dice games, to play, study and build on."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rowlock.analysis.review import review
    from rowlock.rules.challenge import challenge
    from rowlock.rules.explain import Illegal
    from rowlock.rules.game import Game, Turn, View
    from rowlock.rules.notation import RecordError, parse, read
    from rowlock.rules.sheet import Sheet
    from rowlock.rules.variant import Variant, VariantError, find_variant, variant_ids

__version__ = "0.1.0"

__all__ = [
    "Game",
    "Illegal",
    "RecordError",
    "Sheet",
    "Turn",
    "Variant",
    "VariantError",
    "View",
    "challenge",
    "find_variant",
    "parse",
    "read",
    "review",
    "variant_ids",
]

if not TYPE_CHECKING:  # type checkers use the imports above

    def __getattr__(name: str) -> object:
        """Import the rules at their first use, so that `rowlock.cli.main` can set its handler for Ctrl-C before."""
        if name not in __all__:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        if name == "review":
            from rowlock.analysis.review import review

            return review
        from rowlock.rules import challenge, explain, game, notation, sheet, variant

        modules = (challenge, explain, game, notation, sheet, variant)
        return next(vars(module)[name] for module in modules if name in vars(module))
