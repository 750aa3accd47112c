"""Power on mixtures, the same as on distributions; components of human measures, by hand and by scikit-learn."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.mixture_power import mixture_power
from classy_aesop.papers.rankel_2016 import (
    MIXTURE_POWER,
    best_on_topic,
    power_on_mixtures,
    principal_components,
    year_counts,
)
from classy_aesop.work.seeds import seeded_rng

FEW = {"shares": (0.0, 0.8), "n_topics": 15, "n_null": 200, "n_trials": 100}


@pytest.fixture
def data(corpus_of):
    """Two systems with 1, 1, 2, 3 and 1, 2, 2, 2; two humans with 2, 3, 3, 3 and 3, 3, 2, 2."""
    scores = {"1": (1, 1, 2, 3), "2": (1, 2, 2, 2), "A": (2, 3, 3, 3), "B": (3, 3, 2, 2)}
    return StudyData([corpus_of({"overall": np.array([*scores.values()], dtype=float)}, names=[*scores])])


def test_topics_systems_and_humans_are_counted(corpus_of):
    with_humans = corpus_of({"h": np.ones((5, 3))}, year="2008", names=[*"123AB"])
    with_references = [corpus_of({"h": np.ones((2, 4))}, year="2009", task=task) for task in "AB"]  # Y and Z
    counts = year_counts(StudyData([with_humans, *with_references])).table
    assert counts.to_numpy().tolist() == [["2008", "A", 3, 3, 2], ["2009", "A+B", 4, 2, 2]]


@pytest.mark.parametrize("topic_effects", [False, True])
def test_power_is_that_of_the_distributions(data, topic_effects):
    found = power_on_mixtures(data, "overall", topic_effects=topic_effects, seed=2, **FEW).table
    assert list(found) == MIXTURE_POWER.names
    topics = np.array([(2, 1, 1), (1, 1, 2), (0, 3, 1), (0, 2, 2)]) / 4
    how = {"values": [1, 2, 3], "topics": topics if topic_effects else None, **FEW}
    shares = [3 / 8, 4 / 8, 1 / 8], [0, 3 / 8, 5 / 8]
    expected = mixture_power(*shares, rng=seeded_rng(2, "2021", "A", "overall"), **how)
    names = ["share", "test", "power", "error"]
    pd.testing.assert_frame_equal(found[names], expected[names])


def test_machines_and_humans_are_needed(corpus_of):
    for missing, names in (("machines", "AB"), ("humans", "12")):
        data = StudyData([corpus_of({"overall": np.eye(2)}, names=[*names])])
        with pytest.raises(InputError, match=f"no {missing} among 2"):
            power_on_mixtures(data, "overall")


def components_of(corpus_of, table_of, measures, metric):
    measures = {name: np.array(means)[:, None] for name, means in measures.items()}
    table = principal_components(
        StudyData([corpus_of(measures)], table_of({"m": np.array(metric)[:, None]}))
    ).table
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
    with pytest.raises(
        InputError, match="1 scores of 3 summaries or summarizers; expected two scores or more"
    ):
        components_of(corpus_of, table_of, {"x": [1, 2, 3]}, [1, 2, 3])


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


@pytest.mark.slow
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
    measures = {"x": np.array([[1.0], [2], [3], [5]]), "y": np.array([[2.0], [1], [3], [4]])}
    scores = {"m": [[3.0], [3], [6], [7]], "few": [[1.0], [2], [4]]}
    parts = [table_of({name: np.array(values)}) for name, values in scores.items()]
    table = principal_components(StudyData([corpus_of(measures)], pd.concat(parts, ignore_index=True))).table
    counts = table.set_index(["component", "metric"]).loc[1, "n"].to_dict()
    assert counts == {"x": 4, "y": 4, "few": 3, "m": 4}


def test_the_best_systems_of_a_topic_stand_beside_its_humans(corpus_of, table_of):
    names = ["1", "2", "3", "A", "B"]
    judged = corpus_of({"responsiveness": [[1, 2], [3, 1], [2, 2], [5, 4], [4, np.nan]]}, names=names)
    scores = table_of(
        {"rouge-2.recall": [[0.1, 0.5], [0.4, 0.4], [0.4, 0.2], [0.3, 0.9], [0.2, np.nan]]}, names=names
    )
    table = best_on_topic(StudyData([judged], scores), topic="t1", top=2).table
    assert table[["summarizer", "human", "score", "human_score"]].to_numpy().tolist() == [
        ["2", False, 0.4, 3],
        ["3", False, 0.4, 2],
        ["A", True, 0.3, 5],
        ["B", True, 0.2, 4],
    ]
    both = best_on_topic(StudyData([judged], scores), top=1).table
    assert both.groupby("topic")["summarizer"].agg(list).to_dict() == {
        "t1": ["2", "A", "B"],
        "t2": ["A", "1"],
    }
    with pytest.raises(UsageError, match="no topic 't9'; known: t1, t2"):
        best_on_topic(StudyData([judged], scores), topic="t9")
