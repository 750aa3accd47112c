"""Recall and precision of significant differences and the t of a correlation, by hand and by identities."""

import json
import math

import numpy as np
import pytest

from classy_aesop.significance.agreement import ALPHAS, determination, hits, regression_t, z_tests


def test_z_by_hand():
    # means 2 and 4, variances 1 and 4 over three and four topics
    z, p = z_tests([[1, 2, 3, math.nan], [2, 2, 6, 6]])
    assert z[0] == pytest.approx(-2 / math.sqrt(1 / 3 + 16 / 3 / 4))
    assert p[0] == pytest.approx(math.erfc(abs(z[0]) / math.sqrt(2)))


def test_hits_by_hand():
    human = np.array([[1.0, 2, 1, 2], [8, 9, 8, 9], [8, 9, 9, 8]])  # the first differs from both others
    metric = np.array([[9.0, 8, 9, 8], [1, 2, 1, 2], [8.0, 8, 9, 9]])  # the second does, the other way round
    (found,) = hits(metric, human, alphas=[0.01])
    assert (found.n_pairs, found.n_human, found.n_metric, found.n_hits, found.n_contradictions) == (
        3,
        2,
        2,
        1,
        1,
    )
    assert (found.recall, found.precision) == (0.5, 0.5)


def test_a_metric_hits_all_of_its_own():
    X = np.random.default_rng(0).normal(size=(8, 20)) + np.arange(8)[:, None] * 0.3
    found = hits(X, X)
    assert [level.alpha for level in found] == list(ALPHAS)
    assert all(level.recall == level.precision == 1.0 for level in found)
    counts = [level.n_human for level in found]
    assert counts == sorted(counts, reverse=True)


def test_pairs_without_a_test():
    z, p = z_tests([[2, 2], [2, 2], [3, 3], [1, math.nan]])
    assert z.tolist() == [0, -math.inf, 0, -math.inf, 0, 0]
    assert p.tolist() == [1, 0, 1, 0, 1, 1]
    for nobody in (np.zeros((0, 3)), np.full((3, 2), math.nan)):
        (found,) = hits(nobody, nobody, alphas=[0.05])
        assert math.isnan(found.recall)
        assert found.precision == 0.0
        json.dumps(found.to_dict())


def test_statistics_of_lin_and_hovy():
    assert regression_t(0.907, 13) == pytest.approx(7.143, abs=5e-4)
    assert regression_t(0.965, 15) == pytest.approx(13.267, abs=5e-4)
    assert determination(0.907) == pytest.approx(0.823, abs=5e-4)
    assert regression_t(1.0, 5) == math.inf
    assert math.isnan(regression_t(0.5, 2))
