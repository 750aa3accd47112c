"""Bootstrap and permutation tests of correlations, compared with loops over the resamples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from typing import Any

import numpy as np

from benchmarks import resampling_peers as peers
from benchmarks.data import QUICK, SEED, Size
from benchmarks.harness import Contestant, Spread, ratio, rounds, seconds
from benchmarks.matrices import metrics_and_human_scores
from benchmarks.report import digits, table, times
from benchmarks.search_peers import Array
from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.correlations.correlation_intervals import bootstrap_interval
from classy_aesop.significance.correlations.resampled_correlations import (
    bootstrap_values,
    exchange_pairs,
    keep_shared_cells,
)
from classy_aesop.significance.draws import draw_exchanges, draw_resamples
from classy_aesop.significance.metrics.metric_tests import MetricTest

TITLE = "Resampling of correlations"

CORRELATIONS = (("system", "pearson"), ("input", "kendall"))
"""Levels and coefficients."""

PEER_DRAWS = {"system": 400, "input": 40}
"""Resamples that a peer processes; its time is scaled to all."""

TIMES = 5
"""How often the package processes all resamples for one measurement."""


@dataclass(frozen=True)
class Job:
    """One resampling method: by the package on its own resamples, and by package and peers on given resamples.

    Parameters
    ----------
    name : str
    run_package : callable
        The whole test, from scores, level and coefficient.
    resampled : callable
        Makes some resamples for a matrix of a shape.
    values : callable
        The package's values on given resamples.
    peers : dict of str to callable
        The values of others.
    """

    name: str
    run_package: Callable[[peers.Matrices, str, str], Any]
    resampled: Callable[[tuple[int, int], int], Any]
    values: Callable[[peers.Matrices, Any, str, str], Array]
    peers: dict[str, Callable[[peers.Matrices, Any, str, str], Array]]


def _bootstrap(scores: peers.Matrices, level: str, coefficient: str) -> Any:
    rng = np.random.default_rng(SEED)
    return bootstrap_interval(scores[0], scores[2], level=level, coefficient=coefficient, rng=rng)


def _bootstrap_values(scores: peers.Matrices, resamples: Any, level: str, coefficient: str) -> Array:
    return bootstrap_values(scores[0], scores[2], resamples, level=level, coefficient=coefficient)


def _permutation(scores: peers.Matrices, level: str, coefficient: str) -> Any:
    rng = np.random.default_rng(SEED)
    return MetricTest("", "permutation", "cells")(*scores, level=level, coefficient=coefficient, rng=rng)


def _permutation_values(scores: peers.Matrices, swaps: Any, level: str, coefficient: str) -> Array:
    [values] = exchange_pairs([keep_shared_cells(*scores)], swaps, level=level, coefficient=coefficient)
    return np.asarray(values)


def _bootstrap_resamples(shape: tuple[int, int], n: int) -> Any:
    return draw_resamples(shape, "both", n, np.random.default_rng(1))


def _exchanges(shape: tuple[int, int], n: int) -> Any:
    return draw_exchanges(shape, "cells", n, np.random.default_rng(1))


CAREFUL = "numpy, all topics of a draw at once"

JOBS = (
    Job(
        "bootstrap, both",
        _bootstrap,
        _bootstrap_resamples,
        _bootstrap_values,
        {"nlpstats": peers.bootstrap_by_nlpstats, CAREFUL: peers.bootstrap_by_numpy},
    ),
    Job(
        "exchanges of cells",
        _permutation,
        _exchanges,
        _permutation_values,
        {"loop as in mt-metrics-eval": peers.permutation_by_loop, CAREFUL: peers.permutation_by_numpy},
    ),
)


@dataclass(frozen=True)
class Row:
    """The package against one peer on one resampling."""

    job: str
    level: str
    coefficient: str
    peer: str
    n_resamples: int
    package_seconds: float
    peer_seconds: float
    cpu: Spread
    difference: float


def measure(size: Size) -> Iterator[Row]:
    """Measure all jobs, levels and coefficients with the peers that are installed."""
    quick = size is QUICK
    scores = metrics_and_human_scores(*((10, 8) if quick else (58, 48)))
    for job in JOBS:
        for level, coefficient in CORRELATIONS:
            n_resamples = 10 if quick else PEER_DRAWS[level]
            yield from compare(job, scores, level, coefficient, n_resamples, size.n_rounds)


def compare(
    job: Job, scores: peers.Matrices, level: str, coefficient: str, n_resamples: int, n_rounds: int
) -> list[Row]:
    """Run one resampling by everyone in rounds."""
    resamples = job.resampled((scores[0].shape[0], scores[0].shape[1]), n_resamples)
    expected = job.values(scores, resamples, level, coefficient)
    package = Contestant(
        lambda: [job.run_package(scores, level, coefficient) for _ in range(TIMES)] and None, TIMES
    )
    contestants = {"ours": package}
    for name, peer in job.peers.items():
        if takes_part(name, coefficient):
            work = partial(peer, scores, resamples, level, coefficient)
            contestants[name] = Contestant(work, n_resamples / N_RESAMPLES)
    runs = rounds(contestants, n_rounds)
    package_runs = runs.pop("ours")
    rows = []
    for name, peer_runs in runs.items():
        rows.append(
            Row(
                job=job.name,
                level=level,
                coefficient=coefficient,
                peer=name,
                n_resamples=n_resamples,
                package_seconds=seconds(package_runs),
                peer_seconds=seconds(peer_runs),
                cpu=ratio(peer_runs, package_runs),
                difference=float(np.abs(peer_runs[-1].value - expected).max()),
            )
        )
    return rows


def takes_part(peer: str, coefficient: str) -> bool:
    """Whether a peer is installed and knows the coefficient."""
    if peer == CAREFUL:
        return coefficient == "pearson"
    return peer != "nlpstats" or find_spec("nlpstats") is not None


HEAD = (
    "test",
    "level",
    "coefficient",
    "peer",
    "resamples of the peer",
    "package, s",
    "peer, s",
    "ratio",
    "largest difference of a value",
)


INTRODUCTION = f"""\
{N_RESAMPLES:,} resamples of made-up scores of 58 systems on 48 topics, of which 2 % are missing. A peer is given some
of the resamples; its time is scaled to all. The package's time includes making its resamples. The last column compares
the values on the peer's resamples one by one. The loop as in mt-metrics-eval is our code, modelled on its
`PermutationSigDiff`, at system level on the means of the exchanged cells."""


def text(size: Size) -> str:
    """Measure, and write the section."""
    return f"{INTRODUCTION}\n\n{table(HEAD, map(_cells, measure(size)))}"


def _cells(row: Row) -> list[str]:
    return [
        row.job,
        row.level,
        row.coefficient,
        row.peer,
        f"{row.n_resamples:,}",
        digits(row.package_seconds),
        digits(row.peer_seconds),
        times(row.cpu),
        f"{row.difference:.0e}",
    ]
