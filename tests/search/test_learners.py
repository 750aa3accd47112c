"""Learners without a kernel, and those that look at topics, in a search."""

import numpy as np
import pytest

from classy_aesop.fitters import BoostedTrees, ElasticNetRegression, PairwiseRegression, RidgeRegression
from classy_aesop.search import search_subsets
from tests.search.test_exhaustive import loop_of_all

FITTERS = [RidgeRegression(), ElasticNetRegression(), PairwiseRegression(), BoostedTrees(n_trees=10)]


def few(design, *, twins=False):
    return design.columns([0, 4, 0] if twins else [0, 4, 8])


@pytest.mark.slow
@pytest.mark.parametrize("fitter", FITTERS, ids=lambda fitter: type(fitter).__name__)
@pytest.mark.parametrize("fit_level", ["summary", "system"])
def test_search_against_plain_loop(years, fitter, fit_level):
    splits, groups = [tuple(few(year) for year in years)], [[0], [1], [2]]
    ask = {"target": 0, "level": "centred", "fit_level": fit_level}
    found = search_subsets(fitter, splits, groups, names="abc", **ask)
    expected = loop_of_all(fitter, splits, groups, found.masks, **ask)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-10)


@pytest.mark.slow
def test_topics_reach_the_fitter(years):
    train = few(years[0])
    own = train.fit(PairwiseRegression(), 0)
    direct = PairwiseRegression().fit(train.X, train.Y[:, 0], train.topics)
    np.testing.assert_allclose(own.coef_, direct.coef_, rtol=1e-12)
    assert own.n_pairs_ < PairwiseRegression().fit(train.X, train.Y[:, 0]).n_pairs_


def test_ridge_uses_equal_columns_both(years):
    splits, groups = [tuple(few(year, twins=True) for year in years)], [[0], [1], [2]]
    ask = {"target": 0, "level": "centred"}
    found = search_subsets(RidgeRegression(0.5), splits, groups, names="abc", **ask)
    expected = loop_of_all(RidgeRegression(0.5), splits, groups, found.masks, **ask)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-10)
    assert abs(found.scores[2] - found.scores[6]) > 1e-6
