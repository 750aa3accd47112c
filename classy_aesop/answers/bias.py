"""Which system a judge picks, which the people pick, and for whom the judge is too kind, from score tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd

from classy_aesop.answers.cautions import MetricCautions, cautions_of, warn_of_cautions
from classy_aesop.answers.raters import warn_of_rater_shares
from classy_aesop.answers.score_matrices import ScoreTables, check_pairing, in_place, only
from classy_aesop.data import mean_ratings, tidied
from classy_aesop.data.directions import (
    lower_measures,
    orient_scores,
    set_directions,
    turn_back,
    warn_of_directions,
)
from classy_aesop.data.scores import JoinedScores, join_scores, without_empty_places
from classy_aesop.errors import UsageError
from classy_aesop.significance.base import check_share
from classy_aesop.significance.choices import ALPHA, JUDGE_SCALES, Correction, JudgeScale
from classy_aesop.significance.equality import shift_near_zero
from classy_aesop.significance.metrics.judge_bias import JudgeBias, judge_bias
from classy_aesop.significance.multiplicity.corrections import CORRECTIONS

BIAS = [
    "year",
    "task",
    "metric",
    "target",
    "summarizer",
    "human_rank",
    "judge_rank",
    "human_mean",
    "judge_mean",
]
BIAS += [
    "bias",
    "low",
    "high",
    "relative",
    "kinder_than",
    "harsher_than",
    "over_pick",
    "p_over_pick",
    "n_topics",
]
BIAS += ["flag", "scale", "correction", "alpha", "confidence"]
"""The columns of `evaluate_bias`."""


MEANS_ON_HUMAN_SCALE = ("human_mean", "judge_mean")
"""Columns that are shown as the human scores are in their file. A bias is positive where the judge is kinder."""


@dataclass(frozen=True)
class BiasOptions:
    """How biases of judges are estimated and tested.

    Attributes
    ----------
    judge_scale : {"auto", "as-is", "matched"}
        How a judge's scores come to the human scale, see :mod:`classy_aesop.significance.metrics.judge_bias`.
    correction : str
        Of the tests of all pairs of systems.
    alpha, confidence : float
        Of the tests, and of the intervals.
    """

    judge_scale: JudgeScale = "auto"
    correction: Correction = "holm"
    alpha: float = ALPHA
    confidence: float = 0.95

    def __post_init__(self) -> None:
        if self.judge_scale not in JUDGE_SCALES:
            raise UsageError(
                f"judge_scale is {self.judge_scale!r}; expected one of {', '.join(JUDGE_SCALES)}"
            )
        if self.correction not in CORRECTIONS:
            raise UsageError(f"correction is {self.correction!r}; expected one of {', '.join(CORRECTIONS)}")
        check_share(self.alpha, "alpha")
        check_share(self.confidence, "confidence")


def evaluate_bias(
    scores: ScoreTables,
    judgments: ScoreTables,
    *,
    judge_scale: JudgeScale = "auto",
    correction: Correction = "holm",
    alpha: float = ALPHA,
    confidence: float = 0.95,
    metrics: str | Sequence[str] | None = None,
    targets: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    lower_is_better: str | Sequence[str] | None = None,
) -> pd.DataFrame:
    """Say which system each judge picks and which the people pick, and how kind the judge is to each.

    Parameters
    ----------
    scores, judgments : DataFrame, or sequence of DataFrame
        Scores of judges (any metrics), and human scores, as for :func:`classy_aesop.answers.metrics.evaluate`.
    judge_scale : {"auto", "as-is", "matched"}
        How a judge's scores come to the human scale: as they are; by the linear map that gives them the mean and the
        standard deviation of the human scores over all cells with both (``matched``); or (``auto``) as they are where
        they lie within the range of the human scores and span half of it, else matched.
    correction, alpha, confidence
        Of the tests of all pairs of systems, and of the intervals.
    metrics, targets : str, or sequence of str, optional
        Only these judges, and these human measures.
    year, task : str, optional
        Only these.
    lower_is_better : str, or sequence of str, optional
        Judges and measures of which lower values are better. Means stay as they are; a bias is human less judge there,
        so that it is positive where the judge is kind.

    Returns
    -------
    DataFrame
        A row a system, for each year, task, judge and human measure, in the order of the human means: ``human_rank,
        judge_rank`` (1: the system that they pick; equal for equal means), ``human_mean, judge_mean`` (least-squares
        means of the cells with both, the judge's on the human scale), ``bias, low, high`` (mean over topics of judge
        less human, with its interval), ``relative`` (how much larger the bias is than on average over the systems),
        ``kinder_than, harsher_than`` (the number of systems than which the judge is significantly kinder, or harsher,
        to this one), ``over_pick, p_over_pick`` (bias less that of the system that the people pick, and the corrected
        p), ``n_topics, flag`` (why there is no interval, or, of a judge that gives one score only, no bias), ``scale,
        correction, alpha, confidence``.

    Raises
    ------
    UsageError
        A name is not known.
    InputError
        No instance is in both tables.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3, 4] * 3, "system": sorted("abc" * 4)})
    >>> table["quality"] = [4, 5, 4, 5, 3, 3, 2, 3, 2, 1, 2, 1]
    >>> table["judge"] = [4, 5, 4, 4, 5, 5, 4, 5, 2, 1, 2, 2]
    >>> biases = evaluate_bias(table.drop(columns="quality"), table.drop(columns="judge"))
    >>> biases[["summarizer", "human_rank", "judge_rank", "bias", "kinder_than"]].values.tolist()
    [['a', 1, 2, -0.25, 0], ['b', 2, 1, 2.0, 2], ['c', 3, 3, 0.25, 0]]
    """
    options = BiasOptions(judge_scale, correction, alpha, confidence)
    given = set_directions([tidied(scores), tidied(judgments, of_humans=True)], lower_is_better)
    all_scores, all_ratings = map(orient_scores, given)
    lower_targets = lower_measures(given[1])
    ratings = in_place(only(all_ratings, "metric", targets, what="target"), year, task)
    human = mean_ratings(ratings)
    judged = in_place(only(mean_ratings(all_scores), "metric", metrics), year, task)
    warn_of_directions(given[0], judged["metric"].unique())
    warn_of_directions(given[1], human["metric"].unique())
    check_pairing(judged, human)
    warn_of_rater_shares(ratings)
    tables = []
    cautions: list[MetricCautions] = []
    for stratum, own in judged.groupby(["year", "task", "metric"], sort=False):
        stratum_year, stratum_task, metric = map(str, stratum)
        for target, truth in human.groupby("metric", sort=False):
            joined = join_scores(own, truth)
            if joined is None:
                continue
            cautions.append(cautions_of(metric, str(target), joined.X, joined.Z, joined.summarizers))
            rows = _rows_of(joined, options)
            if target in lower_targets:
                rows = turn_back(rows, MEANS_ON_HUMAN_SCALE)
            tables.append(
                rows.assign(year=stratum_year, task=stratum_task, metric=metric, target=str(target))
            )
    warn_of_cautions(cautions, of_means=True)
    return without_empty_places(pd.concat(tables, ignore_index=True)[BIAS])


def _rows_of(joined: JoinedScores, options: BiasOptions) -> pd.DataFrame:
    """Give the columns of one judge beside one human measure, in the order of the human means."""
    result = judge_bias(
        joined.X,
        shift_near_zero(joined.Z),
        scale=options.judge_scale,
        correction=options.correction,
        confidence=options.confidence,
    )
    kinder = result.kinder(options.alpha)
    over_pick, p_over_pick = _over_pick(result)
    table = pd.DataFrame(
        {
            "summarizer": joined.summarizers,
            "human_rank": pd.array(result.human_rank, dtype="Int64"),
            "judge_rank": pd.array(result.judge_rank, dtype="Int64"),
            "human_mean": result.human_mean,
            "judge_mean": result.judge_mean,
            "bias": result.bias,
            "low": result.low,
            "high": result.high,
            "relative": result.relative,
            "kinder_than": kinder.sum(axis=1),
            "harsher_than": kinder.sum(axis=0),
            "over_pick": over_pick,
            "p_over_pick": p_over_pick,
            "n_topics": result.n_topics,
            "flag": result.flag,
            "scale": result.scale,
            "correction": options.correction,
            "alpha": options.alpha,
            "confidence": options.confidence,
        }
    )
    for name in ("human_rank", "judge_rank"):
        table[name] = table[name].mask(table[name] == 0)
    return table.sort_values("human_rank", kind="stable", ignore_index=True)


def _over_pick(result: JudgeBias) -> tuple[np.ndarray, np.ndarray]:
    """Give each system's bias less that of the people's pick, and its p; NaN for the pick, or without one.

    People to whom all systems are equal pick none.
    """
    n = len(result.bias)
    picks = np.flatnonzero(result.human_rank == 1)
    if not len(picks) or len(picks) == n:
        return np.full(n, np.nan), np.full(n, np.nan)
    p = result.adjusted_p[:, picks[0]].copy()
    difference = result.difference[:, picks[0]].copy()
    p[picks[0]] = difference[picks[0]] = np.nan
    return difference, p
