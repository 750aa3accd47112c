"""Errors of a predictor on topics and summarizers that it did not learn from, from which its intervals are made.

The numbers are found in `training.held_out_errors`; here they are kept, saved and looked up. Also whether judgments
are on another scale than those of training.
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.errors import InputError, UsageError

CONFIDENCE_LEVELS = (0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
"""Confidences that a calibration keeps half-widths for."""

INTERVAL_CONFIDENCE = 0.9
"""Confidence of the intervals that results show beside predictions."""

SYSTEMS_GROUP = "systems"
"""The group of systems, which may have intervals of its own."""

HUMANS_GROUP = "humans"
"""The group of humans, which may have intervals of its own."""

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
    n_years : int
        How many training years were held out, each predicted from the others, so that the distance between years is in
        the half-widths. With 1 it is not: they are of other topics of the same year.
    humans : Calibration, optional
        Of humans, where they were calibrated apart; the rest is then of systems.
    """

    levels: tuple[float, ...]
    summaries: tuple[float, ...]
    n_means: tuple[int, ...]
    means: tuple[tuple[float, ...], ...]
    n_topics: int
    n_summarizers: int
    n_years: int = 1
    humans: Calibration | None = None

    def __post_init__(self) -> None:
        _check_count("summaries", self.summaries, len(self.levels))
        _check_count("means", self.means, len(self.n_means))
        for number, row in enumerate(self.means, 1):
            _check_count(f"means[{number}]", row, len(self.levels))
        for name in ("levels", "n_means"):
            values = getattr(self, name)
            if sorted(set(values)) != list(values):
                raise InputError(f"{name} are {list(values)}; expected ascending ones")
        if not all(0 < level < 1 for level in self.levels):
            raise InputError(f"levels are {list(self.levels)}; expected confidences above 0 and below 1")
        if not all(width >= 0 for row in (self.summaries, *self.means) for width in row):
            raise InputError("a half-width is negative or no number; expected 0 or more")
        if min(self.n_topics, self.n_summarizers, self.n_years, *self.n_means) < 1:
            raise InputError("a number of topics, summarizers or years is below 1; expected 1 or more")
        if self.humans is not None and self.humans.levels != self.levels:
            raise InputError("humans have other levels than systems; expected the same")

    def summary_half_width(self, confidence: float) -> float:
        """Give the half-width of a summary's interval; `UsageError` for a confidence that is not kept."""
        return self.summaries[self._level_index(confidence)]

    def mean_half_widths(self, confidence: float, n_topics: NDArray[np.int64]) -> NDArray[np.float64]:
        """Give the half-width for each mean over ``n_topics``, (n,); NaN for none, `UsageError` as for a summary.

        Between two numbers that are kept, the squares are interpolated by the reciprocal of the number: the variance of
        a mean is a constant and a share of it. Beyond the greatest, it is that of the greatest.
        """
        squares = np.square([row[self._level_index(confidence)] for row in self.means])
        topics = np.where(n_topics > 0, n_topics, np.nan)
        reciprocals = 1.0 / np.array(self.n_means[::-1], float)
        half_widths: NDArray[np.float64] = np.sqrt(np.interp(1.0 / topics, reciprocals, squares[::-1]))
        return half_widths

    def half_widths(
        self, confidence: float, human: NDArray[np.bool_], n_topics: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """Give the half-width of each summary, or of each mean over so many topics, (n,), by whether it is human.

        Parameters
        ----------
        confidence : float
            One of `levels`.
        human : ndarray of bool, shape (n,)
            Whether each summary, or summarizer, is human.
        n_topics : ndarray of int, shape (n,), optional
            The number of topics of each mean; None for single summaries.
        """
        humans = self.humans or self
        if n_topics is None:
            return np.where(human, humans.summary_half_width(confidence), self.summary_half_width(confidence))
        half_widths_of_humans = humans.mean_half_widths(confidence, n_topics)
        return np.where(human, half_widths_of_humans, self.mean_half_widths(confidence, n_topics))

    def _level_index(self, confidence: float) -> int:
        """Give the index of a confidence among the levels; `UsageError` if it is not kept."""
        if confidence not in self.levels:
            levels = ", ".join(map(str, self.levels))
            raise UsageError(
                f"no interval of confidence {confidence:g}: calibrated on {self.n_topics} topics, "
                f"the predictor has those of {levels}"
            )
        return self.levels.index(confidence)


CHANCE = 0.001
"""Judgments less likely than this beyond all those of training have another scale."""


def is_other_scale(ends: ArrayLike, grades: tuple[float, float], n_known: int) -> bool:
    """Say whether judgments of more topics are beyond all of training than chance explains.

    ``n`` of ``n_topics`` are beyond ``n_known`` others with a chance of at most
    ``(n_topics / (n_topics + n_known)) ** n``.

    Shapes: ``ends`` (2, n_topics).
    """
    lowest, highest = np.asarray(ends, dtype=np.float64)
    is_beyond = (lowest < grades[0]) | (highest > grades[1])
    return bool(
        is_beyond.any() and (is_beyond.size / (is_beyond.size + n_known)) ** is_beyond.sum() <= CHANCE
    )


def _check_count(name: str, values: Sized, expected: int) -> None:
    """Refuse another number of values than expected."""
    if len(values) != expected:
        raise InputError(f"{name}: {len(values)} values; expected {expected}")
