import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop.errors import DataWarning
from classy_aesop.features.table import describe_missing_references
from classy_aesop.reading import Corpus
from classy_aesop.reading.corpus_report import report_corpus


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
        return corpus_of_records(records, judgments).assign_year("2010")


def test_report_by_hand(corpus):
    report = report_corpus(corpus)
    assert report.columns.tolist() == ["what", "found"]
    assert report.to_numpy().tolist() == [
        ["years", "2010"],
        ["tasks", "-"],
        ["topics", "3"],
        ["summaries", "4, 0 of them by humans"],
        ["summarizers", "3, 0 of them human"],
        ["references", "0 in 1 topics"],
        ["references", "1 in 1 topics"],
        ["references", "2 in 1 topics"],
        ["judgments: length", "0, 4 missing; nan to nan, mean nan"],
        ["judgments: quality", "3, 1 missing; 2 to 5, mean 3.333"],
        ["empty summary", "2010 D1 2"],
        ["leak", "2010 D1 1 repeats 100% of reference A"],
        ["warning", "1 topics without references: 2010 D3"],
        ["warning", "1 summaries without a judgment: 2010 D3 3"],
    ]


def test_features_without_basis_are_counted():
    rows = [{"id": at, "system": "a", "summary": "x", "reference": ref} for at, ref in enumerate(("r", None))]
    with pytest.warns(DataWarning, match="1 topics without references"):
        corpus = Corpus.from_rows(rows)
    assert describe_missing_references(corpus) == [
        "21 of 56 features (r2, su4, coverage and 18 more) compare with references; "
        "1 of 2 summaries have none to be compared with"
    ]
    assert describe_missing_references(corpus.select(topics=["0"])) == []


@pytest.mark.filterwarnings("ignore:1 rows without a text")
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
    lines = report_corpus(Corpus.from_rows(rows)).to_numpy().tolist()
    roles = "topic = topic, summarizer = summarizer, text = text, references = references, human = human"
    assert lines[0] == ["columns", roles]
    (line,) = (found for what, found in lines if what == "near copies")
    assert line == "1 and 2 on 2 of 3 topics, 1 and 10 on 1 of 2 topics, 2 and 10 on 1 of 2 topics"
