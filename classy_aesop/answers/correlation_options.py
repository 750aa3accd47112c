"""How metrics are correlated with human scores: options of `evaluate` and `leaderboard`, and of their commands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from classy_aesop.answers.shared_options import (
    CONFIDENCE,
    confidence_option,
    interval_kind_option,
    level_option,
    means_option,
    n_resamples_option,
    seed_option,
)
from classy_aesop.errors import UsageError
from classy_aesop.outside import Choices
from classy_aesop.significance.choices import Coefficient, IntervalKind, Level, Means
from classy_aesop.work.options import check_options, option

IntervalMethod = Literal["fisher", "boot-systems", "boot-inputs", "boot-both"]
"""By which method an interval is made: a formula, or a bootstrap of what its name says."""

INTERVALS: dict[IntervalMethod, str] = {
    "fisher": "",
    "boot-systems": "systems",
    "boot-inputs": "inputs",
    "boot-both": "both",
}
"""Methods of intervals, with what is resampled."""


@dataclass(frozen=True, kw_only=True)
class CorrelationOptions:
    """How correlations of metrics with human scores are computed.

    Parameters
    ----------
    level, coefficient : str, or sequence of str, optional
        As for :func:`classy_aesop.significance.correlations.correlation_levels.correlation`; by default those of the
        function or the command.
    interval : str, optional
        Add an interval to every correlation, one of `INTERVALS`.
    interval_kind : {"percentile", "bca", "normal"}
        What is made of the resamples; ``bca`` of systems or topics alone.
    confidence : float
        Of the intervals; between 0 and 1.
    n_resamples, seed : int
        Of intervals that are resampled.
    means : {"least-squares", "plain"}
        Of systems, at system level: over all topics, or over those that each has.
    ceiling : bool
        Whether the highest correlation is added that the raters' disagreement allows, and that of one more rater.

    Raises
    ------
    UsageError
        A name is not known, or a number is outside its limits.

    Examples
    --------
    >>> CorrelationOptions(interval="boot-both").is_resampled
    True
    """

    interval: IntervalMethod | None = option(
        None,
        "by which method confidence intervals are made",
        choices=Choices("answers.correlation_options:INTERVALS"),
        without="none",
    )
    interval_kind: IntervalKind = interval_kind_option()
    n_resamples: int = n_resamples_option()
    seed: int = seed_option()
    confidence: float = confidence_option()
    ceiling: bool = option(
        False,
        "also the highest correlation that the raters' disagreement allows, and that of one more rater",
        is_seldom=True,
    )
    means: Means = means_option()
    level: Level | Sequence[Level] | None = level_option()
    coefficient: Coefficient | Sequence[Coefficient] | None = option(
        None,
        "only these coefficients",
        choices=Choices("significance.correlations.coefficients:ALL_COEFFICIENTS"),
        without="those of the command",
        is_list=True,
        is_seldom=True,
    )

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def is_resampled(self) -> bool:
        """Whether there are intervals, and they are made of resamples."""
        return self.interval not in (None, "fisher")

    def check_interval(self) -> None:
        """Raise UsageError for a confidence or a kind of no interval."""
        if self.interval is None and self.interval_kind != "percentile":
            raise UsageError(
                f"interval_kind is {self.interval_kind} and there is no interval; expected both or none"
            )
        if self.interval is None and self.confidence != CONFIDENCE:
            raise UsageError(
                f"confidence is {self.confidence} and there is no interval; expected both or none"
            )

    def recorded(self) -> dict[str, object]:
        """Give what a signature says of these options: of intervals and resamples only where there are some."""
        return {
            "interval": self.interval,
            "interval_kind": self.interval_kind if self.is_resampled else None,
            "confidence": None if self.interval is None else self.confidence,
            "n_resamples": self.n_resamples if self.is_resampled else None,
            "seed": self.seed if self.is_resampled else None,
            "means": self.means,
        }
