"""A training run on this machine: who is trained, where the weights go, and what an interrupted run has left."""

import hashlib
from dataclasses import asdict, dataclass
from pathlib import Path

from rowlock.networks.weights import read_weights, weights_path
from rowlock.places import check_writable, data_directory
from rowlock.rules.shown import did_you_mean
from rowlock.rules.variant import Variant, variant_ids
from rowlock.train.training import Settings, Training, TrainingError

TRAINED = ("champion", "scholar")


@dataclass(frozen=True)
class Run:
    """A training with its files: the weights, and all that is needed to go on after an interruption."""

    training: Training
    weights: Path
    unfinished: Path


def open_run(bot: str, variant: Variant, settings: Settings, out: str | None = None, *, gpu: bool = False) -> Run:
    """Begin to train, or go on where a run with the same settings and the same output was interrupted."""
    if bot not in TRAINED:
        raise TrainingError(f"{bot!r} cannot learn; {' and '.join(TRAINED)} can{did_you_mean(bot, TRAINED)}")
    if gpu and bot != "champion":
        raise TrainingError(f"{bot} does not learn on a GPU; without --gpu it learns on the cores")
    if out is None and variant.id in variant_ids():
        raise TrainingError(f"{variant} is built in; --out FILE.npz says where the weights go")
    weights = _check_output(Path(out)) if out else weights_path(bot, variant)
    told = f"{variant.tables} {variant.lucky} {asdict(settings)} {weights.resolve()}"
    key = hashlib.sha256(told.encode()).hexdigest()[:12]
    unfinished = data_directory() / "trainings" / f"{bot}-{variant}-{settings.table}-{key}.npz"
    kind = _class_for(bot, gpu=gpu)
    training = kind.load(unfinished, variant, settings) if unfinished.exists() else kind.begin(variant, settings)
    return Run(training, weights, unfinished)


def _check_output(path: Path) -> Path:
    """Weights take long to make: what stands in the way of writing them is told before."""
    if path.suffix != ".npz":
        raise TrainingError(f"{path}: weights are written to a .npz file")
    check_writable(path)
    if path.exists():
        read_weights(path)  # other tables in the file stay as they are
    return path


def _class_for(bot: str, *, gpu: bool) -> type[Training]:
    # Imported here, as what is not needed would be compiled too.
    if gpu:
        from rowlock.train.gpu import GpuTraining, make_ready

        make_ready()
        return GpuTraining
    if bot == "scholar":
        from rowlock.train.scholar import ScholarTraining

        return ScholarTraining
    return Training
