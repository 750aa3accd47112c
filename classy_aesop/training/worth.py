"""What one prediction is worth, from rows that were held out: how far it is off, and whether it orders a topic.

Beside it stand what is easy, the mean of all judgments, and what is possible, one human rater against the others.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.data import KEYS
from classy_aesop.significance.correlation import correlation
from classy_aesop.training.task import TrainingTask

Floats = NDArray[np.float64]

Worth = dict[str, float | None]
"""Mean absolute errors and correlations by name; None where undefined."""


def worth_of(truth: Floats, residuals: Floats, topics: NDArray[np.int64], ratings: pd.DataFrame) -> Worth:
    """Measure single predictions.

    Parameters
    ----------
    truth, residuals : (n_rows,)
        Judgments, and judgments less held-out predictions.
    topics : (n_rows,) integers
        The topic of each row.
    ratings : DataFrame
        What single raters gave the same summaries, as `ratings_of` finds it.

    Returns
    -------
    dict
        ``error``, the mean absolute error; ``error_of_mean``, that of the mean of all judgments; ``within_topics``, the
        correlation of predictions with judgments within topics. ``rater_error`` and ``rater_within_topics`` compare in
        the same way each rating with the mean of the other ratings of its summary; None where nobody shared one.
    """
    found = {
        "error": float(np.abs(residuals).mean()),
        "error_of_mean": float(np.abs(truth - truth.mean()).mean()),
        "within_topics": _within(topics, truth - residuals, truth),
    }
    return {**found, **_raters(ratings)}


def ratings_of(task: TrainingTask) -> pd.DataFrame:
    """Collect the ratings of the target that its judgments are means of; none of a year with another scale."""
    rescaled = {year.name for year in task.config.years if task.run.target in year.scale}
    parts = []
    for year, table in zip(task.years, task.arrays.tables, strict=True):
        ratings = year.corpus.ratings
        if year.name not in rescaled and len(ratings):
            parts.append(ratings[ratings["metric"] == task.run.target].merge(table[KEYS], on=KEYS))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*KEYS, "score"])


def _raters(ratings: pd.DataFrame) -> Worth:
    n_ratings = ratings.groupby(KEYS)["score"].transform("size")
    shared = ratings[n_ratings > 1]
    if shared.empty:
        return {"rater_error": None, "rater_within_topics": None}
    one = shared["score"].to_numpy(float)
    of_summary = shared.groupby(KEYS)["score"]
    others = (of_summary.transform("sum") - one) / (of_summary.transform("size") - 1)
    by = [*KEYS[:3], *(["assessor"] if "assessor" in shared else [])]
    groups = np.asarray(shared.groupby(by, sort=False).ngroup(), np.int64)
    return {
        "rater_error": float(np.abs(one - others).mean()),
        "rater_within_topics": _within(groups, one, others.to_numpy(float)),
    }


def _within(groups: NDArray[np.int64], x: Floats, y: Floats) -> float | None:
    """Give the mean over groups of Pearson's correlation; None if no group has one."""
    groups = np.unique(groups, return_inverse=True)[1]
    place = pd.Series(groups).groupby(groups).cumcount().to_numpy()
    X, Y = np.full((2, int(place.max()) + 1, int(groups.max()) + 1), np.nan)
    X[place, groups], Y[place, groups] = x, y
    found = correlation(X, Y, level="input").value
    return None if np.isnan(found) else float(found)
