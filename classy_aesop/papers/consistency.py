"""Do assessors agree with themselves? Krippendorff's alpha on identical texts (Rankel 2016, section 6.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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
from classy_aesop.answers.score_matrices import select_rows
from classy_aesop.data import KEYS, Topic, format_key, natural
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.papers.judged import StudyData, add_labels
from classy_aesop.papers.study_tables import printed_columns
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.choices import Scale
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import HUMAN_MEASURE, TASK, YEAR
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
    texts = {
        (*topic.key, summary.summarizer): " ".join(" ".join(summary.text).split())
        for topic in topics
        for summary in topic.summaries
    }
    rows = rows if "assessor" in rows else rows.assign(assessor="")
    keys = [*rows[KEYS].itertuples(index=False, name=None)]
    rows = rows.assign(text=pd.Series([texts.get(key) for key in keys], rows.index, object))
    if unknown := [format_key(key) for key in sorted({*keys} - texts.keys())]:
        message = f"{len(unknown)} rated summaries are not in the corpus: {join_names(unknown, most=3)}"
        rows = rows.dropna(subset="text")
        if rows.empty:
            raise InputError(message)
        warn(f"left out: {message}")
    return rows
