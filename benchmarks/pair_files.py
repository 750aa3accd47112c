"""How long the commands `rouge` and `predict` take of a file of pairs, a summary and a reference of its own in each."""

from __future__ import annotations

import filecmp
import json
import os
import tempfile
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from statistics import median

import classy_aesop
from benchmarks.data import FULL, Size, made_up_year, read_summeval
from benchmarks.predicting import Run, run_command
from benchmarks.report import table
from benchmarks.rouge_pairs import pair_texts

TITLE = "Files of pairs"

N_PAIRS, N_FEW = 100_000, 240
PREDICTOR = Path(classy_aesop.__file__).parent / "predictor" / "data" / "news-content.json"
COMMANDS = {"rouge": ("rouge",), "predict": ("predict", str(PREDICTOR))}
HEAD = ("command", "CPU s", "microseconds a pair", "seconds", "with -j 2", "share of the time", "peak MB")


def text(size: Size, shared: Path | None = None) -> str:
    """Measure, and write the section."""
    n_pairs = N_PAIRS if size == FULL else N_FEW
    corpus = made_up_year(size) if shared is None else read_summeval(shared)
    with tempfile.TemporaryDirectory() as place:
        path = Path(place) / "pairs.jsonl"
        n_summaries = sum(len(topic.summaries) for topic in corpus.topics)
        pairs = pair_texts(corpus.topics, -(-n_pairs // n_summaries), is_own=True)
        with path.open("w", encoding="utf-8") as stream:
            texts = zip(pairs.summaries, pairs.references, strict=True)
            for number, (summary, reference) in enumerate(islice(texts, n_pairs)):
                references = [{"summarizer_id": "A", "text": reference}]
                row = {
                    "instance_id": f"t{number}",
                    "summarizer_id": "s",
                    "summary": summary,
                    "references": references,
                }
                stream.write(json.dumps(row) + "\n")
        rows = [
            _row(name, _measure(path, arguments, size.n_rounds), n_pairs)
            for name, arguments in COMMANDS.items()
        ]
    source = "a made-up year" if shared is None else "SummEval"
    return "\n\n".join(
        [
            "`classy-aesop rouge FILE -o OUT` (eight metrics, their averages and 1,000 resamples) and `classy-aesop "
            f"predict news-content.json FILE -o OUT`; {n_pairs:,} summaries of {source} in JSON lines, each with a "
            "reference of its own. Medians, with the start. Both give the same bytes with `-j 2`.",
            table(HEAD, rows),
            "Must: at most 20 and 10 CPU s and .65 of the time with two workers. Average number of processes that "
            f"wanted one of the {os.cpu_count()} cores: {os.getloadavg()[0]:.1f}.",
        ]
    )


def _measure(path: Path, arguments: Sequence[str], n_rounds: int) -> dict[int, list[Run]]:
    """Run a command alternately with one worker and with two."""
    runs: dict[int, list[Run]] = {1: [], 2: []}
    outputs = {jobs: path.with_name(f"{jobs}.csv") for jobs in runs}
    for _ in range(n_rounds):
        for jobs, of_jobs in runs.items():
            of_jobs.append(run_command([*arguments, str(path), "-j", str(jobs), "-o", str(outputs[jobs])]))
        if not filecmp.cmp(outputs[1], outputs[2], shallow=False):
            raise RuntimeError("two workers give other bytes than one")
    return runs


def _row(name: str, runs: dict[int, list[Run]], n_pairs: int) -> tuple[str, ...]:
    cpu = median(run.cpu for run in runs[1])
    one, two = (median(run.wall for run in runs[jobs]) for jobs in (1, 2))
    return (
        name,
        f"{cpu:.1f}",
        f"{1e6 * cpu / n_pairs:.0f}",
        f"{one:.1f}",
        f"{two:.1f}",
        f"{two / one:.2f}",
        f"{max(run.peak for run in runs[1]):.0f}",
    )
