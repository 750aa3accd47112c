"""Plain lists of summaries and references as topics."""

from itertools import product

import numpy as np
import pandas as pd
import pytest

from classy_aesop.data.topics import text_rows
from classy_aesop.errors import InputError

SUMMARIES = ["One.", "Two.", "Three.", "Four."]


def test_rows_with_the_same_references_are_one_topic():
    rows = text_rows(SUMMARIES, ["R", ["R"], ["R", "Q"], "R"])
    assert [[one.summarizer for one in topic.summaries] for topic in rows.topics] == [["1", "2", "4"], ["3"]]
    assert [[one.text for one in topic.references] for topic in rows.topics] == [[("R",)], [("R",), ("Q",)]]
    assert rows.keys == (("1", "1"), ("2", "1"), ("3", "1"), ("4", "1"))


def test_a_system_that_is_called_like_a_reference_meets_it():
    (topic,) = text_rows(["One."], ["R"], summarizers=["reference 1"]).topics
    assert topic.meets(topic.summaries[0]) == (True,)


def test_rows_are_named_by_topics_and_systems():
    def named(**given):
        return text_rows(SUMMARIES, ["R", "R", "Q", "Q"], **given).keys

    assert named(summarizers="abab") == (("1", "a"), ("1", "b"), ("2", "a"), ("2", "b"))
    assert named(topics=[7, 7, 7, 8]) == (("7", "1"), ("7", "2"), ("7", "3"), ("8", "1"))
    assert named(topics="xxyy", summarizers=np.array([1, 2, 1, 2])) == (*product("xy", "12"),)


def test_any_kind_of_list_is_read():
    plain = text_rows(["One.", "Two."], [["R", "Q"], ["S", "T"]])
    array = np.array([["R", "Q"], ["S", "T"]])
    assert text_rows(pd.Series(["One.", "Two."]), array) == plain
    assert text_rows((text for text in ("One.", "Two.")), list(array)) == plain
    [topic] = text_rows([["First.", "Second."]], [[["A.", "B."], "C."]]).topics
    assert topic.summaries[0].text == ("First.", "Second.")
    assert [one.text for one in topic.references] == [("A.", "B."), ("C.",)]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("One.", ["R"]), "summaries are 'One.'; expected a list with a row for each summary"),
        ((["One."], "R"), "references are 'R'; expected a list with a row for each summary"),
        ((pd.DataFrame({"a": ["One."]}), ["R"]), "expected a list with a row for each summary"),
        ((["One.", None], ["R", "R"]), "summaries, row 2: None; expected text or a list of sentences"),
        ((["One."], [np.nan]), "references, row 1: nan; expected text or a list of texts"),
        ((["One."], [["R", 3]]), "references, row 1: 3; expected text or a list of sentences"),
        ((["One."], ["R", "Q"]), "references: 2 rows for 1 summaries; expected one each"),
    ],
)
def test_what_is_no_text_is_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        text_rows(*arguments)


def test_names_have_to_fit():
    with pytest.raises(InputError, match="topics: 1 rows for 4 summaries"):
        text_rows(SUMMARIES, SUMMARIES, topics=["x"])
    with pytest.raises(InputError, match=r"row 2: a has another summary on topic 1, row 1 \(rows with"):
        text_rows(SUMMARIES, ["R"] * 4, summarizers="aabb")
    with pytest.raises(InputError, match=r"on topic x, row 1; expected one$"):
        text_rows(SUMMARIES, ["R"] * 4, topics="xxyy", summarizers="aabb")


def test_a_table_comes_back_in_the_order_of_the_rows():
    rows = text_rows(SUMMARIES, ["R", "Q", "R", "Q"], topics="abcd")
    found = pd.DataFrame({"summarizer": ["1", "3", "2"], "value": [1.0, 3.0, 2.0]})
    table = rows.table(found, like=pd.Series(SUMMARIES, index=list("wxyz")))
    assert table.index.tolist() == ["w", "x", "y", "z"]
    assert table["topic"].tolist() == ["a", "b", "c", "d"]
    assert table["value"].tolist()[:3] == [1.0, 2.0, 3.0]
    assert np.isnan(table["value"].iloc[3])
