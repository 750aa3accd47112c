"""What single ratings say of the human scores: their variance components, and how close raters come to each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from classy_aesop.answers.correlation_tables import OF_RATERS
from classy_aesop.answers.score_matrices import (
    check_duplicate_ratings,
    select_rows,
    select_stratum,
    split_by_stratum,
)
from classy_aesop.data import KEYS, matrix, natural
from classy_aesop.data.cells import Fields
from classy_aesop.data.scores import drop_empty_stratum_columns
from classy_aesop.errors import InputError, warn
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
from classy_aesop.tables.result import Result
from classy_aesop.tables.result_columns import (
    MAIN,
    SELDOM,
    TASK,
    YEAR,
    count,
    estimate,
    item,
    remark,
    stratum,
)
from classy_aesop.tables.wording import first_stratum, stratum_text
from classy_aesop.work.records import signature
from classy_aesop.work.workers import map_workers, show_progress

LEVELS = ("system", "input")
"""The levels of which `rater_reliability` says what is possible."""

BESIDE = [column.name for column in OF_RATERS]
"""What `beside_raters` adds to a correlation."""


def state_reliability(rows: pd.DataFrame) -> str:
    """Give the reliability of system means, and the ceiling of correlations with them."""
    of_systems = rows[rows["level"].eq("system")]
    strata = RELIABILITY.strata_in(rows)
    values = first_stratum(of_systems, strata).set_index("quantity")["value"]
    where = stratum_text(of_systems, strata)
    if pd.isna(values["reliability"]):
        return f"The reliability of system means is undefined{where}."
    ceiling = values["ceiling"]
    most = "" if pd.isna(ceiling) else f"; correlations with them are expected to be at most {ceiling:z.3f}"
    return f"The reliability of system means is {values['reliability']:z.3f}{most}{where}."


RELIABILITY = Answer(
    name="assessors --reliability",
    caption="Reliability of ratings",
    columns=(
        YEAR,
        TASK,
        stratum("metric", "the human measure"),
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


def rater_reliability(
    ratings: ScoreTables,
    *,
    metric: str | Sequence[str] | None = None,
    columns: Fields | None = None,
    year: str | None = None,
    task: str | None = None,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Part the variance of ratings into systems, topics, raters and what is left, and say how reliable means are.

    Parameters
    ----------
    ratings : DataFrame, or sequence of DataFrame
        A score table with ``assessor``. Raters without a name, as in lists of ratings, are told apart by their place.
    metric : str, or sequence of str, optional
        Only these human measures.
    columns : mapping, optional
        What columns are, where their names do not say so, e.g. ``{"topic": "prompt", "summarizer": "model"}``.
    year, task : str, optional
        Only these.

    Returns
    -------
    Result
        For each year, task and measure a row for each ``quantity``: the ``variance`` of each effect with its
        ``share`` of all and its number of groups ``n``; the ``generalizability`` of the means of systems; and at each
        of `LEVELS` their ``reliability`` for raters, the ``ceiling`` of correlations with them, and the correlation
        of one more ``rater`` with them, see :mod:`classy_aesop.significance.raters.rater_reliability`. `RELIABILITY`
        declares the columns.

    Raises
    ------
    InputError
        No ratings, or no assessors.

    Examples
    --------
    >>> ratings = pd.DataFrame({"topic": [1, 1, 2, 2, 3, 3], "system": list("ababab")})
    >>> ratings[["rating_1", "rating_2"]] = [[5, 5], [2, 1], [4, 4], [2, 2], [5, 4], [3, 3]]
    >>> found = rater_reliability(ratings).table
    >>> found.loc[found["quantity"] == "generalizability", "value"].round(3).tolist()
    [0.935]
    """
    ratings = read_score_table(ratings, of_humans=True, columns=columns, name="ratings")
    rows = select_stratum(select_rows(ratings, "metric", metric).dropna(subset="score"), year, task)
    check_assessors(rows)
    parts = {
        (*place, str(measure)): own
        for place, there in split_by_stratum(rows).items()
        for measure, own in there.groupby("metric", sort=False)
    }
    done = map_workers(_reliability_of, [(own,) for own in parts.values()], n_jobs=n_jobs)
    bar = show_progress(done, "reliability", "measures", shown=progress, total=len(parts))
    found = [(*names, *row) for names, part in zip(parts, bar, strict=True) for row in part]
    table = drop_empty_stratum_columns(pd.DataFrame(found, columns=RELIABILITY.names).astype({"n": "Int64"}))
    return Result(table, signature=signature(command=RELIABILITY.name), answer=RELIABILITY)


def check_assessors(ratings: pd.DataFrame) -> None:
    """Raise InputError unless there are single ratings, one an assessor and summary."""
    if "assessor" not in ratings:
        expected = "a column assessor, a column a rater (rating_1, rating_2), or lists of ratings"
        raise InputError(f"no single ratings; expected {expected}")
    if ratings.empty:
        raise InputError("no ratings; expected at least one")
    check_duplicate_ratings(ratings)


MIN_SHARE_DIFFERENCE = 0.1
"""Of one rater between two systems, from which on means of these systems may differ by how lenient raters are."""


def warn_of_rater_shares(ratings: pd.DataFrame, metrics: str | Sequence[str] | None = None) -> None:
    """Warn where raters who are named rated other shares of some systems than of others, by one measure.

    Ratings are averaged over raters, so that the means of systems then carry how lenient their raters are. Numbered
    raters (``rating_1``, ``rating_2``) are places in a row, not persons.

    Parameters
    ----------
    ratings : DataFrame
        Tidy ratings.
    metric : str, or sequence of str, optional
        Only of these measures.

    Warns
    -----
    DataWarning
        Once, with the largest difference.
    """
    if "assessor" not in ratings:
        return
    largest = MIN_SHARE_DIFFERENCE
    message = ""
    rows = select_rows(ratings, "metric", metrics).dropna(subset="score")
    for (_, _, metric), ratings_of_measure in rows.groupby(["year", "task", "metric"], sort=False):
        names = set(ratings_of_measure["assessor"])
        if len(names) < 2 or names == {str(number + 1) for number in range(len(names))}:
            continue
        shares = pd.crosstab(
            ratings_of_measure["summarizer"], ratings_of_measure["assessor"], normalize="index"
        )
        difference = shares.max() - shares.min()
        if difference.max() > largest:
            rater = difference.idxmax()
            of_rater = shares[rater]
            largest = float(difference.max())
            message = (
                f"{metric}: rater {rater} gave {of_rater.max():.0%} of the ratings of {of_rater.idxmax()} and "
                f"{of_rater.min():.0%} of those of {of_rater.idxmin()}; ratings are averaged, so means of systems "
                "carry how lenient their raters are"
            )
    if message:
        warn(message)


def _ratings(rows: pd.DataFrame) -> Ratings:
    return Ratings.of(rows["score"], rows["summarizer"], rows["topic"], rows["assessor"])


def _reliability_of(rows: pd.DataFrame) -> list[tuple[object, ...]]:
    """Give the rows of one measure."""
    nothing, ratings = float("nan"), _ratings(rows)
    components = variance_components(ratings)
    total = sum(one.variance for one in components if one.variance > 0) or nothing
    found: list[tuple[object, ...]] = [
        (f"variance: {one.effect}", "", one.variance, one.variance / total, one.n, one.flag)
        for one in components
    ]
    found.append(("generalizability", "system", generalizability(ratings, components), nothing, pd.NA, ""))
    is_single = len(ratings.rate_once().scores) == len(ratings.scores)
    undefined = "one rating a summary" if is_single else "nothing varies"
    for level in LEVELS:
        one = reliability(ratings, components, level=level)
        flag = undefined if np.isnan(one.reliability) else ""
        values = {"reliability": one.reliability, "ceiling": one.ceiling, "rater": one.rater}
        found += [(name, level, value, nothing, pd.NA, flag) for name, value in values.items()]
    return found


def beside_raters(
    scores: pd.DataFrame,
    ratings: pd.DataFrame,
    wanted: Sequence[tuple[str, str]],
    means: Means = "plain",
) -> list[tuple[float, float, float]]:
    """Give `BESIDE` for each level and coefficient of one metric in one year and task, beside single ratings there.

    The ceiling is of Pearson's correlation, else NaN; the others are the mean over which rater is left out. Raters of
    different topics stand for each other, by the order of their names. ``means`` as for
    :func:`classy_aesop.significance.correlations.correlation_levels.correlation`.
    """
    both = ratings.merge(scores.dropna(subset="score")[KEYS], on=KEYS).dropna(subset="score")
    of_all = _ratings(both)
    components = variance_components(of_all) if len(both) else ()
    parts = _without_one_each(both, scores)
    found = []
    for level, coefficient in wanted:
        ceiling = float("nan")
        if coefficient == "pearson" and components:
            ceiling = reliability(of_all, components, level=level).ceiling
        how = {"level": level, "coefficient": coefficient, "means": means}
        values = [[correlation(X, Z, **how).value for X in sides] for *sides, Z in parts]
        found.append((ceiling, *pd.DataFrame(values, columns=BESIDE[1:], dtype=float).mean()))
    return found


def _without_one_each(ratings: pd.DataFrame, scores: pd.DataFrame) -> list[list[FloatArray]]:
    """Lay out the metric, one rater and the mean of the others, for each rater, on summaries that several rated."""
    rows = ratings.sort_values([*KEYS, "assessor"], key=lambda names: names.map(natural), kind="stable")
    number = rows.groupby(KEYS).cumcount()
    parts = []
    for one in range(int(number.max()) + 1 if len(rows) else 0):
        own = rows[number == one].set_index(KEYS)["score"]
        others = rows[number != one].groupby(KEYS)["score"].mean()
        both = pd.DataFrame({"own": own, "others": others}).dropna().reset_index()
        both = both.merge(scores.rename(columns={"score": "metric_score"})[[*KEYS, "metric_score"]], on=KEYS)
        if len(both):
            sides = (both.assign(score=both[name], metric="") for name in ("metric_score", "own", "others"))
            parts.append([matrix(side, "")[0] for side in sides])
    return parts
