"""How often would a gate fail if a system were compared with itself? Its attempts say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from classy_aesop.answers.answer_options import ADDITIVE_TEST, Gate, PairTest
from classy_aesop.answers.comparisons import compare_stratum
from classy_aesop.answers.gates import decide_rows
from classy_aesop.answers.strata import RatedStratum
from classy_aesop.answers.systems import pair_rows
from classy_aesop.significance.base import BoolArray, batch_slices
from classy_aesop.work.seeds import seeded_rng

MAX_COMPARISONS = 1_000
MIN_COMPARISONS = 100
MAX_CLUSTERED_COMPARISONS = 200
"""So many are drawn where topics lie in clusters: the model is then fitted to each by itself."""

MAX_CELLS_DRAWN = 1_000_000
"""So many comparisons are drawn, fewer where there are many topics."""


def describe_self_failures(
    strata: Sequence[RatedStratum], options: PairTest, baseline: str, gate: Gate
) -> str:
    """Say how often a gate would fail if the baseline were compared with itself; nothing if it has single attempts.

    Its attempts at each topic are divided at random into two halves, whose difference is scaled to as many attempts as
    are compared. What is undecided does not pass.
    """
    passes = [
        _self_passes(stratum, stratum.systems.index(baseline), options, gate)
        for stratum in strata
        if baseline in stratum.systems
    ]
    if not all(map(len, passes)):
        return ""
    n_draws = min(map(len, passes))
    by_stratum = np.array([of_stratum[:n_draws] for of_stratum in passes])
    is_passed = by_stratum.any(axis=0) if gate == "not-better" else by_stratum.all(axis=0)
    n_failures = round(100 * (1 - is_passed.mean()))
    return f"; of 100 such comparisons of {baseline} with itself {n_failures or 'none'} would fail"


def _self_passes(stratum: RatedStratum, number: int, options: PairTest, gate: Gate) -> BoolArray:
    """Say of each comparison of a system with itself whether it passes a gate; of none if a topic has one attempt."""
    attempts = stratum.attempt_scores
    if attempts is None or 1 in attempts.n[number]:
        return np.zeros(0, dtype=bool)
    is_attempted = attempts.n[number] > 0
    clusters = stratum.clusters
    n_at_once = MAX_COMPARISONS
    n_attempted = int(np.count_nonzero(is_attempted))
    n_draws = min(MAX_COMPARISONS, MAX_CELLS_DRAWN // n_attempted + MIN_COMPARISONS)
    if clusters is not None:
        clusters = replace(clusters, number=clusters.number[is_attempted])
        n_at_once = 1
        n_draws = min(n_draws, MAX_CLUSTERED_COMPARISONS)
    rng = seeded_rng(options.seed, *stratum.cells.names, stratum.systems[number])
    half = attempts.differences_from_itself(number, n_draws, rng) / 2
    mean = attempts.mean[number, is_attempted]
    topics = tuple(np.array(stratum.cells.topics, dtype=object)[is_attempted])
    alone = replace(options, correction="none", test=None if options.test == ADDITIVE_TEST else options.test)
    is_passed = []
    for batch in batch_slices(n_draws, n_at_once):
        X = np.concatenate([mean + half[batch], mean - half[batch]])
        cells = replace(stratum.cells, X=X, summarizers=tuple(map(str, range(len(X)))), topics=topics)
        of_halves = replace(
            stratum, cells=cells, clusters=clusters, ratings=None, attempt_scores=None, lengths=None
        )
        pairs = np.arange(len(X)).reshape(2, -1).T
        is_passed.append(decide_rows(pair_rows(compare_stratum(of_halves, pairs, alone)), gate)[0])
    return np.concatenate(is_passed)
