"""Steps a second of a training, on cores or on a GPU; what is compiled at first does not count.

python -m benchmarks.train [--gpu]
"""

import sys
import time

from rowlock.rules.variant import find_variant
from rowlock.train.gpu import GpuTraining, make_ready
from rowlock.train.training import Training, TrainingConfig

ON_CORES = {"classic": 1200, "big-points": 600, "cards": 240}
ON_A_GPU = {"classic": 27_000, "big-points": 10_000, "cards": 3_000}  # the games of a sixty-fourth are played at once


class Unmeasured(Training):
    """Without the games that tell how strong it has become."""

    def strength(self, count: int = 0) -> tuple[float, ...]:
        return ()


class UnmeasuredGpu(GpuTraining, Unmeasured):
    pass


def main() -> None:
    gpu = "--gpu" in sys.argv
    if gpu:
        make_ready()
    kind: type[Training] = UnmeasuredGpu if gpu else Unmeasured
    for name, steps in (ON_A_GPU if gpu else ON_CORES).items():
        for number in (12, steps):
            training = kind.begin(find_variant(name), TrainingConfig(steps=number))
            begin = time.perf_counter()
            list(training.run(number))
            seconds = time.perf_counter() - begin
        print(f"{name:12} {steps:6,} steps {seconds:6.1f} s {steps / seconds:6,.0f} steps a second", flush=True)


if __name__ == "__main__":
    main()
