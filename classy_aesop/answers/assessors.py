"""Do assessors agree with each other?"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import asdict, replace
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import RatingOptions
from classy_aesop.answers.score_matrices import (
    check_duplicate_ratings,
    select_rows,
    select_stratum,
)
from classy_aesop.data import natural
from classy_aesop.data.attempts import describe_attempts
from classy_aesop.data.preference_records import NO_RATER, PREFERENCE_MEASURE, Preferences
from classy_aesop.data.scores import origin_of
from classy_aesop.errors import NOTE, InputError
from classy_aesop.keywords import explain_keywords
from classy_aesop.plots.captioned import Picture, forest_picture
from classy_aesop.reading.given_tables import ScoreTables, read_ratings
from classy_aesop.significance.choices import Scale
from classy_aesop.significance.raters.krippendorff import (
    krippendorff_alpha,
    ratings_of_units,
)
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
    interval,
    item,
    remark,
    setting,
    stratum,
)
from classy_aesop.tables.wording import (
    interval_text,
    range_text,
)
from classy_aesop.work.options import GivenColumns
from classy_aesop.work.workers import map_workers, show_progress

ROW_NAMES = ["year", "task", "metric", "assessor"]
"""The columns that name a row; ``assessor`` is empty where the ratings of all are pooled."""

MAX_PAIRED_RATERS = 12
"""Most raters of whom each pair has a row."""

LARGE_MODE_SHARE = 0.9
"""Share of the most frequent rating from which on nearly all ratings are the same."""

THE_OTHERS = "the others"
"""The name of the mean of all other raters, with which each rater is compared."""

RowLabels = tuple[str, ...]
"""Year, task, measure, and two assessors or fewer."""

RatingsOfUnits = list[list[float]]
"""The ratings of each unit."""

_LOG = logging.getLogger(__name__)


# --- what the tables say ---


def state_alpha(rows: pd.DataFrame) -> str:
    """Give alpha of all assessors, and the share of equal pairs."""
    of_all = rows[rows["assessor"].eq("")]
    if of_all["value"].isna().all():
        return f"Krippendorff's alpha is undefined{_reason(of_all)}.{_state_equal_pairs(of_all)}"
    ends = interval_text(of_all.iloc[0]) or _reason(of_all) if len(of_all) == 1 else ""
    alpha = f"Krippendorff's alpha is {range_text(of_all['value'], 'z.3f')}{ends}."
    return alpha + _state_equal_pairs(of_all)


def _state_equal_pairs(rows: pd.DataFrame) -> str:
    """Give the share of equal pairs, and that of the most frequent rating where it is large, each after a blank."""
    if "agreement" not in rows or rows["agreement"].isna().all():
        return ""
    equal = f" Of two ratings of one unit a share of {range_text(rows['agreement'], 'z.3f')} are equal."
    one_sided = rows["mode_share"][rows["mode_share"] >= LARGE_MODE_SHARE]
    if one_sided.empty:
        return equal
    return (
        f"{equal} Nearly all ratings are the same ({range_text(one_sided, '.1%')} of them): most pairs are then equal "
        "by chance, and alpha depends on the few others."
    )


def _reason(rows: pd.DataFrame) -> str:
    """Give in parentheses why there is no value or no interval, if all rows say the same."""
    reasons = set(rows.get("flag", pd.Series(dtype=object)).fillna("")) - {""}
    return f" ({reasons.pop()})" if len(reasons) == 1 else ""


def name_all_assessors(rows: pd.DataFrame) -> pd.DataFrame:
    """Name the row of all assessors, whose cell is empty, where there are rows of single ones too."""
    if "assessor" in rows and rows["assessor"].fillna("").ne("").any():
        rows = rows.assign(assessor=rows["assessor"].fillna("").replace("", "all together"))
    return rows


def draw_alpha(rows: pd.DataFrame) -> Picture:
    """Draw Krippendorff's alpha of all assessors together, then that of each, and of pairs."""
    alpha = "Krippendorff's alpha"
    is_single = rows["assessor"] != ""
    names = rows["assessor"] + " and " + rows["other"] if "other" in rows else rows["assessor"]
    labelled = rows.assign(assessor=names.where(is_single, "all together"), single=is_single)
    ordered = labelled.sort_values(["single", "value"], ascending=[True, False], kind="stable")
    renamed = ordered.rename(columns={"value": alpha})
    return forest_picture(renamed, f"{alpha} and its interval", "assessor", alpha, sort=False)


# --- the declared tables ---

ASSESSOR_COLUMN = stratum("assessor", "whose ratings; empty where those of all are pooled")

ALPHA_WITH_INTERVAL = (
    estimate("value", "Krippendorff's alpha", priority=MAIN),
    *interval("low", "high", "its interval by the jackknife over units", priority=MAIN),
)
PAIRED_UNITS = (
    count("n_units", "units with two ratings or more", priority=MAIN),
    count("n_pairs", "pairs of ratings of one unit"),
)
OF_ALPHA = (
    *ALPHA_WITH_INTERVAL,
    estimate("agreement", "share of the pairs of ratings of one unit that are equal; empty for the others"),
    estimate("mode_share", "share of the ratings that are the most frequent one", shown="on request"),
    *PAIRED_UNITS,
    count("n_ratings", "ratings of these units"),
    count("n_single", "ratings that are left out, alone on their unit"),
)

ALPHA_OF_RATERS = Answer(
    name="assessors",
    caption="Agreement of assessors",
    question="How far do raters agree?",
    columns=(
        YEAR,
        TASK,
        HUMAN_MEASURE,
        ASSESSOR_COLUMN,
        item("other", "the other assessor, or the mean of the others; empty for all"),
        *OF_ALPHA,
        remark("flag", "why there is no alpha, or no interval", priority=2 * SELDOM),
        setting("scale", "of the ratings"),
        setting("confidence", "of the intervals", "float"),
    ),
    sentence=state_alpha,
    pictures=draw_alpha,
    drawn_together=("assessor",),
    arrange_rows=name_all_assessors,
)

# --- from ratings to tables ---


@explain_keywords()
def assessors(
    ratings: ScoreTables | Preferences,
    *,
    scale: Scale = "interval",
    metric: str | Sequence[str] | None = None,
    columns: GivenColumns | None = None,
    year: str | None = None,
    task: str | None = None,
    confidence: float = 0.95,
    n_jobs: int = 1,
    progress: bool = False,
) -> Result:
    """Compute Krippendorff's alpha for each human measure, with its interval.

    Parameters
    ----------
    ratings : DataFrame, Preferences, or sequence of DataFrame
        A score table with ``assessor``, or columns of raters (``rating_1``, ``rating_2``). Ratings that are words
        without order (``bug``, ``feature``) are compared on the nominal scale. Of preferences a comparison is a unit;
        an answer is 1 for the first of the two summarizers in natural order, 0 for the second and a half for a tie, in
        whatever order the outputs were shown, and several answers of one rater are averaged.
    scale, confidence
        Of the ratings, and of the interval; see :class:`classy_aesop.answers.answer_options.RatingOptions`.
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
        A row a year, task and measure for all assessors together, with ``assessor`` and ``other`` empty. Then, where
        there are three or more, a row for each against `THE_OTHERS` (the mean of their ratings of a summary; not on
        the nominal scale, where there is no mean), and, for up to `MAX_PAIRED_RATERS` of them, a row for each pair.
        `ALPHA_OF_RATERS` declares the columns.

    Raises
    ------
    UsageError
        There is no such metric, year or task, or confidence is not between 0 and 1.
    InputError
        No assessors, or no ratings.

    Notes
    -----
    Rankel (2016), section 3.6 and chapter 6. The interval takes units as independent, though those of a topic have
    more in common. Ratings without a name count only in the first row.

    Examples
    --------
    >>> ratings = pd.DataFrame({"topic": [1, 1, 2, 2, 3, 3], "system": list("ababab")})
    >>> ratings[["rating_1", "rating_2"]] = [[5, 5], [2, 1], [4, 4], [2, 2], [5, 4], [3, 3]]
    >>> agreement = assessors(ratings)
    >>> agreement.table[["metric", "value", "n_units"]].round(3).values.tolist()
    [['rating', 0.911, 6]]
    """
    options = RatingOptions(scale=scale, confidence=confidence)
    if isinstance(ratings, Preferences):
        ratings = rate_comparisons(ratings)
    rows = select_ratings(read_ratings(ratings, columns=columns), metric, year, task)
    if "labels" in origin_of(rows):
        options = replace(options, scale="nominal")
    check_assessors(rows)
    units_of_all = group_units(rows.assign(assessor=""), ["topic", "summarizer"])
    parts = {(*names, ""): units for names, units in units_of_all.items()}
    parts |= _collect_rater_pairs(rows, means=options.scale != "nominal")
    parts = dict(sorted(parts.items(), key=lambda part: tuple(map(natural, part[0][:3]))))
    results = map_workers(partial(alpha_row, options=options), parts.items(), n_jobs=n_jobs)
    alpha_rows = list(show_progress(results, "alpha", "measures", shown=progress, total=len(parts)))
    table = pd.DataFrame(alpha_rows).assign(scale=options.scale, confidence=options.confidence)
    return make_answer_result(ALPHA_OF_RATERS, table, scale=options.scale, confidence=options.confidence)


def alpha_row(names: RowLabels, units: RatingsOfUnits, options: RatingOptions) -> dict[str, object]:
    """Give one row of the table."""
    alpha = krippendorff_alpha(ratings_of_units(units), scale=options.scale, confidence=options.confidence)
    row = {**dict(zip([*ROW_NAMES, "other"], names, strict=True)), **asdict(alpha)}
    return row | {"agreement": np.nan} if names[-1] == THE_OTHERS else row  # a mean is seldom a grade


def rate_comparisons(preferences: Preferences) -> pd.DataFrame:
    """Give what named raters said of comparisons as ratings, each comparison in the place of a summary."""
    if not preferences.raters:
        raise InputError("no rater is named, so their agreement is unknown; expected a column of raters")
    systems = np.array(preferences.systems, dtype=object)
    lower, upper = np.sort([preferences.first, preferences.second], axis=0)
    answers = pd.DataFrame(
        {
            "year": "",
            "task": "",
            "topic": np.array(preferences.topics, dtype=object)[preferences.topic],
            "summarizer": systems[lower] + " and " + systems[upper],
            "metric": PREFERENCE_MEASURE,
            "assessor": np.array(preferences.raters, dtype=object)[preferences.rater],
            "score": np.where(preferences.first == lower, preferences.wins, 1 - preferences.wins),
        }
    )
    keys = [*answers.columns.drop("score")]
    has_rater = preferences.rater != NO_RATER
    averaged: pd.DataFrame = answers[has_rater].groupby(keys, as_index=False)["score"].mean()
    return averaged


def select_ratings(
    ratings: pd.DataFrame, metric: str | Sequence[str] | None, year: str | None, task: str | None
) -> pd.DataFrame:
    """Select the ratings of some measures, of all the human ones by default, of a year and a task; no missing ones."""
    if metric is None and len(human := {*ratings["metric"]} - {*origin_of(ratings).get("metrics", ())}):
        metric = sorted(human)
    rows = select_rows(ratings, "metric", metric).dropna(subset="score")
    rows = select_stratum(rows, year, task)
    if rows.empty:
        raise InputError("no ratings; expected at least one")
    if "assessor" in rows:
        check_duplicate_ratings(rows)
    return rows


def check_assessors(rows: pd.DataFrame) -> None:
    """Raise InputError unless ratings say who gave them."""
    if "assessor" in rows:
        return
    if attempts := describe_attempts(origin_of(rows).get("attempts", {})):
        raise InputError(
            f"{attempts} are outputs of one system, not ratings by several raters; agreement needs a column of "
            "raters (--columns rater=NAME) who rated the same outputs"
        )
    raise InputError(
        "no assessors among the ratings; expected a column assessor (rater, annotator, ...), a column a rater "
        "(rating_1, rating_2, ...), or lists of ratings; with texts, study consistency says whether an assessor "
        "rates the same text alike twice"
    )


def group_units(rows: pd.DataFrame, unit: list[str]) -> dict[RowLabels, RatingsOfUnits]:
    """Collect the ratings of each unit, in the order of names, so that sums do not depend on the order of rows."""
    parts: dict[RowLabels, RatingsOfUnits] = {}
    for names, scores in rows.groupby([*ROW_NAMES, *unit], sort=True)["score"]:
        parts.setdefault(tuple(map(str, names[: len(ROW_NAMES)])), []).append(scores.tolist())
    return parts


def _collect_rater_pairs(rows: pd.DataFrame, *, means: bool) -> dict[RowLabels, RatingsOfUnits]:
    """Collect the ratings of each rater beside the others' mean, and of each pair, where there are three or more.

    Ratings without a name may be of several raters, and are left out.
    """
    parts: dict[RowLabels, RatingsOfUnits] = {}
    rows = rows[rows["assessor"] != ""]
    for (year, task, metric), of_measure in rows.groupby(["year", "task", "metric"], sort=True):
        table = of_measure.pivot(
            index=["topic", "summarizer"], columns="assessor", values="score"
        ).sort_index()
        names = sorted(map(str, table.columns), key=natural)
        if len(names) < 3:
            continue
        sides: dict[RowLabels, pd.DataFrame] = {}
        if means:
            sides = {
                (name, THE_OTHERS): table[[name]].assign(others=table.drop(columns=name).mean(axis=1))
                for name in names
            }
        if len(names) <= MAX_PAIRED_RATERS:
            sides |= {pair: table[list(pair)] for pair in combinations(names, 2)}
        else:
            message = "%s: pairs of %d raters are not listed; more than %d"
            _LOG.log(NOTE, message, metric, len(names), MAX_PAIRED_RATERS)
        for pair, ratings in sides.items():
            units = (row[np.isfinite(row)].tolist() for row in ratings.to_numpy())
            parts[str(year), str(task), str(metric), *pair] = list(filter(None, units))
    return parts
