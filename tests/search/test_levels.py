"""The search's correlations by level are those of the tests of metrics."""

import numpy as np
import pytest

from classy_aesop.search import Design, Resamples
from classy_aesop.search.scoring import Resampled, Selection
from classy_aesop.search.subsets import Solutions
from classy_aesop.significance.choices import LEVELS
from classy_aesop.significance.correlation import correlation


def a_year(seed, *, missing=0.2):
    rng = np.random.default_rng(seed)
    who, topic = np.divmod(np.flatnonzero(rng.random(8 * 6) > missing), 6)
    X = rng.normal(size=(who.size, 3)) + who[:, None] / 3
    return Design(X, X @ rng.normal(size=(3, 2)) + rng.normal(size=(who.size, 2)), who, topic)


def laid_out(design, values):
    matrix = np.full((8, 6), np.nan)
    matrix[design.summarizers, design.topics] = values
    return matrix


def linear(coef):
    every = np.arange(coef.shape[1])
    return Solutions(coef, np.full(every.size, 5.0), every >= 0, every < 0, every)


def drawn_once(design):
    """Draws in which everyone is drawn once, and so nobody is left over."""
    n_topics, n_summarizers = design.topics.max() + 1, design.summarizers.max() + 1
    return Resamples(np.ones((1, n_topics)), np.ones((1, n_summarizers)))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("seed", range(3))
def test_against_correlation_of_matrices(level, seed):
    design, coef = a_year(seed), np.random.default_rng(9).normal(size=(3, 4))
    selection = Selection([design], [1, 0], level)
    found = selection.score_linear([linear(coef)])
    for at, weights in enumerate(coef.T):
        matrices = [laid_out(design, values) for values in (design.X @ weights + 5, *design.Y[:, [1, 0]].T)]
        expected = [correlation(matrices[0], target, level=level).value for target in matrices[1:]]
        np.testing.assert_allclose(found[:, at], expected, atol=1e-12)
        alone = selection.score_any([lambda X, weights=weights: np.exp(X @ weights)])
        curved = [
            correlation(laid_out(design, np.exp(design.X @ weights)), target, level=level).value
            for target in matrices[1:]
        ]
        np.testing.assert_allclose(alone, curved, atol=1e-12)
    drawn = Resampled(selection.rows, level, drawn_once(design)).score_linear([linear(coef)])
    np.testing.assert_allclose(drawn[0, :, 0], found, atol=1e-12)
    assert (drawn[1] == -np.inf).all()


def test_a_topic_with_equal_judgments_counts_for_nothing():
    """Their mean may differ from them by rounding: 7/3 and 10/3 are no numbers of two to the anything."""
    design = a_year(1, missing=0)
    for value in (7 / 3, 10 / 3, 0.1):
        design.Y[design.topics == 2] = value
        coef, kept = np.eye(3), design.take(design.topics != 2)
        everyone = Resamples(np.ones((1, 6)), np.full((1, 8), 3.0))
        for one in (design, kept):
            selection = Selection([one], [0], "input")
            drawn = Resampled(selection.rows, "input", everyone).score_linear([linear(coef)])[0, :, 0]
            if one is design:
                plain, on_resamples = selection.score_linear([linear(coef)]), drawn
        np.testing.assert_allclose(plain, selection.score_linear([linear(coef)]), atol=1e-12)
        np.testing.assert_allclose(on_resamples, drawn, atol=1e-12)


@pytest.mark.parametrize("level", LEVELS)
def test_what_does_not_vary_has_no_score(level):
    design = a_year(2)
    design.X[:, 1] = 0.1
    scores = Selection([design], [0, 1], level).score_linear([linear(np.eye(3))])
    assert np.isfinite(scores[:, [0, 2]]).all()
    assert (scores[:, 1] == -np.inf).all()
    assert (Selection([design], [0, 1], level).score_any([lambda X: np.full(len(X), 0.1)]) == -np.inf).all()


@pytest.mark.parametrize("level", LEVELS)
def test_a_large_constant_costs_no_digits(level):
    selection = Selection([a_year(3)], [0], level)
    scores = selection.score_linear([linear(np.eye(3))])
    np.testing.assert_allclose(selection.score_linear([linear(1e-8 * np.eye(3))]), scores, rtol=0, atol=1e-14)
