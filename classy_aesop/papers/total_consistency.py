"""Do assessors agree with themselves over the years? Krippendorff's alpha on identical texts of all years together.

Rankel (2016), section 6.2, computes it for those who worked in several years, and prints no value. That of each year is
``assessors --identical-texts``.
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
from classy_aesop.errors import InputError
from classy_aesop.papers.judged import StudyData, add_labels
from classy_aesop.papers.study_tables import study_result
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.choices import Scale
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import HUMAN_MEASURE, item

TOTAL_CONSISTENCY = replace(
    ALPHA_OF_RATERS,
    name="study total-consistency",
    caption="Consistency of assessors over all years",
    columns=(
        HUMAN_MEASURE,
        ASSESSOR_COLUMN,
        item("years", "in which the assessor rated, joined by +"),
        *ALPHA_WITH_INTERVAL,
        *PAIRED_UNITS,
        ALPHA_OF_RATERS["flag"],
        ALPHA_OF_RATERS["scale"],
    ),
    needs=("assessor", "value", "low", "high", "n_units"),
)


def total_consistency(
    data: StudyData,
    labels: pd.DataFrame | None = None,
    *,
    metrics: Sequence[str] | None = None,
    scale: Scale = "interval",
) -> Result:
    """Compute the alpha of each assessor on identical texts of all years together."""
    corpora = data.selected_corpora("all_peers")
    ratings = pd.concat([ratings_with_assessors(corpus, labels) for corpus in corpora], ignore_index=True)
    years = ratings.groupby(["metric", "assessor"])["year"].agg(lambda names: "+".join(sorted(set(names))))
    topics = tuple(
        replace(topic, year="", topic=f"{topic.year} {topic.topic}")
        for corpus in corpora
        for topic in corpus.topics
    )
    pooled = ratings.assign(year="", topic=ratings["year"] + " " + ratings["topic"])
    result = assessors(
        pooled, corpus=Corpus(topics, pooled.iloc[:0], pooled.iloc[:0]), scale=scale, metric=metrics
    )
    table = result.table
    all_years = "+".join(sorted(set(ratings["year"])))
    names = [
        years.get((metric, assessor), all_years) if assessor else all_years
        for metric, assessor in zip(table["metric"], table["assessor"], strict=True)
    ]
    return study_result(table.assign(years=names), TOTAL_CONSISTENCY)


def ratings_with_assessors(corpus: Corpus, labels: pd.DataFrame | None) -> pd.DataFrame:
    """Return the human scores of a corpus with their assessors; InputError if they have none."""
    if labels is not None:
        return add_labels(corpus.judgments, labels, "assessor")
    ratings = corpus.ratings
    if "assessor" not in ratings or not (ratings["assessor"] != "").any():
        raise InputError("no judgment names its assessor; expected a table of topics (--topic-labels)")
    return ratings
