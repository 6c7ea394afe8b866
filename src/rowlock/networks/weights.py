"""Files of weights: shipped for the built-in games, made by `rowlock train` for your own.

A file is found by the identity of the variant it was trained for, never by a name alone: after a change of a variant's
data its old weights are not used.
"""

import zipfile
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rowlock import paths
from rowlock.rules.variant import Variant, variant_ids

Weights = NDArray[np.float32]
SHIPPED = Path(__file__).with_name("shipped")


class WeightsError(ValueError):
    """Weights that are missing or damaged."""


def own_path(network: str, variant: Variant) -> Path:
    """Where weights that are trained here are kept; those that are shipped are never written."""
    return paths.data_directory() / "weights" / f"{network}-{variant.id}-{variant.identity[:12]}.npz"


def weights_path(network: str, variant: Variant) -> Path:
    """Where the weights of a network for a variant are, or would be; those that were trained here go first."""
    own = own_path(network, variant)
    for folder in (own.parent, SHIPPED):
        for path in sorted(folder.glob(f"{network}-*-{variant.identity[:12]}.npz")):
            return path
    return own


def table_of(players: int) -> str:
    """Alone one plays for points, with others to win: two tables of weights."""
    return "solo" if players == 1 else "several"


def missing_weights(network: str, variant: Variant, players: int) -> str | None:
    """How weights that are not there can be made; None where they are there."""
    path, table = weights_path(network, variant), table_of(players)
    if path.exists() and f"{table}.npy" in _names(path):
        return None
    wishes = ("" if network == "champion" else f" --bot {network}") + (" --solo" if players == 1 else "")
    named = variant.id if variant.id in variant_ids() else "FILE.toml"
    why = f"{network} has not learnt {variant} yet: rowlock train {named}{wishes}"
    own = own_path(network, variant)
    if (old := own.with_name(f"{network}-{variant.id}.npz")).exists():
        why += f" (if {old} was trained for these very rules, rename it to {own.name})"
    return why


def _names(path: Path) -> list[str]:
    try:
        with zipfile.ZipFile(path) as file:
            return file.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{path}: the weights are damaged: {error}") from None


def load_weights(network: str, variant: Variant, players: int, size: int) -> Weights:
    """The weights for a variant and a number of players."""
    if missing := missing_weights(network, variant, players):
        raise WeightsError(missing)
    path, table = weights_path(network, variant), table_of(players)
    try:
        with path.open("rb") as raw, np.load(raw) as file:  # NumPy leaves damaged files open
            weights: Weights = file[table].astype(np.float32)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise WeightsError(f"{path}: the weights are damaged: {error}") from None
    if weights.shape != (size,) or not np.isfinite(weights).all():
        raise WeightsError(f"{path}: the weights are damaged: {size:,} finite numbers are needed")
    return weights


def save_weights(path: Path, table: str, weights: Weights) -> None:
    """Write a table of weights, in half precision, beside what the file holds already."""
    tables = read_weights(path) if path.exists() else {}
    tables[table] = weights.astype(np.float16)
    fresh = path.with_suffix(".new.npz")
    with paths.writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(fresh, allow_pickle=False, **tables)
        fresh.replace(path)


def read_weights(path: Path) -> dict[str, NDArray[np.float16]]:
    """All tables of weights in a file."""
    try:
        with path.open("rb") as raw, np.load(raw) as file:  # NumPy leaves damaged files open
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, TypeError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        raise WeightsError(f"{path}: cannot be read as weights: {error}") from None
