import gzip
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from classy_aesop.data import COLUMNS, KEYS, check_range, matrix, mean_ratings, natural
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.reading import read_scores, tidy

FIXTURES = Path(__file__).parents[1] / "reading" / "fixtures"


def written(folder, text, name="scores.tsv"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(path, **options):
    with pytest.raises(InputError) as caught:
        read_scores(path, **options)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def row(frame, at):
    return frame.iloc[at].tolist()


# --- reading ---


def test_json_lines_by_hand():
    frame = read_scores(FIXTURES / "jsonl" / "judgments.jsonl", year="2008")
    assert list(frame.columns) == COLUMNS
    assert len(frame) == 56  # 28 summaries, two measures
    assert row(frame, 0) == ["2008", "d0801", "A", "1", "responsiveness", 10 / 3]
    assert row(frame, 9) == ["2008", "d0801", "A", "B", "pyramid.modified", 0.599]
    assert row(frame, -1) == ["2008", "d0802", "B", "D", "pyramid.modified", 0.648]
    missing = frame[frame["score"].isna()]
    assert set(missing["summarizer"]) == {"10"}  # written as null
    assert len(missing) == 4


def test_list_of_ratings_stays_apart_until_averaged():
    frame = read_scores(FIXTURES / "jsonl" / "judgments_annotators.jsonl")
    assert list(frame.columns) == [*KEYS, "metric", "assessor", "score"]
    assert len(frame) == 84
    assert frame["assessor"].tolist()[:4] == ["1", "2", "3", "1"]
    means = mean_ratings(frame)
    expected = read_scores(FIXTURES / "jsonl" / "judgments.jsonl")
    expected = expected[expected["metric"] == "responsiveness"].reset_index(drop=True)
    pd.testing.assert_frame_equal(means, expected)


def test_assessors_of_a_table_are_averaged_over_those_who_rated(tmp_path):
    assert mean_ratings(read_scores(FIXTURES / "tsv" / "ratings.tsv"))["score"].tolist() == [3.5, 2.0]
    path = written(tmp_path, "topic\tsummarizer\tassessor\tquality\nD1\t2\tann\tNA\nD1\t2\tbob\t\n")
    assert mean_ratings(read_scores(path))["score"].isna().tolist() == [True]


def test_byte_order_mark_and_carriage_returns_are_no_text(tmp_path):
    path = written(tmp_path, b"\xef\xbb\xbftopic\tsummarizer\tquality\r\nD1\t01\t2\r\n")
    assert row(read_scores(path), 0) == ["", "D1", "", "01", "quality", 2.0]


def test_long_json_rows_read_as_a_table(tmp_path):
    text = '{"year": 2010, "topic": "D1", "task": "A", "summarizer": 7, "metric": "r2", "score": 0.5, "value": 1}'
    with pytest.warns(DataWarning, match="ignored columns: value"):
        found = read_scores(written(tmp_path, text, "scores.jsonl"))
    assert row(found, 0) == ["2010", "D1", "A", "7", "r2", 0.5]


@pytest.mark.parametrize(
    ("instance", "task", "key"),
    [
        ("d0801-A", None, ("d0801", "A")),
        ("d0801-C", None, ("d0801-C", "")),
        ("cnn-test-1", None, ("cnn-test-1", "")),
        ("d0801-A", "", ("d0801-A", "")),
        ("d0801-C", "C", ("d0801", "C")),
        ("d0801", "B", ("d0801", "B")),
    ],
)
def test_instance_id_is_topic_and_task(tmp_path, instance, task, key):
    said = "" if task is None else f'"task": "{task}", '
    text = f'{{"instance_id": "{instance}", {said}"summarizer_id": "1", "metrics": {{"m": 1}}}}'
    frame = read_scores(written(tmp_path, text, "scores.jsonl"))
    assert (frame["topic"][0], frame["task"][0]) == key


# --- bad input ---

HEAD = "topic\ttask\tsummarizer\tmetric\tscore\n"
JSON = '{"instance_id": "d1-A", "summarizer_id": "1", "metrics": {"m": 1}}\n'


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (HEAD + "D1\tA\t2\tm\thigh\n", 2, "score is 'high'; expected a number"),
        (HEAD + "D1\tA\t2\tm\tinf\n", 2, "infinite"),
        (HEAD + "D1\tA\t2\tm\n", 2, "4 columns; expected 5"),
        (HEAD + "D1\tA\t2\tm\t1\n\nD1\tA\t2\tm\t2\n", 4, "is given again; the first is"),
        (HEAD + "\tA\t2\tm\t1\n", 2, "topic is empty"),
        (HEAD + "D1\tA\t2\t\t1\n", 2, "metric is empty"),
        ("topic\tscore\n1\t2\n", 1, "no column summarizer"),
        ("topic\tsummarizer\n1\t2\n", 1, "no scores among the columns"),
        ("topic\tsummarizer\tmetric\n1\t2\tm\n", 1, "a column metric, and none of score, value"),
        ("topic\tsummarizer\tm\tm\n1\t2\t3\t3\n", 1, "appear twice"),
        ("topic\tsummarizer\tm\nD1\t2\tx\n", 2, "m is 'x'; expected a number"),
    ],
)
def test_bad_table_is_refused_with_its_line(tmp_path, text, line, says):
    message = refusal(written(tmp_path, text))
    assert f"scores.tsv, line {line}: " in message
    assert says in message


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        (JSON + JSON[:30], 2, "invalid or truncated JSON"),
        (JSON + "[1]\n", 2, "expected one JSON object a line"),
        (JSON + JSON, 2, "is given again; the first is"),
        (JSON.replace("1}}", '"3"}}'), 1, "m is '3'; expected a number"),
        (JSON.replace("1}}", "true}}"), 1, "m is True; expected a number"),
        (JSON.replace("1}}", "Infinity}}"), 1, "infinite"),
        (JSON.replace('{"m": 1}', "3"), 1, "metrics is 3"),
        (JSON.replace('"1"', "1.5"), 1, "summarizer_id is 1.5; expected text"),
        (JSON.replace("summarizer_id", "system"), 1, "no field summarizer_id or summarizer"),
        (JSON.replace("1}}", '[1, 2]}, "assessor": "ann"}'), 1, "expected one of the two"),
    ],
)
def test_bad_json_is_refused_with_its_line(tmp_path, text, line, says):
    message = refusal(written(tmp_path, text, "scores.jsonl"))
    assert f"scores.jsonl, line {line}: " in message
    assert says in message


def test_empty_files_are_refused(tmp_path):
    assert "the file is empty" in refusal(written(tmp_path, ""))
    assert "the file is empty" in refusal(written(tmp_path, "\n\n", "scores.jsonl"))
    assert "no rows below the header" in refusal(written(tmp_path, HEAD))


def test_gzip_reads_as_plain_and_is_whole(tmp_path):
    plain = FIXTURES / "jsonl" / "judgments.jsonl"
    whole = gzip.compress(plain.read_bytes())
    pd.testing.assert_frame_equal(read_scores(written(tmp_path, whole, "x.jsonl.gz")), read_scores(plain))
    assert "broken gzip" in refusal(written(tmp_path, whole[:-40], "judgments.jsonl.gz"))
    assert "broken gzip" in refusal(written(tmp_path, b"plain", "judgments.jsonl.gz"))


# --- tables ---


def frame_of(*rows):
    return pd.DataFrame(rows, columns=COLUMNS)


def test_matrix_by_hand():
    frame = frame_of(
        ("2010", "D2", "A", "10", "m", 4.0),
        ("2010", "D10", "A", "2", "m", 1.0),
        ("2010", "D2", "A", "2", "m", 2.0),
        ("2010", "D2", "A", "2", "other", 9.0),
    )
    values, summarizers, topics = matrix(frame, "m")
    assert (summarizers, topics) == (("2", "10"), ("D2", "D10"))
    np.testing.assert_array_equal(values, [[2, 1], [4, math.nan]])


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ({"metric": "m"}, r"several values of task \(A, B\)"),
        ({"metric": "x"}, "no scores with metric 'x'; known: m, twice"),
        ({"metric": "twice"}, "D1-A 1: twice has several scores"),
    ],
)
def test_matrix_refuses_what_it_would_have_to_pool(asked, says):
    once = ("", "D1", "A", "1", "m", 1.0)
    again = ("", "D1", "A", "1", "twice", 1.0)
    frame = frame_of(once, ("", "D1", "B", "1", "m", 2.0), again, again)
    with pytest.raises(InputError, match=says):
        matrix(frame, **asked)


def test_range_by_hand():
    frame = frame_of(
        ("", "D1", "A", "1", "m", 1.0), ("", "D1", "A", "2", "m", math.nan), ("", "D1", "A", "3", "m", 5.5)
    )
    check_range(frame, {"m": (1, 5.5), "elsewhere": (0, 0)})
    with pytest.raises(InputError, match=r"D1-A 3: m is 5\.5; expected 1 to 5"):
        check_range(frame, {"m": (1, 5)})
    with pytest.raises(InputError, match="D1-A 1: m is 1; expected 2 or more"):
        check_range(frame, {"m": (2, math.inf)})


def test_users_table_becomes_tidy():
    given = pd.DataFrame({"topic": [1, 1], "summarizer": ["01", "1"], "quality": [3, None], "length": [5, 6]})
    frame = tidy(given)
    assert list(frame.columns) == COLUMNS
    assert frame["topic"].tolist() == ["1"] * 4
    assert frame["summarizer"].tolist() == ["01", "01", "1", "1"]
    assert frame["score"].isna().sum() == 1
    assert set(tidy(given.assign(topic=["D1", 1.5]))["topic"]) == {"D1", "1.5"}  # as a corpus reads it
    with pytest.raises(InputError, match="record 2: topic is empty; expected text or a whole number"):
        tidy(given.assign(topic=["D1", None]))
    with pytest.raises(
        InputError, match=r"1 rows are given again \(record 2 after record 1\): equal in topic, summarizer"
    ):
        tidy(pd.DataFrame({"topic": ["D1"] * 2, "summarizer": ["1"] * 2, "m": [1, 2]}))


# --- real data ---


@pytest.mark.slow
def test_summeval_matrices_against_released_ones(shared):
    released = np.load(shared / "data/score_matrices/scores_fabbri2020.npz", allow_pickle=False)
    values, summarizers, topics = matrix(
        read_scores(shared / "data/summeval/scores_rouge.jsonl"), "rouge-2.recall"
    )
    order = [list(released["__inputs__"].astype(str)).index(topic) for topic in topics]
    systems = [list(released["__systems__"].astype(str)).index(name) for name in summarizers]
    np.testing.assert_allclose(values, released["rouge-2.recall"][np.ix_(systems, order)], atol=1e-9)


def test_natural_order_of_long_numbers():
    """Python turns no number of more than 4,300 digits into one."""
    numbers = ["2" * 5000, "10", "1" * 5000, "02", "x3", "2", "0", "00"]
    assert sorted(numbers, key=natural) == ["0", "00", "02", "2", "10", "1" * 5000, "2" * 5000, "x3"]
