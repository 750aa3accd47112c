"""Columns as small as likelihoods near e^-400, of which squares are 0, are learned from like any others."""

import warnings

import numpy as np
import pytest

from classy_aesop.fitters import FITTERS
from classy_aesop.search import KERNELS, Design
from classy_aesop.search.subsets import Training
from classy_aesop.training.learners import SingleColumn

TINY = 2.0**-580  # about e^-402


def arrays():
    """Three columns, a score that two of them make, and six topics."""
    rng = np.random.default_rng(1)
    X = rng.uniform(0.2, 1.0, size=(60, 3))
    return X, X @ [2.0, 0.0, -1.0] + 0.1 * rng.normal(size=60), np.arange(60) % 6


def fitted(name, X, y):
    kind = FITTERS[name]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return kind.configured(random_state=0).fit(X, y)


@pytest.mark.parametrize("unit", [TINY, 2.0**330], ids=["tiny", "huge"])
@pytest.mark.parametrize("name", FITTERS)
def test_tiny_and_huge_columns_change_no_prediction_of_a_fitter(name, unit):
    X, y, _ = arrays()
    scaled = X * unit if unit > 1 else X * [unit, 1.0, unit]
    expected, found = (fitted(name, own, y).predict(own) for own in (X, scaled))
    assert np.ptp(found) > 0
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", [name for name in FITTERS if FITTERS[name] in KERNELS])
def test_tiny_columns_change_no_prediction_of_a_search(name):
    X, y, _ = arrays()
    expected, found = (
        predictions(
            KERNELS[FITTERS[name]](FITTERS[name](), Training(own, y[:, None], 0, [[0], [1], [2]])), own
        )
        for own in (X, X * [TINY, 1.0, TINY])
    )
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)


def predictions(kernel, X):
    solved = kernel.solve(np.arange(1, 8))
    assert not solved.hard.any()
    return (X @ solved.coef + solved.intercept)[:, solved.owner]


def test_a_single_tiny_column_is_fitted():
    X, y, topics = arrays()
    line = SingleColumn("likelihood", 0)
    expected, found = (
        line.fit(Design(own, y[:, None], np.arange(60), topics), 0).predict(own) for own in (X, X * TINY)
    )
    np.testing.assert_allclose(found, expected, rtol=1e-12)


@pytest.mark.parametrize("name", FITTERS)
def test_what_no_weight_can_scale_up_counts_as_nothing(name):
    X, y, _ = arrays()
    gone = np.column_stack([X, X[:, 0] * 1e-310])
    found = fitted(name, gone, y)
    assert np.isfinite(found.predict(gone)).all()
    np.testing.assert_array_equal(found.predict(gone), found.predict(gone * [1, 1, 1, 0]))
