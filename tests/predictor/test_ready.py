"""The predictors that come with the package: what they are made of, and how good they are elsewhere."""

from pathlib import Path

import numpy as np
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Predictor, read_config, read_corpus, train
from classy_aesop.predictor.published import WITH_REFERENCES, WITHOUT_REFERENCES, read_ready_predictors
from classy_aesop.significance.correlations.correlation_levels import correlation

pytestmark = pytest.mark.filterwarnings(
    "ignore:.* intervals come from one year", "ignore:.*fewer systems than the 16"
)

TEXTS = {"1": "The cat sat.", "2": "The cat sat on the mat.", "3": "A dog ran off with the mat."}


@pytest.mark.parametrize("name", [WITH_REFERENCES, WITHOUT_REFERENCES])
def test_a_ready_predictor_is_there(name):
    """It scores with intervals, says where it is from, and is small enough to ship."""
    assert set(read_ready_predictors()) == {WITH_REFERENCES, WITHOUT_REFERENCES}
    assert len(read_ready_predictors()[name]) < 300_000
    predictor = Predictor.load(name)
    assert predictor.name == name
    assert predictor.calibration.n_topics == 100
    assert set(predictor.training["about"]) == {"source", "licence", "intended_use", "limits"}
    corpus = corpus_of_records(
        {"topic": topic, "summarizer": who, "text": text, "references": {"A": "The cat sat on the mat."}}
        for topic in "TU"
        for who, text in TEXTS.items()
    )
    found = predictor.predict(corpus, confidence=0.9)
    assert found["score"].between(found["low"], found["high"]).all()


def test_the_ready_predictors_need_what_they_say():
    assert Predictor.load(WITH_REFERENCES).columns == ("r2", "su4", "pyramid2", "shared1")
    assert Predictor.load(WITHOUT_REFERENCES).features.references == "none"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("config", "corpus", "name"),
    [("ready", "realsumm", WITH_REFERENCES), ("ready-without", "summeval", WITHOUT_REFERENCES)],
)
def test_a_ready_predictor_is_what_its_configuration_makes(shared, config, corpus, name):
    """On any processor: trees are the same, though their columns differ by rounding."""
    path = Path(__file__).parents[2] / "configs" / f"{config}.toml"
    (learned,) = train(read_config(path, data={corpus: str(shared / "data" / corpus)})).trained
    made, kept = learned.predictor, Predictor.load(name)
    assert made.plain_columns == kept.plain_columns
    assert made.training["about"] == kept.training["about"]
    topics = read_corpus(shared / "data" / corpus).topics[:5]
    scores = (one.predict(topics)["score"].to_numpy() for one in (made, kept))
    np.testing.assert_allclose(*scores, rtol=1e-9)
    np.testing.assert_allclose(made.calibration.summaries, kept.calibration.summaries, rtol=1e-9)


ONE = {"summeval": ("ground-truth",), "realsumm": None}
"""Whose references are used, where there are several."""

ACROSS = [
    (WITH_REFERENCES, "summeval", "relevance", (0.642, 0.288)),
    (WITHOUT_REFERENCES, "realsumm", "litepyramid_recall", (0.797, 0.376)),
]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "corpus", "measure", "expected"), ACROSS)
def test_a_ready_predictor_is_as_good_as_documented_where_it_learned_nothing(
    shared, name, corpus, measure, expected
):
    """The correlations of docs/prediction.md with the humans of the other corpus: of system means, within topics."""
    read = read_corpus(shared / "data" / corpus)
    judged = read.judgments[read.judgments["metric"] == measure]
    topics = read.select(references=ONE[corpus]).topics
    predicted = Predictor.load(name).predict(topics)
    matrices = [
        table.pivot_table(index="summarizer", columns="topic", values="score").to_numpy()
        for table in (predicted, judged)
    ]
    found = [correlation(*matrices, level=level).value for level in ("system", "input")]
    np.testing.assert_allclose(found, expected, atol=0.0006)
