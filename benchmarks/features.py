"""All features and ROUGE, compared with programs and packages for ROUGE alone, on the same texts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.data import REAL, Size, made_up_year, real_corpus
from benchmarks.feature_peers import PEERS, Array, Case, Peer, cases
from benchmarks.harness import Contestant, Run, ratio, rounds, run_apart, run_here, seconds
from benchmarks.report import must, table, times
from classy_aesop import Corpus, feature_table, rouge
from classy_aesop.baselines.rouge_metrics import OriginalMetric
from classy_aesop.data import Reference, Summary, Topic
from classy_aesop.features.registry import CLASSY2011
from classy_aesop.text.stems import Stemming

TITLE = "Features and ROUGE"

COLD, WARM, ROUGE = (
    "all features and ROUGE, cold",
    "all features and ROUGE, stems known",
    "ROUGE alone, cold",
)
ASKED: tuple[OriginalMetric, ...] = ("ROUGE-1", "ROUGE-2", "ROUGE-SU4")


def tables(topics: Sequence[Topic]) -> None:
    """Compute 13 features and three ROUGE metrics."""
    feature_table(topics, names=CLASSY2011)
    rouge(topics, jackknife=False, metrics=ASKED)


def own_recalls(topics: Sequence[Topic], stemming: Stemming = "exceptions") -> Array:
    """Give the recalls (n_cases, 2) of ROUGE-2 and ROUGE-SU4."""
    scores = rouge(topics, jackknife=False, stemming=stemming, metrics=ASKED)
    found = [scores.loc[scores["metric"] == name, "score"] for name in ("ROUGE-2", "ROUGE-SU4")]
    return np.column_stack(found)


def measure(topics: Sequence[Topic], size: Size) -> dict[str, list[Run]]:
    """Time package and peers, each time in a fork that knows no stems yet.

    Seconds are per summary: peers score a part of the topics.
    """
    load_modules()
    n = sum(len(topic.summaries) for topic in topics)
    contestants = {
        COLD: Contestant(lambda: tables(topics), n),
        ROUGE: Contestant(lambda: own_recalls(topics), n),
        WARM: Contestant(_twice(topics, n)),
    }
    for peer in PEERS:
        if not peer.absent():
            given = cases(part_of(topics, size, peer))
            contestants[peer.name] = Contestant(_scoring(peer, given), len(given))
    runs = rounds(contestants, size.n_rounds, run_apart)
    runs[WARM] = [run.value for run in runs[WARM]]
    return runs


def _twice(topics: Sequence[Topic], n: int) -> Callable[[], Run]:
    """Measure a second time in the same process."""

    def work() -> Run:
        tables(topics)
        return run_here(Contestant(lambda: tables(topics), n))

    return work


def _scoring(peer: Peer, given: list[Case]) -> Callable[[], Array]:
    return lambda: peer.score(given)


def load_modules() -> None:
    """Trigger the late imports of the package and its peers; the words are not in the corpus."""
    text = ("Qqx zzv xxq wwkq.",)
    references = (Reference("A", text), Reference("B", text))
    strange = [Topic("0", "0", "", (Summary("1", text),), references)]
    tables(strange)
    for peer in PEERS:
        if not peer.absent():
            peer.score(cases(strange))


def part_of(topics: Sequence[Topic], size: Size, peer: Peer) -> Sequence[Topic]:
    """Choose topics for a peer, evenly spread."""
    wanted = max(1, round(peer.part * size.n_peer_topics))
    return topics[:: max(1, len(topics) // wanted)][:wanted]


def difference(peer: Peer, topics: Sequence[Topic], found: Array) -> tuple[float, float]:
    """Give the largest difference of ROUGE-2 and of ROUGE-SU4; NaN for a metric that a peer lacks."""
    apart = np.abs(found - own_recalls(topics, peer.stemming))
    return _largest(apart[:, 0]), _largest(apart[:, 1])


def _largest(numbers: Array) -> float:
    return float(np.nanmax(numbers)) if np.isfinite(numbers).any() else np.nan


HEAD = (
    "peer",
    "summaries",
    "peer, ms a summary",
    "ratio",
    "by wall time",
    "must",
    "ratio of ROUGE alone",
    "largest difference of R2, SU4",
)


def _corpora(size: Size, shared: Path | None) -> Iterator[tuple[str, Corpus]]:
    """Yield one corpus after the other: processes that are forked from a smaller one copy less."""
    yield "made-up year", made_up_year(size)
    if shared is not None:
        yield from ((name, real_corpus(name, shared)) for name in REAL)


def text(size: Size, shared: Path | None = None) -> str:
    """Measure, and write the section."""
    parts = [
        "The package computes all 13 features and ROUGE-1, 2 and SU4; the peers compute only ROUGE. In the "
        "column *ratio of ROUGE alone* the package computes only ROUGE too. Package and peers all start without "
        "cached stems. A peer scores a part of the topics; times are per summary."
    ]
    parts += [_section(name, corpus.topics, size) for name, corpus in _corpora(size, shared)]
    return "\n\n".join(parts)


def _section(name: str, topics: Sequence[Topic], size: Size) -> str:
    runs = measure(topics, size)
    n = sum(len(topic.summaries) for topic in topics)
    n_references = max(len(topic.references) for topic in topics)
    own = [
        (what, f"{1e3 * seconds(runs[what]):.3f}", f"{1 / seconds(runs[what]):,.0f}")
        for what in (COLD, WARM, ROUGE)
    ]
    return "\n\n".join(
        [
            f"### {name}: {n:,} summaries, up to {n_references} references",
            table(("package", "ms a summary", "summaries a second"), own),
            table(HEAD, [_cells(peer, topics, size, runs) for peer in PEERS]),
        ]
    )


def _cells(peer: Peer, topics: Sequence[Topic], size: Size, runs: dict[str, list[Run]]) -> list[str]:
    if peer.absent():
        return [f"{peer.name}: {peer.absent()}", *[""] * (len(HEAD) - 1)]
    part, theirs = part_of(topics, size, peer), runs[peer.name]
    found = difference(peer, part, theirs[-1].value)
    shown = ", ".join("-" if np.isnan(value) else f"{value:.0e}" for value in found)
    return [
        peer.name,
        f"{len(theirs[-1].value):,}",
        f"{1e3 * seconds(theirs):.3f}",
        times(ratio(theirs, runs[COLD])),
        times(ratio(theirs, runs[COLD], "wall")),
        must(peer.must),
        times(ratio(theirs, runs[ROUGE])),
        shown + ("" if peer.agrees else " (other stems)"),
    ]
