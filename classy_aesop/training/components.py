"""How much of an error is its summarizer's, how much its topic's: variance components, and intervals of means.

A held-out residual of summarizer s on topic k is taken for m + b_s + t_k + e_sk within each year: a constant, and three
independent effects with mean 0, whose variances are estimated by the mean squares of the two-way analysis of variance
without replication (Searle, Casella and McCulloch 1992, *Variance Components*, chapter 5, method 1), negative ones as
0. Where cells are missing, means are those of the cells that exist, which makes the variances a little too great. The
error of a summarizer's mean over n new topics, of a predictor whose latest year has K, then has the variance

    var(m) + var(b) + var(t) (1 / n + 1 / K) + var(e) / n

var(m) is the distance between years: the mean square of the constants about their mean, less what the topics of the
year held out and of the others move them. It needs years that were held out, each predicted from the others. Of two
years each is as far from the other, so Y years give Y - 1 degrees of freedom. Folds of one year say nothing of another.

What the constants have in common is an error of the summarizers: where humans, say, are predicted too low in every
year, so is the next one. Its square is a part of var(b).

The part 1 / K is the constant of the predictor, which the topics of learning move; earlier years are brought to the
scale of the latest, so K counts its topics alone. The summarizers of learning move it too, by var(b) over their number;
this part is left out, as folds make the estimate of var(b) too great by more than that. The half-width is the root of
the variance times a quantile of Student's t. Its degrees of freedom are those of Satterthwaite (1946, Biometrics
Bulletin 2) for a sum of the four parts, each with the degrees of freedom of its mean square.

Where the summarizers that are predicted were learned from in one year, var(b) is the mean of two: of residuals of
topics held out, and of topics and summarizers held out. The first is too small, as features were selected for these
summarizers, and the second too great, as what was learned of them still holds. That their mean comes close is an
observation, see docs/prediction.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from classy_aesop.training.arrays import StackedYears

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]


@dataclass(frozen=True)
class Components:
    """The variances of four errors, each with its degrees of freedom.

    Parameters
    ----------
    years : (float, int)
        Of the errors that all summaries of a year share.
    summarizers, topics, rest : (float, int)
        Of the errors of summarizers themselves, of those that all summaries of a topic share, and of what is left.
    n_topics : int
        Number of topics of the latest year learned from.
    """

    years: tuple[float, int]
    summarizers: tuple[float, int]
    topics: tuple[float, int]
    rest: tuple[float, int]
    n_topics: int

    @classmethod
    def of(cls, residuals: Floats, stacked: StackedYears) -> Components:
        """Estimate them from the residuals (n_rows,) of the rows of several years."""
        topics, summarizers, years = (
            np.unique(codes, return_inverse=True)[1]
            for codes in (stacked.design.topics, stacked.design.summarizers, stacked.years)
        )
        n_years = int(years.max()) + 1
        constants = _means(residuals, years)
        residuals = residuals - constants[years]
        of_summarizer, of_topic = (_means(residuals, codes) for codes in (summarizers, topics))
        noise = residuals - of_summarizer[summarizers] - of_topic[topics]
        rest = _mean_square(noise, noise.size - of_summarizer.size - of_topic.size + n_years)

        def of(means: Floats, codes: Integers) -> tuple[float, int]:
            square, degrees = _mean_square(means, means.size - n_years)
            return max(square - rest[0] * float(np.mean(1 / np.bincount(codes))), 0.0), degrees

        own, of_topics = of(of_summarizer, summarizers), of(of_topic, topics)
        common = float(constants.mean())
        chance = own[0] / of_summarizer.size + of_topics[0] / of_topic.size + rest[0] / noise.size
        own = own[0] + max(common**2 - chance, 0.0), own[1]
        distance = 0.0
        if n_years > 1:
            distance = float(np.mean((constants - common) ** 2)) - 2 * n_years * of_topics[0] / of_topic.size
        n_topics = np.unique(topics[years == n_years - 1]).size
        return cls((max(distance, 0.0), max(n_years - 1, 1)), own, of_topics, rest, n_topics)

    def between(self, other: Components) -> Components:
        """Return these with the mean of both variances of summarizers."""
        variance, degrees = self.summarizers
        return replace(self, summarizers=((variance + other.summarizers[0]) / 2, degrees))

    def half_widths(self, n_topics: int, levels: Sequence[float]) -> Floats:
        """Give the half-widths of intervals (n_levels,) for a summarizer's mean over so many new topics."""
        from scipy.special import stdtrit

        variances, degrees = np.array([self.years, self.summarizers, self.topics, self.rest]).T
        parts = variances * [1, 1, 1 / n_topics + 1 / self.n_topics, 1 / n_topics]
        variance = parts.sum()
        if variance == 0:
            return np.zeros(len(levels))
        of_sum = variance**2 / (parts**2 / degrees).sum()
        return np.asarray(np.sqrt(variance) * stdtrit(of_sum, (1 + np.array(levels)) / 2))


def _means(values: Floats, codes: Integers) -> Floats:
    """Return the mean of each code's values."""
    return np.asarray(np.bincount(codes, weights=values) / np.bincount(codes))


def _mean_square(deviations: Floats, degrees: int) -> tuple[float, int]:
    degrees = max(degrees, 1)
    return float(deviations @ deviations) / degrees, degrees
