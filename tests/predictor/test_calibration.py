"""Intervals, ranges and contributions of a predictor, by hand."""

import dataclasses

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Predictor
from classy_aesop.data import Summary
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.predictor.table_checks import TrainingRange
from tests.predictor.samples import CALIBRATED

CALIBRATION = dataclasses.replace(CALIBRATED.calibration, n_years=2)
PREDICTOR = dataclasses.replace(CALIBRATED, references={}, training={}, calibration=CALIBRATION)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"summaries": (0.25,)}, "summaries: 1 values; expected 2"),
        ({"means": ((0.2, 0.4),)}, "means: 1 values; expected 2"),
        ({"means": ((0.2, 0.4), (0.1,))}, r"means\[2\]: 1 values; expected 2"),
        ({"summaries": (0.25, -0.5)}, "a half-width is negative or no number"),
        ({"means": ((0.2, 0.4), (0.1, np.nan))}, "a half-width is negative or no number"),
        ({"levels": (0.9, 0.5)}, r"levels are \[0.9, 0.5\]; expected ascending ones"),
        ({"levels": (0.5, 1.5)}, r"levels are \[0.5, 1.5\]; expected confidences above 0 and below 1"),
        ({"n_means": (0, 5)}, "a number of topics, summarizers or years is below 1"),
    ],
)
def test_a_calibration_that_cannot_be_is_refused(change, message):
    with pytest.raises(InputError, match=message):
        dataclasses.replace(CALIBRATION, **change)


@pytest.fixture
def corpus():
    """Two systems on two topics: r2 is .4 (two of five bigrams) with two sentences, and 1 with one."""
    reference = {"A": "The cat sat on the mat."}
    texts = {"1": ["The cat sat.", "It ran."], "2": ["The cat sat on the mat."]}
    return corpus_of_records(
        {"topic": topic, "summarizer": name, "text": text, "references": reference}
        for topic in ("T", "U")
        for name, text in texts.items()
    )


def test_humans_have_their_own_intervals(corpus):
    humans = dataclasses.replace(CALIBRATION, summaries=(1.0, 2.0), means=((3.0, 4.0), (1.0, 3.0)))
    predictor = dataclasses.replace(PREDICTOR, calibration=dataclasses.replace(CALIBRATION, humans=humans))
    one, two = corpus.topics[0].summaries
    topic = dataclasses.replace(corpus.topics[0], summaries=(one, Summary("2", two.text, human=True)))
    found = predictor.predict([topic], confidence=0.9)
    assert found["group"].tolist() == ["systems", "humans"]
    assert (found["high"] - found["score"]).tolist() == pytest.approx([0.5, 2.0])
    means = predictor.means(found, confidence=0.9)
    assert means["group"].tolist() == ["systems", "humans"]
    assert (means["high"] - means["mean"]).tolist() == pytest.approx([0.4, 4.0])
    assert "group" not in predictor.predict([topic])
    with pytest.raises(InputError, match="humans have other levels than systems"):
        dataclasses.replace(CALIBRATION, humans=dataclasses.replace(humans, levels=(0.5, 0.8)))


def test_what_is_beyond_the_grades_is_named(corpus):
    predictor = dataclasses.replace(PREDICTOR, grades=(1.5, 2.8))  # the scores are 1.7 and 3, each with .5
    found = predictor.predict(corpus, confidence=0.9)
    assert found["beyond"].tolist() == ["low", "score high", "low", "score high"]
    assert predictor.means(found, confidence=0.9)["beyond"].tolist() == ["low", "mean high"]
    assert "beyond" not in predictor.predict(corpus)


def test_an_interval_of_one_year_says_what_it_does_not_promise(corpus):
    predictor = dataclasses.replace(PREDICTOR, calibration=CALIBRATED.calibration)
    with pytest.warns(DataWarning, match="intervals come from one year and hold for other topics of that"):
        found = predictor.predict(corpus, confidence=0.9)
    predictor.means(found, confidence=0.9)  # says it no more
    with pytest.warns(DataWarning, match="they leave out how far years differ"):
        predictor.means(predictor.predict(corpus), confidence=0.9)


def test_what_is_outside_is_named(corpus):
    # r2 of 1 is beyond .5 and a tenth of the range; one and two sentences (0 and -1) are within
    assert PREDICTOR.predict(corpus)["outside"].tolist() == ["", "r2", "", "r2"]


def test_the_range_is_widened_by_a_tenth():
    found = TrainingRange.from_rows(np.array([[0.0], [10.0], [5.0]]))
    X = np.array([[-1.0], [11.0], [11.01], [-1.01], [np.nan]])
    assert found.outside(X, ["a"]) == ["", "", "a", "a", ""]
    assert found.mean == (5.0,)


def test_means_by_hand(corpus):
    found = PREDICTOR.means(PREDICTOR.predict(corpus), confidence=0.9)
    assert found["summarizer"].tolist() == ["1", "2"]
    assert found["mean"].tolist() == pytest.approx([1.7, 3.0])
    assert found["n_topics"].tolist() == [2, 2]
    # 1/2 is 5/8 of the way from 1/5 to 1; so is the square from .3^2 to .4^2
    half = (0.09 + 3 / 8 * 0.07) ** 0.5
    assert (found["high"] - found["mean"]).tolist() == pytest.approx([half, half])
    assert CALIBRATION.mean_half_widths(0.5, np.array([0, 1, 5, 99])).tolist() == pytest.approx(
        [np.nan, 0.2, 0.1, 0.1], nan_ok=True
    )


def test_a_confidence_that_is_not_kept_is_refused(corpus):
    with pytest.raises(
        UsageError, match=r"no interval of confidence 0.8: calibrated on 12 topics, .* 0.5, 0.9"
    ):
        PREDICTOR.predict(corpus, confidence=0.8)


@pytest.mark.parametrize("name", ["published/25-A-all_peers", "old"])
@pytest.mark.filterwarnings("ignore:predictor published")  # other reference counts
def test_without_calibration_it_says_what_to_do(corpus, name):
    old = dataclasses.replace(PREDICTOR, training_range=None, calibration=None)
    predictor = old if name == "old" else Predictor.load(name)
    with pytest.raises(UsageError, match=r"has no intervals: .* train one with this version"):
        predictor.predict(corpus, confidence=0.9)
    with pytest.raises(UsageError, match=r"does not hold the means of training; train one"):
        predictor.explain(corpus)
    assert "outside" not in predictor.predict(corpus)


def test_contributions_by_hand_sum_to_the_score(corpus):
    found = PREDICTOR.explain(corpus)
    one = found[(found["topic"] == "T") & (found["summarizer"] == "1")]
    assert one["part"].tolist() == ["baseline", "r2", "neg_log2_sentences"]
    assert one["contribution"].tolist() == pytest.approx([1 + 0.5 - 0.05, 2 * (0.4 - 0.25), 0.1 * (-1 + 0.5)])
    sums = found.groupby(["topic", "summarizer"], sort=False)["contribution"].sum()
    np.testing.assert_allclose(sums, PREDICTOR.predict(corpus)["score"], atol=1e-12)


def test_predictions_with_intervals_are_a_score_table(tmp_path, corpus):
    from classy_aesop import read_scores

    found = PREDICTOR.predict(corpus, confidence=0.9)
    found.to_csv(tmp_path / "p.tsv", sep="\t", index=False)
    found.to_json(tmp_path / "p.jsonl", orient="records", lines=True)
    for name in ("p.tsv", "p.jsonl"):
        read = read_scores(tmp_path / name)
        pd.testing.assert_series_equal(read["score"], found["score"])
        assert set(read["metric"]) == {"x"}
