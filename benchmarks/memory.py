"""CPU time and peak memory of `train` by the preset of 2011 on three made-up years."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from benchmarks.data import FULL, SEED, Size
from benchmarks.made_up import generate
from benchmarks.predicting import run_command

TITLE = "Training and memory"

YEARS = ("2021", "2022", "2023")


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
    years = "".join(f'[[years]]\nname = "{year}"\npath = "{year}"\n' for year in YEARS)
    subset = "" if size == FULL else 'tasks = ["A"]\npeers = ["no_models"]\n'
    names = "" if size == FULL else '[search]\nnames = ["r2", "coverage"]\n'
    config = folder / "experiment.toml"
    config.write_text(f'preset = "classy2011"\n{subset}{years}{names}', encoding="utf-8")
    return config


def text(size: Size) -> str:
    """Measure, and write the section."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        run = run_command(["train", str(write_years(folder, size)), "-o", str(folder / "out")])
    return (
        f"`classy-aesop train` by the preset of 2011 on three made-up years of {size.n_topics} topics, "
        f"{size.n_systems} systems and {size.n_humans} humans (tasks A and B), with the start: {run.cpu:.1f} CPU s, "
        f"{run.wall:.1f} s, at most {run.peak:.0f} MB."
    )
