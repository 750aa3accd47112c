"""Learners of many columns in a search: ridge regression, and trees, which have no kernel."""

import numpy as np
import pytest

from classy_aesop.fitters import BoostedTrees, RidgeRegression
from classy_aesop.search import search_subsets
from tests.search.test_exhaustive import loop_of_all

FITTERS = [RidgeRegression(), BoostedTrees(n_trees=10)]


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


def test_ridge_uses_equal_columns_both(years):
    splits, groups = [tuple(few(year, twins=True) for year in years)], [[0], [1], [2]]
    ask = {"target": 0, "level": "centred"}
    found = search_subsets(RidgeRegression(0.5), splits, groups, names="abc", **ask)
    expected = loop_of_all(RidgeRegression(0.5), splits, groups, found.masks, **ask)
    np.testing.assert_allclose(found.scores, expected, rtol=0, atol=1e-10)
    assert abs(found.scores[2] - found.scores[6]) > 1e-6
