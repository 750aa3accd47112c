"""Means and correlations without the assessors who agree least with themselves: by hand, and as the study has them."""

import itertools

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus
from classy_aesop.errors import InputError
from classy_aesop.papers.exclusions import (
    EXCLUSION,
    agreement_exclusion,
    exclude_in_order,
    order_by_agreement,
)
from classy_aesop.papers.judged import StudyData

# Systems 1 and 2 wrote one text in every topic, so alpha compares their rated: E gives 1 and 1, 4 and 4 (alpha 1),
# F 2 and 3, 4 and 4 (two units, (2, 3) and (4, 4)), C 1 and 5, 4 and 2.
RATED = {
    "D1": ("E", (1, 1, 2, 5)),
    "D2": ("E", (4, 4, 5, 3)),
    "D3": ("F", (2, 3, 4, 5)),
    "D4": ("F", (4, 4, 1, 2)),
    "D5": ("C", (1, 5, 3, 3)),
    "D6": ("C", (4, 2, 2, 4)),
}
WRITTEN = {"1": "It rained.", "2": "It rained.", "3": "Sun.", "4": "Snow."}


def ratings_by(rated, metric="overall"):
    rows = [
        ("2021", topic, "A", str(system), metric, assessor, float(score))
        for topic, (assessor, scores) in rated.items()
        for system, score in enumerate(scores, start=1)
    ]
    columns = ["year", "topic", "task", "summarizer", "metric", "assessor", "score"]
    return pd.DataFrame(rows, columns=columns)


@pytest.fixture
def rated():
    return ratings_by(RATED)


@pytest.fixture
def texts():
    same = {"year": "2021", "task": "A", "references": {"A": "Rain fell."}}
    return Corpus.from_records(
        {"topic": topic, "summarizer": name, "text": [text], **same}
        for topic, (name, text) in itertools.product(RATED, WRITTEN.items())
    )


def exclude(ratings, corpus, scores=None):
    """Leave out the worst one and the worst two by alpha."""
    scores = ratings.iloc[:0] if scores is None else scores
    return exclude_in_order(ratings, order_by_agreement([corpus], ratings), scores)


def test_the_worst_go_first_by_hand(rated, texts):
    found = exclude(rated, texts)
    assert set(found) == {name for name in EXCLUSION.names if not name.startswith("printed_")}
    assert found["excluded"].tolist() == ["C", "C+F"]
    assert found[["n_topics", "n_left", "n_summarizers"]].to_numpy().tolist() == [[6, 4, 4], [6, 2, 4]]
    # all: 16/6, 19/6, 17/6, 22/6; without C: 11/4, 3, 3, 15/4; with E only: 5/2, 5/2, 7/2, 4
    everyone = np.array([16, 19, 17, 22]) / 6
    for row, left in zip(found.itertuples(), ([11 / 4, 3, 3, 15 / 4], [5 / 2, 5 / 2, 7 / 2, 4]), strict=True):
        assert row.pearson == pytest.approx(np.corrcoef(everyone, left)[0, 1])
    # ranks 1 3 2 4 with 1 2.5 2.5 4 and with 1.5 1.5 3 4
    assert found["spearman"].tolist() == pytest.approx([0.948683, 0.632456], abs=1e-6)
    assert found[["r_before", "by_assessor_after"]].isna().all(axis=None)


@pytest.mark.slow
def test_a_metrics_correlations_before_and_after(rated, texts):
    rng = np.random.default_rng(1)
    scores = rated.drop(columns="assessor").assign(metric="r2", score=rng.random(len(rated)))
    row, _ = exclude(rated, texts, scores=scores).itertuples()
    assert (row.metric, row.excluded) == ("r2", "C")
    r2 = scores["score"].to_numpy().reshape(6, 4)
    people = np.array([given for _, given in RATED.values()])
    assert row.r_before == pytest.approx(np.corrcoef(r2.mean(axis=0), people.mean(axis=0))[0, 1])
    assert row.r_after == pytest.approx(np.corrcoef(r2[:4].mean(axis=0), people[:4].mean(axis=0))[0, 1])
    pooled = [np.corrcoef(r2[t : t + 2].ravel(), people[t : t + 2].ravel())[0, 1] for t in (0, 2, 4)]
    assert row.by_assessor_before == pytest.approx(np.mean(pooled))
    assert row.by_assessor_after == pytest.approx(np.mean(pooled[:2]))


@pytest.mark.slow
def test_exclusion_of_any_order_of_all_and_of_several_measures(rated, texts):
    pd.testing.assert_frame_equal(exclude(rated.sample(frac=1, random_state=1), texts), exclude(rated, texts))
    of_two = rated[rated["assessor"] != "E"]  # of whom both are left out
    found = exclude(of_two, texts)
    assert found["n_left"].tolist() == [2, 0]
    assert found["n_summarizers"].tolist() == [4, 0]
    assert np.isnan(found["pearson"].iloc[-1])
    turned = {topic: ({"E": "C", "C": "E"}.get(who, who), given) for topic, (who, given) in RATED.items()}
    found = exclude(pd.concat([rated, ratings_by(turned, metric="form")]), texts)
    assert found.groupby("target")["excluded"].first().to_dict() == {"form": "E", "overall": "C"}


def test_what_cannot_be_done(rated, texts):
    with pytest.raises(InputError, match="no assessor with a name"):
        exclude(rated.drop(columns="assessor"), texts)


@pytest.mark.slow
def test_the_study_is_the_exclusion_of_its_corpus(rated, texts):
    corpus = Corpus(texts.topics, rated.drop(columns="assessor"), rated)
    scores = rated.drop(columns="assessor").assign(metric="r2", score=np.arange(len(rated)) % 7)
    study = agreement_exclusion(StudyData([corpus], scores, "all_peers")).table
    expected = exclude(rated, texts, scores=scores)
    pd.testing.assert_frame_equal(study[list(expected)], expected)
