import warnings

import numpy as np
import pytest
from statsmodels.miscmodels.ordinal_model import OrderedModel

from classy_aesop.fitters import OrdinalRegression
from classy_aesop.fitters.ordinal import ordered_classes
from tests.each import each


def sample(seed, n=300, p=3):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p))
    latent = X @ np.arange(1.0, p + 1) / p + rng.logistic(size=n)
    return X, 1.0 + np.digitize(latent, [-2, -1, 0.5, 3])


def test_one_question_by_hand():
    """With two classes and a column of 0 and 1, the latent weight is the logarithm of the odds ratio."""
    X = np.repeat([[0.0], [1.0]], 10, axis=0)
    y = np.r_[np.ones(8), 2 * np.ones(2), np.ones(5), 2 * np.ones(5)]
    fit = OrdinalRegression().fit(X, y)
    assert fit.latent_[0] == pytest.approx(np.log((5 / 5) / (2 / 8)), abs=1e-5)
    np.testing.assert_allclose(
        fit.predict([[0], [1]]), [1.2, 1.5], atol=1e-12
    )  # the means: any slope is calibrated


@pytest.mark.slow(after=1)
@each("seed", range(3))
def test_against_statsmodels(seed):
    X, y = sample(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = OrderedModel(y.astype(int), X, distr="logit").fit(method="bfgs", disp=False, gtol=1e-8)
    fit = OrdinalRegression().fit(X, y)
    np.testing.assert_allclose(fit.latent_, expected.params[:3], atol=1e-4)
    score = X @ fit.latent_
    np.testing.assert_allclose(fit.predict(X), np.polyval(np.polyfit(score, y, 1), score), atol=1e-10)
    assert (fit.n_classes_, fit.converged_) == (5, True)


@pytest.mark.slow(after=1)
@each("seed", range(3))
def test_only_the_order_of_the_classes_decides_the_direction(seed):
    X, y = sample(seed)
    before = OrdinalRegression().fit(X, y).latent_
    after = OrdinalRegression().fit(X, np.exp(y)).latent_
    np.testing.assert_allclose(after, before, rtol=1e-12)
    other = X * [1, -5, 1e-3] + 2
    np.testing.assert_allclose(OrdinalRegression().fit(other, y).latent_ * [1, -5, 1e-3], before, atol=1e-4)


def test_dependent_columns_get_nothing():
    X, y = sample(0)
    X = np.column_stack([X, X[:, 0] + X[:, 1], np.full(len(X), 0.1)])
    fit = OrdinalRegression().fit(X, y)
    assert np.count_nonzero(fit.latent_) == 3
    np.testing.assert_allclose(
        fit.predict(X), OrdinalRegression().fit(X[:, :3], y).predict(X[:, :3]), atol=1e-4
    )


def test_many_values_are_cut_by_quantiles():
    y = np.random.default_rng(0).normal(size=100)
    classes = ordered_classes(y, 5)
    np.testing.assert_array_equal(np.bincount(classes), 20)
    assert np.all(np.diff(classes[np.argsort(y)]) >= 0)


def test_a_constant_target():
    fit = OrdinalRegression().fit(sample(0)[0], np.full(300, 3.0))
    np.testing.assert_array_equal(fit.predict([[1, 2, 3]]), [3])


def test_separable_classes_are_told_and_calibrated():
    X = np.arange(20.0)[:, None]
    fit = OrdinalRegression().fit(X, np.repeat([1, 2], 10))
    assert np.isfinite(fit.predict(X)).all()
    assert np.corrcoef(fit.predict(X), X[:, 0])[0, 1] == pytest.approx(1)


def test_one_class_at_most():
    with pytest.raises(ValueError, match="most_classes is 1; expected 2 or more"):
        OrdinalRegression(most_classes=1).fit(*sample(0))
