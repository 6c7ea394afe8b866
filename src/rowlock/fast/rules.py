"""The modules of `rowlock.rules` that compiled code uses, compiled."""

from typing import TYPE_CHECKING

from rowlock.fast.compiled import compiled_copy
from rowlock.rules import chance as _chance
from rowlock.rules import hidden as _hidden
from rowlock.rules import kernel as _kernel

if TYPE_CHECKING:
    from rowlock.rules import chance, hidden, kernel
else:
    kernel = compiled_copy(_kernel)
    chance = compiled_copy(_chance)
    hidden = compiled_copy(_hidden)

__all__ = ["chance", "hidden", "kernel"]
