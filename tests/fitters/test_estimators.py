"""Each fitter is a scikit-learn regressor."""

import pytest
from sklearn.utils.estimator_checks import parametrize_with_checks

from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression


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
    ]
)
def test_scikit_learn_contract(estimator, check):
    check(estimator)
