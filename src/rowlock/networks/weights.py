"""Weights files: shipped for the built-in games, written by `rowlock train` for your own variants.

The name of a file contains the beginning of the identity of the variant that it was trained for, so weights for old
rules of a variant are not used.
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
        if found := sorted(folder.glob(f"{network}-*-{variant.identity[:12]}.npz")):
            return found[0]
    return trained


def mode_of(players: int) -> str:
    """The name of an array in a weights file: a network is trained separately for solo games and for other games."""
    return "solo" if players == 1 else "several"


def missing_weights(network: str, variant: Variant, players: int) -> str | None:
    """An error text that says how to train the missing weights; None if the weights exist."""
    path, mode = weights_path(network, variant), mode_of(players)
    if path.exists() and f"{mode}.npy" in _member_names(path):
        return None
    options = ("" if network == "champion" else f" --bot {network}") + (" --solo" if players == 1 else "")
    argument = variant.id if variant.id in variant_ids() else "FILE.toml"
    text = f"{network} has no weights for {variant} yet: rowlock train {argument}{options}"
    trained = trained_path(network, variant)
    # Before 0.1.0 the names of files had no identity.
    if (old_path := trained.with_name(f"{network}-{variant.id}.npz")).exists():
        text += f" (if {old_path} was trained for the same rules, rename it to {trained.name})"
    return text


def _member_names(path: Path) -> list[str]:
    """The names of the arrays in a weights file, each with the suffix .npy."""
    try:
        with zipfile.ZipFile(path) as file:
            return file.namelist()
    except (OSError, zipfile.BadZipFile) as error:
        raise WeightsError(f"{path}: the weights are damaged: {error}") from None


def load_weights(network: str, variant: Variant, players: int, size: int) -> Weights:
    """The weights for a variant and a number of players."""
    if missing := missing_weights(network, variant, players):
        raise WeightsError(missing)
    path, mode = weights_path(network, variant), mode_of(players)
    try:
        with path.open("rb") as raw, np.load(raw) as file:  # given a path, NumPy leaves a damaged file open
            weights: Weights = file[mode].astype(np.float32)
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, zlib.error) as error:
        raise WeightsError(f"{path}: the weights are damaged: {error}") from None
    if weights.shape != (size,) or not np.isfinite(weights).all():
        raise WeightsError(f"{path}: the weights are damaged: {size:,} finite numbers are needed")
    return weights


def weights_of_file(path: Path, variant: Variant, players: int, size: int) -> Weights:
    """The weights in a file of the user's choice, which must be of this size."""
    arrays, mode = read_weights(path), mode_of(players)
    if mode not in arrays:
        games = "solo games" if players == 1 else "games with opponents"
        raise WeightsError(f"{path}: has no weights for {games}")
    weights: Weights = arrays[mode].astype(np.float32)
    if weights.shape != (size,) or not np.isfinite(weights).all():
        raise WeightsError(f"{path}: these are no weights for {variant}, which needs {size:,} finite numbers")
    return weights


def save_weights(path: Path, mode: str, weights: Weights) -> None:
    """Write weights in half precision to a file; weights for the other mode stay in it."""
    arrays = read_weights(path) if path.exists() else {}
    arrays[mode] = weights.astype(np.float16)
    temporary = path.with_suffix(".new.npz")
    with paths.name_path_in_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(temporary, allow_pickle=False, **arrays)
        temporary.replace(path)


def read_weights(path: Path) -> dict[str, NDArray[np.float16]]:
    """All weights in a file, by mode."""
    try:
        with path.open("rb") as raw, np.load(raw) as file:  # given a path, NumPy leaves a damaged file open
            return {name: file[name] for name in file.files}
    except (OSError, ValueError, TypeError, EOFError, AttributeError, zipfile.BadZipFile, zlib.error) as error:
        why = getattr(error, "strerror", None) or error
        raise WeightsError(f"{path}: cannot be read as weights: {why}") from None
