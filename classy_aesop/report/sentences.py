"""The two sentences that a reader wants first: does the prediction beat ROUGE-2, by how much, and is that luck?

In years without texts the rival is not ROUGE-2 but the best imported metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from classy_aesop.errors import listed
from classy_aesop.predictor import Predictor
from classy_aesop.significance.base import ALPHA, is_significant


def sentences(verdict: pd.DataFrame, years: Sequence[str]) -> tuple[str, str]:
    """Say whether the predictions beat their rival, and whether that may be luck.

    Parameters
    ----------
    verdict : DataFrame
        As `classy_aesop.training.assess.verdict` gives it.
    years : sequence of str
        All years, the predicted one last. A single one is predicted by folds of its topics, which the sentence says.
    """
    year = years[-1] if len(years) > 1 else f"{years[-1]}, by folds of the same year"
    judged = verdict.dropna(subset=["difference"])
    against = verdict["against"].unique()
    rival = str(against[0]) if len(against) == 1 else "the best imported metric"
    if verdict["value"].isna().all() and verdict["rival"].isna().all():
        return _unjudged(verdict, rival, year)
    if judged.empty:
        return (
            f"The predictions and {rival} cannot be compared on {year}: a correlation is undefined.",
            "That is so without references, where every summarizer has the same mean, or with fewer than two.",
        )
    if len(verdict) == 1:
        return _one(judged.iloc[0], rival, year)
    return _several(judged, len(verdict), rival, year)


def worth(predictors: Iterable[Predictor]) -> list[str]:
    """Say what single predictions are worth, in one sentence, by rows held out in training; none if nothing was."""
    found = pd.DataFrame(
        [one.training["worth"] for one in predictors if one.training.get("worth")], dtype=float
    )
    if found.empty:
        return []
    shown = {name: _ends(values.dropna()) for name, values in found.items()}
    said = (
        f"On rows held out in training, one prediction is off by {shown['error']} on average, "
        f"the mean of all judgments by {shown['error_of_mean']}"
    )
    if shown["within_topics"]:
        said += f"; its correlation with the judgments within a topic is {shown['within_topics']}"
    if shown["rater_error"]:
        rater = f"one rater is off the others by {shown['rater_error']}"
        correlated = f" and correlates {shown['rater_within_topics']}" if shown["rater_within_topics"] else ""
        said += f" ({rater}{correlated})"
    return [f"{said}."]


def _ends(values: pd.Series) -> str:
    """Give a number, or the least and the greatest of several; nothing of none."""
    return " to ".join(dict.fromkeys(f"{value:.3f}" for value in (values.min(), values.max()) if len(values)))


def _unjudged(verdict: pd.DataFrame, rival: str, year: str) -> tuple[str, str]:
    targets = " and ".join(dict.fromkeys(verdict["target"]))
    ends = (f"{score:.3f}" for score in (verdict["selected"].min(), verdict["selected"].max()))
    scores = " to ".join(dict.fromkeys(ends))
    return (
        f"{year} has no human scores of {targets}, so whether the prediction beats {rival} there is not known.",
        f"On the years that it was selected on, its score against the human ones was {scores}; "
        "on a new year expect less, because the best was chosen there.",
    )


def _one(row: pd.Series, rival: str, year: str) -> tuple[str, str]:
    found = f"on {year}, Pearson's correlation of its system means with {_human(row['target'])} is {row['value']:.3f}"
    how = "equals" if row["difference"] == 0 else "beats" if row["difference"] > 0 else "does not beat"
    first = (
        f"The prediction {row['metric']} {how} {rival}: {found}, "
        f"{rival}'s {row['rival']:.3f}, a difference of {row['difference']:+.3f}."
    )
    p = f"p = {row['p']:.3f}, PERM-BOTH with {row['n_resamples']:,.0f} resamples"
    how_likely = "hardly explains" if is_significant(row["p"]) else "may explain"
    return first, f"Luck alone {how_likely} this difference ({p})."


def _human(target: str) -> str:
    return target if target.startswith("human") else f"human {target}"


def _several(judged: pd.DataFrame, n_runs: int, rival: str, year: str) -> tuple[str, str]:
    gains = judged["difference"]
    left = n_runs - len(judged)
    runs = f"{len(judged)} runs" + (f" ({left} more cannot be compared)" if left else "")
    first = (
        f"The predictions beat {rival} in {(gains > 0).sum()} of {runs}: on {year}, Pearson's correlation of "
        f"system means with the human scores differs by {gains.min():+.3f} to {gains.max():+.3f}, "
        f"by {gains.median():+.3f} in the median."
    )
    sure = judged[is_significant(judged["p_adjusted"])]
    how = f"p at most {ALPHA:g} by Holm's correction, PERM-BOTH with {judged['n_resamples'].iloc[0]:,.0f} resamples"
    if sure.empty:
        return first, f"Luck alone may explain every one of these differences (none has {how})."
    kinds = (_named(sure[sure["difference"] > 0], "gain"), _named(sure[sure["difference"] < 0], "loss"))
    found = " and ".join(filter(None, kinds))
    rest = "" if len(sure) == len(judged) else "; it may explain the rest"
    return first, f"Luck alone hardly explains {found}, each with {how}{rest}."


def _named(rows: pd.DataFrame, kind: str) -> str:
    """Count the runs with a gain, or a loss, and name the first."""
    if rows.empty:
        return ""
    runs = [f"{name} {gain:+.3f}" for name, gain in zip(rows["metric"], rows["difference"], strict=True)]
    many = {"gain": "gains", "loss": "losses"}[kind]
    return f"{len(runs)} {many if len(runs) > 1 else kind} ({listed(runs, most=4)})"
