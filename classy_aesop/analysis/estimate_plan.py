"""How many judged topics would make estimates precise enough? From the judgments that there are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd

from classy_aesop.analysis.estimate import EstimateOptions, JudgedPart, judged_parts
from classy_aesop.data import KEYS
from classy_aesop.data.scores import without_empty_places
from classy_aesop.errors import UsageError
from classy_aesop.significance.judgments_needed import planned_precision
from classy_aesop.work.seeding import seeded_rng

MOST_TOPICS = 1_000
"""Most topics that are planned for."""

STEPS = (2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100, 150, 200, 300, 500, MOST_TOPICS)
"""Numbers of topics that are shown."""

COLUMNS = [
    "year",
    "task",
    "metric",
    "n_topics",
    "n_judgments",
    "width",
    "width_low",
    "width_high",
    "plain_width",
]
COLUMNS += ["difference", "difference_low", "difference_high", "needed", "needed_low", "needed_high"]
COLUMNS += ["settled", "power", "method", "population", "confidence", "looks", "seed"]
"""The columns of `estimate_plan`."""


def estimate_plan(
    judgments: pd.DataFrame,
    scores: pd.DataFrame | None = None,
    *,
    target: str,
    metrics: Sequence[str] | None = None,
    width: float | None = None,
    difference: float | None = None,
    power: float = 0.8,
    raters: int | None = None,
    options: EstimateOptions | None = None,
    year: str | None = None,
    task: str | None = None,
    **changed: object,
) -> pd.DataFrame:
    """Foresee how precise estimates are from more or fewer judged topics.

    Parameters
    ----------
    judgments, scores, target, metrics, options, year, task
        As for :func:`classy_aesop.analysis.estimate.estimate`: a pilot, or the judgments of another year.
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
        more would hardly name another; missing if none do), ``power, method, population, confidence, looks, seed``.

    Raises
    ------
    UsageError, InputError
        As :func:`classy_aesop.analysis.estimate.estimate`; or nothing tells how raters differ.

    Examples
    --------
    >>> table = pd.DataFrame({"topic": [1, 2, 3] * 4, "system": sorted("abcd" * 3)})
    >>> table["rouge"] = [0.31, 0.25, 0.42, 0.22, 0.2, 0.32, 0.28, 0.16, 0.3, 0.12, 0.1, 0.2]
    >>> table["quality"] = [5, 4, 5, 3, 3, 4, 4, 2, 4, 1, 1, 2]
    >>> pilot, scores = table[["topic", "system", "quality"]], table.drop(columns="quality")
    >>> found = estimate_plan(pilot, scores, target="quality", width=1.0, method="control-variate")
    >>> found[["n_topics", "width", "plain_width"]].round(2).values.tolist()[:2]
    [[2.0, 1.84, 1.99], [3.0, 1.31, 1.41]]
    """
    how = replace(options or EstimateOptions(), **changed)  # type: ignore[arg-type]
    if not how.alpha < power < 1:
        raise UsageError(f"power is {power}; expected between {how.alpha:g} and 1")
    raters_add = 0.0 if raters is None else _rater_variance(judgments, target, raters)
    parts = judged_parts(judgments, scores, target=target, metrics=metrics, year=year, task=task)
    tables = [_plan(part, how, power, raters_add, width, difference) for part in parts]
    return without_empty_places(pd.concat(tables, ignore_index=True)[COLUMNS])


def _plan(
    part: JudgedPart,
    how: EstimateOptions,
    power: float,
    raters_add: float,
    width: float | None,
    difference: float | None,
) -> pd.DataFrame:
    """Plan for one year and task."""
    pilot = part.found(how)
    most = pilot.direct.n_topics if pilot.direct.finite else MOST_TOPICS
    n = np.arange(2, most + 1)
    rng = seeded_rng(how.seed, "plan", *part.names)
    found = planned_precision(pilot, n, rng, power=power, alpha=how.alpha, rater_variance=raters_add)
    values: dict[str, object] = {"n_topics": n, "n_judgments": n * len(part.summarizers)}
    for name in ("width", "difference"):
        ends = getattr(found, name).T
        values |= dict(zip((name, f"{name}_low", f"{name}_high"), ends, strict=True))
    table = pd.DataFrame({**values, "plain_width": found.plain_width})
    reached = [_first(table, end, width, difference) for end in ("", "_low", "_high")]
    reached += [_first(table, "", None, float(np.ptp(np.sort(pilot.mean)[-2:])))]
    needed = dict(zip(("needed", "needed_low", "needed_high", "settled"), reached, strict=True))
    shown = table[table["n_topics"].isin({*STEPS, most, *filter(None, reached)})]
    whole = {name: pd.array([value] * len(shown), dtype="Int64") for name, value in needed.items()}
    return part.signed(shown.assign(**whole, power=power), how)


def _first(table: pd.DataFrame, end: str, width: float | None, difference: float | None) -> int | None:
    """Give the fewest topics that reach what is wanted."""
    wanted = {"width": width, "difference": difference}
    if all(value is None for value in wanted.values()):
        return None
    reached = np.ones(len(table), dtype=bool)
    for name, value in wanted.items():
        if value is not None:
            reached &= (table[name + end] <= value).to_numpy()
    return int(table["n_topics"].to_numpy()[reached.argmax()]) if reached.any() else None


def _rater_variance(judgments: pd.DataFrame, target: str, raters: int) -> float:
    """Give what another number of raters adds to the variance of a judgment."""
    rows = judgments[judgments["metric"] == target].dropna(subset=["score"])
    cells = rows.groupby(KEYS)["score"]
    counts, variances = cells.count(), cells.var()
    several = counts > 1
    if not several.any():
        raise UsageError("nothing tells how raters differ; expected single ratings by several assessors")
    of_one = np.average(variances[several], weights=counts[several] - 1)
    return float(of_one * (1 / raters - (1 / counts).mean()))
