"""What changes without the assessors who agree least with themselves? Their ratings are left out, means taken again.

Rankel (2016), chapter 6, Tables 6.2 to 6.4. Learning without their topics (Table 6.5) is
`classy_aesop.studies.assessor_tables.retraining`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pandas as pd

from classy_aesop.analysis.assessors import assessor_agreement
from classy_aesop.analysis.pairing import in_place, only, places
from classy_aesop.data import KEYS, matrix, mean_ratings, natural, tidied
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.scores import with_places, without_empty_places
from classy_aesop.errors import InputError, UsageError
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.coefficients import pearson, spearman
from classy_aesop.significance.correlation import correlation
from classy_aesop.significance.near_ties import slack_of, snapped

IDS = ["year", "task", "target", "metric"]
"""What a row is about; ``metric`` is empty without a score table."""

OF_HUMANS = ["n_topics", "n_left", "n_summarizers", "pearson", "spearman"]
"""Columns about the means of human scores."""

OF_METRIC = ["r_before", "r_after", "by_assessor_before", "by_assessor_after"]
"""Columns about a metric's correlations."""

COLUMNS = [*IDS, "n_excluded", "excluded", *OF_HUMANS, *OF_METRIC]
"""The columns of `assessor_exclusion`."""


def assessor_exclusion(
    ratings: pd.DataFrame,
    corpus: Corpus,
    *,
    worst: int = 2,
    scores: pd.DataFrame | None = None,
    scale: Scale = "interval",
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
) -> pd.DataFrame:
    """Leave out the worst assessors of each human measure, one after the other, and see what changes.

    Parameters
    ----------
    ratings : DataFrame
        A score table with named assessors.
    corpus : Corpus
        The texts: the worst assessor of a measure has the lowest alpha on identical texts, see
        :func:`classy_aesop.analysis.assessors.assessor_agreement`. Who has no alpha is never left out.
    worst : int
        How many are left out at most.
    scores : DataFrame, optional
        Scores of metrics, correlated with human scores before and after.
    scale, metrics, year, task
        As for ``assessor_agreement``; tasks are pooled for alpha, and apart in the table.

    Returns
    -------
    DataFrame
        A row for each year, task, measure (``target``), metric and number left out: ``year, task, target, metric,
        n_excluded, excluded`` (their names, worst first), ``n_topics, n_left`` (topics rated before and after),
        ``n_summarizers`` (that still have a mean), ``pearson, spearman`` (of the means of summarizers before and
        after), ``r_before, r_after`` (the metric's Pearson correlation with humans at system level),
        ``by_assessor_before, by_assessor_after`` (Pearson over all summaries that an assessor rated, mean over the
        assessors; an assessor without one is passed over). NaN where there is no metric or nothing is left.

    Raises
    ------
    UsageError
        For ``worst`` below 1, or an unknown measure, year or task.
    InputError
        No assessor has a name and an alpha, or as ``assessor_agreement``.

    Examples
    --------
    >>> rows = [
    ...     {"topic": 1, "system": "a", "summary": "Rain fell.", "quality": 4, "rater": "x"},
    ...     {"topic": 1, "system": "b", "summary": "Rain fell.", "quality": 4, "rater": "x"},
    ...     {"topic": 1, "system": "c", "summary": "It was dry.", "quality": 1, "rater": "x"},
    ...     {"topic": 2, "system": "a", "summary": "Snow fell.", "quality": 2, "rater": "y"},
    ...     {"topic": 2, "system": "b", "summary": "Snow fell.", "quality": 5, "rater": "y"},
    ...     {"topic": 2, "system": "c", "summary": "It froze.", "quality": 3, "rater": "y"},
    ... ]
    >>> corpus = Corpus.from_rows([{**row, "reference": "Rain, then snow."} for row in rows])
    >>> found = assessor_exclusion(corpus.ratings, corpus, worst=1)
    >>> found[["target", "excluded", "n_topics", "n_left"]].values.tolist()
    [['quality', 'y', 2, 1]]
    """
    if worst < 1:
        raise UsageError(f"worst is {worst}; expected 1 or more")
    ratings = tidied(ratings, of_humans=True)
    orders = worst_first(ratings, corpus, scale=scale, metrics=metrics, year=year, task=task)
    rows = in_place(ratings.dropna(subset="score"), year, task)
    automatic = None if scores is None else mean_ratings(tidied(scores))
    parts = [
        _without(
            rows[(rows["year"] == at) & (rows["metric"] == measure)],
            measure,
            order,
            worst,
            automatic,
        )
        for (at, measure), order in orders.items()
    ]
    return without_empty_places(pd.DataFrame([row for part in parts for row in part], columns=COLUMNS))


def worst_first(
    ratings: pd.DataFrame,
    corpus: Corpus,
    *,
    scale: Scale = "interval",
    metrics: Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
) -> dict[tuple[str, str], list[str]]:
    """Order the assessors of each year and measure by their alpha on identical texts, the lowest first.

    Parameters
    ----------
    ratings, corpus, scale, metrics, year, task
        As for :func:`assessor_exclusion`.

    Raises
    ------
    InputError
        No assessor has a name and an alpha, or as ``assessor_agreement``.
    """
    agreement = with_places(
        assessor_agreement(
            ratings, corpus=corpus, scale=scale, metrics=metrics, year=year, task=task, n_resamples=1
        )
    )
    named = agreement[(agreement["assessor"] != "") & agreement["value"].notna()]
    if named.empty:
        raise InputError("no assessor with a name and an alpha; expected one whose topics can be left out")
    parts = named.groupby(["year", "metric"], sort=False)
    return {(str(at), str(measure)): _ordered(found) for (at, measure), found in parts}


def _ordered(found: pd.DataFrame) -> list[str]:
    """Give assessors by alpha, the worst first; equals in the order of names."""
    by_name = found.sort_values("assessor", key=lambda names: names.map(natural))
    return by_name.sort_values("value", kind="stable")["assessor"].tolist()


def _without(
    rows: pd.DataFrame, measure: str, order: list[str], worst: int, scores: pd.DataFrame | None
) -> Iterator[tuple[object, ...]]:
    """Give the rows of the table for one year and measure."""
    for place, before in places(rows).items():
        for k in range(1, min(worst, len(order)) + 1):
            after = before[~before["assessor"].isin(order[:k])]
            human = _of_humans(before, after)
            for metric, metric_scores in _metrics(scores, before):
                changed = (np.nan,) * 4 if metric_scores is None else _of_metric(metric_scores, before, after)
                yield *place, measure, metric, k, "+".join(order[:k]), *human, *changed


def _metrics(scores: pd.DataFrame | None, rows: pd.DataFrame) -> Iterator[tuple[str, pd.DataFrame | None]]:
    """Give each metric that scores some of the rated summaries, with its scores; one empty pair without scores."""
    if scores is None:
        yield "", None
        return
    shared = scores.merge(rows[KEYS].drop_duplicates(), on=KEYS)
    for name in sorted(set(shared["metric"]), key=natural):
        yield name, only(shared, "metric", [name])


def _of_humans(before: pd.DataFrame, after: pd.DataFrame) -> tuple[float, ...]:
    """Give `OF_HUMANS`."""
    both = pd.concat([_means(before), _means(after)], axis=1, keys=["before", "after"]).dropna()
    slack = slack_of(before["score"].to_numpy(np.float64))
    means = [snapped(both[name].to_numpy(), slack) for name in both]
    n_topics, n_left = before["topic"].nunique(), after["topic"].nunique()
    return n_topics, n_left, len(both), pearson(*means), spearman(*means)


def _means(rows: pd.DataFrame) -> pd.Series[float]:
    return mean_ratings(rows).groupby("summarizer")["score"].mean()


def _of_metric(scores: pd.DataFrame, before: pd.DataFrame, after: pd.DataFrame) -> tuple[float, ...]:
    """Give `OF_METRIC`."""
    parts = (before, after)
    return (
        *(_correlated(scores, rows, "system") for rows in parts),
        *(_by_assessor(scores, rows) for rows in parts),
    )


def _by_assessor(scores: pd.DataFrame, rows: pd.DataFrame) -> float:
    values = [_correlated(scores, group, "global") for _, group in rows.groupby("assessor")]
    defined = [value for value in values if not np.isnan(value)]
    return float(np.mean(defined)) if defined else float("nan")


def _correlated(scores: pd.DataFrame, rows: pd.DataFrame, level: str) -> float:
    """Pearson's correlation of a metric with humans over the summaries that both score."""
    both = scores.merge(mean_ratings(rows), on=KEYS, suffixes=("_metric", "_human")).dropna()
    if both.empty:
        return float("nan")
    named = both.assign(metric="")
    X, Z = (matrix(named.assign(score=named[f"score_{side}"]), "")[0] for side in ("metric", "human"))
    return correlation(X, Z, level=level).value
