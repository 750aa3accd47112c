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

from classy_aesop.significance.comparison import MetricComparison
from classy_aesop.significance.paired_bootstrap import bootstrap_test
from classy_aesop.significance.permutation import permutation_test, permutation_tests
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
    compare_pairs : callable, optional
        The same for many pairs at once, as :func:`classy_aesop.significance.permutation.permutation_tests`.
    """

    name: str
    compare: Callable[..., MetricComparison]
    resamples: bool
    about: str = ""
    compare_pairs: Callable[..., list[tuple[MetricComparison, MetricComparison]]] | None = None

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
        self,
        metrics: Sequence[ArrayLike],
        Z: ArrayLike,
        pairs: Sequence[tuple[int, int]],
        *,
        rng: np.random.Generator,
        **options: Any,
    ) -> list[tuple[MetricComparison, MetricComparison]]:
        """Test pairs of metrics, given by their places, in both directions with the same resamples."""
        if self.compare_pairs is not None:
            return self.compare_pairs(metrics, Z, pairs, rng=rng, **options)

        def tested(i: int, j: int) -> MetricComparison:
            return self(metrics[i], metrics[j], Z, rng=deepcopy(rng), **options)

        return [(tested(i, j), tested(j, i)) for i, j in pairs]


def _permutation(name: str, swap: str, about: str) -> MetricTest:
    compare, compare_pairs = partial(permutation_test, swap=swap), partial(permutation_tests, swap=swap)
    return MetricTest(name, compare, resamples=True, about=about, compare_pairs=compare_pairs)


PERM_BOTH = _permutation("perm-both", "cells", "exchanges single scores of the two")
PERM_SYSTEMS = _permutation("perm-systems", "systems", "exchanges all scores of a summarizer")
PERM_INPUTS = _permutation("perm-inputs", "inputs", "exchanges all scores of a topic")
BOOT = MetricTest("boot", bootstrap_test, resamples=True, about="resamples summarizers and topics")
WILLIAMS = MetricTest("williams", williams_test, resamples=False, about="by the three correlations alone")

TESTS: dict[str, MetricTest] = {
    "perm-both": PERM_BOTH,
    "perm-systems": PERM_SYSTEMS,
    "perm-inputs": PERM_INPUTS,
    "boot": BOOT,
    "williams": WILLIAMS,
}
