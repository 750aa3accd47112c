"""The three users' ways on tables that were reshaped by hand, in a form that every release reads.

A column a metric and one of human scores are two tables, with a point in each number; three raters are their mean, and
a row a rating; outputs that nobody rated have commas. Run as ``python prepared_ways.py WAY TABLES OUT`` by any release.
"""

from __future__ import annotations

import sys
from pathlib import Path

import pandas as pd


def prepare(folder: Path) -> None:
    """Reshape the tables."""
    from benchmarks.stages import ROOT

    data = ROOT / "data_samples" / "tutorial"
    campaign = pd.read_csv(data / "campaign.csv")
    keys = campaign[["topic", "summarizer"]]
    scores = keys.assign(rouge2=campaign["rouge2"], half=campaign["rouge2"].round(1))
    scores.to_csv(folder / "scores.tsv", sep="\t", index=False)
    keys.assign(quality=1 + 4 * campaign["later"]).to_csv(folder / "judgments.tsv", sep="\t", index=False)
    rated = pd.read_csv(data / "raters.csv")
    raters = ["rating_1", "rating_2", "rating_3"]
    rated.assign(rating=rated[raters].mean(axis=1)).drop(columns=raters).to_csv(
        folder / "rated.csv", index=False
    )
    renamed = rated.rename(columns={"doc_id": "topic", "system": "summarizer"})
    ratings = renamed.melt(["topic", "summarizer"], raters, "assessor", "score").assign(metric="rating")
    ratings.to_csv(folder / "ratings.tsv", sep="\t", index=False)
    summaries = [rated[["doc_id", "system", "summary", "reference"]].assign(part=part) for part in range(4)]
    outputs = pd.concat(summaries).head(500)
    outputs["doc_id"] += "-" + outputs.pop("part").astype(str)
    outputs.to_csv(folder / "outputs.csv", index=False)


def run(*arguments: object) -> None:
    """Print a command, and run it."""
    from classy_aesop.cli import main

    words = [str(one) for one in arguments]
    print("$ classy-aesop", *words, flush=True)
    if main(words) != 0:
        raise SystemExit(f"{words[0]} failed")


def metric_scores(tables: Path, out: Path) -> None:
    """Ask which metric is best, and which systems differ."""
    both = (tables / "scores.tsv", tables / "judgments.tsv", "--level", "system")
    run("evaluate", *both)
    run("compare-metrics", *both, "--target", "quality", "--resamples", "999")
    run("compare", tables / "judgments.tsv", "--metric", "quality", "--clusters")


def notebook(tables: Path, out: Path) -> None:
    """Ask the same of DataFrames: how raters agree, how metrics correlate, which systems differ."""
    from classy_aesop import Corpus
    from classy_aesop.analysis.assessors import assessor_agreement
    from classy_aesop.analysis.metrics import evaluate
    from classy_aesop.analysis.systems import compare
    from classy_aesop.baselines.scoring import score_baselines

    corpus = Corpus.from_rows(pd.read_csv(tables / "rated.csv"))
    ratings = pd.read_csv(tables / "ratings.tsv", sep="\t", dtype={"assessor": str}).assign(year="", task="")
    print(assessor_agreement(ratings)["value"].round(3).tolist(), flush=True)
    scores = score_baselines(corpus, ["rouge"], jackknife=False)
    found = evaluate(scores, corpus.judgments, levels=["system"], coefficients=["pearson"])
    print(found[["metric", "target", "value"]].round(3))
    print(compare(corpus.judgments, "rating")["significant"].sum())


def three_raters(tables: Path, out: Path) -> None:
    """Ask whether raters agree, learn from their mean, and predict 500 outputs."""
    out.mkdir(parents=True, exist_ok=True)
    predict = ("predict", out / "run" / "predictors" / "rating-no_models.json", tables / "outputs.csv", "-q")
    run("assessors", tables / "ratings.tsv")
    run("train", tables / "rated.csv", "--target", "rating", "-o", out / "run", "-q")
    run(*predict, "-o", out / "predicted.tsv")
    run(*predict, "--means")


WAYS = {one.__name__: one for one in (metric_scores, notebook, three_raters)}
"""The ways by their names."""

if __name__ == "__main__":
    WAYS[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))
