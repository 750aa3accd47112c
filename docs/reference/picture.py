"""The picture of the README, ``python -m docs.reference.picture``: a leaderboard of the made-up sample's last year."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from classy_aesop import leaderboard, read_config, read_corpus, train
from classy_aesop.analysis.evaluate import IntervalOptions
from classy_aesop.plots import forest
from docs.reference.pages import DOCS

PICTURE = DOCS / "leaderboard.svg"
_METRICS = ("rouge", "js", "ngram_graphs", "lsa")
_SIZE = (7.0, 3.0)  # inches


def draw(path: Path = PICTURE) -> None:
    """Train the default method on 2021 and 2022, and draw how it and known metrics agree with humans in 2023."""
    experiment = train(read_config(DOCS.parent / "configs" / "honest.toml"))
    predictor = next(one.predictor for one in experiment.trained if one.predictor.peers == "all_peers")
    corpus = read_corpus(DOCS.parent / "data_samples" / "2023").select(tasks=["A"])
    table = leaderboard(
        corpus,
        predictor.target,
        metrics=_METRICS,
        predictors=[predictor],
        levels=["system"],
        coefficients=["pearson"],
        interval=IntervalOptions("boot-both"),
    ).query("peers == 'all_peers'")
    figure = Figure(figsize=_SIZE, layout="constrained")
    with mpl.rc_context({"svg.fonttype": "none", "svg.hashsalt": "leaderboard", "font.family": "sans-serif"}):
        marked = table.assign(is_predictor=table["source"] == "predictor")
        axes = forest(marked, marked="is_predictor", ax=figure.subplots())
        axes.set_xlabel("correlation of system means with human responsiveness, and its 95 % interval")
        figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw()
