"""Sentences that a reader wants first: what a table says, by its kind, and whether a prediction beats its rival.

Every number in them stands in the table, or counts its rows.

A table may be about several places: years, tasks, peer sets, targets, levels, coefficients. A headline that names one
row names the best of the first place, which is the first that the table shows, and says where that is. The rival of a
prediction is ROUGE-2, or in years without texts the best imported metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import pandas as pd

from classy_aesop.answers.metric_pairs import describe_scope
from classy_aesop.errors import listed
from classy_aesop.predictor import Predictor
from classy_aesop.significance.choices import ALPHA
from classy_aesop.significance.decisions import is_significant

PLACES = (
    "year", "task", "peers", "target", "metric", "assessor", "level", "coefficient", "over", "topic_effects", "kind",
)  # fmt: skip
"""Columns by which the rows of a table are about different things."""


def count_rows(rows: pd.DataFrame) -> str:
    """Count the rows."""
    return f"{_counted(len(rows), 'row')}."


def _interval(row: pd.Series) -> str:
    """Give an interval in brackets; nothing if there is none."""
    low, high = row.get("low"), row.get("high")
    return "" if pd.isna(low) or pd.isna(high) else f" [{low:z.3f}, {high:z.3f}]"


def count_differing_topics(rows: pd.DataFrame) -> str:
    """Count the topics whose mean ranks differ from that of another."""
    return f"{int(rows['n_different'].gt(0).sum())} of {len(rows)} topics differ from at least one other."


def range_of(value: str, what: str, form: str = "z.3f") -> Callable[[pd.DataFrame], str]:
    """Make what gives the least and the greatest of a column; ``what`` says of what, with braces for both."""
    return lambda rows: what.format("undefined" if rows[value].isna().all() else _range(rows[value], form))


def range_of_power(rows: pd.DataFrame) -> str:
    """Give the power of the tests where the difference is largest."""
    largest = rows["share"].max()
    what = f"At the largest share, {largest:z.3f}, the power of the tests is {{}}."
    return range_of("power", what)(rows[rows["share"] == largest])


def count_significant(
    what: str, tests: str, p: str = "p", *, one_a: str = ""
) -> Callable[[pd.DataFrame], str]:
    """Make what counts tests whose p is at most `ALPHA`; rows that differ in other columns than `PLACES` are one."""

    def count(rows: pd.DataFrame) -> str:
        """Count them in a sentence."""
        rows = rows.drop_duplicates(_columns(rows, but=one_a)) if one_a else rows
        tested = rows[p].dropna()
        return what.format(f"{is_significant(tested).sum()} of {_counted(len(tested), tests)}", f"{ALPHA:g}")

    return count


def count_verdicts(rows: pd.DataFrame) -> str:
    """Count the printed numbers that are equal to ours, near and different."""
    counts = rows["verdict"].value_counts()
    equal, near, different = (int(counts.get(verdict, 0)) for verdict in ("equal", "near", "different"))
    return f"{equal} of {_counted(len(rows), 'printed number')} equal ours, {near} are near, {different} different."


def range_of_lost(rows: pd.DataFrame) -> str:
    """Give the range of what correlations gain without some assessors' topics."""
    gained = rows.assign(gained=rows["after"] - rows["before"])
    what = "Without the topics of some assessors in training, correlations change by {}."
    return range_of("gained", what, "+z.3f")(gained)


def _counted(n: int, what: str) -> str:
    return f"{n:,} {what}{'' if n == 1 else 's'}"


def _range(values: pd.Series, form: str) -> str:
    """Write the least and the greatest value, once if they look the same; nothing of none."""
    return " to ".join(dict.fromkeys(f"{end:{form}}" for end in (values.min(), values.max()) if len(values)))


def varying(rows: pd.DataFrame, *, but: str = "") -> list[str]:
    """Name the columns of `PLACES` that differ between rows, without those in ``but``."""
    return [name for name in _columns(rows, but=but) if rows[name].nunique(dropna=False) > 1]


def _columns(rows: pd.DataFrame, *, but: str = "") -> list[str]:
    return [name for name in PLACES if name in rows and name not in but.split()]


def _first_place(rows: pd.DataFrame, *, but: str = "") -> pd.DataFrame:
    """Give the rows of the place that comes first."""
    names = varying(rows, but=but)
    return rows[rows[names].eq(rows[names].iloc[0]).all(axis=1)]


def _where(rows: pd.DataFrame, *, but: str = "") -> str:
    """Say which of several places is meant; nothing if there is one."""
    names = varying(rows, but=but)
    if not names:
        return ""
    n_more = len(rows[names].drop_duplicates()) - 1
    place = ", ".join(f"{name} {rows[name].iloc[0]}" for name in names)
    return f" ({place}; {n_more:,} more below)"


def verdict_sentences(
    verdict: pd.DataFrame, years: Sequence[str], *, is_judged: bool = True
) -> tuple[str, ...]:
    """Say whether the predictions of the last year, judged or not, beat their rival, and whether that is significant.

    The table is that of `classy_aesop.training.assess.compare_with_rival`; a single year is predicted by folds of its
    topics.
    """
    year = years[-1] if len(years) > 1 else f"{years[-1]} (cross-validated over its topics)"
    judged = verdict.dropna(subset=["difference"])
    against = verdict["against"].unique()
    rival = str(against[0]) if len(against) == 1 else "the best imported metric"
    if not is_judged:
        targets = " and ".join(dict.fromkeys(verdict["target"]))
        return (
            f"{year} has no human scores of {targets}, so whether the prediction beats {rival} there is not known.",
            f"On the years that it was selected on, its score against the human ones was "
            f"{_range(verdict['selected'], 'z.3f')}; "
            "on a new year expect less, because the best was chosen there.",
        )
    if verdict["value"].isna().all():
        known = verdict["rival"].max()
        instead = "" if pd.isna(known) else f", or use {rival} itself (up to {known:z.3f})"
        return (
            f"Nothing was learned: on {year} all systems get the same predicted mean, so no correlation is defined.",
            "Train on more judged topics or systems, or with more features (validate says what the texts lack)"
            f"{instead}.",
        )
    if judged.empty:
        best = verdict["value"].max()
        return (
            f"Pearson's correlation of the predicted system means with the human scores of {year} is {best:z.3f}"
            f"{' at best' if len(verdict) > 1 else ''}; that of {rival} is undefined, so the two are not compared.",
        )
    if len(verdict) == 1:
        return _one(judged.iloc[0], rival, year)
    return _several(judged, len(verdict), rival, year)


def worth(predictors: Iterable[Predictor]) -> list[str]:
    """Say what single predictions are worth, in one sentence, by rows held out in training; none if nothing was."""
    known = ["error", "error_of_mean", "within_topics", "rater_error", "rater_within_topics"]
    told = [one.training["worth"] for one in predictors if one.training.get("worth")]
    found = pd.DataFrame(told, columns=known, dtype=float)
    if (found := found.dropna(subset=known[:2])).empty:
        return []
    shown = {name: _range(values.dropna(), "z.3f") for name, values in found.items()}
    said = (
        f"On rows held out in training, the mean absolute error of a prediction is {shown['error']}, "
        f"that of the mean of all judgments {shown['error_of_mean']}"
    )
    if shown["within_topics"]:
        said += f"; its correlation with the judgments within a topic is {shown['within_topics']}"
    if shown["rater_error"]:
        said += f"; the mean absolute error of one rater is {shown['rater_error']}"
        if shown["rater_within_topics"]:
            said += f", and the rater's correlation with the others {shown['rater_within_topics']}"
    return [f"{said}."]


def _one(row: pd.Series, rival: str, year: str) -> tuple[str, str]:
    target = row["target"] if row["target"].startswith("human") else f"human {row['target']}"
    found = f"on {year}, Pearson's correlation of its system means with {target} is {row['value']:z.3f}"
    there, here = (bool(is_significant(row[name])) for name in ("p", "p_here"))
    better = "beats" if there else "has a higher correlation than"
    verb = "equals" if row["difference"] == 0 else better if row["difference"] > 0 else "does not beat"
    first = (
        f"The prediction {row['metric']} {verb} {rival}: {found}, "
        f"{rival}'s {row['rival']:z.3f}, a difference of {row['difference']:+z.3f}."
    )
    return first, f"This difference is {describe_scope(there, here, row['p'], row['p_here'])}."


def _several(judged: pd.DataFrame, n_runs: int, rival: str, year: str) -> tuple[str, str]:
    gains, left = judged["difference"], n_runs - len(judged)
    runs = f"{len(judged)} runs" + (f" ({left} more cannot be compared)" if left else "")
    first = (
        f"The predictions correlate better with the human scores of {year} than {rival} in {(gains > 0).sum()} of "
        f"{runs}, each for one target, task and peer set (Pearson's correlation of system means)."
    )
    sure = judged[is_significant(judged["p_adjusted"])]
    n_here = int(is_significant(judged["p_here_adjusted"]).sum())
    spread = f"The differences are {gains.min():+z.3f} to {gains.max():+z.3f}, with a median of {gains.median():+z.3f}"
    here = f"tested on these systems alone, {n_here} of {len(judged)} {'is' if n_here == 1 else 'are'}"
    if sure.empty:
        return first, f"{spread}. None is significant for other systems like these (Holm); {here}."
    found = []
    for one, many, rows in (
        ("gain", "gains", sure["difference"] > 0),
        ("loss", "losses", sure["difference"] < 0),
    ):
        if rows.any():
            named = zip(sure.loc[rows, "metric"], sure.loc[rows, "difference"], strict=True)
            told = [f"{name} {gain:+z.3f}" for name, gain in named]
            found.append(f"{len(told)} {many if len(told) > 1 else one} ({listed(told, most=4)})")
    verb = "is" if len(sure) == 1 else "are"
    return (
        first,
        f"{spread}. Significant for other systems like these (Holm) {verb} {' and '.join(found)}; {here}.",
    )
