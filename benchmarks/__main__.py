"""Run every benchmark."""

from benchmarks import read, simulate

if __name__ == "__main__":
    read.main()
    simulate.main()
