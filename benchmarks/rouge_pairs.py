"""ROUGE of summaries with one reference each, by `Rouge.score_all` and by packages that score pair by pair.

References are shared by all systems of a topic, or every pair has one of its own: another of the topic's, in turn, with
a word that no other text has.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from benchmarks.data import Size, made_up_year, read_summeval
from benchmarks.feature_peers import why_not
from benchmarks.harness import Contestant, Run, ratio, rounds, run_apart, run_here, seconds
from benchmarks.report import table, times
from classy_aesop import Rouge
from classy_aesop.baselines.rouge_metrics import RougeMetric
from classy_aesop.data import Topic

TITLE = "ROUGE of pairs"

N_COPIES = 3
"""How often the summaries of a real corpus are scored, each time with other references of their own."""

METRICS: dict[str, RougeMetric] = {"rouge1": "ROUGE-1", "rouge2": "ROUGE-2", "rougeLsum": "ROUGE-L"}
"""Names of metrics in the other packages, and in this one."""

COLD = "`Rouge.score_all`, vocabulary cold"
KEPT = "`Rouge.score_all`, vocabulary kept"
HEAD = ("what", "microseconds a summary", "ratio to cold")


@dataclass(frozen=True)
class Pairs:
    """Summaries and the reference of each, as text with a sentence a line."""

    summaries: list[str]
    references: list[str]

    def select(self, n_pairs: int) -> Pairs:
        """Choose pairs, evenly spread."""
        step = max(1, len(self.summaries) // n_pairs)
        return Pairs(self.summaries[::step], self.references[::step])


def pair_texts(topics: Sequence[Topic], n_copies: int, *, is_own: bool) -> Pairs:
    """Pair summaries with a reference of their own, or with the first one of their topic."""
    pairs = Pairs([], [])
    numbers = count()
    for copy in range(n_copies):
        for topic in topics:
            texts = ["\n".join(reference.text) for reference in topic.references]
            for summary in topic.summaries:
                number = next(numbers)
                own = f"{texts[number % len(texts)]} x{number}"
                pairs.references.append(own if is_own else f"{texts[0]} x{copy}")
                pairs.summaries.append("\n".join(summary.text))
    return pairs


def score_by_package(pairs: Pairs) -> object:
    """Score all pairs by this package."""
    scorer = Rouge(metrics=tuple(METRICS.values()))
    return scorer.score_all(pairs.summaries, pairs.references)


def score_by_rust(pairs: Pairs) -> object:
    """Score by rouge-score-rs, which shares pairs out to ``RAYON_NUM_THREADS`` threads."""
    from rouge_score_rs.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(METRICS), use_stemmer=True)
    return scorer.score_batch(pairs.references, pairs.summaries)


def score_by_rapidrouge(pairs: Pairs) -> object:
    """Score by rapidrouge."""
    from rapidrouge import RougeScorer

    scorer = RougeScorer(list(METRICS), use_stemmer=True)
    return [scorer.score(*texts) for texts in zip(pairs.references, pairs.summaries, strict=True)]


def score_by_rouge_score(pairs: Pairs) -> object:
    """Score by rouge-score."""
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(METRICS), use_stemmer=True)
    return [scorer.score(*texts) for texts in zip(pairs.references, pairs.summaries, strict=True)]


@dataclass(frozen=True)
class Peer:
    """Another implementation: how it scores, why it is absent (or empty), and how many pairs it scores."""

    name: str
    score: Callable[[Pairs], object]
    absent: Callable[[], str]
    n_pairs: int


PEERS = (
    Peer("rouge-score-rs", score_by_rust, lambda: why_not("rouge_score_rs"), 10_000),
    Peer("rapidrouge", score_by_rapidrouge, lambda: why_not("rapidrouge"), 1_000),
    Peer("rouge-score", score_by_rouge_score, lambda: why_not("rouge_score"), 400),
)

GROUPINGS = {"shared by the systems of a topic": False, "a reference of its own for each summary": True}


def _corpora(size: Size, shared: Path | None) -> Iterator[tuple[str, Sequence[Topic], int]]:
    """Yield names, topics, and how often their summaries are scored."""
    yield "made-up year", made_up_year(size).topics, 1
    if shared is not None:
        yield "SummEval", read_summeval(shared).topics, N_COPIES


def text(size: Size, shared: Path | None = None) -> str:
    """Measure, and write the section."""
    os.environ["RAYON_NUM_THREADS"] = "1"
    parts = [
        "A *cold* vocabulary knows no word; a *kept* one is that of an earlier call in the same thread, with the same "
        "texts. rouge-score-rs has one thread (`RAYON_NUM_THREADS=1`). Slow peers score some of the pairs; times are "
        "per summary, for ROUGE-1, 2 and Lsum. All stem; tokens and stems differ."
    ]
    for name, topics, n_copies in _corpora(size, shared):
        for grouping, is_own in GROUPINGS.items():
            pairs = pair_texts(topics, n_copies, is_own=is_own)
            title = f"### {name}, {len(pairs.summaries):,} summaries; references: {grouping}"
            parts += [title, table(HEAD, _measure(pairs, size))]
    return "\n\n".join(parts)


def _measure(pairs: Pairs, size: Size) -> list[tuple[str, ...]]:
    """Rows of this package and its peers."""
    n_pairs = len(pairs.summaries)
    score_by_package(pairs.select(1))  # imports what is imported late

    def score_again() -> Run:
        """Measure a second time in the same process."""
        score_by_package(pairs)
        return run_here(Contestant(lambda: score_by_package(pairs), n_pairs))

    contestants = {
        COLD: Contestant(lambda: score_by_package(pairs), n_pairs),
        KEPT: Contestant(score_again, n_pairs),
    }
    for peer in PEERS:
        if not peer.absent():
            some = pairs.select(peer.n_pairs)
            contestants[peer.name] = Contestant(_bind(peer, some), len(some.summaries))
    runs = rounds(contestants, size.n_rounds, run_apart)
    runs[KEPT] = [run.value for run in runs[KEPT]]
    rows: list[tuple[str, ...]] = [
        (
            name,
            f"{1e6 * seconds(runs[name]):.1f}",
            "" if name == COLD else times(ratio(runs[name], runs[COLD])),
        )
        for name in contestants
    ]
    return rows + [(f"{peer.name}: {peer.absent()}", "", "") for peer in PEERS if peer.absent()]


def _bind(peer: Peer, pairs: Pairs) -> Callable[[], object]:
    return lambda: peer.score(pairs)
