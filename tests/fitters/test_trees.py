import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor

from classy_aesop.fitters import BoostedTrees, ExtraTrees


def sample(seed, n=200, p=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * [1, 100, 1e-3, 1, 1]
    return X, np.sin(2 * X[:, 0]) + (X[:, 1] > 30) * X[:, 3] + 0.1 * rng.normal(size=n)


SMALL = [BoostedTrees(n_trees=30, random_state=7), ExtraTrees(n_trees=30, random_state=7)]


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("seed", range(3))
def test_predictions_against_scikit_learn(seed):
    X, y = sample(seed)
    new = np.concatenate([sample(seed + 10)[0], X])
    boosting = GradientBoostingRegressor(
        n_estimators=30,
        learning_rate=0.08,
        subsample=0.5,
        max_features=0.25,
        min_samples_leaf=10,
        random_state=7,
    )
    extra = ExtraTreesRegressor(
        n_estimators=30, max_leaf_nodes=32, min_samples_leaf=5, max_features=1 / 3, random_state=7
    )
    for ours, theirs in zip(SMALL, (boosting, extra), strict=True):
        expected = theirs.fit(X, y).predict(new)
        np.testing.assert_allclose(ours.fit(X, y).predict(new), expected, rtol=0, atol=1e-12)
