"""Which rater gave how much of each system's ratings: where that differs, means depend on who is lenient."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

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
