"""A fuzzer of every reader and every command: each input must end in success or in one clear line.

``python -m benchmarks.fuzz --inputs 100000 --seed 1``. The same seed makes the same inputs, whatever their number.
What a run finds becomes a test.
"""
