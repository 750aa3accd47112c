import math

import pytest

from classy_aesop.errors import DataWarning
from classy_aesop.features.table import describe_missing_references
from classy_aesop.reading import Corpus
from classy_aesop.reading.corpus_report import MeasureCount, NearCopies, validate


@pytest.fixture
def corpus():
    text = "one two three four five six"
    records = [
        {"topic": "D1", "summarizer": "1", "text": text, "references": {"A": text, "B": "b"}},
        {"topic": "D1", "summarizer": "2", "text": [" "], "references": {"A": text, "B": "b"}},
        {"topic": "D2", "summarizer": "1", "text": "x", "references": {"A": "a"}},
        {"topic": "D3", "summarizer": "3", "text": "y"},
    ]
    judgments = [
        {"topic": "D1", "summarizer": "1", "metrics": {"quality": 2, "length": None}},
        {"topic": "D1", "summarizer": "2", "metrics": {"quality": 3}},
        {"topic": "D2", "summarizer": "1", "metrics": {"quality": 5}},
    ]
    with pytest.warns(DataWarning):
        return Corpus.from_records(records, judgments).assign_year("2010")


def test_report_by_hand(corpus):
    report = validate(corpus)
    assert (report.years, report.tasks) == (("2010",), ("",))
    assert (report.n_topics, report.n_summaries, report.n_human, report.n_summarizers) == (3, 4, 0, 3)
    assert report.references == ((0, 1), (1, 1), (2, 1))
    length, quality = report.measures
    assert quality == MeasureCount("quality", 3, 1, 2.0, 10 / 3, 5.0)
    assert (length.judged, length.missing) == (0, 4)
    assert math.isnan(length.mean)
    assert report.empty == ("2010 D1 2",)
    assert report.near_copies == ()
    assert [(leak.summarizer, leak.reference) for leak in report.leaks] == [("1", "A")]
    assert report.warnings == (
        "1 topics without references: 2010 D3",
        "1 summaries without a judgment: 2010 D3 3",
    )
    frame = report.to_frame()
    assert frame.columns.tolist() == ["what", "found"]
    found = frame.to_numpy().tolist()
    assert ["summaries", "4, 0 of them by humans"] in found
    assert ["judgments: quality", "3, 1 missing; 2 to 5, mean 3.333"] in found
    assert ["leak", "2010 D1 1 repeats 100% of reference A"] in found


def test_features_without_basis_are_counted():
    rows = [{"id": at, "system": "a", "summary": "x", "reference": ref} for at, ref in enumerate(("r", None))]
    with pytest.warns(DataWarning, match="1 topics without references"):
        corpus = Corpus.from_rows(rows)
    assert describe_missing_references(corpus) == [
        "21 of 56 features (r2, su4, coverage and 18 more) compare with references; "
        "1 of 2 summaries have none to be compared with"
    ]
    assert describe_missing_references(corpus.select(topics=["0"])) == []


def test_systems_that_are_near_copies_are_named_with_counts():
    text, other = "Storms hit the coast and rain fell on the hills all day long.", "Snow fell in town."
    changed = text.replace("long", "yesterday")
    rows = [
        {"topic": topic, "summarizer": name, "text": words, "human": name == "A", "references": {"B": "x"}}
        for topic, texts in {
            "D1": {"1": text, "2": changed, "10": other, "A": text},
            "D2": {"1": text, "2": text, "10": text},
            "D3": {"1": other, "2": text, "3": "", "4": "..."},
        }.items()
        for name, words in texts.items()
    ]
    report = validate(Corpus.from_rows(rows))
    lines = report.to_frame().to_numpy().tolist()
    roles = "topic = topic, summarizer = summarizer, text = text, references = references, human = human"
    assert lines[0] == ["columns", roles]
    assert report.near_copies == (
        NearCopies("1", "2", 2, 3),
        NearCopies("1", "10", 1, 2),
        NearCopies("2", "10", 1, 2),
    )
    (line,) = (found for what, found in lines if what == "near copies")
    assert line == "1 and 2 on 2 of 3 topics, 1 and 10 on 1 of 2 topics, 2 and 10 on 1 of 2 topics"
