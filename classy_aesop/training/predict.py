"""Step seven: predict the last year; every prediction beside its interval and what it is judged by."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.baselines.rouge import rouge
from classy_aesop.config import Place, Run
from classy_aesop.data import KEYS, empty_table
from classy_aesop.data.scores import with_places
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.features.columns import group_of
from classy_aesop.predictor.calibration import CONFIDENCE, groups_of
from classy_aesop.training.trained import TrainedRun
from classy_aesop.training.years import YearData

SPREAD = ["metric", "part", "group", "mean", "spread"]
"""The columns of `contributions`."""


@dataclass(frozen=True)
class PredictedRun:
    """What a run predicts of a year, and what is held against it.

    Parameters
    ----------
    trained : TrainedRun
        The run with its predictor.
    features : DataFrame
        The rows of its task and peers in the year's feature table.
    scores : DataFrame
        A score table, row by row the same: the predictions.
    truth : DataFrame
        Another: the human scores, NaN where nobody judged.
    rouge : DataFrame
        The score table of ROUGE there, or of the imported metrics; empty if there is none.
    """

    trained: TrainedRun
    features: pd.DataFrame
    scores: pd.DataFrame
    truth: pd.DataFrame
    rouge: pd.DataFrame

    @property
    def run(self) -> Run:
        """The run, as planned."""
        return self.trained.run


def predict(
    trained: Iterable[TrainedRun], year: YearData, rouges: Mapping[Place, pd.DataFrame] | None = None
) -> tuple[PredictedRun, ...]:
    """Predict the summaries of each run's task and peers; ``rouges`` are those of `baselines`, by default none."""
    predicted = []
    for one in trained:
        part = year.places[one.run.place]
        truth = part.judgments.get(one.run.target, float("nan"))
        keys, rouge = part.features[KEYS], empty_table() if rouges is None else rouges[one.run.place]
        if one.held_out is None:
            scores = with_places(one.predictor.score(part.features, unmet=year.unmet))
        else:
            scores = keys.assign(metric=one.predictor.name, score=one.held_out)
        predicted.append(PredictedRun(one, part.features, scores, keys.assign(score=truth), rouge))
    return tuple(predicted)


def baselines(runs: Iterable[Run], year: YearData) -> dict[Place, pd.DataFrame]:
    """Compute ROUGE-2 and ROUGE-SU4 for each place: systems are jackknifed where humans are among the peers.

    Where no reference can be left out, a `DataWarning` says so and the place has no ROUGE; nor has one without
    references. Without texts these are the
    imported metrics.
    """
    return {place: _baseline(place, year) for place in dict.fromkeys(run.place for run in runs)}


def _baseline(place: Place, year: YearData) -> pd.DataFrame:
    features = year.places[place].features
    if not year.has_texts:
        long = features.melt(KEYS, list(year.imported), var_name="metric", value_name="score")
        return long.dropna(subset="score")
    topics = [topic for topic in year.corpus.topics if topic.task == place.task]
    if not any(topic.references for topic in topics):
        return empty_table()
    try:
        scores = rouge(topics, jackknife=place.peers == "all_peers")
    except InputError as error:
        warnings.warn(f"{place.peers}: ROUGE is left out: {error}", DataWarning, stacklevel=4)
        return empty_table()
    return with_places(scores).merge(features[KEYS], on=KEYS, how="inner")


def points(predicted: Sequence[PredictedRun], ratings: pd.DataFrame) -> pd.DataFrame:
    """Put beside each prediction its interval, what is outside the training range, and the human score.

    Returns
    -------
    DataFrame
        The rows of all predictions with ``low, high`` (confidence `CONFIDENCE`; NaN without a calibration),
        ``outside`` (columns outside the training range), ``human`` and ``judged`` (NaN where there is no judgment); and
        if the ``ratings`` of the year name their assessors ``assessor``, joined by ``+``.
    """
    parts = []
    for one in predicted:
        human = one.features["human"].to_numpy(bool)
        half = one.trained.predictor.half_widths(one.scores.assign(group=groups_of(human)), CONFIDENCE)
        parts.append(
            one.scores.assign(
                low=one.scores["score"] - half,
                high=one.scores["score"] + half,
                outside=_outside(one),
                human=human,
                judged=one.truth["score"].to_numpy(float),
            )
        )
    table = pd.concat(parts, ignore_index=True)
    if "assessor" not in ratings or not (ratings["assessor"] != "").any():
        return table
    target = table["metric"].map({one.trained.predictor.name: one.run.target for one in predicted})
    who = ratings.groupby([*KEYS, "metric"])["assessor"].agg(lambda names: "+".join(sorted(set(names))))
    judged = pd.MultiIndex.from_frame(table[KEYS].assign(metric=target))
    return table.assign(assessor=who.reindex(judged).fillna("").to_numpy())


def _outside(one: PredictedRun) -> list[str]:
    columns, seen = one.trained.predictor.columns, one.trained.predictor.training_range
    if seen is None:
        return [""] * len(one.features)
    return seen.outside(one.features[list(columns)].to_numpy(float), columns)


def contributions(predicted: Iterable[PredictedRun]) -> pd.DataFrame:
    """Give how much each column moves the predictions, in units of the human measure.

    Returns
    -------
    DataFrame
        A row a predictor and column: ``metric, part, group``, the ``mean`` of its contributions (see
        `classy_aesop.predictor.explanation`) and their ``spread``, the standard deviation over summaries.
    """
    rows: list[tuple[object, ...]] = []
    for one in predicted:
        predictor = one.trained.predictor
        if predictor.training_range is None:
            continue
        added = predictor.contributions(one.features)[:, 1:]
        added = added[~np.isnan(added).any(axis=1)]
        ends = (added.mean(axis=0), added.std(axis=0)) if len(added) else 2 * ([np.nan] * len(added.T),)
        for part, mean, spread in zip(predictor.parts[1:], *ends, strict=True):
            rows.append((predictor.name, part, group_of(part), float(mean), float(spread)))
    return pd.DataFrame(rows, columns=SPREAD)
