"""What can be fitted anew to any rows: a fitter, a line on one column, or a mean of several.

The rows that a learner gets have the columns of its selection, at the level and with the effects of the task
(`classy_aesop.search.Rows.prepare_for_fit`). How much of a mixture each learner has: `classy_aesop.training.shares`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from classy_aesop.errors import InputError, join_names
from classy_aesop.features.registry import FEATURES, columns_of
from classy_aesop.fitters import FITTERS, Fitter
from classy_aesop.fitters.least_squares import column_units
from classy_aesop.formulas import Formula, Linear, Mixture
from classy_aesop.search import Rows
from classy_aesop.training.fit_options import FitOptions

MIXTURE = "mixture"
"""The fitter of a run that is the mean of several learners."""

IMPORTED = "imported"
"""A learner that is no fitter: each imported metric by itself."""

KNOWN_WITHOUT_REFERENCES = ("consensus_squares1", "consensus_squares2", "consensus_top1", "consensus_top2")
"""The single columns that stand for known metrics where these lack the references that they need."""


class Learner(ABC):
    """Learns a formula from rows; its share of a mixture is reported under its ``name``."""

    name: str

    @property
    def is_on_scale(self) -> bool:
        """Whether predictions are on the scale of the target."""
        return True

    @abstractmethod
    def fit(self, rows: Rows, target: int) -> Formula:
        """Return what is learned from the rows about a column of ``Y``; raise ValueError for too few rows."""

    def record(self) -> dict[str, object]:
        """Describe what it is made of, for the record of a predictor."""
        return {}


@dataclass(frozen=True)
class AllColumns(Learner):
    """One fitter on all columns together."""

    name: str
    fitter: Fitter

    @property
    def is_on_scale(self) -> bool:
        """Whether the fitter's predictions are."""
        return self.fitter.is_on_scale

    def fit(self, rows: Rows, target: int) -> Formula:
        """Fit a clone of the fitter."""
        formula: Formula = rows.fit(self.fitter, target).formula
        return formula


@dataclass(frozen=True)
class SingleColumn(Learner):
    """Least squares on one column; one that does not vary, or is beyond the last column, has the weight 0."""

    name: str
    position: int

    def fit(self, rows: Rows, target: int) -> Formula:
        """Fit a line to the rows that have the column and the target."""
        y = rows.Y[:, target]
        n_columns = rows.X.shape[1]
        x = rows.X[:, self.position] if self.position < n_columns else np.zeros(len(y))
        is_known = np.isfinite(x) & np.isfinite(y)
        x = x[is_known]
        y = y[is_known]
        if x.size < 2:
            raise ValueError(f"{x.size} rows with {self.name}; expected 2 or more")
        (unit,) = column_units(x[:, None])
        deviations = (x - x.mean()) / unit
        square = float(deviations @ deviations)
        slope = float(deviations @ y) / square / float(unit) if square > 0 and np.ptp(x) > 0 else 0.0
        weights = np.zeros(n_columns)
        weights[self.position : self.position + 1] = slope
        return Linear(tuple(weights.tolist()), float(y.mean() - slope * x.mean()))


@dataclass(frozen=True)
class MeanOfLearners(Learner):
    """Several learners, whose predictions are averaged with fixed shares."""

    name: str
    learners: tuple[Learner, ...]
    shares: tuple[float, ...]  # one a learner, of sum 1; one with the share 0 is left out of the formula

    def fit(self, rows: Rows, target: int) -> Mixture:
        """Fit every learner that has a share."""
        used = [
            (learner, share) for learner, share in zip(self.learners, self.shares, strict=True) if share > 0
        ]
        return Mixture(
            names=tuple(learner.name for learner, _ in used),
            shares=tuple(share for _, share in used),
            parts=tuple(learner.fit(rows, target) for learner, _ in used),
        )

    def record(self) -> dict[str, object]:
        """Give the share that each learner has of the prediction."""
        pairs = zip(self.learners, self.shares, strict=True)
        return {"learners": [{"name": learner.name, "share": share} for learner, share in pairs]}


def make_learners(
    names: Sequence[str],
    columns: Sequence[str],
    options: FitOptions,
    *,
    imported: Sequence[str] = (),
    run: str = "",
) -> list[Learner]:
    """Make the learners that a run or its method names, those of single columns as far as the run has them."""
    learners: list[Learner] = []
    for name in names:
        if name in FITTERS:
            learners.append(AllColumns(name, options.make_fitter(name, on_scale=True)))
        elif name in FEATURES or name in imported or name == IMPORTED:
            of_feature = columns_of(name, update=True) if name in FEATURES else []
            selected = imported if name == IMPORTED else (name, *of_feature)
            learners += [
                SingleColumn(column, position)
                for position, column in enumerate(columns)
                if column in selected
            ]
        else:
            raise InputError(
                f"run {run}: no learner {name!r}; expected {IMPORTED}, a fitter "
                f"({join_names(tuple(FITTERS), limit=20)}), a feature or an imported metric"
            )
    if set(names) & set(FEATURES) and not any(isinstance(learner, SingleColumn) for learner in learners):
        learners += _metrics_without_references(columns, options.relative)
    if not learners:
        raise InputError(f"run {run}: none of the learners' columns is there; expected one or more")
    return learners


def _metrics_without_references(columns: Sequence[str], relative: Sequence[str]) -> list[SingleColumn]:
    """Make the learners that stand for known metrics where references are missing.

    A feature that compares a summary with others may have relative columns alone. The first of these are the
    differences, so a position among them is beyond the plain columns, on which such a learner predicts the mean.
    """
    candidates = [column.removesuffix("~difference") for column in relative] or list(columns)
    names = [name for name in KNOWN_WITHOUT_REFERENCES if name in candidates]
    return [SingleColumn(name, candidates.index(name)) for name in names]
