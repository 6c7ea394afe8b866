"""Run every benchmark."""

from benchmarks import read

if __name__ == "__main__":
    read.main()
