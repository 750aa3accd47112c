"""Each fitter is a scikit-learn regressor."""

import pytest
from sklearn.utils.estimator_checks import check_estimator

from classy_aesop.fitters import (
    BoostedTrees,
    CanonicalRegression,
    ExtraTrees,
    NonNegativeRegression,
    RidgeRegression,
    RobustRegression,
)


@pytest.mark.slow(after=1)
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.parametrize(
    "estimator",
    [
        CanonicalRegression(),
        CanonicalRegression(calibrate=False),
        RobustRegression(),
        RobustRegression(fit_intercept=False),
        NonNegativeRegression(),
        NonNegativeRegression(fit_intercept=False),
        RidgeRegression(),
        RidgeRegression(strength=0.01),
        BoostedTrees(n_trees=20),
        ExtraTrees(n_trees=20),
    ],
    ids=str,
)
def test_scikit_learn_contract(estimator):
    check_estimator(estimator, on_skip=None)
