"""Run every benchmark."""

from benchmarks import read, server, simulate

if __name__ == "__main__":
    read.main()
    simulate.main()
    server.main()
