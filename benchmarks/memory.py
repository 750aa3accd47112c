"""Peak memory and time of the whole three-year run, stage by stage, and of features that stream."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data import FULL, SEED, Size
from benchmarks.made_up import generate
from benchmarks.report import table
from benchmarks.stages import alone

TITLE = "Memory and stages"

YEARS = ("2021", "2022", "2023")
MOST = 400
STREAMED = 100_000


def write_years(folder: Path, size: Size) -> Path:
    """Write three made-up years as JSON lines, and the experiment of the preset; give its path."""
    for year in YEARS:
        made = generate(
            SEED, year=year, n_topics=size.n_topics, n_systems=size.n_systems, n_humans=size.n_humans
        )
        (folder / year).mkdir()
        for part in ("summaries", "judgments"):
            lines = "".join(json.dumps(row) + "\n" for row in getattr(made, part))
            (folder / year / f"{part}.jsonl").write_text(lines, encoding="utf-8")
    listed = "".join(f'[[years]]\nname = "{year}"\npath = "{year}"\n' for year in YEARS)
    runs = "" if size == FULL else 'tasks = ["A"]\npeers = ["no_models"]\n'
    names = "" if size == FULL else '[search]\nnames = ["r2", "coverage"]\n'
    config = folder / "experiment.toml"
    config.write_text(f'preset = "classy2011"\n{runs}{listed}{names}', encoding="utf-8")
    return config


def text(size: Size) -> str:
    """Measure, and write the section."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        config = write_years(folder, size)
        staged = alone("three-years", config)
        whole = alone("whole", config, folder / "out")["stages"]
        streamed = alone("stream", folder / YEARS[0], STREAMED if size == FULL else 1)
    n_rows = " + ".join(f"{n:,}" for n in staged["n_rows"])
    peak = whole[-1][-1]
    rates = [f"{n / row[2]:,.0f}" for n, row in zip(streamed["n_summaries"], streamed["stages"], strict=True)]
    return "\n\n".join(
        [
            f"The preset of 2011 ({staged['n_runs']} runs) on three made-up years of {n_rows} summaries (tasks A and "
            "B), each part in a fresh process, one worker. A search that several runs share is done once, and its "
            "time includes refitting. The memory column is the peak of the whole process so far.",
            table(
                ("stage", "s", "CPU s", "peak so far, MB"),
                [*map(_cells, staged["stages"]), *map(_cells, whole)],
            ),
            f"`classy-aesop train` peaks at {peak:.0f} MB (must: at most {MOST}).",
            "Features of topics from a generator, without keeping the rows. The topics of one year are repeated under "
            "new names:",
            table(
                ("summaries", "s", "CPU s", "peak so far, MB", "summaries a CPU second"),
                [[*_cells(row), rate] for row, rate in zip(streamed["stages"], rates, strict=True)],
            ),
        ]
    )


def _cells(stage: Sequence[object]) -> list[str]:
    name, wall, cpu, peak = stage
    return [str(name), f"{wall:.2f}", f"{cpu:.2f}", f"{peak:.0f}"]
