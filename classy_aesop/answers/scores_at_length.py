"""Scores at equal length: by how much systems would differ if their outputs were equally long.

A judge who likes long outputs prefers a system that writes them. So beside the difference of means stands that in the
additive model with a slope of the logarithm of the length,

    y = system + topic + rater + b log(length) + error,

which is the slope within topics, one for all systems. Errors are clustered as without it. It replaces nothing: a longer
output may be better for what it contains.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from classy_aesop.answers.comparisons import Comparison, fit_stratum, reasons_not_estimable
from classy_aesop.answers.findings import (
    best_rows,
    count_significant,
    describe_pair,
    is_test_of_means,
    name_leaders,
)
from classy_aesop.errors import warn
from classy_aesop.significance.additive.contrasts import compare_least_squares_means
from classy_aesop.significance.base import FloatArray
from classy_aesop.significance.decisions import is_significant
from classy_aesop.significance.differences import Differences
from classy_aesop.significance.flags import EQUALLY_LONG, MIN_LONGER, NO_OVERLAP
from classy_aesop.tables.result_columns import MAIN, column_names, count, estimate, interval, p_value, remark
from classy_aesop.tables.wording import count_text, number_text, reasons_text, verb

AT_LENGTH = (
    estimate(
        "difference_at_length",
        "difference of means if outputs were equally long, with a slope of the logarithm of the length",
        priority=MAIN,
    ),
    *interval(
        "difference_at_length_low",
        "difference_at_length_high",
        "the interval of the difference at equal length",
        cell="difference_at_length",
    ),
    p_value("p_at_length", "of the difference at equal length, corrected for all pairs", is_corrected=True),
    remark("length_flag", "why there is no difference or mean at equal length"),
)
"""Columns of pairs whose outputs have lengths."""

MEAN_AT_LENGTH = estimate("mean_at_length", "of three systems or more, the mean if outputs were equally long")

N_DECIDED_AT_LENGTH = count(
    "n_significant_at_length",
    "of a ranking, the significant differences from other systems at equal length",
    shown="on request",
)


def pair_columns_at_length(comparison: Comparison) -> dict[str, NDArray[Any]]:
    """Give the columns of the differences at equal length; none without lengths, or where no means are compared."""
    fitted = _fit_at_equal_length(comparison)
    return {} if fitted is None else _columns_at_length(fitted[1])


def system_columns_at_length(comparison: Comparison) -> dict[str, NDArray[Any]]:
    """Give the differences of two systems from each other at equal length, or the means of several.

    A mean is known if a difference of it is.
    """
    fitted = _fit_at_equal_length(comparison)
    if fitted is None:
        return {}
    mean, tests = fitted
    directed = tests.both_ways()
    if len(mean) == 2:
        return {
            name: values[np.argsort(directed.first)] for name, values in _columns_at_length(directed).items()
        }
    is_known = np.bincount(directed.first, directed.flag == "", minlength=len(mean)) > 0
    is_decided = is_significant(directed.p_adjusted, comparison.options.level) & (directed.flag == "")
    flag = np.where(is_known, "", reasons_text(pd.Series(tests.flag)))
    return {
        MEAN_AT_LENGTH.name: np.where(is_known, mean, np.nan),
        N_DECIDED_AT_LENGTH.name: np.bincount(directed.first[is_decided], minlength=len(mean)),
        "length_flag": flag.astype(object),
    }


def _columns_at_length(tests: Differences) -> dict[str, NDArray[Any]]:
    """Name the differences with their ends, their p and flags, and leave out what a flag says is not known."""
    values = [
        np.where(tests.is_untested, np.nan, column)
        for column in (tests.difference, tests.low, tests.high, tests.p_adjusted)
    ]
    return dict(zip(column_names(*AT_LENGTH), (*values, tests.flag.astype(object)), strict=True))


def _fit_at_equal_length(comparison: Comparison) -> tuple[FloatArray, Differences] | None:
    """Estimate means at equal length and test their differences; None without lengths or a comparison of means."""
    stratum = comparison.stratum
    options = comparison.options
    is_of_means = is_test_of_means(comparison.tests.test) and not comparison.reason.endswith("topics only")
    if stratum.lengths is None or not is_of_means:
        return None
    n_missing = int((np.isnan(stratum.lengths) & stratum.has_cell).sum())
    if n_missing:
        warn(f"{count_text(n_missing, 'output')} without a length: scores at equal length are without")
    log_lengths = np.log(np.maximum(stratum.lengths, 1.0))
    fit = fit_stratum(stratum, log_lengths=log_lengths)
    tests = compare_least_squares_means(
        fit.model, comparison.pairs, correction=options.correction, confidence=1 - options.level
    )
    longer = log_lengths[tests.first] - log_lengths[tests.second]
    n_longer = np.minimum((longer > 0).sum(axis=1), (longer < 0).sum(axis=1))
    flag = np.select(
        [~(np.abs(longer) > 0).any(axis=1), n_longer < MIN_LONGER],
        [EQUALLY_LONG, NO_OVERLAP],
        reasons_not_estimable(fit.model, tests.first, tests.second, tests.flag),
    )
    mean = stratum.restore_sign(stratum.keep_in_bounds(fit.model.mean + fit.shift))
    return mean, stratum.restore_tests(replace(tests, flag=flag))


def describe_at_length(rows: pd.DataFrame) -> str:
    """Say what differs at equal length, or why that is not known; nothing without lengths.

    That is the difference of two systems, or which differences of several are significant; of a ranking the best mean.
    """
    if "length_flag" not in rows:
        return ""
    is_of_means = "mean_at_length" in rows
    unknown = rows["mean_at_length" if is_of_means else "difference_at_length"].isna()
    if unknown.all():
        return f" Scores at equal length are unknown: {reasons_text(rows['length_flag'])}."
    if is_of_means:
        best = rows[best_rows(rows, "mean_at_length")]
        claim = f"best mean ({number_text(best['mean_at_length'].iloc[0])})"
        n_decided = int(rows[N_DECIDED_AT_LENGTH.name].sum()) // 2
        decided = f"{count_text(n_decided, 'difference')} {verb(n_decided)} significant"
        return f" At equal length {name_leaders(best['summarizer'], rows['summarizer'], claim)}; {decided}."
    is_decided = is_significant(rows["p_at_length"], rows["alpha"].iloc[0])
    if "first" in rows and len(rows) > 1:
        n_unknown = int(unknown.sum())
        differences = f"the {count_text(len(rows) - n_unknown, 'difference')}"
        counts = count_significant(int(is_decided.sum()), differences, n_unknown, rows["length_flag"])
        return f" At equal length {counts}."
    names = rows.iloc[0][["first", "second"]] if "first" in rows else rows["summarizer"]
    pair_names = {
        "difference_at_length": "difference",
        "difference_at_length_low": "low",
        "difference_at_length_high": "high",
        "p_at_length": "p_adjusted",
        "length_flag": "flag",
    }
    pair = rows[column_names(*AT_LENGTH)].rename(columns=pair_names)
    return f" At equal length {describe_pair(pair, names, bool(is_decided[0]))}."
