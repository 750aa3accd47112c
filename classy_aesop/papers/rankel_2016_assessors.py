"""Rankel (2016), the dissertation: assessors and their topics, and manual pyramid scores beside automatic ones.

Assessors whose pyramids are doubtful are those with the lowest alpha on identical texts, or those with the lowest mean
of manual less automatic pyramids (mP-aP): they missed content that they had found in other summaries (section 6.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from pathlib import Path

import pandas as pd

from classy_aesop.answers.correlation_tables import LEVEL
from classy_aesop.answers.score_matrices import select_rows
from classy_aesop.config import Config
from classy_aesop.data import KEYS
from classy_aesop.errors import InputError, UsageError
from classy_aesop.papers.assessor_effects import assessor_effects
from classy_aesop.papers.consistency import (
    COLUMNS_OF_EXCLUSION,
    EXCLUSION,
    AssessorOrders,
    exclude_in_order,
    order_assessors,
    order_by_agreement,
    ratings_with_assessors,
)
from classy_aesop.papers.judged import LEVELS, StudyData, add_labels, refuse_row, rows_of_topics
from classy_aesop.papers.study_tables import (
    printed_columns,
    state_range,
    study_result,
)
from classy_aesop.plots.captioned import forest_picture
from classy_aesop.reading import Humans
from classy_aesop.reading.corpus import Corpus
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    METRIC,
    PEER_SET,
    TARGET,
    TASK,
    YEAR,
    column_names,
    count,
    estimate,
    item,
    p_value,
    remark,
    setting,
    stratum,
)
from classy_aesop.tables.wording import count_text
from classy_aesop.training.assess import assess, predict_year
from classy_aesop.training.plan import plan_runs
from classy_aesop.training.runs import train_runs
from classy_aesop.training.years import YearData, extract

PYRAMID = "pyramid"


def state_change(rows: pd.DataFrame) -> str:
    """Give the range of what correlations gain without some assessors' topics."""
    sentence = "Without the topics of some assessors in training, correlations change by {}."
    return state_range("gained", sentence, "+z.3f")(rows.assign(gained=rows["after"] - rows["before"]))


def count_different_assessors(rows: pd.DataFrame) -> str:
    """Count the measures by which some assessors score higher than others."""
    tests = rows.drop_duplicates([name for name in column_names(YEAR, TASK, METRIC) if name in rows])
    n_significant = int(is_significant(tests["p"]).sum())
    return (
        f"In {n_significant} of {count_text(len(tests), 'measure')} of a year and task some assessors score higher "
        f"than others (F test, p at most {ALPHA:g})."
    )


# --- the declared tables ---

ASSESSOR = item("assessor", "who judged the topics")
CATEGORY = item("category", "their category")

TOPIC_COUNTS = Answer(
    name="study topic-counts",
    caption="Topics of assessors and categories",
    columns=(
        YEAR,
        TASK,
        ASSESSOR,
        CATEGORY,
        estimate("n_topics", "topics of the assessor in the category", "int", priority=MAIN),
        *printed_columns("topic-counts"),
    ),
)

ASSESSOR_EFFECTS = Answer(
    name="study assessor-effects",
    caption="Effects of assessors and categories",
    columns=(
        YEAR,
        TASK,
        METRIC,
        stratum("kind", "of what the effect is: assessor or category"),
        item("name", "of the assessor or category"),
        estimate("effect", "on the mean score of a topic; those of one kind sum to 0", priority=MAIN),
        estimate("error", "standard error of the effect", priority=MAIN),
        count("n", "topics"),
        estimate("statistic", "F of the test that all assessors are alike"),
        count("df", "its degrees of freedom"),
        count("df_error", "those of the error"),
        p_value("p", "of this test", priority=MAIN),
        remark("flag", "why there is no test"),
    ),
    sentence=count_different_assessors,
)

RETRAINING = Answer(
    name="study retraining",
    caption="Training with and without some assessors",
    columns=(
        YEAR,
        TASK,
        PEER_SET,
        TARGET,
        item("run", "the run"),
        item("metric", "its predictor"),
        LEVEL,
        estimate("before", "Pearson's correlation with the predicted year, with all topics", priority=MAIN),
        estimate("after", "that without the topics of the assessors", priority=MAIN),
        item("excluded", "the assessors of each training year whose topics are left out"),
        setting("excluded_by", "what chose them: the lowest alpha, or gap of pyramids"),
        count("n_topics", "topics and tasks of the training years"),
        count("n_left", "those that are left"),
        *printed_columns("retraining"),
    ),
    sentence=state_change,
)

GAPS = "manual minus automatic pyramid by assessor, and its standard error over topics"

PYRAMID_GAP = Answer(
    name="study pyramid-gap",
    caption="Manual minus automatic pyramid",
    columns=(
        YEAR,
        TASK,
        METRIC,
        ASSESSOR,
        count("n_topics", "topics of the assessor"),
        estimate("manual", "mean manual score", priority=MAIN),
        estimate("automatic", "mean automatic score", priority=MAIN),
        estimate("difference", "manual less automatic", priority=MAIN),
        estimate(
            "error", "standard error of the difference over topics; missing for one topic", priority=MAIN
        ),
    ),
    sentence=state_range("difference", "The manual minus the automatic pyramid is {}."),
    pictures=partial(forest_picture, caption=GAPS, names="assessor", value="difference", error="error"),
)

GAP_EXCLUSION = replace(
    EXCLUSION,
    name="study gap-exclusion",
    caption="Human scores without the assessors whose manual pyramids are lowest",
    columns=(*COLUMNS_OF_EXCLUSION, *printed_columns("gap-exclusion")),
)

# --- assessors and their topics ---


def topic_counts(data: StudyData, labels: pd.DataFrame) -> Result:
    """Count the topics of each assessor in each category: Table 3.1."""
    tables = data.tables("all_peers", score=None)
    topics = tables.judgments[KEYS[:3]].drop_duplicates()
    labelled = add_labels(add_labels(topics, labels, "assessor"), labels, "category")
    counts = labelled.groupby(column_names(YEAR, TASK, ASSESSOR, CATEGORY)).size()
    with_zeros = pd.Series(counts.unstack(fill_value=0).stack(), name="n_topics")
    return tables.result(TOPIC_COUNTS, [({}, with_zeros.reset_index())])


def effects_table(data: StudyData, labels: pd.DataFrame, *, metrics: Sequence[str] | None = None) -> Result:
    """The additive model of assessors and categories on the mean scores of topics: section 3.1."""
    tables = data.tables("all_peers", score=None)
    judgments = select_rows(tables.judgments, "metric", metrics).dropna(subset="score")
    ids = column_names(YEAR, TASK, METRIC)
    means = judgments.groupby([*ids, "topic"], sort=False)["score"].mean().reset_index()
    labelled = add_labels(add_labels(means, labels, "assessor"), labels, "category")
    of_measures = labelled.set_index(ids).groupby(ids)
    effects = of_measures.apply(
        lambda rows: assessor_effects(rows["score"], rows["assessor"], rows["category"])
    )
    return tables.result(ASSESSOR_EFFECTS, [({}, effects.reset_index(ids))])


def retraining(
    config: Config,
    *,
    labels: pd.DataFrame | None = None,
    units: pd.DataFrame | None = None,
    worst: int = 2,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Train with and without the topics of some assessors in the training years: Table 6.5."""
    years = extract(config, n_jobs=n_jobs, progress=progress)
    if len(years) < 2:
        raise InputError("found one year; expected two or three, of which the last is predicted")
    targets = dict.fromkeys(task.run.target for task in plan_runs(config, years)[0])
    if units is not None:
        if labels is None or PYRAMID not in targets:
            raise UsageError(f"content units need a table of topics and runs that learn {PYRAMID}")
        targets = {PYRAMID: None}
    correlations_before = correlate_runs(config, years, None, "before", n_jobs, progress)
    parts = []
    for target in targets:
        reduced_years, counts = exclude_assessors(years, target, labels, units, worst)
        correlations_after = correlate_runs(config, reduced_years, target, "after", n_jobs, progress)
        parts.append(correlations_before.merge(correlations_after, on=IDS).assign(**counts))
    table = pd.concat(parts, ignore_index=True)
    table = table.assign(year=years[-1].name, excluded_by="alpha" if units is None else "gap")
    return study_result(table, RETRAINING, years[-1].corpus.judgments)


IDS = column_names(TASK, PEER_SET, TARGET, RETRAINING["run"], RETRAINING["metric"], LEVEL)
"""What a correlation of a run is known by."""


def correlate_runs(
    config: Config, years: Sequence[YearData], target: str | None, column: str, n_jobs: int, progress: bool
) -> pd.DataFrame:
    """Train runs, and return their Pearson correlations with the last year, as a column."""
    tasks = [task for task in plan_runs(config, years)[0] if target in (None, task.run.target)]
    trained, _ = train_runs(tasks, n_jobs=n_jobs, progress=progress)
    if not trained:
        raise InputError("no run is left to train")
    assessed = assess(predict_year(trained, years[-1]))
    is_shown = (assessed["coefficient"] == "pearson") & assessed["level"].isin(LEVELS)
    return assessed.loc[is_shown].rename(columns={"value": column})[[*IDS, column]]


def exclude_assessors(
    years: Sequence[YearData],
    target: str,
    labels: pd.DataFrame | None,
    units: pd.DataFrame | None,
    worst: int,
) -> tuple[list[YearData], dict[str, str | int]]:
    """Leave topics of the training years out; name their assessors, and count topics and tasks before and after."""
    *training, last = years
    reduced_years = []
    names_by_year = []
    for year in training:
        ratings = ratings_with_assessors([year.corpus], labels, [target])
        if units is None or labels is None:
            orders = order_by_agreement([year.corpus], ratings)
        else:
            orders = order_by_gap(topic_gaps(StudyData([year.corpus]), units, labels, target))
        names = orders[year.name, target][:worst]
        place = ["topic", "task"]
        excluded = pd.MultiIndex.from_frame(ratings.loc[ratings["assessor"].isin(names), place])
        is_left = ~pd.MultiIndex.from_frame(year.features[place]).isin(excluded)
        remaining = tuple(topic for topic in year.corpus.topics if (topic.topic, topic.task) not in excluded)
        reduced_years.append(
            replace(
                year,
                corpus=year.corpus.replace_topics(remaining),
                features=year.features[is_left].reset_index(drop=True),
                judgments=year.judgments[is_left].reset_index(drop=True),
            )
        )
        names_by_year.append("+".join(names))
    n_topics = sum(len(year.corpus) for year in training)
    n_left = sum(len(year.corpus) for year in reduced_years)
    excluded_names = ", ".join(dict.fromkeys(names_by_year))
    return [*reduced_years, last], {"excluded": excluded_names, "n_topics": n_topics, "n_left": n_left}


UNITS = ("year", "topic", "task", "unit", "summarizer", "text")
"""The columns of a table of content units; year and task may be missing."""


def read_units(path: str | Path) -> pd.DataFrame:
    """Read a table of content units, a row a contributor: `UNITS`, the text with single spaces.

    InputError if a column is missing, or a row has another number of cells than the header or no text.
    """
    table = rows_of_topics(path, UNITS, {*UNITS} - {"year", "task"})
    units = table.assign(text=table["text"].map(join_spaces))
    refuse_row(units, units["text"] == "", "no text; expected the words of a contributor", path)
    return units


def pyramid_gap(
    data: StudyData, units: pd.DataFrame, labels: pd.DataFrame, *, metric: str = PYRAMID
) -> Result:
    """Average the manual pyramid scores less the automatic ones by topic, then by assessor: Figure 6.3.

    A content unit is a fact, its contributors are the words in which summaries express it. The automatic score counts
    a unit where a contributor of another summary occurs in the summary word for word. The weight of a unit is the
    number of humans among its contributors, the summary's own writer left out. A score is the sum of the weights of
    the units that are found, divided by the best sum for as many units as the mean human contributes, rounded up.
    """
    by_assessor = topic_gaps(data, units, labels, metric).groupby(column_names(YEAR, TASK, METRIC, ASSESSOR))
    table = by_assessor[[*BOTH_PYRAMIDS, "difference"]].mean()
    table = table.assign(n_topics=by_assessor.size(), error=by_assessor["difference"].sem())
    return study_result(table.reset_index(), PYRAMID_GAP)


BOTH_PYRAMIDS = ["manual", "automatic"]


def topic_gaps(data: StudyData, units: pd.DataFrame, labels: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Return the mean manual and automatic score of each topic, their difference, and the assessor."""
    tables = data.tables("all_peers", requested=[metric])
    manual = tables.judgments[tables.judgments["metric"] == metric].dropna(subset="score")
    rows = [row for corpus in data.corpora for row in score_by_units(corpus, units, tables.humans)]
    automatic = pd.DataFrame(rows, columns=[*KEYS, "automatic"])
    scores = manual.rename(columns={"score": "manual"}).merge(automatic, on=KEYS).dropna(subset="automatic")
    if scores.empty:
        raise InputError(f"no summary with a score of {metric} is of a topic with content units")
    by_topic = scores.groupby(["year", "task", "metric", "topic"])
    of_topics = by_topic[BOTH_PYRAMIDS].mean().reset_index()
    difference = of_topics["manual"] - of_topics["automatic"]
    return add_labels(of_topics.assign(difference=difference), labels, "assessor")


def order_by_gap(gaps: pd.DataFrame) -> AssessorOrders:
    """Order the assessors of each year and measure by their mean mP-aP, the lowest first: they missed most content.

    Rankel (2016), section 6.2.
    """
    means = gaps.groupby(["year", "metric", "assessor"])["difference"].mean()
    return order_assessors(means.rename("value").reset_index())


def gap_exclusion(
    data: StudyData, units: pd.DataFrame, labels: pd.DataFrame, *, metric: str = PYRAMID
) -> Result:
    """Leave out the assessors whose manual pyramids are lowest beside automatic ones: mP-aP in Tables 6.2 to 6.4."""
    order = order_by_gap(topic_gaps(data, units, labels, metric))
    tables = data.tables("all_peers")
    ratings = add_labels(select_rows(tables.judgments, "metric", [metric]), labels, "assessor")
    return tables.result(GAP_EXCLUSION, [({}, exclude_in_order(ratings, order, tables.scores))])


def score_by_units(
    corpus: Corpus, units: pd.DataFrame, humans: Humans
) -> Iterator[tuple[str, str, str, str, float]]:
    """Yield the automatic score of each summary of a topic that has content units."""
    keys = [name for name in KEYS[:3] if name in units]
    of_topics = dict(iter(units.groupby(keys)))
    for topic in corpus.topics:
        units_of_topic = of_topics.get(tuple(getattr(topic, name) for name in keys))
        if units_of_topic is None:
            continue
        writers = [
            name for name in units_of_topic["summarizer"].unique() if humans.get((topic.year, name), False)
        ]
        for summary in topic.summaries:
            of_others = units_of_topic[units_of_topic["summarizer"] != summary.summarizer]
            score = automatic_pyramid(join_spaces(" ".join(summary.text)), of_others, writers)
            yield *topic.key, summary.summarizer, score


def automatic_pyramid(text: str, units: pd.DataFrame, writers: list[str]) -> float:
    """Score a text by the units that it contains word for word; NaN if no human has a unit."""
    human_units = units[units["summarizer"].isin(writers)]
    if human_units.empty:
        return float("nan")
    weights = human_units.groupby("unit")["summarizer"].nunique()
    n_units = ceil(weights.sum() / human_units["summarizer"].nunique())
    best = weights.sort_values(ascending=False).head(n_units).sum()
    units_in_text = {unit for unit, words in zip(units["unit"], units["text"], strict=True) if words in text}
    return min(1.0, float(weights[weights.index.isin(units_in_text)].sum() / best))


def join_spaces(text: str) -> str:
    """Replace every run of white space by one space."""
    return " ".join(text.split())
