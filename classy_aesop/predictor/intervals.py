"""Intervals of predicted scores and of their means, and which ends are beyond the grades in training."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.errors import UsageError, warn
from classy_aesop.predictor.calibration import HUMANS_GROUP, SYSTEMS_GROUP, Calibration
from classy_aesop.predictor.within import WITHIN

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.predictor.parts import PredictorParts


RETRAIN = "train one with this version, on the scale of its target"
"""What helps where a predictor lacks what was found in training."""

OF_ONE_YEAR = (
    "intervals come from one year and hold for other topics of that year; they leave out how far years differ"
)
"""What intervals promise where the distance between years is not known."""


def require_calibration(predictor: PredictorParts) -> Calibration:
    """Give the calibration; `UsageError` if there is none."""
    if predictor.calibration is None:
        raise UsageError(
            f"predictor {predictor.name} has no intervals: its weights are published, "
            "its scores are not on the human scale (calibrate = false), or it had fewer than three topics or "
            f"summarizers to learn from; {RETRAIN}"
        )
    return predictor.calibration


def check_confidence(
    predictor: PredictorParts, confidence: float | None, *, has_warned: bool = False
) -> None:
    """Refuse a confidence that the predictor has not, before computing; warn of what intervals leave out."""
    if confidence is not None:
        require_calibration(predictor).summary_half_width(confidence)
        if require_calibration(predictor).n_years == 1 and not has_warned:
            warn(f"predictor {predictor.name}: {OF_ONE_YEAR}")


def interval_half_widths(
    predictor: PredictorParts,
    rows: pd.DataFrame,
    confidence: float,
    n_topics: NDArray[np.int64] | None = None,
) -> NDArray[np.float64]:
    """Give the half-width of the interval of each score, or of each mean over so many topics; NaN without one.

    Rows whose ``form`` is not ``within`` have the intervals of summaries by themselves; those whose ``group`` is
    ``humans``, those of humans.

    Shapes: ``n_topics`` (n_rows,).
    """
    is_human = (rows["group"] == HUMANS_GROUP).to_numpy() if "group" in rows else np.zeros(len(rows), bool)
    half_widths = _half_widths(predictor.calibration, confidence, is_human, n_topics)
    if predictor.within is None or "form" not in rows:
        return half_widths
    half_widths_alone = _half_widths(predictor.within.calibration_alone, confidence, is_human, n_topics)
    return np.where(rows["form"] == WITHIN, half_widths, half_widths_alone)


def add_to_scores(
    predictor: PredictorParts, scores: pd.DataFrame, human: pd.Series, confidence: float | None
) -> pd.DataFrame:
    """Add the interval of each score, its group if humans have other intervals, and what is beyond the grades."""
    if confidence is not None:
        groups = groups_of(human)
        half = interval_half_widths(predictor, scores.assign(group=groups), confidence)
        scores = scores.assign(low=scores["score"] - half, high=scores["score"] + half)
        if "form" in scores:
            scores = scores.assign(form=scores.pop("form"))
        if require_calibration(predictor).humans is not None:
            scores = scores.assign(group=groups)
    return _mark_beyond_grades(scores, "score", predictor.grades)


def add_to_means(predictor: PredictorParts, means: pd.DataFrame, confidence: float | None) -> pd.DataFrame:
    """Add the ends of each mean's interval, and what is beyond the grades, to means as `average_scores` gives."""
    form = means.pop("form") if "form" in means else None
    if confidence is None:
        means = means.drop(columns="group", errors="ignore")
    else:
        half = interval_half_widths(
            predictor, means.assign(form=form), confidence, means["n_topics"].to_numpy()
        )
        means = means.assign(low=means["mean"] - half, high=means["mean"] + half)
    return _mark_beyond_grades(means, "mean", predictor.grades)


def groups_of(human: ArrayLike) -> NDArray[np.str_]:
    """Name the group of each summary, (n,), by whether it is human."""
    return np.where(human, HUMANS_GROUP, SYSTEMS_GROUP)


def _half_widths(
    calibration: Calibration | None,
    confidence: float,
    is_human: NDArray[np.bool_],
    n_topics: NDArray[np.int64] | None,
) -> NDArray[np.float64]:
    """Half-widths by a calibration; NaN if there is none, or none of this confidence."""
    if calibration is None or confidence not in calibration.levels:
        return np.full(len(is_human), np.nan)
    return calibration.half_widths(confidence, is_human, n_topics)


def _mark_beyond_grades(table: pd.DataFrame, value: str, grades: tuple[float, float] | None) -> pd.DataFrame:
    """Name which of a value (``score`` or ``mean``) and its ends are beyond the grades."""
    if grades is None or "low" not in table:
        return table
    lowest, highest = grades
    names = (value, "low", "high")
    values = table[list(names)].to_numpy(float)
    is_beyond = (values < lowest) | (values > highest)
    return table.assign(beyond=[" ".join(compress(names, row)) for row in is_beyond.tolist()])
