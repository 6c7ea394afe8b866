"""A training run on this machine: its checks, its output file, and how an interrupted run is continued."""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowlock.networks.weights import read_weights, trained_path
from rowlock.paths import check_writable, data_directory, name_path_in_errors
from rowlock.rules.error_text import did_you_mean
from rowlock.rules.variant import Variant, variant_ids

if TYPE_CHECKING:
    from rowlock.train.training import Training, TrainingConfig

TRAINED = ("champion", "scholar")


@dataclass(frozen=True)
class TrainingRun:
    """A training run with its files: the weights, and the state from which an interrupted run continues."""

    training: "Training"
    weights: Path
    unfinished: Path


def check_output(bot: str, variant: Variant, out: str | None, *, gpu: bool) -> Path:
    """The path for the weights; raises `ValueError` before anything is compiled if the run is impossible."""
    if bot not in TRAINED:
        raise ValueError(f"{bot!r} cannot be trained; {' and '.join(TRAINED)} can{did_you_mean(bot, TRAINED)}")
    if gpu and bot != "champion":
        raise ValueError(f"{bot} cannot be trained on a GPU; leave out --gpu to train it on the CPU")
    if out is None and variant.id in variant_ids():
        raise ValueError(f"{variant} is built in; choose a file for the weights with --out FILE.npz")
    path = Path(out) if out else trained_path(bot, variant)
    if out is None:
        with name_path_in_errors(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".npz":
        raise ValueError(f"{path}: a weights file must end in .npz")
    check_writable(path)
    if path.exists():
        read_weights(path)  # raises if the file is damaged: other tables in it are kept
    return path


def open_run(bot: str, variant: Variant, config: "TrainingConfig", weights: Path, *, gpu: bool = False) -> TrainingRun:
    """Begin a training run, or continue one with the same config and output that was interrupted."""
    identity = f"{variant.identity} {asdict(config)} {weights.resolve()} {gpu}"
    key = hashlib.sha256(identity.encode()).hexdigest()[:12]
    unfinished = data_directory() / "trainings" / f"{bot}-{variant}-{config.table}-{key}.npz"
    kind = _class_for(bot, gpu=gpu)
    training = kind.load(unfinished, variant, config) if unfinished.exists() else kind.begin(variant, config)
    return TrainingRun(training, weights, unfinished)


def _class_for(bot: str, *, gpu: bool) -> "type[Training]":
    # Imported here, because an import compiles.
    if gpu:
        from rowlock.train.gpu import GpuTraining, make_ready

        make_ready()
        return GpuTraining
    if bot == "scholar":
        from rowlock.train.scholar import ScholarTraining

        return ScholarTraining
    from rowlock.train.training import Training

    return Training
