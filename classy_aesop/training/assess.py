"""Step six: the last year is predicted; how well, does it beat ROUGE-2, by how much, and is that luck?

Years without texts have no ROUGE; the rival is then the imported metric that does best on the predicted year. Both are
correlated with the human scores (Pearson, means of summarizers). The difference is tested as in
:mod:`classy_aesop.analysis.metric_pairs`: would it be so on other systems like these (PERM-SYSTEMS), and is it on these
(PERM-BOTH)? Over several runs the p-values are corrected by Holm's method.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.baselines.rouge import rouge
from classy_aesop.config import Place, Run
from classy_aesop.data import KEYS, empty_table, matrix
from classy_aesop.data.scores import CORRELATIONS, correlations, with_places
from classy_aesop.errors import InputError, warn
from classy_aesop.features.registry import group_of
from classy_aesop.predictor.calibration import CONFIDENCE
from classy_aesop.predictor.intervals import groups_of
from classy_aesop.significance.intervals import fisher_limits
from classy_aesop.significance.metric_tests import MetricComparison, permutation_test
from classy_aesop.significance.multiplicity import adjusted, resamples_needed
from classy_aesop.training.fits import TrainedRun
from classy_aesop.training.years import YearData
from classy_aesop.work.records import seeded_rng

SPREAD = ["metric", "part", "group", "mean", "spread"]
"""The columns of `contributions`."""


@dataclass(frozen=True)
class PredictedRun:
    """What a run predicts of a year, and what is held against it."""

    trained: TrainedRun
    features: pd.DataFrame  # the rows of its task and peers in the year's feature table
    scores: pd.DataFrame  # a score table, row by row the same: the predictions
    truth: pd.DataFrame  # another: the human scores, NaN where nobody judged
    rouge: pd.DataFrame  # the score table of ROUGE there, or of the imported metrics; may be empty

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
            found = one.predictor.score(part.features, unmet=year.unmet).drop(columns=KEYS, errors="ignore")
            scores = keys.reset_index(drop=True).join(found)
        else:
            scores = keys.assign(metric=one.predictor.name, score=one.held_out)
        predicted.append(PredictedRun(one, part.features, scores, keys.assign(score=truth), rouge))
    return tuple(predicted)


def baselines(runs: Iterable[Run], year: YearData) -> dict[Place, pd.DataFrame]:
    """Compute ROUGE-2 and ROUGE-SU4 for each place, jackknifed where humans are among the peers.

    Where no reference can be left out there is none, with a `DataWarning`. Without texts: the imported metrics.
    """
    found = {}
    for place in dict.fromkeys(run.place for run in runs):
        features, found[place] = year.places[place].features, empty_table()
        if not year.has_texts:
            long = features.melt(KEYS, list(year.imported), var_name="metric", value_name="score")
            found[place] = long.dropna(subset="score")
            continue
        topics = [topic for topic in year.corpus.topics if topic.task == place.task]
        if not any(topic.references for topic in topics):
            continue
        try:
            scores = rouge(topics, jackknife=place.peers == "all_peers")
            found[place] = with_places(scores).merge(features[KEYS], on=KEYS, how="inner")
        except InputError as error:
            warn(f"{place.peers}: ROUGE is left out: {error}")
    return found


def points(predicted: Sequence[PredictedRun], ratings: pd.DataFrame) -> pd.DataFrame:
    """Put beside each prediction its interval, what is outside the training range, and the human score.

    These are ``low, high`` (confidence `CONFIDENCE`), ``outside``, ``human`` and ``judged``, NaN where there is none;
    and if the ``ratings`` of the year name their assessors ``assessor``, joined by ``+``.
    """
    parts = []
    for one in predicted:
        human = one.features["human"].to_numpy(bool)
        rows = one.scores.assign(group=groups_of(human))
        half = one.trained.predictor.intervals.half_widths(rows, CONFIDENCE)
        columns, seen = one.trained.predictor.columns, one.trained.predictor.training_range
        outside = seen.outside(one.features[list(columns)].to_numpy(float), columns) if seen else ""
        parts.append(
            one.scores.assign(
                low=one.scores["score"] - half,
                high=one.scores["score"] + half,
                outside=outside,
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


def contributions(predicted: Iterable[PredictedRun]) -> pd.DataFrame:
    """Give the mean and standard deviation of each column's contributions to the predictions, a row a predictor."""
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


def assess(predicted: Sequence[PredictedRun]) -> pd.DataFrame:
    """Correlate each run's predictions with the run's target, and ROUGE with every target at its place.

    Rows of ROUGE have no ``run`` and ``fitter``. Targets that the predicted year does not hold give none.
    """
    rows: list[tuple[object, ...]] = []
    for one in predicted:
        predictor = one.trained.predictor
        ids = one.run.name, one.run.target, *one.run.place, predictor.fitter, predictor.name
        rows += [(*ids, *found) for found in correlations(one.scores, one.truth)]
    for one in {(one.run.target, one.run.place): one for one in predicted}.values():
        for metric, scores in one.rouge.groupby("metric", sort=False):
            ids = "", one.run.target, *one.run.place, "", str(metric)
            rows += [(*ids, *found) for found in correlations(scores, one.truth)]
    return pd.DataFrame(rows, columns=["run", "target", "task", "peers", "fitter", "metric", *CORRELATIONS])


def with_intervals(assessment: pd.DataFrame) -> pd.DataFrame:
    """Add Fisher's 95 % intervals of the correlations of system means, ``low`` and ``high``; NaN at other levels."""
    found = (assessment[name].tolist() for name in ("level", "coefficient", "value", "n_summarizers"))
    limits = [
        fisher_limits(value, n, coefficient=coefficient) if level == "system" else (np.nan, np.nan)
        for level, coefficient, value, n in zip(*found, strict=True)
    ]
    low, high = np.array(limits, dtype=float).reshape(-1, 2).T
    return assessment.assign(low=low, high=high)


RIVAL = "ROUGE-2"
"""The baseline that predictions are measured against."""

N_RESAMPLES = 999

VERDICT = [
    *("run", "target", "task", "peers", "metric", "against", "selected", "value", "rival", "difference"),
    *("p", "p_here", "p_adjusted", "p_here_adjusted", "n_resamples"),
]
"""The columns of a verdict."""


def verdict(predicted: Sequence[PredictedRun], assessment: pd.DataFrame, *, seed: int) -> pd.DataFrame:
    """Compare every run with ROUGE-2, or without texts with the best imported metric, on the predicted year.

    Of each run: ``against`` (the rival's name), ``selected`` (its score on the years it was selected on), ``value`` and
    ``rival`` (Pearson correlation of system means), their ``difference``, ``p`` (two-sided, on other systems like
    these), ``p_here`` (on these), both adjusted by Holm, and ``n_resamples``. NaN where nothing is judged or defined.
    """
    n_resamples = max(N_RESAMPLES, resamples_needed(len(predicted)))
    of_system = assessment[(assessment["level"] == "system") & (assessment["coefficient"] == "pearson")]
    places = dict(list(of_system.groupby(["target", "task", "peers"])))
    rows = []
    for one in predicted:
        run, name = one.run, one.trained.predictor.name
        there = places.get((run.target, *run.place), of_system[:0])
        values = dict(zip(there["metric"], there["value"], strict=True))
        metrics = {str(name): table for name, table in one.rouge.groupby("metric", sort=False)}
        against, rival = RIVAL, metrics.get(RIVAL, one.rouge)
        if metrics and RIVAL not in metrics:
            against = max(metrics, key=lambda name: float(np.nan_to_num(values.get(name, np.nan), nan=-2)))
            rival = metrics[against]
        rng = seeded_rng(seed, "verdict", name)
        found = permuted(one.scores, rival, one.truth, n_resamples=n_resamples, rng=rng)
        compared: tuple[float, ...] = (values.get(name, np.nan), *4 * (np.nan,))
        if found is not None:  # no p-value where there is no difference
            of_systems, here = found
            p = (np.nan, np.nan) if np.isnan(here.difference) else (of_systems.p, here.p)
            compared = here.first, here.second, here.difference, *p
        ids = run.name, run.target, *run.place, name, against, float(one.trained.subsets.score)
        rows.append((*ids, *map(float, compared)))
    table = pd.DataFrame(rows, columns=VERDICT[:-3])
    corrected = {f"{name}_adjusted": adjusted(table[name].to_numpy(float)) for name in ("p", "p_here")}
    return table.assign(**corrected, n_resamples=n_resamples)


def permuted(
    one: pd.DataFrame,
    other: pd.DataFrame,
    truth: pd.DataFrame,
    *,
    n_resamples: int = N_RESAMPLES,
    rng: np.random.Generator,
) -> tuple[MetricComparison, MetricComparison] | None:
    """Test, two-sided, whether two metrics' system means correlate with humans equally well; None if nothing is shared.

    Given are score tables. Whole systems are exchanged, then single scores.
    """
    names = ["one", "other", "truth"]
    keyed = [table.set_index(KEYS)["score"] for table in (one, other, truth)]
    both = pd.concat(keyed, axis=1, join="inner", keys=names).reset_index().assign(metric="")
    if both.dropna().empty:
        return None
    at = matrix(both.assign(score=np.arange(float(len(both)))), "")[0]  # the row of each cell
    place = np.nan_to_num(at).astype(int)
    X, Y, Z = (np.where(np.isnan(at), np.nan, both[name].to_numpy(float)[place]) for name in names)
    of_systems = permutation_test(X, Y, Z, n_resamples=n_resamples, rng=deepcopy(rng))
    return of_systems, permutation_test(X, Y, Z, swap="cells", n_resamples=n_resamples, rng=rng)
