"""How many pairs of summarizers differ significantly, by each test and on each human measure and metric.

Rankel et al. (2011), Tables 1 and 2 (Rankel 2016, Tables 4.1 and 4.2); Rankel et al. (2013), Table 1.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.analysis.pairing import FloatArray, only, places
from classy_aesop.analysis.peers import mixed_pairs
from classy_aesop.data import Humans, matrix, natural
from classy_aesop.errors import DataWarning, InputError, listed
from classy_aesop.significance.agreement import best_rows, significant_labels
from classy_aesop.significance.base import ALPHA, IntArray, is_significant
from classy_aesop.significance.pair_resampling import METHODS, resample_pairs
from classy_aesop.significance.pairs import TESTS, compare_pairs
from classy_aesop.studies.judged import StudyData
from classy_aesop.studies.printed import with_printed
from classy_aesop.work.seeding import seeded_rng

ALL, MIXED = "Rankel et al. (2011), Table 1", "Rankel et al. (2011), Table 2"
AMONG_BEST = "Rankel et al. (2013), Table 1"
PRINTED = {"n_significant": "printed"}

PRESET = "rankel2011"
"""How the papers' tests were computed."""

TOP = 30
"""The best systems that are compared in Rankel et al. (2013)."""


def pair_counts(
    data: StudyData,
    *,
    metrics: Sequence[str] | None = None,
    pairs: str = "all",
    with_resampling: bool = False,
    alpha: float = 0.05,
    n_resamples: int = 2_000,
    seed: int = 0,
    progress: bool = False,
) -> pd.DataFrame:
    """Count the significant pairs of all peers, uncorrected, by each test.

    Parameters
    ----------
    data : StudyData
        The corpora, metrics and peers; by default all peers.
    metrics : sequence of str, optional
        Only these human measures and metrics.
    pairs : {"all", "mixed"}
        All pairs (Table 1), or those of a human and a system (Table 2).
    with_resampling : bool
        Also count by random exchanges (MC) and on resampled topics (HB), with ``n_resamples`` each.
    alpha : float
        A pair is significant if p is at most this.
    n_resamples, seed : int
        Of the resampling.
    progress : bool
        Show a progress bar.

    Returns
    -------
    DataFrame
        A row for each year, task, measure or metric, and test: ``year, task, metric, pairs, test, n_pairs,
        n_significant, share``; for resampling tests also ``n_by_cutoff``, where a pair is significant if its statistic
        reaches the papers' cutoff, and ``n_resamples, seed``. With ``printed`` where the data are the paper's.

    Raises
    ------
    UsageError
        If a metric, year or task does not exist.
    InputError
        If nothing has two summarizers, or for mixed pairs a human and a system.

    Warns
    -----
    DataWarning
        For years, tasks and measures that have no such pair.
    """
    from tqdm import tqdm

    tables = data.tables("all_peers", wanted=metrics)
    every = only(pd.concat([tables.judgments, tables.scores]), "metric", metrics).dropna(subset="score")
    laid = _laid_out(every, pairs, tables.humans)
    rows = [
        {"year": place[0], "task": place[1], "metric": name, "pairs": pairs, **row}
        for (*place, name), (X, compared) in tqdm(laid.items(), disable=not progress, unit="metric")
        for row in _counted(
            X,
            compared,
            alpha=alpha,
            n_resamples=n_resamples if with_resampling else 0,
            rng=partial(seeded_rng, seed, *place, name),
        )
    ]
    table = pd.DataFrame(rows)
    if with_resampling:
        table = table.astype({"n_by_cutoff": "Int64"}).assign(n_resamples=n_resamples, seed=seed)
    item = ALL if pairs == "all" else MIXED
    as_there = alpha == ALPHA and data.peers in (None, "all_peers")
    return with_printed(table, tables.judgments, item, ["metric", "test"], PRINTED, as_there=as_there)


Laid = dict[tuple[str, str, str], tuple[FloatArray, IntArray | None]]


def _laid_out(every: pd.DataFrame, pairs: str, humans: Humans) -> Laid:
    """Give, by year, task and metric, the scores as summarizers x topics, and the pairs, or None for all.

    What has no pair is left out with a `DataWarning`; InputError if nothing has one.
    """
    laid: Laid = {}
    without = []
    for place, group in places(every).items():
        for name in sorted(set(group["metric"]), key=natural):
            X, summarizers, _ = matrix(group, name)
            mixed = None if pairs == "all" else mixed_pairs(place[0], summarizers, humans)
            if len(X) < 2 or (mixed is not None and not len(mixed)):
                without.append(" ".join(("-".join(filter(None, place)), name)).strip())
            else:
                laid[*place, name] = X, mixed
    expected = "two summarizers or more" if pairs == "all" else "scores of humans and of systems"
    message = f"no pairs to count for {listed(without) or 'anything'}; expected {expected}"
    if not laid:
        raise InputError(message)
    if without:
        warnings.warn(f"left out: {message}", DataWarning, stacklevel=3)
    return laid


def _counted(
    X: FloatArray,
    pairs: IntArray | None,
    *,
    alpha: float,
    n_resamples: int,
    rng: Callable[[str], np.random.Generator],
) -> Iterator[dict[str, object]]:
    for test in TESTS:
        found = compare_pairs(X, test=test, pairs=pairs, preset=PRESET, correction="none")
        yield _row(test, found.p, alpha)
    for method in METHODS if n_resamples else ():
        for test in TESTS:
            how: dict[str, Any] = {"method": method, "test": test, "pairs": pairs, "n_resamples": n_resamples}
            how |= {"preset": PRESET, "correction": "none"}
            found = resample_pairs(X, rng=rng(method), **how)
            share = resample_pairs(X, cutoff=True, rng=rng(method), **how).p
            yield {**_row(found.test, found.p, alpha), "n_by_cutoff": int(is_significant(share, alpha).sum())}


def _row(test: str, p: FloatArray, alpha: float) -> dict[str, object]:
    n = int(is_significant(p, alpha).sum())
    return {"test": test, "n_pairs": len(p), "n_significant": n, "share": n / len(p)}


def best_pairs(
    data: StudyData,
    *,
    metrics: Sequence[str] | None = None,
    top: int = TOP,
    alpha: float = 0.05,
) -> pd.DataFrame:
    """Count the pairs of the best systems that differ significantly by human scores.

    Parameters
    ----------
    data : StudyData
        The corpora and peers; by default systems, by jackknifed measures where there are some.
    metrics : sequence of str, optional
        Only these human measures.
    top : int
        How many of the best systems by each measure.
    alpha : float
        A pair is significant if p (signed ranks, ``rankel2013``) is at most this.

    Returns
    -------
    DataFrame
        ``year, task, metric, top, n_pairs, n_significant, share``, with ``printed`` where the data are the paper's.
    """
    tables = data.tables("no_models", score=None, twins=True)
    every = only(tables.judgments, "metric", metrics).dropna(subset="score")
    rows = []
    for place, group in places(every).items():
        for name in sorted(set(group["metric"]), key=natural):
            X = matrix(group, name)[0]
            found = significant_labels(X[best_rows(X, top)], alpha=alpha).significant
            counts = {"n_pairs": len(found), "n_significant": int(found.sum()), "share": float(found.mean())}
            rows.append({"year": place[0], "task": place[1], "metric": name, "top": top, **counts})
    as_there = alpha == ALPHA and top == TOP and data.peers in (None, "no_models")
    return with_printed(
        pd.DataFrame(rows), tables.judgments, AMONG_BEST, ["metric"], PRINTED, as_there=as_there
    )
