"""Rankel (2016), the dissertation: assessors and their topics, and manual pyramid scores beside automatic ones.

Assessors whose pyramids are doubtful are those with the lowest alpha on identical texts, or those with the lowest mean
of manual less automatic pyramids (mP-aP): they missed content that they had found in other summaries (section 6.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import ceil
from pathlib import Path
from typing import Any

import pandas as pd

from classy_aesop.answers.assessors import without_first, worst_first
from classy_aesop.answers.score_matrices import only
from classy_aesop.config import Config
from classy_aesop.data import KEYS, natural
from classy_aesop.data.corpus import Corpus
from classy_aesop.data.scores import correlations
from classy_aesop.errors import InputError, UsageError, about_data
from classy_aesop.papers.assessor_effects import AssessorEffects, assessor_effects
from classy_aesop.papers.judged import LEVELS, StudyData, rows_of_topics, with_labels
from classy_aesop.papers.printed import with_printed, with_printed_exclusion
from classy_aesop.reading import Humans
from classy_aesop.significance.equality import ROUNDING
from classy_aesop.training.assess import predict_year
from classy_aesop.training.experiment import train_runs
from classy_aesop.training.plan import plan_tasks
from classy_aesop.training.years import YearData, extract

RETRAINED = "Rankel (2016), Table 6.5"
PYRAMID = "pyramid"

CATEGORIES = (
    "Accidents and Natural Disasters",
    "Attacks",
    "Health and Safety",
    "Endangered Resources",
    "Trials and Investigations",
)
"""The categories of TAC 2011 in the order of their numbers."""


def topic_counts(data: StudyData, labels: pd.DataFrame) -> pd.DataFrame:
    """Count the topics of each assessor and category: Table 3.1.

    Columns: ``year, task, assessor, category, n_topics`` of each pair that occurs; with ``printed`` where the data are
    the paper's, whose categories have names, or numbers from 1. InputError if a topic has no assessor or category.
    """
    judgments = data.tables("all_peers", score=None).judgments
    topics = judgments[["year", "topic", "task"]].drop_duplicates()
    labelled = with_labels(with_labels(topics, labels, "assessor"), labels, "category")
    counts = labelled.groupby(["year", "task", "assessor", "category"])["topic"].size()
    table = counts.rename("n_topics").reset_index()
    numbers = {str(number): name for number, name in enumerate(CATEGORIES, 1)}
    keyed = table.assign(paper_category=table["category"].replace(numbers))
    keys = ["assessor", "paper_category"]
    keyed = with_printed(keyed, judgments, "Rankel (2016), Table 3.1", keys, {"n_topics": "printed"})
    return keyed.drop(columns="paper_category")


def effects_table(
    data: StudyData, labels: pd.DataFrame, *, metrics: Sequence[str] | None = None
) -> pd.DataFrame:
    """The additive model of assessors and categories on the mean scores of topics: section 3.1.

    A row for each assessor and category: ``year, task, metric, kind`` (``assessor`` or ``category``), ``name, effect,
    error`` (its standard error), ``mean`` (of all combinations), ``n`` (topics); and of the test that all assessors
    are alike ``statistic`` (F), ``df, df_error, p, flag``. InputError if a topic lacks either, or effects cannot be
    separated.
    """
    judgments = only(data.tables("all_peers", score=None).judgments, "metric", metrics).dropna(subset="score")
    rows = []
    for (year, task, metric), group in judgments.groupby(["year", "task", "metric"]):
        of_topics = group.groupby(["year", "topic", "task"], sort=False)["score"].mean().reset_index()
        labelled = with_labels(with_labels(of_topics, labels, "assessor"), labels, "category")
        with about_data():
            found = assessor_effects(
                labelled["score"], labelled["assessor"].tolist(), labelled["category"].tolist()
            )
        rows += [{"year": year, "task": task, "metric": metric, **row} for row in _effects(found)]
    return pd.DataFrame(rows)


def _effects(found: AssessorEffects) -> Iterator[dict[str, object]]:
    test = {name: getattr(found, name) for name in ("mean", "n", "statistic", "df", "df_error", "p", "flag")}
    for kind, names in (("assessor", found.assessors), ("category", found.categories)):
        effects, errors = getattr(found, f"{kind}_effects"), getattr(found, f"{kind}_errors")
        for name, effect, error in zip(names, effects, errors, strict=True):
            yield {"kind": kind, "name": name, "effect": float(effect), "error": float(error), **test}


def retraining(
    config: Config,
    *,
    labels: pd.DataFrame | None = None,
    assessors: Sequence[str] | None = None,
    units: pd.DataFrame | None = None,
    worst: int = 2,
    n_jobs: int = 1,
    progress: bool = False,
) -> pd.DataFrame:
    """Train with and without the topics of some assessors in the training years: Table 6.5.

    Parameters
    ----------
    config : Config
        The experiment: two or three years, of which the last is predicted.
    labels : DataFrame, optional
        The assessor of each topic, as of `read_topic_labels`; by default the judgments name them.
    assessors : sequence of str, optional
        Whose topics are left out; by default the ``worst`` by alpha on identical texts, in each training year and for
        each measure.
    units : DataFrame, optional
        As of `read_units`. With it the worst are those by manual minus automatic pyramids, which concerns the runs that
        learn ``pyramid`` alone: row (b).

    Returns
    -------
    DataFrame
        A row for each run and level: `RETRAINING`, of which ``before`` and ``after`` are Pearson's correlations with
        the predicted year, ``n_topics`` and ``n_left`` topics and tasks of the training years. With
        ``printed_before`` where the data are the paper's, and ``printed_after`` if the assessors are the worst.
    """
    if worst < 1:
        raise UsageError(f"worst is {worst}; expected 1 or more")
    years = extract(config, n_jobs=n_jobs, progress=progress)
    if len(years) < 2:
        raise InputError("found one year; expected two or three, of which the last is predicted")
    targets = dict.fromkeys(task.run.target for task in plan_tasks(config, years)[0])
    if units is not None:
        if labels is None or PYRAMID not in targets:
            raise UsageError(f"content units go with a table of topics and runs that learn {PYRAMID}")
        targets = {PYRAMID: None}
    without = {target: _without(years, target, labels, assessors, units, worst) for target in targets}
    before = _correlations(config, years, None, n_jobs, progress)
    parts = []
    for target, (fewer, counts) in without.items():
        after = _correlations(config, fewer, target, n_jobs, progress)
        merged = before[before["target"] == target].merge(after, on=[*IDS, "level"], suffixes=("", "_after"))
        parts.append(merged.assign(**counts))
    table = pd.concat(parts, ignore_index=True).rename(columns={"value": "before", "value_after": "after"})
    change = table["after"] - table["before"]
    table = table.assign(change=change.where(change.abs() > ROUNDING, 0.0), year=years[-1].name)[RETRAINING]
    keys = ["metric", "target", "level"]
    printed = {"before": "printed_before"}
    if assessors is None:
        printed["after" if units is None else "after_by_gap"] = "printed_after"
    keyed = table.assign(after_by_gap=table["after"])
    keyed = with_printed(keyed, years[-1].corpus.judgments, RETRAINED, keys, printed)
    return keyed.drop(columns="after_by_gap")


IDS = ["task", "peers", "target", "run", "metric"]
RETRAINING = ["year", *IDS, "level", "before", "after", "change", "excluded", "n_topics", "n_left"]
"""The columns of `retraining`."""


def _correlations(
    config: Config, years: Sequence[YearData], target: str | None, n_jobs: int, progress: bool
) -> pd.DataFrame:
    """Train the runs of a target (None: all) and give their Pearson correlations."""
    tasks = [task for task in plan_tasks(config, years)[0] if target in (None, task.run.target)]
    trained, _ = train_runs(tasks, n_jobs=n_jobs, progress=progress)
    if not trained:
        raise InputError("no run is left to train")
    rows = []
    for one in predict_year(trained, years[-1]):
        run, name = one.run, one.trained.predictor.name
        every = correlations(one.scores, one.truth)
        found = (values for values in every if values[1] == "pearson" and values[0] in LEVELS)
        rows += [
            (run.task, run.peers, run.target, run.name, name, level, value) for level, _, value, *_ in found
        ]
    return pd.DataFrame(rows, columns=[*IDS, "level", "value"])


def _without(
    years: Sequence[YearData],
    target: str,
    labels: pd.DataFrame | None,
    assessors: Sequence[str] | None,
    units: pd.DataFrame | None,
    worst: int,
) -> tuple[tuple[YearData, ...], dict[str, Any]]:
    """Leave topics out of the training years; give the years, whose topics were left out, and their numbers."""
    *training, last = years
    kept, taken_out = [], []
    n_topics = n_left = 0
    for year in training:
        ratings = _ratings(year.corpus, labels, target)
        if assessors is not None:
            out = list(assessors)
        elif units is None or labels is None:
            out = worst_first(ratings, year.corpus, metrics=[target])[year.name, target][:worst]
        else:
            gaps = _gaps(StudyData([year.corpus]), units, labels, target)
            out = order_by_gap(gaps)[year.name, target][:worst]
        excluded = ratings[ratings["assessor"].isin(out)]
        gone = set(zip(excluded["topic"], excluded["task"], strict=True))
        rows = [key not in gone for key in zip(year.features["topic"], year.features["task"], strict=True)]
        tables = {
            name: getattr(year, name)[rows].reset_index(drop=True) for name in ("features", "judgments")
        }
        left = tuple(topic for topic in year.corpus.topics if (topic.topic, topic.task) not in gone)
        kept.append(replace(year, corpus=year.corpus.with_topics(left), **tables))
        taken_out.append("+".join(out))
        n_topics, n_left = n_topics + len(year.corpus), n_left + len(left)
    if n_left == n_topics:
        raise InputError(
            f"{target}: no topic of the training years is of {' or '.join(taken_out)}; expected one"
        )
    counts = {"excluded": ", ".join(dict.fromkeys(taken_out)), "n_topics": n_topics, "n_left": n_left}
    return (*kept, last), counts


def _ratings(corpus: Corpus, labels: pd.DataFrame | None, target: str) -> pd.DataFrame:
    """Give the scores of a measure with their assessors."""
    if labels is not None:
        scores = corpus.judgments
        return with_labels(scores[scores["metric"] == target], labels, "assessor")
    scores = corpus.ratings
    if "assessor" not in scores or not (scores["assessor"] != "").any():
        raise InputError("no judgment names its assessor; expected a table of topics (--topic-labels)")
    return scores[scores["metric"] == target]


UNITS = ("year", "topic", "task", "unit", "summarizer", "text")
"""The columns of a table of content units; year and task may be missing."""


def read_units(path: str | Path) -> pd.DataFrame:
    """Read a tab-separated table of content units, a row a contributor: `UNITS`, the text with single spaces.

    InputError if a column is missing, or a row has another number of cells than the header or no text.
    """
    needed = {"unit", "summarizer", "text"}
    table, lines = rows_of_topics(path, UNITS, "unit, summarizer and text", needed.issubset)
    even = table.assign(text=table["text"].map(_even))
    empty = even["text"] == ""
    if empty.any():
        raise InputError(
            "no text; expected the words of a contributor", path=path, line=lines[int(empty.argmax())]
        )
    return even


def pyramid_gap(
    data: StudyData, units: pd.DataFrame, labels: pd.DataFrame, *, metric: str = PYRAMID
) -> pd.DataFrame:
    """Average the manual pyramid scores less the automatic ones by topic, then by assessor: Figure 6.3.

    A content unit is a fact, its contributors are the words in which summaries express it. The automatic score counts
    a unit where a contributor of another summary occurs in the summary word for word. The weight of a unit is the
    number of humans among its contributors, the summary's own writer left out. A score is the sum of the weights of
    the units that are found, divided by the best sum for as many units as the mean human contributes, rounded up.

    A row for each assessor: ``year, task, metric, assessor, n_topics, manual, automatic, difference`` (means over
    topics, of the summaries that have both) and ``error``, the standard error of the difference; NaN for one topic.
    InputError if no scored summary is of a topic with content units, or a topic has no assessor.
    """
    by = _gaps(data, units, labels, metric).groupby(["year", "task", "metric", "assessor"])
    means = by[["manual", "automatic", "difference"]].mean()
    table = means.assign(n_topics=by["topic"].size(), error=by["difference"].sem()).reset_index()
    return table[
        ["year", "task", "metric", "assessor", "n_topics", "manual", "automatic", "difference", "error"]
    ]


def _gaps(data: StudyData, units: pd.DataFrame, labels: pd.DataFrame, metric: str) -> pd.DataFrame:
    """Give the mean manual and automatic score of each topic, their difference, and the assessor."""
    tables = data.tables("all_peers", wanted=[metric])
    manual = tables.judgments[tables.judgments["metric"] == metric].dropna(subset="score")
    found = [part for corpus in data.corpora for part in _automatic(corpus, units, tables.humans)]
    scores = pd.DataFrame(found, columns=[*KEYS, "automatic"])
    both = manual.rename(columns={"score": "manual"}).merge(scores, on=KEYS).dropna(subset="automatic")
    if both.empty:
        raise InputError(f"no summary with a score of {metric} is of a topic with content units")
    of_topics = (
        both.groupby(["year", "task", "metric", "topic"])[["manual", "automatic"]].mean().reset_index()
    )
    difference = of_topics["manual"] - of_topics["automatic"]
    return with_labels(of_topics.assign(difference=difference), labels, "assessor")


def order_by_gap(gaps: pd.DataFrame) -> dict[tuple[str, str], list[str]]:
    """Order the assessors of each year and measure by their mean mP-aP, the lowest first: they missed most content.

    Rankel (2016), section 6.2. Of equal assessors the first in the order of names comes first.
    """
    means = gaps.groupby(["year", "metric", "assessor"])["difference"].mean().reset_index()
    ordered = means.assign(gap=means["difference"].round(12), name=means["assessor"].map(natural))
    parts = ordered.sort_values(["gap", "name"]).groupby(["year", "metric"])
    return {(str(year), str(metric)): own["assessor"].tolist() for (year, metric), own in parts}


def gap_exclusion(
    data: StudyData, units: pd.DataFrame, labels: pd.DataFrame, *, metric: str = PYRAMID, worst: int = 2
) -> pd.DataFrame:
    """Leave out the assessors whose manual pyramids are lowest beside automatic ones: mP-aP in Tables 6.2 to 6.4.

    Units and labels are as for :func:`pyramid_gap`, the table as of
    :func:`classy_aesop.answers.assessors.assessor_exclusion`; ``worst`` are left out at most. With ``printed_pearson``
    and so on where the data are the paper's.
    """
    orders = order_by_gap(_gaps(data, units, labels, metric))
    tables = data.tables("all_peers")
    ratings = with_labels(only(tables.judgments, "metric", [metric]), labels, "assessor")
    table = without_first(ratings, orders, worst=worst, scores=tables.scores)
    return with_printed_exclusion(table, tables.judgments, order="mP-aP")


def _automatic(corpus: Corpus, units: pd.DataFrame, humans: Humans) -> Iterator[tuple[object, ...]]:
    """Give the automatic score of each summary of a topic that has content units."""
    keys = [name for name in ("year", "topic", "task") if name in units]
    of_topics = dict(iter(units.groupby(keys)))
    for topic in corpus.topics:
        units_of_topic = of_topics.get(tuple(getattr(topic, name) for name in keys))
        if units_of_topic is None:
            continue
        writers = [
            name for name in units_of_topic["summarizer"].unique() if humans.get((topic.year, name), False)
        ]
        for one in topic.summaries:
            others = units_of_topic[units_of_topic["summarizer"] != one.summarizer]
            score = automatic_pyramid(_even(" ".join(one.text)), others, writers)
            yield *topic.key, one.summarizer, score


def automatic_pyramid(text: str, units: pd.DataFrame, writers: list[str]) -> float:
    """Score a text by the units that it contains word for word; NaN if no human has a unit."""
    human_units = units[units["summarizer"].isin(writers)]
    if human_units.empty:
        return float("nan")
    weights = human_units.groupby("unit")["summarizer"].nunique()
    n_units = ceil(weights.sum() / human_units["summarizer"].nunique())
    best = weights.sort_values(ascending=False).head(n_units).sum()
    found = {unit for unit, words in zip(units["unit"], units["text"], strict=True) if words in text}
    return min(1.0, float(weights[weights.index.isin(found)].sum() / best))


def _even(text: str) -> str:
    return " ".join(text.split())
