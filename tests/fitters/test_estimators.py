"""Each fitter is a scikit-learn regressor."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from classy_aesop.fitters import (
    BoostedTrees,
    CanonicalRegression,
    ElasticNetRegression,
    NonNegativeRegression,
    OrdinalRegression,
    PairwiseRegression,
    RandomForest,
    RidgeRegression,
    RobustRegression,
)


@pytest.mark.slow(after=47)
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@parametrize_with_checks(
    [
        RobustRegression(),
        RobustRegression(stop="matlab"),
        RobustRegression(fit_intercept=False),
        NonNegativeRegression(),
        NonNegativeRegression(fit_intercept=False),
        CanonicalRegression(),
        CanonicalRegression(calibrate=False),
        RidgeRegression(),
        RidgeRegression(strength=0.01),
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@parametrize_with_checks(
    [
        ElasticNetRegression(),
        ElasticNetRegression(strength=0.01),
        OrdinalRegression(most_classes=5),
        PairwiseRegression(),
        BoostedTrees(n_trees=20),
        RandomForest(n_trees=20),
    ]
)
def test_scikit_learn_contract_of_slower_fitters(estimator, check):
    check(estimator)
