"""Predictors: what is saved comes back, what was changed is refused, what the data lack is said."""

import dataclasses
import warnings

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Corpus, DataWarning, FeatureOptions, InputError, Predictor
from classy_aesop.formulas import Linear
from classy_aesop.predictor.published import all_published
from classy_aesop.predictor.table_checks import TrainingRange
from tests.predictor.samples import CONTENT


def corpus_of(*, n_references=2, tasks=("A",)):
    references = dict.fromkeys("ABC"[:n_references], "The cat sat on the mat.")
    rows = [
        {
            "topic": "T",
            "task": task,
            "summarizer": "1",
            "text": ["The cat sat.", "It ran."],
            "references": references,
        }
        for task in tasks
    ]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return corpus_of_records(rows)


def test_a_prediction_by_hand():
    # r2: the cat, cat sat of 5 reference bigrams: 2/5; two sentences: -1. 2 * 0.4 - 0.1 + 1/3
    scores = CONTENT.predict(corpus_of())
    assert list(scores.columns) == ["topic", "task", "summarizer", "metric", "score"]
    assert scores["metric"].tolist() == ["x"]
    assert scores["score"].tolist() == pytest.approx([2 * 0.4 - 0.1 + 1 / 3], abs=1e-12)


def test_weights_that_overflow_are_refused_in_one_line():
    ends = TrainingRange((0.0, -3.0), (1.0, 0.0), (0.5, -1.0), 9)
    for weights in ((1e308, -1e308), (1e308, 1e308), (1e200, 0.0)):
        wild = dataclasses.replace(CONTENT, formula=Linear(weights, 1e308), training_range=ends)
        for use in (wild.predict, wild.explain):
            with pytest.raises(
                InputError, match=r"predictor x gives .*; expected numbers from -1e.100 to 1e.100"
            ):
                use(corpus_of())


def test_the_signature_names_what_made_the_score():
    parts = CONTENT.signature.split("|")
    assert parts[:3] == ["name:x", "target:responsiveness", "fitter:robust"]
    assert parts[3:5] == ["columns:r2+neg_log2_sentences", "years:1+2"]
    assert "seed:5" in parts
    assert parts[-1].startswith("version:")


def test_another_splitter_is_reported():
    with pytest.warns(DataWarning, match="made with the sentence splitter punkt-0; this version uses"):
        FeatureOptions.from_dict({**FeatureOptions().to_dict(), "splitter": "punkt-0"})


def test_a_file_that_is_not_there():
    with pytest.raises(FileNotFoundError, match="no such predictor file"):
        Predictor.load("nowhere.json")


def test_other_reference_counts_are_reported():
    with pytest.warns(
        DataWarning, match="references of a system's summary: it learned with 2, here there are 3"
    ):
        CONTENT.predict(corpus_of(n_references=3))


def test_a_corpus_without_references_is_refused():
    says = (
        r"x can score none of 1 summaries: 1 without a reference \(T-A 1\); .* trained without: references = "
    )
    with pytest.raises(InputError, match=says):
        CONTENT.predict(corpus_of(n_references=0))


def several(*rows):
    """A corpus of task A (or another): a topic a row, with its references and who wrote its summary."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DataWarning)
        return corpus_of_records(
            {"topic": f"T{at}", "task": "A", "summarizer": "1", "text": "The cat sat.", "references": {}}
            | row
            for at, row in enumerate(rows)
        )


TWO = {"references": {"A": "The cat sat on the mat.", "B": "A cat sat."}}


def test_a_topic_without_references_costs_only_itself():
    with pytest.warns(DataWarning) as told:
        scores = CONTENT.predict(several(TWO, {}, TWO), confidence=None)
    assert scores["score"].isna().tolist() == [False, True, False]
    assert [str(one.message) for one in told] == [
        "predictor x gives no score to 1 of 3 summaries: 1 without a reference (T1-A 1)"
    ]


def test_earlier_references_are_not_read_by_a_predictor_without_their_columns():
    anywhere = dataclasses.replace(CONTENT, task="")
    corpus = corpus_of(tasks=("A", "B"))
    assert corpus.topics[1].earlier_references
    initial, update = anywhere.predict(corpus)["score"]
    assert initial == update
    assert not np.isnan(update)


def test_summaries_of_another_task_have_no_score_and_are_counted():
    says = r"x gives no score to 1 of 2 summaries: 1 of task B, and it is for task A \(T-B 1\)"
    with pytest.warns(DataWarning, match=says):
        scores = CONTENT.predict(corpus_of(tasks=("B", "A")))
    assert scores["task"].tolist() == ["B", "A"]
    assert scores["score"].isna().tolist() == [True, False]
    assert scores["metric"].tolist() == ["x", "x"]
    assert CONTENT.means(scores)["task"].tolist() == ["A"]


def test_a_corpus_of_another_task_is_refused():
    with pytest.raises(InputError, match=r"is for task 'A'; the corpus has tasks \['B'\]"):
        CONTENT.predict(corpus_of(tasks=("B",)))


def test_update_columns_need_earlier_references():
    update = dataclasses.replace(CONTENT, task="B", columns=("r2@A", "r2@B"))
    with pytest.raises(
        InputError, match=r"is for update summaries with earlier references: .* columns r2@A, r2@B"
    ):
        update.predict(corpus_of(tasks=("B",)))


def test_published_weights_are_those_of_the_tables():
    assert len(all_published()) == 16
    canon = Predictor.load("published/25-A-all_peers")
    weights = dict(zip(canon.columns, canon.formula.weights, strict=True))
    assert (weights["r2"], weights["coverage_p2p"], weights["norm_term_overlap"]) == (48, -0.72, -0.66)
    # Rankel (2016), Table 5.2: the canonical columns of runs 8 and 25, task A, are equal to every digit.
    same = Predictor.load("published/8-A-all_peers")
    assert (canon.columns, canon.formula) == (same.columns, same.formula)
    assert Predictor.load("published/8-B-all_peers").columns[:4] == ("r2@A", "r2@B", "su4@A", "su4@B")


def test_scores_that_came_with_the_corpus_are_imported_metrics():
    rows = [
        {"id": topic, "system": name, "summary": "x y", "reference": "x y", "judge": value}
        for topic, name, value in (("1", "a", 2.0), ("1", "b", 3.0), ("2", "a", 4.0))
    ]
    formula, span = Linear((0.5,), 1.0), TrainingRange((0.0,), (9.0,), (1.0,), 3)
    how = {"imported": ("judge",), "training_range": span}
    predictor = Predictor("p", "quality", "", "no_models", "ridge", ("judge",), formula, **how)
    corpus = Corpus.from_rows(rows, columns={"scores": "judge"})
    assert predictor.predict(corpus)["score"].tolist() == [2.0, 2.5, 3.0]
    assert "judge" in set(predictor.explain(corpus)["part"])
    with pytest.raises(InputError, match="reads the imported metrics judge"):
        predictor.predict(corpus.topics)


def test_an_infinite_metric_gives_no_score():
    """Neither in a file nor in a table that was made in Python."""
    predictor = Predictor("x", "y", "A", "no_models", "ols", ("m",), Linear((1.0,), 0.0), imported=("m",))
    scores = pd.DataFrame(
        [("1", "t", "A", "1", "m", 0.5), ("1", "t", "A", "2", "m", np.inf)],
        columns=["year", "topic", "task", "summarizer", "metric", "score"],
    )
    with pytest.raises(InputError, match=r"record 2: .+ is infinite; expected a finite number"):
        predictor.predict(scores=scores)


def test_no_topics_at_all_are_refused_as_such():
    predictor = Predictor("x", "y", "A", "no_models", "ols", ("r2",), Linear((1.0,), 0.0))
    with pytest.raises(InputError, match="predictor x is for task 'A'; the corpus has no topics"):
        predictor.predict([])
