"""The command line over a stream of summaries: how many a second, with one and two workers, and its memory."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from benchmarks.data import FULL, SEED, Size, made_up_year
from benchmarks.report import table
from benchmarks.steps import steps
from classy_aesop.corpus import Topic
from classy_aesop.features.base import GROUPS
from classy_aesop.features.columns import columns
from classy_aesop.features.sets import CLASSY2011
from classy_aesop.formulas.linear import Linear
from classy_aesop.predictor import Predictor

TITLE = "Streaming"

PREDICTORS = {"all features": list(GROUPS), "the 13 features": list(CLASSY2011)}
MUST = {"all features": 10_000, "the 13 features": 15_000}
N_SUMMARIES, N_IN_STEPS = 30_000, 1_920
MOST = 400
_POINTS, _PAUSE = 10, 0.2


@dataclass(frozen=True)
class Measured:
    """One run: CPU seconds of the program and its workers, and its memory in MB after so many summaries."""

    cpu: float
    memory: list[tuple[int, float]]


def predictor(folder: Path, name: str) -> Path:
    """Write a predictor of features with made-up weights; give its path."""
    names = tuple(columns(PREDICTORS[name]))
    weights = tuple(np.random.default_rng(SEED).normal(size=len(names)).tolist())
    made = Predictor(
        name="made-up",
        target="responsiveness",
        task="A",
        peers="all_peers",
        fitter="ridge",
        columns=names,
        formula=Linear(weights, 0.0),
    )
    path = folder / f"{names[-1]}.json"
    made.save(path)
    return path


def lines(topics: Sequence[Topic]) -> Iterator[bytes]:
    """Yield the rows of one topic after the other, without end; a topic that comes again has another name."""
    written = [_rows(topic) for topic in topics if topic.task == "A"]
    again = 0
    while True:
        again += 1
        for rows in written:
            yield from (row.replace(b"@", b"%d" % again, 1) for row in rows)


def _rows(topic: Topic) -> list[bytes]:
    references = [{"summarizer_id": one.summarizer, "text": one.text} for one in topic.references]
    rows = (
        {
            "topic": f"@-{topic.topic}",
            "task": topic.task,
            "year": topic.year,
            "summarizer": summary.summarizer,
            "text": summary.text,
            "references": references,
        }
        for summary in topic.summaries
    )
    return [(json.dumps(row) + "\n").encode() for row in rows]


def run(path: Path, given: Iterator[bytes], n: int, n_jobs: int) -> Measured:
    """Predict for the first ``n`` rows, which come by a pipe."""
    before = _cpu_of_children()
    command = [sys.executable, "-m", "classy_aesop", "predict", str(path), "-", "--stream", "-j", str(n_jobs)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as process:
        fed: list[int] = [0]
        curve: list[tuple[int, float]] = []
        feeder = threading.Thread(target=_feed, args=(process, given, n, fed))
        feeder.start()
        while process.poll() is None:
            if fed[0] * _POINTS >= n * (len(curve) + 1):
                curve.append((fed[0], _memory(process.pid)))
            time.sleep(_PAUSE)
        feeder.join()
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} gave {process.returncode}")
    return Measured(_cpu_of_children() - before, curve)


def _feed(process: subprocess.Popen[bytes], given: Iterator[bytes], n: int, fed: list[int]) -> None:
    assert process.stdin is not None
    with process.stdin as pipe:
        for at, line in zip(range(n), given, strict=False):
            pipe.write(line)
            fed[0] = at + 1


def _cpu_of_children() -> float:
    found = resource.getrusage(resource.RUSAGE_CHILDREN)
    return found.ru_utime + found.ru_stime


def _memory(pid: int) -> float:
    """Resident memory of a process and the processes it started, in MB; 0 if it has just ended."""
    try:
        held = Path(f"/proc/{pid}/status").read_text(encoding="ascii").partition("VmRSS:")[2].split()
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:
        return 0.0
    return (float(held[0]) / 1024 if held else 0.0) + sum(_memory(int(child)) for child in children)


def text(size: Size, n_summaries: int | None = None) -> str:
    """Measure, and write the section."""
    topics, n = made_up_year(size).topics, n_summaries or (N_SUMMARIES if size == FULL else 120)
    rows, curves = [], []
    with tempfile.TemporaryDirectory() as folder:
        every = Predictor.load(predictor(Path(folder), "all features"))
        spent = steps(lines(topics), every, min(n, N_IN_STEPS))
        for name in PREDICTORS:
            path = predictor(Path(folder), name)
            start = run(path, lines(topics), 1, 1).cpu
            one, two = (run(path, lines(topics), n, n_jobs) for n_jobs in (1, 2))
            rows.append([name, f"{n:,}", *_rates(n, start, one.cpu), f"{MUST[name]:,}", f"{two.cpu:.1f}"])
            curves.append([name, *(f"{memory:.0f}" for _, memory in one.memory)])
    head = ("predictor", "summaries", "start, CPU s", "CPU s", "a CPU second", "without start", "must")
    return "\n\n".join(
        [
            "`classy-aesop predict FILE - --stream`: JSON lines with four references in each come by a pipe, scores "
            "leave by another. The topics of one made-up year are repeated under new names. CPU seconds are those of "
            "the program and its workers, with all that it does, from its start on.",
            table((*head, "with -j 2, CPU s"), rows),
            f"Average number of processes that wanted one of the {os.cpu_count()} cores: {os.getloadavg()[0]:.1f}.",
            f"Resident memory of the program in MB, after each tenth of the summaries (must: at most {MOST}):",
            table(("predictor", *(f"{tenth}/{_POINTS}" for tenth in range(1, _POINTS + 1))), _even(curves)),
            "Where the time goes with all features, in CPU microseconds a summary, each step by itself:",
            table(("step", "microseconds"), spent),
        ]
    )


def _rates(n: int, start: float, cpu: float) -> list[str]:
    return [f"{start:.2f}", f"{cpu:.1f}", f"{n / cpu:,.0f}", f"{n / max(cpu - start, 1e-9):,.0f}"]


def _even(curves: list[list[str]]) -> list[list[str]]:
    """Fill up the rows of runs that ended before the next look."""
    return [[*curve, *["-"] * (1 + _POINTS - len(curve))] for curve in curves]
