"""Run every benchmark."""

from benchmarks import read, server, simulate, solve

if __name__ == "__main__":
    read.main()
    simulate.main()
    server.main()
    solve.main()
