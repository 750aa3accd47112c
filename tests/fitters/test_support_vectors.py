"""Support vector regression, and learning to rank against the minimum of its objective by scipy."""

import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.compose import TransformedTargetRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVR

from classy_aesop.fitters import RankingMachine, SupportVectorRegression
from classy_aesop.fitters.least_squares import StandardColumns
from classy_aesop.fitters.support_vectors import ordered_differences


@pytest.fixture
def rows():
    rng = np.random.default_rng(3)
    X = rng.normal(size=(40, 3)) * [1.0, 100.0, 0.01] + [5.0, 0.0, 1.0]
    y = X @ [0.5, 0.01, 20.0] + 0.3 * rng.normal(size=40)
    return X, np.round(y, 1)


def test_regression_is_that_of_scikit_learn_on_standard_columns_and_scores(rows):
    X, y = rows
    machine = make_pipeline(StandardScaler(), SVR(kernel="linear", C=2.0, tol=1e-9))
    expected = TransformedTargetRegressor(machine, transformer=StandardScaler()).fit(X, y).predict(X)
    np.testing.assert_allclose(SupportVectorRegression(cost=2.0).fit(X, y).predict(X), expected, atol=1e-6)


def test_ranking_is_the_minimum_of_its_objective(rows):
    X, y = rows
    standard = StandardColumns.standardize(X)
    differences = ordered_differences(standard.Z, y, 0)

    def objective(weights):
        lack = np.maximum(1 - differences @ weights, 0.0)
        slope = weights - 2 * 4.0 * (lack @ differences) / len(differences)
        return 0.5 * weights @ weights + 4.0 * np.mean(lack**2), slope

    best = minimize(objective, np.zeros(3), jac=True, method="L-BFGS-B", options={"gtol": 1e-10}).x
    fitted = RankingMachine(cost=4.0, calibrate=False).fit(X, y)
    np.testing.assert_allclose(fitted.coef_ * standard.scale, best, rtol=1e-4)


def test_only_the_order_of_the_judgments_counts(rows):
    X, y = rows
    plain = RankingMachine(calibrate=False).fit(X, y)
    np.testing.assert_allclose(RankingMachine(calibrate=False).fit(X, np.exp(y / 10)).coef_, plain.coef_)


def test_calibrated_predictions_are_the_least_squares_of_the_judgments_on_the_score(rows):
    X, y = rows
    score = RankingMachine(calibrate=False).fit(X, y).predict(X)
    expected = np.polyval(np.polyfit(score, y, 1), score)
    np.testing.assert_allclose(RankingMachine().fit(X, y).predict(X), expected, atol=1e-9)
    assert RankingMachine().is_on_scale
    assert not RankingMachine(calibrate=False).is_on_scale


def test_pairs_by_hand():
    Z = np.array([[1.0], [4.0], [2.0]])
    np.testing.assert_array_equal(ordered_differences(Z, np.array([3.0, 1.0, 3.0]), 0), [[-3.0], [-2.0]])


def test_of_many_pairs_some_are_drawn_by_the_seed(monkeypatch, rows):
    monkeypatch.setattr("classy_aesop.fitters.support_vectors.MAX_PAIRS", 100)
    X, y = rows
    one, again, other = (RankingMachine(random_state=seed).fit(X, y).coef_ for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert np.abs(one - other).max() > 0
    assert len(ordered_differences(X, y, 1)) == 100


@pytest.mark.parametrize("fitter", [SupportVectorRegression(), RankingMachine()])
def test_equal_judgments_have_no_weights(fitter):
    fitted = fitter.fit([[1.0], [2.0], [3.0]], [2.0, 2.0, 2.0])
    assert fitted.coef_.tolist() == [0.0]
    assert fitted.predict([[9.0]]).tolist() == [2.0]


@pytest.mark.parametrize(
    "fitter",
    [SupportVectorRegression(cost=0.0), SupportVectorRegression(epsilon=-1), RankingMachine(cost=-1.0)],
)
def test_a_parameter_out_of_range_is_refused(fitter):
    with pytest.raises(ValueError, match=r"parameter of .* must be a float in the range"):
        fitter.fit([[1.0], [2.0]], [1.0, 2.0])
