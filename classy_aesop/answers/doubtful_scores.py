"""Warnings of scores that estimates use: those far from all others, and those of judged summaries that differ."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from classy_aesop.errors import join_names, warn
from classy_aesop.significance.base import BoolArray, FloatArray

MAX_P_OF_JUDGED_PART = 0.01
"""Judged summaries are said to differ in a metric if the p-value, times the metrics, is at most this."""

MAX_SCORES_NAMED = 3
"""Most scores that are named of those far from all others."""


def warn_of_far_scores(
    metric: str,
    scores: FloatArray,
    is_far: BoolArray,
    distance: FloatArray,
    summarizers: Sequence[str],
    topics: Sequence[str],
) -> None:
    """Name the scores (n_systems, n_topics) that are far from all others, the farthest first."""
    if not is_far.any():
        return
    rows, columns = np.nonzero(is_far)
    names = [
        f"{summarizers[rows[number]]} on {topics[columns[number]]} ({scores[rows[number], columns[number]]:.4g})"
        for number in np.argsort(-distance[is_far], kind="stable")
    ]
    near_scores = scores[~is_far]
    be, counted, it = ("is", "it counts", "it") if len(rows) == 1 else ("are", "they count", "them")
    warn(
        f"{len(rows)} of {scores.size} scores of {metric} {be} far from all others "
        f"({near_scores.min():.4g} to {near_scores.max():.4g}): {join_names(names, limit=MAX_SCORES_NAMED)}; "
        f"{counted} as the summarizer and the topic let expect; check {it}"
    )


def warn_of_judged_part(metric: str, shift: float, p: float, n_metrics: int, stratum: str) -> None:
    """Warn of judged summaries whose mean score differs, in standard deviations, from that of all."""
    if p * n_metrics > MAX_P_OF_JUDGED_PART:
        return
    side = "above" if shift > 0 else "below"
    warn(
        f"{stratum and f'{stratum}: '}judged summaries are not a random part: their mean {metric} is "
        f"{abs(shift):z.2f} standard deviations {side} that of all (p = {p:.1g}, by topics); intervals of means hold "
        "for topics drawn at random only, those of differences are less affected"
    )
