"""Features of source documents, by hand; there is no public judged corpus with documents to measure them on."""

import math

import numpy as np
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Predictor
from classy_aesop.data.topics import Summary, Topic
from classy_aesop.errors import InputError
from classy_aesop.features import feature_table
from classy_aesop.features.registry import DEFAULT_FEATURES, sort_features
from classy_aesop.features.table import summary_features
from classy_aesop.formulas import Linear

NAMES = sort_features(["sources"])
DOCUMENTS = ("cat ran. the dog slept", "the cat ran uphill")


def values(texts, documents=DOCUMENTS):
    """Give the columns of the group, one row a summary."""
    topic = Topic(
        "", "D1", "", tuple(Summary(str(at), (text,)) for at, text in enumerate(texts)), documents=documents
    )
    return feature_table([topic], names=NAMES)[NAMES].to_numpy()


def test_recall_weighs_by_the_documents_that_have_an_ngram():
    """Words: cat 2, ran 2, dog, slept, uphill 1 each, together 7. Bigrams: cat ran 2, five others 1."""
    found = values(["cat dog", "the cat ran", "fox"])[:, :2]
    assert found[:, 0].tolist() == pytest.approx([3 / 7, 4 / 7, 0])
    assert found[:, 1].tolist() == pytest.approx([0, 3 / 7, 0])


def test_divergence_is_from_all_documents_as_one_text():
    """Documents a a b b, summary a: shares (1/2, 1/2) and (1, 0), with the mean (3/4, 1/4)."""
    found = values(["cat", "cat fox", "owl", ""], ("cat fox", "cat fox"))[:, 2]
    by_hand = (math.log2(4 / 3) + math.log2(2 / 3) / 2 + math.log2(2) / 2) / 2
    assert found.tolist() == pytest.approx([by_hand, 0, 1, 1])


def test_position_is_that_of_the_first_document_that_has_a_bigram():
    """Of the four bigrams of a document `cat ran` is the first (0) and `dog slept` the last (3/4)."""
    found = values(["cat ran", "dog slept", "cat ran, dog slept", "fox ran off", ""])[:, 4]
    assert found.tolist() == pytest.approx([0, 3 / 4, np.mean([0, 3 / 4]), 1, 1])


def test_without_documents_there_is_no_value():
    assert np.isnan(values(["the cat ran"], ())).all()


def test_they_are_no_default():
    assert not set(NAMES) & set(sort_features(DEFAULT_FEATURES))


def test_rows_that_are_no_topics_have_no_documents():
    with pytest.raises(InputError, match="needs the documents of a topic"):
        summary_features(["It rained."], ["Rain."], names=["source_recall1"])


@pytest.mark.filterwarnings("ignore:2 topics without references")
def test_a_predictor_says_which_topics_lack_documents():
    rows = [
        {"topic": topic, "summarizer": "1", "text": "The cat ran.", **more}
        for topic, more in (("T", {"documents": list(DOCUMENTS)}), ("U", {}))
    ]
    predictor = Predictor(
        name="mine", target="x", task="", peers="no_models", fitter="ridge",
        columns=("source_recall2",), formula=Linear((1.0,), 0.0), references={}, training={},
    )  # fmt: skip
    with pytest.warns(UserWarning, match="1 whose topic has no source documents"):
        found = predictor.predict(corpus_of_records(rows))
    assert found["score"].tolist() == pytest.approx([3 / 7, np.nan], nan_ok=True)
