"""The compiled kernel, and `Batch`: hundreds of thousands of games per second."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rowlock.fast.batch import Batch
    from rowlock.fast.rules import chance, kernel

__all__ = ["Batch", "chance", "kernel"]


def __getattr__(name: str) -> Any:
    """Import lazily: importing Numba is slow, and interpreted bots do not need it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from rowlock.fast import rules
    from rowlock.fast.batch import Batch

    globals().update(Batch=Batch, chance=rules.chance, kernel=rules.kernel)
    return globals()[name]
