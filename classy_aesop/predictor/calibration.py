"""How far a predictor was off on topics and summarizers that it did not learn from: what makes its intervals.

The numbers are found in `training.intervals`; here they are kept, saved and looked up.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import UsageError

LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Confidences that a calibration keeps half-widths for."""

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
