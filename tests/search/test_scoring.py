"""Scores at any level are the correlations of the tests of metrics."""

import numpy as np
import pytest

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import Rows, SearchResult, best_fitter, search_subsets
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
    found = HeldOutScorer([design], [0, 1], level).score_linear([linear(coef)])
    for at, weights in enumerate(coef.T):
        for target in (0, 1):
            matrices = laid_out(design, design.X @ weights + 5), laid_out(design, design.Y[:, target])
            expected = one_by_one(*matrices, level)
            assert found[target, at] == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("coefficient", SELECTION_COEFFICIENTS)
@pytest.mark.parametrize("level", CORRELATION_LEVELS)
def test_a_constant_prediction_has_no_score(level, coefficient):
    selection = HeldOutScorer([a_year(2)], [0, 1], level, coefficient)
    assert (selection.score_linear([linear(np.zeros((3, 2)))]) == -np.inf).all()
    assert (selection.score_predictions([lambda X: np.full(len(X), 0.1)]) == -np.inf).all()


def test_a_topic_with_equal_judgments_counts_for_nothing():
    """Their mean may differ from them by rounding: 7/3 and 10/3 are no numbers of two to the anything."""
    design = a_year(1, missing=0)
    for value in (7 / 3, 10 / 3, 0.1):
        design.Y[design.topics == 2] = value
        coef, kept = np.eye(3), design.take(design.topics != 2)
        for one in (design, kept):
            selection = HeldOutScorer([one], [0], "input")
            if one is design:
                plain = selection.score_linear([linear(coef)])
        np.testing.assert_allclose(plain, selection.score_linear([linear(coef)]), atol=1e-12)


@pytest.mark.parametrize(
    "fitter",
    [CanonicalRegression(), RobustRegression(), NonNegativeRegression()],
    ids=lambda one: type(one).__name__,
)
def test_the_scores_of_a_search_are_those_of_its_predictions(fitter):
    """Canonical directions are turned towards each of two targets."""
    train, select = a_year(3), a_year(4)
    found = search_subsets(fitter, [(train, select)], [[0], [1], [2]], target=1, names="abc")
    for mask, score in zip(found.masks, found.scores, strict=True):
        used = [column for column in range(3) if mask >> column & 1]
        aimed = fitter.for_target(1) if isinstance(fitter, CanonicalRegression) else fitter
        target = train.Y if isinstance(fitter, CanonicalRegression) else train.Y[:, 1]
        predictions = aimed.fit(train.X[:, used], target).predict(select.X[:, used])
        matrices = laid_out(select, predictions), laid_out(select, select.Y[:, 1])
        expected = one_by_one(*matrices, "system")
        assert score == pytest.approx(expected, abs=1e-9)


def result(scores, tie=1e-9):
    n = len(scores)
    flags = np.ones(n, bool), np.zeros(n, int)
    return SearchResult(("a", "b"), np.arange(1, n + 1), np.array(scores), *flags, tie)


def test_of_equal_scores_the_smaller_subset_wins_then_the_first():
    found = result([0.8, 0.8 + 1e-12, 0.8 + 2e-12])
    assert [found.subset_at(place).names for place in found.ranking(3)] == [("a",), ("b",), ("a", "b")]
    assert result([0.8, 0.8, 0.9]).best().names == ("a", "b")


def test_the_best_fitter_is_the_first_of_those_with_equal_scores():
    first, second = result([0.8, 0.7, 0.6]), result([0.6, 0.8 + 1e-8, 0.8])
    assert best_fitter({"first": first, "second": second}) == "second"
    assert best_fitter({"first": first, "again": first}) == "first"
