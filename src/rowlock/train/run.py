"""Training runs on this machine: they are checked, begun, and continued after an interruption."""

import hashlib
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowlock.networks.weights import read_weights, trained_path
from rowlock.paths import check_writable, data_directory, name_path_in_errors
from rowlock.rules.error_text import did_you_mean
from rowlock.rules.variant import Variant, variant_ids

if TYPE_CHECKING:
    from rowlock.train.training import Training, TrainingConfig

TRAINABLE = ("champion", "scholar")


@dataclass(frozen=True)
class TrainingRun:
    """A training run with the files for its weights and for the state from which an interrupted run continues."""

    training: "Training"
    weights_path: Path
    unfinished: Path  # the file for that state


def output_path(bot: str, variant: Variant, out: str | None, *, gpu: bool) -> Path:
    """Return the path for the weights; raises `ValueError` if the run is impossible, before anything is compiled.

    Without `out`, the folder for trained weights is created.
    """
    if bot not in TRAINABLE:
        raise ValueError(f"{bot!r} cannot be trained; {' and '.join(TRAINABLE)} can{did_you_mean(bot, TRAINABLE)}")
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
        read_weights(path)  # raises if the file is damaged; its weights for the other mode are kept
    return path


def open_run(bot: str, variant: Variant, config: "TrainingConfig", out: Path, *, gpu: bool = False) -> TrainingRun:
    """Begin a training run, or continue an interrupted one with the same config and output file."""
    identity = f"{variant.identity} {config.saved()} {out.resolve()} {gpu}"
    key = hashlib.sha256(identity.encode()).hexdigest()[:12]
    unfinished = data_directory() / "trainings" / f"{bot}-{variant}-{config.mode}-{key}.npz"
    cls = _training_class(bot, gpu=gpu)
    training = cls.load(unfinished, variant, config) if unfinished.exists() else cls.begin(variant, config)
    return TrainingRun(training, out, unfinished)


def _training_class(bot: str, *, gpu: bool) -> "type[Training]":
    # Imported here, because importing these modules compiles them.
    if gpu:
        from rowlock.train.gpu import GpuTraining, make_ready

        make_ready()
        return GpuTraining
    if bot == "scholar":
        from rowlock.train.scholar import ScholarTraining

        return ScholarTraining
    from rowlock.train.training import Training

    return Training
