"""Do assessors agree with themselves? Krippendorff's alpha on identical texts of each year, and of all together.

Rankel (2016), section 6.2. Table 6.1 has the values of 2011; those over all years, for assessors who worked in several,
are not printed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pandas as pd

from classy_aesop.answers.assessors import (
    ALPHA_OF_RATERS,
    ALPHA_WITH_INTERVAL,
    ASSESSOR_COLUMN,
    PAIRED_UNITS,
    assessors,
)
from classy_aesop.data.scores import add_stratum_columns
from classy_aesop.errors import InputError
from classy_aesop.papers.judged import StudyData, add_labels
from classy_aesop.papers.study_tables import printed_columns, study_result
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.choices import Scale
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import HUMAN_MEASURE, TASK, YEAR

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
    needs=("assessor", "value", "low", "high", "n_units"),
)


def consistency(
    data: StudyData,
    labels: pd.DataFrame | None = None,
    *,
    metrics: Sequence[str] | None = None,
    scale: Scale = "interval",
) -> Result:
    """Compute the alpha of each assessor on identical texts: of each year, and of the years of those who had several.

    Table 6.1.
    """
    corpora = data.selected_corpora("all_peers")
    ratings = pd.concat([ratings_with_assessors(corpus, labels) for corpus in corpora], ignore_index=True)
    years = ratings.groupby(["metric", "assessor"])["year"].agg(lambda names: "+".join(sorted(set(names))))
    all_years = "+".join(sorted(set(ratings["year"])))
    topics = tuple(topic for corpus in corpora for topic in corpus.topics)
    pooled_topics = tuple(replace(topic, year="", topic=f"{topic.year} {topic.topic}") for topic in topics)
    pooled = ratings.assign(year="", topic=ratings["year"] + " " + ratings["topic"])
    by_year, of_all_years = (
        add_stratum_columns(
            assessors(
                rows, corpus=Corpus(texts, rows.iloc[:0], rows.iloc[:0]), scale=scale, metric=metrics
            ).table
        )
        for rows, texts in ((ratings, topics), (pooled, pooled_topics))
    )
    names = zip(of_all_years["metric"], of_all_years["assessor"], strict=True)
    of_all_years["year"] = [years.get(name, all_years) for name in names]
    table = pd.concat([by_year, of_all_years[of_all_years["year"].str.contains("+", regex=False)]])
    judgments = pd.concat([corpus.judgments for corpus in corpora], ignore_index=True)
    return study_result(table.reset_index(drop=True), CONSISTENCY, judgments)


def ratings_with_assessors(corpus: Corpus, labels: pd.DataFrame | None) -> pd.DataFrame:
    """Return the human scores of a corpus with their assessors; InputError if they have none."""
    if labels is not None:
        return add_labels(corpus.judgments, labels, "assessor")
    ratings = corpus.ratings
    if "assessor" not in ratings or not (ratings["assessor"] != "").any():
        raise InputError("no judgment names its assessor; expected a table of topics (--topic-labels)")
    return ratings
