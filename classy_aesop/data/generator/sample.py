"""The sample that comes with the package: three made-up years in folders of JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from classy_aesop.data.generator.years import generate, topic_labels
from classy_aesop.data.table_files import tsv_line
from classy_aesop.work.atomic import atomic_file

SEED = 20120
"""The seed of the sample that comes with the package; fixed before anything was learned from it."""

YEARS = ("2021", "2022", "2023")


def write_sample(folder: Path, seed: int = SEED) -> None:
    """Write the three years, the labels of their topics, and the content units of the last to ``folder``.

    Files of the same names are replaced.
    """
    for year in YEARS:
        made = generate(seed, year=year)
        (folder / year).mkdir(parents=True, exist_ok=True)
        _write_rows(folder / year / "summaries.jsonl", made.summaries)
        _write_rows(folder / year / "judgments.jsonl", made.judgments)
    labels = [label for year in YEARS for label in topic_labels(seed, year=year)]
    _write_table(folder / "topics.tsv", labels)
    _write_table(folder / "units.tsv", made.units)


def _write_table(path: Path, rows: Sequence[Mapping[str, str]]) -> None:
    with atomic_file(path) as stream:
        stream.writelines(map(tsv_line, [rows[0], *(row.values() for row in rows)]))


def _write_rows(path: Path, rows: Iterable[Mapping[str, Any]]) -> None:
    with atomic_file(path) as stream:
        for row in rows:
            stream.write(json.dumps(row) + "\n")
