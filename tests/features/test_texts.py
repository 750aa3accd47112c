"""The features of plain lists."""

import numpy as np
import pandas as pd
import pytest

from classy_aesop import FeatureOptions, feature_table, summary_features
from classy_aesop.errors import InputError
from classy_aesop.features.registry import alone


@pytest.fixture(scope="module")
def texts(made):
    """Summaries of two systems and their references, from all topics of a year, in no order of topics."""
    rows = [row for row in made["2021"].summaries if row["instance_id"].endswith("-A")]
    references = {}
    for row in rows:
        if row["summarizer_type"] == "reference":
            references.setdefault(row["instance_id"], []).append(row["summary"]["text"])
    peers = [row for row in rows if row["summarizer_type"] == "peer" and row["summarizer_id"] in "12"]
    peers = sorted(peers, key=lambda row: row["summarizer_id"])
    return [row["summary"]["text"] for row in peers], [references[row["instance_id"]] for row in peers], peers


@pytest.mark.slow
def test_every_feature_of_a_row_is_its_own(texts):
    """The features of a summary do not depend on the others that have the same references."""
    summaries, references, _ = texts
    names = alone()
    together = summary_features(summaries, references, names=names)
    assert set(names) <= set(together.columns)
    one_by_one = pd.concat(
        [summary_features([one], [met], names=names) for one, met in zip(summaries, references, strict=True)],
        ignore_index=True,
    )
    pd.testing.assert_frame_equal(together, one_by_one, rtol=1e-12)


def test_rows_are_those_of_the_corpus(texts, corpora):
    summaries, references, peers = texts
    topics, systems = ([row[name] for row in peers] for name in ("instance_id", "summarizer_id"))
    found = summary_features(summaries, references, topics=topics, systems=systems, names=["r2", "flow"])
    corpus = feature_table(corpora["2021"].select(tasks=["A"]), names=["r2", "flow"])
    corpus = corpus.assign(topic=corpus["topic"] + "-A")
    columns = ["topic", "summarizer"]
    expected = found[columns].merge(corpus, on=columns)
    pd.testing.assert_frame_equal(found, expected[found.columns], check_dtype=False)


def test_the_index_is_that_of_the_summaries():
    found = summary_features(pd.Series(["It rained."], index=["x"]), pd.Series(["Rain."]), names=["r1"])
    assert found.index.tolist() == ["x"]


def test_a_summary_without_references_costs_only_itself():
    found = summary_features(["It rained.", "It rained."], [[], "It rained."], names=["r1", "form"])
    assert np.isnan(found["r1"][0])
    assert found["r1"][1] == 1
    assert found.drop(columns="r1").notna().all(axis=None)


def test_options_change_how_texts_are_read():
    options = FeatureOptions(tokenizer="unicode")
    found = summary_features(["Это дождь"], ["Это дождь"], names=["r1"], options=options)
    assert found["r1"].tolist() == [1.0]


def test_a_summary_of_too_many_sentences_is_refused():
    with pytest.raises(InputError, match="a summary of 2,001 sentences; expected 2,000 or less"):
        summary_features([["A."] * 2001], ["A."], names=["flow"])
    assert summary_features([["A."] * 2001], ["A."], names=["r1"])["r1"].tolist() == [1.0]
