"""Default values of the tests; without numpy, so that the command line can show them."""

N_RESAMPLES = 9_999
"""Number of resamples by default, everywhere in this package."""

ALPHA = 0.05
"""Level of every test."""
