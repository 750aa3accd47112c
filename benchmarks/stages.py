"""Jobs that run in a separate process, so that their memory can be measured: ``python -m benchmarks.stages``.

Each prints one JSON object. `alone` starts them.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from benchmarks.harness import peak_megabytes

ROOT = Path(__file__).parents[1]


def alone(job: str, *arguments: object) -> dict[str, Any]:
    """Run a job of `JOBS` in a fresh process with one BLAS thread and give what it prints."""
    command = [sys.executable, "-m", "benchmarks.stages", job, *map(str, arguments)]
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True, cwd=ROOT, env=environment)
    printed: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return printed


class Stages:
    """Seconds and the memory mark after each stage."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, float, float, float]] = []
        self.start()

    def start(self) -> None:
        """Set the clocks to zero."""
        self.wall, self.cpu = time.perf_counter(), time.process_time()

    def end(self, name: str) -> None:
        """Write down what a stage took, and begin the next."""
        wall, cpu = time.perf_counter() - self.wall, time.process_time() - self.cpu
        self.rows.append((name, wall, cpu, peak_megabytes()))
        self.start()


def three_years(config_path: str) -> dict[str, Any]:
    """Do what `train` does, stage by stage; the search of one fitter after the other."""
    stages = Stages()
    from classy_aesop import read_config
    from classy_aesop.training.assess import assess, baseline_scores, predict_year
    from classy_aesop.training.plan import plan_runs
    from classy_aesop.training.predictors import TrainedRun
    from classy_aesop.training.runs import train_runs
    from classy_aesop.training.years import extract

    config = read_config(config_path)
    stages.end("import")
    years = extract(config)
    tasks, _ = plan_runs(config, years)
    stages.end("read and extract")
    trained: list[TrainedRun] = []
    for fitter in dict.fromkeys(task.run.fitter for task in tasks):
        found, _ = train_runs([task for task in tasks if task.run.fitter == fitter])
        trained += found
        stages.end(f"search, {fitter}")
    rouge_scores = baseline_scores([task.run for task in tasks], years[-1])
    stages.end("ROUGE")
    predicted = predict_year(trained, years[-1], rouge_scores)
    stages.end("predict")
    assess(predicted)
    stages.end("assess")
    return {"stages": stages.rows, "n_runs": len(tasks), "n_rows": [len(year.features) for year in years]}


def whole(config_path: str, output: str) -> dict[str, Any]:
    """Run ``classy-aesop train`` as from the command line."""
    from classy_aesop.cli import main

    stages = Stages()
    with contextlib.redirect_stdout(io.StringIO()):  # the summary is of no interest here
        main(["train", config_path, "-o", output, "-q"])
    stages.end("whole run")
    return {"stages": stages.rows}


def stream(folder: str, n_summaries: str) -> dict[str, Any]:
    """Compute features turn by turn: topics in, a table out, nothing kept."""
    from classy_aesop import read_corpus
    from classy_aesop.features import feature_table
    from classy_aesop.features.registry import CLASSY2011

    topics = read_corpus(folder).topics
    per_turn = sum(len(topic.summaries) for topic in topics)

    def count_rows(turns: range) -> int:
        copies = ([replace(topic, topic=f"{topic.topic}.{turn}") for topic in topics] for turn in turns)
        return sum(len(feature_table(topics_of_turn, names=CLASSY2011)) for topics_of_turn in copies)

    turns = max(2, -(-int(n_summaries) // per_turn))
    stages = Stages()
    first = count_rows(range(1))
    stages.end(f"the first {first:,} summaries")
    rest = count_rows(range(1, turns))
    stages.end(f"{rest:,} more")
    return {"stages": stages.rows, "n_summaries": [first, rest]}


def search(file: str, fitter: str) -> dict[str, Any]:
    """Search all subsets of the arrays of a file once."""
    import numpy as np

    from classy_aesop.fitters import FITTERS
    from classy_aesop.search import Rows, search_subsets

    held = np.load(file)
    designs = [Rows(*(held[f"{year}_{part}"] for part in PARTS)) for year in YEARS]
    p, target = held["train_X"].shape[1], int(held["target"])
    options = {"target": target} if fitter == "canonical" else {}
    small = [Rows(one.X[:, :2], one.Y, one.summarizers, one.topics) for one in designs]
    _once(search_subsets, FITTERS[fitter](**options), small, 2, target)  # imports what is imported late
    before, stages = peak_megabytes(), Stages()
    result = _once(search_subsets, FITTERS[fitter](**options), designs, p, target)
    stages.end(fitter)
    return {"stages": stages.rows, "before": before, "best": result.best().score}


YEARS, PARTS = ("train", "select"), ("X", "Y", "summarizers", "topics")


def _once(run: Callable[..., Any], fitter: Any, designs: Sequence[Any], p: int, target: int) -> Any:
    names = [f"column{k}" for k in range(p)]
    return run(fitter, [tuple(designs)], [[k] for k in range(p)], target=target, names=names)


JOBS: Mapping[str, Callable[..., dict[str, Any]]] = {
    "three-years": three_years,
    "whole": whole,
    "stream": stream,
    "search": search,
}
"""The jobs that can be run alone."""

if __name__ == "__main__":
    with contextlib.redirect_stdout(sys.stderr):
        found = JOBS[sys.argv[1]](*sys.argv[2:])
    print(json.dumps(found))
