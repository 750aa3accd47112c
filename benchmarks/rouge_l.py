"""ROUGE-L and ROUGE-W, compared with ROUGE-1, 2 and SU4, and with rougeLsum of the package rouge-score."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from benchmarks.data import Size, made_up_year
from benchmarks.feature_peers import Case, cases, why_not
from benchmarks.harness import Contestant, ratio, rounds, run_apart, seconds
from benchmarks.report import must, table, times
from classy_aesop import rouge
from classy_aesop.baselines.rouge_metrics import RougeMetric
from classy_aesop.data import Topic

if TYPE_CHECKING:
    import pandas as pd

TITLE = "ROUGE-L and ROUGE-W"

KINDS: dict[str, tuple[RougeMetric, ...]] = {
    "ROUGE-1, 2 and SU4": ("ROUGE-1", "ROUGE-2", "ROUGE-SU4"),
    "ROUGE-L": ("ROUGE-L",),
    "ROUGE-W-1.2": ("ROUGE-W-1.2",),
    "ROUGE-L and W-1.2": ("ROUGE-L", "ROUGE-W-1.2"),
    "all eight": (
        *("ROUGE-1", "ROUGE-2", "ROUGE-3", "ROUGE-4"),
        *("ROUGE-L", "ROUGE-W-1.2", "ROUGE-S4", "ROUGE-SU4"),
    ),
}
BASE = "ROUGE-1, 2 and SU4"
MOST = 5
PEER = "rouge-score (rougeLsum)"


def by_rouge_score(given: Sequence[Case]) -> float:
    """Sum of rougeLsum's recall against every reference."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(["rougeLsum"], use_stemmer=True)
    return float(
        sum(
            scorer.score(reference, case.summary)["rougeLsum"].recall
            for case in given
            for reference in case.references
        )
    )


def text(size: Size) -> str:
    """Measure, and write the section."""
    topics = made_up_year(size).topics
    n = sum(len(topic.summaries) for topic in topics)
    contestants = {name: Contestant(_work(topics, metrics), n) for name, metrics in KINDS.items()}
    absent = why_not("rouge_score")
    if not absent:
        given = cases(topics[:: max(1, len(topics) // size.n_peer_topics)][: size.n_peer_topics])
        contestants[PEER] = Contestant(lambda: by_rouge_score(given), len(given))
    rouge(topics[:1], jackknife=False, metrics=KINDS["all eight"])  # imports what is imported late
    runs = rounds(contestants, size.n_rounds, run_apart)
    rows = [
        (name, f"{1e3 * seconds(runs[name]):.3f}", times(ratio(runs[name], runs[BASE])), _goal(name))
        for name in contestants
    ]
    if absent:
        rows.append((f"{PEER}: {absent}", "", "", ""))
    compared = (
        "" if absent else f" ROUGE-L is {times(ratio(runs[PEER], runs['ROUGE-L']))} as fast as the peer."
    )
    return "\n\n".join(
        [
            f"Recall of {n:,} made-up summaries with up to 4 references, with the stems of only one topic cached; "
            f"times are per summary. The peer scores a part of the topics.{compared}",
            table(("what", "ms a summary", "over ROUGE-1, 2 and SU4", "must"), rows),
        ]
    )


def _work(topics: Sequence[Topic], metrics: Sequence[RougeMetric]) -> Callable[[], pd.DataFrame]:
    return lambda: rouge(topics, jackknife=False, metrics=metrics)


def _goal(name: str) -> str:
    return f"<= {MOST} x" if name.startswith(("ROUGE-L", "ROUGE-W")) else must(None)
