"""Step four: how far a predictor is off on years, topics and summarizers that it did not learn from.

Of several years, each is predicted by what was selected, fitted to the others: the distance between years is in the
residuals. Of one year the topics and the summarizers are dealt into folds; each summary is predicted by what was
selected, fitted without the summary's fold of topics and without its fold of summarizers. The selection is taken as it
is: what was lost by selecting on these very years is not seen here.

Summaries of one topic are alike, so topics count, not summaries, and each topic has the same weight. The half-width
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

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.data import KEYS
from classy_aesop.predictor.calibration import LEVELS, N_MEANS, Calibration
from classy_aesop.search.design import Integers, Mask
from classy_aesop.significance.correlation import correlation
from classy_aesop.training.arrays import StackedYears
from classy_aesop.training.fits import FEWEST, Errors, Worth, hold_out, hold_out_years
from classy_aesop.training.plan import TrainingTask
from classy_aesop.training.search import Selection

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Components:
    """How much of an error is its year's, summarizer's and topic's: variances, each with its degrees of freedom.

    A held-out residual of summarizer s on topic k is taken for m + b_s + t_k + e_sk within each year: a constant, and
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

    years: tuple[float, int]  # of the errors that all summaries of a year share
    summarizers: tuple[float, int]  # of those of summarizers themselves
    topics: tuple[float, int]  # of those that all summaries of a topic share
    rest: tuple[float, int]
    n_topics: int  # number of topics of the latest year learned from

    @classmethod
    def of(cls, residuals: Floats, stacked: StackedYears) -> Components:
        """Estimate them from the residuals (n_rows,) of the rows of several years."""
        topics, summarizers, years = (
            np.unique(codes, return_inverse=True)[1]
            for codes in (stacked.design.topics, stacked.design.summarizers, stacked.years)
        )
        n_years = int(years.max()) + 1
        constants = _means(residuals, years)
        residuals = residuals - constants[years]
        of_summarizer, of_topic = (_means(residuals, codes) for codes in (summarizers, topics))
        noise = residuals - of_summarizer[summarizers] - of_topic[topics]
        rest = _mean_square(noise, noise.size - of_summarizer.size - of_topic.size + n_years)

        def of(means: Floats, codes: Integers) -> tuple[float, int]:
            """Give the variance of what stands behind means, and its degrees of freedom."""
            square, degrees = _mean_square(means, means.size - n_years)
            return max(square - rest[0] * float(np.mean(1 / np.bincount(codes))), 0.0), degrees

        own, of_topics = of(of_summarizer, summarizers), of(of_topic, topics)
        common = float(constants.mean())
        chance = own[0] / of_summarizer.size + of_topics[0] / of_topic.size + rest[0] / noise.size
        own = own[0] + max(common**2 - chance, 0.0), own[1]
        distance = 0.0
        if n_years > 1:
            distance = float(np.mean((constants - common) ** 2)) - 2 * n_years * of_topics[0] / of_topic.size
        n_topics = np.unique(topics[years == n_years - 1]).size
        return cls((max(distance, 0.0), max(n_years - 1, 1)), own, of_topics, rest, n_topics)

    def between(self, other: Components) -> Components:
        """Return these with the mean of both variances of summarizers."""
        variance, degrees = self.summarizers
        return replace(self, summarizers=((variance + other.summarizers[0]) / 2, degrees))

    def half_widths(self, n_topics: int, levels: Sequence[float]) -> Floats:
        """Give the half-widths of intervals (n_levels,) for a summarizer's mean over so many new topics."""
        from scipy.special import stdtrit

        variances, degrees = np.array([self.years, self.summarizers, self.topics, self.rest]).T
        parts = variances * [1, 1, 1 / n_topics + 1 / self.n_topics, 1 / n_topics]
        variance = parts.sum()
        if variance == 0:
            return np.zeros(len(levels))
        of_sum = variance**2 / (parts**2 / degrees).sum()
        return np.asarray(np.sqrt(variance) * stdtrit(of_sum, (1 + np.array(levels)) / 2))


def _means(values: Floats, codes: Integers) -> Floats:
    """Return the mean of each code's values."""
    return np.asarray(np.bincount(codes, weights=values) / np.bincount(codes))


def _mean_square(deviations: Floats, degrees: int) -> tuple[float, int]:
    degrees = max(degrees, 1)
    return float(deviations @ deviations) / degrees, degrees


def worth_of(truth: Floats, residuals: Floats, topics: Integers, ratings: pd.DataFrame) -> Worth:
    """Say what one prediction is worth: its error, and how it orders a topic; the same of single raters' scores."""
    shared = ratings[ratings.groupby(KEYS)["score"].transform("size") > 1]
    of_raters: Worth = {"rater_error": None, "rater_within_topics": None}
    if not shared.empty:
        one = shared["score"].to_numpy(float)
        of_summary = shared.groupby(KEYS)["score"]
        others = (of_summary.transform("sum") - one) / (of_summary.transform("size") - 1)
        by = [*KEYS[:3], *(["assessor"] if "assessor" in shared else [])]
        groups = np.asarray(shared.groupby(by, sort=False).ngroup(), np.int64)
        of_raters = {
            "rater_error": float(np.abs(one - others).mean()),
            "rater_within_topics": _within(groups, one, others.to_numpy(float)),
        }
    return {
        "error": float(np.abs(residuals).mean()),
        "error_of_mean": float(np.abs(truth - truth.mean()).mean()),
        "within_topics": _within(topics, truth - residuals, truth),
        **of_raters,
    }


def ratings_of(task: TrainingTask) -> pd.DataFrame:
    """Collect the ratings of the target that its judgments are means of; none of a year with another scale."""
    rescaled = {year.name for year in task.config.years if task.run.target in year.scale}
    parts = []
    for year, table in zip(task.years, task.arrays.tables, strict=True):
        ratings = year.corpus.ratings
        if year.name not in rescaled and len(ratings):
            parts.append(ratings[ratings["metric"] == task.run.target].merge(table[KEYS], on=KEYS))
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=[*KEYS, "score"])


def _within(groups: Integers, x: Floats, y: Floats) -> float | None:
    """Give the mean over groups of Pearson's correlation; None if no group has one."""
    groups = np.unique(groups, return_inverse=True)[1]
    place = pd.Series(groups).groupby(groups).cumcount().to_numpy()
    X, Y = np.full((2, int(place.max()) + 1, int(groups.max()) + 1), np.nan)
    X[place, groups], Y[place, groups] = x, y
    found = correlation(X, Y, level="input").value
    return None if np.isnan(found) else float(found)


def intervals(task: TrainingTask, selection: Selection) -> Errors:
    """Find the half-widths of a predictor's intervals, and those of summaries that it scores by themselves.

    Nothing if its scores are not on the target's scale, or there are too few topics, summarizers or rows.
    """
    learner, positions = selection.learner, selection.positions
    if not all(fitter.is_on_scale for fitter in selection.fitters.values()):
        return Errors()
    by_year = hold_out_years(task, learner, positions)
    held_out = by_year or hold_out(task, learner, positions)
    if held_out is None or np.isnan(held_out.residuals).any():
        return Errors()
    residuals, rows = held_out.residuals, held_out.rows
    unknown, unknown_alone = None, None
    if task.same_summarizers and by_year is None:
        others = hold_out(replace(task, same_summarizers=False), learner, positions)
        if others is not None and np.isfinite(others.predictions).all():
            unknown, unknown_alone = others.residuals, others.truth - others.alone
    n_years = 1 if by_year is None else np.unique(rows.years).size
    found = by_group(residuals, rows, n_years=n_years, of_others=unknown)
    worth = worth_of(held_out.truth, residuals, rows.design.topics, ratings_of(task))
    if not task.arrays.relative:
        return Errors(found, worth=worth)
    off = held_out.truth - held_out.alone
    return Errors(found, by_group(off, rows, n_years=n_years, of_others=unknown_alone), worth)


def by_group(
    residuals: Floats, stacked: StackedYears, *, n_years: int = 1, of_others: Floats | None = None
) -> Calibration:
    """Calibrate humans and systems apart, as `conformal` does; all together where a group is too small.

    A group needs three summarizers, and topics enough for all confidences that there are of all together. ``of_others``
    (n_rows,) are residuals of summarizers that were held out too, where they are not in ``residuals``.
    """

    def of(rows: Mask) -> Calibration:
        """Calibrate some rows."""
        part = stacked.take(rows)
        others = None if of_others is None else Components.of(of_others[rows], part)
        return conformal(residuals[rows], part, n_years=n_years, of_others=others)

    human = stacked.human
    together = of(np.ones(human.size, bool))
    if min(np.unique(stacked.summarizers[rows]).size for rows in (human, ~human)) < FEWEST:
        return together
    systems, humans = of(~human), of(human)
    if not systems.levels == humans.levels == together.levels:
        return together
    return replace(systems, humans=humans)


def conformal(
    residuals: Floats, stacked: StackedYears, *, n_years: int = 1, of_others: Components | None = None
) -> Calibration:
    """Find the half-widths of a predictor's intervals from held-out judgments less predictions, (n_rows,).

    ``n_years`` were held out as a whole, or 1. ``of_others`` are the variances of errors on other summarizers.
    """
    topics = np.unique(stacked.design.topics, return_inverse=True)[1]
    n_topics = int(topics.max()) + 1
    widths = covering_quantiles(np.abs(residuals), topics, LEVELS)
    kept = np.isfinite(widths) & (np.array(LEVELS) <= n_topics / (n_topics + 1))
    components = Components.of(residuals, stacked)
    components = components if of_others is None else components.between(of_others)
    means = [components.half_widths(n, np.array(LEVELS)[kept].tolist()) for n in reversed(N_MEANS)]
    # Satterthwaite's may be less for fewer topics; the error is not
    means = np.maximum.accumulate(means)[::-1].tolist()
    return Calibration(
        levels=tuple(np.array(LEVELS)[kept].tolist()),
        summaries=tuple(widths[kept].tolist()),
        n_means=N_MEANS,
        means=tuple(map(tuple, means)),
        n_topics=n_topics,
        n_summarizers=np.unique(stacked.design.summarizers).size,
        n_years=n_years,
    )


def covering_quantiles(values: Floats, groups: Integers, levels: Sequence[float]) -> Floats:
    """Give for each level the quantile that covers a group left out, on average, as often as the level asks.

    The values (n,) are absolute residuals; their groups (n,), numbered from 0, have equal weights, whatever their size.
    The quantiles (n_levels,) are of all values; NaN where even the other groups' greatest value covers too little.
    """
    grid = np.linspace(0, 1, 1001)
    order = np.argsort(values, kind="stable")
    values, groups = values[order], groups[order]
    n_groups = int(groups.max()) + 1
    covered = np.zeros(grid.size)
    for group in range(n_groups):
        left_out = groups == group
        limits = _pooled_quantiles(values[~left_out], groups[~left_out], grid)
        covered += np.searchsorted(values[left_out], limits, side="right") / left_out.sum() / n_groups
    raised = np.searchsorted(np.maximum.accumulate(covered), np.array(levels) - 1e-9)
    pooled = np.append(_pooled_quantiles(values, groups, grid), np.nan)
    found: Floats = pooled[raised]
    return found


def _pooled_quantiles(values: Floats, groups: Integers, levels: Floats) -> Floats:
    """Give the least of ascending values that reach the levels of the mean of the groups' distributions."""
    weights = 1 / np.bincount(groups)[groups]
    reached = np.cumsum(weights) / weights.sum()
    return np.asarray(values[np.minimum(np.searchsorted(reached, levels - 1e-9), values.size - 1)])
