"""Attempts: several outputs of a system on a topic. How much do they vary, and do they make a difference uncertain?

The variance of a difference of two systems over topics has two parts: the difference varies by topic, and the mean of a
few attempts is not exact. With equally many attempts a cell, the share of the second part is the mean square within
cells over that of the interaction of topics and systems (two-way analysis of variance). Its interval is that of the
jackknife of its logarithm over topics, since passes vary unequally by topic. Attempts at different topics are assumed
to be independent.

Chen et al. (2021), "Evaluating large language models trained on code", has the estimator of pass@k; Yao et al. (2024),
tau-bench, that of pass^k. Shrout and Fleiss (1979) call `AttemptScores.reliability` ICC(1, 1).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from classy_aesop.significance.base import FloatArray, IntArray, batch_slices
from classy_aesop.significance.equality import rounding_slack

MIN_TOPICS_OF_SHARES = 10
"""With fewer topics, or fewer at which attempts vary, shares of the variance are too poorly estimated."""

MIN_SHARE_OF_REPEATED_CELLS = 0.5
"""If fewer cells have two attempts, their variance says little of the others."""

SCORES_PER_BATCH = 100_000
"""Scores that are drawn at once: small arrays stay in the cache."""


@dataclass(frozen=True)
class AttemptScores:
    """The scores of single attempts, (n_systems, n_topics, n_attempts); NaN after the last attempt of a cell.

    Examples
    --------
    >>> attempts = AttemptScores(np.array([[[1.0, 0, 1, 1], [0, 0, 0, 0]], [[1, 1, 0, 0], [1, 1, 1, 1]]]))
    >>> attempts.flips().round(3).tolist()  # of six pairs of attempts three and four are unlike
    [0.25, 0.333]
    >>> attempts.pass_all(2).round(3).tolist(), attempts.pass_any(2).round(3).tolist()
    ([0.25, 0.583], [0.5, 0.917])
    """

    scores: FloatArray

    @cached_property
    def n(self) -> IntArray:
        """Attempts of each cell, (n_systems, n_topics)."""
        return np.asarray((~np.isnan(self.scores)).sum(axis=2), dtype=np.int64)

    @cached_property
    def mean(self) -> FloatArray:
        """Mean of each cell, (n_systems, n_topics); NaN without an attempt."""
        first = self.scores[..., 0]
        deviations = np.nansum(self.scores - first[..., None], axis=2)
        return first + deviations / np.where(self.n, self.n, np.nan)

    @cached_property
    def variance(self) -> FloatArray:
        """Variance of the attempts of each cell, (n_systems, n_topics); NaN with fewer than two."""
        squares = np.nansum((self.scores - self.mean[..., None]) ** 2, axis=2)
        return squares / np.where(self.n > 1, self.n - 1, np.nan)

    @property
    def are_repeated(self) -> bool:
        """Whether enough cells have two attempts or more to say how attempts vary, and every system has such a cell."""
        is_repeated = self.n > 1
        share = is_repeated.sum() / max((self.n > 0).sum(), 1)
        return bool(is_repeated.any(axis=1).all() and share >= MIN_SHARE_OF_REPEATED_CELLS)

    @property
    def fewest(self) -> int:
        """Attempts that every cell has, but for those without any."""
        return int(self.n[self.n > 0].min())

    @property
    def df(self) -> int:
        """Degrees of freedom of the variance within cells."""
        return int(np.maximum(self.n - 1, 0).sum())

    @cached_property
    def error_variance(self) -> FloatArray:
        """Variance of the mean of each cell, (n_systems, n_topics); that of a single attempt by the other cells."""
        variance = np.where(np.isnan(self.variance), np.nanmean(self.variance), self.variance)
        return variance / np.where(self.n, self.n, np.nan)

    def share_of_difference(self, confidence: float) -> FloatArray:
        """Give the share of the variance of differences that comes from attempts, on topics that all systems have.

        Gives the share and the ends of its interval; NaN if not known.
        """
        from scipy.special import stdtrit

        is_shared = (self.n > 0).all(axis=0)
        cells = self.mean[:, is_shared]
        n_systems, n_topics = cells.shape
        of_attempts = self.error_variance[:, is_shared].mean(axis=0)
        if n_systems < 2 or np.count_nonzero(of_attempts) < MIN_TOPICS_OF_SHARES:
            return np.full(3, np.nan)
        interaction = cells - cells.mean(axis=0) - cells.mean(axis=1, keepdims=True) + cells.mean()
        of_cells = np.square(interaction).sum(axis=0) / (n_systems - 1) * n_topics / (n_topics - 1)
        parts = np.array([of_attempts, of_cells])
        without = parts.sum(axis=1, keepdims=True) - parts
        if not without.min() > rounding_slack(cells) ** 2:
            return np.full(3, np.nan)
        logarithm = np.log(of_attempts.mean() / of_cells.mean())
        error = np.log(without[0] / without[1]).std() * np.sqrt(n_topics - 1)  # the jackknife's
        half = stdtrit(n_topics - 1, (1 + confidence) / 2) * error
        return np.minimum(np.exp(logarithm + half * np.array([0, -1, 1])), 1.0)

    def least_difference(self, alpha: float) -> float:
        """Give the least significant difference of two means of one attempt a topic, on these topics."""
        from scipy.special import stdtrit

        n_topics = self.n.shape[1]
        deviation = np.sqrt(2 * np.nanmean(self.variance) / n_topics)
        return float(stdtrit(self.df, 1 - alpha / 2) * deviation)

    def reliability(self) -> FloatArray:
        """Give the share of the variance of single attempts that lies between topics (ICC), (n_systems,)."""
        within = np.nanmean(self.variance, axis=1)
        n_topics = (self.n > 0).sum(axis=1)
        enough = np.where(n_topics >= MIN_TOPICS_OF_SHARES, n_topics, np.nan)
        centred = self.mean - np.nanmean(self.mean, axis=1, keepdims=True)
        of_cells = np.nansum(centred**2, axis=1) / (enough - 1)
        between = np.maximum(of_cells - np.nanmean(self.error_variance, axis=1), 0.0)
        total = between + within
        return between / np.where(total > 0, total, np.nan)

    def flips(self) -> FloatArray:
        """Give how often two attempts at a topic that pass or fail disagree, of each system, (n_systems,)."""
        return 2 * np.nanmean(self.variance, axis=1)

    def pass_all(self, k: int) -> FloatArray:
        """Estimate how often ``k`` attempts at a topic all pass (pass^k), of each system, (n_systems,)."""
        return self._share_of_draws(self.mean * self.n, k)

    def pass_any(self, k: int) -> FloatArray:
        """Estimate how often one or more of ``k`` attempts at a topic passes (pass@k), of each system, (n_systems,)."""
        return 1 - self._share_of_draws((1 - self.mean) * self.n, k)

    def _share_of_draws(self, n_alike: FloatArray, k: int) -> FloatArray:
        """Give the share of the draws of ``k`` attempts at a topic that are all of those alike, (n_systems,)."""
        from scipy.special import comb

        draws = np.where(self.n, comb(self.n, k), np.nan)
        return np.nanmean(comb(np.round(n_alike), k) / draws, axis=1)

    def differences_from_itself(self, system: int, n_draws: int, rng: np.random.Generator) -> FloatArray:
        """Draw differences by topic of a system from itself, (n_draws, n_topics of two attempts or more).

        They are those of random halves of its attempts, scaled to as many attempts as it and the others have.
        """
        is_repeated = self.n[system] > 1
        scores = self.scores[system, is_repeated]
        n = self.n[system, is_repeated, None]
        n_first = n // 2
        position = np.arange(scores.shape[1])
        weight = np.where(position < n_first, 1 / n_first, -1 / (n - n_first)) * (position < n)
        n_of_others = np.delete(self.n, system, axis=0)
        variance = 1 / n + (1 / n_of_others[n_of_others > 0]).mean()
        weight *= np.sqrt(variance / (1 / n_first + 1 / (n - n_first)))
        filled = np.nan_to_num(scores)
        is_missing = np.isnan(scores)
        differences = np.empty((n_draws, len(scores)))
        for batch in batch_slices(n_draws, max(1, SCORES_PER_BATCH // scores.size)):
            keys = rng.random((len(differences[batch]), *scores.shape)) + is_missing
            shuffled = np.take_along_axis(filled[None], np.argsort(keys, axis=2), axis=2)
            differences[batch] = (weight * shuffled).sum(axis=2)
        return differences
