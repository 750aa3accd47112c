"""The exhaustive search, compared with loops over library fits and with careful numpy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import careful, search_peers
from benchmarks.data import QUICK, SearchData, Size, made_up_search, real_corpus, real_search
from benchmarks.harness import Contestant, Run, Spread, ratio, rounds, seconds
from benchmarks.report import digits, must, table, times
from benchmarks.search_peers import Array, Integers, Problem, loop
from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import search_targets

TITLE = "Search"

Search = Callable[[Problem, Integers], Array]


@dataclass(frozen=True)
class Peer:
    """Another way to do a search.

    Parameters
    ----------
    name : str
    search : callable
        From a problem and masks (n,) to scores (n,) or (n, n_targets).
    must : float, optional
        The least ratio that was set as a goal.
    slow : float
        Which part of the size's ``n_subsets`` it fits.
    agrees : float, optional
        How far its scores may be from ours; None where it is another estimate.
    """

    name: str
    search: Search
    must: float | None = None
    slow: float = 1.0
    agrees: float | None = 1e-7
    careful: bool = False


@dataclass(frozen=True)
class Method:
    """One fitter of the package, its peers, how often it is run for one measurement, and for one target or all."""

    name: str
    fitter: Callable[[int], Any]
    peers: Sequence[Peer]
    times: int = 1
    standard: bool = True
    every_target: bool = False


METHODS = (
    Method(
        "canonical, three targets",
        lambda target: CanonicalRegression(target=target),
        (
            Peer("numpy QR and SVD", search_peers.loop_over_targets(search_peers.canonical_by_qr), 75),
            Peer(
                "scikit-learn CCA, tol 1e-16",
                search_peers.loop_over_targets(search_peers.canonical_by_sklearn(1e-16)),
                300,
                0.5,
            ),
        ),
        times=5,
        every_target=True,
    ),
    Method(
        "canonical",
        lambda target: CanonicalRegression(target=target),
        (
            Peer("numpy QR and SVD", loop(search_peers.canonical_by_qr), 75),
            Peer("statsmodels CanCorr", loop(search_peers.canonical_by_statsmodels)),
            Peer("scikit-learn CCA, tol 1e-16", loop(search_peers.canonical_by_sklearn(1e-16)), 300, 0.5),
            Peer("scikit-learn CCA, tol 1e-6", loop(search_peers.canonical_by_sklearn(1e-6)), 300, 0.5, None),
            Peer("careful numpy", careful.batched(careful.canonical, 4096), agrees=1e-7, careful=True),
        ),
        times=5,
    ),
    Method(
        "non-negative",
        lambda target: NonNegativeRegression(),
        (
            Peer("scipy nnls", loop(search_peers.nonnegative_by_scipy), 90, agrees=1e-9),
            Peer("careful numpy", careful.batched(careful.nonnegative, 4096), agrees=1e-9, careful=True),
        ),
        times=5,
    ),
    Method(
        "robust, converged",
        lambda target: RobustRegression(),
        (
            Peer("numpy QR, to 1e-8", loop(search_peers.robust_by_qr), 12, 0.25, 1e-5),
            Peer("statsmodels RLM, to 1e-8", loop(search_peers.robust_by_statsmodels), 30, 0.15, None),
            Peer(
                "careful numpy",
                careful.batched(careful.robust, careful.CHUNK),
                None,
                0.25,
                1e-5,
                careful=True,
            ),
        ),
    ),
)


@dataclass(frozen=True)
class Row:
    """One package against one peer on one search."""

    method: str
    peer: Peer
    n_fitted: int
    ours: float
    theirs: float
    cpu: Spread
    wall: Spread
    difference: float


def measure(size: Size, shared: Path | None = None) -> list[tuple[SearchData, list[Row]]]:
    """Measure all methods on the made-up tasks and, if a folder is given, on SummEval.

    REALSumm is left out. It has one measure, which CanCorr rejects, and one reference, which gives equal columns, on
    which a QR decomposition fails.
    """
    searches = [made_up_search(size, task) for task in "AB"]
    if shared is not None:
        searches.append(real_search("summeval", real_corpus("summeval", shared), size))
    warm_up()
    return [
        (data, [row for method in _methods(data is searches[0]) for row in compare(method, data, size)])
        for data in searches
    ]


def warm_up() -> None:
    """Trigger the late imports of all contestants."""
    for method in METHODS:
        compare(method, made_up_search(QUICK, "A"), QUICK)


def _methods(first: bool) -> Sequence[Method]:
    """Give all methods for the first search; MATLAB's rule, which takes longest, is not repeated for the others."""
    return METHODS if first else METHODS[:-1]


def compare(method: Method, data: SearchData, size: Size) -> list[Row]:
    """Run one fitter and its peers in rounds."""
    problem = Problem.of(data, standard=method.standard)
    chosen = {peer.name: _sample(2 ** len(data.names), peer.slow * size.n_subsets) for peer in method.peers}
    contestants = {"ours": Contestant(lambda: _ours(method, data), method.times)}
    for peer in method.peers:
        contestants[peer.name] = _peer(peer, problem, chosen[peer.name], 2 ** len(data.names) - 1)
    runs = rounds(contestants, size.n_rounds)
    return [_row(method, peer, chosen[peer.name], runs["ours"], runs[peer.name]) for peer in method.peers]


def _ours(method: Method, data: SearchData) -> Array:
    """Give the scores (n_subsets, n_targets)."""
    targets = range(data.train.Y.shape[1]) if method.every_target else [data.target]
    for _ in range(method.times):
        results = search_targets(
            method.fitter(data.target),
            [(data.train, data.select)],
            data.groups,
            targets=list(targets),
            names=data.names,
        )
    return np.column_stack([result.scores for result in results])


def _sample(n_subsets: int, wanted: float) -> Integers:
    """Choose subsets at random, without repetition; or all of them."""
    n = min(n_subsets - 1, max(1, round(wanted)))
    drawn: Integers = np.random.default_rng(1).choice(np.arange(1, n_subsets), n, replace=False)
    return np.sort(drawn)


def _peer(peer: Peer, problem: Problem, masks: Integers, n_subsets: int) -> Contestant:
    return Contestant(lambda: peer.search(problem, masks), masks.size / n_subsets)


def _row(method: Method, peer: Peer, masks: Integers, ours: list[Run], theirs: list[Run]) -> Row:
    scores = ours[-1].value[masks - 1]
    difference = float(np.nanmax(np.abs(scores - theirs[-1].value.reshape(scores.shape))))
    cpu, wall = (ratio(theirs, ours, clock) for clock in ("cpu", "wall"))
    return Row(method.name, peer, masks.size, seconds(ours), seconds(theirs), cpu, wall, difference)


HEAD = (
    "fitter",
    "peer",
    "subsets fitted by the peer",
    "package, s",
    "peer, s",
    "ratio",
    "by wall time",
    "must",
    "largest difference of a score",
)


def text(size: Size, shared: Path | None = None) -> str:
    """Measure, and write the section."""
    measured = measure(size, shared)
    parts = [
        "All subsets of the features are fitted on one year and scored on the next by the system-level "
        "Pearson correlation with one measure (three targets: with each of three measures, from one fit). A "
        "slow peer fits a random part of the subsets; its time is scaled to all. Peers need not do what is "
        "the same for every subset (centring), nor predict anything but summarizer means."
    ]
    for data, rows in measured:
        parts += [f"### {data.title}", table(HEAD, [_cells(row) for row in rows])]
    parts += [_in_words([row for _, rows in measured for row in rows])]
    return "\n\n".join(parts)


def _cells(row: Row) -> list[str]:
    difference = f"{row.difference:.0e}" + ("" if row.peer.agrees else " (other stop or estimate)")
    counts = f"{row.n_fitted:,}"
    return [
        row.method,
        row.peer.name,
        counts,
        digits(row.ours),
        digits(row.theirs),
        times(row.cpu),
        times(row.wall),
        must(row.peer.must),
        difference,
    ]


def _in_words(rows: Sequence[Row]) -> str:
    loops = [row.cpu.median for row in rows if not row.peer.careful]
    numpy = [f"{row.method} {digits(row.cpu.median)} x" for row in rows if row.peer.careful]
    return (
        f"The ratios of {digits(min(loops))} to {digits(max(loops))} are large because these peers loop over the "
        f"subsets in Python. Against careful numpy (batches of subsets of equal size from one covariance, or `nnls` on "
        f"the triangle of one QR) they shrink, in the order of the tables, to: {', '.join(numpy)}."
    )
