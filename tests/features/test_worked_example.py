import numpy as np
import pytest

from classy_aesop.data.topics import Reference, Summary, Topic
from classy_aesop.features import FEATURES
from classy_aesop.features.counts import FeatureOptions
from classy_aesop.features.registry import CLASSY2011, sort_features
from classy_aesop.features.table import feature_table
from classy_aesop.text.tokens import blank_like_rouge
from classy_aesop.text.vocabulary import Vocabulary
from tests.features.counting import count_texts

SUMMARY = ("The cat sat on the mat.", "The dog sat on the mat.", "A cat ran.")


REFERENCES = (
    Reference("M1", ("The cat sat on a mat.", "The dog ran.")),
    Reference("M2", ("A dog sat on the mat.", "The cat ran off.")),
)


TOPIC = Topic("2010", "D1", "A", (Summary("7", SUMMARY),), REFERENCES)


EXPECTED = {
    "r2": 7 / 9,
    "su4": 33 / 38,
    "coverage": 6.0,
    "bigrams": 10,
    "bigrams_p2p": 7,
    "coverage_p2p": 7,
    "log_term_overlap": 2.321928,
    "norm_term_overlap": 0.8,
    "redundancy1": 10.498381,
    "redundancy2": 0.592212,
    "term_entropy": 2.840224,
    "neg_log2_sentences": -1.584963,
    "neg_sentence_entropy": -1.521928,
}


PYRAMID = {  # two references hold 3 bigrams, one 11: weights of 17; 11 bigrams, 3 + 6 of them held, have at most 14
    "pyramid1": 1,
    "pyramid2": 12 / 14,
    "shared1": 1,
    "shared2": 3 / 3,
    "weighted_recall1": 1,
    "weighted_recall2": 12 / 17,
    "precision1": 1,
    "precision2": 9 / 11,
}


def test_features_are_listed_in_table_order():
    assert list(CLASSY2011) == list(EXPECTED)
    assert sort_features(["pyramid"]) == list(PYRAMID)


@pytest.mark.parametrize("name", EXPECTED | PYRAMID)
def test_feature_by_hand(name):
    references = [reference.text for reference in REFERENCES]
    counts = count_texts(
        [SUMMARY], references, np.ones((1, 2), bool), vocabulary=Vocabulary(blank_like_rouge)
    )
    assert FEATURES[name].function(counts) == pytest.approx([(EXPECTED | PYRAMID)[name]], abs=1e-6)


def test_table_by_hand():
    (row,) = feature_table([TOPIC], names=CLASSY2011).to_dict("records")
    assert row == pytest.approx(
        {"year": "2010", "topic": "D1", "task": "A", "summarizer": "7"}
        | {"human": False, "empty": False, "n_references": 2, "n_earlier": 0}
        | EXPECTED,
        abs=1e-6,
    )


def test_jackknife_by_hand():
    (row,) = feature_table([TOPIC], FeatureOptions(references="jackknife"), names=CLASSY2011).to_dict(
        "records"
    )
    means = {
        "r2": (5 / 8 + 7 / 9) / 2,
        "su4": (33 / 38 + 31 / 44) / 2,
        "coverage": (5 + 7) / 2,
        "bigrams": (5 + 7) / 2,
        "bigrams_p2p": (5 + 7) / 2,
        "coverage_p2p": (5 + 7) / 2,
    }
    assert {name: row[name] for name in EXPECTED} == pytest.approx(EXPECTED | means, abs=1e-6)
