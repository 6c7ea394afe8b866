"""The compiled copies of the modules of `rowlock.rules` that compiled code uses."""

from typing import TYPE_CHECKING

from rowlock.fast.compiled import compiled_copy
from rowlock.rules import chance as _chance
from rowlock.rules import hidden_cards as _hidden_cards
from rowlock.rules import kernel as _kernel
from rowlock.rules import observation as _observation

if TYPE_CHECKING:
    from rowlock.rules import chance, hidden_cards, kernel, observation
else:
    kernel = compiled_copy(_kernel)
    chance = compiled_copy(_chance)
    hidden_cards = compiled_copy(_hidden_cards)
    observation = compiled_copy(_observation)

__all__ = ["chance", "hidden_cards", "kernel", "observation"]
