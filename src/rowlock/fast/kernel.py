"""`rowlock.rules.kernel` and `rowlock.rules.chance`, compiled."""

from typing import TYPE_CHECKING

from rowlock.fast.compiled import twin
from rowlock.rules import chance as _chance
from rowlock.rules import kernel as _kernel

if TYPE_CHECKING:
    from rowlock.rules import chance, kernel
else:
    kernel = twin(_kernel)
    chance = twin(_chance)

__all__ = ["chance", "kernel"]
