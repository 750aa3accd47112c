"""How reliable are human scores? Their variance components, and correlations of raters with each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from classy_aesop.answers.assessors import select_ratings
from classy_aesop.answers.correlation_tables import OF_RATERS
from classy_aesop.answers.rater_shares import describe_rater_shares
from classy_aesop.answers.score_matrices import (
    check_duplicate_ratings,
    select_rows,
    split_by_stratum,
)
from classy_aesop.data import KEYS, matrix, natural
from classy_aesop.errors import InputError, warn
from classy_aesop.keywords import explain_keywords
from classy_aesop.reading.given_tables import ScoreTables, read_score_table
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import Means
from classy_aesop.significance.correlations.correlation_levels import correlation
from classy_aesop.significance.raters.rater_reliability import (
    generalizability,
    reliability,
    variance_components,
)
from classy_aesop.significance.raters.ratings import Ratings
from classy_aesop.tables.answer import Answer
from classy_aesop.tables.result import Result, make_answer_result
from classy_aesop.tables.result_columns import (
    HUMAN_MEASURE,
    MAIN,
    SELDOM,
    TASK,
    YEAR,
    column_names,
    count,
    estimate,
    item,
    remark,
    stratum,
)
from classy_aesop.tables.wording import split_first_stratum
from classy_aesop.work.options import GivenColumns
from classy_aesop.work.workers import map_workers, show_progress

RELIABILITY_LEVELS = ("system", "input")
"""The levels of which `rater_reliability` gives the reliability and the ceiling."""

COLUMNS_OF_RATERS = column_names(*OF_RATERS)
"""The columns that `correlate_with_raters` adds to a correlation."""


def state_reliability(rows: pd.DataFrame) -> str:
    """Give the reliability of system means, and the ceiling of correlations with them."""
    of_systems = rows[rows["level"].eq("system")]
    first, where = split_first_stratum(of_systems, RELIABILITY.strata_in(rows))
    values = first.set_index("quantity")["value"]
    if pd.isna(values["reliability"]):
        return f"The reliability of system means is undefined{where}."
    ceiling = values["ceiling"]
    limit = "" if pd.isna(ceiling) else f"; correlations with them are expected to be at most {ceiling:z.3f}"
    return f"The reliability of system means is {values['reliability']:z.3f}{limit}{where}."


RELIABILITY = Answer(
    name="assessors --reliability",
    caption="Reliability of ratings",
    columns=(
        YEAR,
        TASK,
        HUMAN_MEASURE,
        item("quantity", "a variance, or what follows from them"),
        stratum("level", "system, or input; empty for variances"),
        estimate("value", "of the quantity", priority=MAIN),
        estimate("share", "of all variance; those of system, topic and system:topic add up to ICC(2,1)"),
        count("n", "groups of the effect"),
        remark("flag", "what the ratings hide", priority=SELDOM),
    ),
    needs=("quantity", "level", "value"),
    sentence=state_reliability,
)


@explain_keywords()
def rater_reliability(
    ratings: ScoreTables,
    *,
    metric: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
    year: str | None = None,
    task: str | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Estimate the variance components of ratings (systems, topics, raters, residual), and how reliable means are.

    Parameters
    ----------
    ratings : DataFrame, or sequence of DataFrame
        A score table with ``assessor``. Raters without a name, as in lists of ratings, are distinguished by their
        position in the list.
    metric : str, or sequence of str, optional
        Only these human measures.
    columns : mapping, optional
        What columns are, where their names do not say so, e.g. ``{"topic": "prompt", "summarizer": "model"}``.
    year, task : str, optional
        Only these.
    n_jobs : int
        Number of processes, as for joblib; the result does not depend on it.
    progress : bool
        Show a progress bar on standard error.

    Returns
    -------
    Result
        For each year, task and measure a row for each ``quantity``: the ``variance`` of each effect with its
        ``share`` of all and its number of groups ``n``; the ``generalizability`` of the means of systems; and at each
        of `RELIABILITY_LEVELS` their ``reliability`` for raters, the ``ceiling`` of correlations with them, and the
        correlation of one more ``rater`` with them, see :mod:`classy_aesop.significance.raters.rater_reliability`.
        `RELIABILITY` declares the columns.

    Raises
    ------
    InputError
        No ratings, or no assessors.

    Examples
    --------
    >>> ratings = pd.DataFrame({"topic": [1, 1, 2, 2, 3, 3], "system": list("ababab")})
    >>> ratings[["rating_1", "rating_2"]] = [[5, 5], [2, 1], [4, 4], [2, 2], [5, 4], [3, 3]]
    >>> table = rater_reliability(ratings).table
    >>> table.loc[table["quantity"] == "generalizability", "value"].round(3).tolist()
    [0.935]
    """
    ratings = read_score_table(ratings, of_humans=True, columns=columns, name="ratings")
    rows = select_ratings(ratings, metric, year, task)
    check_assessors(rows)
    ratings_of_measure = {
        (*stratum, str(measure)): of_measure
        for stratum, of_stratum in split_by_stratum(rows).items()
        for measure, of_measure in of_stratum.groupby("metric", sort=False)
    }
    results = map_workers(
        _reliability_rows, [(table,) for table in ratings_of_measure.values()], n_jobs=n_jobs
    )
    blocks = show_progress(results, "reliability", "measures", shown=progress, total=len(ratings_of_measure))
    quantities = [
        (*names, *row) for names, block in zip(ratings_of_measure, blocks, strict=True) for row in block
    ]
    table = pd.DataFrame(quantities, columns=RELIABILITY.names).astype({"n": "Int64"})
    return make_answer_result(RELIABILITY, table)


def check_assessors(ratings: pd.DataFrame) -> None:
    """Raise InputError unless there are single ratings, one an assessor and summary."""
    if "assessor" not in ratings:
        expected = "a column assessor, a column a rater (rating_1, rating_2), or lists of ratings"
        raise InputError(f"no single ratings; expected {expected}")
    if ratings.empty:
        raise InputError("no ratings; expected at least one")
    check_duplicate_ratings(ratings)


def warn_of_rater_shares(ratings: pd.DataFrame, metrics: str | Sequence[str] | None = None) -> None:
    """Warn where named raters gave different shares of the ratings of some systems than of others, by one measure.

    Ratings are averaged over raters, so that the means of systems then depend on how lenient their raters are. Numbered
    raters (``rating_1``, ``rating_2``) are positions in a row, not persons.
    """
    if "assessor" not in ratings:
        return
    largest = 0.0
    message = ""
    rows = select_rows(ratings, "metric", metrics).dropna(subset="score")
    for (_, _, metric), of_measure in rows.groupby(["year", "task", "metric"], sort=False):
        names = set(of_measure["assessor"])
        if len(names) < 2 or names == {str(number + 1) for number in range(len(names))}:
            continue
        shares = pd.crosstab(of_measure["summarizer"], of_measure["assessor"], normalize="index")
        difference = float(np.ptp(shares.to_numpy(), axis=0).max())
        if difference > largest:
            largest = difference
            message = describe_rater_shares(
                shares.to_numpy(), list(map(str, shares.index)), list(map(str, shares))
            )
            message = message and f"{metric}: {message}"
    if message:
        warn(message)


def _ratings_by_number(rows: pd.DataFrame) -> Ratings:
    """Number the systems, topics and raters of the ratings of one measure."""
    return Ratings.from_arrays(rows["score"], rows["summarizer"], rows["topic"], rows["assessor"])


def _reliability_rows(rows: pd.DataFrame) -> list[tuple[object, ...]]:
    """Give the rows of one measure: its variance components, then its reliability at each level."""
    nan = float("nan")
    ratings = _ratings_by_number(rows)
    components = variance_components(ratings)
    total = sum(component.variance for component in components if component.variance > 0) or nan
    quantities: list[tuple[object, ...]] = [
        (
            f"variance: {component.effect}",
            "",
            component.variance,
            component.variance / total,
            component.n,
            component.flag,
        )
        for component in components
    ]
    quantities.append(("generalizability", "system", generalizability(ratings, components), nan, pd.NA, ""))
    is_single = len(ratings.rate_once().scores) == len(ratings.scores)
    undefined = "one rating a summary" if is_single else "nothing varies"
    for level in RELIABILITY_LEVELS:
        at_level = reliability(ratings, components, level=level)
        flag = undefined if np.isnan(at_level.reliability) else ""
        quantities += [
            ("reliability", level, at_level.reliability, nan, pd.NA, flag),
            ("ceiling", level, at_level.ceiling, nan, pd.NA, flag),
            ("rater", level, at_level.rater, nan, pd.NA, flag),
        ]
    return quantities


def correlate_with_raters(
    scores: pd.DataFrame,
    ratings: pd.DataFrame,
    levels_and_coefficients: Sequence[tuple[str, str]],
    means: Means = "plain",
) -> list[tuple[float, float, float]]:
    """Correlate one metric and a rater with the mean of the other raters, and give the ceiling of correlations."""
    scored_ratings = ratings.merge(scores.dropna(subset="score")[KEYS], on=KEYS).dropna(subset="score")
    numbered = _ratings_by_number(scored_ratings)
    components = variance_components(numbered) if len(scored_ratings) else ()
    matrices = _leave_one_rater_out(scored_ratings, scores)
    rows = []
    for level, coefficient in levels_and_coefficients:
        ceiling = float("nan")
        if coefficient == "pearson" and components:
            ceiling = reliability(numbered, components, level=level).ceiling
        values = [
            [
                correlation(X, of_others, level=level, coefficient=coefficient, means=means).value
                for X in (of_metric, of_rater)
            ]
            for of_metric, of_rater, of_others in matrices
        ]
        by_rater = pd.DataFrame(values, columns=COLUMNS_OF_RATERS[1:], dtype=float)
        rows.append((ceiling, *by_rater.mean()))
    return rows


def _leave_one_rater_out(ratings: pd.DataFrame, scores: pd.DataFrame) -> list[list[FloatArray]]:
    """Lay out the metric, one rater and the mean of the others, for each rater, on summaries that several rated."""
    rows = ratings.sort_values([*KEYS, "assessor"], key=lambda names: names.map(natural), kind="stable")
    number = rows.groupby(KEYS).cumcount()
    metric_scores = scores.rename(columns={"score": "metric_score"})[[*KEYS, "metric_score"]]
    matrices = []
    for rater in range(int(number.max()) + 1 if len(rows) else 0):
        of_rater = rows[number == rater].set_index(KEYS)["score"]
        mean_of_others = rows[number != rater].groupby(KEYS)["score"].mean()
        shared = pd.DataFrame({"rater": of_rater, "others": mean_of_others}).dropna().reset_index()
        shared = shared.merge(metric_scores, on=KEYS)
        if len(shared):
            matrices.append(
                [
                    matrix(shared.assign(score=shared[name], metric=""), "")[0]
                    for name in ("metric_score", "rater", "others")
                ]
            )
    return matrices
