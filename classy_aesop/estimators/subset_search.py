"""The search of all subsets of columns as a scikit-learn regressor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin, clone
from sklearn.model_selection import GroupKFold, check_cv
from sklearn.utils.validation import check_consistent_length, check_is_fitted, column_or_1d, validate_data

from classy_aesop.errors import UsageError
from classy_aesop.fitters import FITTERS
from classy_aesop.formulas.base import Array
from classy_aesop.search import Rows, search_subsets
from classy_aesop.significance.choices import CORRELATION_LEVELS, Level


@dataclass(eq=False, repr=False)
class SubsetSearchRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """Tries every subset of the columns on held-out topics, and fits the best one again to all rows.

    Every subset is fitted on the folds but one and predicts that one. Its score is Pearson's correlation of all
    these predictions with the target, see `classy_aesop.search`. The best of many scores is too high
    (docs/prediction.md); `sklearn.model_selection.cross_val_score` around this estimator gives one that is not.

    Parameters
    ----------
    fitter : str or regressor
        A key of `FITTERS`, or any scikit-learn regressor. Those of this package are searched in batches, which is
        much faster.
    level : {"global", "centred", "input", "system"}
        What is correlated: all rows; all rows less their topic's mean; within each topic; or the means of summarizers.
        ``fit`` then needs topics or summarizers.
    cv : int or splitter
        Number of folds, in which rows of one topic stay together, or a splitter of scikit-learn, which gets the topics
        as groups.
    units : sequence of str, optional
        A label for each column; columns with the same label are selected together. By default each by itself. A search
        takes at most 20 of them.
    n_jobs : int, optional
        Threads; the result does not depend on it.
    verbose : int
        With 1 or more, print how many subsets are searched, and the best.

    Attributes
    ----------
    search_ : SearchResult
        Every subset with its score.
    subset_ : Subset
        The best one: the labels of its columns, and its score.
    support_ : (n_columns,) of bool
        Which columns it uses.
    estimator_ : regressor
        The fitter, fitted to these columns of all rows.
    n_features_in_ : int
        Number of columns at `fit`.

    Examples
    --------
    >>> X = [[1, 7], [2, 1], [3, 4], [4, 2], [5, 5], [6, 3]]
    >>> model = SubsetSearchRegressor(cv=3).fit(X, [1, 2, 3, 4, 5, 6])
    >>> model.support_.tolist(), model.predict([[7, 0]]).round(2).tolist()
    ([True, False], [7.0])
    """

    fitter: Any = "nonnegative"
    _: KW_ONLY
    level: Level = "global"
    cv: Any = 5
    units: Sequence[str] | None = None
    n_jobs: int | None = None
    verbose: int = 0

    def fit(self, X: Any, y: Any, topics: Any = None, summarizers: Any = None) -> Self:
        """Search all subsets and fit the best.

        Parameters
        ----------
        X : (n_rows, n_columns)
            Finite numbers; a missing value is refused.
        y : (n_rows,)
            What is to be predicted.
        topics : (n_rows,), optional
            The topic of each row, by any values. Without them every row is a topic of its own.
        summarizers : (n_rows,), optional
            Who wrote each row, for the level ``system``.

        Raises
        ------
        UsageError
            The fitter is unknown, the level needs topics or summarizers, there is not one label a column, or one topic.
        ValueError
            A value is missing, there are more columns or labels than a search can take, or no subset whose predictions
            vary.
        """
        X, y = validate_data(self, X, y, dtype=np.float64, y_numeric=True, ensure_min_samples=2)
        self._check_level(topics, summarizers)
        row_numbers = np.arange(len(X))
        design = Rows(
            X,
            np.asarray(y, dtype=np.float64)[:, None],
            row_numbers if summarizers is None else _number_groups(summarizers, X),
            row_numbers if topics is None else _number_groups(topics, X),
        )
        names, groups = self._columns_by_label(X.shape[1])
        n_topics = np.unique(design.topics).size
        if n_topics < 2:
            raise UsageError("the rows are of one topic; expected two or more, to hold some out")
        if isinstance(self.cv, int):
            splits = GroupKFold(min(self.cv, n_topics)).split(X, y, design.topics)
        else:  # a splitter gets topics only if they were given
            splits = check_cv(self.cv).split(X, y, None if topics is None else design.topics)
        fitter = _make_regressor(self.fitter)
        self.search_ = search_subsets(
            fitter,
            [(design.take(fitted), design.take(held_out)) for fitted, held_out in splits],
            groups,
            target=0,
            names=names,
            level=self.level,
            n_jobs=self.n_jobs,
        )
        self.subset_ = self.search_.best()
        if self.verbose:
            print(
                f"{type(self).__name__}: best of {2 ** len(names) - 1:,} subsets: "
                f"{', '.join(self.subset_.names)} (pearson {self.subset_.score:z.3f} on held-out rows)"
            )
        self.support_ = np.zeros(X.shape[1], dtype=bool)
        for name in self.subset_.names:
            self.support_[groups[names.index(name)]] = True
        self.estimator_ = design.select_columns(self.support_).fit(fitter, 0)
        return self

    def predict(self, X: Any) -> Array:
        """Return the predictions (n_rows,) for X (n_rows, n_columns)."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=np.float64, reset=False)
        return np.asarray(self.estimator_.predict(X[:, self.support_]))

    def _check_level(self, topics: Any, summarizers: Any) -> None:
        """Raise `UsageError` for an unknown level, or one that needs topics or summarizers that `fit` did not get."""
        if self.level not in CORRELATION_LEVELS:
            raise UsageError(f"level is {self.level!r}; expected one of {', '.join(CORRELATION_LEVELS)}")
        needs = {"system": "summarizers", "input": "topics", "centred": "topics"}.get(self.level)
        passed = {"topics": topics, "summarizers": summarizers}
        if needs is not None and passed[needs] is None:
            raise UsageError(f"level is {self.level!r} and fit got no {needs}; expected those of all rows")

    def _columns_by_label(self, n_columns: int) -> tuple[list[str], list[list[int]]]:
        """Return the labels to choose from, and the columns of each."""
        if self.units is None:
            columns = getattr(self, "feature_names_in_", range(n_columns))
            return [str(name) for name in columns], [[column] for column in range(n_columns)]
        labels = [str(label) for label in self.units]
        if len(labels) != n_columns:
            raise UsageError(f"units has {len(labels)} labels for {n_columns} columns; expected one each")
        names = list(dict.fromkeys(labels))
        groups = [[column for column, label in enumerate(labels) if label == name] for name in names]
        return names, groups


def _make_regressor(fitter: Any) -> Any:
    """Return a new fitter by its name, or a clone of a regressor."""
    if not isinstance(fitter, str):
        return clone(fitter)
    if fitter not in FITTERS:
        raise UsageError(
            f"no fitter is named {fitter!r}; expected a regressor or one of {', '.join(FITTERS)}"
        )
    return FITTERS[fitter]()


def _number_groups(names: Any, X: Array) -> NDArray[np.int64]:
    """Number the names of the rows of X from 0."""
    names = column_or_1d(names)
    check_consistent_length(X, names)
    return np.asarray(np.unique(names, return_inverse=True)[1], dtype=np.int64)
