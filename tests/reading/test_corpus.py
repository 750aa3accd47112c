import math

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop.data import Reference, Topic
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.reading import Corpus


def peer(summarizer, text="the cat sat", topic="D1", **more):
    return {"topic": topic, "summarizer": summarizer, "text": text, **more}


def person(summarizer, text, topic="D1", **more):
    return peer(summarizer, text, topic, human=True, **more)


def judged(*summarizers, topic="D1", **more):
    return [{"topic": topic, "summarizer": name, "metrics": {"quality": 3}, **more} for name in summarizers]


def the_topic(corpus) -> Topic:
    [topic] = corpus
    return topic


def names(items):
    return [item.summarizer for item in items]


def refused(records, judgments=None):
    with pytest.raises(InputError) as caught:
        corpus_of_records(records, judgments)
    assert "\n" not in str(caught.value)
    return str(caught.value)


THREE = [person("B", "b b"), person("A", "a a"), person("C", "c c")]


# --- references ---


def test_rows_without_references_take_those_of_their_topic():
    topic = the_topic(corpus_of_records([peer("1"), *THREE], judged("1")))
    assert topic.references == (Reference("A", ("a a",)), Reference("B", ("b b",)), Reference("C", ("c c",)))
    assert names(topic.summaries) == ["1"]  # the humans are not judged
    assert topic.meets(topic.summaries[0]) == (True, True, True)


def test_empty_references_are_told():
    lists = {"T1": {"A": "", "B": "b"}, "T2": {"A": "a"}}
    rows = [peer("1", topic=topic, references=one) for topic, one in lists.items()]
    with pytest.warns(DataWarning, match="^1 topics with empty references, which count like others: T1$"):
        corpus = corpus_of_records(rows)
    assert [len(topic.references) for topic in corpus] == [2, 1]


def test_judged_human_is_compared_with_all_references_but_their_own():
    topic = the_topic(corpus_of_records([peer("1"), *THREE], judged("1", "A", "B", "C")))
    meets = {summary.summarizer: topic.meets(summary) for summary in topic.summaries}
    assert meets["A"] == (False, True, True)
    assert meets["C"] == (True, True, False)
    assert [summary.human for summary in topic.summaries] == [False, True, True, True]
    assert all(summary.references is None for summary in topic.summaries)


def test_own_text_among_listed_references_is_left_out():
    lists = {"A": "a a", "B": "b b", "C": "c c"}
    rows = [peer("1", references=lists), *({**row, "references": lists} for row in THREE)]
    listed_topic = the_topic(corpus_of_records(rows, judged("1", "A", "B", "C")))
    assert listed_topic == the_topic(corpus_of_records([peer("1"), *THREE], judged("1", "A", "B", "C")))


def test_unjudged_corpus_evaluates_people_who_have_someone_to_meet():
    assert names(the_topic(corpus_of_records([peer("1"), *THREE])).summaries) == ["1", "B", "A", "C"]
    assert names(the_topic(corpus_of_records([peer("1"), THREE[0]])).summaries) == ["1"]


def test_different_lists_become_masks():
    rows = [
        peer("1", references={"A": "a a", "B": "b b"}),
        peer("2", references={"B": "b b"}),
        peer("3", references={"A": "a a", "10": "x", "2": "y"}),
    ]
    topic = the_topic(corpus_of_records(rows))
    assert names(topic.references) == ["2", "10", "A", "B"]
    assert [summary.references for summary in topic.summaries] == [("A", "B"), ("B",), ("2", "10", "A")]
    assert topic.meets(topic.summaries[1]) == (False, False, False, True)
    assert topic.meets(topic.summaries[0]) == (False, False, True, True)


def test_human_who_wrote_no_reference_is_not_a_reference():
    rows = [peer("crowd", human=True, summarizer_type="peer"), peer("1"), THREE[0]]
    topic = the_topic(corpus_of_records(rows, judged("crowd", "1")))
    assert names(topic.references) == ["B"]
    assert [(one.summarizer, one.human) for one in topic.summaries] == [("crowd", True), ("1", False)]


def test_reference_with_two_texts_is_refused():
    rows = [peer("1", references={"A": "one"}), peer("2", references={"A": "two"})]
    assert refused(rows) == "record 2: D1: reference A has two texts"
    same = [peer("1", references={"A": ["one two", "three"]}), peer("2", references={"A": "one  two three"})]
    assert the_topic(corpus_of_records(same)).references[0].text == ("one two", "three")


def test_a_row_without_references_has_those_of_its_topic_where_no_row_is_one():
    rows = [peer("1", references=["a", {"text": "b"}]), peer("2"), peer("3", references={"A": "c"})]
    topic = the_topic(corpus_of_records(rows))
    assert names(topic.references) == ["A", "references_1", "references_2"]
    assert [sum(topic.meets(one)) for one in topic.summaries] == [2, 3, 1]


def test_update_task_brings_the_initial_references():
    rows = [
        {"instance_id": f"d1-{task}", "summarizer": name, "summary": f"{name} {task}", "human": name != "1"}
        for task in "BA"
        for name in ("1", "A", "B")
    ]
    update, initial = corpus_of_records(rows)
    assert (initial.key, update.key) == (("", "d1", "A"), ("", "d1", "B"))
    assert [one.text for one in update.references] == [("A B",), ("B B",)]
    assert update.earlier_references == initial.references
    assert initial.earlier_references == ()


def test_years_keep_their_initial_references_apart():
    rows = [
        peer("1", instance_id=f"d1-{task}", year=year, references={"A": year + task}, topic=None)
        for year in ("2008", "2009")
        for task in "AB"
    ]
    earlier = {one.key: [each.text for each in one.earlier_references] for one in corpus_of_records(rows)}
    assert earlier["2009", "d1", "B"] == [("2009A",)]


def test_texts_keep_the_sentences_given():
    rows = [peer("1", ["One.", "Two."]), peer("2", "One. Two."), peer("3", []), peer("4", "")]
    with pytest.warns(DataWarning, match="1 topics without references: D1"):
        topic = the_topic(corpus_of_records(rows))
    assert [summary.text for summary in topic.summaries] == [("One.", "Two."), ("One. Two.",), (), ("",)]


def test_documents_are_the_topics():
    rows = [
        peer("1", references={"A": "a"}, documents=["x", {"text": ["y", "z"]}]),
        peer("2", references={"A": "a"}),
    ]
    assert the_topic(corpus_of_records(rows)).documents == ("x", "y\nz")
    rows[1]["documents"] = ["other"]
    assert "documents differ" in refused(rows)


# --- judgments ---


def test_judgments_are_means_and_ratings_stay():
    ratings = [{"topic": "D1", "summarizer": "1", "metrics": {"quality": [1, 2], "missing": None}}]
    corpus = corpus_of_records([peer("1", references={"A": "a"})], ratings)
    assert corpus.judgments["score"].tolist() == [1.5, pytest.approx(math.nan, nan_ok=True)]
    assert corpus.ratings["score"].tolist()[:2] == [1, 2]
    assert "assessor" not in corpus.judgments


def test_judgments_without_a_summary_are_refused_and_summaries_without_a_judgment_reported():
    rows = [peer(name, references={"A": "a"}) for name in ("1", "2", "3")]
    assert refused(rows[:1], judged("1", "7", "A")) == "2 judgments without a summary: D1 7, D1 A"
    with pytest.warns(DataWarning, match="2 summaries without a judgment: D1 1, D1 3"):
        corpus = corpus_of_records(rows, judged("2"))
    assert len(the_topic(corpus).summaries) == 3


# --- bad input ---


@pytest.mark.parametrize(
    ("record", "says"),
    [
        ({"topic": "D1", "text": "x"}, "no field summarizer_id or summarizer among topic, text"),
        ({"summarizer": "1", "text": "x"}, "no field instance_id or topic"),
        ({"topic": "D1", "summarizer": "1"}, "no field summary or text"),
        (peer("1", None), "no field summary or text"),
        (peer("1", 3), "a text is 3; expected text or a list of sentences"),
        (peer("1", ["a", 3]), "expected text or a list of sentences"),
        (peer(1.0), "summarizer_id is 1.0; expected text"),
        (peer(""), "summarizer_id is ''; expected text"),
        (peer("1", human="yes"), "human is 'yes'; expected true or false"),
        (peer("1", summarizer_type="system"), "summarizer_type is 'system'; expected peer or reference"),
        (peer("1", references=3), "references is 3; expected a text or a list of texts"),
        (peer("1", references=[{"summarizer_id": "A"}]), "no field text or summary"),
        (peer("1", documents=3), "documents is 3; expected a text or a list of texts"),
    ],
)
def test_bad_record_is_refused_with_its_place(record, says):
    message = refused([peer("0"), record])
    assert message.startswith("record 2: ")
    assert says in message


def test_repeated_row_is_refused():
    again = [peer("1"), peer("2"), peer("1")]
    assert refused(again) == "record 3: D1 1 is given again; the first is record 1"
    assert "given again" in refused([peer("A"), person("A", "a")])


def test_empty_corpus_is_refused():
    assert refused([]) == "no summaries; a corpus needs at least one"
    assert refused([THREE[0]]) == "no summaries to evaluate are left"


def test_topic_without_summaries_is_left_out_with_a_warning():
    rows = [peer("1", references={"A": "a"}), person("A", "x", topic="D2")]
    with pytest.warns(DataWarning, match="1 topics without a summary to evaluate are left out: D2"):
        assert len(corpus_of_records(rows)) == 1


# --- frames ---


def test_empty_cell_of_a_frame_says_nothing():
    rows = pd.DataFrame(
        [peer("1", references={"A": "a"}), peer("2"), peer("B", "b", summarizer_type="reference")]
    )
    topic = the_topic(Corpus.from_rows(rows.assign(quality=[1, 1, None])))
    assert [summary.references for summary in topic.summaries] == [("A",), ("B",)]


# --- parts ---


@pytest.fixture
def two_years():
    rows = [
        peer(name, f"{name} {topic}", topic, year=year, task=task, human=name > "9")
        for year, topic in (("2008", "D08"), ("2008", "D09"), ("2009", "D10"))
        for task in "AB"
        for name in ("1", "2", "A", "B")
    ]
    judgments = [row | {"metrics": {"quality": [at, at]}} for at, row in enumerate(rows)]
    return corpus_of_records(rows, judgments)


def test_a_text_names_one_year_or_summarizer(two_years):
    assert two_years.select(years="2008").years == two_years.select(years=["2008"]).years
    with pytest.warns(DataWarning, match="do not exist: 10"):  # and not 1 and 0
        two_years.select(exclude="10")


def test_select_keeps_topics_with_their_judgments(two_years):
    part = two_years.select(years=["2008"], tasks=["B"])
    assert [topic.key for topic in part] == [("2008", "D08", "B"), ("2008", "D09", "B")]
    assert len(part.judgments) == 8
    assert len(part.ratings) == 16
    assert set(part.judgments["task"]) == {"B"}
    assert len(part.topics[0].earlier_references) == 2
    assert [topic.topic for topic in two_years.select(topics=["D10"])] == ["D10", "D10"]


def test_excluded_peers_are_gone_but_not_their_references(two_years):
    part = two_years.select(exclude=["2", "A"])
    assert {summary.summarizer for _, summary in part.summaries()} == {"1", "B"}
    assert all(names(topic.references) == ["A", "B"] for topic in part)
    assert set(part.judgments["summarizer"]) == {"1", "B"}


def test_peers_to_exclude_that_do_not_exist_are_told(two_years):
    with pytest.warns(DataWarning, match="1 peers to exclude that do not exist: 7$"):
        part = two_years.select(years=["2009"], exclude={1, 2, 7})
    assert {summary.summarizer for _, summary in part.summaries()} == {"A", "B"}


def test_select_references(two_years):
    part = two_years.select(references=["B"])
    assert all(names(topic.references) == ["B"] for topic in part)
    assert all(names(topic.earlier_references) == (["B"] if topic.task == "B" else []) for topic in part)
    assert len(list(part.summaries())) == len(list(two_years.summaries()))


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"years": ["2011"]}, "no year 2011; the corpus has 2008, 2009"),
        ({"topics": ["D08", "D7"]}, "no topic D7; the corpus has D08, D09, D10"),
        ({"references": ["Z"]}, "no reference Z"),
        ({"exclude": ["1", "2", "A", "B"]}, "no summaries to evaluate are left"),
    ],
)
def test_select_refuses_what_is_not_there(two_years, asked, says):
    with pytest.raises(InputError, match=says):
        two_years.select(**asked)


def test_with_year_moves_topics_and_judgments(two_years):
    moved = two_years.select(years=["2008"]).assign_year("1999")
    assert moved.years == ("1999",)
    assert set(moved.judgments["year"]) == set(moved.ratings["year"]) == {"1999"}
    records = [{**peer("1", references={"A": "a"}), "year": year} for year in ("2008", "2009")]
    with pytest.raises(InputError, match="select a year first"):
        corpus_of_records(records).assign_year("1999")


@pytest.mark.parametrize("seed", range(5))
def test_order_of_rows_changes_no_topic(seed):
    rng = np.random.default_rng(seed)
    rows = [peer("1"), peer("2", references={"A": "a a", "B": "b b"}), *THREE]
    shuffled = the_topic(corpus_of_records([rows[at] for at in rng.permutation(5)], judged("1", "2", "A")))
    topic = the_topic(corpus_of_records(rows, judged("1", "2", "A")))
    assert shuffled.references == topic.references
    assert set(shuffled.summaries) == set(topic.summaries)
