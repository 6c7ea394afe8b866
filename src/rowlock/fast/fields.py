"""The named fields of observations as NumPy arrays. This module does not import Numba, which takes a second."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from rowlock.rules.spaces import Spaces


def fields_of(spaces: Spaces, observations: NDArray[Any]) -> dict[str, NDArray[Any]]:
    """The parts of observations by name, without a copy and read-only; the last axis is that of an observation."""
    parts = {}
    for field in spaces.fields.values():
        width = field.shape[-1]
        by_player = len(field.shape) > 1
        length = width + field.stride * (field.shape[0] - 1 if by_player else 0)
        part = observations[..., field.begin : field.begin + length]
        windows = np.lib.stride_tricks.sliding_window_view(part, width, axis=-1)
        parts[field.name] = windows[..., :: field.stride, :] if by_player else windows[..., 0, :]
    return parts
