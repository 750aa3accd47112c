"""Preferences: their codes, what is refused, and the plain table that they are read from."""

import numpy as np
import pytest

from classy_aesop.data.preference_records import NO_RATER, Preferences, describe_one_order
from classy_aesop.errors import DataWarning, InputError, UsageError
from classy_aesop.reading.given_tables import read_preferences, read_scores_or_preferences

ROWS = (["10", "2", "2"], ["b", "a", "c"], ["a", "c", "a"], ["first", "tie", "second"], ["ann", None, "bob"])


def test_names_are_numbered_in_natural_order():
    preferences = Preferences.from_names(*ROWS)
    assert (preferences.topics, preferences.systems) == (("2", "10"), ("a", "b", "c"))
    assert preferences.raters == ("ann", "bob")
    assert preferences.topic.tolist() == [1, 0, 0]
    assert (preferences.first.tolist(), preferences.second.tolist()) == ([1, 0, 2], [0, 2, 0])
    assert preferences.wins.tolist() == [1.0, 0.5, 0.0]
    assert preferences.rater.tolist() == [0, NO_RATER, 1]
    assert preferences.table().iloc[1].tolist() == ["2", "a", "c", "tie", ""]


def test_a_winner_may_be_the_share_of_a_win():
    preferences = Preferences.from_names(["1", "2", "3"], ["a"] * 3, ["b"] * 3, [0.25, "first", 0.5])
    assert preferences.wins.tolist() == [0.25, 1.0, 0.5]
    assert preferences.table()["winner"].tolist() == ["0.25", "first", "tie"]


def compared(*rows):
    """Give preferences of rows of two systems, the winner and how often, a topic each."""
    repeated = [row[:3] for row in rows for _ in range(row[3])]
    return Preferences.from_names(range(len(repeated)), *zip(*repeated, strict=True))


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("a", "b", "first", 9), ("a", "b", "second", 3)], "12 of 12 comparisons are of pairs in one order only,"),
        ([("b", "a", "first", 12)], "12 of 12 comparisons are of pairs in one order only, as b"),
        ([("a", "b", "first", 11)], ""),  # too few
        ([("a", "b", "first", 12), ("b", "a", "first", 1)], ""),
        ([("b", "a", "first", 12), ("b", "c", "tie", 13)], "25 of 25 comparisons are of pairs in one order only"),
        ([("a", "b", "first", 12), ("c", "b", "tie", 4), ("b", "c", "tie", 4), ("d", "c", "tie", 12)],
         "24 of 32 comparisons are of pairs in one order only, as a before b, and the first wins a share of 0.688 of"),
        ([("a", "b", "first", 12), ("c", "b", "tie", 7), ("b", "c", "tie", 6)], ""),  # less than half of all
    ],
)  # fmt: skip
def test_pairs_in_one_order_only_are_named(rows, expected):
    sentence = describe_one_order(compared(*rows))
    assert sentence.startswith(expected)
    assert bool(sentence) == bool(expected)


def test_codes_cannot_be_written_to():
    preferences = Preferences.from_names(*ROWS)
    with pytest.raises(ValueError, match="read-only"):
        preferences.wins[0] = 0
    assert not any(
        codes.flags.writeable for codes in (preferences.topic, preferences.first, preferences.rater)
    )


@pytest.mark.parametrize(
    ("column", "value", "message"),
    [
        (0, "", "record 2: topic is empty; expected"),
        (0, np.nan, "record 2: topic is empty"),
        (1, "c", "record 2: c is compared with itself; expected two systems"),
        (3, "model_a", "record 2: winner is 'model_a'; expected first, tie, second or a share from 0 to 1"),
        (3, 1.2, "record 2: winner is 1.2; expected first, tie, second or a share from 0 to 1"),
        (3, np.nan, "record 2: winner is nan"),
    ],
)
def test_rows_that_are_refused(column, value, message):
    rows = [list(names) for names in ROWS]
    rows[column][1] = value
    with pytest.raises(InputError, match=message):
        Preferences.from_names(*rows)


def test_columns_of_different_lengths_and_none_are_refused():
    with pytest.raises(InputError, match="topic 2, first 1, second 1, winner 1; expected one length"):
        Preferences.from_names(["1", "2"], ["a"], ["b"], ["tie"])
    with pytest.raises(InputError, match="no preferences"):
        Preferences.from_names([], [], [], [])


def test_names_that_look_alike_bring_a_warning():
    with pytest.warns(DataWarning, match="look alike but differ"):
        Preferences.from_names(["1", "2"], ["a", "a"], ["b", "b\u200b"], ["tie", "tie"])


TABLE = """\
question_id,model_a,model_b,judge,winner,turn
q1,x,y,ann,model_a,1
q1,y,x,bob,x,1
q2,x,y,,tie (bothbad),1
q3,x,y,ann,,1
"""


def test_a_plain_table_is_read(tmp_path):
    path = tmp_path / "arena.csv"
    path.write_text(TABLE)
    with pytest.warns(DataWarning, match=r"1 of 4 rows left out: no winner in winner \(first: line 5\)"):
        preferences = read_preferences(path)
    assert preferences.table().to_numpy().tolist() == [
        ["q1", "x", "y", "first", "ann"],
        ["q1", "y", "x", "second", "bob"],
        ["q2", "x", "y", "tie", ""],
    ]


def test_columns_are_named_and_lines_are(tmp_path):
    path = tmp_path / "own.csv"
    path.write_text("story,left,right,pick\n1,x,y,left\n2,x,y,up\n")
    columns = {"topic": "story", "first": "left", "second": "right", "winner": "pick"}
    with pytest.raises(InputError, match=r"own\.csv, line 3: pick is 'up'; expected x, y or a tie"):
        read_preferences(path, columns=columns)
    with pytest.raises(UsageError, match="no column best among story, left"):
        read_preferences(path, columns={"winner": "best"})
    with pytest.raises(InputError, match="no preferences among the columns story, left, right, pick"):
        read_preferences(path)


def test_which_tables_in_memory_are_preferences():
    rows = [{"doc_id": doc, "Model_A": "x", "model_b": "y", "winner": "model_b"} for doc in (1, 2)]
    assert read_scores_or_preferences(rows).systems == ("x", "y")
    scores = [{"topic": 1, "summarizer": name, "score": 2} for name in "xy"]
    assert read_scores_or_preferences(scores)["score"].tolist() == [2, 2]


def test_lengths_follow_their_systems_where_no_order_was_shown():
    names = (["t1", "t2"], ["a", "b"], ["b", "a"], ["first", "first"])
    lengths = [[5, 9], [3, 2]]
    shown = Preferences.from_names(*names, lengths=lengths)
    assert shown.lengths.tolist() == lengths
    sorted_by_name = Preferences.from_names(*names, lengths=lengths, is_order_shown=False)
    assert (sorted_by_name.first.tolist(), sorted_by_name.wins.tolist()) == ([0, 0], [1.0, 0.0])
    assert sorted_by_name.lengths.tolist() == [[5, 2], [3, 9]]
    assert Preferences.from_names(*names).lengths is None
