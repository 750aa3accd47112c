"""What can be fitted anew to any rows: the parts of a super learner, and whatever else a predictor is made of.

The rows that a learner gets have the columns of its selection, at the level and with the effects of the task
(`classy_aesop.search.Design.for_fit`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from classy_aesop.fitters import Fitter
from classy_aesop.fitters.units import units_of
from classy_aesop.formulas import Formula, Linear, Mixture
from classy_aesop.search import Design, Member, fit_subsets


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
            own = [member for member in self.members if member.fitter == name]
            masks, shares = np.array([one.subset.mask for one in own]), np.array([one.weight for one in own])
            coef, constants = fit_subsets(fitter, rows, self.groups, masks, target=target)
            weights += coef @ shares
            intercept += float(constants @ shares)
        return Linear(tuple(map(float, weights)), intercept)


@dataclass(frozen=True)
class SingleColumn(Learner):
    """Least squares on one column; a column that does not vary has the weight 0."""

    name: str
    position: int

    def fit(self, rows: Design, target: int) -> Formula:
        """Fit a line to the rows that have the column and the target."""
        x, y = rows.X[:, self.position], rows.Y[:, target]
        known = np.isfinite(x) & np.isfinite(y)
        x, y = x[known], y[known]
        if x.size < 2:
            raise ValueError(f"{x.size} rows with {self.name}; expected 2 or more")
        (unit,) = units_of(x[:, None])
        deviations = (x - x.mean()) / unit
        square = float(deviations @ deviations)
        slope = float(deviations @ y) / square / float(unit) if square > 0 and np.ptp(x) > 0 else 0.0
        weights = np.zeros(rows.X.shape[1])
        weights[self.position] = slope
        return Linear(tuple(weights.tolist()), float(y.mean() - slope * x.mean()))


@dataclass(frozen=True)
class SuperLearner(Learner):
    """Several learners, whose predictions are averaged with fixed shares (`classy_aesop.training.super_learner`).

    Parameters
    ----------
    learners : tuple of Learner
    shares : tuple of float
        One a learner, 0 or more, of sum 1; a learner with the share 0 is left out of the formula.
    """

    name: str
    learners: tuple[Learner, ...]
    shares: tuple[float, ...]

    def fit(self, rows: Design, target: int) -> Formula:
        """Fit every learner that has a share."""
        used = [(one, share) for one, share in zip(self.learners, self.shares, strict=True) if share > 0]
        return Mixture(
            names=tuple(one.name for one, _ in used),
            shares=tuple(share for _, share in used),
            parts=tuple(one.fit(rows, target) for one, _ in used),
        )
