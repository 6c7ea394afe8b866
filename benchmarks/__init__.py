"""Speed, measured. `make bench` runs all of it; each module also runs alone: `python -m benchmarks.read`."""
