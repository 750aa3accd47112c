"""Benchmarks against other ways to do the same: ``python -m benchmarks NAME``, see `docs/performance.md`."""
