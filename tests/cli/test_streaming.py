"""Commands that read JSON lines topic by topic: the bytes are those of the whole corpus, for any number of workers."""

import gzip
import io
import json
import signal
import subprocess
import sys
import time

import pytest

from classy_aesop.cli import streaming
from classy_aesop.corpus import streaming as blocks_of_lines
from classy_aesop.formulas.linear import Linear
from classy_aesop.predictor import Predictor
from tests.each import each

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
    """Blocks of five lines, in this process."""
    original = blocks_of_lines.blocks
    monkeypatch.setattr(blocks_of_lines, "blocks", lambda paths: original(paths, n_lines=5))


PREDICTOR = "published/realsumm-litepyramid"


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
def test_workers_give_the_same_bytes(run, tmp_path):
    path = write(tmp_path / "some.jsonl", rows(500))
    _, expected, _ = run("features", path)
    assert run("features", path, "--stream", "-j", "2") == (0, expected, "")


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


@each(
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


@each(
    ("arguments", "expected"),
    [
        (("features", "IN", "IN"), "further files need --stream"),
        (("features", "IN", "--resume"), "--resume needs --stream"),
        (("features", "IN", "--stream", "--resume"), "--resume needs -o FILE"),
        (("features", "IN", "--stream", "-f", "json"), "-f json does not go with --stream"),
        (("features", "IN", "--stream", "--format", "nist"), "--format nist does not go with --stream"),
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
    _, expected, _ = run("features", path)
    worked, original = [], streaming._part

    def part(block, *rest):
        worked.append(block.first)
        if block.first > 12 and len(worked) == 3:
            raise KeyboardInterrupt
        return original(block, *rest)

    monkeypatch.setattr(streaming, "_part", part)
    asked = ("features", path, "--stream", "--resume", "-o", out)
    code, _, said = run(*asked)
    assert code == 130
    assert "repeat the command to go on" in said
    assert not out.exists()
    assert expected.startswith((tmp_path / "out.tsv.partial").read_text())
    with (tmp_path / "out.tsv.partial").open("a") as stream:
        stream.write("2021\tD4\tA half of a line" * 1_000)  # written, but not yet noted
    code, _, said = run("features", path, "--stream", "--resume", "-o", out, "--tokenizer", "unicode")
    assert code == 2
    assert "was begun by another command" in said
    assert run(*asked)[0] == 0
    assert out.read_text() == expected
    assert worked == [1, 7, 13, 13, 19]
    assert sorted(place.name for place in tmp_path.iterdir()) == ["out.tsv", "some.jsonl"]


@pytest.mark.slow
def test_a_killed_run_goes_on(tmp_path):
    path, out = write(tmp_path / "some.jsonl", rows(2_000)), tmp_path / "out.tsv"
    asked = [sys.executable, "-m", "classy_aesop", "features", path, "--stream", "--resume", "-o", out]
    process = subprocess.Popen(asked)
    while not (tmp_path / "out.tsv.partial.json").exists() and process.poll() is None:
        time.sleep(0.01)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert not out.exists()
    subprocess.run(asked, check=True)
    subprocess.run([*asked[:4], path, "-o", tmp_path / "whole.tsv"], check=True)
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
    assert "nothing in the input is for this command" in said
