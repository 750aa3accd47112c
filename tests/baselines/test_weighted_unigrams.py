"""The weighted recall of words, by hand; with equal weights it is the recall of unigrams."""

import math

import numpy as np
import pytest

from classy_aesop import Corpus
from classy_aesop.baselines.ngram import ngram
from classy_aesop.baselines.weighted_unigrams import weighted_unigrams

TOPICS = [
    ("t1", "cat bird", {"A": "cat cat dog", "B": "cat sun"}),
    ("t2", "sun sun", {"A": "sun dog", "B": "moon sun"}),
]


def scores_of(topics, *, jackknife=False):
    rows = [{"topic": topic, "summarizer": "1", "text": text, "references": of} for topic, text, of in topics]
    table = weighted_unigrams(Corpus.from_rows(rows), jackknife=jackknife)
    return {(row.topic, row.metric): row.score for row in table.itertuples()}


def test_tf_and_tfidf_by_hand():
    scores = scores_of(TOPICS)
    # t1: cat 3, dog 1, sun 1 in all references; one match of cat with each
    assert scores["t1", "unigrams-tf"] == pytest.approx((3 + 3) / ((6 + 1) + (3 + 1)))
    idf = math.log(2 / 1)  # cat is in the references of one topic; dog and sun are in both
    assert scores["t1", "unigrams-tfidf"] == pytest.approx((3 * idf + 3 * idf) / (6 * idf + 3 * idf))
    assert scores["t2", "unigrams-tfidf"] == 0  # of t2's words only moon is rare


def test_systems_leave_one_reference_out():
    scores = scores_of(TOPICS[:1], jackknife=True)
    assert scores["t1", "unigrams-tf"] == pytest.approx((3 / 7 + 3 / 4) / 2)


def test_words_of_one_weight_have_the_recall_of_unigrams():
    rows = [{"topic": "t", "summarizer": "1", "text": "a b x", "references": {"A": "a b c d"}}]
    corpus = Corpus.from_rows(rows)
    plain = ngram(corpus, jackknife=False, lengths=(1, 1))["score"]
    weighted = weighted_unigrams(corpus, jackknife=False).set_index("metric").loc["unigrams-tf", "score"]
    assert np.isclose(plain.item(), weighted)
