"""Mean human scores of summarizers from a part of the judgments, and how many judgments make them precise enough."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from classy_aesop.answers.judgments import (
    ESTIMATES,
    HOW,
    OF_RATERS,
    PLACE,
    EstimateOptions,
    JudgedPart,
    UntoldError,
    judged_parts,
)
from classy_aesop.answers.score_matrices import ScoreTables
from classy_aesop.data import KEYS, tidied
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import InputError, UsageError
from classy_aesop.significance.pairs.equivalence import Margin, margin_ends
from classy_aesop.significance.planning.precision import plan_precision, plan_precision_without_pilot
from classy_aesop.work.seeds import seeded_rng

DIFFERENCES = [*PLACE, "first", "second", "difference", "low", "high", "p", "significant", "verdict", *HOW]
"""The columns of `estimate_differences`."""

MOST_TOPICS = 1_000
"""Most topics that are planned for."""

STEPS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, MOST_TOPICS)
"""Numbers of topics that are shown."""

PLANNED = [*PLACE, "n_topics", "n_judgments", "width", "width_low", "width_high", "plain_width"]
PLANNED += ["difference", "difference_low", "difference_high", "needed", "needed_low", "needed_high"]
NAMED = "first_topics"
PLANNED += ["settled", "judged", NAMED, "power", *HOW]
"""The columns of `estimate_plan`."""


def estimate(
    judgments: ScoreTables,
    scores: ScoreTables | None = None,
    *,
    target: str,
    metrics: str | Sequence[str] | None = None,
    year: str | None = None,
    task: str | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Estimate the mean human score of every summarizer.

    Parameters
    ----------
    judgments : DataFrame
        A score table of human scores: some topics, some summarizers or any cells; ratings by several assessors are
        averaged. Where named raters vary within topics, what each adds, by the additive model of systems, topics and
        raters, is taken from its ratings first, and the errors of that are in all intervals; ``rater_model="ignore"``
        averages ratings as they are.
    scores : DataFrame, optional
        A score table with a score of each metric for every summarizer on every topic: predictions, or metrics.
        Without it, summarizers and topics are those of the judgments.
    target : str
        The human measure.
    metrics : str, or sequence of str, optional
        Which scores are used; by default all but the target. Each needs a summarizer more.
    year, task
        As in all of :mod:`classy_aesop.answers`.
    **options
        How the means are estimated: the attributes of `EstimateOptions`, such as ``estimator="plain"``.

    Returns
    -------
    DataFrame
        A row a summarizer, the best first in each year and task: ``year, task, metric, summarizer, n_judged``
        (topics), ``plain`` (the mean of the judgments, topics' effects taken out), ``estimate, low, high`` (the mean
        human score and its interval), ``rank, rank_low, rank_high`` (equal ones have the first of their ranks; each
        interval holds by itself), ``together_low, together_high`` (intervals of all ranks, which hold together),
        ``cluster`` (everyone above a cluster is shown to be better than everyone in it, all pairs together),
        ``effect, effect_low, effect_high`` (the estimate less the mean of all summarizers, where the luck of the
        judged topics cancels), ``worth`` (how many fully judged topics give plain means with such errors),
        ``estimator, population, confidence, seed``. Intervals are those of the mean of these ratings. Where summaries
        have several ratings, ``raters_low, raters_high`` is the interval of the mean of raters like these. Before
        judgments tell anything, the mean predictions of a predictor with its own intervals: the estimator
        is ``predictor``.

    Raises
    ------
    UsageError
        There is no such target, metric, year, task or estimator.
    InputError
        A summarizer has not every score, no judgment is of a summary with scores, or there are too few judgments.

    Warns
    -----
    DataWarning
        For judgments of summaries without scores, and years and tasks without a judgment: they are left out. For
        judgments that are all equal, or on another scale than predictions; for what to judge first, before they tell.
        For raters who cannot be separated from systems; with ``rater_model="ignore"`` for raters whose shares differ
        between systems.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> judged = table.loc[table["topic"] < 3, ["topic", "system", "quality"]]
    >>> found = estimate(judged, table.drop(columns="quality"), target="quality", estimator="control-variate")
    >>> found[["summarizer", "plain", "estimate"]].round(2).values.tolist()
    [['a', 4.5, 4.58], ['b', 3.0, 3.01], ['c', 3.0, 2.94], ['d', 1.0, 0.96]]
    """
    how = EstimateOptions(**options)
    part_of: dict[str, Any] = {"target": target, "metrics": metrics, "year": year, "task": task, "how": how}
    parts = judged_parts(judgments, scores, **part_of, or_not=how.learned(target) is not None)
    table = pd.concat([part.rows(how) for part in parts], ignore_index=True)
    return without_empty_places(table[[name for name in ESTIMATES if name not in OF_RATERS or name in table]])


def estimate_differences(
    judgments: ScoreTables,
    scores: ScoreTables | None = None,
    *,
    target: str,
    metrics: str | Sequence[str] | None = None,
    baseline: str | None = None,
    equivalence: Margin | None = None,
    year: str | None = None,
    task: str | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Compare the estimated means of all pairs of summarizers, or of all with a baseline.

    The differences are those of control variates (of plain means with the estimator ``plain``), which are unbiased
    whatever the scores are.

    Parameters
    ----------
    judgments, scores, target, metrics, year, task, **options
        As for :func:`estimate`.
    baseline : str, optional
        Compare the others with this one only; it is the second of each pair.
    equivalence : float or (float, float), optional
        Differences that do not matter, see :mod:`classy_aesop.significance.pairs.pair_comparisons`; ``(-0.2, inf)``
        asks who is not worse by 0.2.

    Returns
    -------
    DataFrame
        A row a pair: ``year, task, metric, first, second, difference, low, high`` (all intervals hold together),
        ``p`` (corrected), ``significant, verdict`` (``different`` or ``undecided``; with a margin also ``equivalent``,
        ``not worse`` or ``not better``, where the interval is inside it), ``estimator, population, confidence,
        seed``.

    Raises
    ------
    UsageError, InputError
        As :func:`estimate`; or the baseline does not exist, or the margin has not 0 inside.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> judged = table.loc[table["topic"] < 3, ["topic", "system", "quality"]]
    >>> scores = table.drop(columns="quality")
    >>> found = estimate_differences(judged, scores, target="quality", baseline="a", estimator="control-variate")
    >>> found[["first", "second", "difference", "verdict"]].round(2).values.tolist()
    [['b', 'a', -1.57, 'different'], ['c', 'a', -1.64, 'different'], ['d', 'a', -3.62, 'different']]
    """
    how = EstimateOptions(**options)
    try:
        ends = None if equivalence is None else margin_ends(equivalence)
    except ValueError as error:
        raise UsageError(str(error)) from error
    parts = judged_parts(judgments, scores, target=target, metrics=metrics, year=year, task=task, how=how)
    table = pd.concat([part.pairs(how, baseline, ends) for part in parts], ignore_index=True)
    return without_empty_places(table[DIFFERENCES])


def estimate_plan(
    judgments: ScoreTables,
    scores: ScoreTables | None = None,
    *,
    target: str,
    metrics: str | Sequence[str] | None = None,
    width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    raters: int | None = None,
    year: str | None = None,
    task: str | None = None,
    **options: Any,
) -> pd.DataFrame:
    """Foresee how precise estimates are from more or fewer judged topics.

    Parameters
    ----------
    judgments, scores, target, metrics, year, task, **options
        As for :func:`estimate`: a pilot, or the judgments of another year. Where
        judgments tell nothing yet it is planned with what a predictor says of its own errors; without one only topics
        are named there.
    width : float, optional
        Wanted width of the interval of a summarizer's effect.
    difference : float, optional
        Wanted difference of two summarizers that is found with the chance ``power``.
    raters : int, optional
        Raters a summary; by default as many as now. Needs single ratings by several assessors.

    Returns
    -------
    DataFrame
        A row a number of topics: ``year, task, metric, n_topics, n_judgments, width, width_low, width_high`` (of an
        effect's interval; 95 % of what the pilot leaves possible lies between the last two), ``plain_width`` (of plain
        means), ``difference, difference_low, difference_high`` (found with the wanted power), ``needed, needed_low,
        needed_high`` (topics that reach what is wanted; missing if none does or nothing is), ``settled`` (topics that
        tell the best summarizer from the next with the wanted power, if they are as far apart as it seems now, so that
        more would hardly name another; missing if none do), ``judged`` (summaries that are judged), ``first_topics``
        (before judgments tell anything: those to judge first, drawn at random), ``power, estimator, population,
        confidence, seed``.

    Raises
    ------
    UsageError, InputError
        As :func:`estimate`; or nothing tells how raters differ.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> pilot, scores = table[["topic", "system", "quality"]], table.drop(columns="quality")
    >>> found = estimate_plan(pilot, scores, target="quality", width=1.0, estimator="control-variate")
    >>> found[["n_topics", "width", "plain_width"]].round(2).values.tolist()[:2]
    [[2.0, 1.52, 1.73], [3.0, 1.13, 1.22]]
    """
    how = EstimateOptions(**options)
    if not how.alpha < power < 1:
        raise UsageError(f"power is {power}; expected between {how.alpha:g} and 1")
    more = 0.0 if raters is None else _rater_variance(tidied(judgments, of_humans=True), target, raters)
    part_of: dict[str, Any] = {"target": target, "metrics": metrics, "year": year, "task": task}
    wanted = {"width": width, "difference": difference}
    parts = judged_parts(judgments, scores, **part_of, how=how, or_not=True)
    table = pd.concat([_plan(part, how, power, more, wanted) for part in parts], ignore_index=True)
    return without_empty_places(table[[name for name in PLANNED if name != NAMED or table[NAMED].any()]])


def _plan(
    part: JudgedPart, how: EstimateOptions, power: float, raters_add: float, wanted: dict[str, float | None]
) -> pd.DataFrame:
    """Plan for one year and task: from its judgments, or before they tell anything from a predictor's own errors."""
    n_systems, sure = len(part.summarizers), {"power": power, "alpha": how.alpha}
    first: Sequence[str] = ()
    unit, method, apart = 1.0, str(how.estimator), np.nan
    try:
        pilot = part.found(how)
    except UntoldError:
        if part.f is None:
            raise
        first = part.first(how)
        stated = how.predictor.calibration if how.predictor is not None and len(part.f) == 1 else None
        errors = (np.nan, np.nan) if stated is None else stated.variances()
        n = np.array([len(first)]) if np.isnan(errors).any() else np.arange(2, len(part.topics) + 1)
        found = plan_precision_without_pilot(errors, n_systems, n, **sure)
    else:
        if np.isinf(pilot.direct.wider):
            raise InputError(
                "a plan needs judgments that differ beyond summarizers and topics; judge more topics first"
            )
        n = np.arange(2, (pilot.direct.n_topics if pilot.direct.finite else MOST_TOPICS) + 1)
        method, unit, apart = pilot.method, part.unit, part.unit * float(np.ptp(np.sort(pilot.mean)[-2:]))
        rng = seeded_rng(how.seed, "plan", *part.names)
        found = plan_precision(pilot, n, rng, rater_variance=raters_add / unit / unit, **sure)
    values: dict[str, object] = {"n_topics": n, "n_judgments": n * n_systems}
    for name in ("width", "difference"):
        ends = unit * getattr(found, name).T
        values |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
    table = pd.DataFrame({**values, "plain_width": unit * found.plain_width})
    needed = {f"needed{end}": _first(table, end, wanted) for end in ("", "_low", "_high")}
    needed["settled"] = _first(table, "", {"difference": apart})
    shown = table[table["n_topics"].isin({*STEPS, n[-1], *filter(None, needed.values())})]
    whole = {name: pd.array([value] * len(shown), dtype="Int64") for name, value in needed.items()}
    judged = int((~np.isnan(part.y)).sum())
    shown = shown.assign(**whole, judged=judged, first_topics=", ".join(first), power=power)
    return part.signed(shown, how, method)


def _first(table: pd.DataFrame, end: str, wanted: dict[str, float | None]) -> int | None:
    """Give the fewest topics that reach what is wanted."""
    reached = [table[name + end] <= value for name, value in wanted.items() if value is not None]
    enough = np.all(reached, axis=0) & bool(reached)
    return int(table["n_topics"].to_numpy()[enough.argmax()]) if enough.any() else None


def _rater_variance(judgments: pd.DataFrame, target: str, raters: int) -> float:
    """Give what another number of raters adds to the variance of a judgment."""
    cells = judgments[judgments["metric"] == target].dropna(subset=["score"]).groupby(KEYS)["score"]
    counts, variances = cells.count(), cells.var()
    several = counts > 1
    if not several.any():
        raise UsageError("how raters differ is unknown; expected single ratings by several assessors")
    of_one = np.average(variances[several], weights=counts[several] - 1)
    return float(of_one * (1 / raters - (1 / counts).mean()))
