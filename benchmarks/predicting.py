"""How many summaries a second `predict` scores by the default method, with references and without, and its memory."""

from __future__ import annotations

import filecmp
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from statistics import median

from benchmarks.data import FULL, SEED, Size, made_up_year
from benchmarks.made_up import generate
from benchmarks.made_up.corpora import corpus_of_records
from benchmarks.report import table
from classy_aesop.data import Topic
from classy_aesop.reading import write_jsonl

TITLE = "Predicting"

N_SUMMARIES, N_SMALL = 100_000, 240
FASTER, MOST = 1.8, 300
_PAUSE = 0.05

_CONFIG = """seed = 1
tasks = ["A"]
peers = ["all_peers"]
[[years]]
name = "2021"
path = "2021"
[[years]]
name = "2022"
path = "2022"
[features]
references = "{references}"
[search]
method = "{method}"
[[runs]]
name = "made-up"
target = "responsiveness"
"""


@dataclass(frozen=True)
class Case:
    """A predictor of a method, learned and used with references or without."""

    method: str
    references: str

    @property
    def name(self) -> str:
        """What its row is called."""
        return self.method if self.references == "unequal" else f"{self.method}, no references"


CASES = (Case("topicwise", "unequal"), Case("topicwise", "none"))


@dataclass(frozen=True)
class Run:
    """CPU seconds of a program and its workers, seconds, and the peak of its memory in MB, without its workers."""

    cpu: float
    wall: float
    peak: float


def text(size: Size, n_summaries: int | None = None) -> str:
    """Measure, and write the section."""
    n = n_summaries or (N_SUMMARIES if size == FULL else N_SMALL)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        _write_years(folder, size)
        predictors = {case: _trained(folder, case) for case in CASES}
        rows = {case: _rows(folder, size, case, n) for case in CASES}
        found = _measured(folder, predictors, rows, size.n_rounds)
    return "\n\n".join(
        [
            "`classy-aesop predict FILE IN -o OUT`, with a predictor that each method learned from two "
            f"made-up years of {size.n_topics} topics and {size.n_systems} systems: {n:,} summaries of topics as "
            "large, in JSON lines, with four references in each or without any. The methods take turns; CPU seconds, "
            "with the start, are medians. *Ratio* is of the rates. The output with `-j 2` is the same, byte for byte.",
            found,
            f"Must: {FASTER} times as fast with two workers, where nobody else uses the machine, and at most {MOST} "
            f"MB. Average number of processes that wanted one of the {os.cpu_count()} cores: {os.getloadavg()[0]:.1f}.",
        ]
    )


def _write_years(folder: Path, size: Size) -> None:
    for year in ("2021", "2022"):
        made = generate(
            SEED,
            year=year,
            n_topics=size.n_topics,
            n_systems=size.n_systems,
            n_humans=size.n_humans,
            tasks=["A"],
        )
        write_jsonl(corpus_of_records(made.summaries, made.judgments), folder / year)


def _trained(folder: Path, case: Case) -> Path:
    """Let a method learn; give the predictor's file."""
    config, output = folder / "learn.toml", folder / f"{case.method}-{case.references}"
    config.write_text(_CONFIG.format(method=case.method, references=case.references), encoding="utf-8")
    command = [sys.executable, "-m", "classy_aesop", "train", str(config), "-o", str(output), "-q"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return next((output / "predictors").glob("*.json"))


def _rows(folder: Path, size: Size, case: Case, n: int) -> Path:
    """Write the rows that a predictor is given."""
    path = folder / f"rows-{case.references}.jsonl"
    if not path.exists():
        with path.open("wb") as stream:
            for line in islice(lines(made_up_year(size, "2023").topics), n):
                stream.write(line if case.references == "unequal" else _without_references(line))
    return path


def lines(topics: Sequence[Topic]) -> Iterator[bytes]:
    """Yield the rows of one topic after the other, without end; a topic that comes again has another name."""
    written = [_lines(topic) for topic in topics if topic.task == "A"]
    again = 0
    while True:
        again += 1
        for rows in written:
            yield from (row.replace(b"@", b"%d" % again, 1) for row in rows)


def _lines(topic: Topic) -> list[bytes]:
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


def _without_references(line: bytes) -> bytes:
    row = json.loads(line)
    del row["references"]
    return (json.dumps(row) + "\n").encode()


def _measured(folder: Path, predictors: dict[Case, Path], rows: dict[Case, Path], n_rounds: int) -> str:
    """Let the cases take turns, with one and with two workers."""
    runs: dict[tuple[Case, int], list[Run]] = {(case, jobs): [] for case in CASES for jobs in (1, 2)}
    for _ in range(n_rounds):
        for case, jobs in runs:
            output = folder / f"{jobs}.tsv"
            files = [str(predictors[case]), str(rows[case]), "-o", str(output)]
            runs[case, jobs].append(run_command(["predict", *files, "-j", str(jobs)]))
            if jobs == 2 and not filecmp.cmp(folder / "1.tsv", output, shallow=False):
                raise RuntimeError("two workers give other bytes than one")
    n = _count(rows[CASES[0]])
    head = "method, CPU s, with -j 2, a CPU second, ratio, seconds, with -j 2, faster, peak MB"
    return table(
        head.split(", "), [_row(case, runs[case, 1], runs[case, 2], runs[CASES[0], 1], n) for case in CASES]
    )


def _count(path: Path) -> int:
    with path.open("rb") as stream:
        return sum(1 for _ in stream)


def _row(case: Case, one: Sequence[Run], two: Sequence[Run], old: Sequence[Run], n: int) -> list[str]:
    one_cpu, two_cpu = (median(run.cpu for run in runs) for runs in (one, two))
    wall = [median(run.wall for run in runs) for runs in (one, two)]
    ratio = median(before.cpu / now.cpu for before, now in zip(old, one, strict=True))
    return [
        *(case.name, f"{one_cpu:.2f}", f"{two_cpu:.2f}", f"{n / one_cpu:,.0f}", f"{ratio:.2f}"),
        *(
            f"{wall[0]:.1f}",
            f"{wall[1]:.1f}",
            f"{wall[0] / wall[1]:.2f}",
            f"{max(run.peak for run in one):.0f}",
        ),
    ]


def run_command(arguments: Sequence[str]) -> Run:
    """Run a command of the package, with one BLAS thread."""
    command = [sys.executable, "-m", "classy_aesop", *arguments, "-q"]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    begun = time.perf_counter()
    with subprocess.Popen(
        command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        pid, peak = 0, 0.0
        while not pid:
            peak = max(peak, _peak(process.pid))
            time.sleep(_PAUSE)
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise RuntimeError(f"{' '.join(command)} gave {process.returncode}")
    return Run(used.ru_utime + used.ru_stime, time.perf_counter() - begun, peak)


def _peak(pid: int) -> float:
    """Largest resident memory of a process so far, in MB; that of `os.wait4` would include its parent's."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = status.partition("VmHWM:")[2].split()
    return float(found[0]) / 1024 if found else 0.0
