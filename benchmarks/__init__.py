"""Benchmarks. `make bench` runs them; each module also runs alone: `python -m benchmarks.read`."""
