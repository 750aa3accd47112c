"""Averages of ROUGE over topics, with the bootstrap intervals of ROUGE-1.5.5.

NIST's averages (``-t 0``) are plain means of the scores of single summaries. The original prints the mean over
its resamples instead (``-r 1000``: topics drawn again with replacement), which differs from the plain mean by
chance, and as interval (``-c 95``) two of the sorted resampled means. Its draws are those of Perl's ``rand`` and
cannot be repeated; ours come from a numpy `Generator`. As there, all metrics and summarizers share the draws, so
differences between them are not blurred.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.errors import InputError
from classy_aesop.scores import natural
from classy_aesop.text.counts import Floats

if TYPE_CHECKING:
    import pandas as pd

PLACE = ["year", "task", "summarizer", "metric"]
N_RESAMPLES = 1_000


def rouge_averages(
    scores: pd.DataFrame,
    rng: np.random.Generator,
    *,
    n_resamples: int = N_RESAMPLES,
    confidence: float = 0.95,
) -> pd.DataFrame:
    """Average every metric of every summarizer over topics.

    Parameters
    ----------
    scores : DataFrame
        A score table; take rounded scores to have what NIST printed.
    rng : Generator
        Draws the topics.
    n_resamples : int
        Draws of the bootstrap (``-r``).
    confidence : float
        Of the interval (``-c``, as a share).

    Returns
    -------
    DataFrame
        ``year, task, summarizer, metric``; ``n_topics``; ``mean``, the plain mean; ``resampled``, the mean over
        the resamples; ``low`` and ``high``. Summarizers in natural order; NaN if a score is.

    Raises
    ------
    InputError
        If the confidence is not between 0 and 1, or there are fewer than two resamples.
    """
    import pandas as pd

    if not 0 < confidence < 1 or n_resamples < 2:
        raise InputError(
            f"confidence is {confidence}, resamples are {n_resamples}; expected 0 to 1, and 2 or more"
        )
    groups = {key: part.to_numpy(float) for key, part in scores.groupby(PLACE, sort=False)["score"]}
    shares: dict[int, Floats] = {}
    rows = []
    for key in sorted(groups, key=lambda key: [natural(str(name)) for name in key[:-1]]):
        values, n = groups[key], groups[key].size
        if n not in shares:
            shares[n] = rng.multinomial(n, np.full(n, 1 / n), size=n_resamples) / n
        means = shares[n] @ values
        rows.append((*key, n, values.mean(), means.mean(), *percentiles(means, confidence)))
    return pd.DataFrame(rows, columns=[*PLACE, "n_topics", "mean", "resampled", "low", "high"])


def percentiles(means: Floats, confidence: float) -> tuple[float, float]:
    """Ends of the interval by the original's rule: sorted means, the lower end by the fraction of the upper.

    Examples
    --------
    >>> low, high = percentiles(np.arange(1000.0), 0.95)
    >>> round(low), round(high)
    (25, 974)
    """
    ordered, n = np.sort(means), means.size
    outside = n * round((1 - confidence) / 2, 12)
    upper, lower = int(n - outside - 1), int(outside)
    fraction = n - outside - 1 - upper
    low, high = (
        float(ordered[at] + (ordered[min(at + 1, n - 1)] - ordered[at]) * fraction) for at in (lower, upper)
    )
    return low, high
