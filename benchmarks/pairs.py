"""All pairs of summarizers, tested at once, compared with loops over the pairs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from benchmarks import pair_peers as peers
from benchmarks.data import QUICK, SEED, Size
from benchmarks.harness import Contestant, Spread, ratio, rounds, seconds
from benchmarks.matrices import grades, metric
from benchmarks.report import digits, must, table, times
from benchmarks.search_peers import Array
from classy_aesop.significance.pair_resampling import hb_counts, mc_counts, resample_pairs
from classy_aesop.significance.pair_tests import recipe_of
from classy_aesop.significance.pairs import compare_pairs

TITLE = "Pairs of summarizers"

N_RESAMPLES = 2_000
"""Resamples of a pair, as in the papers."""

PLAIN = recipe_of("rankel2011")

Rows = list[tuple[int, int]]


@dataclass(frozen=True)
class Job:
    """One test of all pairs.

    Parameters
    ----------
    name, peer : str
    ours : callable
        The whole test of all pairs.
    values : callable
        What the package finds for some pairs, on the peer's resamples if it has any.
    theirs : callable
        What the peer finds for some pairs.
    must : number
        The least ratio that was set as a goal.
    share : float
        Which part of the pairs the peer tests.
    times : int
        How often the package tests all pairs for one measurement.
    """

    name: str
    peer: str
    ours: Callable[[Array], object]
    values: Callable[[Array, Rows], Array]
    theirs: Callable[[Array, Rows], Array]
    must: float
    share: float = 1.0
    times: int = 20


def _p(test: str) -> Callable[[Array, Rows], Array]:
    return lambda X, rows: compare_pairs(X, test=test, pairs=rows, correction="none").p


def _both_t(X: Array) -> None:
    for test in ("paired_t", "unpaired_t"):
        compare_pairs(X, test=test)


def _resampled(method: str) -> Callable[[Array], object]:
    return lambda X: resample_pairs(
        X, method=method, n_resamples=N_RESAMPLES, rng=np.random.default_rng(SEED)
    )


def _mc_shares(X: Array, rows: Rows) -> Array:
    def share(number: int, x: Array, y: Array) -> float:
        flips = peers.mc_flips(number, N_RESAMPLES, len(x))
        return float(mc_counts(x[None], y[None], flips, test="wilcoxon", recipe=PLAIN)[0] / N_RESAMPLES)

    return np.array([share(number, *scores) for number, scores in enumerate(peers.shared(X, rows))])


def _hb_shares(X: Array, rows: Rows) -> Array:
    def share(number: int, x: Array, y: Array) -> float:
        resamples = peers.hb_resamples(number, N_RESAMPLES, len(x))
        return float(hb_counts(x[None], y[None], *resamples, test="wilcoxon", recipe=PLAIN)[0] / N_RESAMPLES)

    return np.array([share(number, *scores) for number, scores in enumerate(peers.shared(X, rows))])


JOBS = (
    Job(
        "Wilcoxon",
        "scipy wilcoxon",
        lambda X: compare_pairs(X, test="wilcoxon"),
        _p("wilcoxon"),
        peers.wilcoxon_by_scipy,
        40,
        0.5,
    ),
    Job(
        "paired and unpaired t",
        "scipy ttest_rel, ttest_ind",
        _both_t,
        lambda X, rows: np.concatenate([_p(test)(X, rows) for test in ("paired_t", "unpaired_t")]),
        peers.t_by_scipy,
        140,
        0.5,
    ),
    Job(
        "MC, signed ranks",
        "careful numpy, a pair at a time",
        _resampled("mc"),
        _mc_shares,
        lambda X, rows: peers.mc_by_numpy(X, rows, N_RESAMPLES),
        10,
        0.2,
        5,
    ),
    Job(
        "HB, signed ranks",
        "careful numpy, a pair at a time",
        _resampled("hb"),
        _hb_shares,
        lambda X, rows: peers.hb_by_numpy(X, rows, N_RESAMPLES),
        15,
        0.03,
        1,
    ),
)


@dataclass(frozen=True)
class Row:
    """The package against one peer on one test."""

    scores: str
    job: Job
    n_pairs: int
    ours: float
    theirs: float
    cpu: Spread
    wall: Spread
    difference: float


def measure(size: Size) -> Iterator[Row]:
    """Measure all tests on grades, which tie, and on a metric's scores, which do not."""
    counts = (8, 2, 6) if size is QUICK else (58, 8, 48)
    for name, X in (("grades", grades(*counts)), ("metric", metric(*counts))):
        for job in JOBS:
            yield compare(job, name, X, size.n_rounds)


def compare(job: Job, scores: str, X: Array, n_rounds: int) -> Row:
    """Run one test by both in rounds."""
    rows = list(combinations(range(len(X)), 2))
    chosen = _some(rows, job.share)
    contestants = {
        "ours": Contestant(lambda: [job.ours(X) for _ in range(job.times)] and None, job.times),
        "theirs": Contestant(lambda: job.theirs(X, chosen), len(chosen) / len(rows)),
    }
    runs = rounds(contestants, n_rounds)
    ours, theirs = runs["ours"], runs["theirs"]
    both = theirs[-1].value, job.values(X, chosen)
    difference = float(np.nanmax(np.abs(both[0] - both[1])))  # peers give NaN where nothing differs
    cpu, wall = (ratio(theirs, ours, clock) for clock in ("cpu", "wall"))
    return Row(scores, job, len(chosen), seconds(ours), seconds(theirs), cpu, wall, difference)


def _some(rows: Sequence[tuple[int, int]], share: float) -> Rows:
    """Choose some pairs at random, without repetition."""
    drawn = np.random.default_rng(1).permutation(len(rows))[: max(1, round(share * len(rows)))]
    return [rows[place] for place in np.sort(drawn)]


HEAD = (
    "scores",
    "test",
    "peer",
    "pairs of the peer",
    "package, s",
    "peer, s",
    "ratio",
    "by wall time",
    "must",
    "largest difference of p",
)


INTRODUCTION = f"""\
All pairs of 66 summarizers on 48 topics are tested, on made-up grades of 1 to 5, which have ties, and on a metric's
scores, which have none. 2 % of the cells are missing, and for 8 humans about half of the topics. The package also
corrects p (Holm) and gives intervals and effects. A peer tests some pairs; its time is scaled to all. MC and HB use
{N_RESAMPLES:,} resamples. The peer draws new ones for each pair; the package uses the same ones for all pairs (MC) or
for those with equally many topics (HB). Each p is valid, but the Monte Carlo errors of two pairs are not independent.
The last column compares MC and HB on the peer's resamples."""

CLOSE = """\
The ratios to loops of scipy calls, {} to {}, are large because these peers loop in Python. Against careful numpy,
which takes all resamples of a pair at once, they are {} to {}."""


def text(size: Size) -> str:
    """Measure, and write the section."""
    found = list(measure(size))
    loops, careful = (
        [row.cpu.median for row in found if word in row.job.peer] for word in ("scipy", "numpy")
    )
    ends = [digits(end(ratios)) for ratios in (loops, careful) for end in (min, max)]
    return "\n\n".join([INTRODUCTION, table(HEAD, [_cells(row) for row in found]), CLOSE.format(*ends)])


def _cells(row: Row) -> list[str]:
    return [
        row.scores,
        row.job.name,
        row.job.peer,
        f"{row.n_pairs:,}",
        digits(row.ours),
        digits(row.theirs),
        times(row.cpu),
        times(row.wall),
        must(row.job.must),
        f"{row.difference:.0e}",
    ]
