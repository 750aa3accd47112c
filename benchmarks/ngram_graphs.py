"""AutoSummENG, MeMoG and NPowER, compared with plain dictionaries, on the same texts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from benchmarks.data import Size, made_up_year
from benchmarks.feature_peers import cases
from benchmarks.graph_peers import by_dictionaries
from benchmarks.harness import Contestant, ratio, rounds, seconds
from benchmarks.report import must, table, times
from classy_aesop.baselines.graphs import ngram_graphs
from classy_aesop.data import Topic

TITLE = "N-gram graphs"
METRICS = ("AutoSummENG", "MeMoG", "NPowER")
MUST = 10.0

HEAD = ("n-gram graphs", "summaries", "ms a summary", "ratio", "by wall time", "must", "largest difference")


def package(topics: Sequence[Topic]) -> NDArray[np.float64]:
    """Score topics: (n_summaries, 3), in the order of `feature_peers.cases`."""
    found = ngram_graphs(topics, jackknife=False, metrics=METRICS)
    return np.column_stack([found.loc[found["metric"] == name, "score"] for name in METRICS])


def text(size: Size) -> str:
    """Measure, and write the section."""
    topics = made_up_year(size).topics
    part = topics[:: max(1, len(topics) // (4 * size.n_peer_topics))]
    given, n = cases(part), sum(len(topic.summaries) for topic in topics)
    runs = rounds(
        {
            "package": Contestant(lambda: package(topics), n),
            "peer": Contestant(lambda: by_dictionaries(given), len(given)),
        },
        size.n_rounds,
    )
    ours, theirs = runs["package"], runs["peer"]
    difference = np.abs(package(part) - theirs[-1].value).max()
    rows = [
        ("package", f"{n:,}", f"{1e3 * seconds(ours):.3f}", "", "", "", ""),
        (
            "plain dictionaries",
            f"{len(given):,}",
            f"{1e3 * seconds(theirs):.3f}",
            times(ratio(theirs, ours)),
            times(ratio(theirs, ours, "wall")),
            must(MUST),
            f"{difference:.0e}",
        ),
    ]
    return (
        "AutoSummENG, MeMoG and NPowER of a made-up year, each summary compared with up to four references. "
        "The peer, written with plain dictionaries, scores a part of the topics, and keeps the graph of every text "
        f"and every merged graph. Times are per summary.\n\n{table(HEAD, rows)}"
    )
