"""The kernel compiled: batches of games, at hundreds of thousands a second."""

from rowlock.fast.batch import Batch
from rowlock.fast.kernel import chance, kernel

__all__ = ["Batch", "chance", "kernel"]
