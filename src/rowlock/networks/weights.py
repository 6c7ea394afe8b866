"""Weights files: shipped for the built-in games, written by `rowlock train` for your own variants.

A file is found by the identity of the variant that it was trained for. After a change of a variant's rules its old
weights are not used.
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
    """Missing or damaged weights."""


def trained_path(network: str, variant: Variant) -> Path:
    """The path for weights trained on this machine; shipped weights are never overwritten."""
    return paths.data_directory() / "weights" / f"{network}-{variant.id}-{variant.identity[:12]}.npz"


def weights_path(network: str, variant: Variant) -> Path:
    """The path of the weights for a variant: trained here, else shipped, else where training would write them."""
    trained = trained_path(network, variant)
    for folder in (trained.parent, SHIPPED):
        for path in sorted(folder.glob(f"{network}-*-{variant.identity[:12]}.npz")):
            return path
    return trained


def table_name(players: int) -> str:
    """The name of the weights in a file: playing alone for points, and against others to win, are trained apart."""
    return "solo" if players == 1 else "several"


def missing_weights(network: str, variant: Variant, players: int) -> str | None:
    """An error text that says how to train missing weights; None if there are weights."""
    path, table = weights_path(network, variant), table_name(players)
    if path.exists() and f"{table}.npy" in _names(path):
        return None
    options = ("" if network == "champion" else f" --bot {network}") + (" --solo" if players == 1 else "")
    named = variant.id if variant.id in variant_ids() else "FILE.toml"
    why = f"{network} has no weights for {variant} yet: rowlock train {named}{options}"
    trained = trained_path(network, variant)
    if (old := trained.with_name(f"{network}-{variant.id}.npz")).exists():
        why += f" (if {old} was trained for the same rules, rename it to {trained.name})"
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
    path, table = weights_path(network, variant), table_name(players)
    try:
        with path.open("rb") as raw, np.load(raw) as file:  # NumPy leaves damaged files open
            weights: Weights = file[table].astype(np.float32)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise WeightsError(f"{path}: the weights are damaged: {error}") from None
    if weights.shape != (size,) or not np.isfinite(weights).all():
        raise WeightsError(f"{path}: the weights are damaged: {size:,} finite numbers are needed")
    return weights


def save_weights(path: Path, table: str, weights: Weights) -> None:
    """Write weights in half precision to a file; other tables in the file stay."""
    tables = read_weights(path) if path.exists() else {}
    tables[table] = weights.astype(np.float16)
    temporary = path.with_suffix(".new.npz")
    with paths.name_path_in_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(temporary, allow_pickle=False, **tables)
        temporary.replace(path)


def read_weights(path: Path) -> dict[str, NDArray[np.float16]]:
    """All tables of weights in a file."""
    try:
        with path.open("rb") as raw, np.load(raw) as file:  # NumPy leaves damaged files open
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, TypeError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        raise WeightsError(f"{path}: cannot be read as weights: {error}") from None
