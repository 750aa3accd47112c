"""Commands that read topic by topic: the bytes are those of the whole corpus, for any source and number of workers."""

import gzip
import io
import json
import os
import signal
import sys

import pandas as pd
import pytest

from classy_aesop.formulas.base import Linear
from classy_aesop.predictor import Predictor
from classy_aesop.reading import streaming
from classy_aesop.work import workers

SAID = "the storm reached town on Monday and many houses were lost . Nobody knew why , he said"
WORDS = SAID.split()


def rows(n_topics, n_systems=3, *, tasks=("A",)):
    """Made-up rows, topic after topic; every row lists its references."""
    for topic in range(n_topics):
        for task in tasks:
            texts = [WORDS[(topic + k) % 5 : 9 + (3 * k + topic) % 7] for k in range(n_systems + 2)]
            texts = [[" ".join(words) + f" word{topic}."] for words in texts]
            references = [{"summarizer_id": name, "text": texts[at]} for at, name in enumerate("AB")]
            for system in range(n_systems):
                row = {"instance_id": f"D{topic}-{task}", "year": "2021", "summarizer_id": str(system)}
                yield row | {"summary": {"text": texts[2 + system]}, "references": references}


def write(path, given):
    text = "".join(json.dumps(row) + "\n" for row in given)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of some five lines, also in workers, which are forked whatever threads other tests left."""
    monkeypatch.setattr("classy_aesop.reading.blocks.BLOCK_BYTES", 1_000)
    monkeypatch.setattr(workers, "_start_method", lambda: "fork")


@pytest.fixture
def streamed(run, monkeypatch):
    """Run a command as if every source were too large to be held."""

    def go(*arguments):
        with monkeypatch.context() as patch:
            patch.setattr(streaming, "MAX_BYTES_READ_AT_ONCE", 0)
            return run(*arguments)

    return go


PREDICTOR = "published/news-content"


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "further", [("--task", "A"), ("--copies", "without"), ("--exclude", "1"), ("--means",)]
)
def test_blocks_give_the_scores_of_the_whole(further, run, streamed, tmp_path, small_blocks):
    """A product with weights may differ in its last digit with the number of rows."""
    asked = ("predict", PREDICTOR, write(tmp_path / "some.jsonl", rows(6)), *further, "-f", "jsonl")
    (_, *whole), (code, *blocks) = run(*asked), streamed(*asked)
    assert (code, blocks[1]) == (0, whole[1])
    for one, other in zip(*(map(json.loads, out.splitlines()) for out in (whole[0], blocks[0])), strict=True):
        name = "mean" if "mean" in one else "score"
        assert one.pop(name) == pytest.approx(other.pop(name), abs=1e-12)
        assert one == other


@pytest.mark.parametrize(
    ("changed", "more", "expected"),
    [
        ({"references": None, "summary": 2000 * "x "}, (), "\tD2\t"),
        (
            {},
            ("--peers", "no_models"),
            "summarizer 2021 0 is a human in one place and a system in another",
        ),
    ],
)
def test_a_block_is_not_taken_for_the_corpus(streamed, tmp_path, small_blocks, changed, more, expected):
    """One may hold references alone; two that disagree about who is human are refused."""
    first = next(rows(1)) | {"summarizer_type": "reference"} | changed
    path = write(tmp_path / "some.jsonl", [first, *list(rows(3))[3:]])
    assert expected in "".join(streamed("features", path, "--names", "r2", "-f", "tsv", "-q", *more)[1:])


@pytest.mark.parametrize(
    ("line", "found"),
    [(b'{"topic": "Caf\xe9"}', "byte 0xe9 at position 15"), (b'{"x":' * 9**5, "invalid or trunc")],
)
def test_a_line_that_cannot_be_read_is_named(streamed, tmp_path, small_blocks, line, found):
    path = write(tmp_path / "some.jsonl", rows(3))
    path.write_bytes(path.read_bytes() + line)
    assert f"some.jsonl, line 10: {found}" in streamed("features", path, "--names", "r2")[2]


def test_a_killed_worker_is_told(streamed, tmp_path, small_blocks, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    path, original = write(tmp_path / "some.jsonl", rows(20)), streaming._make_part

    def part(*given):
        if given[-1].start > path.stat().st_size / 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*given)

    monkeypatch.setattr(streaming, "_make_part", part)
    code, _, said = streamed("features", path, "-j", "2", "-o", tmp_path / "out.tsv")
    assert code == 1
    assert "a worker ended unexpectedly, perhaps for lack of memory" in said
    assert [place.name for place in tmp_path.iterdir()] == ["some.jsonl"]


@pytest.fixture
def piped(monkeypatch):
    """Give a file as standard input."""

    def give(path):
        stream = io.BufferedReader(io.BytesIO(path.read_bytes()))
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(stream))

    return give


WRITERS = {
    "csv": lambda frame, path: frame.to_csv(path, index=False),
    "tsv": lambda frame, path: frame.to_csv(path, index=False, sep="\t"),
    "jsonl": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "jsonl.gz": lambda frame, path: frame.to_json(path, orient="records", lines=True),
    "parquet": lambda frame, path: frame.to_parquet(path),
    "xlsx": lambda frame, path: frame.to_excel(path, index=False),
}


@pytest.fixture
def flat():
    """Rows of a table, with line breaks in their texts, and scores and judgments beside them."""
    given = pd.DataFrame(rows(12))
    frame = pd.DataFrame({"topic": given["instance_id"].str[:-2], "system": given["summarizer_id"]})
    frame["summary"] = [f"{one['text'][0]}\nHe said why." for one in given["summary"]]
    for at in range(2):
        frame[f"reference_{at + 1}"] = [one[at]["text"][0] for one in given["references"]]
    return frame.assign(relevance=3.5, judge_score=1)


@pytest.mark.slow
@pytest.mark.parametrize("order", ["topic", "system", "scattered"])
def test_every_source_gives_the_bytes_of_the_whole(
    order, run, streamed, piped, tmp_path, small_blocks, monkeypatch, flat
):
    for module in ("pyarrow", "openpyxl"):
        pytest.importorskip(module)
    monkeypatch.setattr("classy_aesop.reading.sorting.ROWS_READ_AT_ONCE", 17)
    monkeypatch.setattr("classy_aesop.reading.sorting.SORTED_BLOCK_BYTES", 500)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    if order == "system":
        flat = flat.sort_values("system", kind="stable")
    if order == "scattered":
        flat = pd.concat([flat[:1], flat[1:].sample(frac=1, random_state=1)])
    commands = [["features", "--names", "r1,form"], ["predict", PREDICTOR]]
    commands += [["baselines", "-m", "ngram"], ["rouge", "-f", "tsv", "--metric", "1"]]
    for form, to in WRITERS.items():
        path = tmp_path / f"in.{form}"
        to(flat, path)
        for command in commands if form == "csv" else commands[:1]:
            code, whole, _ = run(*command, path, "-q")
            assert code == 0
            assert streamed(*command, path, "-q") == (0, whole, "")
        if form in ("csv", "jsonl"):
            piped(path)
            assert streamed(*command, "-", "-q", "-j", "2") == (0, whole, "")


def test_a_topic_may_go_on_after_others(run, streamed, tmp_path, small_blocks):
    given = list(rows(4))
    path = write(tmp_path / "mixed.jsonl", [*given, given[0] | {"summarizer_id": "9"}])
    assert streamed("features", path) == run("features", path)


@pytest.mark.slow
def test_a_task_belongs_to_its_topic(printed, streamed, tmp_path, small_blocks):
    """References of task A are earlier references of task B, so both are in one block."""
    given = [{key: row[key] for key in row if key != "references"} for row in rows(4, tasks="AB")]
    given = [
        row | {"summarizer_type": "reference" if row["summarizer_id"] == "0" else "peer"} for row in given
    ]
    path = write(tmp_path / "both.jsonl", given)
    whole = printed("features", path, "-f", "jsonl")
    assert '"n_earlier": 1' in whole
    assert streamed("features", path, "-f", "jsonl")[1] == whole


def test_parquet_does_not_go_to_a_terminal(run, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
    path = write(tmp_path / "some.jsonl", rows(1))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert "-f parquet cannot be shown on a terminal" in run("features", path, "-f", "parquet")[2]
    said = run("features", path, "-f", "parquet", "-o", tmp_path / "out.gz")[2]
    assert "parquet is already compressed" in said


@pytest.fixture
def of_task_a(tmp_path):
    """A predictor of task A."""
    path = tmp_path / "predictor.json"
    Predictor("made-up", "responsiveness", "A", "all_peers", "ridge", ("r2",), Linear((2.0,), 0.0)).save(path)
    return path


def test_topics_of_another_task_have_no_score(run, streamed, tmp_path, small_blocks, of_task_a):
    given = [*rows(4), *(row | {"instance_id": f"E-{row['instance_id'][:2]}-B"} for row in rows(4))]
    asked = ("predict", of_task_a, write(tmp_path / "both.jsonl", given))
    (_, whole, _), (code, blocks, _) = run(*asked), streamed(*asked)
    assert code == 0
    assert blocks == whole
    code, _, said = streamed("predict", of_task_a, write(tmp_path / "b.jsonl", given[12:]))
    assert code == 1
    assert "no row of the input is of the requested task" in said


@pytest.mark.slow
def test_names_that_a_stream_lacks_are_told(streamed, tmp_path, small_blocks):
    path = write(tmp_path / "some.jsonl", rows(6))
    for option, value, told in (
        ("--exclude", "77", "no summarizer '77' to compare; known: 0, 1, 2"),
        ("--year", "1999", "no year 1999; the corpus has 2021"),
    ):
        code, _, said = streamed("features", path, option, value, "-o", tmp_path / "out.tsv")
        assert (code, told in said, (tmp_path / "out.tsv").exists()) == (2, True, False)


@pytest.mark.slow(after=1)
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_a_judged_folder_is_streamed_as_it_is_read(ending, run, streamed, folder, small_blocks):
    """References that are judged are evaluated, and no others."""
    judgments, summaries = (folder / "2021" / f"{name}.jsonl" for name in ("judgments", "summaries"))
    judgments.write_text("".join(judgments.read_text().splitlines(keepends=True)[::2]))
    if ending:
        summaries.with_suffix(".jsonl.gz").write_bytes(gzip.compress(summaries.read_bytes()))
        summaries.unlink()
    asked = ("features", folder / "2021", "--names", "r1,r2", "-q")
    assert streamed(*asked) == run(*asked)
