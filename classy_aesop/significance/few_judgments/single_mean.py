"""The mean of one system, from judgments of some topics and scores of all: a regression estimate.

The scores of all topics say how hard the judged ones were
(:mod:`classy_aesop.significance.few_judgments.topic_regression`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.system_means import Bounds, bounded_interval
from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.few_judgments.topic_regression import regress_topics

ROUNDING_VARIANCE_OF_A_PASS = 1 / 12
"""Variance of rounding to 0 or 1."""


@dataclass(frozen=True, slots=True)
class SingleMean:
    """Estimated mean of one system.

    Attributes
    ----------
    mean, plain : float
        With the help of the scores, and the mean of the judgments alone.
    error, plain_error : float
        Their standard errors; 0 where every topic is judged and the mean is that of these topics.
    df : float
        Degrees of freedom of the error.
    slope : ndarray, shape (n_metrics,)
        Of the judgments on each metric, as used; 0 where it was not.
    n_judged, n_topics : int
        Topics with a judgment, and all.
    finite : bool
        Whether the mean is that of these topics, or of topics like them.
    """

    mean: float
    plain: float
    error: float
    plain_error: float
    df: float
    slope: FloatArray
    n_judged: int
    n_topics: int
    finite: bool

    @property
    def _sampled_share(self) -> float:
        """What the variance of a mean of these topics lacks of that of topics like them, for each unit of variance."""
        return 1 / self.n_topics if self.finite else 0.0

    @property
    def effective_n_topics(self) -> float:
        """Judged topics whose plain mean would have the error of this one; NaN where judgments do not vary."""
        of_a_topic = self.plain_error**2 / (1 / self.n_judged - self._sampled_share)
        variance = self.error**2 + of_a_topic * self._sampled_share
        return of_a_topic / variance if variance > 0 else np.nan

    def interval(self, confidence: float = 0.95, bounds: Bounds | None = None) -> tuple[float, float]:
        """Give the interval of the mean, within the bounds of the scores if they are known."""
        return self._interval(self.mean, self.error, self.df, confidence, bounds)

    def plain_interval(self, confidence: float = 0.95, bounds: Bounds | None = None) -> tuple[float, float]:
        """Give the interval by the judgments alone, within the bounds of the scores if they are known."""
        return self._interval(self.plain, self.plain_error, self.n_judged - 1.0, confidence, bounds)

    def foresee_widths(self, n_judged: IntArray, confidence: float = 0.95) -> dict[str, FloatArray]:
        """Give the widths of intervals by the number of judged topics, with and without scores.

        ``width_low`` and ``width_high`` are those of the variances that the judgments leave possible (95 %). Scores
        that pass or fail have about these, but nearer to their ends narrower ones.
        """
        from scipy.special import chdtri, stdtrit

        share = np.maximum(1 / n_judged - self._sampled_share, 0.0)
        own_share = 1 / self.n_judged - self._sampled_share
        n_slopes = self.n_judged - 1 - self.df
        quantile = 2 * stdtrit(np.maximum(n_judged - 1 - n_slopes, 1), (1 + confidence) / 2)
        plain_quantile = 2 * stdtrit(n_judged - 1, (1 + confidence) / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            width = quantile * self.error * np.sqrt(share / own_share)
            plain_width = plain_quantile * self.plain_error * np.sqrt(share / own_share)
        ends = [np.sqrt(self.df / chdtri(self.df, tail)) for tail in (0.025, 0.975)]
        return {
            "width": width,
            "width_low": width * ends[0],
            "width_high": width * ends[1],
            "plain_width": plain_width,
        }

    def _interval(
        self, mean: float, error: float, df: float, confidence: float, bounds: Bounds | None
    ) -> tuple[float, float]:
        from scipy.special import stdtrit

        if error == 0 and self.n_judged == self.n_topics:
            return mean, mean
        if error == 0 and bounds is None:
            return np.nan, np.nan
        quantile = stdtrit(df, (1 + confidence) / 2)
        if bounds is None:
            return mean - float(quantile * error), mean + float(quantile * error)
        within = np.clip([mean], *bounds)
        low, high = bounded_interval(within, np.array([error]), np.array([self.n_judged]), quantile, bounds)
        return float(low[0]), float(high[0])


def estimate_single_mean(
    judgments: ArrayLike, scores: ArrayLike | None = None, *, finite: bool = True, pass_or_fail: bool = False
) -> SingleMean:
    """Estimate the mean of one system.

    Parameters
    ----------
    judgments : array_like, shape (n_topics,)
        NaN where nobody judged.
    scores : array_like, shape (n_topics,) or (n_metrics, n_topics), optional
        Scores of every topic.
    finite : bool
        Whether the mean is that of these topics, or of topics like them.
    pass_or_fail : bool
        Whether every judgment is 0 or 1.

    Returns
    -------
    SingleMean
        Without scores, and where they do not help, ``mean`` is ``plain``.

    Examples
    --------
    >>> judgments = [1, 2, 3, 4, 5, 6, np.nan, np.nan]
    >>> estimate = estimate_single_mean(judgments, [1.1, 1.9, 3, 4.2, 4.8, 6, 7, 8])
    >>> round(estimate.plain, 2), round(estimate.mean, 2)
    (3.5, 4.5)
    """
    y = np.asarray(judgments, dtype=np.float64)
    f = np.zeros((0, len(y))) if scores is None else np.atleast_2d(np.asarray(scores, dtype=np.float64))
    judged = ~np.isnan(y)
    n_judged = int(judged.sum())
    plain = float(y[judged].mean())
    regression = regress_topics(y, f, rounding_variance=ROUNDING_VARIANCE_OF_A_PASS * pass_or_fail)
    share = 1 - n_judged / len(y) if finite else 1.0
    variance = regression.variance * (share / n_judged + regression.leverage)
    if not finite:
        variance += regression.prediction_variance
    return SingleMean(
        mean=plain + float(regression.change),
        plain=plain,
        error=float(np.sqrt(variance)),
        plain_error=float(np.sqrt(y[judged].var(ddof=1) * share / n_judged)),
        df=float(regression.df),
        slope=regression.slope,
        n_judged=n_judged,
        n_topics=len(y),
        finite=finite,
    )
