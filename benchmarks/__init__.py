"""Measure the package beside what one would otherwise run: ``python -m benchmarks NAME``, see `docs/performance.md`."""
