"""Tests of two metrics by what they draw, and the differences of one pair after given exchanges."""

from classy_aesop.significance.correlations.resampled_correlations import exchange_pairs, keep_shared_cells
from classy_aesop.significance.metrics.metric_tests import MetricTest


def permutation_test(X, Y, Z, *, swap="systems", **options):
    return MetricTest("", "permutation", swap)(X, Y, Z, **options)


def bootstrap_test(X, Y, Z, *, resample="both", **options):
    return MetricTest("", "bootstrap", resample)(X, Y, Z, **options)


def williams_test(X, Y, Z, **options):
    return MetricTest("williams", "williams")(X, Y, Z, **options)


def permutation_values(X, Y, Z, exchanges, **options):
    [values] = exchange_pairs([keep_shared_cells(X, Y, Z)], exchanges, **options)
    return values
