"""Streams in Python: what takes a corpus takes a stream of one, and gives its table part by part."""

import json
from dataclasses import replace

import pandas as pd
import pytest

from classy_aesop import Predictor, Stream, feature_table, read_corpus
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.formulas.base import Linear
from classy_aesop.predictor.table_checks import TrainingRange
from classy_aesop.predictor.within import sum_by_group
from classy_aesop.reading.streaming import StreamedTable, corpus_or_stream

ROW = {"year": "2021", "task": "A"}


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Six topics of two systems, a topic a block."""
    monkeypatch.setattr("classy_aesop.reading.blocks.BLOCK_BYTES", 100)
    rows = [
        ROW
        | {"topic": f"D{topic}", "summarizer": who, "text": text, "references": {"X": f"It rained {topic}."}}
        for topic in range(6)
        for who, text in (("1", f"Rain fell, it rained {topic} times."), ("2", "The sun shone."))
    ]
    (place := tmp_path / "some.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return place


@pytest.fixture
def predictor():
    seen = TrainingRange((0.0, 0.0), (1.0, 1.0), (0.5, 0.25), 12)
    formula = Linear((2.0, 0.5), 1.0)
    return Predictor("made-up", "quality", "A", "", "ridge", ("r1", "r2"), formula, training_range=seen)


def joined(table):
    assert isinstance(table, StreamedTable)
    parts = list(table)
    assert len(parts) > 3
    return pd.concat(parts, ignore_index=True)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "made",
    [
        lambda predictor, source: feature_table(source, names=["r1", "form"]),
        lambda predictor, source: predictor.predict(source),
        lambda predictor, source: predictor.predict(source).pipe(pd.DataFrame.round, decimals=3),
        lambda predictor, source: predictor.explain(source).pipe(sum_by_group),
    ],
)
def test_a_path_a_corpus_and_a_stream_have_the_same_table(made, predictor, path):
    expected = made(predictor, read_corpus(path))
    pd.testing.assert_frame_equal(made(predictor, str(path)), expected)
    pd.testing.assert_frame_equal(joined(made(predictor, Stream(path))), expected)


def test_nothing_is_read_before_a_part_is_asked_for(predictor, path):
    path.write_text(path.read_text() + "{}\n")
    parts = iter(predictor.predict(Stream(path)))
    with pytest.raises(InputError, match=r"some.jsonl, line 13: no field instance_id or topic"):
        list(parts)


@pytest.mark.parametrize("n", [20, 20_000])
def test_a_text_that_parquet_holds_once_counts_in_each_row(tmp_path, n):
    """The bytes of the file do not say how much memory its rows take."""
    pytest.importorskip("pyarrow")
    row = {"system": "a", "summary": "It rained. " * 200, "reference": "Rain."}
    pd.DataFrame({"topic": range(n), **row}).to_parquet(tmp_path / "rows.parquet")
    assert (tmp_path / "rows.parquet").stat().st_size < 2**20
    assert isinstance(corpus_or_stream(tmp_path / "rows.parquet"), Stream) == (n == 20_000)


def test_a_stream_names_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"no\.jsonl: no such file"):
        Stream(tmp_path / "no.jsonl")


@pytest.mark.slow
def test_imported_scores_are_read_beside_a_stream(predictor, path):
    """Topic by topic; without a year in the scores too, and where a topic has none of a metric."""
    learned = replace(predictor, columns=("r1", "judge"), imported=("judge",))
    corpus = read_corpus(path)
    keys = [(*topic.key, one.summarizer) for topic, one in corpus.summaries()]
    scores = pd.DataFrame(keys, columns=["year", "topic", "task", "summarizer"])
    scores = scores.assign(metric="judge", score=range(len(scores)))[2:]
    with pytest.warns(DataWarning):
        expected = learned.predict(corpus, scores=scores)
    for given in (scores, scores.assign(year="")):
        pd.testing.assert_frame_equal(joined(learned.predict(Stream(path), scores=given)), expected)


def test_what_a_stream_cannot_do_is_refused(predictor, path):
    with pytest.raises(UsageError, match="nothing to score; expected a corpus, or scores"):
        predictor.predict()
    path.write_text(path.read_text().replace('"A"', '"B"'))
    for ask in (predictor.predict, predictor.explain):
        with pytest.raises(InputError, match="no row of the input is of the requested task"):
            list(ask(Stream(path)))
