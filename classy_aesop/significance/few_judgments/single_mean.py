"""The mean of one system, from judgments of some topics and scores of all: a regression estimate.

The scores of all topics say how hard the judged ones were
(:mod:`classy_aesop.significance.few_judgments.topic_regression`).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from classy_aesop.significance.additive.mean_intervals import Bounds, bounded_interval
from classy_aesop.significance.base import FloatArray, IntArray
from classy_aesop.significance.few_judgments.topic_regression import regress_topics

ROUNDING_VARIANCE_OF_A_PASS = 1 / 12
"""Variance of rounding to 0 or 1."""


@dataclass(frozen=True, slots=True)
class SingleMean:
    """Estimated mean of one system, with the help of the scores and by the judgments alone.

    Attributes
    ----------
    mean, error, df : ndarray, shape (2,)
        The means of both kinds with their standard errors, 0 where every topic is judged and the mean is that of these
        topics, and the degrees of freedom of these.
    topic_variance : float
        Variance of the judged topics.
    slope : ndarray, shape (n_metrics,)
        Of the judgments on each metric, as used; 0 where it was not.
    n_judged, n_topics : int
        Topics with a judgment, and all.
    finite : bool
        Whether the mean is that of these topics, or of topics like them.
    """

    mean: FloatArray
    error: FloatArray
    df: FloatArray
    topic_variance: float
    slope: FloatArray
    n_judged: int
    n_topics: int
    finite: bool

    @property
    def effective_n_topics(self) -> float:
        """Judged topics whose plain mean would have the error of this one; NaN where judgments do not vary."""
        variance = float(self.error[0]) ** 2 + self.topic_variance * self.finite / self.n_topics
        return self.topic_variance / variance if variance > 0 else np.nan

    def intervals(
        self, confidence: float = 0.95, bounds: Bounds | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Give the intervals of both means, within the bounds of the scores if they are known."""
        from scipy.special import stdtrit

        quantile = stdtrit(self.df, (1 + confidence) / 2)
        half_width = np.where(self.error > 0, quantile * self.error, np.nan)
        low = self.mean - half_width
        high = self.mean + half_width
        if bounds is not None:
            within = np.clip(self.mean, *bounds)
            low, high = bounded_interval(within, self.error, np.full(2, self.n_judged), quantile, bounds)
        is_exact = (self.error == 0) & (self.n_judged == self.n_topics)
        return np.where(is_exact, self.mean, low), np.where(is_exact, self.mean, high)

    def foresee_widths(self, n_judged: IntArray, confidence: float = 0.95) -> dict[str, FloatArray]:
        """Give the widths of intervals by the number of judged topics, with and without scores.

        ``width_low`` and ``width_high`` are those of the variances that the judgments leave possible (95 %). Scores
        that pass or fail have about these, but nearer to their ends narrower ones.
        """
        from scipy.special import chdtri, stdtrit

        all_share = self.finite / self.n_topics
        df = n_judged[:, None] - self.n_judged + self.df
        with np.errstate(divide="ignore", invalid="ignore"):
            ratio = np.maximum(1 / n_judged - all_share, 0.0) / (1 / self.n_judged - all_share)
            widths = 2 * stdtrit(np.maximum(df, 1), (1 + confidence) / 2) * self.error
            width, plain_width = (widths * np.sqrt(ratio)[:, None]).T
        low, high = np.sqrt(self.df[0] / chdtri(self.df[0], [0.025, 0.975]))
        return {
            "width": width,
            "width_low": width * low,
            "width_high": width * high,
            "plain_width": plain_width,
        }


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
    >>> estimate.mean.round(2).tolist()
    [4.5, 3.5]
    """
    y = np.asarray(judgments, dtype=np.float64)
    f = np.zeros((0, len(y))) if scores is None else np.atleast_2d(np.asarray(scores, dtype=np.float64))
    judged = ~np.isnan(y)
    n_judged = int(judged.sum())
    plain = y[judged].mean()
    topic_variance = float(y[judged].var(ddof=1))
    regression = regress_topics(y, f, rounding_variance=ROUNDING_VARIANCE_OF_A_PASS * pass_or_fail)
    share = 1 / n_judged - finite / len(y)
    variance = regression.variance * (share + regression.leverage)
    variance += regression.prediction_variance * (not finite)
    return SingleMean(
        mean=np.array([plain + regression.change, plain]),
        error=np.sqrt([variance, topic_variance * share]),
        df=np.array([regression.df, n_judged - 1.0]),
        topic_variance=topic_variance,
        slope=regression.slope,
        n_judged=n_judged,
        n_topics=len(y),
        finite=finite,
    )
