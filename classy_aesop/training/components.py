"""How much of an error is its summarizer's, how much its topic's: variance components, and intervals of means.

A held-out residual of summarizer s on topic k is taken for m + b_s + t_k + e_sk within each year: a constant, and three
independent effects with mean 0. Their variances are estimated by the mean squares of the two-way analysis of variance
without replication (Searle, Casella and McCulloch 1992, *Variance Components*, chapter 5, method 1), negative ones as
0. The error of a summarizer's mean over n new topics, of a predictor whose latest year has K, then has the variance

    var(b) + var(t) (1 / n + 1 / K) + var(e) / n

The part 1 / K is the constant of the predictor, which the topics of learning move; earlier years are brought to the
scale of the latest, so K counts its topics alone. The half-width is this variance's
root times a quantile of Student's t. Its degrees of freedom are those of Satterthwaite (1946, Biometrics Bulletin 2)
for a sum of the three parts, each with the degrees of freedom of its mean square.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from classy_aesop.training.pool import Pool

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Components:
    """Mean squares of residuals, each with its degrees of freedom.

    Parameters
    ----------
    summarizers, topics : (float, int)
        Of the means of summarizers, and of topics, around their year's mean: the variance of the effect and of the
        noise that is left in the mean.
    rest : (float, int)
        Of what neither explains.
    noise_of_summarizers, noise_of_topics : float
        The share of ``rest`` that is left in such a mean: one over the number of its cells, on average.
    n_topics : int
        Number of topics of the latest year learned from.
    """

    summarizers: tuple[float, int]
    topics: tuple[float, int]
    rest: tuple[float, int]
    noise_of_summarizers: float
    noise_of_topics: float
    n_topics: int

    @classmethod
    def of(cls, residuals: Floats, pool: Pool) -> Components:
        """Find them for the residuals (n_rows,) of the rows of a pool."""
        topics, summarizers, years = (
            np.unique(codes, return_inverse=True)[1]
            for codes in (pool.design.topics, pool.design.summarizers, pool.years)
        )
        of_year = _means(residuals, years)[years]
        of_summarizer, of_topic = (_means(residuals - of_year, codes) for codes in (summarizers, topics))
        rest = residuals - of_year - of_summarizer[summarizers] - of_topic[topics]
        n_years = int(years.max()) + 1
        degrees = of_summarizer.size - n_years, of_topic.size - n_years
        return cls(
            _mean_square(of_summarizer, degrees[0]),
            _mean_square(of_topic, degrees[1]),
            _mean_square(rest, rest.size - sum(degrees) - n_years),
            float(np.mean(1 / np.bincount(summarizers))),
            float(np.mean(1 / np.bincount(topics))),
            np.unique(topics[years == n_years - 1]).size,
        )

    @property
    def of_summarizers(self) -> float:
        """The variance of the errors of summarizers themselves."""
        return max(self.summarizers[0] - self.rest[0] * self.noise_of_summarizers, 0.0)

    @property
    def of_topics(self) -> float:
        """The variance of the errors that all summaries of a topic share."""
        return max(self.topics[0] - self.rest[0] * self.noise_of_topics, 0.0)

    def half_widths(self, n_topics: int, levels: Sequence[float]) -> Floats:
        """Give the half-widths of intervals (n_levels,) for a summarizer's mean over so many new topics."""
        from scipy.special import stdtrit

        parts = np.array(
            [
                self.of_summarizers,
                self.of_topics * (1 / n_topics + 1 / self.n_topics),
                self.rest[0] / n_topics,
            ]
        )
        variance = parts.sum()
        if variance == 0:
            return np.zeros(len(levels))
        degrees = variance**2 / (parts**2 / [self.summarizers[1], self.topics[1], self.rest[1]]).sum()
        return np.asarray(np.sqrt(variance) * stdtrit(degrees, (1 + np.array(levels)) / 2))


def _means(values: Floats, codes: Integers) -> Floats:
    """Return the mean of each code's values."""
    return np.asarray(np.bincount(codes, weights=values) / np.bincount(codes))


def _mean_square(deviations: Floats, degrees: int) -> tuple[float, int]:
    degrees = max(degrees, 1)
    return float(np.square(deviations).sum()) / degrees, degrees
