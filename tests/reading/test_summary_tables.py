"""Tables in memory: every common shape gives the same corpus, and nothing is lost without a word."""

import json

import numpy as np
import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.reading import Corpus

ROWS = [
    {"doc_id": "7", "system": "a", "summary": "It rained.", "reference": "Rain fell.", "quality": 3},
    {"doc_id": "7", "system": "b", "summary": "Sun.", "reference": "Rain fell.", "quality": 1},
    {"doc_id": "8", "system": "a", "summary": "Snow.", "reference": "Snow fell.", "quality": 4.5},
]


class Dataset:
    """What of a dataset of Hugging Face is used."""

    def __init__(self, rows):
        self.rows = rows
        self.column_names = list(rows[0])

    def __iter__(self):
        return iter(self.rows)

    def __len__(self):
        return len(self.rows)


def same(one, other):
    pd.testing.assert_frame_equal(one.judgments, other.judgments)
    return one.topics == other.topics


def with_changes(**changes):
    return [{**row, **changes} for row in ROWS]


def test_a_table_by_hand():
    corpus = Corpus.from_rows(ROWS)
    assert [one.references[0].summarizer for one in corpus] == ["reference"] * 2
    assert [(topic.topic, one.summarizer, one.text) for topic, one in corpus.summaries()] == [
        ("7", "a", ("It rained.",)),
        ("7", "b", ("Sun.",)),
        ("8", "a", ("Snow.",)),
    ]
    assert corpus.judgments[["topic", "summarizer", "metric", "score"]].to_numpy().tolist() == [
        ["7", "a", "quality", 3.0],
        ["7", "b", "quality", 1.0],
        ["8", "a", "quality", 4.5],
    ]
    roles = "topic = doc_id, summarizer = system, text = summary, references = reference, measures = quality"
    assert corpus.notes == corpus.assign_year("2001").notes == (f"columns: {roles}",)
    assert repr(corpus) == "Corpus(2 topics, 3 summaries by 2 summarizers, judged: quality)"


@pytest.mark.parametrize(
    "table",
    [
        pd.DataFrame(ROWS),
        pd.DataFrame(ROWS).convert_dtypes(),
        pd.DataFrame(ROWS).set_index(["doc_id", "system"]),
        iter(ROWS),
        {name: [row[name] for row in ROWS] for name in ROWS[0]},
        Dataset(ROWS),
    ],
    ids=["DataFrame", "nullable", "index", "iterator", "columns", "dataset"],
)
def test_every_table_in_memory_reads_alike(table):
    assert same(Corpus.from_rows(table), Corpus.from_rows(ROWS))


@pytest.mark.parametrize(
    ("table", "error", "says"),
    [
        (
            {"train": Dataset(ROWS), "test": Dataset(ROWS)},
            UsageError,
            "a dictionary of the splits train, test",
        ),
        ({"id": [1, 2], "summary": ["a"]}, InputError, "columns differ in length: id has 2, summary has 1"),
        ({"id": "x", "summary": ["a"]}, InputError, "column id is 'x'; expected a list of values"),
        ("summary", UsageError, "rows are 'summary'; expected a table, or an iterable of dictionaries"),
        (["x"], InputError, "record 1: found 'x'; expected named fields"),
        ([], InputError, "no rows; a corpus needs at least one"),
        (
            [{"model": "a", "output": "x"}],
            InputError,
            "no column for the topic among model, output; expected",
        ),
        (
            [{"doc_id": "1"}],
            InputError,
            "no column for the text of a summary among doc_id; expected text, sum",
        ),
        (
            [{"doc_id": "1"}],
            InputError,
            "evaluate, compare, power and assessors take",
        ),
        (pd.DataFrame([["1", "2"]], columns=["id", "id"]), InputError, "columns id appear twice"),
    ],
)
def test_what_is_no_table_is_refused(table, error, says):
    with pytest.raises(error) as caught:
        Corpus.from_rows(table)
    assert says in str(caught.value)


# --- identifiers ---


@pytest.mark.parametrize(
    ("identifier", "text"),
    [
        (144.0, "144"),
        (144, "144"),
        (np.int32(5), "5"),
        (np.float32(5), "5"),
        ("144.0", "144.0"),
        ("007", "007"),
        (1.5, "1.5"),
        (-3.0, "-3"),
    ],
)
def test_an_identifier_becomes_text_without_loss(identifier, text):
    corpus = Corpus.from_rows([{**ROWS[0], "doc_id": identifier, "year": identifier}])
    assert (corpus.topics[0].topic, corpus.topics[0].year) == (text, text)


@pytest.mark.parametrize(
    ("identifier", "says"),
    [
        (2.0**53, "doc_id is 9007199254740992.0, which may have lost digits; expected text"),
        (True, "doc_id is True; expected text or a whole number"),
        (None, "doc_id is empty; expected text or a whole number"),
        (float("nan"), "doc_id is empty"),
        ("", "doc_id is empty"),
        (float("inf"), "doc_id is inf, which may have lost digits"),
        (["7"], "doc_id is ['7']; expected text or a whole number"),
    ],
)
def test_an_identifier_that_is_none_is_refused(identifier, says):
    with pytest.raises(InputError) as caught:
        Corpus.from_rows([ROWS[1], {**ROWS[0], "doc_id": identifier}])
    assert str(caught.value).startswith(f"record 2: {says}")


def test_identifiers_of_a_column_with_gaps_are_those_of_one_without():
    whole = Corpus.from_rows(pd.DataFrame(ROWS).assign(year=[2001, 2001, 2002]))
    gaps = pd.DataFrame([*ROWS, {**ROWS[2], "system": "b"}]).assign(year=[2001, 2001, 2002, None])
    assert [topic.year for topic in Corpus.from_rows(gaps)] == ["2001", "2002", ""]
    assert whole.years == ("2001", "2002")


# --- references and documents ---


def references(corpus, at=0):
    return [(one.summarizer, *one.text) for one in corpus.topics[at].references]


def rows_with(*cells, **shared):
    systems = ({"id": 1, "system": name, "summary": "x"} for name in "abcdefg")
    return [{**system, **shared, **cell} for system, cell in zip(systems, cells, strict=False)]


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        ({"reference_1": "p", "reference_2": "q"}, ("reference_1", "reference_2")),
        ({"refs": ["p", "q"]}, ("refs_1", "refs_2")),
        ({"refs": ("p", "q")}, ("refs_1", "refs_2")),
        ({"refs": np.array(["p", "q"], dtype=object)}, ("refs_1", "refs_2")),
        ({"refs": ["p", "q", None]}, ("refs_1", "refs_2")),
        ({"references": {"A": "p", "B": "q"}}, ("A", "B")),
        (
            {"references": [{"summarizer_id": "A", "text": ["p"]}, {"summarizer_id": "B", "text": "q"}]},
            ("A", "B"),
        ),
    ],
)
def test_references_in_columns_or_in_a_cell(cells, names):
    assert references(Corpus.from_rows(rows_with(cells))) == [(names[0], "p"), (names[1], "q")]


@pytest.mark.parametrize("said", [{"summarizer_type": "Reference"}, {"human": True}, {"human": 1}, {}])
def test_references_in_rows_of_their_own(said):
    rows = [
        {"id": 1, "system": "a", "summary": "x"},
        {"id": 1, "system": "reference", "summary": "p", **said},
    ]
    corpus = Corpus.from_rows(rows)
    assert references(corpus) == [("reference", "p")]
    assert [one.summarizer for _, one in corpus.summaries()] == ["a"]
    assert ("references: the rows of reference" in corpus.notes) == (not said)


def test_a_row_without_a_reference_has_those_of_its_topic():
    corpus = Corpus.from_rows(rows_with({"reference": "p"}, {"reference": None}, {"reference": float("nan")}))
    (topic,) = corpus.topics
    assert [topic.meets(one) for one in topic.summaries] == [(True,)] * 3


def test_documents_are_read():
    for cell in ("long", ["long"]):
        corpus = Corpus.from_rows(rows_with({}, {}, reference="p", document=cell))
        assert corpus.topics[0].documents == ("long",)
    numbered = Corpus.from_rows(rows_with({}, reference="p", source_1="one", source_2="two"))
    assert numbered.topics[0].documents == ("one", "two")


# --- measures ---


def scores(corpus):
    return [tuple(row) for row in corpus.judgments[["summarizer", "metric", "score"]].to_numpy()]


def test_measures_of_the_same_row():
    rows = rows_with({"coherence": 2, "fluency": 1, "empty": None}, {"coherence": 3.5}, reference="p")
    corpus = Corpus.from_rows(rows)
    assert scores(corpus)[:3] == [("a", "coherence", 2.0), ("a", "fluency", 1.0), ("b", "coherence", 3.5)]
    assert np.isnan(scores(corpus)[3][2])
    assert "empty" not in corpus.notes[0]


def test_measures_that_are_named():
    rows = rows_with({"quality": 2, "wit": 30, "metrics": {"a": 1}}, reference="p")
    with pytest.warns(DataWarning, match=r"ignored columns: wit, metrics$"):
        assert scores(Corpus.from_rows(rows, columns={"measures": "quality"})) == [("a", "quality", 2.0)]
    assert {metric for _, metric, _ in scores(Corpus.from_rows(rows))} == {"quality", "wit", "a"}


def test_numbers_that_are_no_judgments_by_their_names_are_said_and_left_out():
    rows = rows_with({"quality": 2, "gpt4_relevance": 7, "rank": 1}, reference="p")
    said = "by their names or values no human measures: gpt4_relevance, rank; --columns scores=NAME takes a column "
    with pytest.warns(DataWarning, match=said):
        corpus = Corpus.from_rows(rows)
    assert scores(corpus) == [("a", "quality", 2.0)]
    assert "by their names or values no human measures: gpt4_relevance, rank" in corpus.notes
    named = Corpus.from_rows(rows, columns={"measures": ["quality", "rank"], "scores": ["gpt4_relevance"]})
    assert scores(named) == [("a", "quality", 2.0), ("a", "rank", 1.0)]


def test_scores_of_a_metric_are_no_human_measure():
    rows = rows_with({"quality": 2, "judge": 7}, {"quality": 3, "judge": None}, reference="p")
    corpus = Corpus.from_rows(rows, columns={"scores": "judge"})
    assert {metric for _, metric, _ in scores(corpus)} == {"quality"}
    assert corpus.scores[["summarizer", "metric", "score"]].to_numpy().tolist() == [["a", "judge", 7.0]]
    assert repr(corpus).endswith("judged: quality, with scores of judge)")
    assert list(corpus.assign_year("2021").scores["year"]) == ["2021"]
    with pytest.warns(DataWarning, match="without a judgment"):
        assert Corpus.from_rows(
            rows_with({"judge": 7}, {"judge": 8, "quality": 1}, reference="p"), columns={"scores": "judge"}
        )
    part = corpus.select(exclude=["a"])
    assert part.scores.empty
    assert len(part.judgments) == 1
    with pytest.warns(DataWarning, match="by their names or values no human measures: judge"):
        assert Corpus.from_rows(rows).scores.empty
    with pytest.raises(UsageError, match="judge is named twice"):
        Corpus.from_rows(rows, columns={"scores": "judge", "measures": ["judge", "quality"]})


def test_ratings_of_several_assessors():
    in_rows = rows_with({"annotator": 1, "quality": 2, "judge": 6}, reference="p")
    in_rows += rows_with({"annotator": 2, "quality": 4, "judge": 8}, reference="p")
    in_lists = rows_with({"quality": [2, 4]}, reference="p")
    for rows in (in_rows, in_lists):
        corpus = Corpus.from_rows(rows, columns={"scores": "judge"} if rows is in_rows else None)
        assert scores(corpus) == [("a", "quality", 3.0)]
        assert corpus.scores["score"].tolist() == [7.0] * (rows is in_rows)
        assert corpus.ratings[["assessor", "score"]].to_numpy().tolist() == [["1", 2.0], ["2", 4.0]]
    objects = rows_with({"expert_annotations": [{"flow": 2}, {"flow": 4}]}, reference="p")
    assert scores(Corpus.from_rows(objects)) == [("a", "expert_annotations.flow", 3.0)]


def test_a_summary_that_is_given_again_is_refused():
    with pytest.raises(InputError, match="record 2: 1 a is given again; the first is record 1"):
        Corpus.from_rows([*rows_with({"reference": "p"}), *rows_with({"reference": "p"})])
    changed = [
        *rows_with({"annotator": 1, "reference": "p"}),
        *rows_with({"annotator": 2, "summary": "other"}),
    ]
    with pytest.raises(InputError, match="record 2: 1 a is given again"):
        Corpus.from_rows(changed)
    other = [{**row, "reference": ref} for row, ref in zip(changed[:1] * 2, "pq", strict=True)]
    with pytest.raises(InputError, match="record 2: 1 a is given again"):
        Corpus.from_rows(other)


# --- what is said ---


def test_columns_that_nothing_reads_are_named_in_one_warning():
    with pytest.warns(DataWarning) as told:
        corpus = Corpus.from_rows(with_changes(refrences="x", note="y"))
    (message,) = (str(one.message) for one in told)
    assert message == "ignored columns: refrences, note"
    assert corpus.notes[1] == "ignored columns: refrences, note"


def test_a_measure_with_a_cell_that_is_no_number_is_said_with_its_place():
    rows = [ROWS[0], {**ROWS[1], "quality": "good"}]
    with pytest.warns(DataWarning, match=r"ignored columns: quality \(numbers, but 'good' in record 2\)"):
        Corpus.from_rows(rows)
    with pytest.raises(InputError, match="record 2: quality is 'good'; expected a number"):
        Corpus.from_rows(rows, columns={"measures": "quality"})
    with pytest.raises(InputError, match=r"2: quality is 'good'; expected a number, or .* measures=NAME"):
        Corpus.from_rows([*rows, ROWS[2]])


def test_a_word_for_a_missing_number_is_one_and_is_counted():
    rows = [{**ROWS[0], "quality": "n/a"}, {**ROWS[1], "quality": "-"}, ROWS[2], {**ROWS[2], "system": "c"}]
    rows[3]["quality"] = None
    with pytest.warns(DataWarning) as told:
        corpus = Corpus.from_rows(rows)
    assert [str(one.message) for one in told] == [
        "cells read as missing numbers: quality 2 (n/a, -)",
        "3 summaries without a judgment: 7 a, 7 b, 8 c",
    ]
    assert scores(corpus) == [("a", "quality", 4.5)]


def test_names_are_read_without_the_white_space_around_them():
    """``bart`` and ``bart `` were two systems."""
    rows = rows_with(
        {"system": "a ", "quality ": 1}, {"system": "\u00a0b", "id": " 1", "quality ": 2}, reference="p"
    )
    corpus = Corpus.from_rows(rows)
    assert [(topic.topic, one.summarizer) for topic, one in corpus.summaries()] == [("1", "a"), ("1", "b")]
    assert scores(corpus)[0] == ("a", "quality", 1.0)
    again = [{**row, "system": name} for row, name in zip(rows, ("a", "a "), strict=True)]
    with pytest.raises(InputError, match=r"record 2: 1 a.* is given again; the first is record 1"):
        Corpus.from_rows(again)
    with pytest.raises(InputError, match="record 1: system is empty; expected text"):
        Corpus.from_rows([{**rows[0], "system": " "}])


@pytest.mark.parametrize("text", [None, ""])
def test_missing_texts_are_empty_summaries_with_a_warning(text):
    with pytest.warns(DataWarning, match="1 rows without a text are empty summaries: record 2"):
        corpus = Corpus.from_rows(pd.DataFrame([ROWS[0], {**ROWS[1], "summary": text}]))
    assert [one.text for _, one in corpus.summaries()] == [("It rained.",), ("",)]


def test_a_table_of_one_system():
    rows = [{"prediction": "x", "target": "p"}, {"prediction": "y", "target": "q"}]
    with pytest.warns(DataWarning) as told:
        corpus = Corpus.from_rows(rows)
    assert [str(one.message) for one in told] == [
        "no column names the system; all rows are taken as one system, 'system'",
        "no column names the topic; every row is taken as a topic of its own",
    ]
    assert [(*topic.key, one.summarizer) for topic, one in corpus.summaries()] == [
        ("", "1", "", "system"),
        ("", "2", "", "system"),
    ]


def test_our_own_fields_read_as_records():
    records = [
        {"instance_id": "D1-A", "summarizer_id": "1", "summary": {"text": ["a b", "c"]}, "documents": ["d"]},
        {"instance_id": "D1-A", "summarizer_id": "M", "summarizer_type": "reference", "summary": "r"},
        {"instance_id": "D1-B", "summarizer_id": "1", "summary": "x", "earlier_references": {"M": "r"}}
        | {"references": {"N": "s"}},
    ]
    assert Corpus.from_rows(records).topics == corpus_of_records(records).topics
    assert json.dumps(records)  # untouched


# --- a row a topic, with lists over the systems ---

FOLDED = {
    "id": "7",
    "text": "The whole article.",
    "machine_summaries": ["It rained.", "Sun."],
    "human_summaries": ["Rain fell.", "It was wet.", "Rain."],
    "relevance": [3, 1.5],
}


def test_a_row_with_lists_over_the_systems():
    with pytest.warns(DataWarning, match="systems; they are numbered by their place in machine_summaries"):
        corpus = Corpus.from_rows([FOLDED, FOLDED | {"id": "8"}])
    assert repr(corpus) == "Corpus(2 topics, 4 summaries by 2 summarizers, judged: relevance)"
    topic = corpus.topics[0]
    assert [(one.summarizer, one.text) for one in topic.summaries] == [
        ("system_01", ("It rained.",)),
        ("system_02", ("Sun.",)),
    ]
    assert [one.text for one in topic.references] == [("Rain fell.",), ("It was wet.",), ("Rain.",)]
    assert topic.documents == ("The whole article.",)
    assert scores(corpus)[:2] == [("system_01", "relevance", 3.0), ("system_02", "relevance", 1.5)]
    named = Corpus.from_rows([FOLDED | {"model": ["a", "b"], "judge": [1, 2]}], columns={"scores": "judge"})
    assert scores(named) == [("a", "relevance", 3.0), ("b", "relevance", 1.5)]
    assert list(named.scores["score"]) == [1, 2]


def test_the_systems_of_lists_are_those_the_user_names():
    corpus = Corpus.from_rows([FOLDED | {"engines": ["a", "b"]}], columns={"system": "engines"})
    assert scores(corpus) == [("a", "relevance", 3.0), ("b", "relevance", 1.5)]
    alone = FOLDED | {"model": "a", "machine_summaries": ["It rained."], "relevance": [3]}
    assert scores(Corpus.from_rows([alone])) == [("a", "relevance", 3.0)]


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ({"machine_summaries": None}, "machine_summaries is None; expected a list"),
        ({"machine_summaries": []}, r"machine_summaries is \[\]; expected a list"),
        ({"machine_summaries": "It rained."}, "machine_summaries is 'It rained.'; expected a list"),
        (
            {"relevance": [3]},
            r"relevance is \[3\]; expected a list with one for each system, as many as in machine_summaries",
        ),
        ({"relevance": 3}, "relevance is 3; expected a list with one for each system"),
        ({"relevance": None}, "relevance is None; expected a list with one for each system"),
    ],
)
def test_a_row_whose_lists_do_not_fit_is_named(cell, says):
    rows = [FOLDED | {"model": ["a", "b"]}, FOLDED | {"model": ["a", "b"]} | cell]
    with pytest.raises(InputError, match=f"^record 2: {says}"):
        Corpus.from_rows(rows)
