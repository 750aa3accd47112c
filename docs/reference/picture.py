"""The pictures that are no report's, ``python -m docs.reference.picture``.

The README's is of the metrics of the made-up sample's last year. With the path of a table of scores, that of the how-to
about metrics is drawn instead: 18 metrics over three years, in clusters.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.figure import Figure

from classy_aesop import evaluate, evaluate_pairs, read_config, read_corpus, read_scores, train
from classy_aesop.plots import forest
from docs.reference.pages import DOCS

PICTURE, RANKS = DOCS / "leaderboard.svg", DOCS / "metric-ranks.svg"
_METRICS = ("rouge", "js", "ngram_graphs", "lsa")
_SIZE = (7.0, 3.0)  # inches
_STYLE: dict[Any, Any] = {"svg.fonttype": "none", "font.family": "sans-serif"}


def draw(path: Path = PICTURE) -> None:
    """Train the default method on 2021 and 2022, and draw how it and known metrics agree with humans in 2023."""
    experiment = train(read_config(DOCS.parent / "configs" / "honest.toml"))
    predictor = next(one.predictor for one in experiment.trained if one.predictor.peers == "all_peers")
    corpus = read_corpus(DOCS.parent / "data_samples" / "2023").select(tasks=["A"])
    board = evaluate(
        corpus,
        target=predictor.target,
        compute=_METRICS,
        predictor=predictor,
        level=["system"],
        coefficient=["pearson"],
        interval="boot-both",
    )
    table = board.table.query("peers == 'all_peers'")
    figure = Figure(figsize=_SIZE, layout="constrained")
    with mpl.rc_context(_STYLE | {"svg.hashsalt": "leaderboard"}):
        marked = table.assign(is_predictor=table["source"] == "predictor")
        axes = forest(marked, marked="is_predictor", ax=figure.subplots())
        axes.set_xlabel("correlation of system means with human responsiveness, and its 95 % interval")
        figure.savefig(path, metadata={"Date": None})


def draw_ranks(scores: str, path: Path = RANKS) -> None:
    """Rank the metrics of a table that has responsiveness too, task A, over its years."""
    table = read_scores(scores)
    human = table["metric"] == "responsiveness"
    pairs = evaluate_pairs(table[~human], table[human], "responsiveness", task="A", together=True)
    if pairs.first is None:
        raise ValueError(f"{scores} has two metrics; expected more, which can be ranked")
    figure = Figure(figsize=(7.0, 4.4), layout="constrained")
    with mpl.rc_context(_STYLE | {"svg.hashsalt": "ranks"}):
        axes = forest(pairs.first().table, separate_by="cluster", ax=figure.subplots())
        axes.set_xlabel("mean correlation with responsiveness over three years, and its 95 % interval")
        figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    draw_ranks(sys.argv[1]) if sys.argv[1:] else draw()
