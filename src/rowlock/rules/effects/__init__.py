"""The effects: rules beyond those of Classic that a variant's file can ask for. A module holds one, or some alike."""

from rowlock.rules.effects.bonuses import PAIR_BONUSES, Bar, Pair, Pairs
from rowlock.rules.effects.effect import Base, Effect, Row
from rowlock.rules.effects.fields import Fields, read_numbers
from rowlock.rules.effects.lucky import Lucky
from rowlock.rules.effects.second import Second
from rowlock.rules.effects.sheets import Sheets
from rowlock.rules.effects.swaps import Swaps

EFFECTS: tuple[Effect, ...] = (Bar(), Pairs(), Fields(), Lucky(), Sheets(), Swaps(), Second())

__all__ = ["EFFECTS", "PAIR_BONUSES", "Base", "Effect", "Pair", "Row", "read_numbers"]
