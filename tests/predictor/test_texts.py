"""The scores of plain lists."""

import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop import Predictor, score
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.predictor.published import WITH_REFERENCES, WITHOUT_REFERENCES

READY = WITH_REFERENCES
SUMMARIES = ["It rained all day in the town.", "Snow fell.", "The sun shone all day."]
REFERENCES = ["Rain fell all day in the town.", "Snow fell on the hills.", "Rain fell all day in the town."]


def test_scores_are_those_of_the_corpus():
    found = score(SUMMARIES, REFERENCES, predictor=READY, summarizers="aab")
    records = [
        {"topic": topic, "summarizer": system, "text": text, "references": {"R": reference}}
        for topic, system, text, reference in zip("121", "aab", SUMMARIES, REFERENCES, strict=True)
    ]
    expected = Predictor.load(READY).predict(corpus_of_records(records))
    keys = ["topic", "summarizer"]
    assert found[keys].to_numpy().tolist() == [["1", "a"], ["2", "a"], ["1", "b"]]
    ordered = found[keys].merge(expected, on=keys)
    assert found["score"].tolist() == ordered["score"].tolist()
    assert set(found["metric"]) == {READY}


def test_a_predictor_may_be_a_file_or_an_object(tmp_path):
    predictor = Predictor.load(READY)
    predictor.save(tmp_path / "mine.json")
    values = [
        score(SUMMARIES, REFERENCES, predictor=one)["score"].tolist()
        for one in (READY, predictor, tmp_path / "mine.json")
    ]
    assert values[0] == values[1] == values[2]


def test_scores_go_beside_the_texts():
    frame = pd.DataFrame({"summary": SUMMARIES, "reference": REFERENCES}, index=[5, 3, 1])
    frame["score"] = score(frame["summary"], frame["reference"], predictor=READY)["score"]
    assert frame["score"].tolist() == score(SUMMARIES, REFERENCES, predictor=READY)["score"].tolist()


def test_the_lists_have_to_fit():
    with pytest.raises(InputError, match="references: 3 rows for 2 summaries"):
        score(SUMMARIES[:2], REFERENCES, predictor=READY)


@pytest.mark.filterwarnings("ignore:.*intervals come from one year")
def test_no_summaries_have_no_scores():
    """An empty list is no fault: its table has the columns and types of any other."""
    how = {"confidence": 0.9}
    none, one = score([], [], **how), score(["It rained."], ["Rain."], **how)
    assert len(none) == 0
    assert none.dtypes.astype(str).to_dict() == one.dtypes.astype(str).to_dict()


def test_a_predictor_is_chosen_by_whether_there_are_references():
    """With references the one that reads them, alone; without, the one that compares the summaries of a topic."""
    with_references = score(SUMMARIES, REFERENCES)
    assert set(with_references["metric"]) == {WITH_REFERENCES}
    assert (
        with_references["score"].tolist() == score(SUMMARIES, REFERENCES, predictor=READY)["score"].tolist()
    )
    with pytest.warns(DataWarning, match="fewer systems than the 16"):
        without = score(SUMMARIES, topics="111", summarizers="abc")
    assert set(without["metric"]) == {WITHOUT_REFERENCES}
    assert set(without["form"]) == {"few"}
    assert without["score"].notna().all()


def test_without_references_topics_are_needed():
    with pytest.raises(UsageError, match="neither references nor topics"):
        score(SUMMARIES)
    assert score(SUMMARIES, predictor=WITHOUT_REFERENCES, alone=True)["score"].notna().all()
