"""Manual pyramid scores less automatic ones, by assessor: Rankel (2016), Figure 6.3.

A content unit is a fact, its contributors are the words in which summaries express it. The automatic score counts
a unit where a contributor of another summary occurs in the summary word for word.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from pathlib import Path

import pandas as pd

from classy_aesop.data import KEYS, Humans
from classy_aesop.data.corpus import Corpus
from classy_aesop.errors import InputError
from classy_aesop.studies.judged import StudyData
from classy_aesop.studies.topic_labels import rows_of_topics, with_labels

COLUMNS = ("year", "topic", "task", "unit", "summarizer", "text")
"""The columns of a table of content units; year and task may be missing."""


def read_units(path: str | Path) -> pd.DataFrame:
    """Read a tab-separated table of content units, a row a contributor.

    Returns
    -------
    DataFrame
        Those of `COLUMNS` that the file has, the text with single spaces.

    Raises
    ------
    InputError
        If a column is missing, or a row has another number of cells than the header or no text.
    """
    needed = {"unit", "summarizer", "text"}
    table, lines = rows_of_topics(path, COLUMNS, "unit, summarizer and text", needed.issubset)
    even = table.assign(text=table["text"].map(_even))
    empty = even["text"] == ""
    if empty.any():
        raise InputError(
            "no text; expected the words of a contributor", path=path, line=lines[int(empty.argmax())]
        )
    return even


def pyramid_gap(
    data: StudyData, units: pd.DataFrame, labels: pd.DataFrame, *, metric: str = "pyramid"
) -> pd.DataFrame:
    """Average the manual scores less the automatic ones by topic, then by assessor.

    Parameters
    ----------
    data : StudyData
        The corpora and peers; by default all peers.
    units : DataFrame
        As of `read_units`. The weight of a unit is the number of humans among its contributors, the summary's own
        writer left out. A score is the sum of the weights of the units that are found, divided by the best sum for as
        many units as the mean human contributes, rounded up.
    labels : DataFrame
        The assessor of each topic, as of `read_topic_labels`.
    metric : str
        The manual pyramid score.

    Returns
    -------
    DataFrame
        A row for each assessor: ``year, task, metric, assessor, n_topics, manual, automatic, difference`` (means over
        topics, of the summaries that have both) and ``error``, the standard error of the difference; NaN for one topic.

    Raises
    ------
    InputError
        If no scored summary is of a topic with content units, or a topic has no assessor.
    """
    tables = data.tables("all_peers", wanted=[metric])
    manual = tables.judgments[tables.judgments["metric"] == metric].dropna(subset="score")
    found = [part for corpus in data.corpora for part in _automatic(corpus, units, tables.humans)]
    scores = pd.DataFrame(found, columns=[*KEYS, "automatic"])
    both = manual.rename(columns={"score": "manual"}).merge(scores, on=KEYS).dropna(subset="automatic")
    if both.empty:
        raise InputError(f"no summary with a score of {metric} is of a topic with content units")
    topic = ["year", "task", "metric", "topic"]
    of_topics = both.groupby(topic)[["manual", "automatic"]].mean().reset_index()
    labelled = with_labels(of_topics, labels, "assessor")
    groups = labelled.assign(difference=labelled["manual"] - labelled["automatic"])
    by = groups.groupby(["year", "task", "metric", "assessor"])
    means = by[["manual", "automatic", "difference"]].mean()
    table = means.assign(n_topics=by["topic"].size(), error=by["difference"].sem()).reset_index()
    return table[
        ["year", "task", "metric", "assessor", "n_topics", "manual", "automatic", "difference", "error"]
    ]


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
    """Score a text by the units that it contains word for word; NaN if no human has a unit.

    Examples
    --------
    >>> rows = [("1", "A", "it rained"), ("1", "B", "rain fell"), ("2", "A", "it was cold")]
    >>> units = pd.DataFrame(rows, columns=["unit", "summarizer", "text"])
    >>> automatic_pyramid("On Monday rain fell.", units, ["A", "B"])
    0.6666666666666666
    """
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
