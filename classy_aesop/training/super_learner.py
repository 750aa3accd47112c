"""A mixture of learners, with equal shares, or with shares that are found on held-out predictions.

Equal shares are hard to beat where few data tell the learners apart, and held-out single summaries do not show which
learner puts systems in order (docs/prediction.md). As for shares that are found:

Wolpert (1992, Neural Networks 5) combined learners by what they predict of rows that they have not seen; Breiman (1996,
Machine Learning 24) kept the weights from being negative; van der Laan, Polley and Hubbard (2007, Statistical
Applications in Genetics and Molecular Biology 6) showed that the combination, their *super learner*, does as well as
its best part once there are data enough. Until there are, two things hold it back:

- Shares are drawn towards the subset search, the more the fewer topics and summarizers there are.
- With fewer than `FEWEST_SUMMARIZERS` summarizers, whatever their number of topics, a fit of many columns learns who
  they are rather than what makes a summary good. If others are to be predicted, the single columns are then all that is
  used, with equal shares: known metrics on the human scale, of which nothing more is claimed.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from classy_aesop.errors import InputError, listed
from classy_aesop.features.registry import FEATURES, columns_of
from classy_aesop.fitters import FITTERS
from classy_aesop.fitters.nonnegative import NO_CORRELATION
from classy_aesop.formulas import Mixture
from classy_aesop.search import Design
from classy_aesop.search.design import cell_means
from classy_aesop.training.arrays import Mask
from classy_aesop.training.held_out import hold_out_of
from classy_aesop.training.learners import AllColumns, Floats, HeldOut, Learner, SingleColumn, SubsetAverage
from classy_aesop.training.task import SEARCH, SUPER_LEARNER, TrainingTask, make_fitter

IMPORTED = "imported"
"""A learner that is no fitter: each imported metric by itself."""

PRIOR_ROWS = 500.0
"""Topics times summarizers at which the shares found and the prior ones count the same."""

KNOWN_WITHOUT_REFERENCES = ("consensus_squares1", "consensus_squares2", "consensus_top1", "consensus_top2")
"""The single columns that stand for known metrics where these lack the references that they need."""

FEWEST_SUMMARIZERS = 10
"""Names of summarizers below which only single columns are used."""


@dataclass(frozen=True)
class LearnerAverage(Learner):
    """Several learners, whose predictions are averaged with fixed shares.

    Parameters
    ----------
    name : str
    learners : tuple of Learner
    shares : tuple of float
        One a learner, 0 or more, of sum 1; a learner with the share 0 is left out of the formula.
    """

    name: str
    learners: tuple[Learner, ...]
    shares: tuple[float, ...]

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


@dataclass(frozen=True)
class SuperLearner(LearnerAverage):
    """The same, with shares that are found on held-out predictions."""

    @property
    def parts(self) -> tuple[Learner, ...]:
        """The learners."""
        return self.learners

    def residuals(self, held_out: HeldOut) -> Floats:
        """Give each judgment less its prediction (n_rows,), shares found without the fold of the row too.

        NaN where a learner with a share has no prediction.
        """
        residuals = np.empty(len(held_out.truth))
        for held, known in held_out.cells:
            shares = np.array(shares_of(self.learners, held_out, known))
            used = np.where(shares > 0, held_out.predictions[held], 0.0)
            residuals[held] = held_out.truth[held] - used @ shares
        return residuals

    def tuned(self, hold_out: Callable[[Sequence[Learner]], HeldOut | None]) -> SuperLearner:
        """Return it with shares found anew."""
        return replace(self, shares=shares_of(self.learners, hold_out(self.learners)))


def mixture(task: TrainingTask, search: SubsetAverage | None) -> tuple[LearnerAverage, HeldOut | None]:
    """Find the shares of a task's learners, and what they were found on, if anything was held out."""
    learners = tuple(learners_of(task, search))
    if task.options.shares == "equal":
        return LearnerAverage(SUPER_LEARNER, learners, equal_shares(task, learners)), None
    held_out = hold_out_of(task, range(len(task.arrays.columns)), learners)
    return SuperLearner(SUPER_LEARNER, learners, shares_of(learners, held_out)), held_out


def equal_shares(task: TrainingTask, learners: Sequence[Learner]) -> tuple[float, ...]:
    """Give all learners of many columns the same share, and the single columns what is theirs: known metrics.

    If others than the n summarizers learned from are to be predicted, the single columns have (`FEWEST_SUMMARIZERS` /
    n) squared of the prediction together, at most all. Else they have as much together as another learner if one of
    them is an imported metric, and nothing if none is. For what each has of it see `_shares_of_single`.
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

    Features have the same share; but one whose correlation with the human scores within topics is negative, by at most
    two standard errors, has none, unless it compares with earlier references: more of a known metric is better, and a
    falling line would reverse the prediction. How good an imported metric is nobody knows beforehand: with one, all
    shares are in proportion to the fourth power of that correlation.
    """
    imported = np.array([one.name in task.years[0].imported for one in single])
    positive_expected = ~imported & [not one.name.endswith("@A") for one in single]
    correlations, errors = _correlations(task, [one.position for one in single])
    by_chance = positive_expected & (correlations < -NO_CORRELATION) & (correlations > -2 * errors)
    shares = np.where(by_chance, 0.0, correlations ** (4 * imported.any()))
    return np.asarray(shares / shares.sum() if shares.any() else np.full(len(single), 1 / len(single)))


def _correlations(task: TrainingTask, positions: Sequence[int]) -> tuple[Floats, Floats]:
    """Correlate columns with the human scores within topics (n_columns,), with the standard errors of no correlation.

    A correlation is 0 where either does not vary. A position counts from the first relative column, if there are any:
    the first of these are the differences.
    """
    rows = task.stacked().design
    first = rows.X.shape[1] - len(task.arrays.relative) if task.arrays.relative else 0
    X, y = (
        _within_topics(values, rows.topics)
        for values in (rows.X[:, np.array(positions) + first], rows.Y[:, [task.target]])
    )
    both = np.isfinite(X) & np.isfinite(y)
    X, y = np.where(both, X, 0.0), np.where(both, y, 0.0)
    squares = (X**2).sum(axis=0) * (y**2).sum(axis=0)
    correlations = np.zeros(len(squares))
    np.divide((X * y).sum(axis=0), np.sqrt(squares), out=correlations, where=squares > 0)
    return correlations, 1 / np.sqrt(np.maximum(both.sum(axis=0), 1))


def learners_of(task: TrainingTask, search: SubsetAverage | None) -> list[Learner]:
    """Make the learners that a run or its method names, those of single columns as far as the run has them.

    Raises
    ------
    InputError
        A name that is no fitter, feature or imported metric, or no learner is left.
    """
    found: list[Learner] = []
    columns, imported = task.arrays.columns, task.years[0].imported
    for name in task.learners:
        if search is not None and name == SEARCH:
            found.append(search)
        elif name in FITTERS:
            found.append(AllColumns(name, make_fitter(task, name, on_scale=True)))
        elif name in FEATURES or name in imported or name == IMPORTED:
            of_feature = columns_of(name, update=True) if name in FEATURES else []
            wanted = imported if name == IMPORTED else (name, *of_feature)
            found += [SingleColumn(column, at) for at, column in enumerate(columns) if column in wanted]
        else:
            raise InputError(
                f"run {task.run.name}: no learner {name!r}; expected {SEARCH}, {IMPORTED}, a fitter "
                f"({listed(tuple(FITTERS), most=20)}), a feature or an imported metric"
            )
    if set(task.learners) & set(FEATURES) and not any(isinstance(one, SingleColumn) for one in found):
        found += _consensus(task)
    if not found:
        raise InputError(f"run {task.run.name}: none of the learners' columns is there; expected one or more")
    return found


def _consensus(task: TrainingTask) -> list[SingleColumn]:
    """Make the learners of `KNOWN_WITHOUT_REFERENCES`, as far as a task has these columns.

    What compares a summary with others may have relative columns alone. The first of these are the differences, so that
    the position among them is beyond the end of the plain columns, on which such a learner predicts the mean.
    """
    relative = [column.removesuffix("~difference") for column in task.arrays.relative]
    columns = relative or list(task.arrays.columns)
    return [SingleColumn(name, columns.index(name)) for name in KNOWN_WITHOUT_REFERENCES if name in columns]


def shares_of(
    learners: Sequence[Learner], held_out: HeldOut | None, rows: Mask | None = None
) -> tuple[float, ...]:
    """Give each learner's share, from the held-out predictions of some rows (n_rows,), by default all.

    Shares are 0 or more and sum to 1. A learner to which some fold left too few rows has none, whatever the rows. Where
    too little could be held out, single columns have equal ones.
    """
    if held_out is None or _too_few(held_out):
        return _known_metrics(learners)
    stacked = held_out.rows if rows is None else held_out.rows.take(rows)
    known = slice(None) if rows is None else rows
    P = _within_topics(held_out.predictions[known], stacked.design.topics)
    y = _within_topics(held_out.truth[known, None], stacked.design.topics)[:, 0]
    usable = [at for at in range(len(learners)) if np.isfinite(held_out.predictions[:, at]).all()]
    if not usable:
        return _known_metrics(learners)
    shares = np.zeros(len(learners))
    shares[usable] = _non_negative(P[:, usable], y)
    search = [at for at in usable if learners[at].name == SEARCH]
    if search:
        n_cells = np.unique(stacked.topics).size * np.unique(stacked.summarizers).size
        shares = _drawn(shares, search[0], PRIOR_ROWS / (PRIOR_ROWS + n_cells))
    return tuple(shares.tolist())


def _too_few(held_out: HeldOut) -> bool:
    """Whether there are too few summarizers to learn about others."""
    n_summarizers = np.unique(held_out.rows.summarizers).size
    return not held_out.same_summarizers and n_summarizers < FEWEST_SUMMARIZERS


def _known_metrics(learners: Sequence[Learner]) -> tuple[float, ...]:
    """Give single columns equal shares; without any, all learners."""
    single = [isinstance(one, SingleColumn) for one in learners]
    used = np.array(single if any(single) else [True] * len(learners), float)
    return tuple((used / used.sum()).tolist())


def _drawn(shares: Floats, to: int, part: float) -> Floats:
    """Return shares of which one learner gets a part of each."""
    moved = (1 - part) * shares
    moved[to] += part
    return moved


def _within_topics(values: Floats, topics: NDArray[np.int64]) -> Floats:
    """Return values (n_rows, n_columns) less their topic's mean."""
    _, code = np.unique(topics, return_inverse=True)
    exists = np.where(np.isfinite(values), values, np.nan)
    return exists - cell_means(exists, code, int(code.max()) + 1)[code]


def _non_negative(P: Floats, y: Floats) -> Floats:
    """Return the weights (n_columns,), 0 or more and of sum 1, with the least squared error.

    The sum is one more row of a non-negative least squares problem, of a weight beside which the others do not count.
    """
    from scipy.optimize import nnls

    heavy = 1e4 * max(float(np.linalg.norm(P)), 1e-9)
    weights, _ = nnls(np.vstack([P, np.full(P.shape[1], heavy)]), np.append(y, heavy))
    return np.asarray(weights / weights.sum())
