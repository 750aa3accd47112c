"""Agreement of assessors with themselves on identical texts, by hand."""

import itertools

import numpy as np
import pandas as pd
import pytest

from classy_aesop import Corpus
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.papers.consistency import agreement_on_texts
from classy_aesop.significance.raters.krippendorff import krippendorff_alpha


def ratings_of(rows):
    columns = ["year", "topic", "task", "summarizer", "metric", "assessor", "score"]
    return pd.DataFrame(rows, columns=columns).astype({"score": float})


TEXTS = {"1": "It rained.", "2": " It \n rained. ", "3": "It rained.", "4": "Sun.", "5": "Sun.", "6": "Snow."}


def corpus_of(texts, topics=("D1", "D2"), tasks="AB"):
    same = {"year": "2021", "references": {"A": "Rain fell."}}
    return Corpus.from_records(
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
