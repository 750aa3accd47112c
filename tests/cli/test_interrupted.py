"""Ctrl-C and SIGTERM: one line says what is left, no worker says anything, and none is left."""

import contextlib
import importlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from classy_aesop.cli import program as interrupted


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


def test_an_import_is_interrupted_when_it_has_ended(tmp_path, monkeypatch):
    """Libraries ignore what goes wrong while they import what they can do without, and the command went on."""
    lines = [
        "import os, signal",
        "try:",
        "    os.kill(os.getpid(), signal.SIGINT)",
        "except BaseException:",
        "    1 / 0",
    ]
    (tmp_path / "careless.py").write_text("\n".join(lines))
    monkeypatch.syspath_prepend(tmp_path)
    before = {one: signal.signal(one, interrupted.interrupt) for one in (signal.SIGINT, signal.SIGALRM)}
    try:
        with pytest.raises(KeyboardInterrupt):
            importlib.import_module("careless")
            time.sleep(5)
        assert interrupted.exit_code() == 130
    finally:
        interrupted._INTERRUPTIONS.clear()
        for one, handler in before.items():
            signal.signal(one, handler)


def test_an_interruption_that_python_ignores_comes_again(monkeypatch):
    """As in a callback of a fork; the command went on to its end."""

    class Destroyed:
        def __del__(self):
            interrupted.interrupt(signal.SIGTERM, None)

    monkeypatch.setattr(sys, "unraisablehook", interrupted.repeat_interruption)
    before = signal.getsignal(signal.SIGALRM)
    try:
        with pytest.raises(KeyboardInterrupt):
            Destroyed()
            time.sleep(5)
        assert interrupted.exit_code() == 143
    finally:
        signal.signal(signal.SIGALRM, before)
        interrupted._INTERRUPTIONS.clear()


@pytest.mark.slow
@pytest.mark.parametrize("wait", [0.6, 1.2, 2.4])
def test_workers_are_quiet_when_interrupted(tmp_path, corpus, wait):
    """A terminal sends the signal to every process of the command."""
    (tmp_path / "out.tsv").write_text("old")
    out = tmp_path / "out.tsv"
    command = [sys.executable, "-m", "classy_aesop", "features", corpus, "-j", "2", "-o", out]
    how = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL), "start_new_session": True}
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, **how)
    try:
        time.sleep(wait)
        os.killpg(process.pid, signal.SIGINT)
        _, err = process.communicate(timeout=60)
    finally:
        process.kill()
    assert process.returncode in (130, -signal.SIGINT)
    said = f"classy-aesop: error: interrupted; {tmp_path}/out.tsv is unchanged, or already complete\n"
    assert err in ("", said)  # without a word until all is imported
    assert (tmp_path / "out.tsv").read_text() == "old"


ROOT = Path(__file__).parent.parent.parent


def session(leader):
    """Name the living processes of a session."""
    found = []
    for place in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            _, _, fields = place.read_text().rpartition(")")
            state, _, _, number = fields.split()[:4]
            found += [place.parent.name] if int(number) == leader and state != "Z" else []
    return found


def size(path):
    """Give the bytes of a file, none where it has gone since it was listed."""
    with contextlib.suppress(FileNotFoundError):
        return path.stat().st_size
    return 0


def ended(command, is_begun, wait=0.0):
    """Begin a command, end it when it has begun, and give its exit code and what it says; no process may be left."""
    command = [sys.executable, "-m", "classy_aesop", *map(str, command)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True)
    deadline = time.monotonic() + 60
    try:
        while process.poll() is None and not is_begun(process.pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        time.sleep(wait)
        process.terminate()
        process.wait(timeout=60)
        time.sleep(1)
        assert session(process.pid) == []
        _, err = process.communicate()
    finally:
        for number in session(process.pid):
            os.kill(int(number), signal.SIGKILL)
    return process.returncode, err


def test_a_thread_that_fails_after_an_interruption_says_nothing(monkeypatch, capsys):
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)
    monkeypatch.setattr(interrupted, "_INTERRUPTIONS", [])
    with pytest.raises(KeyboardInterrupt):
        interrupted.interrupt(signal.SIGTERM, None)
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()
    assert capsys.readouterr().err == ""


@pytest.mark.slow
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="has no /proc")
def test_no_worker_is_left_of_a_search_that_is_ended(tmp_path):
    command = ("train", ROOT / "configs" / "sample.toml", "-q", "-j", "2", "-o", tmp_path / "out")
    code, said = ended(command, lambda leader: len(session(leader)) > 3, wait=1)
    assert (code, said) == (143, "classy-aesop: error: interrupted; nothing was written\n")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", ["1", "2"])
def test_no_hidden_file_is_left_of_a_stream_that_is_ended(tmp_path, corpus, n_jobs):
    command = ("features", corpus, "-j", n_jobs, "-o", tmp_path / "out.tsv")

    def is_begun(leader):
        return any(size(path) for path in tmp_path.glob(".classy-aesop-*"))

    code, said = ended(command, is_begun)
    assert (code, said) == (143, "classy-aesop: error: interrupted; nothing was written\n")
    assert list(tmp_path.iterdir()) == [corpus]
