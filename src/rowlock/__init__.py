"""Rowlock: the Qwixx family of dice games, to play, study and build on."""

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
    "find_variant",
    "parse",
    "read",
    "variant_ids",
]
