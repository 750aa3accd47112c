import numpy as np
import pytest
from sklearn.linear_model import ElasticNet, ElasticNetCV
from sklearn.model_selection import GroupKFold

from classy_aesop.fitters import ElasticNetRegression
from classy_aesop.fitters.elastic_net import topic_splits


def sample(seed, n_topics=10, k=8, p=5):
    rng = np.random.default_rng(seed)
    topics = np.repeat(np.arange(n_topics), k)
    X = rng.normal(size=(topics.size, p)) + rng.normal(size=(n_topics, 1))[topics]
    y = X @ [1, 0.5, 0, 0, 0] + rng.normal(size=n_topics)[topics] + rng.normal(size=topics.size)
    return X, y, topics


def test_one_column_by_hand():
    # Standard column and target are equal: product 1. Half of 0.4 is taken off, the rest divides: (1 - .2) / (1 + .2).
    fit = ElasticNetRegression(strength=0.4).fit([[0.0], [6.0]], [3.0, 7.0])
    np.testing.assert_allclose(fit.coef_, [0.8 / 1.2 * 2 / 3], atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_against_scikit_learn(seed):
    X, y, topics = sample(seed)
    Z, target = (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()
    fixed = ElasticNet(alpha=0.1, tol=1e-10, max_iter=10**6).fit(Z, target)
    ours = ElasticNetRegression(strength=0.1).fit(X, y).predict(X)
    np.testing.assert_allclose(ours, y.mean() + y.std() * fixed.predict(Z), atol=1e-6)
    folds = list(GroupKFold(5).split(Z, groups=topics))
    chosen = ElasticNetCV(cv=folds, l1_ratio=0.5, tol=1e-8, max_iter=10**5).fit(Z, target)
    ours = ElasticNetRegression().fit(X, y, topics)
    assert ours.strength_ == pytest.approx(chosen.alpha_, rel=1e-12)
    np.testing.assert_allclose(ours.predict(X), y.mean() + y.std() * chosen.predict(Z), atol=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_scaled_columns_and_reordered_rows_change_no_prediction(seed):
    X, y, topics = sample(seed)
    before = ElasticNetRegression().fit(X, y, topics).predict(X)
    other = X * [1, -1, 5, 1e-4, 300] + 2
    after = ElasticNetRegression().fit(other, 2 * y + 9, topics).predict(other)
    np.testing.assert_allclose(after, 2 * before + 9, atol=1e-5)
    order = np.random.default_rng(0).permutation(len(y))
    mixed = ElasticNetRegression().fit(X[order], y[order], topics[order]).predict(X)
    np.testing.assert_allclose(mixed, before, atol=1e-5)


def test_no_topic_is_on_both_sides():
    topics = np.random.default_rng(1).integers(0, 7, size=50)
    splits = topic_splits(topics)
    assert len(splits) == 5
    for rest, held in splits:
        assert not set(topics[rest]) & set(topics[held])
    assert len(topic_splits(np.array([0, 0, 1, 1]))) == 2


def test_rows_of_one_topic_are_dealt_in_blocks():
    found = sorted(held.tolist() for _, held in topic_splits(np.zeros(10, dtype=int)))
    assert found == [[0, 1], [2, 3], [4, 5], [6, 7], [8, 9]]
    assert len(topic_splits(np.zeros(3, dtype=int))) == 3


def test_a_high_price_leaves_nothing_and_a_lasso_less_than_all():
    X, y, topics = sample(0)
    np.testing.assert_array_equal(ElasticNetRegression(strength=9.0).fit(X, y).coef_, 0)
    lasso = ElasticNetRegression(strength=0.2, mixing=1.0).fit(X, y, topics)
    assert 0 < np.count_nonzero(lasso.coef_) < 5


def test_nothing_varies():
    flat = ElasticNetRegression().fit(np.full((6, 2), 0.1), np.arange(6))
    assert (flat.predict([[3, 4]]), flat.strength_) == (2.5, 0)


@pytest.mark.parametrize("mixing", [0, 1.1])
def test_a_mixing_that_is_no_share(mixing):
    with pytest.raises(ValueError, match="expected a number above 0, at most 1"):
        ElasticNetRegression(mixing=mixing).fit(*sample(0)[:2])
