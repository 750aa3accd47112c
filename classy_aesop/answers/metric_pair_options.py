"""How pairs of metrics are tested: options of `compare_metrics` and `compare_metric_pairs`, and of the command."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from classy_aesop.answers.correlation_options import IntervalMethod
from classy_aesop.answers.shared_options import (
    alpha_option,
    confidence_option,
    correction_option,
    interval_kind_option,
    level_option,
    means_option,
    n_resamples_option,
    seed_option,
)
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import (
    Coefficient,
    Correction,
    IntervalKind,
    Level,
    Means,
    TestOfMetrics,
)
from classy_aesop.work.options import check_options, option


@dataclass(frozen=True, kw_only=True)
class MetricPairTest:
    """How pairs of metrics are tested; the pairs of one year, task, level and coefficient are a family.

    Parameters
    ----------
    test : str
        A name of ``METRIC_TESTS`` in :mod:`classy_aesop.significance.metrics.metric_tests`: what ``p`` is of.
    level, coefficient : str, or sequence of str, optional
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`; by default Pearson's at
        the system level, or, of two systems, whose means correlate by 1 or -1, at the input level.
    correction : {"holm", "bh", "by", "none"}
        Of the p-values of a family.
    alpha : float
        A pair is significant if its corrected p is at most this; of a ranking; between 0 and 1.
    interval : str, optional
        One of `INTERVALS`, of correlations and of differences; by default from resamples of summarizers and topics, and
        for Williams' test Zou's (``fisher``) where the coefficients have it.
    interval_kind : str
        What is made of the resamples: ``percentile`` or ``normal``; together always ``normal``.
    confidence : float
        Of the intervals; between 0 and 1.
    n_resamples, seed : int
        Of the tests that resample, and of the intervals.
    means : {"least-squares", "plain"}
        Of systems, at system level: over all topics, or over those that each has.
    together : bool
        Whether all years and tasks are taken together, each with the same weight.

    Raises
    ------
    UsageError
        A name is not known, or a number is outside its limits.

    Examples
    --------
    >>> MetricPairTest(test="guess")
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: test is 'guess'; expected one of perm-systems, perm-both, perm-inputs, boot, \
boot-systems, boot-inputs, williams
    """

    interval: IntervalMethod | None = option(
        None,
        "by which method confidence intervals are made",
        choices=Choices("answers.correlation_options:INTERVALS"),
        without="as the test does",
    )
    interval_kind: IntervalKind = interval_kind_option()
    n_resamples: int = n_resamples_option()
    seed: int = seed_option()
    confidence: float = confidence_option()
    means: Means = means_option()
    test: TestOfMetrics = option(
        "perm-systems",
        "test of two metrics",
        choices=Choices("significance.metrics.metric_tests:METRIC_TESTS"),
        is_seldom=True,
    )
    level: Level | Sequence[Level] | None = level_option()
    coefficient: Coefficient | Sequence[Coefficient] | None = option(
        None,
        "only these coefficients",
        choices=Choices("significance.correlations.coefficients:ALL_COEFFICIENTS"),
        without="pearson",
        is_list=True,
        is_seldom=True,
    )
    correction: Correction = correction_option()
    alpha: float = alpha_option()
    together: bool = option(
        False, "take all years and tasks together, each with the same weight", is_seldom=True
    )

    def __post_init__(self) -> None:
        check_options(self)
