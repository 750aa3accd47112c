"""Averages of ROUGE over topics, with the bootstrap intervals of ROUGE-1.5.5.

NIST's averages (``-t 0``) are plain means of the scores of single summaries. The original prints the mean over
bootstrap resamples of the topics instead (``-r 1000``), which differs slightly from the plain mean; its interval
(``-c 95``) is given by two of the sorted resampled means. The original's random numbers come from Perl's ``rand`` and
cannot be reproduced; ours come from a numpy `Generator`. As in the original, all metrics and summarizers share the
resamples, so that differences between them have less noise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from classy_aesop.data import natural
from classy_aesop.data.scores import with_places, without_empty_places
from classy_aesop.errors import InputError
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
        As `check_resampling`.
    """
    import pandas as pd

    check_resampling(n_resamples, confidence)
    groups = {
        key: part.to_numpy(float) for key, part in with_places(scores).groupby(PLACE, sort=False)["score"]
    }
    shares: dict[int, Floats] = {}
    rows = []
    for key in sorted(groups, key=lambda key: [natural(str(name)) for name in key[:-1]]):
        values, n = groups[key], groups[key].size
        if n not in shares:
            shares[n] = rng.multinomial(n, np.full(n, 1 / n), size=n_resamples) / n
        means = shares[n] @ values
        rows.append((*key, n, values.mean(), means.mean(), *percentiles(means, confidence)))
    table = pd.DataFrame(rows, columns=[*PLACE, "n_topics", "mean", "resampled", "low", "high"])
    return without_empty_places(table)


def check_resampling(n_resamples: int, confidence: float) -> None:
    """Check the arguments of `rouge_averages`, so that a command can do it before any scoring.

    Raises
    ------
    InputError
        If there are fewer than two resamples, or the confidence is not between 0 and 1.
    """
    if n_resamples < 2:
        raise InputError(f"n_resamples is {n_resamples}; expected 2 or more")
    if not 0 < confidence < 1:
        raise InputError(f"confidence is {confidence}; expected a number between 0 and 1")


def percentiles(means: Floats, confidence: float) -> tuple[float, float]:
    """Ends of the interval by the original's rule; both ends interpolate with the fraction of the upper end.

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
