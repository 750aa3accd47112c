"""Commands whose work is done by the workers of a dask scheduler; skipped where dask is not installed."""

import json
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from classy_aesop.errors import UsageError
from classy_aesop.formulas.base import Linear
from classy_aesop.predictor import Predictor
from classy_aesop.reading import streaming
from classy_aesop.work.cluster import cluster as use_cluster

distributed = pytest.importorskip("distributed", reason="dask is not installed (extra dask)")

pytestmark = pytest.mark.slow  # starts a cluster

ROOT = Path(__file__).parent.parent.parent
SMALL_BLOCKS = """
from classy_aesop.reading import blocks, streaming

def dask_setup(worker):
    blocks.BLOCK_BYTES, streaming.MAX_BYTES_READ_AT_ONCE = 8_000, 0
"""


class Cluster:
    """A scheduler and two workers, each a process of its own."""

    def __init__(self, folder):
        self.folder, self.file = folder, folder / "scheduler.json"
        (folder / "small.py").write_text(SMALL_BLOCKS)
        self.scheduler = self.start("scheduler", "--port", "0")
        self.workers = [
            self.start("worker", "--nthreads", "1", "--no-nanny", "--preload", folder / "small.py")
            for _ in range(2)
        ]
        while not (self.file.exists() and self.file.read_text().endswith("}")):  # it is whole
            time.sleep(0.05)
        self.address = json.loads(self.file.read_text())["address"]

    def start(self, what, *options, path=ROOT):
        command = [sys.executable, "-m", f"distributed.cli.dask_{what}", "--scheduler-file", self.file]
        with (self.folder / "log").open("a") as log:
            how = {"cwd": self.folder, "env": os.environ | {"PYTHONPATH": str(path)}}
            return subprocess.Popen([*command, "--no-dashboard", *options], stdout=log, stderr=log, **how)

    def loaded(self, module):
        """Say of each worker whether it has loaded a module."""
        with distributed.Client(self.address, set_as_default=False) as client:
            return client.run(lambda: module in sys.modules).values()

    def stop(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path):
    folder = tmp_path / "cluster"
    folder.mkdir()
    started = Cluster(folder)
    yield started
    started.stop()


def rows(n_topics):
    for topic in range(n_topics):
        texts = {name: f"The storm {name} hit town {topic}. It was {name * 3} bad." for name in "ABCD"}
        references = [{"summarizer_id": name, "text": texts[name]} for name in "AB"]
        for name in "CD":
            row = {"topic": f"D{topic}", "task": "A", "year": "2021", "summarizer": name}
            yield row | {"text": texts[name], "references": references}


@pytest.fixture
def files(tmp_path, monkeypatch):
    """A predictor, and 480 rows in some 15 blocks, plain and compressed."""
    import gzip

    monkeypatch.setattr("classy_aesop.reading.blocks.BLOCK_BYTES", 8_000)
    monkeypatch.setattr(streaming, "MAX_BYTES_READ_AT_ONCE", 0)
    given = [json.dumps(row) + "\n" for row in rows(240)]
    (tmp_path / "one.jsonl").write_text("".join(given))
    (tmp_path / "one.jsonl.gz").write_bytes(gzip.compress("".join(given).encode()))
    Predictor("made-up", "t", "A", "all_peers", "ridge", ("r2", "su4"), Linear((2.0, 0.1), 0.0)).save(
        tmp_path / "predictor.json"
    )
    return [tmp_path / name for name in ("predictor.json", "one.jsonl", "one.jsonl.gz")]


def test_the_bytes_are_those_of_one_machine(run, files, cluster, tmp_path):
    predictor, *given = files
    for path in given:
        for command in (("predict", predictor), ("features",)):
            expected = run(*command, path)
            assert expected[0] == 0
            assert run(*command, path, "--scheduler", cluster.address) == expected
    given[0].write_text(given[0].read_text() + "{}\n")
    code, _, said = run("features", given[0], "--scheduler", cluster.address, "-o", tmp_path / "out")
    assert code == 1
    assert f"{given[0]}, line 481: no field" in said


def begun(folder):
    """Whether some of the output is written, under its name of the time of work."""
    return any(path.stat().st_size for path in folder.rglob(".classy-aesop-*") if path.is_file())


@pytest.mark.parametrize("fault", ["workers", "scheduler"])
def test_what_a_lost_cluster_leaves_is_done_here(files, cluster, tmp_path, fault):
    """In one line, within 30 seconds, and with the bytes that the cluster would have given."""
    predictor, path, _ = files
    path.write_text("".join(json.dumps(row) + "\n" for row in rows(3000)))  # so many that it takes a while
    subprocess.run([*command_of("predict", predictor, path), "-o", tmp_path / "expected"], check=True)
    asked = command_of("predict", predictor, path, "--scheduler", cluster.address, "-o", tmp_path / "out")
    process = subprocess.Popen(asked, stderr=subprocess.PIPE, text=True)
    while not begun(tmp_path) and process.poll() is None:
        time.sleep(0.01)
    start = time.monotonic()
    for lost in cluster.workers if fault == "workers" else [cluster.scheduler]:
        lost.send_signal(signal.SIGKILL)
    line = process.stderr.readline()
    assert time.monotonic() - start < 30
    reason = "the scheduler has no worker left" if fault == "workers" else "the scheduler stopped"
    assert reason in line
    assert line.endswith("; what is left is done on this machine\n")
    assert process.communicate()[1] == ""
    assert process.returncode == 0
    assert (tmp_path / "out").read_bytes() == (tmp_path / "expected").read_bytes()


@pytest.mark.parametrize(
    "address", ["x", "", "[::1", "foo://x:1", "x:99999999999", f"{'x' * 300}:1", "x\udcff:1"]
)
def test_an_address_that_makes_no_sense_is_refused_before_a_client_is_made(address):
    """A client that fails on its address leaves a thread, and can lock up the next one."""
    before = set(threading.enumerate())
    with pytest.raises((UsageError, ConnectionError), match="expected HOST:PORT"), use_cluster(address):
        pass
    assert set(threading.enumerate()) <= before


def command_of(*arguments):
    code = SMALL_BLOCKS.replace("def dask_setup(worker):\n    ", "")
    code += "\nfrom classy_aesop.cli import main\nraise SystemExit(main())"
    return [sys.executable, "-c", code, *arguments]
