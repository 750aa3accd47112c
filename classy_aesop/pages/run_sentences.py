"""Sentences about a run: whether its predictions beat their rival, and what a single prediction is worth.

Every number in them stands in the table, or counts its rows.

The rival of a prediction is ROUGE-2, or in years without texts the best imported metric.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import pandas as pd

from classy_aesop.answers.metric_pairs import describe_scope
from classy_aesop.predictor import Predictor
from classy_aesop.significance.decisions import is_significant
from classy_aesop.tables.wording import number_text, range_text


def verdict_sentences(
    verdict: pd.DataFrame,
    years: Sequence[str],
    n_systems: int,
    *,
    by_default: pd.DataFrame | None = None,
    preset: str | None = None,
) -> tuple[str, ...]:
    """Say whether the predictions of the last year beat their rival, and if that is significant.

    Of the year ``n_systems`` were judged, 0 if none was; beside a preset also say it of its default method.
    """
    year = years[-1] if len(years) > 1 else f"{years[-1]} (cross-validated over its topics)"
    against = verdict["against"].unique()
    rival = str(against[0]) if len(against) == 1 else "the best imported metric"
    if not n_systems:
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
    if verdict["difference"].isna().all():
        best = verdict["value"].max()
        return (
            f"Pearson's correlation of the predicted system means with the human scores of {year} is {best:z.3f}"
            f"{' at best' if len(verdict) > 1 else ''}; that of {rival} is undefined, so the two are not compared.",
        )
    if by_default is None or by_default.empty:
        return tuple(
            state_agreement_of_methods({"The predictions agree": verdict}, rival, n_systems, "they are")
        )
    methods = {"The default method agrees": by_default, f"The method of {preset} agrees": verdict}
    return tuple(state_agreement_of_methods(methods, rival, n_systems, "either is"))


def state_agreement_of_methods(
    methods: Mapping[str, pd.DataFrame], rival: str, n_systems: int, whom: str
) -> Iterator[str]:
    """Say of each method how often it agrees better with people than the rival, and for whom that is significant."""
    n_significant = 0
    for subject, verdict in methods.items():
        compared = verdict.dropna(subset=["difference"])
        if len(verdict) == len(methods) == 1:
            yield _state_difference(compared.iloc[0], rival)
            return
        if compared.empty:
            continue
        significant = compared[is_significant(compared["p_adjusted"])]
        n_better = int((significant["difference"] > 0).sum())
        n_worse = len(significant) - n_better
        n_significant += len(significant)
        sentence = (
            f"{subject} better with people than {rival} in {int((compared['difference'] > 0).sum())} of "
            f"{len(compared)} cases, significantly for other systems like these in {n_better}"
        )
        yield f"{sentence}, and significantly worse in {n_worse}." if n_worse else f"{sentence}."
    if n_significant == 0:
        yield (
            f"So these data do not show that {whom} better than {rival} on other systems like these: at most "
            f"{n_systems} summarizers were judged. More judged systems would make the intervals narrower."
        )


def _state_difference(row: pd.Series, rival: str) -> str:
    """Say of the only run by how much it agrees better with people than the rival, and for whom."""
    comparison = "worse" if row["difference"] < 0 else "better"
    scope = describe_scope(
        bool(is_significant(row["p"])), bool(is_significant(row["p_here"])), row["p"], row["p_here"]
    )
    size = number_text(abs(row["difference"]))
    return f"The prediction agrees {comparison} with people than {rival}, by {size}: {scope}."


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
