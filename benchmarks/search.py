"""The exhaustive search, compared with loops over library fits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.data import QUICK, SearchData, Size, made_up_search
from benchmarks.harness import Contestant, Spread, ratio, rounds, seconds
from benchmarks.report import digits, table, times
from benchmarks.search_peers import (
    Array,
    Fit,
    Integers,
    Problem,
    canonical_by_statsmodels,
    loop,
    nonnegative_by_scipy,
    robust_by_statsmodels,
)
from classy_aesop.fitters import CanonicalRegression, NonNegativeRegression, RobustRegression
from classy_aesop.search import search_subsets

TITLE = "Search"


@dataclass(frozen=True)
class Method:
    """One fitter of the package and its peer.

    Parameters
    ----------
    name, peer : str
    fitter : callable
        From a target to a fitter.
    fit : callable
        The peer's fit of one subset.
    agreement : float
        How far the peer's scores may be from ours; 0.05 where it is another estimate.
    share : float
        Which part of the size's ``n_subsets`` the peer fits.
    times : int
        How often the package searches for one measurement.
    """

    name: str
    peer: str
    fitter: Callable[[int], Any]
    fit: Fit
    agreement: float
    share: float = 1.0
    times: int = 5


METHODS = (
    Method(
        "canonical",
        "statsmodels CanCorr",
        lambda target: CanonicalRegression(target=target),
        canonical_by_statsmodels,
        1e-7,
    ),
    Method("non-negative", "scipy nnls", lambda target: NonNegativeRegression(), nonnegative_by_scipy, 1e-9),
    Method(
        "robust, converged",
        "statsmodels RLM, to 1e-8",
        lambda target: RobustRegression(),
        robust_by_statsmodels,
        0.05,
        share=0.15,
        times=1,
    ),
)


@dataclass(frozen=True)
class Row:
    """The package against a peer on one search."""

    n_fitted: int
    package_seconds: float
    peer_seconds: float
    cpu: Spread
    difference: float


def compare(method: Method, data: SearchData, size: Size) -> Row:
    """Run one fitter and its peer in rounds."""
    problem = Problem.of(data)
    n_subsets = 2 ** len(data.names) - 1
    masks = _sample(n_subsets, method.share * size.n_subsets)
    contestants = {
        "ours": Contestant(lambda: _search_by_package(method, data), method.times),
        "theirs": Contestant(lambda: loop(method.fit)(problem, masks), masks.size / n_subsets),
    }
    runs = rounds(contestants, size.n_rounds)
    difference = float(np.nanmax(np.abs(runs["ours"][-1].value[masks - 1] - runs["theirs"][-1].value)))
    return Row(
        n_fitted=masks.size,
        package_seconds=seconds(runs["ours"]),
        peer_seconds=seconds(runs["theirs"]),
        cpu=ratio(runs["theirs"], runs["ours"]),
        difference=difference,
    )


def _search_by_package(method: Method, data: SearchData) -> Array:
    """Give the scores (n_subsets,) of the last of some equal searches."""
    for _ in range(method.times):
        result = search_subsets(
            method.fitter(data.target),
            [(data.train, data.select)],
            data.groups,
            target=data.target,
            names=data.names,
        )
    return np.asarray(result.scores)


def _sample(n_subsets: int, wanted: float) -> Integers:
    """Choose subsets at random, without repetition; or all of them."""
    n = min(n_subsets, max(1, round(wanted)))
    drawn: Integers = np.random.default_rng(1).choice(np.arange(1, n_subsets + 1), n, replace=False)
    return np.sort(drawn)


HEAD = (
    "fitter",
    "peer",
    "subsets fitted by the peer",
    "package, s",
    "peer, s",
    "ratio",
    "largest difference of a score",
)


def text(size: Size) -> str:
    """Measure, and write the section."""
    for method in METHODS:
        compare(method, made_up_search(QUICK, "A"), QUICK)  # imports what is imported late
    data = made_up_search(size, "A")
    rows = [(method, compare(method, data, size)) for method in METHODS]
    introduction = (
        "All subsets of the features are fitted on one made-up year and scored on the next by the system-level "
        "Pearson correlation with one measure. A peer fits a random part of the subsets; its time is scaled to all. "
        "Peers need not do what is the same for every subset (centring), nor predict anything but summarizer means."
    )
    return "\n\n".join([introduction, table(HEAD, [_cells(method, row) for method, row in rows])])


def _cells(method: Method, row: Row) -> list[str]:
    return [
        method.name,
        method.peer,
        f"{row.n_fitted:,}",
        digits(row.package_seconds),
        digits(row.peer_seconds),
        times(row.cpu),
        f"{row.difference:.0e}",
    ]
