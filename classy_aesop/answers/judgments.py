"""The judgments of a year and task, laid out beside scores, and the mean human scores that they tell."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from classy_aesop.answers.estimating import POPULATIONS, EstimateOptions, Population
from classy_aesop.answers.leniency import Leniency, group_systems, without_leniency
from classy_aesop.answers.score_matrices import select_rows, select_stratum, split_by_stratum
from classy_aesop.data import KEYS, drop_unscored_strata, format_key, matrix, mean_ratings, natural
from classy_aesop.data.directions import (
    lower_measures,
    mark_direction,
    set_directions,
    warn_of_directions,
)
from classy_aesop.data.scores import origin_of
from classy_aesop.errors import InputError, UsageError, listed, warn
from classy_aesop.predictor import Predictor
from classy_aesop.predictor.calibration import is_other_scale
from classy_aesop.predictor.within import ALONE, N_LEAST, WITHIN
from classy_aesop.reading.given_tables import ScoreTables, read_score_table
from classy_aesop.search.subset_fits import blas_controller
from classy_aesop.significance.additive.system_means import means_design
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.few_judgments.estimated_means import (
    EstimatedMeans,
    estimate_means,
)
from classy_aesop.significance.few_judgments.two_way_fit import TooFewJudgments
from classy_aesop.significance.pairs.equivalence import DIFFERENT, UNDECIDED, verdict_within_margin
from classy_aesop.significance.raters.rater_reliability import variance_components
from classy_aesop.significance.raters.ratings import Ratings
from classy_aesop.work.seeds import seeded_rng

FIRST = 3
"""Topics to judge before anything is estimated."""

Laid = tuple[FloatArray, tuple[str, ...], tuple[str, ...]]
"""A matrix, and the names of its rows and columns."""


@dataclass(frozen=True)
class Directions:
    """1 where higher is better and -1 where lower is, of judgments and of the scores of each metric."""

    of_judgments: int
    of_scores: tuple[int, ...]

    @classmethod
    def of(
        cls,
        lower: Collection[str],
        target: str,
        metrics: Sequence[str] = (),
        *,
        are_predictions: bool = False,
    ) -> Directions:
        """Give the directions by the measures that are better if lower; predictions have that of their target."""
        names = [target] * len(metrics) if are_predictions else metrics
        return cls(_direction(target in lower), tuple(_direction(name in lower) for name in names))


def _direction(is_lower_better: bool) -> int:
    return -1 if is_lower_better else 1


@dataclass(frozen=True)
class JudgedPart:
    """One year and task: judgments where there are some, and all scores, on the same rows and columns.

    Judgments are less one of them, ``centre``, in units of about their spread, so that numbers of any size do; scores
    likewise: ``of_scores`` are the two of the first metric. Units are negative where lower is better, so that in
    them higher is.
    """

    names: tuple[str, str, str]
    summarizers: tuple[str, ...]
    topics: tuple[str, ...]
    y: FloatArray
    f: FloatArray | None
    centre: float
    unit: float
    of_scores: tuple[float, float]
    of_raters: tuple[float, float] | None
    leniency: Leniency | None
    groups: Mapping[str, int] | None

    @classmethod
    def of(
        cls,
        names: tuple[str, str, str],
        y: Laid,
        f: FloatArray | None,
        of_raters: Any,
        leniency: Leniency | None,
        groups: Mapping[str, int] | None,
        directions: Directions,
    ) -> JudgedPart:
        """Take judgments as :func:`classy_aesop.data.matrix` lays them out, and scores of the same cells."""
        values, summarizers, topics = y
        judged = values[~np.isnan(values)]
        centre = float(np.sort(judged)[len(judged) // 2]) if len(judged) else 0.0
        unit = _unit(judged - centre) if len(judged) and np.ptp(judged) else abs(centre) or 1.0
        unit *= directions.of_judgments
        of_scores = 0.0, 1.0
        if f is not None:
            first, f = float(f[0, 0, 0]), f - f[..., :1, :1]
            units = [sign * _unit(values) for sign, values in zip(directions.of_scores, f, strict=True)]
            of_scores, f = (first, units[0]), f / np.array(units)[:, None, None]
        values = (values - centre) / unit
        return cls(
            names, summarizers, topics, values, f, centre, unit, of_scores, of_raters, leniency, groups
        )

    def population(self, how: EstimateOptions) -> Population:
        """Say whose mean is estimated."""
        return how.population or ("at-hand" if np.isnan(self.y).any() else "like")

    def found(self, how: EstimateOptions) -> EstimatedMeans:
        """Estimate the means."""
        finite = POPULATIONS[self.population(how)]
        slope = 0.0 if how.predictor_of(self.names[2]) is None else self.of_scores[1] / self.unit
        unjudged = np.isnan(self.y).all(axis=1)
        if how.estimator in ("plain", "control-variate") and 0 < unjudged.sum() < unjudged.size:
            who = listed(np.array(self.summarizers, dtype=object)[unjudged])
            said = f"no judgment of {who}; estimator {how.estimator} needs at least one (or choose another)"
            raise InputError(said)
        try:
            options: dict[str, Any] = {"method": how.estimator, "finite": finite, "slope_prior": slope}
            if self.leniency is not None:
                options |= self.leniency.options(self.summarizers, self.unit)
            with blas_controller().limit(limits=1):  # the matrices are small
                found = estimate_means(self.y, self.f, **options)
        except TooFewJudgments as error:
            place = "-".join(filter(None, self.names[:2]))
            raise UntoldError(f"{place}: {error}" if place else str(error)) from error
        if np.isinf(found.direct.variance_inflation):
            values = self.centre + self.unit * self.y[~np.isnan(self.y)]
            said = f"all {len(values)} judgments of {self.names[2]} are {values.max():g}"
            if np.ptp(self.y[~np.isnan(self.y)]) > found.direct.slack.item():
                said = f"summarizers and topics explain all {len(values)} judgments of {self.names[2]}"
            no_ends = "which tells nothing of their variance: intervals have no ends; judge more topics"
            warn(f"{said}, {no_ends}")
        self._warn_of_unlinked()
        if found.method != how.estimator:
            few = f"{len(self.summarizers)} summarizers are too few for {how.estimator}"
            to = "1, as predictions have" if slope else "that of all judged cells"
            said = f"means and differences are by the {found.method}, with a slope shrunk to {to}"
            warn(f"{few}: {said}")
        return found

    def _warn_of_unlinked(self) -> None:
        """Warn of systems that were judged on no common topics, directly or through others."""
        group = means_design(~np.isnan(self.y)).group
        members = [
            [self.summarizers[system] for system in np.flatnonzero(group == number)]
            for number in range(int(group.max(initial=0)) + 1)
        ]
        if len(members) > 1:
            unlinked = listed([listed(names, most=3) for names in members], most=3, by="; ")
            place = "-".join(filter(None, self.names[:2]))
            warn(
                f"{place + ': ' if place else ''}judged on no common topics: {unlinked}; their means are compared "
                "as if the topics of each had been drawn at random, which the judgments cannot show"
            )

    def first(self, how: EstimateOptions) -> tuple[str, ...]:
        """Give topics to judge first: drawn at random, those that have a judgment before all others."""
        drawn = seeded_rng(how.seed, "topics", *self.names).permutation(len(self.topics))
        unjudged = np.isnan(self.y[:, drawn]).all(axis=0)
        return tuple(self.topics[at] for at in drawn[np.argsort(unjudged, kind="stable")][:FIRST])

    def predicted(self, how: EstimateOptions, learned: Predictor, f: FloatArray) -> pd.DataFrame:
        """Give the rows of `estimate` where judgments tell nothing yet: what the predictor says of itself."""
        mean = self.of_scores[0] + self.of_scores[1] * f[0].mean(axis=1)
        form = pd.DataFrame({"form": [WITHIN if len(mean) >= N_LEAST else ALONE] * len(mean)})
        half = learned.intervals.half_widths(form, how.confidence, np.full(len(mean), len(self.topics)))
        its = f"without intervals of {how.confidence:g}" if np.isnan(half).any() else "with its own intervals"
        said = f"too few judgments of {self.names[2]}, so means are the predictions of {learned.name}, {its}"
        judge = f"judge {', '.join(self.first(how))} first, drawn at random, and every summarizer on them"
        warn(f"{said}; {judge}")
        values = {"summarizer": self.summarizers, "n_judged": (~np.isnan(self.y)).sum(axis=1)}
        values |= {"estimate": mean, "low": mean - half, "high": mean + half, "effect": mean - mean.mean()}
        table = pd.DataFrame(
            {**values, "rank": stats.rankdata(-np.sign(self.unit) * mean, "min").astype(int)}
        )
        return self.label_rows(table.sort_values("rank", kind="stable"), how, "predictor")

    def rows(self, how: EstimateOptions) -> pd.DataFrame:
        """Give the rows of `estimate`."""
        learned = how.predictor_of(self.names[2])
        try:
            found = self.found(how)
        except UntoldError:
            if self.f is None or learned is None:
                raise
            return self.predicted(how, learned, self.f)
        n_judged, ranks = found.direct.n_judged, seeded_rng(how.seed, "ranks", *self.names)
        means = np.where(n_judged > 0, found.plain.mean, np.nan), found.mean
        values = {"summarizer": self.summarizers, "n_judged": n_judged, "worth": found.effective_n_topics}
        values |= _named("plain estimate", (self.centre + self.unit * mean for mean in means))
        values |= _named("low high", self._ends(found.interval(1 - how.alpha), self.centre))
        if self.of_raters is not None:  # of raters like these; of other topics their errors are in it
            own = self.of_raters[1] / self.y.shape[1] if found.direct.finite else 0.0
            more = (self.of_raters[0] + own) / self.unit / self.unit
            wider = replace(found, covariance=found.covariance + more * np.eye(len(self.summarizers)))
            ends = self._ends(wider.interval(1 - how.alpha), self.centre)
            values |= _named("raters_low raters_high", ends)
        effect, *ends_of_effect = found.effects(1 - how.alpha)
        values |= {"effect": self.unit * effect}
        values |= _named("effect_low effect_high", self._ends(ends_of_effect))
        values |= _named("rank rank_low rank_high", found.ranks(ranks, alpha=how.alpha))
        pairs = found.differences(seeded_rng(how.seed, *self.names), alpha=how.alpha, baseline=None)
        together = *pairs.ranks(len(self.summarizers)), found.clusters(pairs)
        values |= _named("together_low together_high cluster", together)
        if self.groups is not None:  # raters are confounded with systems: no order is known
            n = len(self.summarizers)
            open_ranks = {"rank_low": 1, "rank_high": n, "together_low": 1, "together_high": n, "cluster": 1}
            values |= {name: np.full(n, rank) for name, rank in open_ranks.items()}
        return self.label_rows(pd.DataFrame(values).sort_values("rank", kind="stable"), how, found.method)

    def pairs(
        self, how: EstimateOptions, baseline: str | None, ends: tuple[float, float] | None
    ) -> pd.DataFrame:
        """Give the rows of `estimate_differences`."""
        if baseline is not None and baseline not in self.summarizers:
            there = listed(self.summarizers, most=20)
            raise UsageError(f"no summarizer {baseline!r}; expected one of {there}")
        at = None if baseline is None else self.summarizers.index(baseline)
        estimated = self.found(how)
        found = estimated.differences(seeded_rng(how.seed, *self.names), alpha=how.alpha, baseline=at)
        who = np.array(self.summarizers, dtype=object)
        table = pd.DataFrame({"first": who[found.first], "second": who[found.second], "p": found.p})
        table["difference"] = self.unit * found.difference
        table["low"], table["high"] = self._ends((found.low, found.high))
        if self.groups is not None:  # rated by different people only: nothing is known of their difference
            first_group = table["first"].map(self.groups)
            second_group = table["second"].map(self.groups)
            is_confounded = first_group.notna() & second_group.notna() & (first_group != second_group)
            table.loc[is_confounded, "difference":"high"] = np.nan
            table.loc[is_confounded, "p"] = 1.0
        significant = (table["low"] > 0) | (table["high"] < 0)
        verdict = np.where(significant, DIFFERENT, UNDECIDED)
        if ends is not None:
            inside = (table["low"] > ends[0]) & (table["high"] < ends[1])
            shown = verdict_within_margin(*ends, lower_is_better=self.lower_is_better)
            verdict = np.where(inside, shown, verdict)
        return self.label_rows(table.assign(significant=significant, verdict=verdict), how, estimated.method)

    @property
    def lower_is_better(self) -> bool:
        """Whether lower judgments are better."""
        return self.unit < 0

    def _ends(self, ends: Sequence[FloatArray], centre: float = 0.0) -> tuple[FloatArray, FloatArray]:
        """Give the lower and the upper end of intervals in the units of the judgments."""
        first, second = (centre + self.unit * end for end in ends)
        return (second, first) if self.lower_is_better else (first, second)

    def label_rows(self, table: pd.DataFrame, how: EstimateOptions, estimator: str) -> pd.DataFrame:
        """Add the year, task and measure, and how rows were estimated."""
        year, task, target = self.names
        population = self.population(how)
        settings = {"population": population, "confidence": how.confidence, "seed": how.seed}
        rows = table.assign(year=year, task=task, metric=target, estimator=estimator, **settings)
        return mark_direction(rows, lower_is_better=self.lower_is_better)


def _named(names: str, values: Iterable[np.ndarray]) -> dict[str, np.ndarray]:
    return dict(zip(names.split(), values, strict=True))


def _unit(values: FloatArray) -> float:
    """Give a power of two of about the size of values; dividing by it changes no digit."""
    return float(2.0 ** np.frexp(np.abs(values).max())[1]) if values.any() else 1.0


class UntoldError(InputError):
    """Judgments tell nothing yet: ``why``."""

    def __init__(self, why: str) -> None:
        judge = "draw three topics or more at random, and judge each summarizer on them first"
        super().__init__(f"{why}; {judge} (--plan names some)")
        self.why = why


class IncompleteScoresError(InputError):
    """Some summaries have no score.

    Attributes
    ----------
    summarizers : set of (str, str)
        The year and the name of who wrote them.
    """

    def __init__(self, message: str, summarizers: Set[tuple[str, str]]) -> None:
        super().__init__(message)
        self.summarizers = summarizers


def judged_parts(
    judgments: ScoreTables,
    scores: ScoreTables | None,
    *,
    target: str,
    metric: str | Sequence[str] | None,
    year: str | None,
    task: str | None,
    how: EstimateOptions,
    or_not: bool = False,
    lower_is_better: str | Sequence[str] | None = None,
) -> Iterator[JudgedPart]:
    """Lay out each year and task that has judgments; where none has, each with scores if ``or_not``."""
    tables = [
        read_score_table(judgments, of_humans=True),
        *([] if scores is None else [read_score_table(scores)]),
    ]
    table, *all_scores = set_directions(tables, lower_is_better)
    warn_of_directions(table, [target])
    lower = lower_measures(table, *all_scores)
    names_raters = target not in origin_of(table).get("unnamed_raters", ())
    ratings = select_rows(table, "metric", [target], label="target").dropna(subset="score")
    ratings = select_stratum(ratings, year, task) if len(ratings) else ratings
    of_raters = _of_raters(ratings)
    leniency: dict[tuple[str, str], Leniency] = {}
    groups: dict[tuple[str, str], dict[str, int]] = {}
    if names_raters:
        groups = group_systems(ratings, how.raters)
        ratings, leniency = without_leniency(ratings, how.raters)
    truth = mean_ratings(ratings)
    judged = split_by_stratum(truth)
    if not judged and not (or_not and scores is not None):
        raise UntoldError(f"no judgment of {target} yet, so the error of the scores is unknown")
    if scores is None:
        for place, rows in judged.items():
            laid = matrix(rows, target)
            known = of_raters.get(place), leniency.get(place), groups.get(place)
            yield JudgedPart.of((*place, target), laid, None, *known, Directions.of(lower, target))
        return
    table = drop_unscored_strata(mean_ratings(all_scores[0]))
    table = select_rows(table if metric else table[table["metric"] != target], "metric", metric)
    scored = split_by_stratum(select_stratum(table, year, task))
    if judged and (unjudged := set(scored) - set(judged)):
        names = ", ".join(sorted("-".join(filter(None, place)) for place in unjudged))
        warn(f"left out: {names}: scores without judgments")
    if not judged and not scored:
        raise InputError(f"no judgment of {target} yet, and no score of another metric; expected either")
    for place in judged or scored:
        rows, own = judged.get(place, truth), scored.get(place, table.iloc[:0])
        y, f = _laid(rows, own, how.predictor_of(target))
        known = of_raters.get(place), leniency.get(place), groups.get(place)
        metrics_of_stratum = sorted(set(own["metric"]), key=natural)
        directions = Directions.of(
            lower, target, metrics_of_stratum, are_predictions=how.predictor_of(target) is not None
        )
        yield JudgedPart.of((*place, target), y, f, *known, directions)


def _of_raters(ratings: pd.DataFrame) -> dict[tuple[str, str], tuple[float, float]]:
    """Give how far raters differ in what they think of a system, and of a summary, where summaries have several.

    These are variances of the mean of as many raters: the first is that of a system's mean over any number of topics.
    """
    found: dict[tuple[str, str], tuple[float, float]] = {}
    for place, rows in split_by_stratum(ratings).items() if "assessor" in ratings else ():
        counts = rows.groupby(KEYS)["score"].count()
        if counts.max() > 1:
            given = Ratings.of(rows["score"], rows["summarizer"], rows["topic"], rows["assessor"])
            variance = {one.effect: np.fmax(one.variance, 0.0) for one in variance_components(given)}
            share = rows["assessor"].value_counts(normalize=True)
            of_cells = variance["residual"] * (1 / counts).mean()
            found[place] = float(variance["system:rater"] * (share**2).sum()), float(of_cells)
    return found


def _laid(truth: pd.DataFrame, scores: pd.DataFrame, learned: Predictor | None) -> tuple[Laid, FloatArray]:
    """Lay out judgments and the scores by metric; judgments without a score are left out, unless all are."""
    there = pd.MultiIndex.from_frame(truth[KEYS]).isin(pd.MultiIndex.from_frame(scores[KEYS]))
    if len(truth) and not there.all():
        missing = truth[~there]
        said, first = f"{len(missing)} judgments without a score", format_key(missing[KEYS].iloc[0])
        if not there.any():
            raise InputError(f"{said}, among them {first}; expected scores for everything")
        warn(f"{said} are left out, among them {first}")
    summarizers, topics = (tuple(sorted(set(scores[name]), key=natural)) for name in ("summarizer", "topic"))
    grid = pd.MultiIndex.from_product([summarizers, topics], names=["summarizer", "topic"])
    shape = len(summarizers), len(topics)

    def on_grid(rows: pd.DataFrame) -> pd.Series:
        """Give the score of each cell."""
        return rows.set_index(["summarizer", "topic"])["score"].reindex(grid).astype(float)

    y, laid = on_grid(truth[there]).to_numpy().reshape(shape), []
    for name in sorted(set(scores["metric"]), key=natural):
        one = on_grid(scores[scores["metric"] == name])
        if one.isna().any():
            who, topic = one.index[one.isna()][0]
            year, task = scores[["year", "task"]].iloc[0]
            raise IncompleteScoresError(
                f"{format_key((year, topic, task, who))}: no score of {name} ({one.isna().sum()} such summaries); "
                "expected one for every summarizer on every topic",
                {(year, str(one)) for one, _ in one.index[one.isna()]},
            )
        laid.append(one.to_numpy().reshape(shape))
        _warn_of_scale(name, laid[-1], y, learned)
    return (y, summarizers, topics), np.array(laid)


def _warn_of_scale(name: str, scores: FloatArray, judgments: FloatArray, learned: Predictor | None) -> None:
    """Say where predictions, or scores that could be some, are on another scale than judgments.

    A predictor says which judgments it learned from. Else the mean of judgments is not further from all scores than
    half of what these span; shares, such as ROUGE, are no predictions.
    """
    known = judgments[~np.isnan(judgments)]
    if not len(known):
        return
    (low, high), (least, most) = ((float(one.min()), float(one.max())) for one in (scores, known))
    has, on = f"scores of {name} {low:.3g} to {high:.3g}", "by themselves they do not estimate a mean"
    if learned is not None and learned.grades:
        low, high = learned.grades
        has, on = f"those that {name} learned from {low:g} to {high:g}", "its intervals do not hold"
        ends = [end(judgments[:, ~np.isnan(judgments).all(axis=0)], axis=0) for end in (np.nanmin, np.nanmax)]
        n_known = learned.calibration.n_topics if learned.calibration else len(ends[0])
        is_other = is_other_scale(ends, learned.grades, n_known)
    else:
        outside = max(low - known.mean(), known.mean() - high)
        is_other = (high - low) / 2 < outside < 3 * (most - least) and np.abs(scores).max() > 1
    if is_other:
        said = f"judgments are {least:g} to {most:g}, {has}, on another scale: {on}"
        warn(said)
