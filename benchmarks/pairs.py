"""All pairs of summarizers, tested at once, compared with loops over the pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchmarks.data import QUICK, Size
from benchmarks.harness import Contestant, Spread, ratio, rounds, seconds
from benchmarks.matrices import grades
from benchmarks.report import digits, table, times
from benchmarks.search_peers import Array
from classy_aesop.significance.pairs.pair_comparisons import compare_pairs
from classy_aesop.significance.pairs.pair_statistics import PairStatistic
from classy_aesop.significance.pairs.signed_ranks import Recipe, signed_rank_test

TITLE = "Pairs of summarizers"

APPROXIMATE = signed_rank_test(Recipe(exact_with_ties=False))
"""Signed ranks as R and scipy have them: exact without ties, else normal; near ties are ties."""

Rows = list[tuple[int, int]]


# --- other implementations, one pair at a time, by scipy ---


def wilcoxon_by_scipy(X: Array, pairs: Rows) -> Array:
    """P-values of signed ranks, exact without zeros and ties, else normal as in R; NaN where nothing differs."""
    from scipy.stats import wilcoxon

    p_values = []
    for x, y in shared(X, pairs):
        sizes = np.abs(x - y)
        plain = sizes.all() and len(np.unique(sizes)) == len(sizes)
        method = "exact" if plain else "asymptotic"
        p_values.append(wilcoxon(x, y, correction=True, method=method).pvalue)
    return np.array(p_values)


def t_by_scipy(X: Array, pairs: Rows) -> Array:
    """P-values of the paired and of the unpaired t-test, (2 n_pairs,)."""
    from scipy.stats import ttest_ind, ttest_rel

    p_values = [(ttest_rel(x, y).pvalue, ttest_ind(x, y).pvalue) for x, y in shared(X, pairs)]
    return np.array(p_values).T.ravel()


def shared(X: Array, pairs: Rows) -> Iterator[tuple[Array, Array]]:
    """Give the scores of each pair on the topics that both have."""
    for i, j in pairs:
        is_shared = ~np.isnan(X[i] + X[j])
        yield X[i, is_shared], X[j, is_shared]


# --- compared with ours ---


@dataclass(frozen=True)
class Job:
    """One test of all pairs.

    Parameters
    ----------
    name, peer : str
    run_package : callable
        The whole test of all pairs.
    values : callable
        What the package finds for some pairs.
    run_peer : callable
        What the peer finds for some pairs.
    share : float
        Share of the pairs that the peer tests.
    times : int
        How often the package tests all pairs for one measurement.
    """

    name: str
    peer: str
    run_package: Callable[[Array], object]
    values: Callable[[Array, Rows], Array]
    run_peer: Callable[[Array, Rows], Array]
    share: float = 1.0
    times: int = 20


def _p(test: str | PairStatistic) -> Callable[[Array, Rows], Array]:
    return lambda X, rows: compare_pairs(X, test=test, pairs=rows, correction="none").p


def _both_t(X: Array) -> None:
    for test in ("paired_t", "unpaired_t"):
        compare_pairs(X, test=test)


JOBS = (
    Job(
        "Wilcoxon",
        "scipy wilcoxon",
        lambda X: compare_pairs(X, test=APPROXIMATE),
        _p(APPROXIMATE),
        wilcoxon_by_scipy,
        0.5,
    ),
    Job(
        "paired and unpaired t",
        "scipy ttest_rel, ttest_ind",
        _both_t,
        lambda X, rows: np.concatenate([_p(test)(X, rows) for test in ("paired_t", "unpaired_t")]),
        t_by_scipy,
        0.5,
    ),
)


@dataclass(frozen=True)
class Row:
    """The package against one peer on one test."""

    n_pairs: int
    package_seconds: float
    peer_seconds: float
    cpu: Spread
    difference: float


def compare(job: Job, X: Array, n_rounds: int) -> Row:
    """Run one test by both in rounds."""
    rows = list(combinations(range(len(X)), 2))
    chosen = _sample_pairs(rows, job.share)
    contestants = {
        "ours": Contestant(lambda: [job.run_package(X) for _ in range(job.times)] and None, job.times),
        "theirs": Contestant(lambda: job.run_peer(X, chosen), len(chosen) / len(rows)),
    }
    runs = rounds(contestants, n_rounds)
    package_runs = runs["ours"]
    peer_runs = runs["theirs"]
    # peers give NaN where nothing differs
    difference = float(np.nanmax(np.abs(peer_runs[-1].value - job.values(X, chosen))))
    return Row(
        n_pairs=len(chosen),
        package_seconds=seconds(package_runs),
        peer_seconds=seconds(peer_runs),
        cpu=ratio(peer_runs, package_runs),
        difference=difference,
    )


def _sample_pairs(rows: Sequence[tuple[int, int]], share: float) -> Rows:
    """Choose some pairs at random, without repetition."""
    n_chosen = max(1, round(share * len(rows)))
    chosen = np.random.default_rng(1).permutation(len(rows))[:n_chosen]
    return [rows[position] for position in np.sort(chosen)]


HEAD = (
    "test",
    "peer",
    "pairs of the peer",
    "package, s",
    "peer, s",
    "ratio",
    "largest difference of p",
)


INTRODUCTION = """\
All pairs of 66 summarizers on 48 topics are tested, on made-up grades of 1 to 5, which have ties. 2 % of the cells are
missing, and for 8 humans about half of the topics. The package also corrects p (Holm) and gives intervals and effects.
A peer tests some pairs; its time is scaled to all."""


def text(size: Size) -> str:
    """Measure, and write the section."""
    X = grades(*((8, 2, 6) if size is QUICK else (58, 8, 48)))
    rows = [_cells(job, compare(job, X, size.n_rounds)) for job in JOBS]
    return f"{INTRODUCTION}\n\n{table(HEAD, rows)}"


def _cells(job: Job, row: Row) -> list[str]:
    return [
        job.name,
        job.peer,
        f"{row.n_pairs:,}",
        digits(row.package_seconds),
        digits(row.peer_seconds),
        times(row.cpu),
        f"{row.difference:.0e}",
    ]
