"""How reliable are human scores, and how well can a metric agree with them? Their variance components say it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

import numpy as np
import pandas as pd

from classy_aesop.answers.assessors import check_assessors, select_ratings
from classy_aesop.answers.score_matrices import split_by_stratum
from classy_aesop.keywords import explain_keywords
from classy_aesop.reading.given_tables import ScoreTables, read_score_table
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
    ratings = read_score_table(ratings, columns=columns, name="ratings")
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


def _reliability_rows(rows: pd.DataFrame) -> list[tuple[object, ...]]:
    """Give the rows of one measure: its variance components, then its reliability at each level."""
    ratings = Ratings.from_arrays(rows["score"], rows["summarizer"], rows["topic"], rows["assessor"])
    components = variance_components(ratings)
    total = sum(component.variance for component in components if component.variance > 0) or np.nan
    quantities: list[tuple[object, ...]] = [
        (f"variance: {part.effect}", "", part.variance, part.variance / total, part.n, part.flag)
        for part in components
    ]
    of_means = [("generalizability", "system", generalizability(ratings, components), "")]
    is_single = len(ratings.rate_once().scores) == len(ratings.scores)
    undefined = "one rating a summary" if is_single else "nothing varies"
    for level in RELIABILITY_LEVELS:
        correlations = asdict(reliability(ratings, components, level=level))
        flag = undefined if np.isnan(correlations["reliability"]) else ""
        of_means += [(name, level, value, flag) for name, value in correlations.items() if name != "level"]
    return quantities + [(*names, value, np.nan, pd.NA, flag) for *names, value, flag in of_means]
