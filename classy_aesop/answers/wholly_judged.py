"""Means and differences of years and tasks in which everything is judged: those of `compare`, to the last digit.

Nothing is left to estimate there, so the same functions answer. Their numbers get the columns of estimates.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from classy_aesop.answers.answer_options import EstimateOptions, PairTest
from classy_aesop.answers.judgments import JudgedStratum, leave_ranks_open
from classy_aesop.answers.strata import RatedStratum, stratify_scores
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.choices import Margin
from classy_aesop.significance.differences import DIFFERENT, UNDECIDED
from classy_aesop.tables.result import Result

LEAST_SQUARES = "least-squares"
"""The estimator of means that `compare` gives."""

N_DECIMALS_OF_ALPHA = 12
"""One less the confidence is rounded to so many decimals, since 1 - 0.95 is not 0.05."""


def rank_judged(strata: Sequence[JudgedStratum], options: EstimateOptions) -> Result | None:
    """Rank the summarizers of the strata that are wholly judged as `compare` does; None if none is."""
    from classy_aesop.answers.systems import rank_summarizers

    rated = _stratify_ratings(strata)
    return rank_summarizers(rated, _pair_test(options)) if rated else None


def compare_judged(
    strata: Sequence[JudgedStratum],
    options: EstimateOptions,
    baseline: str | Sequence[str] | None,
    margin: Margin | None,
) -> Result | None:
    """Test the pairs of the strata that are wholly judged as `compare_pairs` does; None if none is."""
    from classy_aesop.answers.systems import compare_summarizers

    rated = _stratify_ratings(strata)
    return compare_summarizers(rated, _pair_test(options, margin), baseline=baseline) if rated else None


def _stratify_ratings(strata: Sequence[JudgedStratum]) -> list[RatedStratum]:
    """Lay out the ratings of wholly judged strata for tests, with all that is known of their table."""
    tables = [stratum.ratings for stratum in strata if stratum.ratings is not None]
    if not tables:
        return []
    joined = pd.concat(tables)
    joined.attrs = tables[0].attrs
    return stratify_scores(joined, strata[0].target)


def _pair_test(options: EstimateOptions, margin: Margin | None = None) -> PairTest:
    """Give the default test of `compare`, with the error of the estimates."""
    alpha = round(options.alpha, N_DECIMALS_OF_ALPHA)
    return PairTest(alpha=alpha, equivalence=margin)


def select_stratum_rows(result: Result, stratum: JudgedStratum) -> pd.DataFrame:
    """Select the rows of a stratum; a table without years or tasks has those of a single one."""
    rows = result.table
    for column, name in zip(("year", "task"), stratum.names, strict=False):
        if column in rows:
            rows = rows[rows[column] == name]
    return rows.reset_index(drop=True)


def mean_rows(stratum: JudgedStratum, ranking: Result | None, options: EstimateOptions) -> pd.DataFrame:
    """Give the rows of `estimate` of a stratum, by its ranking if it is wholly judged: the best summarizer first."""
    if stratum.ratings is None or ranking is None:
        return stratum.mean_rows(options)
    ranked = select_stratum_rows(ranking, stratum)
    mean = ranked["mean"].to_numpy()
    low = _change_confidence(ranked, "low", options.confidence)
    high = _change_confidence(ranked, "high", options.confidence)
    effect = mean - mean.mean()
    error = stratum.errors_of_effects(options)[ranked["summarizer"]].to_numpy()
    columns = {
        "summarizer": ranked["summarizer"],
        "n_judged": ranked["n_topics"],
        "worth": ranked["n_topics"].astype(float),
        "plain": ranked["plain"],
        "estimate": mean,
        "low": low,
        "high": high,
        "effect": effect,
        "effect_low": effect - error,
        "effect_high": effect + error,
        "rank": ranked["rank"],
        "cluster": ranked["cluster"],
    }
    for kind in ("rank", "together"):
        columns |= {f"{kind}_low": ranked["best_rank"], f"{kind}_high": ranked["worst_rank"]}
    table = pd.DataFrame(columns)
    if ranked["comparable"].nunique() > 1:  # no order of all is known
        rank = table["estimate"].rank(method="min", ascending=stratum.lower_is_better).astype(int)
        table = leave_ranks_open(table.assign(rank=rank)).sort_values("rank", kind="stable")
    return stratum.label_rows(table, options, LEAST_SQUARES, population="like")


def _change_confidence(ranked: pd.DataFrame, end: str, confidence: float) -> FloatArray:
    """Give an end of the intervals of means, which `compare` has with a confidence of its own."""
    from scipy.special import stdtrit

    from classy_aesop.answers.comparisons import CONFIDENCE_OF_MEANS

    if confidence == CONFIDENCE_OF_MEANS:
        return ranked[end].to_numpy()
    df = ranked["n_used" if "clustered_by" in ranked else "n_topics"].to_numpy() - 1.0
    ratio = stdtrit(df, (1 + confidence) / 2) / stdtrit(df, (1 + CONFIDENCE_OF_MEANS) / 2)
    mean = ranked["mean"]
    return np.asarray(mean + ratio * (ranked[end] - mean))


def difference_rows(stratum: JudgedStratum, pairs: Result, options: EstimateOptions) -> pd.DataFrame:
    """Give the rows of `estimate_differences` of a stratum by the tests of its pairs: a row a pair.

    Intervals are those that hold together, and p-values those that are corrected, as in the rows of other strata.
    """
    tested = select_stratum_rows(pairs, stratum)
    verdict = np.where(tested["significant"], DIFFERENT, UNDECIDED)
    table = pd.DataFrame(
        {
            "first": tested["first"],
            "second": tested["second"],
            "difference": tested["difference"],
            "low": tested["low_all"],
            "high": tested["high_all"],
            "p": tested["p_adjusted"],
            "significant": tested["significant"],
            "verdict": tested.get("verdict", pd.Series(verdict)),
            "unseen": tested["unseen"],
        }
    )
    return stratum.label_rows(table, options, LEAST_SQUARES, population="like")
