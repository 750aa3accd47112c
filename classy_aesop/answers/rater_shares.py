"""Which rater gave how much of each system's ratings: where that differs, means depend on who is lenient."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from classy_aesop.answers.score_matrices import select_rows
from classy_aesop.errors import warn
from classy_aesop.significance.base import FloatArray, IntArray

MAX_SHARE_DIFFERENCE = 0.1
"""How far the shares of systems' ratings by one rater may lie apart without a warning where raters are averaged."""

SHARE_TOLERANCE = 1e-9
"""Shares that differ by no more than this are equal within rounding."""


def count_rater_shares(system: IntArray, rater: IntArray, n_systems: int, n_raters: int) -> FloatArray:
    """Give the share of each system's ratings by each rater, (n_systems, n_raters), from the numbers of each rating."""
    counts = np.zeros((n_systems, n_raters))
    np.add.at(counts, (system, rater), 1.0)
    return np.asarray(counts / counts.sum(axis=1, keepdims=True))


def describe_rater_shares(shares: FloatArray, systems: Sequence[str], raters: Sequence[str]) -> str:
    """Name the rater whose shares differ most between systems; nothing where no rater's differ by much."""
    differences = np.ptp(shares, axis=0)
    number = int(differences.argmax())
    if differences[number] <= MAX_SHARE_DIFFERENCE + SHARE_TOLERANCE:
        return ""
    of_rater = shares[:, number]
    highest = int(of_rater.argmax())
    lowest = int(of_rater.argmin())
    name = f"rater {raters[number]}" if raters[number] else "raters without a name"
    return (
        f"{name} gave {of_rater[highest]:.0%} of the ratings of {systems[highest]} and {of_rater[lowest]:.0%} of those "
        f"of {systems[lowest]}, so that a lenient rater looks like a better system"
    )


def describe_ignored_raters(shares: FloatArray, systems: Sequence[str], raters: Sequence[str]) -> str:
    """Say that raters are ignored though their shares differ; nothing where they do not."""
    message = describe_rater_shares(shares, systems, raters)
    return message and f"raters are ignored, though their shares differ between systems: {message}"


def warn_of_rater_shares(ratings: pd.DataFrame, metrics: str | Sequence[str] | None = None) -> None:
    """Warn where named raters gave different shares of the ratings of some systems than of others, by one measure.

    Ratings are averaged over raters, so that the means of systems then depend on how lenient their raters are. Numbered
    raters (``rating_1``, ``rating_2``) are positions in a row, not persons.
    """
    if "assessor" not in ratings:
        return
    largest = 0.0
    message = ""
    rows = select_rows(ratings, "metric", metrics).dropna(subset="score")
    for (_, _, metric), of_measure in rows.groupby(["year", "task", "metric"], sort=False):
        raters, rater = np.unique(of_measure["assessor"].astype(str), return_inverse=True)
        if len(raters) < 2 or set(raters) == {str(number + 1) for number in range(len(raters))}:
            continue
        systems, system = np.unique(of_measure["summarizer"].astype(str), return_inverse=True)
        shares = count_rater_shares(system, rater, len(systems), len(raters))
        difference = float(np.ptp(shares, axis=0).max())
        if difference > largest:
            largest = difference
            message = describe_rater_shares(shares, systems.tolist(), raters.tolist())
            message = message and f"{metric}: {message}"
    if message:
        warn(message)
