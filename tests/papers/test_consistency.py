"""Agreement of assessors with themselves, and scores without those who agree least, by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Corpus
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.papers.consistency import (
    EXCLUSION,
    agreement_exclusion,
    agreement_on_texts,
    exclude_in_order,
    order_by_agreement,
)
from classy_aesop.papers.judged import StudyData
from classy_aesop.significance.raters.krippendorff import krippendorff_alpha


def ratings_of(rows):
    columns = ["year", "topic", "task", "summarizer", "metric", "assessor", "score"]
    return pd.DataFrame(rows, columns=columns).astype({"score": float})


TEXTS = {"1": "It rained.", "2": " It \n rained. ", "3": "It rained.", "4": "Sun.", "5": "Sun.", "6": "Snow."}


def corpus_of(texts, topics=("D1", "D2"), tasks="AB"):
    same = {"year": "2021", "references": {"A": "Rain fell."}}
    return corpus_of_records(
        {"topic": topic, "task": task, "summarizer": name, "text": [text], **same}
        for topic, task, (name, text) in itertools.product(topics, tasks, texts.items())
    )


def agreement(ratings, texts=TEXTS, **selection):
    return agreement_on_texts(ratings, corpus_of(texts, **selection).topics, scale="interval")


@pytest.fixture
def rated_texts():
    """Topic D1 rated by E, D2 by F; scores differ by topic, task and summarizer."""
    rng = np.random.default_rng(4)
    keys = itertools.product((("D1", "E"), ("D2", "F")), "AB", TEXTS)
    return ratings_of(
        [("2021", topic, task, name, "overall", who, rng.integers(1, 6)) for (topic, who), task, name in keys]
    )


def test_an_assessor_with_himself_by_hand(rated_texts):
    # units: 3 + 2 summaries with one text in each of 2 topics x 2 tasks; (3 + 1) x 4 pairs; one text alone
    table = agreement(rated_texts)
    assert list(table["assessor"]) == ["", "E", "F"]
    assert set(table["task"]) == {"A+B"}
    assert list(table["n_units"]) == [8, 4, 4]
    assert list(table["n_pairs"]) == [16, 8, 8]
    assert list(table["n_single"]) == [4, 2, 2]
    own = rated_texts[rated_texts["assessor"] == "E"]
    units = []
    for _, rows in own.groupby("task"):
        score = dict(zip(rows["summarizer"], rows["score"], strict=True))
        units += [[score["1"], score["2"], score["3"]], [score["4"], score["5"], np.nan]]
    assert table["value"][1] == pytest.approx(krippendorff_alpha(np.transpose(units)).value, rel=1e-12)


def test_units_of_one_assessor_with_himself(rated_texts):
    named = agreement(rated_texts)
    bare = agreement(rated_texts.drop(columns="assessor"))
    assert list(bare["assessor"]) == [""]
    pd.testing.assert_frame_equal(bare, named.iloc[:1])
    half = rated_texts.assign(assessor=rated_texts["assessor"].replace("F", ""))
    table = agreement(half)
    assert list(table["assessor"]) == ["", "E"]
    assert list(table["n_units"]) == [8, 4]
    both = pd.concat([rated_texts, rated_texts.assign(assessor="G", score=3.0)])
    table = agreement(both)
    assert list(table["n_units"]) == [16, 4, 4, 8]
    assert np.isnan(table["value"][3])
    assert table["flag"][3] == "all ratings alike"
    with pytest.warns(DataWarning, match=r"left out: 12 rated summaries are not in the corpus: 2021 D2-A 1"):
        table = agreement(rated_texts, topics=["D1"])
    assert list(table["n_units"]) == [4, 4]


def test_what_cannot_be_done(rated_texts):
    with pytest.raises(InputError, match="no assessor rated the same text twice"):
        agreement(rated_texts, {name: name for name in TEXTS})
    with pytest.raises(InputError, match="24 rated summaries are not in the corpus"):
        agreement(rated_texts, topics=["D9"])


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
    return corpus_of_records(
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


def test_nobody_can_be_left_out_without_a_name(rated, texts):
    with pytest.raises(InputError, match="no assessor with a name"):
        exclude(rated.drop(columns="assessor"), texts)


@pytest.mark.slow
def test_the_study_is_the_exclusion_of_its_corpus(rated, texts):
    corpus = Corpus(texts.topics, rated.drop(columns="assessor"), rated)
    scores = rated.drop(columns="assessor").assign(metric="r2", score=np.arange(len(rated)) % 7)
    study = agreement_exclusion(StudyData([corpus], scores, "all_peers")).table
    expected = exclude(rated, texts, scores=scores)
    pd.testing.assert_frame_equal(study[list(expected)], expected)
