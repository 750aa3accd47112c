"""Tests of two metrics by name: does one correlate better with humans than the other, and for whom?

By exchanging their scores, by resampling, or by the three correlations alone (Williams). A metric errs on whole
systems. Exchanging all scores of a system (PERM-SYSTEMS) therefore tests whether one would be better for new systems
like these; exchanging single scores (PERM-BOTH) treats a metric's errors on one system as independent, and so
is conditional on these systems. A new test is one :class:`MetricTest` and its line in ``METRIC_TESTS``.

Several years, tasks or corpora together are strata: scores are exchanged or resampled within them, and the statistic is
the mean over them (:mod:`classy_aesop.significance.metrics.stratified_means`).

Deutsch et al. (2021), section 4; Williams (1959).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.metrics.metric_comparison import MetricComparison, compare_resampled
from classy_aesop.significance.metrics.resampled_differences import (
    ResampledDifference,
    bootstrap_differences,
    permutation_differences,
)
from classy_aesop.significance.metrics.stratified_means import average_strata
from classy_aesop.significance.metrics.williams import williams_test


class Stratum(NamedTuple):
    """Scores of one year, task or corpus; its resamples come from ``rng``, which is not moved."""

    metrics: Sequence[ArrayLike]
    Z: ArrayLike
    rng: np.random.Generator


def permutation_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    swap: str = "systems",
    alternative: str = "two-sided",
    **drawn: Any,
) -> MetricComparison:
    """Test whether metric X correlates better with humans than metric Y by exchanging their scores.

    p is 1, with a flag, if a correlation is undefined, or one of the means of two systems.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and of humans; NaN where missing. A cell counts when all three have it; the
        metrics are brought to mean 0 and standard deviation 1 over these cells.
    swap : {"systems", "cells", "inputs", "systems_inputs"}
        What is exchanged, see :mod:`classy_aesop.significance.correlations.resampled_correlations`. With S systems no
        p is below 2 / 2^S.
    alternative : {"two-sided", "greater", "less"}
        What is tested of r(X, Z) less r(Y, Z).
    drawn
        ``level``, ``coefficient``, ``means``, ``n_resamples`` and ``rng``, as for
        :func:`classy_aesop.significance.metrics.resampled_differences.permutation_differences`.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(15, 20)) + np.arange(15)[:, None]
    >>> X, Y = Z + rng.normal(size=Z.shape), rng.normal(size=Z.shape)
    >>> permutation_test(X, Y, Z, n_resamples=99, rng=rng).p
    0.01
    >>> permutation_test(X[:4], Y[:4], Z[:4], rng=rng).p  # the least that four systems give
    0.125
    """
    (found,) = permutation_differences([X, Y], Z, [(0, 1)], swap=swap, **drawn)
    return compare_resampled(found, alternative)


def bootstrap_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    resample: str = "both",
    alternative: str = "two-sided",
    **drawn: Any,
) -> MetricComparison:
    """Paired bootstrap of the difference between two metrics' correlations.

    The resamples' differences scatter around the observed one, so their distance from it estimates the
    distance from 0 that arises by chance. Parameters as for :func:`permutation_test`, ``resample`` as for
    :func:`classy_aesop.significance.correlations.correlation_intervals.bootstrap_interval`.
    """
    (found,) = bootstrap_differences([X, Y], Z, [(0, 1)], resample=resample, **drawn)
    return compare_resampled(found, alternative)


@dataclass(frozen=True, slots=True)
class MetricTest:
    """A test of two metrics' correlations with human scores.

    Attributes
    ----------
    name : str
        What callers ask for; its key in ``METRIC_TESTS``.
    compare : callable
        From the scores of the first metric, of the second and by humans to a `MetricComparison`. Takes ``level``,
        ``coefficient`` and ``alternative``, and if it resamples ``n_resamples`` and ``rng``.
    resamples : bool
        Whether its p-value comes from resamples.
    about: str
        How it tests, in a few words.
    resampled : callable, optional
        The resampled differences of many pairs at once, as
        :func:`classy_aesop.significance.metrics.resampled_differences.permutation_differences`. Strata are only taken
        together by a test that has it.
    """

    name: str
    compare: Callable[..., MetricComparison]
    resamples: bool
    about: str = ""
    resampled: Callable[..., list[ResampledDifference]] | None = None

    def __call__(
        self,
        X: ArrayLike,
        Y: ArrayLike,
        Z: ArrayLike,
        *,
        n_resamples: int,
        rng: np.random.Generator,
        **how: str,
    ) -> MetricComparison:
        """Test two metrics; ``n_resamples`` and ``rng`` are not used unless the test resamples."""
        resampling = {"n_resamples": n_resamples, "rng": rng} if self.resamples else {}
        return self.compare(X, Y, Z, **how, **resampling)

    def of_pairs(
        self,
        strata: Sequence[Stratum],
        pairs: Sequence[tuple[int, int]],
        *,
        n_resamples: int,
        alternative: str = "two-sided",
        **measured: str,
    ) -> list[MetricComparison]:
        """Test pairs of metrics, given by their places, all with the same resamples.

        The resamples of a stratum are its own; the statistic of several strata is the mean of theirs.
        """
        how: dict[str, Any] = {"n_resamples": n_resamples, **measured}
        if self.resampled is None:
            if len(strata) > 1:
                raise ValueError(f"{self.name} does not take {len(strata)} strata together; expected one")
            (metrics, Z, rng), how["alternative"] = strata[0], alternative
            return [self(metrics[i], metrics[j], Z, rng=deepcopy(rng), **how) for i, j in pairs]
        found = []
        for metrics, Z, rng in strata:
            own = self.resampled(metrics, Z, pairs, rng=deepcopy(rng), **how)
            if len(strata) > 1:  # whose exchanges are independent
                own = [part.sampled(n_resamples, deepcopy(rng)) for part in own]
            found.append(own)
        return [compare_resampled(average_strata(parts), alternative) for parts in zip(*found, strict=True)]


def _permutation(name: str, swap: str, about: str) -> MetricTest:
    compare, resampled = partial(permutation_test, swap=swap), partial(permutation_differences, swap=swap)
    return MetricTest(name, compare, True, about, resampled)


def _bootstrap(name: str, resample: str, about: str) -> MetricTest:
    compare = partial(bootstrap_test, resample=resample)
    resampled = partial(bootstrap_differences, resample=resample)
    return MetricTest(name, compare, True, about, resampled)


PERM_BOTH = _permutation("perm-both", "cells", "exchanges single scores of the two")
BOOT = _bootstrap("boot", "both", "resamples summarizers and topics")
WILLIAMS = MetricTest("williams", williams_test, resamples=False, about="by the three correlations alone")
WILLIAMS_TURNED = MetricTest(
    "williams-turned",
    partial(williams_test, turned=True),
    resamples=False,
    about="the same, metrics turned by the signs seen: up to .29 false positives at .05",
)

METRIC_TESTS: dict[str, MetricTest] = {
    "perm-systems": _permutation("perm-systems", "systems", "exchanges all scores of a summarizer"),
    "perm-both": PERM_BOTH,
    "perm-inputs": _permutation("perm-inputs", "inputs", "exchanges all scores of a topic"),
    "boot": BOOT,
    "boot-systems": _bootstrap("boot-systems", "systems", "resamples summarizers"),
    "boot-inputs": _bootstrap("boot-inputs", "inputs", "resamples topics: says nothing of other summarizers"),
    "williams": WILLIAMS,
    "williams-turned": WILLIAMS_TURNED,
}
