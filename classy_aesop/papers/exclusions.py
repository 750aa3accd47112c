"""What changes without the assessors who agree least with themselves on identical texts?

Rankel (2016), section 6.3: the worst assessor of a measure has the lowest alpha; or misses most content, see
``gap_exclusion`` in :mod:`classy_aesop.papers.rankel_2016_assessors`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import select_rows, split_by_stratum
from classy_aesop.data import KEYS, matrix, mean_ratings, natural
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.consistency import agreement_on_texts, ratings_with_assessors
from classy_aesop.papers.judged import StudyData
from classy_aesop.papers.study_tables import printed_columns, study_result
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.correlations.coefficients import pearson, spearman
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import MAIN, TARGET, TASK, YEAR, column_names, count, estimate, item

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
    worst: int = 2,
) -> Result:
    """Leave out the assessors with the lowest alpha on identical texts: Tables 6.2 to 6.4."""
    corpora = data.selected_corpora("all_peers")
    ratings_of_corpora = [
        select_rows(ratings_with_assessors(corpus, labels), "metric", metrics) for corpus in corpora
    ]
    orders: dict[tuple[str, str], list[str]] = {}
    for corpus, ratings in zip(corpora, ratings_of_corpora, strict=True):
        orders |= order_by_agreement(ratings, corpus, scale=scale)
    tables = data.tables("all_peers")
    ratings = pd.concat(ratings_of_corpora, ignore_index=True)
    table = exclude_in_order(ratings, orders, tables.scores, worst=worst)
    return study_result(table, EXCLUSION, tables.judgments)


def exclude_in_order(
    ratings: pd.DataFrame,
    orders: Mapping[tuple[str, str], Sequence[str]],
    scores: pd.DataFrame,
    *,
    worst: int,
) -> pd.DataFrame:
    """Exclude the assessors of each year and measure one after the other, and compare scores before and after."""
    if worst < 1:
        raise UsageError(f"worst is {worst}; expected 1 or more")
    rows = ratings.dropna(subset="score")
    metric_scores = mean_ratings(scores)
    changes = []
    for (year, measure), order in orders.items():
        of_measure = rows[(rows["year"] == year) & (rows["metric"] == measure)]
        for (_, task), ratings_before in split_by_stratum(of_measure).items():
            shared = metric_scores.merge(ratings_before[KEYS].drop_duplicates(), on=KEYS)
            names = sorted(set(shared["metric"]), key=natural)
            for n_excluded in range(1, len(order[:worst]) + 1):
                excluded = order[:n_excluded]
                ratings_after = ratings_before[~ratings_before["assessor"].isin(excluded)]
                ids = {"year": year, "task": task, "target": measure, "n_excluded": n_excluded}
                ids |= {"excluded": "+".join(excluded), **compare_means(ratings_before, ratings_after)}
                for name in names or [""]:
                    of_metric = shared[shared["metric"] == name]
                    correlations = {
                        f"{column}_{when}": value
                        for when, of_time in (("before", ratings_before), ("after", ratings_after))
                        for column, value in correlate_metric(of_metric, of_time).items()
                    }
                    changes.append({**ids, "metric": name, **correlations})
    return drop_empty_stratum_columns(pd.DataFrame(changes)[column_names(*COLUMNS_OF_EXCLUSION)])


def compare_means(ratings_before: pd.DataFrame, ratings_after: pd.DataFrame) -> dict[str, float]:
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


def order_by_agreement(
    ratings: pd.DataFrame,
    corpus: Corpus,
    *,
    scale: Scale = "interval",
    metric: str | Sequence[str] | None = None,
) -> dict[tuple[str, str], list[str]]:
    """Order the assessors of each year and measure by their alpha on identical texts, the lowest first."""
    agreement = agreement_on_texts(ratings, corpus.topics, scale=scale, metrics=metric)
    with_alpha = agreement[(agreement["assessor"] != "") & agreement["value"].notna()]
    if with_alpha.empty:
        raise InputError("no assessor with a name and an alpha; expected one whose topics can be left out")
    by_name = with_alpha.sort_values("assessor", key=lambda names: names.map(natural))  # the order of equals
    groups = by_name.sort_values("value", kind="stable").groupby(["year", "metric"])
    orders = {(str(year), str(measure)): rows["assessor"].tolist() for (year, measure), rows in groups}
    return {key: orders[key] for key in with_alpha[["year", "metric"]].itertuples(index=False, name=None)}


def correlate_metric(scores: pd.DataFrame, ratings: pd.DataFrame) -> dict[str, float]:
    """Correlate a metric with humans: their means by summarizer, and the mean of correlations by assessor."""
    by_assessor = [correlate_with_humans(scores, group, "global") for _, group in ratings.groupby("assessor")]
    return {
        "r": correlate_with_humans(scores, ratings, "system"),
        "by_assessor": pd.Series(by_assessor, dtype=float).mean(),
    }


def correlate_with_humans(scores: pd.DataFrame, ratings: pd.DataFrame, level: str) -> float:
    """Pearson's correlation of a metric with humans over the summaries that both score."""
    shared = scores.merge(mean_ratings(ratings), on=KEYS, suffixes=("_metric", "_human")).dropna()
    if shared.empty:
        return float("nan")
    X, Z = (
        matrix(shared.assign(metric="", score=shared[f"score_{side}"]), "")[0] for side in ("metric", "human")
    )
    return correlation(X, Z, level=level).value
