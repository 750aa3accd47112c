"""Commands that read JSON lines topic by topic: the bytes are those of the whole corpus, for any number of workers."""

import gzip
import io
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pandas as pd
import pytest

from classy_aesop.data import blocks, read_scores, streaming
from classy_aesop.data.sources import open_bytes
from classy_aesop.formulas.base import Linear
from classy_aesop.predictor import Predictor
from classy_aesop.work import workers
from classy_aesop.work.unfinished import n_kept

WORDS = (
    "the storm reached town on Monday and many houses were lost . Nobody knew why , he said".split()  # noqa: SIM905
)


def rows(n_topics, n_systems=3, *, tasks=("A",)):
    """Made-up rows, topic after topic; every row lists its references."""
    for topic in range(n_topics):
        for task in tasks:
            texts = [WORDS[(topic + k) % 5 : 9 + (3 * k + topic) % 7] for k in range(n_systems + 2)]
            texts = [[" ".join(words) + f" word{topic}."] for words in texts]
            references = [{"summarizer_id": name, "text": texts[at]} for at, name in enumerate("AB")]
            for system in range(n_systems):
                yield {
                    "instance_id": f"D{topic}-{task}",
                    "year": "2021",
                    "summarizer_id": str(system),
                    "summary": {"text": texts[2 + system]},
                    "references": references,
                }


def write(path, given):
    text = "".join(json.dumps(row) + "\n" for row in given)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())
    return path


@pytest.fixture
def small_blocks(monkeypatch):
    """Blocks of some five lines, also in workers, which are forked whatever threads other tests left."""
    monkeypatch.setattr(blocks, "SIZE", 1_500)
    monkeypatch.setattr(workers, "_start_method", lambda: "fork")


PREDICTOR = "published/news-content"


@pytest.mark.slow(after=1)
@pytest.mark.parametrize(
    "command",
    [
        ("features", "IN"),
        ("features", "IN", "--names", "form,graph,rl", "-f", "jsonl"),
        ("baselines", "IN", "-m", "rouge"),
        ("rouge", "IN", "-d", "-f", "tsv", "--metric", "2"),
    ],
)
def test_blocks_give_the_bytes_of_the_whole(command, run, tmp_path, small_blocks):
    path = write(tmp_path / "some.jsonl", rows(6))
    arguments = [path if part == "IN" else part for part in command]
    code, whole, said = run(*arguments)
    assert code == 0
    assert run(*arguments, "--stream") == (0, whole, said)


@pytest.mark.parametrize("further", [("--relative",), ("--copies", "without")])
def test_blocks_give_the_scores_of_the_whole(further, run, tmp_path, small_blocks):
    """A product with weights may differ in its last digit with the number of rows."""
    asked = ("predict", PREDICTOR, write(tmp_path / "some.jsonl", rows(6)), *further, "-f", "jsonl")
    (_, *whole), (code, *streamed) = run(*asked), run(*asked, "--stream")
    assert (code, streamed[1]) == (0, whole[1])
    for one, other in zip(
        *(map(json.loads, out.splitlines()) for out in (whole[0], streamed[0])), strict=True
    ):
        assert one.pop("score") == pytest.approx(other.pop("score"), abs=1e-12)
        assert one == other


@pytest.mark.slow
def test_workers_give_the_same_bytes(run, tmp_path, small_blocks, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    path = write(tmp_path / "some.jsonl", rows(50))
    packed = write(tmp_path / "some.jsonl.gz", rows(50))
    _, expected, _ = run("features", path)
    for given in (path, packed):
        assert run("features", given, "--stream", "-j", "2") == (0, expected, "")
    path.write_text(path.read_text() + "{}\n")
    assert "line 151: no field instance_id or topic" in run("features", path, "--stream", "-j", "2")[2]


def test_a_killed_worker_is_told(run, tmp_path, small_blocks, monkeypatch):
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    path, original = write(tmp_path / "some.jsonl", rows(20)), streaming._part

    def part(*given):
        block = given[-1]
        if block.line + block.start > 1 and path.read_bytes().index(block.data) > path.stat().st_size / 2:
            os.kill(os.getpid(), signal.SIGKILL)
        return original(*given)

    monkeypatch.setattr(streaming, "_part", part)
    code, _, said = run("features", path, "--stream", "-j", "2", "-o", tmp_path / "out.tsv")
    assert code == 1
    assert "a worker has ended unexpectedly, perhaps for lack of memory" in said
    assert [place.name for place in tmp_path.iterdir()] == ["some.jsonl"]


def test_files_and_pipes_give_the_same_bytes(run, tmp_path, monkeypatch):
    given = list(rows(6))
    path = write(tmp_path / "all.jsonl", given)
    parts = [write(tmp_path / "one.jsonl.gz", given[:9]), write(tmp_path / "two.jsonl", given[9:])]
    _, expected, _ = run("features", path)
    assert run("features", *parts, "--stream") == (0, expected, "")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(path.read_bytes()))))
    assert run("features", "-", "--stream", "-o", tmp_path / "out.tsv")[:2] == (0, "")
    assert (tmp_path / "out.tsv").read_text() == expected


def test_a_task_belongs_to_its_topic(run, tmp_path, small_blocks):
    """References of task A are earlier references of task B, so both are in one block."""
    given = [{key: row[key] for key in row if key != "references"} for row in rows(4, tasks="AB")]
    given = [
        row | {"summarizer_type": "reference" if row["summarizer_id"] == "0" else "peer"} for row in given
    ]
    path = write(tmp_path / "both.jsonl", given)
    code, whole, _ = run("features", path, "-f", "jsonl")
    assert code == 0
    assert '"n_earlier": 1' in whole
    assert run("features", path, "--stream", "-f", "jsonl")[1] == whole


def test_a_topic_that_goes_on_later_is_refused(run, tmp_path, small_blocks):
    given = list(rows(4))
    path = write(tmp_path / "mixed.jsonl", [*given[:-1], given[0] | {"summarizer_id": "9"}])
    code, _out, said = run("features", path, "--stream", "-o", tmp_path / "out.tsv")
    assert code == 1
    assert f"{path}, line 12: 2021 D0 goes on after other topics" in said
    assert not (tmp_path / "out.tsv").exists()


def test_topics_of_both_kinds_are_refused(run, tmp_path, small_blocks):
    given = list(rows(4))
    given[-1]["earlier_references"] = given[-1]["references"]
    code, _, said = run("features", write(tmp_path / "mixed.jsonl", given), "--stream")
    assert code == 1
    assert "give other columns than those before" in said
    assert "line 7" in said


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        ([b'{"topic": "D1", '], "line 1: invalid or truncated JSON"),
        ([b"[1]\n"], "line 1: found [1]; expected one JSON object a line"),
        ([b'{"topic": "D\xff"}\n'], "line 1: byte 0xff at position"),
        ([b"\n", b'{"topic": "D1", "summarizer": "1"}\n'], "line 2: no summary or text"),
        ([b"\n"], "the file is empty"),
        ([b""], "the file is empty"),
    ],
)
def test_what_is_wrong_is_named(lines, expected, run, tmp_path):
    path = tmp_path / "wrong.jsonl"
    path.write_bytes(b"".join(lines))
    code, _, said = run("features", path, "--stream")
    assert code == 1
    assert str(path) in said
    assert expected in said or ("summary" in expected and "summary" in said)


def test_a_wrong_name_among_the_files_is_found_before_the_work(run, tmp_path):
    path = write(tmp_path / "some.jsonl", rows(1))
    found = run("features", path, tmp_path / "no.jsonl")
    assert found == (2, "", f"classy-aesop: error: {tmp_path / 'no.jsonl'}: no such file\n")


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("features", "IN", "--resume"), "--resume needs -o FILE"),
        (("features", "IN", "IN", "-f", "json"), "-f json does not go with further files"),
        (("features", "IN", "--stream", "-f", "json"), "-f json does not go with --stream"),
        (("features", "IN", "--stream", "--layout", "nist"), "--layout nist does not go with --stream"),
        (("predict", PREDICTOR, "IN", "--stream", "--means"), "--means needs the whole corpus"),
        (("explain", PREDICTOR, "IN", "--stream"), "-f text does not go with --stream"),
        (("baselines", "IN", "--stream"), "--stream needs the baselines by name (-m)"),
        (("baselines", "IN", "-j", "2"), "-j needs --stream"),
        (("rouge", "IN", "--stream", "-f", "tsv"), "averages over topics need the whole corpus"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments, expected, run, tmp_path):
    path = write(tmp_path / "some.jsonl", rows(1))
    code, _, said = run(*(path if part == "IN" else part for part in arguments))
    assert code == 2
    assert expected in said


def test_an_interrupted_run_goes_on(run, tmp_path, small_blocks, monkeypatch):
    path, out = write(tmp_path / "some.jsonl", rows(8)), tmp_path / "out.tsv"
    monkeypatch.chdir(tmp_path)  # what else is there does not matter
    _, expected, _ = run("features", path)
    worked, original = [], streaming._part

    def part(function, *given):
        block = given[-1]
        if function is not None:
            worked.append(path.read_bytes().index(block.data))
            if len(worked) == 3:
                raise KeyboardInterrupt
        return original(function, *given)

    monkeypatch.setattr(streaming, "_part", part)
    asked = ("features", path, "--resume", "-o", out)
    code, _, said = run(*asked)
    assert code == 130
    assert "repeat the command to go on" in said
    assert not out.exists()
    assert n_kept(out) == 2
    with (tmp_path / "out.tsv.partial").open("a") as stream:
        stream.write("2021\tD4\tA half of a line" * 1_000)  # not all that was written
    code, _, said = run(*asked, "--tokenizer", "unicode")
    assert code == 2
    assert "was begun by another command" in said
    assert run(*asked, "-v")[0] == 0
    assert out.read_text() == expected
    assert worked[3] == worked[2]  # the one that was interrupted, and none before it
    assert worked[:3] + worked[4:] == sorted({*worked})
    assert sorted(place.name for place in tmp_path.iterdir()) == ["out.tsv", "some.jsonl"]


@pytest.mark.slow
@pytest.mark.parametrize("name", ["out.parquet", "out.jsonl.gz", "out.tsv.zst"])
def test_packed_output_goes_on(name, run, tmp_path, small_blocks, monkeypatch):
    pytest.importorskip({"parquet": "pyarrow", "zst": "backports.zstd"}.get(name.rpartition(".")[2], "gzip"))
    path, out = write(tmp_path / "some.jsonl", rows(8)), tmp_path / name
    asked = ("features", path, "--names", "r1", "-f", name.split(".")[1], "-o")
    assert run(*asked, tmp_path / f"whole.{name}")[0] == 0
    expected, original = (tmp_path / f"whole.{name}"), streaming._part

    def part(*given):
        block = given[-1]
        if block.line + block.start > 1 and path.read_bytes().index(block.data) > path.stat().st_size / 2:
            raise KeyboardInterrupt
        return original(*given)

    with monkeypatch.context() as patch:
        patch.setattr(streaming, "_part", part)
        assert run(*asked, out, "--resume")[0] == 130
    assert run(*asked, out, "--resume")[0] == 0
    if name == "out.parquet":
        assert out.read_bytes() == expected.read_bytes()
        assert run(*asked, tmp_path / "streamed", "--stream")[0] == 0
        assert (tmp_path / "streamed").read_bytes() == expected.read_bytes()
        run("features", path, "--names", "r1", "-o", tmp_path / "whole.tsv")
        pd.testing.assert_frame_equal(read_scores(out), read_scores(tmp_path / "whole.tsv"), check_exact=True)
    else:
        with open_bytes(out) as one, open_bytes(expected) as other:
            assert one.read() == other.read()


@pytest.mark.slow
def test_a_changed_predictor_or_input_is_another_work(run, tmp_path, of_task_a, small_blocks, monkeypatch):
    path = write(tmp_path / "some.jsonl", rows(8))
    asked = ("predict", of_task_a, path, "--resume", "-o", tmp_path / "out.tsv")
    monkeypatch.setattr(streaming, "_check_order", interrupted_after(2))
    assert run(*asked)[0] == 130
    for changed in (of_task_a, path):
        before = os.stat(changed)
        os.utime(changed, ns=(before.st_atime_ns, before.st_mtime_ns + 1))
        code, _, said = run(*asked)
        assert code == 2
        assert "was begun by another command, or from other files" in said
        os.utime(changed, ns=(before.st_atime_ns, before.st_mtime_ns))


@pytest.mark.slow
def test_changed_elements_are_another_work(run, tmp_path, small_blocks, monkeypatch):
    path, elements = write(tmp_path / "some.jsonl", rows(8)), tmp_path / "elements"
    elements.mkdir()
    for name in (f"D{topic}-A.M.100.T.{who}.be" for topic in range(8) for who in "AB012"):
        (elements / name).write_text("dog|big|mod\n")
    asked = ("baselines", path, "-m", f"basic_elements={elements}", "--resume", "-o", tmp_path / "out.tsv")
    monkeypatch.setattr(streaming, "_check_order", interrupted_after(2))
    assert run(*asked)[0] == 130
    (elements / name).write_text("dog|small|mod\n")
    code, _, said = run(*asked)
    assert (code, "was begun by another command, or from other files" in said) == (2, True)


def interrupted_after(n_calls):
    """A method that is interrupted after so many calls."""
    calls = []

    def method(*_):
        calls.append(1)
        if len(calls) > n_calls:
            raise KeyboardInterrupt

    return method


def test_parquet_does_not_go_to_a_terminal(run, tmp_path, monkeypatch):
    pytest.importorskip("pyarrow", reason="pyarrow is not installed (extra parquet)")
    path = write(tmp_path / "some.jsonl", rows(1))
    monkeypatch.setattr("sys.stdout.isatty", lambda: True, raising=False)
    assert "-f parquet does not go to a terminal" in run("features", path, "-f", "parquet")[2]
    said = run("features", path, "-f", "parquet", "-o", tmp_path / "out.gz")[2]
    assert "parquet is compressed by itself" in said


SMALL_BLOCKS = """
from classy_aesop.cli import main
from classy_aesop.data import blocks

blocks.SIZE = 20_000
raise SystemExit(main())
"""


def is_running(pid):
    return Path(f"/proc/{pid}").exists()


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path):
    path, out = write(tmp_path / "some.jsonl", rows(400)), tmp_path / "out.tsv"
    asked = [sys.executable, "-c", SMALL_BLOCKS, "features", path, "--resume", "-j", "2", "-o", out]
    process = subprocess.Popen(asked)
    while n_kept(out) < 3:  # the first is the parent's own work
        time.sleep(0.01)
    begun = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    assert len(begun) == 2
    deadline = time.monotonic() + 30
    while any(map(is_running, begun)) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(map(is_running, begun))  # else they would wait for ever
    subprocess.run(asked, check=True)
    subprocess.run([*asked[:5], "-o", tmp_path / "whole.tsv"], check=True)
    assert out.read_bytes() == (tmp_path / "whole.tsv").read_bytes()


@pytest.fixture
def of_task_a(tmp_path):
    """A predictor of task A."""
    path = tmp_path / "predictor.json"
    Predictor("made-up", "responsiveness", "A", "all_peers", "ridge", ("r2",), Linear((2.0,), 0.0)).save(path)
    return path


def test_topics_of_another_task_have_no_score(run, tmp_path, small_blocks, of_task_a):
    given = [
        *rows(4, tasks="A"),
        *(row | {"instance_id": f"E-{row['instance_id'][:2]}-B"} for row in rows(4)),
    ]
    asked = ("predict", of_task_a, write(tmp_path / "both.jsonl", given))
    (_, whole, _), (code, streamed, _) = run(*asked), run(*asked, "--stream")
    assert code == 0
    assert streamed == whole
    code, _, said = run("predict", of_task_a, write(tmp_path / "b.jsonl", given[12:]), "--stream")
    assert code == 1
    assert "nothing in the input is of the task that is asked for" in said


@pytest.mark.parametrize("format", ["tsv", "csv", "jsonl"])
def test_a_stream_is_signed_as_the_whole_is(format, run, tmp_path, small_blocks):
    path = write(tmp_path / "some.jsonl", rows(12))
    for name, stream in (("whole", ()), ("stream", ("--stream",))):
        out = tmp_path / f"{name}.{format}"
        assert run("features", path, "--names", "r1", "-q", "-o", out, *stream)[0] == 0
    whole, streamed = ((tmp_path / f"{name}.{format}").read_bytes() for name in ("whole", "stream"))
    assert whole == streamed
    assert whole.count(b"command:features|") == 1
