"""What one prediction is worth, by hand."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from classy_aesop.data import KEYS
from classy_aesop.report.sentences import worth
from classy_aesop.training.intervals import worth_of
from tests.predictor.samples import CONTENT

NOBODY = pd.DataFrame(columns=[*KEYS, "score"])


def test_predictions_by_hand():
    # two topics of three: the first in order, the second with the last two exchanged
    truth = np.array([1.0, 2, 3, 1, 2, 3])
    predictions = np.array([1.0, 2, 3, 2, 4, 3])
    found = worth_of(truth, truth - predictions, np.array([4, 4, 4, 7, 7, 7]), NOBODY)
    assert found["error"] == pytest.approx((1 + 2 + 0) / 6)
    assert found["error_of_mean"] == pytest.approx(4 / 6)
    assert found["within_topics"] == pytest.approx((1 + 0.5) / 2)
    assert found["rater_error"] is found["rater_within_topics"] is None


def test_raters_by_hand():
    rated = {"P": (1, 2, 3), "Q": (1, 2, 3), "R": (3, 2, 1)}
    rows = [
        ("1", "T", "", f"s{at}", name, score) for name, own in rated.items() for at, score in enumerate(own)
    ]
    ratings = pd.DataFrame([*rows, ("1", "T", "", "s9", "P", 9)], columns=[*KEYS, "assessor", "score"])
    found = worth_of(np.ones(2), np.zeros(2), np.zeros(2, int), ratings)
    # the others of P and of Q say 2 everywhere, those of R the reverse of R; s9 has one rater alone
    assert found["rater_error"] == pytest.approx((1 + 0 + 1 + 1 + 0 + 1 + 2 + 0 + 2) / 9)
    assert found["rater_within_topics"] == pytest.approx(-1)
    assert found["within_topics"] is None


def test_one_sentence_says_it():
    first = {
        "error": 0.4,
        "error_of_mean": 0.5,
        "within_topics": 0.3,
        "rater_error": None,
        "rater_within_topics": None,
    }
    second = {**first, "error": 0.45, "within_topics": None, "rater_error": 0.6, "rater_within_topics": 0.55}
    one, other = (replace(CONTENT, training={"worth": values}) for values in (first, second))
    assert worth([CONTENT]) == []
    assert worth([one]) == [
        "On rows held out in training, one prediction is off by 0.400 on average, the mean of all judgments by 0.500; "
        "its correlation with the judgments within a topic is 0.300."
    ]
    assert worth([one, other, CONTENT]) == [
        "On rows held out in training, one prediction is off by 0.400 to 0.450 on average, the mean of all judgments "
        "by 0.500; its correlation with the judgments within a topic is 0.300 (one rater is off the others by 0.600 "
        "and correlates 0.550)."
    ]
