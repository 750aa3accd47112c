"""Every prediction beside what it is judged by: its interval, the human score, who wrote the summary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from classy_aesop.features.columns import group_of
from classy_aesop.predictor.calibration import Calibration
from classy_aesop.training.assess import truth_of
from classy_aesop.training.designs import Place, rows_of_place
from classy_aesop.training.extract import YearData
from classy_aesop.training.trained import TrainedRun

CONFIDENCE = 0.9
"""Confidence of the intervals beside the predictions."""

SPREAD = ["metric", "part", "group", "mean", "spread"]
"""The columns of `contributions`."""


def points(trained: Sequence[TrainedRun], predictions: pd.DataFrame, year: YearData) -> pd.DataFrame:
    """Put beside each prediction its interval, what is outside the training range, and the human score.

    Returns
    -------
    DataFrame
        The rows of ``predictions`` with ``low, high`` (confidence `CONFIDENCE`; NaN without a calibration),
        ``outside`` (columns outside the training range), ``human`` and ``judged`` (NaN where there is no judgment).
    """
    parts = []
    for one in trained:
        own = predictions[predictions["metric"] == one.predictor.name]
        rows = rows_of_place(year, Place(one.run.task, one.run.peers))
        half = _half_width(one)
        parts.append(
            own.assign(
                low=own["score"] - half,
                high=own["score"] + half,
                outside=_outside(one, year.features[rows]),
                human=year.features.loc[rows, "human"].to_numpy(bool),
                judged=truth_of(one.run, year).loc[rows, "score"].to_numpy(float),
            )
        )
    return pd.concat(parts, ignore_index=True)


def contributions(trained: Sequence[TrainedRun], year: YearData) -> pd.DataFrame:
    """Say how much each column moves the predictions of the year, in units of the human measure.

    Returns
    -------
    DataFrame
        A row a predictor and column: ``metric, part, group``, the ``mean`` of its contributions (see
        `classy_aesop.predictor.explanation`) and their ``spread``, the standard deviation over summaries.
    """
    rows: list[tuple[object, ...]] = []
    for one in trained:
        predictor = one.predictor
        if predictor.training_range is None:
            continue
        table = year.features[rows_of_place(year, Place(one.run.task, one.run.peers))]
        values = table[list(predictor.columns)].to_numpy(float)
        added, _ = predictor.formula.contributions(values, np.array(predictor.training_range.mean))
        added = added[~np.isnan(added).any(axis=1)]
        ends = (added.mean(axis=0), added.std(axis=0)) if len(added) else 2 * ([np.nan] * len(added.T),)
        for part, mean, spread in zip(predictor.columns, *ends, strict=True):
            rows.append((predictor.name, part, group_of(part), float(mean), float(spread)))
    return pd.DataFrame(rows, columns=SPREAD)


def means(points: pd.DataFrame, calibration: Calibration | None) -> pd.DataFrame:
    """Average one run's points by summarizer, over the topics that have both a prediction and a judgment.

    Returns
    -------
    DataFrame
        ``summarizer, human, n_topics, score, judged`` and the ends of the interval of ``score``, ``low`` and ``high``
        (confidence `CONFIDENCE`; NaN without a calibration).
    """
    both = points.dropna(subset=["score", "judged"])
    found = both.groupby("summarizer", sort=False).agg(
        human=("human", "first"),
        n_topics=("score", "size"),
        score=("score", "mean"),
        judged=("judged", "mean"),
    )
    found = found.reset_index()
    half = np.full(len(found), np.nan)
    if calibration is not None and CONFIDENCE in calibration.levels:
        half = calibration.of_means(CONFIDENCE, found["n_topics"].to_numpy())
    return found.assign(low=found["score"] - half, high=found["score"] + half)


def residuals(points: pd.DataFrame) -> pd.DataFrame:
    """Say for each topic how far one run's predictions are below the human scores.

    Returns
    -------
    DataFrame
        ``topic, n``, the ``mean`` of human score less prediction, and its quartiles ``low`` and ``high``; the topic
        that is most underrated first.
    """
    both = points.dropna(subset=["score", "judged"])
    off = (both["judged"] - both["score"]).groupby(both["topic"], sort=False)
    found = pd.DataFrame(
        {"n": off.size(), "mean": off.mean(), "low": off.quantile(0.25), "high": off.quantile(0.75)}
    )
    return found.sort_values("mean", ascending=False, kind="stable").reset_index()


def _half_width(one: TrainedRun) -> float:
    """Give the half-width of a summary's interval, NaN where there is none."""
    calibration = one.predictor.calibration
    if calibration is None or CONFIDENCE not in calibration.levels:
        return float("nan")
    return calibration.of_summary(CONFIDENCE)


def _outside(one: TrainedRun, table: pd.DataFrame) -> list[str]:
    columns, seen = one.predictor.columns, one.predictor.training_range
    if seen is None:
        return [""] * len(table)
    return seen.outside(table[list(columns)].to_numpy(float), columns)
