"""Errors of a predictor on topics and summarizers that it did not learn from, from which its intervals are made.

The numbers are found in `training.intervals`; here they are kept, saved and looked up.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import InputError, UsageError

LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Confidences that a calibration keeps half-widths for."""

CONFIDENCE = 0.9
"""Confidence of the intervals that results show beside predictions."""

N_MEANS = (1, 2, 5, 10, 15, 20, 30, 40, 50, 100)
"""Numbers of topics that the half-widths of a summarizer's mean are kept for."""


@dataclass(frozen=True)
class Calibration:
    """Half-widths of intervals, in units of the human measure.

    Parameters
    ----------
    levels : tuple of float
        Confidences, ascending, each above 0 and below 1. One that so few topics cannot support is not there.
    summaries : tuple of float
        The half-width for one summary, one a level.
    n_means : tuple of int
        Numbers of topics, ascending.
    means : tuple of tuple of float
        The half-width for a summarizer's mean: a row for each of ``n_means``, in it one a level.
    n_topics, n_summarizers : int
        How many were held out, all in turn.
    """

    levels: tuple[float, ...]
    summaries: tuple[float, ...]
    n_means: tuple[int, ...]
    means: tuple[tuple[float, ...], ...]
    n_topics: int
    n_summarizers: int

    def __post_init__(self) -> None:
        _check_length("summaries", self.summaries, len(self.levels))
        _check_length("means", self.means, len(self.n_means))
        for at, row in enumerate(self.means, 1):
            _check_length(f"means[{at}]", row, len(self.levels))
        for name in ("levels", "n_means"):
            values = getattr(self, name)
            if sorted(set(values)) != list(values):
                raise InputError(f"{name} are {list(values)}; expected ascending ones")
        if not all(0 < level < 1 for level in self.levels):
            raise InputError(f"levels are {list(self.levels)}; expected confidences above 0 and below 1")
        if not all(width >= 0 for row in (self.summaries, *self.means) for width in row):
            raise InputError("a half-width is negative or no number; expected 0 or more")
        if min(self.n_topics, self.n_summarizers, *self.n_means) < 1:
            raise InputError("a number of topics or summarizers is below 1; expected 1 or more")

    def of_summary(self, confidence: float) -> float:
        """Give the half-width of a summary's interval.

        Raises
        ------
        UsageError
            For a confidence that is not kept.
        """
        return self.summaries[self._at(confidence)]

    def of_means(self, confidence: float, n_topics: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give the half-width for each mean over so many topics, (n,).

        Between two numbers that are kept, the squares are interpolated by the reciprocal of the number: the variance of
        a mean is a constant and a share of it. Beyond the greatest, the half-width is that of the greatest. A mean over
        no topic has none (NaN).

        Raises
        ------
        UsageError
            For a confidence that is not kept.
        """
        squares = np.square([row[self._at(confidence)] for row in self.means])
        topics = np.where(n_topics > 0, n_topics, np.nan)
        places = 1.0 / np.array(self.n_means[::-1], float)
        found: NDArray[np.float64] = np.sqrt(np.interp(1.0 / topics, places, squares[::-1]))
        return found

    def _at(self, confidence: float) -> int:
        if confidence not in self.levels:
            kept = ", ".join(map(str, self.levels))
            raise UsageError(
                f"no interval of confidence {confidence:g}: calibrated on {self.n_topics} topics, "
                f"the predictor has those of {kept}"
            )
        return self.levels.index(confidence)


def _check_length(name: str, values: Sized, expected: int) -> None:
    if len(values) != expected:
        raise InputError(f"{name}: {len(values)} values; expected {expected}")
