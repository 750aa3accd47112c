import numpy as np
import pytest
from scipy.optimize import minimize
from sklearn.linear_model import LogisticRegression

from classy_aesop.fitters import PairwiseRegression
from classy_aesop.fitters.pairwise import less_topic_means, preferred_pairs
from tests.each import each


def sample(seed, n_topics=12, k=10, p=3, difficulty=0.0):
    rng = np.random.default_rng(seed)
    topics = np.repeat(np.arange(n_topics), k)
    X = rng.normal(size=(topics.size, p))
    shift = difficulty * rng.normal(size=(n_topics, 1))[topics]
    y = np.round(X @ [2.0, 1, 0] + rng.normal(size=topics.size)) - 3 * shift[:, 0]
    return X + shift, y, topics


def test_one_column_by_hand():
    """Two topics of two; the better is twice 1 above. Within topics the column is +-1/2, and so is its fit."""
    X, y, topics = np.array([[0.0], [1], [5], [6]]), np.array([2.0, 3, 1, 4]), np.array([0, 0, 1, 1])
    fit = PairwiseRegression().fit(X, y, topics)
    assert fit.n_pairs_ == 2
    # Slope: differences of 1 and 3 over differences of 1, their mean 2. The mean prediction is that of y, 2.5, at 3.
    np.testing.assert_allclose([*fit.coef_, fit.intercept_], [2, 2.5 - 2 * 3], atol=1e-12)


@each("seed", range(3))
def test_against_scikit_learn_and_a_general_optimizer(seed):
    X, y, topics = sample(seed)
    better, worse = preferred_pairs(y, topics)
    within = less_topic_means(X, topics)
    D = (X[better] - X[worse]) / np.sqrt(np.mean(within**2, axis=0))
    shares = 1 / np.bincount(topics[better])[topics[better]]
    shares /= shares.sum()

    def loss(w):
        return shares @ np.logaddexp(0, -D @ w) + 1e-4 / 2 * w @ w

    w = minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-9}).x
    direct = LogisticRegression(C=1e4, fit_intercept=False, tol=1e-10, solver="newton-cholesky")
    signs = np.where(np.arange(len(D)) % 2, 1, -1)
    direct.fit(D * signs[:, None], signs, sample_weight=shares)
    np.testing.assert_allclose(direct.coef_[0], w, rtol=1e-4)
    ours = PairwiseRegression().fit(X, y, topics)
    score = within / np.sqrt(np.mean(within**2, axis=0)) @ direct.coef_[0]
    target = less_topic_means(y[:, None], topics)[:, 0]
    expected = score * (score @ target) / (score @ score)
    np.testing.assert_allclose(less_topic_means(ours.predict(X)[:, None], topics)[:, 0], expected, atol=1e-6)
    assert ours.predict(X).mean() == pytest.approx(y.mean())


@each("seed", range(3))
def test_topic_difficulty_does_not_count(seed):
    X, y, topics = sample(seed)
    before = PairwiseRegression().fit(X, y, topics).coef_
    shift = np.random.default_rng(seed).normal(size=(12, 1))[topics]
    after = PairwiseRegression().fit(X + shift, y - 20 * shift[:, 0], topics).coef_
    np.testing.assert_allclose(after, before, atol=1e-9)


@each("seed", range(3))
def test_only_the_order_decides_the_direction(seed):
    X, y, topics = sample(seed)
    one, other = (PairwiseRegression().fit(X, values, topics).coef_ for values in (y, np.exp(y / 4)))
    np.testing.assert_allclose(one / np.linalg.norm(one), other / np.linalg.norm(other), atol=1e-9)


@each("seed", range(3))
def test_scaled_columns_reordered_rows_and_renamed_topics_change_no_prediction(seed):
    X, y, topics = sample(seed)
    before = PairwiseRegression().fit(X, y, topics).predict(X)
    other = X * [1, -5, 1e-3] + 2
    np.testing.assert_allclose(PairwiseRegression().fit(other, y, topics).predict(other), before, atol=1e-9)
    order = np.random.default_rng(0).permutation(len(y))
    named = np.array([f"t{99 - topic}" for topic in topics])
    mixed = PairwiseRegression().fit(X[order], y[order], named[order]).predict(X)
    np.testing.assert_allclose(mixed, before, atol=1e-9)


def test_no_two_judgments_differ():
    X, _, topics = sample(0)
    fit = PairwiseRegression().fit(X, topics.astype(float), topics)
    assert fit.n_pairs_ == 0
    np.testing.assert_allclose(fit.predict(X), topics.mean())


def test_a_column_that_is_constant_in_every_topic_gets_nothing():
    X, y, topics = sample(0)
    X[:, 1] = topics / 10
    assert PairwiseRegression().fit(X, y, topics).coef_[1] == 0


def test_topics_of_another_length():
    X, y, topics = sample(0)
    with pytest.raises(ValueError, match="inconsistent numbers of samples"):
        PairwiseRegression().fit(X, y, topics[1:])
