"""What this package writes it reads back, whatever the ids and texts are: made-up cases, most of them nasty.

All are slow: without ``--slow`` this file is not even read (tests/conftest.py), as to import hypothesis takes long.
"""

import io
import json
import tempfile
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.configuration import set_hypothesis_home_dir

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Predictor
from classy_aesop.data import COLUMNS, KEYS
from classy_aesop.data.attempts import ATTEMPT
from classy_aesop.data.scores import NO_METRICS
from classy_aesop.formulas import Linear
from classy_aesop.pages.formats import write_result
from classy_aesop.reading import read_jsonl, read_scores, tidy, write_jsonl
from classy_aesop.reading.byte_sources import place_lines
from classy_aesop.reading.summary_rows import json_objects
from classy_aesop.reading.table_files import tsv_rows
from classy_aesop.tables.result import Result
from tests.predictor.samples import CONTENT

set_hypothesis_home_dir(Path(tempfile.gettempdir()) / "classy-aesop-hypothesis")

often = settings(
    max_examples=25,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)

NASTY = "\t\n\r\" '\\,;-|ABé\u2028\x85\xa0\x00\ufeff"
characters = st.one_of(st.sampled_from(NASTY), st.characters(exclude_categories=["Cs"]))


def strings(**sizes):
    """Draw characters one by one: `text` would also draw words of whatever modules of the package are imported."""
    return st.lists(characters, **sizes).map("".join)


texts = strings(max_size=8)
names = texts.map(str.strip)  # outer white space is no part of a name
ids = strings(min_size=1, max_size=6).map(str.strip).filter(bool)
numbers = st.floats(-1e100, 1e100) | st.just(float("nan"))  # what a score may be
keys = st.tuples(names, ids, names, ids)
"""Year, topic, task and summarizer."""

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore::classy_aesop.errors.DataWarning")]


@often
@given(st.integers(1, 6).flatmap(lambda n: st.lists(st.lists(names, min_size=n, max_size=n), min_size=1)))
def test_cells_of_a_table_of_text(rows):
    """A row of blank cells alone is a blank line, which is left out."""
    stream = io.StringIO()
    table = pd.DataFrame([row for row in rows if any(row)])
    write_result(Result(table), stream, "tsv")
    assert [row for _, row in tsv_rows([stream.getvalue()])][1:] == table.to_numpy().tolist()


def written(table, folder, format):
    path = folder / f"table.{format}"
    with path.open("w", encoding="utf-8", newline="\n") as stream:
        write_result(Result(table, signature="made:up|version:0"), stream, format)
    return path


@pytest.mark.parametrize("format", ["tsv", "jsonl", "json"])
@often
@given(st.dictionaries(st.tuples(keys, ids), numbers, min_size=1, max_size=6))
def test_tables_of_scores_and_of_ratings(tmp_path, format, scores):
    """Names of metrics, or those of assessors."""
    rows = [(*key, "responsiveness", name, score) for (key, name), score in scores.items()]
    ratings = pd.DataFrame(rows, columns=[*COLUMNS[:-1], "assessor", "score"])
    plain = ratings.drop(columns="metric").rename(columns={"assessor": "metric"})
    for table in (ratings, plain):
        table = table.astype(dict.fromkeys(table.columns[:-1], str))
        pd.testing.assert_frame_equal(read_scores(written(table, tmp_path, format)), table, check_exact=True)


reserved = {*NO_METRICS, *COLUMNS, ATTEMPT}
metric_names = st.lists(
    ids.filter(lambda name: name not in reserved),
    min_size=1,
    max_size=3,
    unique=True,
)


@pytest.mark.parametrize("format", ["tsv", "jsonl", "json"])
@often
@given(
    metric_names.flatmap(
        lambda names: st.dictionaries(
            keys, st.lists(numbers, min_size=len(names), max_size=len(names)), min_size=1, max_size=4
        ).map(lambda rows: (names, rows))
    )
)
def test_wide_tables(tmp_path, format, table):
    names, rows = table
    wide = pd.DataFrame(
        [(*key, True, *values) for key, values in rows.items()], columns=[*KEYS, "human", *names]
    )
    found = read_scores(written(wide, tmp_path, format))
    pd.testing.assert_frame_equal(found, tidy(wide), check_exact=True)
    assert len(found) == len(rows) * len(names)


# --- corpora ---

sentences = st.lists(texts, max_size=3)
references = st.dictionaries(ids, sentences, max_size=3)


@st.composite
def corpora(draw):
    """Make a corpus of a few topics, each with its references; perhaps judged, perhaps by single assessors."""
    records, judged = [], []
    topics = draw(st.lists(st.tuples(names, ids, names), min_size=1, max_size=3, unique=True))
    for year, topic, task in topics:
        shared = {"year": year, "topic": topic, "task": task, "references": draw(references)}
        documents = draw(st.lists(texts, max_size=2))
        for summarizer in draw(st.lists(ids, min_size=1, max_size=3, unique=True)):
            text = shared["references"].get(summarizer, draw(sentences))
            records.append({**shared, "summarizer": summarizer, "text": text, "documents": documents or None})
            judged.append((year, topic, task, summarizer))
    if not draw(st.booleans()):
        return corpus_of_records(records)
    assessors = draw(st.sampled_from([[""], ["x", 'y"\t']]))
    rows = [
        (*key, metric, assessor, draw(numbers))
        for key in judged
        for metric in ("responsiveness", "linguistic quality")
        for assessor in assessors
    ]
    frame = pd.DataFrame(rows, columns=[*COLUMNS[:-1], "assessor", "score"])
    return corpus_of_records(records, frame if assessors[0] else frame[COLUMNS])


@often
@given(corpora())
def test_corpora(corpus):
    with tempfile.TemporaryDirectory() as folder:
        write_jsonl(corpus, folder)
        found = read_jsonl(folder)
    assert found.topics == corpus.topics
    for name in ("judgments", "ratings"):
        one, other = (in_order(getattr(each, name)) for each in (found, corpus))
        pd.testing.assert_frame_equal(one, other, check_exact=True)


def in_order(table):
    return table.sort_values([name for name in table if name != "score"], ignore_index=True)


# --- predictors ---

finite = st.floats(allow_infinity=False, allow_nan=False)


@often
@given(texts, texts, texts, st.tuples(finite, finite), finite, st.dictionaries(texts, texts))
def test_predictors(tmp_path, name, target, task, weights, intercept, said):
    names = {"name": name, "target": target, "task": task}
    training = {**CONTENT.training, "about": said}
    predictor = replace(CONTENT, **names, formula=Linear(weights, intercept), training=training)
    predictor.save(tmp_path / "predictor.json")
    assert Predictor.load(tmp_path / "predictor.json") == predictor


# --- JSON lines ---

TEXTS = st.text(st.sampled_from('a é"\\/\n\u2028\ud800\U0001f600'), max_size=4)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=5,
)
ROWS = st.lists(st.dictionaries(st.sampled_from(["references", "x"]), VALUES), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_json_lines_against_the_standard_library(rows):
    lines = [json.dumps(row) for row in rows]
    found = [record for _, record in json_objects(place_lines([line.encode() for line in lines], "x"))]
    assert repr(found) == repr([json.loads(line) for line in lines])
