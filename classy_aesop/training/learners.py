"""What can be fitted anew to any rows: the parts of a super learner, and whatever else a predictor is made of.

The rows that a learner gets have the columns of its selection, at the level and with the effects of the task
(`classy_aesop.search.Design.for_fit`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.fitters import Fitter
from classy_aesop.fitters.units import units_of
from classy_aesop.formulas import Formula, Linear
from classy_aesop.search import Design, Member, fit_subsets
from classy_aesop.training.arrays import Mask, StackedYears

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class HeldOut:
    """The rows with every value that is needed, and what was predicted of them.

    Parameters
    ----------
    rows : StackedYears
        The rows.
    truth : (n_rows,)
        The judgments, those of earlier years on the scale that each fold's known rows give.
    predictions : (n_rows, n_learners)
        NaN in the column of a learner to which the rows left of some fold are too few.
    alone : (n_rows, n_learners)
        The same of each row by itself, where ``predictions`` compare it with the others of its topic.
    cells : tuple of (held, known) masks
        Which rows were predicted together, and from which.
    same_summarizers : bool
        Whether only topics were held out.
    """

    rows: StackedYears
    truth: Floats
    predictions: Floats
    alone: Floats
    cells: tuple[tuple[Mask, Mask], ...]
    same_summarizers: bool = False


class Learner(ABC):
    """Learns a formula from rows.

    Attributes
    ----------
    name : str
        What its share of a mixture is reported under.
    """

    name: str

    @abstractmethod
    def fit(self, rows: Design, target: int) -> Formula:
        """Return what is learned from the rows about a column of ``Y``; raise ValueError for too few rows."""

    @property
    def parts(self) -> tuple[Learner, ...]:
        """Those whose held-out predictions `residuals` takes: itself, or the learners of a mixture."""
        return (self,)

    def residuals(self, held_out: HeldOut) -> Floats:
        """Give the judgments less what was predicted of them, (n_rows,); NaN where there is no prediction."""
        return held_out.truth - held_out.predictions[:, 0]

    def tuned(self, hold_out: Callable[[Sequence[Learner]], HeldOut | None]) -> Learner:
        """Return it with what it takes from held-out predictions of its parts found anew; by default nothing."""
        return self

    def record(self) -> dict[str, Any]:
        """Describe what it is made of, for the record of a predictor."""
        return {}


@dataclass(frozen=True)
class AllColumns(Learner):
    """One fitter on all columns together."""

    name: str
    fitter: Fitter

    def fit(self, rows: Design, target: int) -> Formula:
        """Fit a clone of the fitter."""
        found: Formula = rows.fit(self.fitter, target).formula
        return found


@dataclass(frozen=True)
class SubsetAverage(Learner):
    """The weighted average of subsets of the columns, each with its fitter; linear, as they are.

    Parameters
    ----------
    name : str
    members : tuple of Member
        The subsets and their weights.
    groups : tuple of tuple of int
        The columns of each unit that a subset may hold.
    fitters : mapping of str to Fitter
        Those of the members by name.
    """

    name: str
    members: tuple[Member, ...]
    groups: tuple[tuple[int, ...], ...]
    fitters: Mapping[str, Fitter]

    def fit(self, rows: Design, target: int) -> Formula:
        """Fit all subsets, and average their weights and constants."""
        weights, intercept = np.zeros(rows.X.shape[1]), 0.0
        fitter: Any
        for name, fitter in self.fitters.items():
            members = [member for member in self.members if member.fitter == name]
            masks, shares = (
                np.array([one.subset.mask for one in members]),
                np.array([one.weight for one in members]),
            )
            coef, constants = fit_subsets(fitter, rows, self.groups, masks, target=target)
            weights += coef @ shares
            intercept += float(constants @ shares)
        return Linear(tuple(map(float, weights)), intercept)


@dataclass(frozen=True)
class SingleColumn(Learner):
    """Least squares on one column; one that does not vary, or is beyond the last column, has the weight 0."""

    name: str
    position: int

    def fit(self, rows: Design, target: int) -> Formula:
        """Fit a line to the rows that have the column and the target."""
        y = rows.Y[:, target]
        n_columns = rows.X.shape[1]
        x = rows.X[:, self.position] if self.position < n_columns else np.zeros(len(y))
        known = np.isfinite(x) & np.isfinite(y)
        x, y = x[known], y[known]
        if x.size < 2:
            raise ValueError(f"{x.size} rows with {self.name}; expected 2 or more")
        (unit,) = units_of(x[:, None])
        deviations = (x - x.mean()) / unit
        square = float(deviations @ deviations)
        slope = float(deviations @ y) / square / float(unit) if square > 0 and np.ptp(x) > 0 else 0.0
        weights = np.zeros(n_columns)
        weights[self.position : self.position + 1] = slope
        return Linear(tuple(weights.tolist()), float(y.mean() - slope * x.mean()))
