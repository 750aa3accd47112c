"""Do assessors agree with themselves on identical texts, and what changes without those who agree least?

Krippendorff's alpha on identical texts: Rankel (2016), section 6.2. The worst assessor of a measure has the lowest
alpha; or misses most content, see ``gap_exclusion`` in :mod:`classy_aesop.papers.rankel_2016_assessors`: section 6.3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import RatingOptions
from classy_aesop.answers.assessors import (
    ALPHA_OF_RATERS,
    ALPHA_WITH_INTERVAL,
    ASSESSOR_COLUMN,
    PAIRED_UNITS,
    alpha_row,
    group_units,
    select_ratings,
    state_alpha,
)
from classy_aesop.answers.score_matrices import select_rows, split_by_stratum
from classy_aesop.data import KEYS, Topic, format_key, mean_ratings, natural
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.papers.judged import StudyData, add_labels
from classy_aesop.papers.study_tables import printed_columns
from classy_aesop.reading.corpus import Corpus, keys_of_rows
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.correlations.coefficients import pearson, spearman
from classy_aesop.significance.equality import rounding_slack, snap_ties
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    HUMAN_MEASURE,
    MAIN,
    TARGET,
    TASK,
    YEAR,
    count,
    estimate,
    item,
)
from classy_aesop.tables.wording import range_text


def state_consistency(rows: pd.DataFrame) -> str:
    """Give alpha of all assessors, and the range of those of single ones."""
    of_all = state_alpha(rows)
    single = rows.loc[rows["assessor"].ne(""), "value"]
    if single.isna().all() or rows.loc[rows["assessor"].eq(""), "value"].isna().all():
        return of_all
    return f"{of_all.removesuffix('.')}; that of single assessors is {range_text(single, 'z.3f')}."


CONSISTENCY = replace(
    ALPHA_OF_RATERS,
    name="study consistency",
    caption="Consistency of assessors",
    columns=(
        YEAR,
        TASK,
        HUMAN_MEASURE,
        ASSESSOR_COLUMN,
        *ALPHA_WITH_INTERVAL,
        *PAIRED_UNITS,
        ALPHA_OF_RATERS["flag"],
        ALPHA_OF_RATERS["scale"],
        *printed_columns("consistency"),
    ),
    sentence=state_consistency,
)


def consistency(
    data: StudyData,
    labels: pd.DataFrame | None = None,
    *,
    metrics: Sequence[str] | None = None,
    scale: Scale = "interval",
) -> Result:
    """Compute the alpha of each assessor on identical texts: Table 6.1."""
    corpora = data.selected_corpora("all_peers")
    ratings = ratings_with_assessors(corpora, labels, metrics)
    topics = [topic for corpus in corpora for topic in corpus.topics]
    alphas = agreement_on_texts(ratings, topics, scale=scale)
    return data.tables("all_peers", score=None).result(CONSISTENCY, [({}, alphas)])


def ratings_with_assessors(
    corpora: Sequence[Corpus], labels: pd.DataFrame | None, metrics: Sequence[str] | None = None
) -> pd.DataFrame:
    """Return the human scores of corpora with their assessors; InputError if they have none."""
    if labels is None:
        ratings = pd.concat([corpus.ratings for corpus in corpora], ignore_index=True)
        if "assessor" not in ratings or not (ratings["assessor"] != "").any():
            raise InputError("no judgment names its assessor; expected a table of topics (--topic-labels)")
    else:
        judgments = pd.concat([corpus.judgments for corpus in corpora], ignore_index=True)
        ratings = add_labels(judgments, labels, "assessor")
    return select_rows(ratings, "metric", metrics)


def agreement_on_texts(
    ratings: pd.DataFrame,
    topics: Sequence[Topic],
    *,
    scale: Scale,
) -> pd.DataFrame:
    """Compute alpha of all assessors by year and measure, then of each who has a name; tasks are pooled.

    A unit is a text (white space aside) of a topic and task that one assessor rated several times.
    """
    rows = _add_texts(select_ratings(ratings, None, None, None), topics)
    if not rows.duplicated(["year", "metric", "topic", "task", "assessor", "text"]).any():
        raise InputError("no assessor rated the same text twice in a topic and task; expected such ratings")
    pooled = rows.groupby("year")["task"].transform(lambda names: "+".join(sorted(set(names), key=natural)))
    rows = rows.assign(rated_task=rows["task"], rater=rows["assessor"], task=pooled)
    unit = ["topic", "rated_task", "rater", "text"]
    parts = group_units(rows, unit) | group_units(rows.assign(assessor=""), unit)
    options = RatingOptions(scale=scale)
    names_in_order = sorted(parts, key=lambda names: [natural(name) for name in names])
    rows_of_table = [alpha_row((*names, ""), parts[names], options) for names in names_in_order]
    return pd.DataFrame(rows_of_table).assign(scale=scale)


def _add_texts(rows: pd.DataFrame, topics: Sequence[Topic]) -> pd.DataFrame:
    """Add the text of each summary that was rated; those without one are left out with a warning."""
    texts = [
        (*topic.key, summary.summarizer, " ".join(" ".join(summary.text).split()))
        for topic in topics
        for summary in topic.summaries
    ]
    rows = rows if "assessor" in rows else rows.assign(assessor="")
    rows = rows.merge(pd.DataFrame(texts, columns=[*KEYS, "text"]), on=KEYS, how="left")
    if unknown := sorted({*keys_of_rows(rows[rows["text"].isna()])}):
        keys = join_names(map(format_key, unknown), limit=3)
        message = f"{len(unknown)} rated summaries are not in the corpus: {keys}"
        rows = rows.dropna(subset="text")
        if rows.empty:
            raise InputError(message)
        warn(f"left out: {message}")
    return rows


# --- without the assessors who agree least ---

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
) -> Result:
    """Leave out the assessors with the lowest alpha on identical texts: Tables 6.2 to 6.4."""
    corpora = data.selected_corpora("all_peers")
    ratings = ratings_with_assessors(corpora, labels, metrics)
    order = order_by_agreement(corpora, ratings)
    tables = data.tables("all_peers")
    return tables.result(EXCLUSION, [({}, exclude_in_order(ratings, order, tables.scores))])


AssessorOrders = Mapping[tuple[str, str], Sequence[str]]
"""The assessors of each year and measure, the worst first."""


def order_by_agreement(corpora: Sequence[Corpus], ratings: pd.DataFrame) -> AssessorOrders:
    """Order the assessors of each year and measure by their alpha on identical texts."""
    topics = [topic for corpus in corpora for topic in corpus.topics]
    alphas = agreement_on_texts(ratings, topics, scale="interval")
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
    by_assessor = [
        pearson(*pair_scores(scores, group).to_numpy().T) for _, group in ratings.groupby("assessor")
    ]
    means = pair_scores(scores, ratings).groupby("summarizer").mean()
    return pearson(*means.to_numpy().T), float(pd.Series(by_assessor, dtype=float).mean())


def pair_scores(scores: pd.DataFrame, ratings: pd.DataFrame) -> pd.DataFrame:
    """Put the scores of a metric beside the human ones of the summaries that have both, by summarizer."""
    paired = scores.merge(mean_ratings(ratings), on=KEYS, suffixes=("_metric", "_human"))
    return paired.set_index("summarizer")[["score_metric", "score_human"]].dropna()
