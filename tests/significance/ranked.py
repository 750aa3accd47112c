"""Ranks of the rows of a score matrix, as `compare` computes them."""

import numpy as np

from classy_aesop.significance.additive.two_way_fit import summarizer_means
from classy_aesop.significance.equality import rounding_slack, shift_near_zero


def rank_rows(X, tests):
    """Rank rows by their means, equal within rounding, and cluster them by tests of all pairs."""
    X = np.asarray(X, dtype=float)
    means = summarizer_means(X, ~np.isnan(X))
    return tests.clusters(means, slack=float(rounding_slack(shift_near_zero(X))))
