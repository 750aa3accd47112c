"""Write the sample corpus: ``python -m benchmarks.made_up -o data_samples``."""

from __future__ import annotations

import argparse
import csv
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.made_up.years import generate, topic_labels

SEED = 20120
"""The seed of the sample; fixed before anything was learned from it."""

YEARS = ("2021", "2022", "2023")


def write_sample(folder: Path, seed: int = SEED, n_topics: int = 12) -> None:
    """Write three years, the labels of their topics, and the content units of the last; replace such files."""
    for year in YEARS:
        made = generate(seed, year=year, n_topics=n_topics)
        (folder / year).mkdir(parents=True, exist_ok=True)
        for name, rows in (("summaries", made.summaries), ("judgments", made.judgments)):
            text = "".join(json.dumps(row) + "\n" for row in rows)
            (folder / year / f"{name}.jsonl").write_text(text, encoding="utf-8")
    labels = [label for year in YEARS for label in topic_labels(seed, year=year, n_topics=n_topics)]
    _write_table(folder / "topics.tsv", labels)
    _write_table(folder / "units.tsv", made.units)


def _write_table(path: Path, rows: Sequence[Mapping[str, Any]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, list(rows[0]), delimiter="\t", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)


def main(arguments: Sequence[str] | None = None) -> None:
    """Write three years, each a folder with ``summaries.jsonl`` and ``judgments.jsonl``, and two tables."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.made_up", description="Write made-up judged summaries of three years."
    )
    parser.add_argument("-o", "--output", type=Path, required=True, metavar="DIR", help="folder to write to")
    parser.add_argument("--seed", type=int, default=SEED, help="seed of the random numbers (%(default)s)")
    parser.add_argument("--topics", type=int, default=12, metavar="N", help="topics a year (%(default)s)")
    options = parser.parse_args(arguments)
    write_sample(options.output, options.seed, options.topics)


if __name__ == "__main__":
    main()
