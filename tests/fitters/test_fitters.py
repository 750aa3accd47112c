"""Each fitter is a scikit-learn regressor that learns from tiny columns too; what it declares is what is done."""

import warnings

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from classy_aesop.fitters import (
    FITTERS,
    BoostedTrees,
    CanonicalRegression,
    ExtraTrees,
    LinearFitter,
    NonNegativeRegression,
    RidgeRegression,
    RobustRegression,
    fitters_tried_by_best,
)
from classy_aesop.search import KERNELS
from classy_aesop.search.kernels.base import Training

OPTIONS = {"target": 2, "calibrate": False, "random_state": 7}


class Plain(LinearFitter):
    """Writes `solve` and declares nothing."""

    def solve(self, X, y):
        return X[0] * 0.0, float(y.mean())


def test_a_fitter_takes_of_the_options_those_of_its_constructor():
    taken = {
        name: set(fitter.from_options(**OPTIONS).get_params()) & set(OPTIONS)
        for name, fitter in FITTERS.items()
    }
    assert {name: found for name, found in taken.items() if found} == {
        "canonical": {"target", "calibrate"},
        "boosting": {"random_state"},
        "extra_trees": {"random_state"},
        "ranking": {"calibrate", "random_state"},
    }
    assert CanonicalRegression.from_options(**OPTIONS).get_params() == {"target": 2, "calibrate": False}
    assert ExtraTrees.from_options(**OPTIONS).random_state == 7
    assert isinstance(Plain.from_options(**OPTIONS), Plain)


def test_a_new_fitter_joins_no_choice_that_it_does_not_name(monkeypatch):
    monkeypatch.setitem(FITTERS, "plain", Plain)
    assert fitters_tried_by_best() == ("robust", "nonnegative", "canonical")
    monkeypatch.setattr(Plain, "tried_by_best", True)
    assert fitters_tried_by_best() == ("robust", "nonnegative", "canonical", "plain")


@pytest.mark.parametrize(
    "solved",
    [
        None,
        1.0,
        (np.zeros(3), 0.0),
        (np.full(2, np.nan), 0.0),
        (np.zeros(2), np.nan),
        (np.zeros(2) * 1j, 0.0),
        (["a", "b"], 0.0),
    ],
)
def test_a_solution_of_another_form_names_the_fitter(solved):
    class Broken(RidgeRegression):
        def solve(self, X, y):
            return solved

    with pytest.raises(
        TypeError, match=r"Broken.solve returns something else; expected weights of shape \(2,\)"
    ):
        Broken().fit(np.arange(8.0).reshape(4, 2), np.arange(4.0))


@pytest.mark.slow(after=1)
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.parametrize(
    "estimator",
    [
        CanonicalRegression(),
        CanonicalRegression(calibrate=False),
        RobustRegression(),
        NonNegativeRegression(),
        RidgeRegression(),
        RidgeRegression(strength=0.01),
        BoostedTrees(n_trees=20),
        ExtraTrees(n_trees=20),
    ],
    ids=str,
)
def test_scikit_learn_contract(estimator):
    check_estimator(estimator, on_skip=None)


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
        return kind.from_options(random_state=0).fit(X, y)


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


@pytest.mark.parametrize("unit", [TINY, 2.0**330], ids=["tiny", "huge"])
@pytest.mark.parametrize("name", FITTERS)
def test_tiny_and_huge_columns_change_no_prediction_of_a_fitter(name, unit):
    X, y, _ = arrays()
    scaled = X * unit if unit > 1 else X * [unit, 1.0, unit]
    expected, found = (fitted(name, own, y).predict(own) for own in (X, scaled))
    assert np.ptp(found) > 0
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-9)
