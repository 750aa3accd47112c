"""Agreement of assessors from tables and texts: by hand, and the same as on the arrays."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus, assessor_agreement, assessor_confusion, read_scores
from classy_aesop.analysis.assessors import AGREEMENT, CONFUSED, FOUND
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.significance.alpha import krippendorff_alpha
from classy_aesop.work.records import seeded_rng

PAIRS = [(3, 3), (2, 3), (4, 4), (5, 4), (1, 1)]  # alpha .8875 (interval), .907692 (ordinal)


def ratings_of(rows):
    columns = ["year", "topic", "task", "summarizer", "metric", "assessor", "score"]
    return pd.DataFrame(rows, columns=columns).astype({"score": float})


@pytest.fixture
def ratings():
    """Five summaries with two ratings each, in tables of two tasks; one more has a single rating."""
    rows = [
        ("2021", "t1", task, str(summary), "overall", assessor, score)
        for task in "AB"
        for summary, pair in enumerate(PAIRS)
        for assessor, score in zip("xy", pair, strict=True)
    ]
    return ratings_of([*rows, ("2021", "t1", "A", "9", "overall", "x", 5)])


TEXTS = {"1": "It rained.", "2": " It \n rained. ", "3": "It rained.", "4": "Sun.", "5": "Sun.", "6": "Snow."}


def corpus_of(texts, topics=("D1", "D2"), tasks=("A", "B")):
    return Corpus.from_records(
        {
            "year": "2021",
            "topic": topic,
            "task": task,
            "summarizer": name,
            "text": [text],
            "references": {"A": "Rain fell."},
        }
        for topic in topics
        for task in tasks
        for name, text in texts.items()
    )


@pytest.fixture
def rated_texts():
    """Topic D1 rated by E, D2 by F; scores differ by topic, task and summarizer."""
    rng = np.random.default_rng(4)
    return ratings_of(
        [
            ("2021", topic, task, name, "overall", assessor, rng.integers(1, 6))
            for topic, assessor in (("D1", "E"), ("D2", "F"))
            for task in "AB"
            for name in TEXTS
        ]
    )


@pytest.mark.parametrize(("scale", "value"), [("interval", 0.8875), ("ordinal", 0.907692)])
def test_assessors_with_each_other_by_hand(ratings, scale, value):
    table = assessor_agreement(ratings, scale=scale, n_resamples=99)
    assert list(table) == AGREEMENT
    assert list(table["task"]) == ["A", "B"]
    assert list(table["value"]) == pytest.approx([value, value], abs=5e-7)
    assert table[["n_units", "n_pairs", "n_ratings"]].to_numpy().tolist() == [[5, 5, 10], [5, 5, 10]]
    assert list(table["n_single"]) == [1, 0]


def test_it_is_the_alpha_of_the_array_whatever_the_order_of_rows(ratings, shuffle):
    table = assessor_agreement(shuffle(ratings), n_resamples=199, seed=7)
    rng = seeded_rng(7, "2021", "B", "overall", "")
    found = krippendorff_alpha(np.transpose(PAIRS), n_resamples=199, rng=rng)
    for name in FOUND:
        assert table[name][1] == getattr(found, name)
    pd.testing.assert_frame_equal(assessor_agreement(ratings, n_resamples=199, seed=7), table)


def test_an_assessor_with_himself_by_hand(rated_texts):
    # units: 3 + 2 summaries with one text in each of 2 topics x 2 tasks; (3 + 1) x 4 pairs; one text alone
    table = assessor_agreement(rated_texts, corpus=corpus_of(TEXTS), n_resamples=99)
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


def test_without_names_a_topic_has_one_unnamed_assessor(rated_texts):
    named = assessor_agreement(rated_texts, corpus=corpus_of(TEXTS), n_resamples=9)
    bare = assessor_agreement(rated_texts.drop(columns="assessor"), corpus=corpus_of(TEXTS), n_resamples=9)
    assert list(bare["assessor"]) == [""]
    pd.testing.assert_frame_equal(bare, named.iloc[:1])


def test_who_has_no_name_is_only_among_all_together(rated_texts):
    half = rated_texts.assign(assessor=rated_texts["assessor"].replace("F", ""))
    table = assessor_agreement(half, corpus=corpus_of(TEXTS), n_resamples=9)
    assert list(table["assessor"]) == ["", "E"]
    assert list(table["n_units"]) == [8, 4]


def test_one_task_alone(rated_texts):
    table = assessor_agreement(rated_texts, corpus=corpus_of(TEXTS), task="B", n_resamples=9)
    assert set(table["task"]) == {"B"}
    assert list(table["n_units"]) == [4, 2, 2]


def test_one_text_rated_by_two_assessors_is_two_units(rated_texts):
    both = pd.concat([rated_texts, rated_texts.assign(assessor="G", score=3.0)])
    table = assessor_agreement(both, corpus=corpus_of(TEXTS), n_resamples=9)
    assert list(table["n_units"]) == [16, 4, 4, 8]
    assert np.isnan(table["value"][3])
    assert table["flag"][3] == "all ratings alike"


def test_ratings_without_a_text_are_left_out_with_a_warning(rated_texts):
    with pytest.warns(DataWarning, match=r"left out: 12 rated summaries are not in the corpus: 2021 D2-A 1"):
        table = assessor_agreement(rated_texts, corpus=corpus_of(TEXTS, topics=["D1"]), n_resamples=9)
    assert list(table["n_units"]) == [4, 4]


def test_what_cannot_be_done(ratings, rated_texts):
    with pytest.raises(InputError, match="no assessors among the ratings"):
        assessor_agreement(ratings.drop(columns="assessor"))
    with pytest.raises(InputError, match="no text occurs twice"):
        assessor_agreement(
            rated_texts, corpus=corpus_of({name: f"{name} {text}" for name, text in TEXTS.items()})
        )
    with pytest.raises(InputError, match="11 rated summaries are not in the corpus"):
        assessor_agreement(ratings, corpus=corpus_of(TEXTS))
    with pytest.raises(InputError, match="no ratings"):
        assessor_agreement(ratings.assign(score=np.nan))
    with pytest.raises(UsageError, match="no metric 'x'; known: overall"):
        assessor_agreement(ratings, metrics=["x"])
    with pytest.raises(UsageError, match="confidence is 95"):
        assessor_agreement(ratings, confidence=95)


def test_experts_of_summeval(shared):
    ratings = read_scores(shared / "data" / "summeval" / "judgments_annotators.jsonl")
    table = assessor_agreement(ratings, n_resamples=20)
    assert set(table.loc[table["other"] == "the others", "assessor"]) >= {"1", "2", "3"}
    table = table[table["assessor"] == ""].set_index("metric")
    assert set(table["n_units"]) == {1600}
    for metric in ("expert.relevance", "turker.fluency"):
        rows = ratings[ratings["metric"] == metric]
        X = rows.pivot_table(index="assessor", columns=["topic", "summarizer"], values="score").to_numpy()
        assert table.loc[metric, "n_ratings"] == np.count_nonzero(~np.isnan(X))
        assert table.loc[metric, "value"] == pytest.approx(krippendorff_alpha(X).value, rel=1e-12)


def test_confusion_by_hand(ratings):
    found = assessor_confusion(ratings, task="A")
    assert list(found) == CONFUSED
    assert found[["low", "high", "count", "share"]].to_numpy().tolist() == [
        [1, 1, 1, 0.2],
        [2, 3, 1, 0.2],
        [3, 3, 1, 0.2],
        [4, 4, 1, 0.2],
        [4, 5, 1, 0.2],
    ]


def test_confusion_of_one_assessor_by_hand():
    ratings = ratings_of(
        [
            ("2021", "D1", "A", name, "overall", "E", score)
            for name, score in zip(TEXTS, (1, 1, 2, 4, 5, 3), strict=True)
        ]
    )
    found = assessor_confusion(ratings, corpus=corpus_of(TEXTS))
    # 1, 1, 2 for the first text make three pairs, 4, 5 for the second one; the third text has one rating
    rows = [[1, 1, 1, 0.25], [1, 2, 2, 0.5], [4, 5, 1, 0.25]]
    assert found["assessor"].tolist() == ["", "", "", "E", "E", "E"]
    assert found[["low", "high", "count", "share"]].to_numpy().tolist() == rows * 2


def test_confusion_without_pairs_is_empty(ratings):
    alone = ratings[ratings["assessor"] == "x"]
    assert assessor_confusion(alone).empty
