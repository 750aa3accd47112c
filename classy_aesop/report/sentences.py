"""Sentences that a reader wants first: what a table says, by its kind, and whether a prediction beats its rival.

Every number in them stands in the table, or counts its rows.

A table may be about several places: years, tasks, peer sets, targets, levels, coefficients. A headline that names one
row names the best of the first place, which is the first that the table shows, and says where that is. The rival of a
prediction is ROUGE-2, or in years without texts the best imported metric.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np
import pandas as pd

from classy_aesop.errors import listed, shortened
from classy_aesop.predictor import Predictor
from classy_aesop.significance.base import ALPHA, is_significant

PLACES = (
    "year", "task", "peers", "target", "metric", "assessor", "level", "coefficient", "over", "topic_effects", "kind",
)  # fmt: skip
"""Columns by which the rows of a table are about different things."""


def count_rows(rows: pd.DataFrame) -> str:
    """Count the rows."""
    return f"{_counted(len(rows), 'row')}."


def count_differing_pairs(rows: pd.DataFrame) -> str:
    """Count the differences that are significant, two one-sided tests once; of a single pair give the difference."""
    if len(rows) == 1:
        row, said = rows.iloc[0], "" if rows["significant"].eq(True).all() else "not "
        who = " minus ".join(shortened(row[name], most=30) for name in ("first", "second"))
        return f"{who} is {row['difference']:+.3f}{_interval(row)}, which is {said}significant."
    ends = pd.DataFrame(np.sort(rows[["first", "second"]].astype(str), axis=1), index=rows.index)
    keys = [*(rows[name] for name in _columns(rows)), ends[0], ends[1]]
    pairs = rows["significant"].eq(True).groupby(keys, dropna=False).any()
    return f"{pairs.sum()} of {_counted(len(pairs), 'difference')} between summarizers are significant."


def count_better_metrics(rows: pd.DataFrame) -> str:
    """Count the differences between metrics that are significant, on other systems and on these."""
    there, here = (is_significant(rows[name]) for name in ("p_adjusted", "p_here_adjusted"))
    if len(rows) == 1:
        row = rows.iloc[0]
        if not row["difference"] > 0:
            both, size = listed([row["first"], row["second"]]), row["difference"]
            return f"The difference between {both} is {'undefined' if pd.isna(size) else f'{size:.3f}'}."
        found = f"{row['first']} agrees better with {row.get('target', 'human scores')} than {row['second']}"
        sure = _for_whom(bool(there[0]), bool(here[0]), row["p"], row["p_here"])
        return f"{found} by {row['difference']:.3f}: {sure}."
    found = f"{there.sum()} of {_counted(len(rows), 'difference')} between metrics"
    return (
        f"{found} are significant for other systems like these, {here.sum()} for these "
        f"(p_adjusted and p_here_adjusted at most {ALPHA:g})."
    )


def _for_whom(there: bool, here: bool, p: float, p_here: float) -> str:
    """Say whether a difference is significant for other systems, and for these."""
    second = {(1, 1): "and", (1, 0): "but not", (0, 1): "but significant", (0, 0): "nor"}[there, here]
    first = f"{'' if there else 'not '}significant for other systems like these (p = {p:.3f})"
    return f"{first}, {second} for these (p = {p_here:.3f})"


def name_best_metrics(rows: pd.DataFrame) -> str:
    """Name the best metric of a ranking, and count those that are significantly worse."""
    first = _first_place(rows, but="metric").sort_values("rank", kind="stable")
    best, where, others = first.iloc[0], _where(rows, but="metric"), len(first) - 1
    if pd.isna(best["value"]):
        return f"No metric has a correlation that is defined{where}."
    target, value = best.get("target", "human scores"), f"{best['value']:.3f}{_interval(best)}"
    found = f"{shortened(best['metric'], most=40)} agrees best with {target} ({value})"
    if not others:
        alone = f"{shortened(best['metric'], most=40)} is the only metric"
        return f"{alone}; its correlation with {target} is {value}{where}."
    n_worse = others - best["beats"].split().count("=")
    n_here = int(first["cluster_here"].ne(best["cluster_here"]).sum())
    of = f"of the {others} others" if others > 1 else "of 1 other"
    worse = f"{n_worse or 'none'} {of} {'is' if n_worse < 2 else 'are'} significantly worse"
    here = f"{n_here or 'none'} {'is' if n_here < 2 else 'are'}"
    return f"{found}; {worse}{where}. Tested on these systems alone, {here}."


def name_best_summarizers(rows: pd.DataFrame) -> str:
    """Name the summarizer with the highest mean, and say how many differences are significant."""
    first = _first_place(rows)
    best = first[first["mean"] == first["mean"].max()]
    names, one, others = listed(best["summarizer"], most=3), best.iloc[0], len(first) - 1
    n_pairs, n_found = others * (others + 1) // 2, int(first["losses"].sum())
    have = "have" if len(best) > 1 else "has"
    found = f"{shortened(names, most=60)} {have} the highest mean ({one['mean']:.3f}{_interval(one)})"
    if not others:
        return f"{found}; there is no other to compare with{_where(rows)}."
    if n_pairs == 1:
        how = f"the difference is {'' if n_found else 'not '}significant"
    else:
        how = f"{n_found or 'none'} of the {n_pairs} differences {'is' if n_found < 2 else 'are'} significant"
    alike = first.loc[first["losses"].eq(0) & ~first["summarizer"].isin(best["summarizer"]), "summarizer"]
    if n_found and len(alike):
        how += f"; {listed(alike, most=3)} {'is' if len(alike) == 1 else 'are'} not significantly worse than any other"
    return f"{found}; {how}{_where(rows)}."


def best_by(value: str, what: str, *, beside: str = "") -> Callable[[pd.DataFrame], str]:
    """Make what names the metric with the highest value of the first place; ``what`` says of what.

    Places that differ in columns ``beside`` the first, which the table shows in the same rows, are not counted.
    """

    def name_best(rows: pd.DataFrame) -> str:
        """Name it in a sentence."""
        first = _first_place(rows, but="metric")
        shown, where = what.format_map(first.iloc[0]), _where(rows, but=f"metric {beside}")
        if first[value].isna().all():
            return f"No metric can be ranked: every value is undefined{where}."
        best = first[first[value] == first[value].max()]
        verb, found = shown if len(best) > 1 else shown.replace(" ", "s ", 1), best.iloc[0]
        n_metrics = first["metric"].nunique()
        among = f"{found[value]:.3f}{_interval(found)}" + (
            f", of {n_metrics} metrics" if n_metrics > 1 else ""
        )
        verb = verb if n_metrics > 1 else verb.replace(" best", "")
        return f"{listed(best['metric'], most=3)} {verb}: {among}{where}."

    return name_best


def _interval(row: pd.Series) -> str:
    """Give an interval in brackets; nothing if there is none."""
    low, high = row.get("low"), row.get("high")
    return "" if pd.isna(low) or pd.isna(high) else f" [{low:.3f}, {high:.3f}]"


def of_one_or_all(rows: pd.DataFrame) -> pd.Series:
    """Say which rows are of all assessors, or of one with himself: no other is named."""
    return rows.get("other", pd.Series("", index=rows.index)).eq("")


def range_of_alpha(rows: pd.DataFrame) -> str:
    """Give Krippendorff's alpha of all assessors together, and the range of single ones."""
    rows = rows[of_one_or_all(rows)]
    together = rows["assessor"].eq("") if rows["assessor"].eq("").any() else rows["assessor"].notna()
    if rows.loc[together, "value"].isna().all():
        return "Krippendorff's alpha is undefined."
    single, every = rows.loc[~together, "value"], rows[together]
    alone = f"; that of single assessors is {_range(single, '.3f')}" if single.notna().any() else ""
    ends = _interval(every.iloc[0]) if len(every) == 1 else ""
    return f"Krippendorff's alpha is {_range(every['value'], '.3f')}{ends}{alone}."


def share_of_equal(rows: pd.DataFrame) -> str:
    """Give the share of the pairs of ratings that are equal."""
    first = _first_place(rows)
    equal = first.loc[first["low"] == first["high"], "share"].sum()
    return f"Of the pairs of ratings of one unit, a share of {equal:.3f} are equal{_where(rows)}."


def state_reliability(rows: pd.DataFrame) -> str:
    """Give the reliability of system means, and the ceiling of correlations with them."""
    of_systems = rows[rows["level"].eq("system")]
    first = _first_place(of_systems).set_index("quantity")["value"]
    value, ceiling, where = first["reliability"], first["ceiling"], _where(of_systems)
    if pd.isna(value):
        return f"The reliability of system means is undefined{where}."
    most = "" if pd.isna(ceiling) else f"; correlations with them are expected to be at most {ceiling:.3f}"
    return f"The reliability of system means is {value:.3f}{most}{where}."


def name_highest_mean(rows: pd.DataFrame) -> str:
    """Name the summarizers with the highest mean of the first place, of scores or of means."""
    first, where = _first_place(rows), _where(rows)
    if "mean" not in first:
        first = first.groupby("summarizer", sort=False)["score"].mean().rename("mean").reset_index()
    best = first[first["mean"] == first["mean"].max()]
    if best.empty:
        return f"No summary has a score{where}."
    names, have = shortened(listed(best["summarizer"], most=3), most=60), "have" if len(best) > 1 else "has"
    mean = f"{best['mean'].iloc[0]:.3f}{_interval(best.iloc[0])}"
    return f"{names} {have} the highest mean ({mean}), of {_counted(len(first), 'summarizer')}{where}."


def range_of_topics(rows: pd.DataFrame) -> str:
    """Give the numbers of topics that are needed, and for how many pairs one was found."""
    n_found = rows["n_topics"].count()
    if not n_found:
        return "No number of topics was found."
    if "difference" in rows and rows["difference"].nunique() > 1:
        by_size = rows.dropna(subset="n_topics").sort_values("n_topics").to_dict("records")
        least, most = by_size[0], by_size[-1]
        return (
            f"A difference of {least['difference']:g} takes {least['n_topics']:g} topics, one of "
            f"{most['difference']:g} takes {most['n_topics']:g}."
        )
    of_pairs = f" for {n_found} of {len(rows)} pairs" if n_found < len(rows) else ""
    ends = rows[["low", "high"]].iloc[0] if len(rows) == 1 and "low" in rows else pd.Series(dtype=float)
    between = f" [{ends['low']:g}, {ends['high']:g}]" if ends.notna().sum() == 2 else ""
    return f"{_range(rows['n_topics'], 'g')}{between} topics are needed{of_pairs}."


def state_worth(rows: pd.DataFrame) -> str:
    """Name the highest estimated mean, and say how many topics judged alone are as precise as the estimates."""
    first = _first_place(rows)
    highest = first[first["estimate"] == first["estimate"].max()]
    best, have = highest.iloc[0], "have" if len(highest) > 1 else "has"
    name = shortened(listed(highest["summarizer"], most=3), most=40)
    mean = f"{best['estimate']:.3f}{_interval(best)}"
    if pd.notna(best.get("raters_low")):
        mean += f"; of raters like these [{best['raters_low']:.3f}, {best['raters_high']:.3f}]"
    if first["worth"].isna().all():
        return f"{name} {have} the highest mean prediction ({mean}); no judgment tests it yet{_where(rows)}."
    judged, alone = _range(first["n_judged"], "g"), _range(first["worth"], ".1f")
    return (
        f"{name} {have} the highest estimated mean of these ratings ({mean}); "
        f"{judged} judged topics with scores are as precise as {alone} judged topics alone{_where(rows)}."
    )


def name_strongest_part(rows: pd.DataFrame) -> str:
    """Name the part of a score whose contributions vary most between summaries."""
    spread = _first_place(rows).groupby("part", sort=False)["contribution"].std(ddof=0)
    if not spread.max() > 0:
        return "No part moves the scores: each contributes the same to every summary."
    how = f"the standard deviation of its contributions is {spread.max():.3f}"
    return f"{spread.idxmax()} moves the scores most: {how}{_where(rows)}."


def state_needed(rows: pd.DataFrame) -> str:
    """Say how many judged topics reach what is wanted, or would separate the first from the second."""
    first, where = _first_place(rows), _where(rows)
    most = first.sort_values("n_topics").iloc[-1]
    drawn = first["first_topics"].iloc[0] if "first_topics" in first else ""
    begin = f"Judge topics {drawn} first, drawn at random, for every summarizer{where}." if drawn else ""
    for column, what in (
        ("needed", "make the intervals as narrow as asked"),
        ("settled", "would separate the first from the second"),
    ):
        if first[column].notna().any():
            row = first[first["n_topics"] == first[column].dropna().iloc[0]].iloc[0]
            more = row["n_judgments"] - row["judged"]
            ends = row.get(f"{column}_low"), row.get(f"{column}_high")
            between = "" if pd.isna(ends[0]) or pd.isna(ends[1]) else f" [{ends[0]:g}, {ends[1]:g}]"
            of_all = f"{_counted(more, 'more judgment')}, {row['n_topics']:g}{between} topics in all,"
            enough = f"No more judgments are needed: {row['n_topics']:g} topics"
            return f"{begin} {of_all if more > 0 else enough} {what}{where}.".strip()
    if drawn:
        return begin
    found = f"Not even {most['n_topics']:g} judged topics would separate the first from the second"
    return f"{found}; an interval is then {most['width']:.3f} wide{where}."


def count_differing_topics(rows: pd.DataFrame) -> str:
    """Count the topics whose mean ranks differ from that of another."""
    return f"{int(rows['n_different'].gt(0).sum())} of {len(rows)} topics differ from at least one other."


def range_of(value: str, what: str, form: str = ".3f") -> Callable[[pd.DataFrame], str]:
    """Make what gives the least and the greatest of a column; ``what`` says of what, with braces for both."""
    return lambda rows: what.format("undefined" if rows[value].isna().all() else _range(rows[value], form))


def range_of_power(rows: pd.DataFrame) -> str:
    """Give the power of the tests where the difference is largest."""
    largest = rows["share"].max()
    what = f"At the largest share, {largest:.3f}, the power of the tests is {{}}."
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
    return range_of("gained", what, "+.3f")(gained)


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
            f"{_range(verdict['selected'], '.3f')}; "
            "on a new year expect less, because the best was chosen there.",
        )
    if verdict["value"].isna().all():
        known = verdict["rival"].max()
        instead = "" if pd.isna(known) else f", or use {rival} itself (up to {known:.3f})"
        return (
            f"Nothing was learned: on {year} all systems get the same predicted mean, so no correlation is defined.",
            "Train on more judged topics or systems, or with more features (validate says what the texts lack)"
            f"{instead}.",
        )
    if judged.empty:
        best = verdict["value"].max()
        return (
            f"Pearson's correlation of the predicted system means with the human scores of {year} is {best:.3f}"
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
    shown = {name: _range(values.dropna(), ".3f") for name, values in found.items()}
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
    found = f"on {year}, Pearson's correlation of its system means with {target} is {row['value']:.3f}"
    how = "equals" if row["difference"] == 0 else "beats" if row["difference"] > 0 else "does not beat"
    first = (
        f"The prediction {row['metric']} {how} {rival}: {found}, "
        f"{rival}'s {row['rival']:.3f}, a difference of {row['difference']:+.3f}."
    )
    there, here = (bool(is_significant(row[name])) for name in ("p", "p_here"))
    return first, f"This difference is {_for_whom(there, here, row['p'], row['p_here'])}."


def _several(judged: pd.DataFrame, n_runs: int, rival: str, year: str) -> tuple[str, str]:
    gains, left = judged["difference"], n_runs - len(judged)
    runs = f"{len(judged)} runs" + (f" ({left} more cannot be compared)" if left else "")
    first = (
        f"The predictions correlate better with the human scores of {year} than {rival} in {(gains > 0).sum()} of "
        f"{runs}, each for one target, task and peer set (Pearson's correlation of system means)."
    )
    sure = judged[is_significant(judged["p_adjusted"])]
    n_here = int(is_significant(judged["p_here_adjusted"]).sum())
    spread = f"The differences are {gains.min():+.3f} to {gains.max():+.3f}, with a median of {gains.median():+.3f}"
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
            told = [f"{name} {gain:+.3f}" for name, gain in named]
            found.append(f"{len(told)} {many if len(told) > 1 else one} ({listed(told, most=4)})")
    verb = "is" if len(sure) == 1 else "are"
    return (
        first,
        f"{spread}. Significant for other systems like these (Holm) {verb} {' and '.join(found)}; {here}.",
    )
