"""Sentences about a run: whether its predictions beat their rival, and what a single prediction is worth.

Every number in them stands in the table, or counts its rows.

The rival of a prediction is ROUGE-2, or in years without texts the best imported metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from classy_aesop.answers.metric_pairs import describe_scope
from classy_aesop.errors import listed
from classy_aesop.predictor import Predictor
from classy_aesop.significance.decisions import is_significant
from classy_aesop.tables.wording import range_text


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
            f"{range_text(verdict['selected'], 'z.3f')}; "
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
    shown = {name: range_text(values.dropna(), "z.3f") for name, values in found.items()}
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
