import numpy as np
import pytest
from sklearn.ensemble import ExtraTreesRegressor, GradientBoostingRegressor

from classy_aesop.fitters import BoostedTrees, ExtraTrees
from classy_aesop.predictor import Predictor


def sample(seed, n=200, p=5):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, p)) * [1, 100, 1e-3, 1, 1]
    return X, np.sin(2 * X[:, 0]) + (X[:, 1] > 30) * X[:, 3] + 0.1 * rng.normal(size=n)


SMALL = [
    BoostedTrees(n_trees=30, random_state=7),
    ExtraTrees(n_trees=30, random_state=7),
]


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


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("fitter", SMALL, ids=str)
def test_written_and_read_predicts_the_same(fitter, tmp_path):
    X, y = sample(0)
    formula = fitter.fit(X, y).formula
    columns = ("r1", "r2", "r3", "r4", "rl")
    Predictor("x", "y", "A", "no_models", "boosting", columns, formula).save(tmp_path / "x.json")
    back = Predictor.load(tmp_path / "x.json").formula
    assert back == formula
    np.testing.assert_array_equal(back.predict(X), formula.predict(X))


@pytest.mark.parametrize("fitter", SMALL, ids=str)
def test_contributions_and_baseline_make_the_prediction(fitter):
    X, y = sample(1)
    formula = fitter.fit(X, y).formula
    added, baseline = formula.contributions(X, X.mean(axis=0))
    np.testing.assert_allclose(added.sum(axis=1) + baseline, formula.predict(X), atol=1e-12)
    unused = [column for column in range(5) if all(column not in tree.feature for tree in formula.trees)]
    np.testing.assert_array_equal(added[:, unused], 0)


@pytest.mark.slow
def test_the_baseline_of_a_forest_is_about_the_mean():
    X, y = sample(2)
    assert ExtraTrees().fit(X, y).formula.contributions(X, X.mean(axis=0))[1] == pytest.approx(
        y.mean(), abs=0.05
    )


@pytest.mark.parametrize("fitter", SMALL, ids=str)
def test_scaled_columns_change_no_prediction(fitter):
    """By powers of two, which single precision keeps."""
    X, y = sample(3)
    before = fitter.fit(X, y).predict(X)
    other = X * [1, 4, 0.25, 2, 8]
    np.testing.assert_allclose(fitter.fit(other, y).predict(other), before, atol=1e-12)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("fitter", SMALL, ids=str)
def test_the_seed_decides(fitter):
    X, y = sample(4)
    same, other = (type(fitter)(n_trees=30, random_state=seed).fit(X, y).formula for seed in (7, 8))
    assert same == fitter.fit(X, y).formula != other
