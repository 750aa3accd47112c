"""The command line over a stream of summaries: how many a second, with one and two workers, and its memory."""

from __future__ import annotations

import filecmp
import json
import os
import resource
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path

import numpy as np

from benchmarks.data import FULL, SEED, Size, made_up_year
from benchmarks.report import table
from benchmarks.steps import steps
from classy_aesop.data import Topic
from classy_aesop.features.registry import CLASSY2011, GROUPS, columns
from classy_aesop.formulas.linear import Linear
from classy_aesop.predictor import Predictor

TITLE = "Streaming"

PREDICT = [sys.executable, "-m", "classy_aesop", "predict"]
PREDICTORS = {"all features": list(GROUPS), "the 13 features": list(CLASSY2011)}
MUST = {"all features": 10_000, "the 13 features": 15_000}
N_SUMMARIES, N_IN_STEPS = 100_000, 1_920
MOST_IN_A_FILE = 200_000
MOST = 400
FASTER = 1.8
_POINTS, _PAUSE = 10, 0.2


@dataclass(frozen=True)
class Measured:
    """One run: CPU seconds of the program and its workers, seconds, and memory in MB after so many summaries."""

    cpu: float
    wall: float
    memory: list[tuple[int, float]] = field(default_factory=list)


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


def piped(path: Path, given: Iterator[bytes], n: int) -> Measured:
    """Predict for the first ``n`` rows, which come by a pipe, and watch the memory."""
    before, begun = _cpu_of_children(), time.perf_counter()
    command = [*PREDICT, str(path), "-"]
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
    return Measured(_cpu_of_children() - before, time.perf_counter() - begun, curve)


def from_file(path: Path, rows: Path, n_jobs: int, output: Path) -> Measured:
    """Predict for the rows of a file."""
    before, begun = _cpu_of_children(), time.perf_counter()
    command = [*PREDICT, str(path), str(rows), "-j", str(n_jobs), "-o", str(output)]
    subprocess.run(command, check=True)
    return Measured(_cpu_of_children() - before, time.perf_counter() - begun)


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


def text(size: Size, n_summaries: int | None = None, name: str | None = None) -> str:
    """Measure, and write the section: all predictors, or the named one."""
    n = n_summaries or (N_SUMMARIES if size == FULL else 120)
    topics, names = made_up_year(size).topics, [name] if name else list(PREDICTORS)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        rates = _rates(folder, topics, min(n, MOST_IN_A_FILE), names)
        curves = _curves(folder, topics, n, names)
        every = Predictor.load(predictor(folder, "all features"))
        spent = steps(lines(topics), every, min(n, N_IN_STEPS))
    return "\n\n".join(
        [
            "`classy-aesop predict FILE IN -o OUT`: JSON lines with four references in each. The topics of "
            "one made-up year are repeated under new names. CPU seconds are those of the program and its workers, "
            "from its start on. The output with `-j 2` is the same, byte for byte.",
            rates,
            f"*Faster* is the ratio of the seconds on the clock (must: {FASTER}), and the same without the start; it "
            "means something only where nobody else uses the machine. Average number of processes that wanted one "
            f"of the {os.cpu_count()} cores: {os.getloadavg()[0]:.1f}.",
            "Resident memory of the program in MB, after each tenth of the summaries, which come by a pipe (must: "
            f"at most {MOST}):",
            curves,
            "Where the time goes with all features, in CPU microseconds a summary, each step by itself:",
            table(("step", "microseconds"), spent),
        ]
    )


def _rates(folder: Path, topics: Sequence[Topic], n: int, names: Sequence[str]) -> str:
    """Measure how many summaries a second, from a file with one and two workers."""
    rows, few, found = folder / "rows.jsonl", folder / "few.jsonl", []
    _write(rows, lines(topics), n)
    _write(few, lines(topics), 1)
    for name in names:
        path = predictor(folder, name)
        outputs = folder / "1.tsv", folder / "2.tsv"
        start = from_file(path, few, 1, outputs[0])
        one, two = (from_file(path, rows, n_jobs, outputs[n_jobs - 1]) for n_jobs in (1, 2))
        if not filecmp.cmp(*outputs, shallow=False):
            raise RuntimeError("two workers give other bytes than one")
        found.append(
            [
                *(name, f"{n:,}", f"{start.cpu:.2f}", f"{one.cpu:.1f}", f"{two.cpu:.1f}"),
                *(f"{n / one.cpu:,.0f}", _quotient(n, one.cpu - start.cpu, ",.0f"), f"{MUST[name]:,}"),
                *(f"{one.wall:.1f}", f"{two.wall:.1f}", f"{one.wall / two.wall:.2f}"),
                _quotient(one.wall - start.wall, two.wall - start.wall, ".2f"),
            ]
        )
    head = (
        "predictor",
        "summaries",
        "start, CPU s",
        "CPU s",
        "with -j 2",
        "a CPU second",
        "without start",
        "must",
    )
    return table((*head, "seconds", "with -j 2", "faster", "without start"), found)


def _quotient(dividend: float, divisor: float, form: str) -> str:
    """Write a quotient; a dash where a run was over as soon as it had started."""
    return f"{dividend / divisor:{form}}" if min(dividend, divisor) > 0 else "-"


def _curves(folder: Path, topics: Sequence[Topic], n: int, names: Sequence[str]) -> str:
    """Measure memory while summaries come by a pipe."""
    curves = []
    for name in names:
        done = piped(predictor(folder, name), lines(topics), n)
        curves.append([name, f"{n:,}", f"{done.cpu:,.1f}", *(f"{memory:.0f}" for _, memory in done.memory)])
    tenths = (f"{tenth}/{_POINTS}" for tenth in range(1, _POINTS + 1))
    return table(("predictor", "summaries", "CPU s", *tenths), _even(curves))


def _write(path: Path, given: Iterator[bytes], n: int) -> None:
    with path.open("wb") as stream:
        stream.writelines(islice(given, n))


def _even(curves: list[list[str]]) -> list[list[str]]:
    """Fill up the rows of runs that ended before the next look."""
    return [[*curve, *["-"] * (3 + _POINTS - len(curve))] for curve in curves]
