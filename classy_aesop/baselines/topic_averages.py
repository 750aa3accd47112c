"""Averages of ROUGE over topics, with the original's bootstrap intervals.

NIST's averages (``-t 0``) are plain means of the scores of single summaries. The original prints the mean over
bootstrap resamples of the topics instead (``-r 1000``), which differs slightly from the plain mean; its interval
(``-c 95``) is given by two of the sorted resampled means. The original's random numbers come from Perl's ``rand`` and
cannot be reproduced; ours come from a numpy `Generator`. As in the original, all metrics and summarizers share the
resamples, so that differences between them have less noise.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data import natural
from classy_aesop.data.scores import add_stratum_columns, drop_empty_stratum_columns
from classy_aesop.errors import InputError
from classy_aesop.text.arrays import Floats

if TYPE_CHECKING:
    import pandas as pd

GROUP_COLUMNS = ["year", "task", "summarizer", "metric"]
"""The columns by which scores are grouped."""

N_TOPIC_RESAMPLES = 1_000
"""Bootstrap resamples of the topics, as NIST had them (``-r``)."""

GroupKey = tuple[str, ...]
"""A year, task, summarizer and metric."""

ScoreGroups = dict[GroupKey, Floats]
"""The scores of each year, task, summarizer and metric, a topic after another."""


def rouge_averages(
    scores: pd.DataFrame,
    rng: np.random.Generator,
    *,
    n_resamples: int = N_TOPIC_RESAMPLES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Average every metric of every summarizer over topics.

    Parameters
    ----------
    scores : DataFrame
        A score table; with rounded scores, the averages are those that NIST printed.
    rng : Generator
        Source of the resamples.
    n_resamples : int
        Number of bootstrap resamples of the topics, 2 or more (``-r``).
    confidence : float
        Confidence of the interval, above 0 and below 1 (``-c``, in percent there).

    Returns
    -------
    DataFrame
        ``year, task, summarizer, metric``; ``n_topics``; ``mean``, the plain mean; ``resampled``, the mean over
        the resamples; ``low`` and ``high``, the ends of the interval. Summarizers are in natural order. The averages
        are NaN if a score is.

    Raises
    ------
    InputError
        There are fewer than two resamples, or the confidence is not between 0 and 1.
    """
    return average_groups(group_scores(scores), rng, n_resamples=n_resamples, confidence=confidence)


def group_scores(scores: pd.DataFrame) -> ScoreGroups:
    """Group the scores of a table by year, task, summarizer and metric."""
    groups = add_stratum_columns(scores).groupby(GROUP_COLUMNS, sort=False)["score"]
    return {tuple(map(str, key)): group.to_numpy(float) for key, group in groups}


def join_groups(blocks: Iterable[ScoreGroups]) -> ScoreGroups:
    """Join the groups of several tables, in their order."""
    arrays: dict[tuple[str, ...], list[Floats]] = {}
    for groups in blocks:
        for key, values in groups.items():
            arrays.setdefault(key, []).append(values)
    return {key: np.concatenate(values) for key, values in arrays.items()}


def average_groups(
    groups: ScoreGroups,
    rng: np.random.Generator,
    *,
    n_resamples: int = N_TOPIC_RESAMPLES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Average the scores of each group."""
    import pandas as pd

    if n_resamples < 2:
        raise InputError(f"n_resamples is {n_resamples}; expected 2 or more")
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}; expected a number between 0 and 1")
    keys = sorted(groups, key=lambda key: [natural(str(name)) for name in key[:-1]])
    keys_by_size: dict[int, list[GroupKey]] = {}
    for key in keys:
        keys_by_size.setdefault(groups[key].size, []).append(key)
    means: dict[GroupKey, Floats] = {}
    for size_keys in keys_by_size.values():
        scores = np.stack([groups[key] for key in size_keys], axis=1)
        means |= zip(size_keys, _average_resamples(scores, rng, n_resamples).T, strict=True)
    rows = [
        (
            *key,
            groups[key].size,
            groups[key].mean(),
            means[key].mean(),
            *percentile_interval(means[key], confidence),
        )
        for key in keys
    ]
    table = pd.DataFrame(rows, columns=[*GROUP_COLUMNS, "n_topics", "mean", "resampled", "low", "high"])
    return drop_empty_stratum_columns(table)


_TOPICS_OF_BLOCK = 1 << 20
"""Topics of resamples that are drawn at once: 8 MB."""


def _average_resamples(scores: Floats, rng: np.random.Generator, n_resamples: int) -> Floats:
    """Average columns of scores (n_topics, n_columns) over each resample of the topics: (n_resamples, n_columns)."""
    n_topics = len(scores)
    n_together = max(1, _TOPICS_OF_BLOCK // n_topics)
    sums = np.empty((n_resamples, scores.shape[1]))
    for start in range(0, n_resamples, n_together):
        sums_of_block = sums[start : start + n_together]
        first_cell = n_topics * np.arange(len(sums_of_block))[:, None]
        cells = first_cell + rng.integers(n_topics, size=(len(sums_of_block), n_topics))
        counts = np.bincount(cells.ravel(), minlength=cells.size).reshape(cells.shape)
        np.dot(counts.astype(float), scores, out=sums_of_block)
    return sums / n_topics


def percentile_interval(means: Floats, confidence: float) -> tuple[float, float]:
    """Give the ends of the interval by the original's rule; both interpolate with the fraction of the upper end.

    Examples
    --------
    >>> low, high = percentile_interval(np.arange(1000.0), 0.95)
    >>> round(low), round(high)
    (25, 974)
    """
    ordered = np.sort(means)
    n_resamples = means.size
    n_outside = n_resamples * round((1 - confidence) / 2, 12)  # beyond each end
    upper = int(n_resamples - n_outside - 1)
    fraction = n_resamples - n_outside - 1 - upper

    def interpolate(rank: int) -> float:
        """Move from the mean at a rank toward the next one by the fraction."""
        next_rank = min(rank + 1, n_resamples - 1)
        return float(ordered[rank] + (ordered[next_rank] - ordered[rank]) * fraction)

    return interpolate(int(n_outside)), interpolate(upper)
