"""What can be fitted anew to any rows: a fitter, the average of subsets, a line on one column, or a mean of several.

The rows that a learner gets have the columns of its selection, at the level and with the effects of the task
(`classy_aesop.search.Design.for_fit`). In a mixture learners of many columns have equal shares, which are hard to beat:
few data do not tell the learners apart, and held-out single summaries do not show which puts systems in order
(docs/prediction.md). Single columns are known metrics; the fewer systems there are to learn from, the more they count.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import InputError, listed
from classy_aesop.features.registry import FEATURES, columns_of
from classy_aesop.fitters import FITTERS, Fitter
from classy_aesop.fitters.least_squares import units_of
from classy_aesop.fitters.nonnegative import MIN_CORRELATION
from classy_aesop.formulas import Formula, Linear, Mixture
from classy_aesop.search import Design, Member, fit_subsets
from classy_aesop.search.design import cell_means
from classy_aesop.training.plan import MIXTURE, TrainingTask, make_fitter

Floats = NDArray[np.float64]

IMPORTED = "imported"
"""A learner that is no fitter: each imported metric by itself."""

KNOWN_WITHOUT_REFERENCES = ("consensus_squares1", "consensus_squares2", "consensus_top1", "consensus_top2")
"""The single columns that stand for known metrics where these lack the references that they need."""

FEWEST_SUMMARIZERS = 10
"""Names of summarizers below which only single columns are used."""


class Learner(ABC):
    """Learns a formula from rows; its share of a mixture is reported under its ``name``."""

    name: str

    @abstractmethod
    def fit(self, rows: Design, target: int) -> Formula:
        """Return what is learned from the rows about a column of ``Y``; raise ValueError for too few rows."""

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
    """The weighted average of subsets of the columns, each with its fitter; linear, as they are."""

    name: str
    members: tuple[Member, ...]  # the subsets and their weights
    groups: tuple[tuple[int, ...], ...]  # the columns of each unit that a subset may hold
    fitters: Mapping[str, Fitter]  # those of the members by name

    def fit(self, rows: Design, target: int) -> Formula:
        """Fit all subsets, and average their weights and constants."""
        weights, intercept = np.zeros(rows.X.shape[1]), 0.0
        fitter: Any
        for name, fitter in self.fitters.items():
            members = [member for member in self.members if member.fitter == name]
            masks, shares = (
                np.array(one) for one in zip(*((m.subset.mask, m.weight) for m in members), strict=True)
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


@dataclass(frozen=True)
class MeanOfLearners(Learner):
    """Several learners, whose predictions are averaged with fixed shares."""

    name: str
    learners: tuple[Learner, ...]
    shares: tuple[float, ...]  # one a learner, of sum 1; one with the share 0 is left out of the formula

    def fit(self, rows: Design, target: int) -> Mixture:
        """Fit every learner that has a share."""
        used = [(one, share) for one, share in zip(self.learners, self.shares, strict=True) if share > 0]
        return Mixture(
            names=tuple(one.name for one, _ in used),
            shares=tuple(share for _, share in used),
            parts=tuple(one.fit(rows, target) for one, _ in used),
        )

    def record(self) -> dict[str, Any]:
        """Give the share that each learner has of the prediction."""
        pairs = zip(self.learners, self.shares, strict=True)
        return {"learners": [{"name": one.name, "share": share} for one, share in pairs]}


def mixture(task: TrainingTask) -> MeanOfLearners:
    """Make the mean of a task's learners."""
    learners = tuple(learners_of(task))
    return MeanOfLearners(MIXTURE, learners, equal_shares(task, learners))


def equal_shares(task: TrainingTask, learners: Sequence[Learner]) -> tuple[float, ...]:
    """Give all learners of many columns the same share, and the single columns what is theirs: known metrics.

    For other summarizers than the n learned from, the single columns have (`FEWEST_SUMMARIZERS` / n) squared of the
    prediction together, at most all. Else as much as another learner if one of them is imported, and nothing if not.
    """
    single = [one for one in learners if isinstance(one, SingleColumn)]
    n_others = len(learners) - len(single)
    if not single or not n_others:
        return (1 / len(learners),) * len(learners)
    if not task.same_summarizers:
        part = min((FEWEST_SUMMARIZERS / np.unique(task.stacked().summarizers).size) ** 2, 1.0)
    else:
        part = 1 / (n_others + 1) if any(one.name in task.years[0].imported for one in single) else 0.0
    shares = iter((part * _shares_of_single(task, single)).tolist())
    return tuple(next(shares) if isinstance(one, SingleColumn) else (1 - part) / n_others for one in learners)


def _shares_of_single(task: TrainingTask, single: Sequence[SingleColumn]) -> Floats:
    """Say how single columns divide what they have together (n_single,); all equally if none gets anything here.

    Features share equally, but one that correlates negatively within topics, by at most two standard errors, has none,
    as a falling line would reverse it. With an imported metric shares go by the fourth power of that correlation.
    """
    imported = np.array([one.name in task.years[0].imported for one in single])
    positive_expected = ~imported & [not one.name.endswith("@A") for one in single]
    correlations, errors = _correlations(task, [one.position for one in single])
    by_chance = positive_expected & (correlations < -MIN_CORRELATION) & (correlations > -2 * errors)
    shares = np.where(by_chance, 0.0, correlations ** (4 * imported.any()))
    return np.asarray(shares / shares.sum() if shares.any() else np.full(len(single), 1 / len(single)))


def _correlations(task: TrainingTask, positions: Sequence[int]) -> tuple[Floats, Floats]:
    """Correlate columns with the human scores within topics (n_columns,), 0 where either is constant; standard errors.

    Positions count from the first relative column, a difference, if there are any.
    """
    rows = task.stacked().design
    first = rows.X.shape[1] - len(task.arrays.relative) if task.arrays.relative else 0
    _, code = np.unique(rows.topics, return_inverse=True)
    values = np.hstack([rows.X[:, np.array(positions) + first], rows.Y[:, [task.target]]])
    values[~np.isfinite(values)] = np.nan
    X, y = np.split(values - cell_means(values, code, int(code.max()) + 1)[code], [-1], axis=1)
    both = np.isfinite(X) & np.isfinite(y)
    X, y = np.where(both, X, 0.0), np.where(both, y, 0.0)
    squares = (X**2).sum(axis=0) * (y**2).sum(axis=0)
    correlations = np.zeros(len(squares))
    np.divide((X * y).sum(axis=0), np.sqrt(squares), out=correlations, where=squares > 0)
    return correlations, 1 / np.sqrt(np.maximum(both.sum(axis=0), 1))


def learners_of(task: TrainingTask) -> list[Learner]:
    """Make the learners that a run or its method names; `InputError` for an unknown name, or if none is left."""
    found: list[Learner] = []
    columns, imported = task.arrays.columns, task.years[0].imported
    for name in task.learners:
        if name in FITTERS:
            found.append(AllColumns(name, make_fitter(task, name, on_scale=True)))
        elif name in FEATURES or name in imported or name == IMPORTED:
            of_feature = columns_of(name, update=True) if name in FEATURES else []
            wanted = imported if name == IMPORTED else (name, *of_feature)
            found += [SingleColumn(column, at) for at, column in enumerate(columns) if column in wanted]
        else:
            raise InputError(
                f"run {task.run.name}: no learner {name!r}; expected {IMPORTED}, a fitter "
                f"({listed(tuple(FITTERS), most=20)}), a feature or an imported metric"
            )
    if set(task.learners) & set(FEATURES) and not any(isinstance(one, SingleColumn) for one in found):
        # What compares a summary with others may have relative columns alone. The first of these are the differences,
        # so a position among them is beyond the plain columns, on which such a learner predicts the mean.
        relative = [column.removesuffix("~difference") for column in task.arrays.relative]
        there = relative or list(columns)
        known = (name for name in KNOWN_WITHOUT_REFERENCES if name in there)
        found += [SingleColumn(name, there.index(name)) for name in known]
    if not found:
        raise InputError(f"run {task.run.name}: none of the learners' columns is there; expected one or more")
    return found
