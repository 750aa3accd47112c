"""The subset search as a scikit-learn regressor."""

import numpy as np
import pytest
import sklearn
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import GroupKFold, KFold, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import check_estimator

from classy_aesop import SubsetSearchRegressor
from classy_aesop.errors import UsageError
from classy_aesop.fitters import NonNegativeRegression


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")
@pytest.mark.parametrize(
    "estimator",
    [
        SubsetSearchRegressor(),
        SubsetSearchRegressor("canonical", cv=3),
        SubsetSearchRegressor("ridge"),
        SubsetSearchRegressor("robust"),
    ],
    ids=str,
)
def test_scikit_learn_contract(estimator):
    check_estimator(estimator, on_skip=None)


@pytest.fixture
def data():
    """Twelve topics of five rows; the target is the first two columns, the topic and noise."""
    rng = np.random.default_rng(5)
    topics = np.repeat([f"t{number}" for number in range(12)], 5)
    X = rng.normal(size=(60, 5))
    y = X[:, 0] + 2 * X[:, 1] + np.repeat(rng.normal(scale=0.3, size=12), 5) + rng.normal(scale=0.3, size=60)
    return X, y, topics, np.tile(list("abcde"), 12)


def by_hand(X, y, topics, columns):
    """Correlate the predictions of held-out topics with the target, one subset at a time."""
    held_out = np.empty(len(y))
    for fitted, left in GroupKFold(5).split(X, y, topics):
        model = NonNegativeRegression().fit(X[np.ix_(fitted, columns)], y[fitted])
        held_out[left] = model.predict(X[np.ix_(left, columns)])
    return np.corrcoef(held_out, y)[0, 1]


@pytest.mark.slow
def test_every_subset_is_scored_on_held_out_topics(data):
    X, y, topics, _ = data
    found = SubsetSearchRegressor().fit(X, y, topics)
    expected = [
        by_hand(X, y, topics, [at for at in range(5) if mask >> at & 1]) for mask in found.search_.masks
    ]
    np.testing.assert_allclose(found.search_.scores, expected, rtol=1e-9)
    assert set(np.flatnonzero(found.support_)) >= {0, 1}
    again = NonNegativeRegression().fit(X[:, found.support_], y)
    np.testing.assert_allclose(found.predict(X), again.predict(X[:, found.support_]), rtol=1e-12)


def test_cross_validation_by_topic(data):
    X, y, topics, _ = data
    model = make_pipeline(StandardScaler(), SubsetSearchRegressor())
    given = {"subsetsearchregressor__topics": topics}
    scores = cross_val_score(model, X, y, groups=topics, cv=GroupKFold(4), params=given)
    assert scores.shape == (4,)
    assert (scores > 0.5).all()


def test_topics_can_be_routed(data):
    X, y, topics, _ = data
    with sklearn.config_context(enable_metadata_routing=True):
        model = SubsetSearchRegressor().set_fit_request(topics=True)
        scores = cross_val_score(model, X, y, cv=GroupKFold(4), params={"topics": topics, "groups": topics})
    plain = cross_val_score(
        SubsetSearchRegressor(), X, y, groups=topics, cv=GroupKFold(4), params={"topics": topics}
    )
    assert scores.tolist() == plain.tolist()


def test_columns_with_one_label_come_and_go_together(data):
    X, y, topics, _ = data
    found = SubsetSearchRegressor(units=["a", "b", "a", "c", "c"]).fit(X, y, topics)
    assert found.search_.names == ("a", "b", "c")
    assert found.support_[0] == found.support_[2]
    assert found.support_[3] == found.support_[4]


def test_names_are_those_of_the_columns(data):
    pd = pytest.importorskip("pandas")
    X, y, topics, _ = data
    found = SubsetSearchRegressor().fit(pd.DataFrame(X, columns=list("vwxyz")), y, topics)
    assert {"v", "w"} <= set(found.subset_.names)


@pytest.mark.parametrize("level", ["input", "centred", "system"])
def test_levels_see_topics_and_summarizers(data, level):
    X, y, topics, summarizers = data
    assert SubsetSearchRegressor(level=level).fit(X, y, topics, summarizers).support_[1]
    with pytest.raises(UsageError, match=f"level is '{level}' and fit got no"):
        SubsetSearchRegressor(level=level).fit(X, y)
    with pytest.raises(UsageError, match="level is 'topic'; expected one of system, input, global, centred"):
        SubsetSearchRegressor(level="topic").fit(X, y)


def test_any_regressor_and_any_splitter(data):
    X, y, topics, _ = data
    own = SubsetSearchRegressor(LinearRegression(), cv=KFold(3)).fit(X[:, :3], y)
    batched = SubsetSearchRegressor("canonical", cv=KFold(3)).fit(X[:, :3], y)
    np.testing.assert_allclose(own.predict(X[:, :3]), batched.predict(X[:, :3]), rtol=1e-9)
    assert isinstance(own.estimator_, LinearRegression)
    assert SubsetSearchRegressor(cv=40).fit(X, y, topics).support_.any()  # as many folds as topics


def test_what_does_not_fit_is_reported(data):
    X, y, topics, _ = data
    with pytest.raises(UsageError, match="no fitter is named 'best'; expected a regressor or one of robust"):
        SubsetSearchRegressor("best").fit(X, y)
    with pytest.raises(UsageError, match="units has 2 labels for 5 columns"):
        SubsetSearchRegressor(units=["a", "b"]).fit(X, y)
    with pytest.raises(ValueError, match="at most 20"):
        SubsetSearchRegressor().fit(np.tile(X, (1, 5)), y, topics)
    with pytest.raises(ValueError, match="the rows are of one topic"):
        SubsetSearchRegressor().fit(X, y, ["t"] * 60)
