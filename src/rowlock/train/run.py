"""A training run on this machine: who is trained, where the weights go, and what an interrupted run has left."""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rowlock.networks.weights import own_path, read_weights
from rowlock.paths import check_writable, data_directory, writing
from rowlock.rules.error_text import did_you_mean
from rowlock.rules.variant import Variant, variant_ids

if TYPE_CHECKING:
    from rowlock.train.training import Training, TrainingConfig

TRAINED = ("champion", "scholar")


@dataclass(frozen=True)
class Run:
    """A training with its files: the weights, and all that is needed to go on after an interruption."""

    training: "Training"
    weights: Path
    unfinished: Path


def check_output(bot: str, variant: Variant, out: str | None, *, gpu: bool) -> Path:
    """Where the weights go; what stands in the way is told before anything is compiled or trained."""
    if bot not in TRAINED:
        raise ValueError(f"{bot!r} cannot learn; {' and '.join(TRAINED)} can{did_you_mean(bot, TRAINED)}")
    if gpu and bot != "champion":
        raise ValueError(f"{bot} does not learn on a GPU; without --gpu it learns on the cores")
    if out is None and variant.id in variant_ids():
        raise ValueError(f"{variant} is built in; --out FILE.npz says where the weights go")
    path = Path(out) if out else own_path(bot, variant)
    if out is None:
        with writing(path.parent):
            path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix != ".npz":
        raise ValueError(f"{path}: weights are written to a .npz file")
    check_writable(path)
    if path.exists():
        read_weights(path)  # other tables in the file stay as they are
    return path


def open_run(bot: str, variant: Variant, settings: "TrainingConfig", weights: Path, *, gpu: bool = False) -> Run:
    """Begin to train, or go on where a run with the same settings and the same output was interrupted."""
    told = f"{variant.identity} {asdict(settings)} {weights.resolve()} {gpu}"
    key = hashlib.sha256(told.encode()).hexdigest()[:12]
    unfinished = data_directory() / "trainings" / f"{bot}-{variant}-{settings.table}-{key}.npz"
    kind = _class_for(bot, gpu=gpu)
    training = kind.load(unfinished, variant, settings) if unfinished.exists() else kind.begin(variant, settings)
    return Run(training, weights, unfinished)


def _class_for(bot: str, *, gpu: bool) -> "type[Training]":
    # Imported here, as what is not needed would be compiled too.
    if gpu:
        from rowlock.train.gpu import GpuTraining, make_ready

        make_ready()
        return GpuTraining
    if bot == "scholar":
        from rowlock.train.scholar import ScholarTraining

        return ScholarTraining
    from rowlock.train.training import Training

    return Training
