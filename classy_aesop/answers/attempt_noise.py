"""What attempts say of a comparison: how much of its error comes from them, and how much single ones differ."""

from __future__ import annotations

import numpy as np
import pandas as pd

from classy_aesop.answers.strata import RatedStratum
from classy_aesop.significance.attempt_scores import AttemptScores
from classy_aesop.significance.base import FloatArray
from classy_aesop.tables.result_columns import estimate, interval, optional, setting
from classy_aesop.tables.wording import number_text

NUMBERS_DRAWN = (2, 3, 4, 5, 8, 10)
"""Numbers of attempts of which it is said how often all of them pass, or any, as far as every cell has so many."""

HALF_OF_ERROR = 0.5

SHARE_OF_ERROR = tuple(
    optional(
        setting(
            "share_of_attempts",
            "share of the variance of a difference that comes from attempts; the rest comes from topics",
            "float",
            shown="never",
        ),
        *interval(
            "share_low", "share_high", "the interval of that share, of confidence 1 - alpha", shown="never"
        ),
        setting(
            "least_difference",
            "what two means of one attempt a topic, on these topics, must differ by to be called different",
            "float",
            shown="never",
        ),
    )
)

ATTEMPTS_OF_SYSTEM = tuple(
    optional(
        estimate(
            "icc", "share of the variance of single attempts that lies between topics", shown="on request"
        ),
        estimate(
            "flips", "how often two attempts at a topic disagree, of passes and fails", shown="on request"
        ),
        *(
            estimate(
                f"pass_all_{k}", f"pass^{k}: how often {k} attempts at a topic all pass", shown="on request"
            )
            for k in NUMBERS_DRAWN
        ),
        *(
            estimate(f"pass_any_{k}", f"pass@{k}: how often one or more of {k} passes", shown="on request")
            for k in NUMBERS_DRAWN
        ),
    )
)


def columns_of_error(stratum: RatedStratum, alpha: float) -> dict[str, float]:
    """Give the columns of how much of a difference's error comes from attempts; none without attempts.

    The share is unknown where topics lie in clusters, as it takes topics as independent and the error does not.
    """
    attempts = stratum.attempt_scores
    if attempts is None:
        return {}
    share, low, high = (
        [float("nan")] * 3 if stratum.clusters else attempts.share_of_difference(1 - alpha).tolist()
    )
    return {
        "share_of_attempts": share,
        "share_low": low,
        "share_high": high,
        "least_difference": attempts.least_difference(alpha),
    }


def columns_of_systems(stratum: RatedStratum) -> dict[str, FloatArray]:
    """Give the columns of how the attempts of each system vary; none without attempts."""
    attempts = stratum.attempt_scores
    if attempts is None:
        return {}
    columns: dict[str, FloatArray] = {"icc": attempts.reliability()}
    if stratum.is_pass_or_fail:
        passes = AttemptScores(attempts.scores + 1) if stratum.lower_is_better else attempts
        columns["flips"] = passes.flips()
        for k in NUMBERS_DRAWN:
            if k <= passes.fewest:
                columns[f"pass_all_{k}"] = passes.pass_all(k)
                columns[f"pass_any_{k}"] = passes.pass_any(k)
    return columns


def describe_noise(rows: pd.DataFrame) -> str:
    """Say how much of the error comes from attempts, and how much single ones differ; nothing without attempts."""
    if "least_difference" not in rows or pd.isna(rows["least_difference"].iloc[0]):
        return ""
    row = rows.iloc[0]
    disagree = ""
    if "flips" in rows:
        disagree = f"; two attempts at a topic disagree in {100 * rows['flips'].mean():z.0f} %"
    share = _describe_share(row["share_of_attempts"], row["share_low"], row["share_high"])
    difference = number_text(row["least_difference"])
    return (
        f"{share} Means of one attempt a topic must differ by {difference} to be called different{disagree}."
    )


def _describe_share(share: float, low: float, high: float) -> str:
    """Say where most of a difference's error comes from, and what more attempts can change; nothing if unknown."""
    if np.isnan(share):
        return ""
    if share < HALF_OF_ERROR:
        part = f"{100 * (1 - share):z.0f} % [{100 * (1 - high):z.0f}, {100 * (1 - low):z.0f}]"
        narrower = f"more attempts narrow intervals by {100 * (1 - np.sqrt(1 - share)):z.0f} % at most"
        return f" {part} of a difference's error comes from topics: {narrower}."
    part = f"{100 * share:z.0f} % [{100 * low:z.0f}, {100 * high:z.0f}]"
    narrower = f"twice as many narrow intervals by {100 * (1 - np.sqrt(1 - share / 2)):z.0f} %"
    return f" {part} of a difference's error comes from attempts: {narrower}."
