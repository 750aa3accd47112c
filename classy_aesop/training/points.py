"""Every prediction beside what it is judged by: its interval, the human score, who wrote the summary."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from classy_aesop.features.columns import group_of
from classy_aesop.predictor.calibration import CONFIDENCE
from classy_aesop.scores import KEYS
from classy_aesop.training.assess import truth_of
from classy_aesop.training.designs import Place, rows_of_place
from classy_aesop.training.extract import YearData
from classy_aesop.training.record import TrainedRun

SPREAD = ["metric", "part", "group", "mean", "spread"]
"""The columns of `contributions`."""


def points(trained: Sequence[TrainedRun], predictions: pd.DataFrame, year: YearData) -> pd.DataFrame:
    """Put beside each prediction its interval, what is outside the training range, and the human score.

    Returns
    -------
    DataFrame
        The rows of ``predictions`` with ``low, high`` (confidence `CONFIDENCE`; NaN without a calibration),
        ``outside`` (columns outside the training range), ``human`` and ``judged`` (NaN where there is no judgment); and
        if judgments name their assessors ``assessor``, joined by ``+``.
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
    return _with_assessors(pd.concat(parts, ignore_index=True), trained, year.corpus.ratings)


def _with_assessors(
    table: pd.DataFrame, trained: Sequence[TrainedRun], ratings: pd.DataFrame
) -> pd.DataFrame:
    """Add who judged each summary, if anybody is named."""
    if "assessor" not in ratings or not (ratings["assessor"] != "").any():
        return table
    target = table["metric"].map({one.predictor.name: one.run.target for one in trained})
    who = ratings.groupby([*KEYS, "metric"])["assessor"].agg(lambda names: "+".join(sorted(set(names))))
    own = pd.MultiIndex.from_frame(table[KEYS].assign(metric=target))
    return table.assign(assessor=who.reindex(own).fillna("").to_numpy())


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
