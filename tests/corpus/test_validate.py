import math

import pytest

from classy_aesop.corpus import Corpus
from classy_aesop.corpus.validate import MeasureCount, validate
from classy_aesop.errors import DataWarning


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
        return Corpus.from_records(records, judgments).with_year("2010")


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
    assert [(leak.summarizer, leak.reference) for leak in report.leaks] == [("1", "A")]
    assert report.warnings == (
        "1 topics without references: 2010 D3",
        "1 summaries without a judgment: 2010 D3 3",
    )


def test_report_as_a_table(corpus):
    frame = validate(corpus).to_frame()
    assert frame.columns.tolist() == ["what", "found"]
    found = frame.to_numpy().tolist()
    assert ["summaries", "4, 0 of them by humans"] in found
    assert ["judgments: quality", "3, 1 missing; 2 to 5, mean 3.333"] in found
    assert ["leak", "2010 D1 1 repeats 100% of reference A"] in found
