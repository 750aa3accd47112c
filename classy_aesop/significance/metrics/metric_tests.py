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
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.choices import N_RESAMPLES
from classy_aesop.significance.metrics.metric_comparison import MetricComparison, compare_resampled
from classy_aesop.significance.metrics.resampled_differences import (
    ResampledDifference,
    bootstrap_differences,
    permutation_differences,
)
from classy_aesop.significance.metrics.stratified_means import average_strata
from classy_aesop.significance.metrics.williams import williams_test


class Stratum(NamedTuple):
    """Scores of one year, task or corpus; its resamples come from a copy of ``rng``."""

    metrics: Sequence[ArrayLike]
    Z: ArrayLike
    rng: np.random.Generator


def permutation_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    swap: str = "systems",
    alternative: str = "two-sided",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> MetricComparison:
    """Test whether metric X correlates better with humans than metric Y by exchanging their scores.

    Parameters
    ----------
    X, Y, Z : array_like, shape (n_summarizers, n_topics)
        Scores of two metrics and of humans; NaN where missing. A cell counts where all three have a score; the
        metrics are standardized to mean 0 and standard deviation 1 over these cells.
    level, coefficient, means : str
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.
    swap : {"systems", "cells", "inputs", "systems_inputs"}
        What is exchanged, see :mod:`classy_aesop.significance.metrics.resampled_differences`. With S systems no p is
        below 2 / 2^S.
    alternative : {"two-sided", "greater", "less"}
        What is tested of r(X, Z) less r(Y, Z).
    n_resamples : int
        Number of exchanges.
    rng : numpy.random.Generator
        Source of random numbers.

    Returns
    -------
    MetricComparison
        p is 1, with a flag, if a correlation is undefined, or one of the means of two systems.

    Raises
    ------
    ValueError
        A name is not known, ``n_resamples`` is below 1, or shapes differ.

    Examples
    --------
    >>> rng = np.random.default_rng(0)
    >>> Z = rng.normal(size=(15, 20)) + np.arange(15)[:, None]
    >>> X, Y = Z + rng.normal(size=Z.shape), rng.normal(size=Z.shape)
    >>> permutation_test(X, Y, Z, n_resamples=99, rng=rng).p
    0.01
    >>> permutation_test(X[:4], Y[:4], Z[:4], rng=rng).p  # the lowest that four systems allow
    0.125
    """
    (difference,) = permutation_differences(
        [X, Y],
        Z,
        [(0, 1)],
        level=level,
        coefficient=coefficient,
        means=means,
        swap=swap,
        n_resamples=n_resamples,
        rng=rng,
    )
    return compare_resampled(difference, alternative)


def bootstrap_test(
    X: ArrayLike,
    Y: ArrayLike,
    Z: ArrayLike,
    *,
    level: str = "system",
    coefficient: str = "pearson",
    means: str = "plain",
    resample: str = "both",
    alternative: str = "two-sided",
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> MetricComparison:
    """Test whether metric X correlates better with humans than metric Y by the paired bootstrap.

    The resamples' differences vary around the observed one, so their distance from it estimates the
    distance from 0 that arises by chance.

    Parameters
    ----------
    X, Y, Z, level, coefficient, means, alternative, n_resamples, rng
        As for :func:`permutation_test`.
    resample : {"both", "systems", "inputs"}
        What is resampled.

    Returns
    -------
    MetricComparison

    Raises
    ------
    ValueError
        A name is not known, ``n_resamples`` is below 1, or shapes differ.
    """
    (difference,) = bootstrap_differences(
        [X, Y],
        Z,
        [(0, 1)],
        level=level,
        coefficient=coefficient,
        means=means,
        resample=resample,
        n_resamples=n_resamples,
        rng=rng,
    )
    return compare_resampled(difference, alternative)


@dataclass(frozen=True, slots=True)
class MetricTest:
    """A test of two metrics' correlations with human scores.

    Attributes
    ----------
    name : str
        What callers ask for; its key in ``METRIC_TESTS``.
    compare : callable
        From the scores of the first metric, of the second and by humans to a `MetricComparison`. Takes ``level``,
        ``coefficient``, ``means`` and ``alternative``, and if it resamples ``n_resamples`` and ``rng``.
    resamples : bool
        Whether its p-value comes from resamples.
    about : str
        How it tests, in a few words.
    resample_pairs : callable, optional
        The resampled differences of many pairs at once, as
        :func:`classy_aesop.significance.metrics.resampled_differences.permutation_differences`. Only a test that has
        it compares several strata together.
    """

    name: str
    compare: Callable[..., MetricComparison]
    resamples: bool
    about: str = ""
    resample_pairs: Callable[..., list[ResampledDifference]] | None = None

    def __call__(
        self,
        X: ArrayLike,
        Y: ArrayLike,
        Z: ArrayLike,
        *,
        level: str = "system",
        coefficient: str = "pearson",
        means: str = "plain",
        alternative: str = "two-sided",
        n_resamples: int,
        rng: np.random.Generator,
    ) -> MetricComparison:
        """Test two metrics; ``n_resamples`` and ``rng`` are not used unless the test resamples."""
        compare = partial(
            self.compare, level=level, coefficient=coefficient, means=means, alternative=alternative
        )
        if self.resamples:
            return compare(X, Y, Z, n_resamples=n_resamples, rng=rng)
        return compare(X, Y, Z)

    def test_pairs(
        self,
        strata: Sequence[Stratum],
        pairs: Sequence[tuple[int, int]],
        *,
        level: str = "system",
        coefficient: str = "pearson",
        means: str = "plain",
        alternative: str = "two-sided",
        n_resamples: int,
    ) -> list[MetricComparison]:
        """Test pairs of metrics, given by their positions, all with the same resamples.

        Each stratum has resamples of its own; the statistic of several strata is the mean of theirs.

        Parameters
        ----------
        strata : sequence of Stratum
            Scores of the years, tasks or corpora.
        pairs : sequence of (int, int)
            Positions of the metrics in each stratum.
        level, coefficient, means, alternative : str
            As for :func:`permutation_test`.
        n_resamples : int
            Number of resamples; not used unless the test resamples.

        Returns
        -------
        list of MetricComparison
            One for each pair.

        Raises
        ------
        ValueError
            There are several strata, which the test does not compare together.
        """
        if self.resample_pairs is None:
            if len(strata) > 1:
                raise ValueError(f"{self.name} does not take {len(strata)} strata together; expected one")
            metrics, Z, rng = strata[0]
            return [
                self(
                    metrics[i],
                    metrics[j],
                    Z,
                    level=level,
                    coefficient=coefficient,
                    means=means,
                    alternative=alternative,
                    n_resamples=n_resamples,
                    rng=deepcopy(rng),
                )
                for i, j in pairs
            ]
        differences_by_stratum = []
        for metrics, Z, rng in strata:
            differences = self.resample_pairs(
                metrics,
                Z,
                pairs,
                level=level,
                coefficient=coefficient,
                means=means,
                n_resamples=n_resamples,
                rng=deepcopy(rng),
            )
            if len(strata) > 1:  # exchanges of different strata are independent
                differences = [difference.sample(n_resamples, deepcopy(rng)) for difference in differences]
            differences_by_stratum.append(differences)
        return [
            compare_resampled(average_strata(strata_of_pair), alternative)
            for strata_of_pair in zip(*differences_by_stratum, strict=True)
        ]


def _permutation(name: str, swap: str, about: str) -> MetricTest:
    """Declare the test that exchanges some units."""
    return MetricTest(
        name,
        partial(permutation_test, swap=swap),
        resamples=True,
        about=about,
        resample_pairs=partial(permutation_differences, swap=swap),
    )


def _bootstrap(name: str, resample: str, about: str) -> MetricTest:
    """Declare the test that resamples some units."""
    return MetricTest(
        name,
        partial(bootstrap_test, resample=resample),
        resamples=True,
        about=about,
        resample_pairs=partial(bootstrap_differences, resample=resample),
    )


PERM_SYSTEMS = _permutation("perm-systems", "systems", "exchanges all scores of a summarizer")
PERM_BOTH = _permutation("perm-both", "cells", "exchanges single scores of the two")
PERM_INPUTS = _permutation("perm-inputs", "inputs", "exchanges all scores of a topic")
BOOT = _bootstrap("boot", "both", "resamples summarizers and topics")
WILLIAMS = MetricTest("williams", williams_test, resamples=False, about="by the three correlations alone")
WILLIAMS_TURNED = MetricTest(
    "williams-turned",
    partial(williams_test, turned=True),
    resamples=False,
    about="the same, metrics turned by the signs seen: up to .29 false positives at .05",
)

METRIC_TESTS: dict[str, MetricTest] = {
    "perm-systems": PERM_SYSTEMS,
    "perm-both": PERM_BOTH,
    "perm-inputs": PERM_INPUTS,
    "boot": BOOT,
    "boot-systems": _bootstrap("boot-systems", "systems", "resamples summarizers"),
    "boot-inputs": _bootstrap("boot-inputs", "inputs", "resamples topics: says nothing of other summarizers"),
    "williams": WILLIAMS,
    "williams-turned": WILLIAMS_TURNED,
}
"""The tests of two metrics by name."""
