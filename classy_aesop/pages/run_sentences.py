"""Sentences about a run: whether its predictions beat their rival, and what a single prediction is worth.

Every number in them stands in the table, or counts its rows.

The rival of a prediction is ROUGE-2, or in years without texts the best imported metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pandas as pd

from classy_aesop.answers.metric_pairs import describe_scope
from classy_aesop.errors import join_names
from classy_aesop.predictor import Predictor
from classy_aesop.significance.decisions import is_significant
from classy_aesop.tables.wording import number_text, range_text


def verdict_sentences(
    verdict: pd.DataFrame, years: Sequence[str], *, is_judged: bool = True
) -> tuple[str, ...]:
    """Say whether the predictions of the last year, judged or not, beat their rival, and if that is significant."""
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
        best_rival = verdict["rival"].max()
        instead = "" if pd.isna(best_rival) else f", or use {rival} itself (up to {best_rival:z.3f})"
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
        return state_verdict_of_run(judged.iloc[0], rival, year)
    return state_verdict_of_runs(judged, len(verdict), rival, year)


def state_prediction_errors(predictors: Iterable[Predictor]) -> list[str]:
    """Say in one sentence what errors single predictions had on rows held out in training; none if there were none."""
    columns = ["error", "error_of_mean", "within_topics", "rater_error", "rater_within_topics"]
    rows = [predictor.training["worth"] for predictor in predictors if predictor.training.get("worth")]
    errors = pd.DataFrame(rows, columns=columns, dtype=float).dropna(subset=columns[:2])
    if errors.empty:
        return []
    ranges = {name: range_text(values.dropna(), "z.3f") for name, values in errors.items()}
    sentence = (
        f"On rows held out in training, the mean absolute error of a prediction is {ranges['error']}, "
        f"that of the mean of all judgments {ranges['error_of_mean']}"
    )
    if ranges["within_topics"]:
        sentence += f"; its correlation with the judgments within a topic is {ranges['within_topics']}"
    if ranges["rater_error"]:
        sentence += f"; the mean absolute error of one rater is {ranges['rater_error']}"
        if ranges["rater_within_topics"]:
            sentence += f", and the rater's correlation with the others {ranges['rater_within_topics']}"
    return [f"{sentence}."]


def state_verdict_of_run(row: pd.Series, rival: str, year: str) -> tuple[str, str]:
    """Say whether the only run beats its rival, and for which systems the difference is significant."""
    target = row["target"] if row["target"].startswith("human") else f"human {row['target']}"
    is_significant_elsewhere = bool(is_significant(row["p"]))
    is_significant_here = bool(is_significant(row["p_here"]))
    if row["difference"] == 0:
        verb = "equals"
    elif row["difference"] < 0:
        verb = "does not beat"
    else:
        verb = "beats" if is_significant_elsewhere else "has a higher correlation than"
    comparison = (
        f"The prediction {row['metric']} {verb} {rival}: on {year}, Pearson's correlation of its system means with "
        f"{target} is {row['value']:z.3f}, {rival}'s {row['rival']:z.3f}, a difference of "
        f"{number_text(row['difference'], '+')}."
    )
    scope = describe_scope(is_significant_elsewhere, is_significant_here, row["p"], row["p_here"])
    return comparison, f"This difference is {scope}."


def state_verdict_of_runs(judged: pd.DataFrame, n_runs: int, rival: str, year: str) -> tuple[str, str]:
    """Count the runs that beat their rivals, and name those whose differences are significant."""
    gains = judged["difference"]
    n_incomparable = n_runs - len(judged)
    runs = f"{len(judged)} runs"
    runs += f" ({n_incomparable} more cannot be compared)" if n_incomparable else ""
    comparison = (
        f"The predictions correlate better with the human scores of {year} than {rival} in {(gains > 0).sum()} of "
        f"{runs}, each for one target, task and peer set (Pearson's correlation of system means)."
    )
    significant = judged[is_significant(judged["p_adjusted"])]
    n_here = int(is_significant(judged["p_here_adjusted"]).sum())
    spread = f"The differences are {gains.min():+z.3f} to {gains.max():+z.3f}, with a median of {gains.median():+z.3f}"
    here = f"tested on these systems alone, {n_here} of {len(judged)} {'is' if n_here == 1 else 'are'}"
    if significant.empty:
        return comparison, f"{spread}. None is significant for other systems like these (Holm); {here}."
    parts = [
        *count_differences(significant[significant["difference"] > 0], "gain", "gains"),
        *count_differences(significant[significant["difference"] < 0], "loss", "losses"),
    ]
    verb = "is" if len(significant) == 1 else "are"
    return (
        comparison,
        f"{spread}. Significant for other systems like these (Holm) {verb} {' and '.join(parts)}; {here}.",
    )


def count_differences(rows: pd.DataFrame, singular: str, plural: str) -> list[str]:
    """Count the differences of some runs, and name the first; nothing of no rows."""
    texts = [
        f"{name} {difference:+z.3f}"
        for name, difference in zip(rows["metric"], rows["difference"], strict=True)
    ]
    noun = plural if len(texts) > 1 else singular
    return [f"{len(texts)} {noun} ({join_names(texts, most=4)})"] if texts else []
