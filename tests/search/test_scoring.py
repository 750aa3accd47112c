"""Scores at any level are the correlations of the tests of metrics."""

import numpy as np
import pytest

from classy_aesop.search import Rows
from classy_aesop.search.kernels.base import Solutions
from classy_aesop.search.subset_scores import SELECTION_COEFFICIENTS, HeldOutScorer
from classy_aesop.significance.choices import CORRELATION_LEVELS
from classy_aesop.significance.correlations.correlation_levels import correlation

S, T = 8, 6


def a_year(seed, *, missing=0.2):
    """Make a year of two targets: one of grades with many ties, one without."""
    rng = np.random.default_rng(seed)
    who, topic = np.divmod(np.flatnonzero(rng.random(S * T) > missing), T)
    X = rng.normal(size=(who.size, 3)) + who[:, None] / 3
    X[:, 2] = np.round(X[:, 2])  # predictions by it alone are tied
    y = X @ rng.normal(size=(3, 2)) + rng.normal(size=(who.size, 2))
    return Rows(X, np.column_stack([np.round(y[:, 0] / 2), y[:, 1]]), who, topic)


def laid_out(design, values):
    matrix = np.full((S, T), np.nan)
    matrix[design.summarizers, design.topics] = values
    return matrix


def linear(coef):
    every = np.arange(coef.shape[1])
    return Solutions(coef, np.full(every.size, 5.0), every >= 0, every < 0, every)


def one_by_one(X, Z, level):
    """Correlate two matrices, -inf for nothing."""
    value = correlation(X, Z, level=level).value
    return -np.inf if np.isnan(value) else value


@pytest.mark.parametrize("missing", [0, 0.2])
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
def test_against_the_correlation_of_each_prediction(level, missing):
    design = a_year(1, missing=missing)
    coef = np.column_stack([np.random.default_rng(9).normal(size=(3, 3)), [0, 0, 1]])
    for target in (0, 1):
        found = HeldOutScorer([design], target, level).score_linear([linear(coef)])
        for at, weights in enumerate(coef.T):
            matrices = laid_out(design, design.X @ weights + 5), laid_out(design, design.Y[:, target])
            expected = one_by_one(*matrices, level)
            assert found[at] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("coefficient", SELECTION_COEFFICIENTS)
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
def test_a_constant_prediction_has_no_score(level, coefficient):
    selection = HeldOutScorer([a_year(2)], 1, level, coefficient)
    assert (selection.score_linear([linear(np.zeros((3, 2)))]) == -np.inf).all()
    assert selection.score_predictions([lambda X: np.full(len(X), 0.1)]) == -np.inf


def test_a_topic_with_equal_judgments_counts_for_nothing():
    """Their mean may differ from them by rounding: 7/3 and 10/3 are no numbers of two to the anything."""
    design = a_year(1, missing=0)
    for value in (7 / 3, 10 / 3, 0.1):
        design.Y[design.topics == 2] = value
        coef, kept = np.eye(3), design.take(design.topics != 2)
        for one in (design, kept):
            selection = HeldOutScorer([one], 0, "input")
            if one is design:
                plain = selection.score_linear([linear(coef)])
        np.testing.assert_allclose(plain, selection.score_linear([linear(coef)]), atol=1e-12)
