"""What changes without the assessors who agree least with themselves on identical texts?

Rankel (2016), section 6.3: the worst assessor of a measure has the lowest alpha; or misses most content, see
``gap_exclusion`` in :mod:`classy_aesop.papers.rankel_2016_assessors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import split_by_stratum
from classy_aesop.data import KEYS, matrix, mean_ratings, natural
from classy_aesop.errors import InputError
from classy_aesop.papers.consistency import agreement_on_texts, ratings_with_assessors
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.study_tables import printed_columns
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.correlations.coefficients import pearson, spearman
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    TARGET,
    TASK,
    YEAR,
    count,
    estimate,
    item,
)

COLUMNS_OF_EXCLUSION = (
    YEAR,
    TASK,
    TARGET,
    item("metric", "the metric that is correlated with it; empty without one"),
    count("n_excluded", "assessors that are left out", priority=MAIN),
    item("excluded", "their names, the worst first"),
    count("n_topics", "topics rated before"),
    count("n_left", "topics rated after"),
    count("n_summarizers", "summarizers that still have a mean"),
    estimate("pearson", "Pearson's correlation of the means before and after"),
    estimate("spearman", "Spearman's correlation of the means before and after"),
    estimate("r_before", "the metric's Pearson correlation at system level with all"),
    estimate("r_after", "the same without them"),
    estimate("by_assessor_before", "mean over assessors of the correlation over their summaries, with all"),
    estimate("by_assessor_after", "the same without them"),
)

EXCLUSION = Answer(
    name="study agreement-exclusion",
    caption="Human scores without the assessors who agree least",
    columns=(*COLUMNS_OF_EXCLUSION, *printed_columns("agreement-exclusion")),
)


def agreement_exclusion(
    data: StudyData,
    labels: pd.DataFrame | None = None,
    *,
    metrics: Sequence[str] | None = None,
    scale: Scale = "interval",
) -> Result:
    """Leave out the assessors with the lowest alpha on identical texts: Tables 6.2 to 6.4."""
    corpora = data.selected_corpora("all_peers")
    ratings = ratings_with_assessors(corpora, labels, metrics)
    order = order_by_agreement(corpora, ratings, scale)
    tables = data.tables("all_peers")
    return tables.result(EXCLUSION, [({}, exclude_in_order(ratings, order, tables.scores))])


AssessorOrders = Mapping[tuple[str, str], Sequence[str]]
"""The assessors of each year and measure, the worst first."""


def order_by_agreement(
    corpora: Sequence[Corpus], ratings: pd.DataFrame, scale: Scale = "interval"
) -> AssessorOrders:
    """Order the assessors of each year and measure by their alpha on identical texts."""
    topics = [topic for corpus in corpora for topic in corpus.topics]
    alphas = agreement_on_texts(ratings, topics, scale=scale)
    with_alpha = alphas[(alphas["assessor"] != "") & alphas["value"].notna()]
    if with_alpha.empty:
        raise InputError("no assessor with a name and an alpha; expected one whose topics can be left out")
    return order_assessors(with_alpha)


def order_assessors(values: pd.DataFrame) -> AssessorOrders:
    """Order the assessors of each year and measure by a value, the lowest first; equal ones by their names."""
    keyed = values.assign(value=values["value"].round(12), name=values["assessor"].map(natural))
    groups = keyed.sort_values(["value", "name"]).groupby(["year", "metric"])
    return {(str(year), str(metric)): rows["assessor"].tolist() for (year, metric), rows in groups}


MAX_EXCLUDED = 2
"""Assessors that the paper leaves out, the worst first."""


def exclude_in_order(ratings: pd.DataFrame, orders: AssessorOrders, scores: pd.DataFrame) -> pd.DataFrame:
    """Exclude the assessors of each year and measure one after the other, and compare scores before and after."""
    scores = mean_ratings(scores)
    rows = []
    for (year, measure), order in orders.items():
        of_measure = ratings[(ratings["year"] == year) & (ratings["metric"] == measure)].dropna(
            subset="score"
        )
        for (_, task), ratings_before in split_by_stratum(of_measure).items():
            shared = scores.merge(ratings_before[KEYS].drop_duplicates(), on=KEYS)
            names = sorted(shared["metric"].unique(), key=natural)
            for n_excluded in range(1, len(order[:MAX_EXCLUDED]) + 1):
                excluded = order[:n_excluded]
                ratings_after = ratings_before[~ratings_before["assessor"].isin(excluded)]
                ids = {"year": year, "task": task, "target": measure, "n_excluded": n_excluded}
                ids |= {"excluded": "+".join(excluded), **compare_means(ratings_before, ratings_after)}
                for name in names or [""]:
                    of_metric = shared[shared["metric"] == name]
                    row = {**ids, "metric": name}
                    row["r_before"], row["by_assessor_before"] = correlate_metric(of_metric, ratings_before)
                    row["r_after"], row["by_assessor_after"] = correlate_metric(of_metric, ratings_after)
                    rows.append(row)
    return pd.DataFrame(rows)


def compare_means(ratings_before: pd.DataFrame, ratings_after: pd.DataFrame) -> dict[str, object]:
    """Count topics before and after, and summarizers, and correlate the means of these."""
    means = [
        mean_ratings(ratings).groupby("summarizer")["score"].mean()
        for ratings in (ratings_before, ratings_after)
    ]
    both_means = pd.concat(means, axis=1).dropna().to_numpy()
    x, y = snap_ties(both_means.T, rounding_slack(ratings_before["score"].to_numpy(np.float64)))
    return {
        "n_topics": ratings_before["topic"].nunique(),
        "n_left": ratings_after["topic"].nunique(),
        "n_summarizers": len(both_means),
        "pearson": pearson(x, y),
        "spearman": spearman(x, y),
    }


def correlate_metric(scores: pd.DataFrame, ratings: pd.DataFrame) -> tuple[float, float]:
    """Correlate a metric with humans: their means by summarizer, and the mean of correlations by assessor."""
    by_assessor = [correlate_with_humans(scores, group, "global") for _, group in ratings.groupby("assessor")]
    return correlate_with_humans(scores, ratings, "system"), float(pd.Series(by_assessor, dtype=float).mean())


def correlate_with_humans(scores: pd.DataFrame, ratings: pd.DataFrame, level: str) -> float:
    """Pearson's correlation of a metric with humans over the summaries that both score."""
    shared = scores.merge(mean_ratings(ratings), on=KEYS, suffixes=("_metric", "_human")).dropna()
    if shared.empty:
        return float("nan")
    X, Z = (
        matrix(shared.assign(metric="", score=shared[f"score_{side}"]), "")[0] for side in ("metric", "human")
    )
    return correlation(X, Z, level=level).value
