"""A table of scores, a column a metric, and one of human scores: which metric is best, and which systems differ?

Run from the folder of the repository: ``python docs/examples/metric_scores.py OUT``. Each step is printed as a command.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd

from classy_aesop.cli import main

CAMPAIGN = "classy_aesop/sample/tutorial/campaign.csv"


def run(*arguments: object) -> None:
    """Print a command, and run it."""
    words = [str(one) for one in arguments]
    print("$ classy-aesop", *words, flush=True)
    if main(words) != 0:
        raise SystemExit(f"{words[0]} failed")


def show(out: Path) -> None:
    """Take all steps."""
    out.mkdir(parents=True, exist_ok=True)
    table = pd.read_csv(CAMPAIGN)
    wide = table.assign(half=table["rouge2"].round(1), human=1 + 4 * table["later"])
    wide = wide.rename(columns={"summarizer": "model"}).drop(columns=["content", "later"])
    wide.to_csv(out / "scores.csv", sep=";", decimal=",", index=False)  # as a German spreadsheet has it
    metrics = ("--metric", "rouge2,half", "--target", "human")
    run("evaluate", out / "scores.csv", out / "scores.csv", *metrics, "--level", "system")
    run(
        "evaluate",
        "--pairs",
        out / "scores.csv",
        out / "scores.csv",
        *metrics,
        "--level",
        "system",
        "-r",
        "999",
        "-j",
        "1",
    )
    run("compare", out / "scores.csv", "--metric", "human")


if __name__ == "__main__":
    show(Path(sys.argv[1]))
