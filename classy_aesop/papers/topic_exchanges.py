"""The Kruskal-Wallis statistic of topics where each summarizer's scores change places among its topics.

The chi-square distribution takes all scores for independent, but those of one summarizer are not. If topics did not
matter, each summarizer could have had its scores on any of them. Rankel (2016), section 3.4.2, proposes resamples that
keep the structure of the data, and section 4.1 to replace the Kruskal-Wallis test by them.
"""

from __future__ import annotations

import numpy as np

from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.equality import midranks


def exchanged_statistics(X: FloatArray, n_resamples: int, rng: np.random.Generator) -> FloatArray:
    """Return Kruskal-Wallis' H, corrected for ties, of each exchange, shape (n_resamples,).

    Parameters
    ----------
    X : (n_summarizers, n_topics)
        Scores; NaN where there is none, and there none comes.
    n_resamples : int
        Number of exchanges.
    rng : numpy.random.Generator
        The source of randomness.

    Examples
    --------
    >>> X = np.array([[1.0, 2.0, 3.0], [1.0, 2.0, 3.0]])
    >>> exchanged_statistics(X, 100, np.random.default_rng(0)).max().round(3).item()  # that of X itself
    5.0
    """
    is_scored = ~np.isnan(X)
    ranks = np.full(X.shape, np.nan)
    ranks[is_scored] = midranks(X[is_scored])
    n_topics = X.shape[1]
    n_of_topic = is_scored.sum(axis=0)
    variance = np.var(ranks[is_scored], ddof=1) if is_scored.sum() > 1 else 0.0
    mean = ranks[is_scored].mean() if is_scored.any() else 0.0
    rank_sums = np.zeros((n_resamples, n_topics))
    for row, scored in zip(ranks, is_scored, strict=True):
        order = rng.permuted(np.tile(row[scored], (n_resamples, 1)), axis=1)
        rank_sums[:, scored] += order
    means = rank_sums[:, n_of_topic > 0] / n_of_topic[n_of_topic > 0]
    spread = np.sum(n_of_topic[n_of_topic > 0] * (means - mean) ** 2, axis=1)
    return np.asarray(spread / variance) if variance > 0 else np.full(n_resamples, np.nan)
