"""The tests of two metrics by name: does one correlate better with humans than the other?

A new test is one :class:`MetricTest` and its line in ``TESTS``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.comparison import MetricComparison
from classy_aesop.significance.paired_bootstrap import bootstrap_test
from classy_aesop.significance.permutation import permutation_test
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
    """

    name: str
    compare: Callable[..., MetricComparison]
    resamples: bool
    about: str = ""

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


PERM_BOTH = MetricTest(
    "perm-both",
    partial(permutation_test, swap="cells"),
    resamples=True,
    about="exchanges single scores of the two",
)
PERM_SYSTEMS = MetricTest(
    "perm-systems",
    partial(permutation_test, swap="systems"),
    resamples=True,
    about="exchanges all scores of a summarizer",
)
PERM_INPUTS = MetricTest(
    "perm-inputs",
    partial(permutation_test, swap="inputs"),
    resamples=True,
    about="exchanges all scores of a topic",
)
BOOT = MetricTest("boot", bootstrap_test, resamples=True, about="resamples summarizers and topics")
WILLIAMS = MetricTest("williams", williams_test, resamples=False, about="by the three correlations alone")

TESTS: dict[str, MetricTest] = {
    "perm-both": PERM_BOTH,
    "perm-systems": PERM_SYSTEMS,
    "perm-inputs": PERM_INPUTS,
    "boot": BOOT,
    "williams": WILLIAMS,
}
