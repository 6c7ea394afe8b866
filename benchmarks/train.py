"""Training steps per second on the CPU or a GPU, without the time for compiling.

python -m benchmarks.train [--gpu]
"""

import sys
import time

from rowlock.rules.variant import find_variant
from rowlock.train.gpu import GpuTraining, make_ready
from rowlock.train.training import Training, TrainingConfig

CPU_STEPS = {"classic": 1200, "big-points": 600, "cards": 240}
GPU_STEPS = {"classic": 27_000, "big-points": 10_000, "cards": 3_000}  # a sixty-fourth of the steps is played at once


class TrainingOnly(Training):
    """Training without the games that measure strength."""

    def strength(self, count: int = 0) -> tuple[float, ...]:
        return ()


class GpuTrainingOnly(GpuTraining, TrainingOnly):
    pass


def main() -> None:
    gpu = "--gpu" in sys.argv
    if gpu:
        make_ready()
    kind: type[Training] = GpuTrainingOnly if gpu else TrainingOnly
    for name, steps in (GPU_STEPS if gpu else CPU_STEPS).items():
        for number in (12, steps):
            training = kind.begin(find_variant(name), TrainingConfig(steps=number))
            begin = time.perf_counter()
            list(training.run(number))
            seconds = time.perf_counter() - begin
        print(f"{name:12} {steps:6,} steps {seconds:6.1f} s {steps / seconds:6,.0f} steps a second", flush=True)


if __name__ == "__main__":
    main()
