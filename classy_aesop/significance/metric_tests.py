"""The tests of two metrics by name: does one correlate better with humans than the other?

A new test is one :class:`MetricTest` and its line in ``TESTS``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.comparison import MetricComparison, Resampled
from classy_aesop.significance.paired_bootstrap import bootstrap_differences, bootstrap_test
from classy_aesop.significance.permutation import permutation_differences, permutation_test
from classy_aesop.significance.strata import Stratum, mean_of_strata
from classy_aesop.significance.williams import williams_test


@dataclass(frozen=True, slots=True)
class MetricTest:
    """A test of two metrics' correlations with human scores, one-sided: is the first the better one?

    Attributes
    ----------
    name : str
        What callers ask for; its key in ``TESTS``.
    compare : callable
        From the scores of the first metric, of the second and by humans, (n_summarizers, n_topics) each, to a
        `MetricComparison`. Takes ``level`` and ``coefficient``, and if it resamples ``n_resamples`` and ``rng``.
    resamples : bool
        Whether its p-value comes from resamples.
    about: str
        How it tests, in a few words.
    resampled : callable, optional
        The resampled differences of many pairs at once, as
        :func:`classy_aesop.significance.permutation.permutation_differences`. Strata are only taken together by a test
        that has it.
    """

    name: str
    compare: Callable[..., MetricComparison]
    resamples: bool
    about: str = ""
    resampled: Callable[..., list[Resampled]] | None = None

    def __call__(
        self,
        X: ArrayLike,
        Y: ArrayLike,
        Z: ArrayLike,
        *,
        level: str,
        coefficient: str,
        n_resamples: int,
        rng: np.random.Generator,
    ) -> MetricComparison:
        """Test two metrics; ``n_resamples`` and ``rng`` are not used unless the test resamples."""
        resampling = {"n_resamples": n_resamples, "rng": rng} if self.resamples else {}
        return self.compare(X, Y, Z, level=level, coefficient=coefficient, **resampling)

    def both_ways(
        self, strata: Sequence[Stratum], pairs: Sequence[tuple[int, int]], **options: Any
    ) -> list[tuple[MetricComparison, MetricComparison]]:
        """Test pairs of metrics, given by their places, in both directions with the same resamples.

        The resamples of a stratum are its own; the statistic of several strata is the mean of theirs.
        """
        if self.resampled is not None:
            found = [
                self.resampled(one.metrics, one.Z, pairs, rng=deepcopy(one.rng), **options) for one in strata
            ]
            means = [mean_of_strata(parts) for parts in zip(*found, strict=True)]
            return [(one.compared(), one.turned().compared()) for one in means]
        if len(strata) > 1:
            raise ValueError(f"{self.name} does not take {len(strata)} strata together; expected one")

        def tested(i: int, j: int) -> MetricComparison:
            metrics, Z, rng = strata[0].metrics, strata[0].Z, deepcopy(strata[0].rng)
            return self(metrics[i], metrics[j], Z, rng=rng, **options)

        return [(tested(i, j), tested(j, i)) for i, j in pairs]


def _permutation(name: str, swap: str, about: str) -> MetricTest:
    compare, resampled = partial(permutation_test, swap=swap), partial(permutation_differences, swap=swap)
    return MetricTest(name, compare, resamples=True, about=about, resampled=resampled)


PERM_BOTH = _permutation("perm-both", "cells", "exchanges single scores of the two")
PERM_SYSTEMS = _permutation("perm-systems", "systems", "exchanges all scores of a summarizer")
PERM_INPUTS = _permutation("perm-inputs", "inputs", "exchanges all scores of a topic")
BOOT = MetricTest("boot", bootstrap_test, True, "resamples summarizers and topics", bootstrap_differences)
WILLIAMS = MetricTest("williams", williams_test, resamples=False, about="by the three correlations alone")

TESTS: dict[str, MetricTest] = {
    "perm-both": PERM_BOTH,
    "perm-systems": PERM_SYSTEMS,
    "perm-inputs": PERM_INPUTS,
    "boot": BOOT,
    "williams": WILLIAMS,
}
