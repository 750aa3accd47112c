"""Step ten: predict the last year and correlate the predictions, and ROUGE, with its judgments."""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import pandas as pd

from classy_aesop.baselines.rouge import rouge
from classy_aesop.config import Run
from classy_aesop.corpus.copies import unmet
from classy_aesop.errors import DataWarning, InputError
from classy_aesop.scores import KEYS, empty_table
from classy_aesop.scores.correlations import COLUMNS, correlations
from classy_aesop.training.designs import Place, measure_columns, rows_of_place
from classy_aesop.training.extract import YearData
from classy_aesop.training.record import TrainedRun


def predict(trained: Sequence[TrainedRun], year: YearData) -> pd.DataFrame:
    """Give the score table of the predicted year: every run's predictions for the summaries of its task and peers."""
    return pd.concat([_predictions(one, year) for one in trained], ignore_index=True)


def _predictions(trained: TrainedRun, year: YearData) -> pd.DataFrame:
    rows = rows_of_place(year, Place(trained.run.task, trained.run.peers))
    table = year.features[rows]
    if trained.held_out is None:
        return trained.predictor.score(table, unmet=unmet(year.corpus))
    return table[KEYS].assign(metric=trained.predictor.name, score=trained.held_out)


def baselines(runs: Sequence[Run], year: YearData) -> dict[Place, pd.DataFrame]:
    """Compute ROUGE-2 and ROUGE-SU4 for each place: systems are jackknifed where humans are among the peers.

    Where no reference can be left out, a `DataWarning` says so and the place has no ROUGE. Without texts these are the
    imported metrics.
    """
    places = dict.fromkeys(Place(run.task, run.peers) for run in runs)
    return {place: _baseline(place, year) for place in places}


def _baseline(place: Place, year: YearData) -> pd.DataFrame:
    topics = [topic for topic in year.corpus.topics if topic.task == place.task]
    try:
        scores = rouge(topics, jackknife=place.peers == "all_peers") if topics else _imported(year)
    except InputError as error:
        warnings.warn(f"{place.peers}: ROUGE is left out: {error}", DataWarning, stacklevel=4)
        return empty_table()
    peers = year.features.loc[rows_of_place(year, place), KEYS]
    return scores.merge(peers, on=KEYS, how="inner")


def _imported(year: YearData) -> pd.DataFrame:
    """Give the scores of each imported metric, which stand in for ROUGE in a year without texts."""
    long = year.features.melt(KEYS, list(year.imported), var_name="metric", value_name="score")
    return long.dropna(subset="score")


def assess(
    trained: Sequence[TrainedRun],
    predictions: pd.DataFrame,
    rouges: dict[Place, pd.DataFrame],
    year: YearData,
) -> pd.DataFrame:
    """Correlate each run's predictions with the run's target, and ROUGE with every target at its place.

    Returns
    -------
    DataFrame
        A row a run, level and coefficient; then a row a target, place, ROUGE metric, level and coefficient, whose
        ``run`` and ``fitter`` are empty. Targets that the predicted year does not hold give none.
    """
    rows: list[tuple[object, ...]] = []
    for one in trained:
        own = predictions[predictions["metric"] == one.predictor.name]
        place = one.run.target, one.run.task, one.run.peers
        ids = one.run.name, *place, one.predictor.fitter, one.predictor.name
        rows.extend((*ids, *found) for found in correlations(own, truth_of(one.run, year)))
    for run in {(one.run.target, one.run.task, one.run.peers): one.run for one in trained}.values():
        for metric, scores in rouges[Place(run.task, run.peers)].groupby("metric", sort=False):
            names = "", run.target, run.task, run.peers, "", metric
            rows.extend((*names, *found) for found in correlations(scores, truth_of(run, year)))
    return pd.DataFrame(rows, columns=["run", "target", "task", "peers", "fitter", "metric", *COLUMNS])


def truth_of(run: Run, year: YearData) -> pd.DataFrame:
    """Give the judgments of a run's target, NaN throughout where its task and peers have none."""
    column = measure_columns(year, Place(run.task, run.peers)).get(run.target)
    return year.features[KEYS].assign(score=float("nan") if column is None else year.judgments[column])
