"""The judgments of a year and task, laid out beside scores, and the mean human scores that are estimated from them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import POPULATIONS, EstimateOptions, Population
from classy_aesop.answers.doubtful_scores import warn_of_far_scores, warn_of_judged_part
from classy_aesop.answers.leniency import Leniency, subtract_leniency
from classy_aesop.answers.pilots import unseen_by_intervals
from classy_aesop.answers.score_matrices import select_rows, select_stratum, split_by_stratum
from classy_aesop.answers.selection import TablePart
from classy_aesop.answers.strata import warn_of_clusters
from classy_aesop.answers.tested_pairs import pair_with_baselines
from classy_aesop.data import KEYS, drop_unscored_strata, format_key, matrix, mean_ratings, natural
from classy_aesop.data.directions import (
    lower_measures,
    mark_direction,
    set_directions,
    warn_of_directions,
)
from classy_aesop.data.scales import PASS_OR_FAIL
from classy_aesop.data.scores import origin_of
from classy_aesop.errors import InputError, join_names, warn
from classy_aesop.significance.additive.two_way_fit import TwoWayFit
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.differences import DIFFERENT, UNDECIDED, verdict_within_margin
from classy_aesop.significance.few_judgments.direct_means import TooFewJudgments
from classy_aesop.significance.few_judgments.estimated_means import (
    EstimatedMeans,
    estimate_means,
)
from classy_aesop.significance.few_judgments.score_guards import (
    LimitedScores,
    compare_judged_part,
    limit_scores,
)
from classy_aesop.significance.few_judgments.single_mean import SingleMean, estimate_single_mean
from classy_aesop.work.seeds import seeded_rng
from classy_aesop.work.workers import blas_controller

if TYPE_CHECKING:
    from classy_aesop.predictor import Predictor

MIN_TOPICS_OF_MEAN = 2
"""Fewer judged topics say nothing of how a single summarizer's judgments vary."""

LabelledMatrix = tuple[FloatArray, tuple[str, ...], tuple[str, ...]]
"""A matrix, and the names of its rows and columns."""


@dataclass(frozen=True)
class JudgedStratum:
    """One year and task: judgments where there are some, and all scores, on the same rows and columns.

    Judgments are centred at one of them and divided by a unit of about their spread, so that the numerics work for
    scales of any size; scores likewise.

    Attributes
    ----------
    names : (str, str, str)
        Year, task and human measure.
    summarizers, topics : tuple of str
        The names of rows and columns.
    y : ndarray, shape (n_summarizers, n_topics)
        Centred judgments in units; NaN where there is none.
    centre, unit : float
        A judgment is ``centre + unit * y``. The unit is negative where lower is better, so that in ``y`` higher is.
    metrics : tuple of str
        The names of the metrics.
    f : ndarray, shape (n_metrics, n_summarizers, n_topics), or None
        Centred scores in units.
    centres_of_scores, units_of_scores : ndarray, shape (n_metrics,)
        Centre and unit of each metric.
    leniency : Leniency or None
        Effects of raters that were subtracted from the judgments.
    groups : mapping of str to int, or None
        Where raters separate systems, the number of each: systems of two numbers cannot be compared.
    ratings : DataFrame or None
        Where everything is judged, so that scores add nothing, the rows of the judgments as they were read, without
        those of summaries that have no score.
    """

    names: tuple[str, str, str]
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]
    y: FloatArray
    centre: float
    unit: float
    metrics: tuple[str, ...]
    f: FloatArray | None
    centres_of_scores: FloatArray
    units_of_scores: FloatArray
    leniency: Leniency | None
    groups: Mapping[str, int] | None
    ratings: pd.DataFrame | None

    @property
    def target(self) -> str:
        """The human measure."""
        return self.names[2]

    @property
    def label(self) -> str:
        """Year and task, as messages name them; empty where there is neither."""
        return "-".join(filter(None, self.names[:2]))

    def choose_population(self, options: EstimateOptions) -> Population:
        """Choose whose mean is estimated: by default that of the topics at hand, unless all are judged."""
        return options.population or ("at-hand" if np.isnan(self.y).any() else "like")

    def choose_population_of_differences(self, options: EstimateOptions) -> Population:
        """Choose for which topics differences and ranks hold: by default for topics like these."""
        return options.population or "like"

    def estimate_means(
        self, options: EstimateOptions, population: Population | None = None
    ) -> EstimatedMeans:
        """Estimate the means of the summarizers, and warn of what makes them doubtful."""
        if options.estimator != "plain":
            self._warn_of_scores()
        means = self._estimate_means_of(population or self.choose_population(options), options)
        if np.isinf(means.direct.variance_inflation):
            warn(
                f"summarizers and topics explain all {self.n_judgments} judgments of {self.target}, so their variance "
                "cannot be estimated: intervals have no ends; judge more topics"
            )
        self._warn_of_unlinked()
        return means

    def _estimate_means_of(self, population: Population, options: EstimateOptions) -> EstimatedMeans:
        """Estimate the means of the summarizers on the topics of a population."""
        unjudged = np.isnan(self.y).all(axis=1)
        if options.estimator in ("plain", "control-variate") and 0 < unjudged.sum() < unjudged.size:
            names = join_names(np.array(self.summarizers, dtype=object)[unjudged])
            raise InputError(
                f"no judgment of {names}; estimator {options.estimator} needs at least one (or choose another)"
            )
        rater_errors: FloatArray | float = 0.0
        rater_df = 0
        if self.leniency is not None:
            rater_errors, rater_df = self.leniency.mean_errors(self.summarizers, self.unit)
        limited = None if options.estimator == "plain" else self.limited_scores
        try:
            with blas_controller().limit(limits=1):  # the matrices are small
                return estimate_means(
                    self.y,
                    self.f if limited is None else limited.scores,
                    method=options.estimator,
                    finite=POPULATIONS[population],
                    slope_prior=self._slope_of_predictions(options),
                    rater_errors=rater_errors,
                    rater_df=rater_df,
                )
        except TooFewJudgments as error:
            raise NotIdentifiedError(f"{self.label}: {error}" if self.label else str(error)) from error

    @cached_property
    def limited_scores(self) -> LimitedScores | None:
        """The scores without those that are far from all others; None without scores."""
        return None if self.f is None else limit_scores(self.y, self.f)

    def _warn_of_scores(self) -> None:
        """Name scores that are far from all others, and warn of judged cells that scores show to differ."""
        if self.f is None or self.limited_scores is None:
            return
        limited = self.limited_scores
        distances = np.abs(self.f - limited.scores)
        shifts, p = compare_judged_part(self.y, limited.scores)
        for number, name in enumerate(self.metrics):
            unit = self.units_of_scores[number]
            warn_of_far_scores(
                name,
                self.centres_of_scores[number] + unit * self.f[number],
                limited.is_far[number],
                distances[number],
                self.summarizers,
                self.topics,
            )
            shift = float(shifts[number] * np.sign(unit))
            warn_of_judged_part(name, shift, float(p[number]), len(self.metrics), self.label)

    def _warn_of_unlinked(self) -> None:
        """Warn of systems that were judged on no common topics, directly or through others."""
        group = TwoWayFit(~np.isnan(self.y)).group
        members = [
            [self.summarizers[system] for system in np.flatnonzero(group == number)]
            for number in range(int(group.max(initial=0)) + 1)
        ]
        if len(members) > 1:
            unlinked = join_names([join_names(names, limit=3) for names in members], limit=3, by="; ")
            warn(
                f"{self.label and f'{self.label}: '}judged on no common topics: {unlinked}; their means are compared "
                "as if the topics of each had been drawn at random, which the judgments cannot show"
            )

    def _slope_of_predictions(self, options: EstimateOptions) -> float:
        """Give the slope of judgments on predictions of a predictor, in the units of both; 0 of other scores."""
        if self.f is None or options.predictor_of(self.names[2]) is None:
            return 0.0
        return float(self.units_of_scores[0] / self.unit)

    def mean_rows(self, options: EstimateOptions) -> pd.DataFrame:
        """Give the rows of `estimate`: a row a summarizer, the best first."""
        if len(self.summarizers) == 1:
            return self._row_of_single_summarizer(options)
        means = self.estimate_means(options)
        confidence = 1 - options.alpha
        n_judged = means.direct.n_judged
        plain_mean = np.where(n_judged > 0, means.plain.mean, np.nan)
        low, high = self._restore_units(means.interval(confidence), self.centre)
        columns = {
            "summarizer": self.summarizers,
            "n_judged": n_judged,
            "worth": means.effective_n_topics,
            "plain": self.centre + self.unit * plain_mean,
            "estimate": self.centre + self.unit * means.mean,
            "low": low,
            "high": high,
        }
        effect, *ends_of_effect = means.effects(confidence)
        effect_low, effect_high = self._restore_units(ends_of_effect)
        columns |= {"effect": self.unit * effect, "effect_low": effect_low, "effect_high": effect_high}
        population = self.choose_population_of_differences(options)
        compared = means
        if POPULATIONS[population] != means.direct.finite:
            compared = replace(means.for_population(finite=POPULATIONS[population]), mean=means.mean)
        rank, rank_low, rank_high = compared.ranks(
            seeded_rng(options.seed, "ranks", *self.names), alpha=options.alpha
        )
        pairs = compared.differences(seeded_rng(options.seed, *self.names), alpha=options.alpha)
        clusters = pairs.clusters(means.mean, alpha=options.alpha)
        columns |= {
            "rank": rank,
            "rank_low": rank_low,
            "rank_high": rank_high,
            "together_low": clusters.best_rank,
            "together_high": clusters.worst_rank,
            "cluster": clusters.cluster,
        }
        table = pd.DataFrame(columns).sort_values("rank", kind="stable")
        if self.groups is not None:  # raters are confounded with systems
            table = leave_ranks_open(table)
        return self.label_rows(table, options, means.method)

    def _row_of_single_summarizer(self, options: EstimateOptions) -> pd.DataFrame:
        """Give the row of the only summarizer, whose mean has nothing to be compared with."""
        mean = self.estimate_mean_of_single(options)
        bounds = PASS_OR_FAIL if self.is_pass_or_fail else None
        (low, plain_low), (high, plain_high) = mean.intervals(1 - options.alpha, bounds)
        estimate, plain = mean.mean
        row = {
            "summarizer": self.summarizers[0],
            "n_judged": mean.n_judged,
            "worth": mean.effective_n_topics,
            "plain": plain,
            "plain_low": plain_low,
            "plain_high": plain_high,
            "estimate": estimate if bounds is None else np.clip(estimate, *bounds),
            "low": low,
            "high": high,
        }
        estimator = "control-variate" if mean.slope.any() else "plain"
        return self.label_rows(pd.DataFrame([row]), options, estimator).drop(columns="rank_population")

    def estimate_mean_of_single(self, options: EstimateOptions) -> SingleMean:
        """Estimate the mean of the only summarizer, and warn of what makes it doubtful."""
        if self.n_judgments < MIN_TOPICS_OF_MEAN:
            raise NotIdentifiedError(f"{self.n_judgments} judgments of {self.names[2]} are too few")
        scores = None
        if options.estimator != "plain" and self.limited_scores is not None:
            self._warn_of_scores()
            scores = self.limited_scores.scores[:, 0]
        return estimate_single_mean(
            self.centre + self.unit * self.y[0],
            scores,
            finite=POPULATIONS[self.choose_population(options)],
            pass_or_fail=self.is_pass_or_fail,
        )

    @property
    def n_judgments(self) -> int:
        """How many cells are judged."""
        return int(np.count_nonzero(~np.isnan(self.y)))

    @property
    def is_pass_or_fail(self) -> bool:
        """Whether every judgment is 0 or 1."""
        judgments = self.centre + self.unit * self.y
        return bool(np.isin(judgments[~np.isnan(judgments)], PASS_OR_FAIL).all())

    def errors_of_effects(self, options: EstimateOptions) -> pd.Series:
        """Give half the width of the interval of each plain effect; missing where judgments do not identify it."""
        try:
            means = self._estimate_means_of("like", replace(options, estimator="plain"))
        except NotIdentifiedError:
            return pd.Series(np.nan, self.summarizers)
        effect, _, effect_high = means.effects(options.confidence)
        errors = pd.Series(abs(self.unit) * (effect_high - effect), self.summarizers)
        return errors.replace(np.inf, np.nan)

    def difference_rows(
        self, options: EstimateOptions, baselines: Sequence[str], margin: tuple[float, float] | None
    ) -> pd.DataFrame:
        """Give the rows of `estimate_differences`: a row a pair."""
        if len(self.summarizers) == 1:
            raise InputError(f"{self.summarizers[0]} is the only summarizer; expected two or more to compare")
        population = self.choose_population_of_differences(options)
        means = self.estimate_means(options, population)
        pairs = np.array(pair_with_baselines(self.summarizers, baselines)) if baselines else None
        differences = means.differences(
            seeded_rng(options.seed, *self.names), alpha=options.alpha, pairs=pairs
        )
        names = np.array(self.summarizers, dtype=object)
        table = pd.DataFrame(
            {"first": names[differences.first], "second": names[differences.second], "p": differences.p}
        )
        table["difference"] = self.unit * differences.difference
        table["low"], table["high"] = self._restore_units((differences.low, differences.high))
        table.loc[table["low"].isna(), "p"] = np.nan
        if self.groups is not None:  # rated by different people only: their difference is not identified
            first_group = table["first"].map(self.groups)
            second_group = table["second"].map(self.groups)
            is_confounded = first_group.notna() & second_group.notna() & (first_group != second_group)
            table.loc[is_confounded, "difference":"high"] = np.nan
            table.loc[is_confounded, "p"] = 1.0
        significant = (table["low"] > 0) | (table["high"] < 0)
        verdict = np.where(significant, DIFFERENT, UNDECIDED)
        if margin is not None:
            is_inside = (table["low"] > margin[0]) & (table["high"] < margin[1])
            verdict_inside = verdict_within_margin(*margin, lower_is_better=self.lower_is_better)
            verdict = np.where(is_inside, verdict_inside, verdict)
        table = table.assign(
            significant=significant,
            verdict=verdict,
            unseen=unseen_by_intervals(
                table["difference"],
                (table["low"], table["high"]),
                significant,
                alpha=options.alpha,
                n_joint=len(table),
                n_tests=len(table),
            ),
        )
        return self.label_rows(table, options, means.method, population=population)

    @property
    def lower_is_better(self) -> bool:
        """Whether lower judgments are better."""
        return self.unit < 0

    def _restore_units(
        self, ends: Sequence[FloatArray], centre: float = 0.0
    ) -> tuple[FloatArray, FloatArray]:
        """Put the ends of intervals back into the units of the judgments, the lower one first, NaN where infinite."""
        first, second = [np.where(np.isfinite(end), centre + self.unit * end, np.nan) for end in ends]
        return (second, first) if self.lower_is_better else (first, second)

    def label_rows(
        self,
        table: pd.DataFrame,
        options: EstimateOptions,
        estimator: str,
        *,
        population: Population | None = None,
    ) -> pd.DataFrame:
        """Add the year, task and measure, and how rows were estimated."""
        year, task, target = self.names
        rows = table.assign(
            year=year,
            task=task,
            metric=target,
            estimator=estimator,
            population=population or self.choose_population(options),
            rank_population=self.choose_population_of_differences(options),
            seed=options.seed,
        )
        return mark_direction(rows, lower_is_better=self.lower_is_better)


def leave_ranks_open(table: pd.DataFrame) -> pd.DataFrame:
    """Say of no summarizer that it is better than another, where no order of all is known."""
    n = len(table)
    return table.assign(rank_low=1, rank_high=n, together_low=1, together_high=n, cluster=1)


def _scale_of_values(values: FloatArray) -> float:
    """Give a power of two of about the size of values; dividing by it changes no digit."""
    return float(2.0 ** np.frexp(np.abs(values).max())[1]) if values.any() else 1.0


def _centre_judgments(values: FloatArray, *, lower_is_better: bool) -> tuple[FloatArray, float, float]:
    """Centre judgments at one of them and divide them by their unit; also give both."""
    judged = values[~np.isnan(values)]
    centre = float(np.sort(judged)[len(judged) // 2]) if len(judged) else 0.0
    unit = _scale_of_values(judged - centre) if len(judged) and np.ptp(judged) else abs(centre) or 1.0
    unit = -unit if lower_is_better else unit
    return (values - centre) / unit, centre, unit


class NotIdentifiedError(InputError):
    """Judgments do not identify the means yet."""

    def __init__(self, reason: str) -> None:
        judge = "draw three topics or more at random, and judge each summarizer on them first"
        super().__init__(f"{reason}; {judge}")


def judged_strata(
    judgments: pd.DataFrame,
    scores: pd.DataFrame | None,
    *,
    target: str,
    metric: str | Sequence[str] | None,
    part: TablePart,
    options: EstimateOptions,
) -> Iterator[JudgedStratum]:
    """Lay out the judgments and the scores of each year and task."""
    tables = [judgments] if scores is None else [judgments, scores]
    table, *all_scores = set_directions(tables, part.lower_is_better)
    warn_of_directions(table, [target])
    lower = lower_measures(table, *all_scores)
    names_raters = target not in origin_of(table).get("unnamed_raters", ())
    ratings = select_rows(table, "metric", [target], label="target").dropna(subset="score")
    judged = split_by_stratum(select_stratum(ratings, part.year, part.task) if len(ratings) else ratings)
    scored = {}
    if scores is not None:
        scores_table = drop_unscored_strata(mean_ratings(all_scores[0]))
        if not metric:
            scores_table = scores_table[scores_table["metric"] != target]
        scores_table = select_rows(scores_table, "metric", metric)
        scored = split_by_stratum(select_stratum(scores_table, part.year, part.task))
    wholly_judged = {}
    if options.population != "at-hand":
        for stratum, rows in judged.items():
            compared = _keep_compared_ratings(rows, None if scores is None else scored.get(stratum, rows[:0]))
            if compared is not None:
                compared.attrs = table.attrs
                wholly_judged[stratum] = compared
    if wholly_judged.keys() < judged.keys():
        warn_of_clusters([table], "estimates")
    if not judged:
        raise NotIdentifiedError(f"no judgment of {target} yet, so the error of the scores is unknown")
    if unjudged := set(scored) - set(judged):
        names = ", ".join(sorted("-".join(filter(None, stratum)) for stratum in unjudged))
        warn(f"left out: {names}: scores without judgments")
    predictor = options.predictor_of(target)
    for stratum, rows in judged.items():
        leniency = groups = None
        if names_raters:
            label = "-".join(filter(None, stratum))
            is_warned = stratum not in wholly_judged
            rows, leniency, groups = subtract_leniency(rows, label=label, is_warned=is_warned)
        truth = mean_ratings(rows)
        metrics: list[str] = []
        f: FloatArray | None = None
        centres = units = np.zeros(0)
        if scores is None:
            values, summarizers, topics = matrix(truth, target)
        else:
            scored_rows = scored.get(stratum, table.iloc[:0])
            metrics = sorted(set(scored_rows["metric"]), key=natural)
            (values, summarizers, topics), f = _align_scores(truth, scored_rows, metrics, predictor)
            centres = f[:, 0, 0]
            f = f - centres[:, None, None]
            is_lower = [(name if predictor is None else target) in lower for name in metrics]
            units = np.where(is_lower, -1.0, 1.0) * [_scale_of_values(of_metric) for of_metric in f]
            f = f / units[:, None, None]
        y, centre, unit = _centre_judgments(values, lower_is_better=target in lower)
        yield JudgedStratum(
            names=(*stratum, target),
            summarizers=summarizers,
            topics=topics,
            y=y,
            centre=centre,
            unit=unit,
            metrics=tuple(metrics),
            f=f,
            centres_of_scores=centres,
            units_of_scores=units,
            leniency=leniency,
            groups=groups,
            ratings=wholly_judged.get(stratum),
        )


def _keep_compared_ratings(ratings: pd.DataFrame, scored: pd.DataFrame | None) -> pd.DataFrame | None:
    """Give the ratings of a stratum that two summarizers or more, and topics, have, if all scored cells have one.

    Without scores no cell lacks a judgment. Ratings of cells without a score are left out.
    """
    if scored is not None:
        cells = pd.MultiIndex.from_frame(scored[KEYS]).unique()
        judged_cells = pd.MultiIndex.from_frame(ratings[KEYS])
        if not cells.isin(judged_cells).all():
            return None
        ratings = ratings[judged_cells.isin(cells)]
    summarizers_of_topics = ratings.groupby("topic")["summarizer"].nunique()
    return ratings if (summarizers_of_topics > 1).sum() > 1 else None


def _align_scores(
    truth: pd.DataFrame, scores: pd.DataFrame, metrics: Sequence[str], predictor: Predictor | None
) -> tuple[LabelledMatrix, FloatArray]:
    """Lay out judgments and the scores of each metric on the same cells.

    Judgments without a score are left out with a warning; if all are, that is an InputError.
    """
    has_score = pd.MultiIndex.from_frame(truth[KEYS]).isin(pd.MultiIndex.from_frame(scores[KEYS]))
    if len(truth) and not has_score.all():
        missing = truth[~has_score]
        count = f"{len(missing)} judgments without a score"
        example = format_key(missing[KEYS].iloc[0])
        if not has_score.any():
            raise InputError(f"{count}, among them {example}; expected scores for everything")
        warn(f"{count} are left out, among them {example}")
    summarizers = tuple(sorted(set(scores["summarizer"]), key=natural))
    topics = tuple(sorted(set(scores["topic"]), key=natural))
    cells = pd.MultiIndex.from_product([summarizers, topics], names=["summarizer", "topic"])
    shape = len(summarizers), len(topics)

    def align(rows: pd.DataFrame) -> pd.Series:
        """Give the score of each cell."""
        return rows.set_index(["summarizer", "topic"])["score"].reindex(cells).astype(float)

    judgment_matrix = align(truth[has_score]).to_numpy().reshape(shape)
    score_matrices = []
    for name in metrics:
        values = align(scores[scores["metric"] == name])
        is_missing = values.isna()
        if is_missing.any():
            summarizer, topic = values.index[is_missing][0]
            year, task = scores[["year", "task"]].iloc[0]
            raise InputError(
                f"{format_key((year, topic, task, summarizer))}: no score of {name} ({is_missing.sum()} such "
                "summaries); expected one for every summarizer on every topic"
            )
        score_matrices.append(values.to_numpy().reshape(shape))
    if predictor is not None and predictor.grades is not None:
        _warn_of_scale(judgment_matrix, predictor, predictor.grades)
    return (judgment_matrix, summarizers, topics), np.array(score_matrices)


def _warn_of_scale(judgments: FloatArray, predictor: Predictor, grades: tuple[float, float]) -> None:
    """Warn where judgments are on another scale than those that a predictor was trained on."""
    from classy_aesop.predictor.calibration import is_other_scale

    judged_topics = judgments[:, ~np.isnan(judgments).all(axis=0)]
    if not judged_topics.size:
        return
    ends = [np.nanmin(judged_topics, axis=0), np.nanmax(judged_topics, axis=0)]
    n_topics = predictor.calibration.n_topics if predictor.calibration else len(ends[0])
    if is_other_scale(ends, grades, n_topics):
        low, high = grades
        warn(
            f"judgments are {np.nanmin(judgments):g} to {np.nanmax(judgments):g}, those that {predictor.name} was "
            f"trained on {low:g} to {high:g}, on another scale: its intervals do not hold"
        )
