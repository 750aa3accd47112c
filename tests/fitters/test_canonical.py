import numpy as np
import pytest
from sklearn.exceptions import DataConversionWarning

from classy_aesop.fitters import CanonicalRegression
from classy_aesop.fitters.least_squares import least_squares

F = np.array([[0.05, 3], [0.08, 4], [0.06, 6], [0.10, 5], [0.12, 7], [0.09, 3]])
H = np.array([[2, 0.20, 3], [3, 0.35, 2], [2, 0.25, 4], [4, 0.50, 4], [5, 0.70, 5], [3, 0.40, 3]])


def sample(seed, n=70, p=5, q=3):
    rng = np.random.default_rng(seed)
    common = rng.normal(size=(n, 1))
    return rng.normal(size=(n, p)) + common, rng.normal(size=(n, q)) + common


@pytest.mark.parametrize("seed", range(5))
def test_one_measure_calibrated_is_least_squares(seed):
    X, Y = sample(seed, q=1)
    ones = np.column_stack([np.ones(len(X)), X])
    expected = ones @ least_squares(ones, Y[:, 0])[0]
    np.testing.assert_allclose(CanonicalRegression().fit(X, Y[:, 0]).predict(X), expected, atol=1e-12)
    with pytest.warns(DataConversionWarning):
        np.testing.assert_allclose(CanonicalRegression().fit(X, Y).predict(X), expected, atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_the_target_decides_sign_and_scale_alone(seed):
    X, Y = sample(seed)
    Y[:, 2] *= -1
    raw = [CanonicalRegression(target, calibrate=False).fit(X, Y).predict(X) for target in range(3)]
    np.testing.assert_allclose(raw[1], raw[0], atol=1e-12)
    np.testing.assert_allclose(raw[2], -raw[0], atol=1e-12)
    for target, score in enumerate(raw):
        assert np.var(score, ddof=1) == pytest.approx(1)
        fit = CanonicalRegression(target).fit(X, Y)
        assert np.corrcoef(score, Y[:, target])[0, 1] > 0
        slope, constant = np.polyfit(score, Y[:, target], 1)
        np.testing.assert_allclose(fit.predict(X), slope * score + constant, atol=1e-12)
        assert fit.score(X, Y) == pytest.approx(np.corrcoef(score, Y[:, target])[0, 1] ** 2)


def test_constant_sides():
    X, Y = sample(0)
    flat = CanonicalRegression().fit(np.full_like(X, 0.1), Y)
    assert flat.correlations_.size == 0
    np.testing.assert_allclose(flat.predict(X), Y[:, 0].mean())
    Y[:, 0] = 0.1
    fit = CanonicalRegression(calibrate=False).fit(X, Y)  # the other measures decide the sign
    assert np.corrcoef(fit.predict(X), Y[:, 1:].T)[0, 1:].sum() > 0
    np.testing.assert_allclose(CanonicalRegression().fit(X, Y).predict(X), 0.1)


def test_target_that_is_not_there():
    with pytest.raises(ValueError, match="target is 3; expected a column of y, 0 to 2"):
        CanonicalRegression(target=3).fit(F, H)
