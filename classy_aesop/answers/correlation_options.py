"""How metrics are correlated with human scores, and how pairs of them are tested: options of `evaluate`, in Python and
on the command line.

Functions take them as keywords, ``**options``: an option is a field here, and a key of the keywords.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypedDict

from classy_aesop.answers.shared_options import (
    CONFIDENCE,
    WORDS_OF_LEVELS,
    alpha_option,
    confidence_option,
    correction_option,
    level_option,
    means_option,
    seed_option,
    together_option,
)
from classy_aesop.errors import NOTE, UsageError
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import (
    N_RESAMPLES,
    Coefficient,
    Correction,
    Level,
    Means,
    TestOfMetrics,
)
from classy_aesop.work.options import COUNT, check_options, option

IntervalMethod = Literal["boot-both", "boot-systems", "boot-inputs", "fisher", "none"]
"""By which method an interval is made: a bootstrap of what its name says, or a formula."""

N_RESAMPLES_OF_INTERVALS = 999
"""Resamples of an interval by default: its ends then vary by a twelfth of a standard error."""

_LOG = logging.getLogger(__name__)


def _name_level(word: str) -> str:
    """Give the level that a word of the papers means, and log it; a level itself stays."""
    if word not in WORDS_OF_LEVELS:
        return word
    level = WORDS_OF_LEVELS[word]
    _LOG.log(NOTE, "level %s is %s: correlations within topics, averaged", word, level)
    return level


INTERVALS: dict[IntervalMethod, str] = {
    "boot-both": "both",
    "boot-systems": "systems",
    "boot-inputs": "inputs",
    "fisher": "",
    "none": "",
}
"""Methods of intervals, with what is resampled."""


class CorrelationKeywords(TypedDict, total=False):
    """The fields of `CorrelationOptions`, as keywords."""

    level: Level | Sequence[Level] | None
    coefficient: Coefficient | Sequence[Coefficient] | None
    interval: IntervalMethod | None
    confidence: float
    n_resamples: int | None
    seed: int
    means: Means


class MetricPairKeywords(CorrelationKeywords, total=False):
    """The fields of `MetricPairTest`, as keywords."""

    test: TestOfMetrics
    correction: Correction
    alpha: float
    together: bool


@dataclass(frozen=True, kw_only=True)
class CorrelationOptions:
    """How correlations of metrics with human scores are computed.

    Examples
    --------
    >>> CorrelationOptions().n_resamples_of_intervals
    999
    >>> CorrelationOptions(interval="none", n_resamples=99).check_unused()
    Traceback (most recent call last):
    ...
    classy_aesop.errors.UsageError: n_resamples is 99 and nothing is resampled; expected interval boot-both, or none
    """

    level: Level | Sequence[Level] | None = level_option()
    coefficient: Coefficient | Sequence[Coefficient] | None = option(
        None,
        "only these",
        choices=Choices("significance.correlations.coefficients:ALL_COEFFICIENTS"),
        metavar="NAME",
        without="the first three",
        is_list=True,
    )
    interval: IntervalMethod | None = option(
        None,
        "how intervals are made",
        choices=Choices("answers.correlation_options:INTERVALS"),
        metavar="METHOD",
        without="boot-both",
        is_seldom=True,
    )
    n_resamples: int | None = option(
        None,
        "number of resamples",
        limits=COUNT,
        metavar="N",
        flags=("-r", "--n-resamples"),
        without=f"{N_RESAMPLES_OF_INTERVALS} of intervals, {N_RESAMPLES} of tests",
        is_seldom=True,
    )
    seed: int = seed_option()
    confidence: float = confidence_option()
    means: Means = means_option()

    def __post_init__(self) -> None:
        check_options(self)
        if self.level is not None:
            words = [self.level] if isinstance(self.level, str) else self.level
            object.__setattr__(self, "level", list(map(_name_level, words)))

    @property
    def interval_method(self) -> IntervalMethod:
        """By which method intervals are made."""
        return self.interval or "boot-both"

    @property
    def is_resampled(self) -> bool:
        """Whether intervals are made of resamples."""
        return bool(INTERVALS[self.interval_method])

    @property
    def n_resamples_of_intervals(self) -> int:
        """Resamples of an interval."""
        return self.n_resamples or N_RESAMPLES_OF_INTERVALS

    def check_unused(self) -> None:
        """Raise UsageError for a number of resamples, or a confidence, that nothing has."""
        if self.n_resamples is not None and not self.is_resampled:
            raise UsageError(
                f"n_resamples is {self.n_resamples} and nothing is resampled; expected interval boot-both, or none"
            )
        if self.interval == "none" and self.confidence != CONFIDENCE:
            raise UsageError(
                f"confidence is {self.confidence} and there is no interval; expected both or none"
            )

    def recorded(self) -> dict[str, object]:
        """Give what a signature says of these options: of intervals and resamples only where there are some."""
        has_interval = self.interval != "none"
        return {
            "interval": self.interval_method if has_interval else None,
            "confidence": self.confidence if has_interval else None,
            "n_resamples": self.n_resamples_of_intervals if self.is_resampled else None,
            "seed": self.seed if self.is_resampled else None,
            "means": self.means,
        }


@dataclass(frozen=True, kw_only=True)
class MetricPairTest(CorrelationOptions):
    """How pairs of metrics are tested; the pairs of one year, task, target, level and coefficient are a family.

    Parameters
    ----------
    test : str
        A name of ``METRIC_TESTS`` in :mod:`classy_aesop.significance.metrics.metric_tests`: what ``p`` is of.
    level, coefficient : str, or sequence of str, optional
        By default Pearson's at the system level, or, of two systems, whose means correlate by 1 or -1, at the input
        level.
    interval : str
        One of `INTERVALS`, of correlations; that of a difference is what its test leaves open, of confidence 1 - alpha.
    correction : {"holm", "bh", "by", "none"}
        Of the p-values of a family.
    alpha : float
        A pair is significant if its corrected p is at most this; between 0 and 1.
    together : bool
        Whether all years and tasks are taken together, each with the same weight.
    confidence, n_resamples, seed, means
        As of `CorrelationOptions`; the resamples also those of the tests.

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

    test: TestOfMetrics = option(
        "perm-systems",
        "with --pairs: test of two metrics",
        choices=Choices("significance.metrics.metric_tests:METRIC_TESTS"),
        is_seldom=True,
    )
    correction: Correction = correction_option()
    alpha: float = alpha_option()
    together: bool = together_option("with --pairs: ")

    @property
    def n_resamples_of_tests(self) -> int:
        """Resamples of a test."""
        return self.n_resamples or N_RESAMPLES
