import json
import shutil
from pathlib import Path

import pandas as pd
import pytest

from benchmarks.made_up.corpora import corpus_of_records
from classy_aesop.data.where import Where
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.reading import read_corpus, read_jsonl, write_jsonl
from classy_aesop.reading.summary_rows import json_objects, parse_rows

FOLDER = Path(__file__).parent / "fixtures" / "jsonl"


def key(corpus, at):
    topic, summary = list(corpus.summaries())[at]
    return (*topic.key, summary.summarizer)


def assert_same(one, other):
    assert one.topics == other.topics
    pd.testing.assert_frame_equal(one.judgments, other.judgments)
    pd.testing.assert_frame_equal(one.ratings, other.ratings)


def test_folder_by_counts_and_first_tenth_last():
    corpus = read_corpus(FOLDER, year="2008")
    assert len(corpus) == 4
    assert len(list(corpus.summaries())) == 28
    assert len(corpus.judgments) == 56
    assert key(corpus, 0) == ("2008", "d0801", "A", "1")
    assert key(corpus, 9) == ("2008", "d0801", "B", "10")
    assert key(corpus, -1) == ("2008", "d0802", "B", "D")
    topic, summary = next(iter(corpus.summaries()))
    assert summary.text[0] == "The council opened the market hall last year."
    assert len(summary.text) == 3
    assert [len(summary.text) for summary in topic.summaries] == [3, 1, 1, 3, 3, 3, 3]
    assert {len(topic.references) for topic in corpus} == {4}
    assert all(summary.references is None for _, summary in corpus.summaries())
    assert sum(summary.human for _, summary in corpus.summaries()) == 16
    assert [len(topic.earlier_references) for topic in corpus] == [0, 4, 0, 4]


def test_judgments_of_another_corpus_are_not_taken_over(tmp_path):
    write_jsonl(read_jsonl(FOLDER), tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(FileExistsError, match=r"s\.jsonl: would be read as the judgments of this corpus"):
        write_jsonl(read_jsonl(FOLDER / "summaries.jsonl"), tmp_path)
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


# --- bad input ---


def lines_of(name):
    return (FOLDER / name).read_text(encoding="utf-8").splitlines(keepends=True)


@pytest.mark.parametrize(
    ("name", "change", "line", "says"),
    [
        ("summaries.jsonl", lambda lines: [*lines[:-1], lines[-1][:40]], 28, "invalid or truncated JSON"),
        ("summaries.jsonl", lambda lines: [*lines, lines[3]], 29, "d0801-A A is given again; the first is"),
        ("summaries.jsonl", lambda lines: [lines[0].replace("summary", "abstract")], 1, "no field summary"),
        ("judgments.jsonl", lambda lines: [*lines[:3], "{"], 4, "invalid or truncated JSON"),
        ("judgments.jsonl", lambda lines: [*lines, lines[0]], 29, "d0801-A 1: responsiveness is given again"),
        ("judgments.jsonl", lambda lines: [lines[0].replace("3.33", '"3.33"', 1)], 1, "invalid or truncated"),
    ],
)
def test_bad_file_is_refused_with_its_line(tmp_path, name, change, line, says):
    for other in ("summaries.jsonl", "judgments.jsonl"):
        shutil.copy(FOLDER / other, tmp_path)
    (tmp_path / name).write_text("".join(change(lines_of(name))), encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_jsonl(tmp_path)
    assert f"{tmp_path / name}, line {line}: " in str(caught.value)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


def test_empty_file_and_folder_are_refused(tmp_path):
    with pytest.raises(InputError, match=r"no summaries\.jsonl in this folder"):
        read_jsonl(tmp_path)
    (tmp_path / "summaries.jsonl").touch()
    with pytest.raises(InputError, match="the file is empty"):
        read_jsonl(tmp_path)


def test_judgments_and_summaries_must_belong_together(tmp_path):
    shutil.copy(FOLDER / "summaries.jsonl", tmp_path)
    judgments = lines_of("judgments.jsonl")
    (tmp_path / "judgments.jsonl").write_text("".join(judgments[1:]), encoding="utf-8")
    with pytest.warns(DataWarning, match=f"^{tmp_path}: 1 summaries without a judgment: d0801-A 1$"):
        read_jsonl(tmp_path)
    (tmp_path / "judgments.jsonl").write_text(judgments[0].replace('"1"', '"77"'), encoding="utf-8")
    with pytest.raises(InputError, match=f"^{tmp_path}: 1 judgments without a summary: d0801-A 77$"):
        read_jsonl(tmp_path)


# --- writing ---


@pytest.mark.parametrize("is_judged", [True, False])
def test_round_trip_of_everything_unusual(tmp_path, is_judged):
    a, b = {"references": {"A": "a a"}}, {"references": {"A": "a a", "B": "b"}}
    records = [
        {"topic": "x-A", "summarizer": "1", "text": ["é\u2028 line", ""], **a},
        {"topic": "x-A", "summarizer": "2", "text": "", **b, "documents": ["d", "e"]},
        {"topic": "x-A", "summarizer": "c", "text": "crowd", "summarizer_type": "peer", "human": True},
        {"topic": "x-A", "summarizer": "D", "text": "d d", "human": True},
        {"topic": "x-A", "summarizer": "E", "text": "e e", "human": True},
        {"topic": "x", "task": "B", "summarizer": "1", "text": "u", **a, "earlier_references": {}},
        {"topic": "x", "task": "A", "summarizer": "1", "text": "i", "references": {"A": "b"}},
        {"topic": "y", "task": "B", "summarizer": "1", "text": "u", **a, "earlier_references": {"Q": "q"}},
    ]
    evaluated = {(row["topic"], row.get("task", ""), row["summarizer"]) for row in records} - {
        ("x-A", "", "E")
    }
    judgments = [
        {"topic": topic, "task": task, "summarizer": name, "metrics": {"a.b": 1 / 3, "c": None}}
        for topic, task, name in sorted(evaluated)
    ]
    corpus = corpus_of_records(records, judgments if is_judged else None)
    write_jsonl(corpus, tmp_path)
    assert_same(read_jsonl(tmp_path), corpus)
    assert len(list(corpus.summaries())) == (7 if is_judged else 8)


# --- real data ---


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "n_summaries", "n_references", "n_measures"),
    [("summeval", 1600, 11, 4), ("realsumm", 2400, 1, 1)],
)
def test_published_corpora_by_their_counts(shared, tmp_path, name, n_summaries, n_references, n_measures):
    corpus = read_jsonl(shared / "data" / name)
    assert len(corpus) == 100
    assert len(list(corpus.summaries())) == n_summaries
    assert {len(topic.references) for topic in corpus} == {n_references}
    assert not any(summary.human or summary.references for _, summary in corpus.summaries())
    assert len(corpus.judgments) == n_summaries * n_measures
    assert corpus.judgments["score"].notna().all()
    write_jsonl(corpus, tmp_path)
    assert_same(read_jsonl(tmp_path), corpus)


def test_fields_that_nothing_reads_are_named_once(tmp_path):
    rows = [{"topic": "D1", "summarizer": name, "text": "x", "references": {"A": "r"}} for name in "12"]
    text = "".join(json.dumps({**row, "refrences": "y", "note": 1}) + "\n" for row in rows)
    (tmp_path / "summaries.jsonl").write_text(text, encoding="utf-8")
    with pytest.warns(DataWarning) as told:
        corpus = read_jsonl(tmp_path)
    path = tmp_path / "summaries.jsonl"
    assert [str(one.message) for one in told] == [f"{path}: ignored fields: refrences, note"]
    assert corpus.topics == corpus_of_records(rows).topics


def test_equal_references_of_many_rows_are_one_object():
    row = {"topic": "D1", "references": [{"summarizer_id": "A", "text": "One."}]}
    rows = [{**row, "summarizer": name, "text": "x", "human": name == "c"} for name in "abcd"]
    lines = [(Where("f", at), json.dumps(row).encode()) for at, row in enumerate(rows, 1)]
    one, *others = parse_rows(json_objects(lines))
    assert all(one.references is other.references for other in others)
