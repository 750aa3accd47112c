"""Step four: how far a predictor is off on years, topics and summarizers that it did not learn from.

Of several years, each is predicted by what was selected, fitted to the others: the distance between years is in the
residuals. Of one year the topics and the summarizers are divided into folds; each summary is predicted by what was
selected, fitted without the summary's fold of topics and without its fold of summarizers. The selection is not
repeated: what was lost by selecting on these very years is not measured here.

Summaries of one topic are similar, so topics count, not summaries, and each topic has the same weight. The half-width
of confidence c is a quantile of the absolute residuals of all topics, at the level at which, topic by topic, the other
topics' quantile covers the one left out as often as c. If topics (new ones and these) are exchangeable and the
residuals came from one split, a quantile at level t covers t K / (K + 1) at least with K topics: Lee, Barber and
Willett (2023), "Distribution-free inference with hierarchical data", for groups; Vovk, Gammerman and Shafer (2005) and
Lei et al. (2018) for single rows; Dunn, Wasserman and Ramdas (2022) pool groups without the correction. With residuals
of folds and the weights refitted on all, it holds as far as the fits without a fold are like that on all (Barber et
al., 2021). A confidence above K / (K + 1) is not given: even the greatest residual of K topics supports no more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import pandas as pd

from classy_aesop.data import KEYS
from classy_aesop.predictor.calibration import CONFIDENCE_LEVELS, N_MEANS, Calibration
from classy_aesop.search.row_arrays import Integers, Mask
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.text.arrays import Floats
from classy_aesop.training.hold_out import (
    MIN_TOPICS_AND_SUMMARIZERS,
    HeldOut,
    hold_out_folds,
    hold_out_years,
)
from classy_aesop.training.learners import Learner
from classy_aesop.training.plan import PlannedRun
from classy_aesop.training.year_rows import YearRows

Accuracy = dict[str, float | None]
"""Mean absolute errors and correlations by name; None where undefined."""


class HeldOutErrors(NamedTuple):
    """Errors on held-out rows: intervals, those of summaries by themselves, and the accuracy of single predictions."""

    calibration: Calibration | None = None
    alone: Calibration | None = None
    accuracy: Accuracy | None = None


class Variance(NamedTuple):
    """A variance component and its degrees of freedom."""

    value: float
    degrees: int


@dataclass(frozen=True)
class Components:
    """Variance components of an error, of years, summarizers and topics, each with its degrees of freedom.

    A held-out residual of summarizer s on topic k is modelled as m + b_s + t_k + e_sk within each year: a constant, and
    three independent effects of mean 0, whose variances come from the mean squares of the two-way analysis of variance
    without replication (Searle, Casella and McCulloch 1992, *Variance Components*, chapter 5, method 1), negative ones
    as 0. Means over cells that exist make them a little too great. The error of a summarizer's mean over n new topics,
    of a predictor whose latest year has K, has the variance

        var(m) + var(b) + var(t) (1 / n + 1 / K) + var(e) / n

    var(m) is the distance between years: the mean square of the constants of held-out years about their mean, less what
    their topics move them, with Y - 1 degrees of freedom. What the constants have in common is an error of the
    summarizers, and its square a part of var(b). 1 / K is for the topics of learning; that of its summarizers is left
    out, as folds make var(b) too great by more. The half-width is the root times a quantile of Student's t with the
    degrees of freedom of Satterthwaite (1946, Biometrics Bulletin 2) for a sum of mean squares.

    Where the summarizers that are predicted were learned from in one year, var(b) is the mean of two: of residuals of
    topics held out (too small) and of topics and summarizers held out (too great); see docs/prediction.md.
    """

    years: Variance  # of the errors that all summaries of a year share
    summarizers: Variance  # of those of summarizers themselves
    topics: Variance  # of those that all summaries of a topic share
    residual: Variance  # of what remains
    n_topics: int  # number of topics of the latest year learned from

    @classmethod
    def estimate(cls, residuals: Floats, stacked: YearRows) -> Components:
        """Estimate the components from the residuals (n_rows,) of the rows of several years."""
        topics = np.unique(stacked.topics, return_inverse=True)[1]
        summarizers = np.unique(stacked.summarizers, return_inverse=True)[1]
        years = np.unique(stacked.years, return_inverse=True)[1]
        n_years = int(years.max()) + 1
        year_means = _means_by_code(residuals, years)
        deviations = residuals - year_means[years]
        summarizer_means = _means_by_code(deviations, summarizers)
        topic_means = _means_by_code(deviations, topics)
        noise = deviations - summarizer_means[summarizers] - topic_means[topics]
        n_effects = summarizer_means.size + topic_means.size - n_years
        residual = _mean_square(noise, noise.size - n_effects)
        of_summarizers = _effect_variance(summarizer_means, summarizers, n_years, residual)
        of_topics = _effect_variance(topic_means, topics, n_years, residual)

        common = float(year_means.mean())
        chance = (
            of_summarizers.value / summarizer_means.size
            + of_topics.value / topic_means.size
            + residual.value / noise.size
        )
        of_summarizers = Variance(of_summarizers.value + max(common**2 - chance, 0.0), of_summarizers.degrees)
        distance = 0.0
        if n_years > 1:
            spread = float(np.mean((year_means - common) ** 2))
            distance = spread - 2 * n_years * of_topics.value / topic_means.size
        n_topics = np.unique(topics[years == n_years - 1]).size
        of_years = Variance(max(distance, 0.0), max(n_years - 1, 1))
        return cls(of_years, of_summarizers, of_topics, residual, n_topics)

    def average_summarizers(self, other: Components) -> Components:
        """Replace the variance of summarizers by its mean with that of other components."""
        variance, degrees = self.summarizers
        return replace(self, summarizers=Variance((variance + other.summarizers.value) / 2, degrees))

    def half_widths(self, n_topics: int, levels: Sequence[float]) -> Floats:
        """Give the half-widths of intervals (n_levels,) for a summarizer's mean over so many new topics."""
        from scipy.special import stdtrit

        variances, degrees = np.array([self.years, self.summarizers, self.topics, self.residual]).T
        parts = variances * [1, 1, 1 / n_topics + 1 / self.n_topics, 1 / n_topics]
        variance = parts.sum()
        if variance == 0:
            return np.zeros(len(levels))
        degrees_of_sum = variance**2 / (parts**2 / degrees).sum()
        return np.asarray(np.sqrt(variance) * stdtrit(degrees_of_sum, (1 + np.array(levels)) / 2))


def _means_by_code(values: Floats, codes: Integers) -> Floats:
    """Return the mean of each code's values."""
    return np.asarray(np.bincount(codes, weights=values) / np.bincount(codes))


def _mean_square(deviations: Floats, degrees: int) -> Variance:
    """Return the sum of squares over the degrees of freedom, at least 1."""
    degrees = max(degrees, 1)
    return Variance(float(deviations @ deviations) / degrees, degrees)


def _effect_variance(means: Floats, codes: Integers, n_years: int, residual: Variance) -> Variance:
    """Estimate the variance of the effects behind means, each over the rows with its code."""
    square, degrees = _mean_square(means, means.size - n_years)
    return Variance(max(square - residual.value * float(np.mean(1 / np.bincount(codes))), 0.0), degrees)


def prediction_accuracy(
    truth: Floats, residuals: Floats, topics: Integers, ratings: pd.DataFrame
) -> Accuracy:
    """Measure the error of single predictions, and how they order a topic; the same of single raters' scores."""
    of_raters: Accuracy = {"rater_error": None, "rater_within_topics": None}
    shared = ratings[ratings.groupby(KEYS)["score"].transform("size") > 1]
    if not shared.empty:
        scores = shared["score"].to_numpy(float)
        of_summary = shared.groupby(KEYS)["score"]
        mean_of_others = (of_summary.transform("sum") - scores) / (of_summary.transform("size") - 1)
        group_names = [*KEYS[:3], *(["assessor"] if "assessor" in shared else [])]
        groups = np.asarray(shared.groupby(group_names, sort=False).ngroup(), np.int64)
        of_raters = {
            "rater_error": float(np.abs(scores - mean_of_others).mean()),
            "rater_within_topics": _correlation_within(groups, scores, mean_of_others.to_numpy(float)),
        }
    return {
        "error": float(np.abs(residuals).mean()),
        "error_of_mean": float(np.abs(truth - truth.mean()).mean()),
        "within_topics": _correlation_within(topics, truth - residuals, truth),
        **of_raters,
    }


def ratings_of_target(planned: PlannedRun) -> pd.DataFrame:
    """Collect the ratings of a run's target that its judgments are means of, but for rescaled years."""
    target = planned.run.target
    rescaled_years = {year.name for year in planned.config.years if target in year.scale}
    parts = []
    for year in planned.years:
        ratings = year.corpus.ratings
        if year.name not in rescaled_years and len(ratings):
            keys = year.data_by_task_and_peers[planned.run.task_and_peers].features[KEYS]
            parts.append(ratings[ratings["metric"] == target].merge(keys, on=KEYS))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*KEYS, "score"])


def _correlation_within(groups: Integers, x: Floats, y: Floats) -> float | None:
    """Return the mean over groups of Pearson's correlation; None if no group has one."""
    groups = np.unique(groups, return_inverse=True)[1]
    position = pd.Series(groups).groupby(groups).cumcount().to_numpy()
    shape = (int(position.max()) + 1, int(groups.max()) + 1)
    X = np.full(shape, np.nan)
    Y = np.full(shape, np.nan)
    X[position, groups] = x
    Y[position, groups] = y
    value = correlation(X, Y, level="input").value
    return None if np.isnan(value) else float(value)


def measure_errors(planned: PlannedRun, learner: Learner, stacked: YearRows) -> HeldOutErrors:
    """Measure the errors of a predictor on held-out rows, and its errors where it scores summaries by themselves."""
    options = planned.options
    same_summarizers = planned.same_summarizers
    by_year = hold_out_years(learner, stacked, options)
    held_out = by_year or hold_out_folds(learner, stacked, options, same_summarizers=same_summarizers)
    if held_out is None or np.isnan(held_out.residuals).any():
        return HeldOutErrors()
    new_summarizers: HeldOut | None = None
    if same_summarizers and by_year is None:
        new_summarizers = hold_out_folds(learner, stacked, options)
        if new_summarizers is not None and not np.isfinite(new_summarizers.predictions).all():
            new_summarizers = None
    rows = held_out.rows
    n_years = 1 if by_year is None else np.unique(rows.years).size
    calibration = calibrate_groups(
        held_out.residuals,
        rows,
        n_years=n_years,
        of_new_summarizers=None if new_summarizers is None else new_summarizers.residuals,
    )
    ratings = ratings_of_target(planned)
    accuracy = prediction_accuracy(held_out.truth, held_out.residuals, rows.topics, ratings)
    if not options.relative:
        return HeldOutErrors(calibration, accuracy=accuracy)
    alone = calibrate_groups(
        held_out.residuals_alone,
        rows,
        n_years=n_years,
        of_new_summarizers=None if new_summarizers is None else new_summarizers.residuals_alone,
    )
    return HeldOutErrors(calibration, alone, accuracy)


def calibrate_groups(
    residuals: Floats, stacked: YearRows, *, n_years: int = 1, of_new_summarizers: Floats | None = None
) -> Calibration:
    """Calibrate humans and systems separately, as `conformal_calibration` does; all together if a group is too small.

    A group needs three summarizers, and enough topics for all confidences that all together have.
    """

    def calibrate_rows(rows: Mask) -> Calibration:
        """Calibrate some rows."""
        part = stacked.take(rows)
        components = None
        if of_new_summarizers is not None:
            components = Components.estimate(of_new_summarizers[rows], part)
        return conformal_calibration(residuals[rows], part, n_years=n_years, of_new_summarizers=components)

    human = stacked.human
    calibration = calibrate_rows(np.ones(human.size, bool))
    group_sizes = [np.unique(stacked.summarizer_names[rows]).size for rows in (human, ~human)]
    if min(group_sizes) < MIN_TOPICS_AND_SUMMARIZERS:
        return calibration
    systems = calibrate_rows(~human)
    humans = calibrate_rows(human)
    if not systems.levels == humans.levels == calibration.levels:
        return calibration
    return replace(systems, humans=humans)


def conformal_calibration(
    residuals: Floats,
    stacked: YearRows,
    *,
    n_years: int = 1,
    of_new_summarizers: Components | None = None,
) -> Calibration:
    """Find the half-widths of a predictor's intervals."""
    topics = np.unique(stacked.topics, return_inverse=True)[1]
    n_topics = int(topics.max()) + 1
    widths = covering_quantiles(np.abs(residuals), topics, CONFIDENCE_LEVELS)
    supported = np.isfinite(widths) & (np.array(CONFIDENCE_LEVELS) <= n_topics / (n_topics + 1))
    levels = np.array(CONFIDENCE_LEVELS)[supported].tolist()
    components = Components.estimate(residuals, stacked)
    if of_new_summarizers is not None:
        components = components.average_summarizers(of_new_summarizers)
    means = [components.half_widths(n, levels) for n in reversed(N_MEANS)]
    # Satterthwaite's may be less for fewer topics; the error is not
    means = np.maximum.accumulate(means)[::-1].tolist()
    return Calibration(
        levels=tuple(levels),
        summaries=tuple(widths[supported].tolist()),
        n_means=N_MEANS,
        means=tuple(map(tuple, means)),
        n_topics=n_topics,
        n_summarizers=np.unique(stacked.summarizers).size,
        n_years=n_years,
    )


def covering_quantiles(values: Floats, groups: Integers, levels: Sequence[float]) -> Floats:
    """Return for each level the quantile that covers a group left out, on average, as often as the level asks."""
    grid = np.linspace(0, 1, 1001)
    order = np.argsort(values, kind="stable")
    values = values[order]
    groups = groups[order]
    n_groups = int(groups.max()) + 1
    covered = np.zeros(grid.size)
    for group in range(n_groups):
        left_out = groups == group
        limits = _pooled_quantiles(values[~left_out], groups[~left_out], grid)
        covered += np.searchsorted(values[left_out], limits, side="right") / left_out.sum() / n_groups
    raised = np.searchsorted(np.maximum.accumulate(covered), np.array(levels) - 1e-9)
    pooled = np.append(_pooled_quantiles(values, groups, grid), np.nan)
    quantiles: Floats = pooled[raised]
    return quantiles


def _pooled_quantiles(values: Floats, groups: Integers, levels: Floats) -> Floats:
    """Return quantiles of ascending values at some levels, where every group has the same total weight."""
    weights = 1 / np.bincount(groups)[groups]
    reached = np.cumsum(weights) / weights.sum()
    return np.asarray(values[np.minimum(np.searchsorted(reached, levels - 1e-9), values.size - 1)])
