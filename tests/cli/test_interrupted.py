"""Ctrl-C: one line says what is left, and no worker says anything."""

import argparse
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from classy_aesop.cli import interrupted, sources
from classy_aesop.cli.interrupted import Written
from classy_aesop.files import whole_file, whole_folder


def written(**options):
    streaming = {"stream": False, "resume": False, "scheduler": None, "more": []}
    asked = streaming | options if streaming.keys() & options.keys() else options
    return Written.of(argparse.Namespace(**asked))


def test_what_is_left_of_a_file(tmp_path):
    path = tmp_path / "out.tsv"
    assert written(output=None).left() == "nothing was written"
    assert written(output=None, stream=True).left() == "the output is not whole"
    before = written(output=str(path))
    assert before.left() == "nothing was written"
    path.write_text("old")
    assert before.left() == f"{path} was already written"
    again = written(output=str(path))
    assert again.left() == f"{path} is unchanged"
    with whole_file(path) as stream:
        stream.write("new")
    assert again.left() == f"{path} was already written"
    assert written(output=os.devnull).left() == f"{os.devnull} is not whole; repeat the command"


def test_what_is_left_of_a_folder(tmp_path):
    folder = tmp_path / "out"
    new = written(folder=str(folder))
    assert new.left() == "nothing was written"
    for text in ("one", "two"):
        with whole_folder(folder) as stage:
            (stage / "file").write_text(text)
            older = written(folder=str(folder))
    assert new.left() == f"{folder} was already written"
    older = written(folder=str(folder))
    assert older.left() == f"{folder} is unchanged"
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | {"whole": False}))
    assert older.left() == f"{folder} is not whole; repeat the command"


def test_rows_that_are_kept_are_counted(tmp_path):
    path = tmp_path / "out.tsv"
    options = {"output": str(path), "stream": True, "resume": True, "format": "tsv"}
    assert written(**options).left() == "nothing was written"
    text = "a\tb\n" + "1\t2\n" * 1200
    (tmp_path / "out.tsv.partial").write_text(text + "half a line\n")
    state = {"work": "x", "parts": 2, "bytes": len(text), "head": "a\tb\n"}
    (tmp_path / "out.tsv.partial.json").write_text(json.dumps(state))
    told = f"1,200 rows are kept in {path}.partial; repeat the command to go on from there"
    assert written(**options).left() == told
    assert written(**options | {"format": "parquet"}).left().startswith("2 parts are kept")
    (tmp_path / "out.tsv.partial.json").write_text("{")
    assert written(**options).left() == "nothing was written"


@pytest.fixture
def corpus(tmp_path):
    """Some seconds' work."""
    with (tmp_path / "corpus.jsonl").open("w") as stream:
        for topic in range(1500):
            for name in "123456":
                text = " ".join(f"w{(topic * at) % 97} of{name} the{at % 13}." for at in range(120))
                reference = {"R": text.replace(f"of{name}", "of")}
                row = {"topic": f"t{topic}", "summarizer": name, "text": text, "references": reference}
                stream.write(json.dumps(row) + "\n")
    return tmp_path / "corpus.jsonl"


def test_an_interrupted_import_is_an_interruption(run, tmp_path, monkeypatch):
    """Compiled modules turn a KeyboardInterrupt into an ImportError; any other ImportError is what it is."""

    def broken(*_):
        raise ImportError("could not import")

    monkeypatch.setattr(sources, "read_corpus", broken)
    assert run("validate", tmp_path)[0] == 70
    with pytest.raises(KeyboardInterrupt):
        interrupted.interrupt(signal.SIGINT, None)
    try:
        assert run("validate", tmp_path)[0] == 130
    finally:
        interrupted._INTERRUPTIONS.clear()


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0.6, 1.2, 2.4])
def test_workers_are_quiet_when_interrupted(tmp_path, corpus, wait):
    """A terminal sends the signal to every process of the command."""
    (tmp_path / "out.tsv").write_text("old")
    command = [
        sys.executable,
        "-m",
        "classy_aesop",
        "features",
        corpus,
        "-j",
        "2",
        "-o",
        tmp_path / "out.tsv",
    ]
    process = subprocess.Popen(
        command,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    try:
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode in (130, -signal.SIGINT)
    said = f"classy-aesop: error: interrupted; {tmp_path}/out.tsv is unchanged\n"
    assert err in ("", said)  # without a word until all is imported
    assert (tmp_path / "out.tsv").read_text() == "old"
