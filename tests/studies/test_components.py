"""Components of human measures: a worked example by hand, scikit-learn, and what cannot be combined."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.errors import InputError
from classy_aesop.studies.judged import StudyData
from classy_aesop.studies.rankel_2016 import principal_components


def components_of(corpus_of, table_of, measures, metric):
    measures = {name: np.array(means)[:, None] for name, means in measures.items()}
    table = principal_components(StudyData([corpus_of(measures)], table_of({"m": np.array(metric)[:, None]})))
    return table.set_index(["component", "metric"])


def test_two_measures_by_hand(corpus_of, table_of):
    found = components_of(corpus_of, table_of, {"x": [1, 2, 3], "y": [2, 1, 3]}, [3, 3, 6])
    # r = 1/2: the shares are (1 + r)/2 and (1 - r)/2, the weights 1/sqrt 2; the metric is 1 + 0.75 (x + y), less
    # nothing: x + y = 3, 3, 6, so that it is the first component
    assert found["explained"].groupby("component").first().tolist() == pytest.approx([0.75, 0.25])
    assert found.loc[(1, "x"), "weight"] == pytest.approx(0.5**0.5)
    assert found.loc[(1, "y"), "weight"] == pytest.approx(0.5**0.5)
    assert found.loc[(1, "x"), "correlation"] == pytest.approx(0.75**0.5)
    assert found.loc[(1, "m"), "correlation"] == pytest.approx(1)
    assert found.loc[(2, "m"), "correlation"] == pytest.approx(0, abs=1e-12)
    assert np.isnan(found.loc[(1, "m"), "weight"])
    assert found["human"].tolist() == [True, True, False] * 2


def test_the_shares_and_weights_are_those_of_scikit_learn(corpus_of, table_of):
    from sklearn.decomposition import PCA
    from sklearn.preprocessing import StandardScaler

    X = np.random.default_rng(3).normal(size=(9, 3)) @ [[1, 0.5, 0.2], [0, 1, 0.4], [0, 0, 1]]
    found = components_of(corpus_of, table_of, dict(zip("abc", X.T, strict=True)), X[:, 0])
    other = PCA().fit(StandardScaler().fit_transform(X))
    judged = found[found["human"]]
    assert judged["explained"].groupby("component").first().tolist() == pytest.approx(
        other.explained_variance_ratio_.tolist()
    )
    assert np.abs(judged["weight"].to_numpy()).reshape(3, 3) == pytest.approx(np.abs(other.components_))


def test_one_measure_is_not_combined(corpus_of, table_of):
    with pytest.raises(InputError, match="1 human measures of 3 summarizers; expected two measures or more"):
        components_of(corpus_of, table_of, {"x": [1, 2, 3]}, [1, 2, 3])


def test_the_sign_of_a_difference_is_that_of_the_first_measure(corpus_of, table_of):
    """Of two measures the second component is their difference: its weights sum to 0, which rounding made 1e-16."""
    for seed in range(6):
        x, y = np.random.default_rng(seed).normal(size=(2, 8)) + np.arange(8) / 2
        found = components_of(corpus_of, table_of, {"x": x, "y": y}, x)
        assert found.loc[(2, "x"), "weight"] == pytest.approx(0.5**0.5)


def test_components_that_explain_nothing_are_left_out(corpus_of, table_of):
    """Their values are rounding, and so would be their correlations."""
    x, y = np.random.default_rng(0).normal(size=(2, 8))
    found = components_of(corpus_of, table_of, {"x": x, "twice": 2 * x + 1, "y": y}, x)
    assert set(found.index.get_level_values("component")) == {1, 2}


def test_a_metric_of_some_summarizers_leaves_the_others_theirs(corpus_of, table_of):
    measures = {"x": np.array([[1.0], [2], [3], [5]]), "y": np.array([[2.0], [1], [3], [4]])}
    parts = [
        table_of({"m": np.array([[3.0], [3], [6], [7]])}),
        table_of({"few": np.array([[1.0], [2], [4]])}),
    ]
    table = principal_components(StudyData([corpus_of(measures)], pd.concat(parts, ignore_index=True)))
    assert table.set_index(["component", "metric"]).loc[1, "n"].to_dict() == {
        "x": 4,
        "y": 4,
        "few": 3,
        "m": 4,
    }
