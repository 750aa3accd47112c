"""What is read of a predictor where its tables are checked and divided and its scores are bounded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from classy_aesop.features.counts import FeatureOptions
    from classy_aesop.predictor.calibration import Calibration
    from classy_aesop.predictor.within import WithinForm


class PredictorParts(Protocol):
    """The fields of `classy_aesop.predictor.Predictor` that its steps read."""

    @property
    def name(self) -> str:
        """By which its scores are called."""

    @property
    def task(self) -> str:
        """Whose summaries it scores; ``""`` for any."""

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns of its formula."""

    @property
    def plain_columns(self) -> tuple[str, ...]:
        """All columns that it needs."""

    @property
    def imported(self) -> tuple[str, ...]:
        """Those of imported metrics."""

    @property
    def features(self) -> FeatureOptions:
        """How features are computed."""

    @property
    def references(self) -> Mapping[str, tuple[int, ...]]:
        """How many references it was trained with."""

    @property
    def calibration(self) -> Calibration | None:
        """The errors on data that were held out."""

    @property
    def grades(self) -> tuple[float, float] | None:
        """The least and the greatest score of its scale."""

    @property
    def within(self) -> WithinForm | None:
        """What it knows beside the other summaries of a topic."""

    def computed_of(self, columns: Iterable[str]) -> list[str]:
        """Give the columns that are computed from texts."""
