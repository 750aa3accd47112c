"""All features and ROUGE, compared with programs and packages for ROUGE alone, on the same texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from benchmarks.data import Size, made_up_year
from benchmarks.feature_peers import PEERS, Array, Case, Peer, cases
from benchmarks.harness import Contestant, Run, ratio, rounds, run_apart, seconds
from benchmarks.report import table, times
from classy_aesop import rouge
from classy_aesop.baselines.rouge_metrics import METRICS, OriginalMetric
from classy_aesop.data import Reference, Summary, Topic
from classy_aesop.features import feature_rows
from classy_aesop.features.registry import CLASSY2011
from classy_aesop.text.stems import Stemming

TITLE = "Features and ROUGE"

COLD, ROUGE = "all features and ROUGE", "ROUGE alone"
ASKED: tuple[OriginalMetric, ...] = ("ROUGE-1", "ROUGE-2", "ROUGE-SU4")


def package(topics: Sequence[Topic]) -> None:
    """Compute 13 features and three ROUGE metrics from the same counts, topic by topic."""
    for _ in feature_rows(topics, names=CLASSY2011, metrics={name: METRICS[name] for name in ASKED}):
        pass


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
        COLD: Contestant(lambda: package(topics), n),
        ROUGE: Contestant(lambda: own_recalls(topics), n),
    }
    for peer in PEERS:
        if not peer.absent():
            given = cases(part_of(topics, size, peer))
            contestants[peer.name] = Contestant(_scoring(peer, given), len(given))
    return rounds(contestants, size.n_rounds, run_apart)


def _scoring(peer: Peer, given: list[Case]) -> Callable[[], Array]:
    return lambda: peer.score(given)


def load_modules() -> None:
    """Trigger the late imports of the package and its peers; the words are not in the corpus."""
    text = ("Qqx zzv xxq wwkq.",)
    references = (Reference("A", text), Reference("B", text))
    strange = [Topic("0", "0", "", (Summary("1", text),), references)]
    package(strange)
    own_recalls(strange)
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
    "ratio of ROUGE alone",
    "largest difference of R2, SU4",
)


def text(size: Size) -> str:
    """Measure, and write the section."""
    topics = made_up_year(size).topics
    runs = measure(topics, size)
    package_rows = [
        (what, f"{1e3 * seconds(runs[what]):.3f}", f"{1 / seconds(runs[what]):,.0f}")
        for what in (COLD, ROUGE)
    ]
    introduction = (
        "The package computes all 13 features and ROUGE-1, 2 and SU4 of a made-up year in one pass (`feature_rows` "
        "with `metrics`); the peers compute only ROUGE. In the column *ratio of ROUGE alone* the package computes "
        "only ROUGE too. Package and peers all start without cached stems. A peer scores a part of the topics."
    )
    return "\n\n".join(
        [
            introduction,
            table(("package", "ms a summary", "summaries a second"), package_rows),
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
        times(ratio(theirs, runs[ROUGE])),
        shown + ("" if peer.agrees else " (other stems)"),
    ]
