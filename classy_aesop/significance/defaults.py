"""What a test takes where a caller asks for nothing else; without numpy, so that the command line can show it."""

N_RESAMPLES = 9_999
"""Number of resamples by default, everywhere in this package."""

ALPHA = 0.05
"""Level of every test."""
