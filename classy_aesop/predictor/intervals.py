"""Intervals of predicted scores and of their means, and which ends are beyond the grades in training."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from itertools import compress
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from classy_aesop.errors import DataWarning, UsageError
from classy_aesop.predictor.calibration import HUMANS, SYSTEMS, Calibration
from classy_aesop.predictor.division import unscored
from classy_aesop.predictor.within import WITHIN, Within

if TYPE_CHECKING:
    import pandas as pd

    from classy_aesop.data.topics import Topic

RETRAIN = "train one with this version, on the scale of its target"
"""What helps where a predictor lacks what was found in training."""

OF_ONE_YEAR = (
    "intervals come from one year and hold for other topics of that year; they leave out how far years differ"
)
"""What intervals promise where the distance between years is not known."""


class Intervals(NamedTuple):
    """What the predictor of a name has of intervals, which its form within topics and its grades belong to."""

    name: str
    calibration: Calibration | None
    within: Within | None
    grades: tuple[float, float] | None

    def calibrated(self) -> Calibration:
        """Give the calibration; `UsageError` if there is none."""
        if self.calibration is None:
            raise UsageError(
                f"predictor {self.name} has no intervals: its weights are published, "
                "its scores are not on the human scale (calibrate = false), or it had fewer than three topics or "
                f"summarizers to learn from; {RETRAIN}"
            )
        return self.calibration

    def check(self, confidence: float | None, clip: bool, *, is_told: bool = False) -> None:
        """Refuse what the predictor does not have, before anything is computed; say what an interval leaves out."""
        if clip and self.grades is None:
            raise UsageError(
                f"predictor {self.name} does not hold the grades of training, so nothing is clipped; {RETRAIN}"
            )
        if confidence is not None:
            self.calibrated().of_summary(confidence)
            if self.calibrated().n_years == 1 and not is_told:
                warnings.warn(f"predictor {self.name}: {OF_ONE_YEAR}", DataWarning, stacklevel=3)

    def half_widths(
        self, rows: pd.DataFrame, confidence: float, n_topics: NDArray[np.int64] | None = None
    ) -> NDArray[np.float64]:
        """Give the half-width of the interval of each score, or of each mean over so many topics; NaN without one.

        Rows whose ``form`` is not ``within`` have the intervals of summaries by themselves; those whose ``group`` is
        ``humans``, those of humans.
        """
        human = (rows["group"] == HUMANS).to_numpy() if "group" in rows else np.zeros(len(rows), bool)
        by_itself = self.within.calibration_alone if self.within else None
        own, alone = (
            np.full(len(rows), np.nan)
            if one is None or confidence not in one.levels
            else one.half_widths(confidence, human, n_topics)
            for one in (self.calibration, by_itself)
        )
        return (
            own if self.within is None or "form" not in rows else np.where(rows["form"] == WITHIN, own, alone)
        )

    def of_scores(
        self, found: pd.DataFrame, human: pd.Series, confidence: float | None, *, clip: bool
    ) -> pd.DataFrame:
        """Add the ends of each score's interval, whose it is if humans have others, and what is beyond the grades."""
        if confidence is not None:
            groups = groups_of(human)
            half = self.half_widths(found.assign(group=groups), confidence)
            found = found.assign(low=found["score"] - half, high=found["score"] + half)
            if "form" in found:
                found = found.assign(form=found.pop("form"))
            if self.calibrated().humans is not None:
                found = found.assign(group=groups)
        return _on_scale(found, self.grades, clip=clip)

    def of_means(self, found: pd.DataFrame, confidence: float | None, *, clip: bool) -> pd.DataFrame:
        """Add the ends of each mean's interval, and what is beyond the grades, to means as `mean_scores` gives."""
        form = found.pop("form") if "form" in found else None
        if confidence is None:
            found = found.drop(columns="group", errors="ignore")
        else:
            half = self.half_widths(found.assign(form=form), confidence, found["n_topics"].to_numpy())
            found = found.assign(low=found["mean"] - half, high=found["mean"] + half)
        return _on_scale(found, self.grades, clip=clip)

    def without_scores(
        self, topics: Iterable[Topic], confidence: float | None, more: Sequence[str]
    ) -> pd.DataFrame:
        """Give the table for topics of which no summary can be scored, with ``more`` columns of text."""
        numbers: list[str] = ["score"]
        has: dict[str, object] = {"form": self.within}
        if confidence is not None:
            numbers += ["low", "high"]
            has |= {"group": self.calibrated().humans, "beyond": self.grades}
        texts = [name for name, value in has.items() if value]
        return unscored(topics, self.name, numbers, [*texts, *more])


def groups_of(human: ArrayLike) -> NDArray[np.str_]:
    """Name the group of each summary, (n,), by whether it is human."""
    return np.where(human, HUMANS, SYSTEMS)


def _on_scale(found: pd.DataFrame, grades: tuple[float, float] | None, *, clip: bool) -> pd.DataFrame:
    """Name which of a score (or mean) and its ends are beyond the grades, where there are any; cut all if asked for."""
    if grades is None or not (clip or "low" in found):
        return found
    lowest, highest = grades
    names = [name for name in ("score", "mean", "low", "high") if name in found]
    values = found[names].to_numpy(float)
    if "low" in found:
        is_beyond = (values < lowest) | (values > highest)
        found = found.assign(beyond=[" ".join(compress(names, row)) for row in is_beyond.tolist()])
    return found.assign(**dict(zip(names, values.clip(lowest, highest).T, strict=True))) if clip else found
