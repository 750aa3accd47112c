"""A table with three raters, and 500 outputs that nobody rated: do the raters agree, and who is best?

Run from the folder of the repository: ``python docs/examples/three_raters.py OUT``. Each step is printed as a command.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from classy_aesop import Selection, read_corpus
from classy_aesop.cli import main

RATED = "classy_aesop/sample/tutorial/raters.csv"
PREDICTOR = "predictors/rating-no_models.json"


def run(*arguments: object) -> None:
    """Print a command, and run it."""
    words = [str(one) for one in arguments]
    print("$ classy-aesop", *words, flush=True)
    if main(words) != 0:
        raise SystemExit(f"{words[0]} failed")


def write_outputs(path: Path, n: int = 500) -> None:
    """Write a table of summaries that nobody rated, as a spreadsheet with semicolons would have it."""
    corpora = (
        Selection(peers="no_models").select_corpus(read_corpus(f"data_samples/{year}"))
        for year in (2022, 2023)
    )
    rows = [
        (
            topic.topic + topic.task,
            f"model-{one.summarizer}",
            " ".join(one.text),
            " ".join(topic.references[0].text),
        )
        for corpus in corpora
        for topic, one in corpus.summaries()
    ]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter=";")
        writer.writerow(("doc_id", "system", "summary", "reference"))
        writer.writerows(rows[:n])


def show(out: Path) -> None:
    """Take all steps."""
    out.mkdir(parents=True, exist_ok=True)
    write_outputs(out / "outputs.csv")
    run("assessors", RATED)
    run("train", RATED, "--target", "rating", "-o", out / "run", "-q")
    run("predict", out / "run" / PREDICTOR, out / "outputs.csv", "-o", out / "predicted.tsv", "-q")
    run("predict", out / "run" / PREDICTOR, out / "outputs.csv", "--means", "-f", "text", "-q")


if __name__ == "__main__":
    show(Path(sys.argv[1]))
